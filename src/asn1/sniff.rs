//! Finds the objects in a file of unknown form.
