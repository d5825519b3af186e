//! View: bars.
