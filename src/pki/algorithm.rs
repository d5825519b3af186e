//! View: algorithm.
