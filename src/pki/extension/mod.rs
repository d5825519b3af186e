//! Certificate and CRL extensions.
