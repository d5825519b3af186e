//! View: bench.
