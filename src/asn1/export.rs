//! Text forms of an object.
