//! Cryptography that the views need: digests, and the opening of what a password protects.
//!
//! Only [`openssl`] names its library; the key derivation and the schemes stand on it.

pub mod effort;
pub mod error;
pub mod kdf;
pub mod openssl;
pub mod pbe;
#[cfg(test)]
pub(crate) mod testing;

pub use effort::Effort;
pub use error::{Error, WORK_LIMIT};
pub use openssl::{Digest, sha1, sha256};
