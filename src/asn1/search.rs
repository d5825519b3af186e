//! Search in an object.
