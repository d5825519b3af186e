//! View: keys.
