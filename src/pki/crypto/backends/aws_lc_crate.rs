//! AWS-LC by the crate `aws-lc-rs`.

use std::fmt::Display;
use std::sync::Arc;

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    self, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair, KeyPair, ParsedPublicKey,
    PqdsaKeyPair, PqdsaSigningAlgorithm, RsaEncoding, RsaKeyPair, VerificationAlgorithm,
};
use zeroize::Zeroizing;

use super::form;
use crate::pki::crypto::algorithm::SignatureAlgorithm as Algorithm;
use crate::pki::crypto::backend::{Backend, KeyGenerator, PrivateKey, PublicKey, Signer, Verifier};
use crate::pki::crypto::error::Error;

/// AWS-LC by the crate `aws-lc-rs`.
#[derive(Debug, Clone, Copy)]
pub struct AwsLc;

impl Backend for AwsLc {
    fn id(&self) -> &'static str {
        "aws-lc"
    }

    fn version(&self) -> String {
        format!("AWS-LC {}", aws_lc_rs::awslc_version())
    }

    fn supports(&self, _: Algorithm) -> bool {
        true
    }

    fn key_generator(&self, algorithm: Algorithm) -> Result<Box<dyn KeyGenerator>, Error> {
        Ok(Box::new(Generator(algorithm)))
    }

    fn import_private(
        &self,
        algorithm: Algorithm,
        pkcs8: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        form::check_pkcs8(algorithm, pkcs8)?;
        let pair = match scheme(algorithm) {
            Scheme::Ecdsa(scheme) => EcdsaKeyPair::from_pkcs8(scheme, pkcs8).map(Pair::Ecdsa),
            Scheme::Ed25519 => Ed25519KeyPair::from_pkcs8(pkcs8).map(Pair::Ed25519),
            Scheme::MlDsa(scheme) => PqdsaKeyPair::from_pkcs8(scheme, pkcs8).map(Pair::MlDsa),
            Scheme::Rsa { encoding, .. } => {
                RsaKeyPair::from_pkcs8(pkcs8).map(|pair| Pair::Rsa(pair, encoding))
            }
        };
        Handle::of(algorithm, pair.map_err(library)?)
    }

    fn private_from_seed(
        &self,
        algorithm: Algorithm,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        let pair = match scheme(algorithm) {
            Scheme::Ed25519 => Ed25519KeyPair::from_seed_unchecked(seed).map(Pair::Ed25519),
            Scheme::MlDsa(scheme) => PqdsaKeyPair::from_seed(scheme, seed).map(Pair::MlDsa),
            Scheme::Ecdsa(_) | Scheme::Rsa { .. } => return Err(form::seedless(self)),
        };
        Handle::of(algorithm, pair.map_err(library)?)
    }

    fn import_public(
        &self,
        algorithm: Algorithm,
        spki: &[u8],
    ) -> Result<Box<dyn PublicKey>, Error> {
        let octets = form::read_spki(algorithm, spki)?;
        // The library takes an `RSAPublicKey` only by itself, all else with its algorithm.
        let encoded = if algorithm.rsa_bits().is_some() { octets } else { spki };
        let key = ParsedPublicKey::new(verification(algorithm), encoded).map_err(library)?;
        Ok(Box::new(PublicHandle(Arc::new(key))))
    }
}

/// What the library calls the algorithm.
enum Scheme {
    Ecdsa(&'static EcdsaSigningAlgorithm),
    Ed25519,
    MlDsa(&'static PqdsaSigningAlgorithm),
    Rsa { size: KeySize, encoding: &'static dyn RsaEncoding },
}

fn scheme(algorithm: Algorithm) -> Scheme {
    const PKCS1: &dyn RsaEncoding = &signature::RSA_PKCS1_SHA256;
    /// Its salt is as long as the digest: 32 octets.
    const PSS: &dyn RsaEncoding = &signature::RSA_PSS_SHA256;
    let rsa = |size, encoding| Scheme::Rsa { size, encoding };
    match algorithm {
        Algorithm::EcdsaP256 => Scheme::Ecdsa(&signature::ECDSA_P256_SHA256_ASN1_SIGNING),
        Algorithm::EcdsaP384 => Scheme::Ecdsa(&signature::ECDSA_P384_SHA384_ASN1_SIGNING),
        Algorithm::EcdsaP521 => Scheme::Ecdsa(&signature::ECDSA_P521_SHA512_ASN1_SIGNING),
        Algorithm::Ed25519 => Scheme::Ed25519,
        Algorithm::MlDsa44 => Scheme::MlDsa(&signature::ML_DSA_44_SIGNING),
        Algorithm::MlDsa65 => Scheme::MlDsa(&signature::ML_DSA_65_SIGNING),
        Algorithm::MlDsa87 => Scheme::MlDsa(&signature::ML_DSA_87_SIGNING),
        Algorithm::Rsa2048 => rsa(KeySize::Rsa2048, PKCS1),
        Algorithm::Rsa3072 => rsa(KeySize::Rsa3072, PKCS1),
        Algorithm::Rsa4096 => rsa(KeySize::Rsa4096, PKCS1),
        Algorithm::RsaPss2048 => rsa(KeySize::Rsa2048, PSS),
        Algorithm::RsaPss3072 => rsa(KeySize::Rsa3072, PSS),
        Algorithm::RsaPss4096 => rsa(KeySize::Rsa4096, PSS),
    }
}

fn verification(algorithm: Algorithm) -> &'static dyn VerificationAlgorithm {
    match algorithm {
        Algorithm::EcdsaP256 => &signature::ECDSA_P256_SHA256_ASN1,
        Algorithm::EcdsaP384 => &signature::ECDSA_P384_SHA384_ASN1,
        Algorithm::EcdsaP521 => &signature::ECDSA_P521_SHA512_ASN1,
        Algorithm::Ed25519 => &signature::ED25519,
        Algorithm::MlDsa44 => &signature::ML_DSA_44,
        Algorithm::MlDsa65 => &signature::ML_DSA_65,
        Algorithm::MlDsa87 => &signature::ML_DSA_87,
        Algorithm::Rsa2048 | Algorithm::Rsa3072 | Algorithm::Rsa4096 => {
            &signature::RSA_PKCS1_2048_8192_SHA256
        }
        Algorithm::RsaPss2048 | Algorithm::RsaPss3072 | Algorithm::RsaPss4096 => {
            &signature::RSA_PSS_2048_8192_SHA256
        }
    }
}

struct Generator(Algorithm);

impl KeyGenerator for Generator {
    fn generate(&mut self) -> Result<Box<dyn PrivateKey>, Error> {
        let pair = match scheme(self.0) {
            Scheme::Ecdsa(scheme) => EcdsaKeyPair::generate(scheme).map(Pair::Ecdsa),
            Scheme::Ed25519 => Ed25519KeyPair::generate().map(Pair::Ed25519),
            Scheme::MlDsa(scheme) => PqdsaKeyPair::generate(scheme).map(Pair::MlDsa),
            Scheme::Rsa { size, encoding } => {
                RsaKeyPair::generate(size).map(|pair| Pair::Rsa(pair, encoding))
            }
        };
        Handle::of(self.0, pair.map_err(library)?)
    }
}

enum Pair {
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    MlDsa(PqdsaKeyPair),
    Rsa(RsaKeyPair, &'static dyn RsaEncoding),
}

impl Pair {
    fn public(&self) -> &[u8] {
        match self {
            Self::Ecdsa(pair) => pair.public_key().as_ref(),
            Self::Ed25519(pair) => pair.public_key().as_ref(),
            Self::MlDsa(pair) => pair.public_key().as_ref(),
            Self::Rsa(pair, _) => pair.public_key().as_ref(),
        }
    }
}

struct Handle {
    algorithm: Algorithm,
    pair: Arc<Pair>,
}

impl Handle {
    fn of(algorithm: Algorithm, pair: Pair) -> Result<Box<dyn PrivateKey>, Error> {
        form::check_public(algorithm, pair.public())?;
        Ok(Box::new(Self { algorithm, pair: Arc::new(pair) }))
    }
}

impl PrivateKey for Handle {
    fn public_octets(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(self.pair.public());
        Ok(())
    }

    fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        let document = match &*self.pair {
            Pair::Ecdsa(pair) => pair.to_pkcs8v1(),
            Pair::Ed25519(pair) => pair.to_pkcs8v1(),
            Pair::MlDsa(pair) => pair.to_pkcs8v1(),
            Pair::Rsa(pair, _) => {
                let der = pair.as_der().map_err(library)?;
                return Ok(Zeroizing::new(der.as_ref().to_vec()));
            }
        };
        Ok(Zeroizing::new(document.map_err(library)?.as_ref().to_vec()))
    }

    fn signer(&self) -> Result<Box<dyn Signer>, Error> {
        Ok(Box::new(Signing { algorithm: self.algorithm, pair: Arc::clone(&self.pair) }))
    }
}

/// The library makes its contexts anew for each message, on the stack.
struct Signing {
    algorithm: Algorithm,
    pair: Arc<Pair>,
}

impl Signer for Signing {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        let room = form::room(self.algorithm, signature)?;
        let random = SystemRandom::new();
        // A `Signature` has room for ML-DSA: it is looked at where it lies and not moved.
        match &*self.pair {
            Pair::Ecdsa(pair) => match pair.sign(&random, message) {
                Ok(ref made) => Ok(put(room, made.as_ref())),
                Err(error) => Err(library(error)),
            },
            Pair::Ed25519(pair) => match pair.try_sign(message) {
                Ok(ref made) => Ok(put(room, made.as_ref())),
                Err(error) => Err(library(error)),
            },
            Pair::MlDsa(pair) => pair.sign(message, room).map_err(library),
            Pair::Rsa(pair, encoding) => {
                pair.sign(*encoding, &random, message, room).map_err(library)?;
                Ok(room.len())
            }
        }
    }
}

/// Copies a signature to where it belongs and returns its length.
fn put(room: &mut [u8], made: &[u8]) -> usize {
    if let Some(room) = room.get_mut(..made.len()) {
        room.copy_from_slice(made);
    }
    made.len()
}

struct PublicHandle(Arc<ParsedPublicKey>);

impl PublicKey for PublicHandle {
    fn verifier(&self) -> Result<Box<dyn Verifier>, Error> {
        Ok(Box::new(Verifying(Arc::clone(&self.0))))
    }
}

struct Verifying(Arc<ParsedPublicKey>);

impl Verifier for Verifying {
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        // The library does not say why it fails.
        Ok(self.0.verify_sig(message, signature).is_ok())
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn library(error: impl Display) -> Error {
    Error::Library(error.to_string())
}
