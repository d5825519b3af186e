//! View: action.
