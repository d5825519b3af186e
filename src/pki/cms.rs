//! View: cms.
