//! View: ocsp.
