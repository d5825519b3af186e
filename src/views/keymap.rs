//! View: keymap.
