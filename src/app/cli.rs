//! App: cli.
