//! The crypto alone, straight on the libraries and in the quickest way that we know: nobody who
//! makes a certificate can need less.

use anyhow::{Result, anyhow};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{self as aws, KeyPair};
use native_ossl::digest::{DigestAlg, DigestCtx};
use native_ossl::params::{ParamBuilder, Params};
use native_ossl::pkey::{
    KeygenCtx, MessageSigner, MessageVerifier, Pkey, Private, Public, RawSigner, RawVerifier,
    SigAlg,
};
use native_ossl::typed_params::{ec, raw_key};
use pkiscope::pki::crypto::SignatureAlgorithm as Algorithm;

/// What OpenSSL needs, by `native-ossl`.
pub struct Floor {
    keygen: KeygenCtx,
    public: Params<'static>,
    signing: Signing,
    verifying: Verifying,
    signature: Vec<u8>,
}

enum Signing {
    Digest(Hash, RawSigner),
    Message(MessageSigner),
}

enum Verifying {
    Digest(Hash, RawVerifier),
    Message(MessageVerifier),
}

struct Hash(DigestAlg, DigestCtx);

impl Hash {
    fn new(name: &std::ffi::CStr) -> Result<Self> {
        let algorithm = DigestAlg::fetch(name, None)?;
        let context = algorithm.new_context()?;
        Ok(Self(algorithm, context))
    }

    fn digest(&mut self, message: &[u8], out: &mut [u8]) -> Result<usize> {
        self.1.reinit(&self.0, None)?;
        self.1.update(message)?;
        Ok(self.1.finish(out)?)
    }
}

impl Floor {
    pub fn new(algorithm: Algorithm, pkcs8: &[u8], spki: &[u8]) -> Result<Self> {
        let (name, group, digest) = match algorithm {
            Algorithm::EcdsaP256 => (c"EC", Some(c"P-256"), Some(c"SHA2-256")),
            Algorithm::EcdsaP384 => (c"EC", Some(c"P-384"), Some(c"SHA2-384")),
            Algorithm::EcdsaP521 => (c"EC", Some(c"P-521"), Some(c"SHA2-512")),
            Algorithm::Ed25519 => (c"ED25519", None, None),
            Algorithm::MlDsa44 => (c"ML-DSA-44", None, None),
            Algorithm::MlDsa65 => (c"ML-DSA-65", None, None),
            Algorithm::MlDsa87 => (c"ML-DSA-87", None, None),
            _ => return Err(anyhow!("no floor is about {algorithm}")),
        };
        let mut keygen = KeygenCtx::new(name)?;
        if let Some(group) = group {
            keygen.set_params(&ParamBuilder::new()?.set(ec::GROUP, group)?.build()?)?;
        }
        let zeros = vec![0; algorithm.public_len()];
        let key = Pkey::<Private>::from_der(pkcs8)?;
        let public = Pkey::<Public>::from_der(spki)?;
        let (signing, verifying) = if let Some(digest) = digest {
            let hash = || Hash::new(digest);
            (
                Signing::Digest(hash()?, RawSigner::new(&key, None)?),
                Verifying::Digest(hash()?, RawVerifier::new(&public, None)?),
            )
        } else {
            let scheme = SigAlg::fetch(name, None)?;
            (
                Signing::Message(MessageSigner::new(&key, &scheme, None)?),
                Verifying::Message(MessageVerifier::new(&public, &scheme, None)?),
            )
        };
        Ok(Self {
            keygen,
            public: ParamBuilder::new()?.set(raw_key::PUB_KEY, &zeros)?.build()?,
            signing,
            verifying,
            signature: vec![0; algorithm.max_signature_len()],
        })
    }

    /// A key pair, and the octets of its public key.
    pub fn key(&mut self) -> Result<()> {
        let key = self.keygen.generate()?;
        key.get_params(&mut self.public)?;
        let octets = self.public.get_octet_string(raw_key::PUB_KEY.name())?;
        std::hint::black_box(octets);
        Ok(())
    }

    pub fn sign(&mut self, message: &[u8]) -> Result<()> {
        let length = match &mut self.signing {
            Signing::Digest(hash, signer) => {
                let mut digest = [0; 64];
                let length = hash.digest(message, &mut digest)?;
                signer.sign(&digest[..length], &mut self.signature)?
            }
            Signing::Message(signer) => signer.sign(message, Some(&mut self.signature))?,
        };
        std::hint::black_box(&self.signature[..length]);
        Ok(())
    }

    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<()> {
        match &mut self.verifying {
            Verifying::Digest(hash, verifier) => {
                let mut digest = [0; 64];
                let length = hash.digest(message, &mut digest)?;
                verifier.verify(&digest[..length], signature)?;
            }
            Verifying::Message(verifier) => {
                anyhow::ensure!(verifier.verify(message, signature)?, "the signature is wrong");
            }
        }
        Ok(())
    }
}

/// What AWS-LC needs, by `aws-lc-rs`.
pub struct AwsFloor {
    pair: Pair,
    public: aws::ParsedPublicKey,
    signature: Vec<u8>,
}

enum Pair {
    Ecdsa(&'static aws::EcdsaSigningAlgorithm, aws::EcdsaKeyPair),
    Ed25519(aws::Ed25519KeyPair),
    MlDsa(&'static aws::PqdsaSigningAlgorithm, aws::PqdsaKeyPair),
}

impl AwsFloor {
    pub fn new(algorithm: Algorithm, pkcs8: &[u8], spki: &[u8]) -> Result<Self> {
        let ecdsa = |scheme| {
            Ok::<_, anyhow::Error>(Pair::Ecdsa(
                scheme,
                aws::EcdsaKeyPair::from_pkcs8(scheme, pkcs8)?,
            ))
        };
        let ml_dsa = |scheme| {
            Ok::<_, anyhow::Error>(Pair::MlDsa(
                scheme,
                aws::PqdsaKeyPair::from_pkcs8(scheme, pkcs8)?,
            ))
        };
        let (pair, scheme): (Pair, &dyn aws::VerificationAlgorithm) = match algorithm {
            Algorithm::EcdsaP256 => {
                (ecdsa(&aws::ECDSA_P256_SHA256_ASN1_SIGNING)?, &aws::ECDSA_P256_SHA256_ASN1)
            }
            Algorithm::Ed25519 => {
                (Pair::Ed25519(aws::Ed25519KeyPair::from_pkcs8(pkcs8)?), &aws::ED25519)
            }
            Algorithm::MlDsa44 => (ml_dsa(&aws::ML_DSA_44_SIGNING)?, &aws::ML_DSA_44),
            Algorithm::MlDsa65 => (ml_dsa(&aws::ML_DSA_65_SIGNING)?, &aws::ML_DSA_65),
            _ => return Err(anyhow!("no floor is about {algorithm}")),
        };
        let public = aws::ParsedPublicKey::new(scheme, spki)?;
        Ok(Self { pair, public, signature: vec![0; algorithm.max_signature_len()] })
    }

    /// A key pair, and the octets of its public key.
    pub fn key(&mut self) -> Result<()> {
        match &self.pair {
            Pair::Ecdsa(scheme, _) => {
                std::hint::black_box(aws::EcdsaKeyPair::generate(scheme)?.public_key().as_ref());
            }
            Pair::Ed25519(_) => {
                std::hint::black_box(aws::Ed25519KeyPair::generate()?.public_key().as_ref());
            }
            Pair::MlDsa(scheme, _) => {
                std::hint::black_box(aws::PqdsaKeyPair::generate(scheme)?.public_key().as_ref());
            }
        }
        Ok(())
    }

    pub fn sign(&mut self, message: &[u8]) -> Result<()> {
        match &self.pair {
            // A `Signature` has room for ML-DSA: moving it would count.
            Pair::Ecdsa(_, pair) => match pair.sign(&SystemRandom::new(), message) {
                Ok(ref signature) => {
                    self.signature[..64].copy_from_slice(&signature.as_ref()[..64])
                }
                Err(error) => return Err(error.into()),
            },
            Pair::Ed25519(pair) => match pair.try_sign(message) {
                Ok(ref signature) => self.signature.copy_from_slice(signature.as_ref()),
                Err(error) => return Err(error.into()),
            },
            Pair::MlDsa(_, pair) => {
                pair.sign(message, &mut self.signature)?;
            }
        }
        std::hint::black_box(&self.signature);
        Ok(())
    }

    pub fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<()> {
        self.public.verify_sig(message, signature).map_err(|_| anyhow!("the signature is wrong"))
    }
}
