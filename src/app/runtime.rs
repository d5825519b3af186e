//! App: runtime.
