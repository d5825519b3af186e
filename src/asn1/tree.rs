//! The flat arena index of one object.
