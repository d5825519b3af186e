//! App: jobs.
