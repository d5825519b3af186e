//! View: theme.
