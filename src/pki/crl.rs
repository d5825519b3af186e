//! View: crl.
