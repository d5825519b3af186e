//! Keys in all their encodings: PKCS #8, PKCS #1, SEC 1, DSA's own, SubjectPublicKeyInfo.
//!
//! Views say what a key is, never its secret octets.

pub mod encrypted;
pub mod numbers;
pub mod post_quantum;
pub mod private;
pub mod public;

pub use encrypted::EncryptedKey;
pub use private::{PrivateKey, Secret};
pub use public::PublicObject;
