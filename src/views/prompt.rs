//! View: prompt.
