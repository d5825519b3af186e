//! Cryptography: digests, the opening of what a password protects, and the backends that make
//! keys, sign and verify.
//!
//! Only the backends and [`openssl`] name their library; all else stands on them.

pub mod algorithm;
pub mod backend;
pub mod backends;
pub mod effort;
pub mod error;
pub mod kdf;
pub mod openssl;
pub mod pbe;
#[cfg(test)]
pub(crate) mod testing;

pub use algorithm::SignatureAlgorithm;
pub use backend::{Backend, KeyGenerator, PrivateKey, PublicKey, Signer, Verifier};
pub use backends::{Versions, versions};
pub use effort::Effort;
pub use error::{Error, WORK_LIMIT};
pub use openssl::{Digest, sha1, sha256};
