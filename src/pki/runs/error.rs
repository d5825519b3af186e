//! Why a run cannot be had.

use crate::store;

/// Why a run cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store has no run of this number.
    #[error("there is no run {0}")]
    NoRun(i64),
    /// There are not so many finished runs.
    #[error("{}", no_last(*.0))]
    NoLast(u64),
    /// No reference has this name.
    #[error("there is no reference {0}; runs list --references lists them")]
    NoReference(String),
    /// What the store has of a run does not read.
    #[error("run {run}: {what} that do not read: {reason}")]
    Broken {
        /// The run.
        run: i64,
        /// What of it.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
}

fn no_last(back: u64) -> String {
    match back {
        0 => "there is no finished run".to_owned(),
        1 => "there is no finished run before the last one".to_owned(),
        _ => format!("there are no {} finished runs", back.saturating_add(1)),
    }
}
