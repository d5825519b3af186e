//! View: name.
