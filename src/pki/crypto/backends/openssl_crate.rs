//! OpenSSL by the crate `openssl`.

use std::ffi::CStr;
use std::ptr;

use foreign_types::ForeignTypeRef;
use openssl::bn::BigNumContext;
use openssl::ec::{EcGroup, EcKey, PointConversionForm};
use openssl::error::ErrorStack;
use openssl::md::Md;
use openssl::nid::Nid;
use openssl::pkey::{HasPublic, Id, KeyType, PKey, Private, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rand::rand_priv_bytes;
use openssl::rsa::Padding;
use openssl::sha;
use openssl::sign::RsaPssSaltlen;
use zeroize::Zeroizing;

use super::form;
use crate::pki::crypto::algorithm::SignatureAlgorithm as Algorithm;
use crate::pki::crypto::backend::{Backend, KeyGenerator, PrivateKey, PublicKey, Signer, Verifier};
use crate::pki::crypto::error::Error;

/// OpenSSL by the crate `openssl`.
#[derive(Debug, Clone, Copy)]
pub struct OpenSsl;

impl Backend for OpenSsl {
    fn id(&self) -> &'static str {
        "openssl"
    }

    fn version(&self) -> String {
        // The date follows.
        let words: Vec<&str> = openssl::version::version().split(' ').take(2).collect();
        words.join(" ")
    }

    fn supports(&self, algorithm: Algorithm) -> bool {
        generator(algorithm).is_ok()
    }

    fn key_generator(&self, algorithm: Algorithm) -> Result<Box<dyn KeyGenerator>, Error> {
        match generator(algorithm) {
            Ok(source) => Ok(Box::new(Generator { algorithm, source })),
            Err(_) => Err(form::unsupported(self, algorithm)),
        }
    }

    fn import_private(
        &self,
        algorithm: Algorithm,
        pkcs8: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        form::check_pkcs8(algorithm, pkcs8)?;
        let key = PKey::private_key_from_pkcs8(pkcs8).map_err(library)?;
        if curve(algorithm).is_some() {
            return Ok(Box::new(EcHandle { algorithm, key: key.ec_key().map_err(library)? }));
        }
        Ok(Box::new(Handle::new(algorithm, key)?))
    }

    fn private_from_seed(
        &self,
        algorithm: Algorithm,
        seed: &[u8],
    ) -> Result<Box<dyn PrivateKey>, Error> {
        let key = match (algorithm, ml_dsa(algorithm)) {
            (Algorithm::Ed25519, _) => PKey::private_key_from_raw_bytes(seed, Id::ED25519),
            (_, Some(kind)) => PKey::private_key_from_seed(None, kind, None, seed),
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
        let key = PKey::public_key_from_der(spki).map_err(library)?;
        Ok(Box::new(PublicHandle { algorithm, key }))
    }
}

const fn curve(algorithm: Algorithm) -> Option<Nid> {
    match algorithm {
        Algorithm::EcdsaP256 => Some(Nid::X9_62_PRIME256V1),
        Algorithm::EcdsaP384 => Some(Nid::SECP384R1),
        Algorithm::EcdsaP521 => Some(Nid::SECP521R1),
        _ => None,
    }
}

const fn ml_dsa(algorithm: Algorithm) -> Option<KeyType> {
    match algorithm {
        Algorithm::MlDsa44 => Some(KeyType::ML_DSA_44),
        Algorithm::MlDsa65 => Some(KeyType::ML_DSA_65),
        Algorithm::MlDsa87 => Some(KeyType::ML_DSA_87),
        _ => None,
    }
}

/// Where keys come from. EC keys by `EC_KEY`, which needs a tenth less time than `EVP_PKEY`;
/// ML-DSA keys by a random seed, which the crate has no other way for.
enum Source {
    Curve(EcGroup),
    Seed(KeyType),
    Context(PkeyCtx<()>),
}

fn generator(algorithm: Algorithm) -> Result<Source, ErrorStack> {
    if let Some(curve) = curve(algorithm) {
        return EcGroup::from_curve_name(curve).map(Source::Curve);
    }
    if let Some(kind) = ml_dsa(algorithm) {
        PKey::private_key_from_seed(None, kind, None, &[0; 32])?;
        return Ok(Source::Seed(kind));
    }
    let bits = algorithm.rsa_bits();
    let mut context = PkeyCtx::new_id(if bits.is_some() { Id::RSA } else { Id::ED25519 })?;
    context.keygen_init()?;
    if let Some(bits) = bits {
        context.set_rsa_keygen_bits(bits)?;
    }
    Ok(Source::Context(context))
}

struct Generator {
    algorithm: Algorithm,
    source: Source,
}

impl KeyGenerator for Generator {
    fn generate(&mut self) -> Result<Box<dyn PrivateKey>, Error> {
        let algorithm = self.algorithm;
        let key = match &mut self.source {
            Source::Curve(group) => {
                let key = EcKey::generate(group).map_err(library)?;
                return Ok(Box::new(EcHandle { algorithm, key }));
            }
            Source::Seed(kind) => {
                let mut seed = Zeroizing::new([0; 32]);
                rand_priv_bytes(seed.as_mut())
                    .and_then(|()| PKey::private_key_from_seed(None, *kind, None, seed.as_ref()))
            }
            Source::Context(context) => context.keygen(),
        };
        Ok(Box::new(Handle::new(algorithm, key.map_err(library)?)?))
    }
}

/// An EC key; it becomes an `EVP_PKEY` where it signs or is exported.
struct EcHandle {
    algorithm: Algorithm,
    key: EcKey<Private>,
}

impl EcHandle {
    fn pkey(&self) -> Result<PKey<Private>, Error> {
        PKey::from_ec_key(self.key.clone()).map_err(library)
    }
}

impl PrivateKey for EcHandle {
    fn public_octets(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut numbers = BigNumContext::new().map_err(library)?;
        let form = PointConversionForm::UNCOMPRESSED;
        let point = self
            .key
            .public_key()
            .to_bytes(self.key.group(), form, &mut numbers)
            .map_err(library)?;
        out.extend_from_slice(&point);
        Ok(())
    }

    fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.pkey()?.private_key_to_pkcs8().map(Zeroizing::new).map_err(library)
    }

    fn signer(&self) -> Result<Box<dyn Signer>, Error> {
        signer(self.algorithm, &self.pkey()?)
    }
}

/// All other keys.
struct Handle {
    algorithm: Algorithm,
    key: PKey<Private>,
    /// The `RSAPublicKey` of an RSA key, encoded once; empty for others.
    rsa: Vec<u8>,
}

impl Handle {
    fn new(algorithm: Algorithm, key: PKey<Private>) -> Result<Self, Error> {
        let mut rsa = Vec::new();
        if algorithm.rsa_bits().is_some() {
            rsa = key.rsa().and_then(|key| key.public_key_to_der_pkcs1()).map_err(library)?;
            form::check_public(algorithm, &rsa)?;
        }
        Ok(Self { algorithm, key, rsa })
    }
}

impl PrivateKey for Handle {
    fn public_octets(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.algorithm.rsa_bits().is_some() {
            out.extend_from_slice(&self.rsa);
        } else {
            out.extend_from_slice(&self.key.raw_public_key().map_err(library)?);
        }
        Ok(())
    }

    fn to_pkcs8(&self) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.key.private_key_to_pkcs8().map(Zeroizing::new).map_err(library)
    }

    fn signer(&self) -> Result<Box<dyn Signer>, Error> {
        signer(self.algorithm, &self.key)
    }
}

/// The digest of a message with the scheme's hash function, at the beginning of the array.
type Hash = fn(&[u8]) -> ([u8; 64], usize);

/// The hash function of an algorithm that signs a digest. `SHA256()` and its like look their
/// implementation up each time, the structures do not.
fn hash(algorithm: Algorithm) -> Option<Hash> {
    fn padded<const N: usize>(digest: [u8; N]) -> ([u8; 64], usize) {
        let mut out = [0; 64];
        out[..N].copy_from_slice(&digest);
        (out, N)
    }
    match algorithm {
        Algorithm::Ed25519 | Algorithm::MlDsa44 | Algorithm::MlDsa65 | Algorithm::MlDsa87 => None,
        Algorithm::EcdsaP384 => Some(|message| {
            let mut sha = sha::Sha384::new();
            sha.update(message);
            padded(sha.finish())
        }),
        Algorithm::EcdsaP521 => Some(|message| {
            let mut sha = sha::Sha512::new();
            sha.update(message);
            padded(sha.finish())
        }),
        _ => Some(|message| {
            let mut sha = sha::Sha256::new();
            sha.update(message);
            padded(sha.finish())
        }),
    }
}

/// Tells an RSA context its digest and padding (RFC 8017 8.1, 8.2).
fn pad<T>(algorithm: Algorithm, context: &mut PkeyCtx<T>) -> Result<(), ErrorStack> {
    let pss = match algorithm {
        Algorithm::Rsa2048 | Algorithm::Rsa3072 | Algorithm::Rsa4096 => false,
        Algorithm::RsaPss2048 | Algorithm::RsaPss3072 | Algorithm::RsaPss4096 => true,
        _ => return Ok(()),
    };
    context.set_rsa_padding(if pss { Padding::PKCS1_PSS } else { Padding::PKCS1 })?;
    context.set_signature_md(Md::sha256())?;
    if pss {
        context.set_rsa_mgf1_md(Md::sha256())?;
        context.set_rsa_pss_saltlen(RsaPssSaltlen::custom(32))?;
    }
    Ok(())
}

fn signer(algorithm: Algorithm, key: &PKey<Private>) -> Result<Box<dyn Signer>, Error> {
    let Some(hash) = hash(algorithm) else {
        let context = Message::Sign.context(algorithm, key).map_err(library)?;
        return Ok(Box::new(MessageSigning { algorithm, context }));
    };
    let context = PkeyCtx::new(key).and_then(|mut context| {
        context.sign_init()?;
        pad(algorithm, &mut context)?;
        Ok(context)
    });
    Ok(Box::new(DigestSigning { algorithm, hash, context: context.map_err(library)? }))
}

/// ECDSA and RSA: the digest first, then one context that signs it.
struct DigestSigning {
    algorithm: Algorithm,
    hash: Hash,
    context: PkeyCtx<Private>,
}

impl Signer for DigestSigning {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        let room = form::room(self.algorithm, signature)?;
        let (digest, length) = (self.hash)(message);
        self.context.sign(&digest[..length], Some(room)).map_err(library)
    }
}

/// Ed25519 and ML-DSA: one context that takes messages.
struct MessageSigning {
    algorithm: Algorithm,
    context: PkeyCtx<Private>,
}

impl Signer for MessageSigning {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        let room = form::room(self.algorithm, signature)?;
        self.context.sign(message, Some(room)).map_err(library)
    }
}

/// What a context does with whole messages. The crate has only `MdCtx` for that, which must be
/// initialised again for each message: a twentieth of the time of an Ed25519 signature.
#[derive(Clone, Copy)]
enum Message {
    Sign,
    Verify,
}

impl Message {
    fn context<T>(self, algorithm: Algorithm, key: &PKey<T>) -> Result<PkeyCtx<T>, ErrorStack>
    where
        T: HasPublic,
    {
        let name: &CStr = match algorithm {
            Algorithm::MlDsa44 => c"ML-DSA-44",
            Algorithm::MlDsa65 => c"ML-DSA-65",
            Algorithm::MlDsa87 => c"ML-DSA-87",
            _ => c"ED25519",
        };
        let context = PkeyCtx::new(key)?;
        #[allow(unsafe_code, reason = "the crate does not wrap these functions")]
        // SAFETY: the context is valid and nobody else has it, the name ends with a zero octet,
        // and a null pointer is the default library context, no properties and no parameters.
        // The context takes a reference of its own to the scheme, so ours can be freed; freeing
        // a null pointer does nothing.
        let done = unsafe {
            let scheme =
                openssl_sys::EVP_SIGNATURE_fetch(ptr::null_mut(), name.as_ptr(), ptr::null());
            let init = match self {
                Self::Sign => openssl_sys::EVP_PKEY_sign_message_init,
                Self::Verify => openssl_sys::EVP_PKEY_verify_message_init,
            };
            let done = !scheme.is_null() && init(context.as_ptr(), scheme, ptr::null()) == 1;
            openssl_sys::EVP_SIGNATURE_free(scheme);
            done
        };
        if done { Ok(context) } else { Err(ErrorStack::get()) }
    }
}

struct PublicHandle {
    algorithm: Algorithm,
    key: PKey<Public>,
}

impl PublicKey for PublicHandle {
    fn verifier(&self) -> Result<Box<dyn Verifier>, Error> {
        let Some(hash) = hash(self.algorithm) else {
            let context = Message::Verify.context(self.algorithm, &self.key).map_err(library)?;
            return Ok(Box::new(MessageVerifying(context)));
        };
        let context = PkeyCtx::new(&self.key).and_then(|mut context| {
            context.verify_init()?;
            pad(self.algorithm, &mut context)?;
            Ok(context)
        });
        Ok(Box::new(DigestVerifying { hash, context: context.map_err(library)? }))
    }
}

struct DigestVerifying {
    hash: Hash,
    context: PkeyCtx<Public>,
}

impl Verifier for DigestVerifying {
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        let (digest, length) = (self.hash)(message);
        verdict(|| self.context.verify(&digest[..length], signature))
    }
}

struct MessageVerifying(PkeyCtx<Public>);

impl Verifier for MessageVerifying {
    fn verify(&mut self, message: &[u8], signature: &[u8]) -> Result<bool, Error> {
        verdict(|| self.0.verify(message, signature))
    }
}

fn is_fault(errors: &ErrorStack) -> bool {
    #[allow(clippy::useless_conversion, reason = "a C long has 32 bits elsewhere")]
    errors.errors().iter().any(|e| form::is_fatal(u64::from(e.code())))
}

/// OpenSSL fails for a wrong signature as for a fault of its own; the errors tell which. Older
/// ones of the thread could lie among them, so a fault must come again with an empty queue.
fn verdict(mut verify: impl FnMut() -> Result<bool, ErrorStack>) -> Result<bool, Error> {
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
    let reason = errors.errors().last().and_then(openssl::error::Error::reason);
    Error::Library(reason.unwrap_or("no reason given").to_owned())
}
