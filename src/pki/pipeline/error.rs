//! Why a pipeline ended early.

use crate::asn1;
use crate::pki::{build, crypto};
use crate::store;

/// Why a pipeline ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// There is no backend of this name.
    #[error("there is no backend {0}")]
    NoBackend(String),
    /// Keys could not be made or used.
    #[error(transparent)]
    Crypto(#[from] crypto::Error),
    /// The profile asks for what cannot be built.
    #[error(transparent)]
    Build(#[from] build::Error),
    /// Rows could not be written or read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// What was built does not decode.
    #[error("what was built does not decode: {0}")]
    Decode(#[from] asn1::Error),
    /// The system has no threads.
    #[error("no threads: {0}")]
    Threads(String),
}
