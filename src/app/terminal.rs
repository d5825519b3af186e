//! App: terminal.
