//! OpenSSL by the crate `native-ossl`.

use std::cell::RefCell;
use std::ffi::CStr;

use native_ossl::digest::{DigestAlg, DigestCtx};
use native_ossl::error::ErrorStack;
use native_ossl::params::{ParamBuilder, Params};
use native_ossl::pkey::{
    KeygenCtx, MessageSigner, MessageVerifier, Pkey, Private, Public, RawSigner, RawVerifier,
    SigAlg,
};
use native_ossl::pkey_builder::RawKeyBuilder;
use native_ossl::typed_params::{ec, keygen, ml_dsa, raw_key, sig};
use zeroize::Zeroizing;

use super::form;
use crate::pki::crypto::algorithm::SignatureAlgorithm as Algorithm;
use crate::pki::crypto::backend::{Backend, KeyGenerator, PrivateKey, PublicKey, Signer, Verifier};
use crate::pki::crypto::error::Error;

/// OpenSSL by the crate `native-ossl`.
#[derive(Debug, Clone, Copy)]
pub struct NativeOssl;

impl Backend for NativeOssl {
    fn id(&self) -> &'static str {
        "native-ossl"
    }

    fn version(&self) -> String {
        let number = native_ossl_sys::version_number();
        format!("OpenSSL {}.{}.{}", number >> 28, number >> 20 & 0xff, number >> 4 & 0xffff)
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        generator(algorithm).is_ok()
    }

    fn key_generator(&self, algorithm: Algorithm) -> Result<Box<dyn KeyGenerator>, Error> {
        match generator(algorithm) {
            Ok(context) => Ok(Box::new(Generator { algorithm, context })),
            Err(_) => Err(form::unsupported(self, algorithm)),
        }
    }

    fn import_private(
        &self,
        algorithm: Algorithm,
        pkcs8: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        form::check_pkcs8(algorithm, pkcs8)?;
        let key = Pkey::<Private>::from_der(pkcs8).map_err(library)?;
        let handle = Handle::new(algorithm, key)?;
        // A key whose point came compressed gives it back so, and no parameter changes that.
        let mut octets = Vec::new();
        handle.public_octets(&mut octets)?;
        form::check_public(algorithm, &octets)?;
        Ok(Box::new(handle))
    }

    fn private_from_seed(
        &self,
        algorithm: Algorithm,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        let key = match algorithm {
            Algorithm::Ed25519 => RawKeyBuilder::ed25519().priv_key(seed).build_private(),
            Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87 => ParamBuilder::new()
                .and_then(|builder| builder.set(ml_dsa::SEED, seed)?.build())
                .and_then(|params| Pkey::<Private>::from_params(None, name(algorithm), &params)),
            _ => return Err(form::seedless(self)),
        };
        Ok(Box::new(Handle::new(algorithm, key.map_err(library)?)?))
    }

    fn import_public(
        &self,
        algorithm: Algorithm,
        spki: &[u8],
    ) -> Result<Box<dyn PublicKey>, Error> {
        form::read_spki(algorithm, spki)?;
        let key = Pkey::<Public>::from_der(spki).map_err(library)?;
        Ok(Box::new(PublicHandle { algorithm, key }))
    }
}

/// OpenSSL's name of the key type.
const fn name(algorithm: Algorithm) -> &'static CStr {
    match algorithm {
        Algorithm::EcdsaP256 | Algorithm::EcdsaP384 | Algorithm::EcdsaP521 => c"EC",
        Algorithm::Ed25519 => c"ED25519",
        Algorithm::MlDsa44 => c"ML-DSA-44",
        Algorithm::MlDsa65 => c"ML-DSA-65",
        Algorithm::MlDsa87 => c"ML-DSA-87",
        _ => c"RSA",
    }
}

/// OpenSSL's name of the digest that is signed; `None` where the scheme takes the message.
const fn digest_name(algorithm: Algorithm) -> Option<&'static CStr> {
    match algorithm {
        Algorithm::EcdsaP384 => Some(c"SHA2-384"),
        Algorithm::EcdsaP521 => Some(c"SHA2-512"),
        Algorithm::Ed25519 | Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87 => None,
        _ => Some(c"SHA2-256"),
    }
}

fn generator(algorithm: Algorithm) -> Result<KeygenCtx, ErrorStack> {
    let mut context = KeygenCtx::new(name(algorithm))?;
    let group = match algorithm {
        Algorithm::EcdsaP256 => Some(c"P-256"),
        Algorithm::EcdsaP384 => Some(c"P-384"),
        Algorithm::EcdsaP521 => Some(c"P-521"),
        _ => None,
    };
    if let Some(group) = group {
        context.set_params(&ParamBuilder::new()?.set(ec::GROUP, group)?.build()?)?;
    }
    if let Some(bits) = algorithm.rsa_bits() {
        context.set_params(&ParamBuilder::new()?.set(keygen::BITS, &bits)?.build()?)?;
    }
    Ok(context)
}

/// What an RSA context must be told (RFC 8017 8.1, 8.2); nothing for other keys.
fn padding(algorithm: Algorithm) -> Result<Option<Params<'static>>, ErrorStack> {
    let builder = match algorithm {
        Algorithm::Rsa2048 | Algorithm::Rsa3072 | Algorithm::Rsa4096 => {
            ParamBuilder::new()?.set(sig::DIGEST, c"SHA2-256")?.set(sig::PAD_MODE, c"pkcs1")?
        }
        Algorithm::RsaPss2048 | Algorithm::RsaPss3072 | Algorithm::RsaPss4096 => {
            ParamBuilder::new()?
                .set(sig::DIGEST, c"SHA2-256")?
                .set(sig::PAD_MODE, c"pss")?
                .set(sig::MGF1_DIGEST, c"SHA2-256")?
                .set(sig::SALTLEN, &32)?
        }
        _ => return Ok(None),
    };
    builder.build().map(Some)
}

struct Generator {
    algorithm: Algorithm,
    context: KeygenCtx,
}

impl KeyGenerator for Generator {
    fn generate(&mut self) -> Result<Box<dyn PrivateKey>, Error> {
        let key = self.context.generate().map_err(library)?;
        Ok(Box::new(Handle::new(self.algorithm, key)?))
    }
}

struct Handle {
    algorithm: Algorithm,
    key: Pkey<Private>,
    /// The `RSAPublicKey` of an RSA key, encoded once; empty for others.
    rsa: Vec<u8>,
}

impl Handle {
    fn new(algorithm: Algorithm, key: Pkey<Private>) -> Result<Self, Error> {
        let mut rsa = Vec::new();
        if algorithm.rsa_bits().is_some() {
            let spki = key.public_key_to_der().map_err(library)?;
            rsa.extend_from_slice(form::read_spki(algorithm, &spki)?);
        }
        Ok(Self { algorithm, key, rsa })
    }
}

thread_local! {
    /// Room for the public key of the last algorithm, as `EVP_PKEY_get_params` wants it.
    static PUBLIC: RefCell<Option<(Algorithm, Params<'static>)>> = const { RefCell::new(None) };
}

impl PrivateKey for Handle {
    fn public_octets(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.algorithm.rsa_bits().is_some() {
            out.extend_from_slice(&self.rsa);
            return Ok(());
        }
        PUBLIC
            .with_borrow_mut(|slot| {
                let room = match slot {
                    Some((algorithm, room)) if *algorithm == self.algorithm => room,
                    _ => {
                        let zeros = vec![0; self.algorithm.public_len()];
                        let room = ParamBuilder::new()?.set(raw_key::PUB_KEY, &zeros)?.build()?;
                        &mut slot.insert((self.algorithm, room)).1
                    }
                };
                self.key.get_params(room)?;
                out.extend_from_slice(room.get_octet_string(raw_key::PUB_KEY.name())?);
                Ok(())
            })
            .map_err(library)
    }

    fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.key.to_pkcs8_der().map(Zeroizing::new).map_err(library)
    }

    fn signer(&self) -> Result<Box<dyn Signer>, Error> {
        let algorithm = self.algorithm;
        let Some(digest) = digest_name(algorithm) else {
            let signer = SigAlg::fetch(name(algorithm), None)
                .and_then(|scheme| MessageSigner::new(&self.key, &scheme, None))
                .map_err(library)?;
            return Ok(Box::new(MessageSigning { algorithm, signer }));
        };
        let signing = Hash::new(digest).and_then(|hash| {
            let mut signer = RawSigner::new(&self.key, None)?;
            if let Some(padding) = padding(algorithm)? {
                signer.set_params(&padding)?;
            }
            Ok(DigestSigning { algorithm, hash, signer })
        });
        Ok(Box::new(signing.map_err(library)?))
    }
}

/// A hash function with a context that is used again: `EVP_Digest` would make one each time.
struct Hash {
    algorithm: DigestAlg,
    context: DigestCtx,
}

impl Hash {
    fn new(name: &CStr) -> Result<Self, ErrorStack> {
        let algorithm = DigestAlg::fetch(name, None)?;
        let context = algorithm.new_context()?;
        Ok(Self { algorithm, context })
    }

    /// The digest at the beginning of the array, and its length.
    fn digest(&mut self, message: &[u8]) -> Result<([u8; 64], usize), ErrorStack> {
        let mut digest = [0; 64];
        self.context.reinit(&self.algorithm, None)?;
        self.context.update(message)?;
        let length = self.context.finish(&mut digest)?;
        Ok((digest, length))
    }
}

/// ECDSA and RSA: the digest first, then one context that signs it.
struct DigestSigning {
    algorithm: Algorithm,
    hash: Hash,
    signer: RawSigner,
}

impl Signer for DigestSigning {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        let room = form::room(self.algorithm, signature)?;
        let (digest, length) = self.hash.digest(message).map_err(library)?;
        self.signer.sign(&digest[..length], room).map_err(library)
    }
}

/// Ed25519 and ML-DSA: one context that takes messages.
struct MessageSigning {
    algorithm: Algorithm,
    signer: MessageSigner,
}

impl Signer for MessageSigning {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        let room = form::room(self.algorithm, signature)?;
        self.signer.sign(message, Some(room)).map_err(library)
    }
}

struct PublicHandle {
    algorithm: Algorithm,
    key: Pkey<Public>,
}

impl PublicKey for PublicHandle {
    fn verifier(&self) -> Result<Box<dyn Verifier>, Error> {
        let algorithm = self.algorithm;
        let Some(digest) = digest_name(algorithm) else {
            let verifier = SigAlg::fetch(name(algorithm), None)
                .and_then(|scheme| MessageVerifier::new(&self.key, &scheme, None))
                .map_err(library)?;
            return Ok(Box::new(MessageVerifying(verifier)));
        };
        let verifying = Hash::new(digest).and_then(|hash| {
            let mut verifier = RawVerifier::new(&self.key, None)?;
            if let Some(padding) = padding(algorithm)? {
                verifier.set_params(&padding)?;
            }
            Ok(DigestVerifying { hash, verifier })
        });
        Ok(Box::new(verifying.map_err(library)?))
    }
}

struct DigestVerifying {
    hash: Hash,
    verifier: RawVerifier,
}

impl Verifier for DigestVerifying {
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        let (digest, length) = self.hash.digest(message).map_err(library)?;
        verdict(|| self.verifier.verify(&digest[..length], signature).map(|()| true))
    }
}

struct MessageVerifying(MessageVerifier);

impl Verifier for MessageVerifying {
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        verdict(|| match self.0.verify(message, signature) {
            // The crate leaves OpenSSL's errors in the queue then.
            Ok(false) => Err(ErrorStack::drain()),
            other => other,
        })
    }
}

/// OpenSSL fails for a wrong signature as for a fault of its own; the errors tell which. Older
/// ones of the thread could lie among them, so a fault must come again with an empty queue.
fn verdict(mut verify: impl FnMut() -> Result<bool, ErrorStack>) -> Result<bool, Error> {
    let is_fault = |errors: &ErrorStack| errors.errors().any(|e| form::is_fatal(e.code()));
    match verify() {
        Ok(valid) => Ok(valid),
        Err(errors) if !is_fault(&errors) => Ok(false),
        Err(_) => match verify() {
            Err(errors) if is_fault(&errors) => Err(library(errors)),
            again => Ok(again.unwrap_or(false)),
        },
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn library(errors: ErrorStack) -> Error {
    let reason = errors.errors().last().and_then(native_ossl::error::Error::reason);
    Error::Library(reason.unwrap_or("no reason given").to_owned())
}
