//! The browser screen.
