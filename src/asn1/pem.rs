//! PEM.
