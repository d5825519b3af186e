//! View: certificate.
