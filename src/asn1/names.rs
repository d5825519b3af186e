//! Names of object identifiers.
