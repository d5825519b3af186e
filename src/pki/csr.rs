//! View: csr.
