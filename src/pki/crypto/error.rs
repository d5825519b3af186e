//! Why a crypto library could not do what it was asked for.

use crate::asn1;
use crate::rule;

rule! {
    WORK_LIMIT, "kdf-work-limit", "RFC 8018 4.2",
        "the key derivation asks for more work than is allowed";
}

/// Why something protected could not be opened, or a key not be made or used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// This build has no such algorithm, or nobody has it.
    #[error("the algorithm {0} is not available")]
    Unavailable(String),
    /// The parameters of the scheme could not be read.
    #[error(transparent)]
    Encoding(#[from] asn1::Error),
    /// The input asks for more rounds than the [`Effort`](super::Effort) has left.
    #[error("{}: {asked} iterations, {left} left of {limit}", WORK_LIMIT.text)]
    TooMuch {
        /// Iterations the input asks for.
        asked: u64,
        /// Iterations left when it asked.
        left: u64,
        /// The limit for the whole object.
        limit: u64,
    },
    /// The password is wrong, or the octets are not what they should be.
    #[error("no password opens it")]
    WrongPassword,
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A backend has not this algorithm.
    #[error("the backend {backend} ({version}) has no {algorithm}")]
    Unsupported {
        /// The backend's name.
        backend: &'static str,
        /// Its library with the version.
        version: String,
        /// The algorithm's name.
        algorithm: &'static str,
    },
    /// The library refused; its own words.
    #[error("the crypto library refused: {0}")]
    Library(String),
}

impl Error {
    /// The rule behind this error, where one is broken.
    #[must_use]
    pub fn rule(&self) -> Option<&'static asn1::Rule> {
        match self {
            Self::Encoding(e) => Some(e.rule),
            Self::TooMuch { .. } => Some(&WORK_LIMIT),
            _ => None,
        }
    }
}
