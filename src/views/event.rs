//! View: event.
