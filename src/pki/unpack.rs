//! View: unpack.
