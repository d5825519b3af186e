//! The OpenSSL backend.
