//! View: pkcs12.
