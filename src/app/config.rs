//! App: config.
