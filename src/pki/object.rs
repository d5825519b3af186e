//! View: object.
