//! What a crypto library must be able to do for a certification authority.
//!
//! The traits are made for reuse: a key is imported once, and each worker takes a signer, a
//! verifier or a key generator of its own, which keeps its contexts from one call to the next.

use std::fmt::Debug;

use zeroize::Zeroizing;

use super::algorithm::SignatureAlgorithm;
use super::error::Error;

/// A crypto library.
pub trait Backend: Debug + Send + Sync {
    /// The name on the command line and in results.
    fn id(&self) -> &'static str;

    /// Name and version of the library, as `OpenSSL 3.6.3`.
    fn version(&self) -> String;

    /// Whether the library, as it is here, can make keys of this algorithm, sign and verify.
    fn supports(&self, algorithm: SignatureAlgorithm) -> bool;

    /// A generator of key pairs, for one worker.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::Library`].
    fn key_generator(&self, algorithm: SignatureAlgorithm) -> Result<Box<dyn KeyGenerator>, Error>;

    /// The private key in a `PrivateKeyInfo` (PKCS #8, RFC 5958).
    ///
    /// # Errors
    /// [`Error::Unsupported`]; [`Error::Encoding`] or [`Error::Library`] for octets that are no
    /// such key.
    fn import_private(
        &self,
        algorithm: SignatureAlgorithm,
        pkcs8: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error>;

    /// The private key that grows from a seed of [`SignatureAlgorithm::seed_len`] octets.
    ///
    /// # Errors
    /// [`Error::Unsupported`] also for algorithms without a seed; [`Error::Library`] for a
    /// seed of another length.
    fn private_from_seed(
        &self,
        algorithm: SignatureAlgorithm,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error>;

    /// The public key in a `SubjectPublicKeyInfo` (RFC 5280 4.1.2.7).
    ///
    /// # Errors
    /// [`Error::Unsupported`]; [`Error::Encoding`] or [`Error::Library`] for octets that are no
    /// such key.
    fn import_public(
        &self,
        algorithm: SignatureAlgorithm,
        spki: &[u8],
    ) -> Result<Box<dyn PublicKey>, Error>;
}

/// Makes key pairs of one algorithm.
pub trait KeyGenerator: Send {
    /// A fresh key pair.
    ///
    /// # Errors
    /// [`Error::Library`].
    fn generate(&mut self) -> Result<Box<dyn PrivateKey>, Error>;
}

/// A private key, imported once and shared by the workers. The library zeroises it when the
/// last handle goes.
pub trait PrivateKey: Send + Sync {
    /// Appends the contents of `subjectPublicKey` without the count of unused bits: the
    /// uncompressed point of an EC key, the raw octets of Ed25519 and ML-DSA, the DER of an
    /// `RSAPublicKey`.
    ///
    /// # Errors
    /// [`Error::Library`].
    fn public_octets(&self, out: &mut Vec<u8>) -> Result<(), Error>;

    /// The `PrivateKeyInfo` (RFC 5958); for ML-DSA with the seed.
    ///
    /// # Errors
    /// [`Error::Library`].
    fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Error>;

    /// A signer for one worker.
    ///
    /// # Errors
    /// [`Error::Library`].
    fn signer(&self) -> Result<Box<dyn Signer>, Error>;
}

/// A public key, imported once and shared by the workers.
pub trait PublicKey: Send + Sync {
    /// A verifier for one worker.
    ///
    /// # Errors
    /// [`Error::Library`].
    fn verifier(&self) -> Result<Box<dyn Verifier>, Error>;
}

/// Signs any number of messages with one key.
pub trait Signer: Send {
    /// Signs `message`, writes the signature in the form of X.509 to the beginning of
    /// `signature` and returns its length. ML-DSA signs with an empty context string.
    ///
    /// # Errors
    /// [`Error::Library`], also when `signature` is shorter than
    /// [`SignatureAlgorithm::max_signature_len`].
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error>;
}

/// Verifies any number of signatures of one key.
pub trait Verifier: Send {
    /// Whether `signature` is one of `message`.
    ///
    /// # Errors
    /// [`Error::Library`] when the library fails for another reason than the signature.
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error>;
}
