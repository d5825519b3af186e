//! App: log.
