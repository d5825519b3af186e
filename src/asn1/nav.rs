//! Paths of nodes by field names.
