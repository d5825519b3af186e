//! App: input.
