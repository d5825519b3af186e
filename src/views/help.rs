//! View: help.
