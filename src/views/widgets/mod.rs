//! Widgets that screens share.
