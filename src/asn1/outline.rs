//! The rows of a tree of which only opened nodes are known.
