//! What all backends ask of keys and buffers before the library sees them.

use crate::asn1::tag::octet;
use crate::asn1::{self, Reader};
use crate::pki::crypto::algorithm::SignatureAlgorithm;
use crate::pki::crypto::backend::Backend;
use crate::pki::crypto::error::Error;

/// The backend has not this algorithm.
pub(super) fn unsupported(backend: &dyn Backend, algorithm: SignatureAlgorithm) -> Error {
    Error::Unsupported {
        backend: backend.id(),
        version: backend.version(),
        algorithm: algorithm.id(),
    }
}

/// The algorithm's keys do not grow from a seed.
pub(super) fn seedless(backend: &dyn Backend) -> Error {
    Error::Unsupported {
        backend: backend.id(),
        version: backend.version(),
        algorithm: "way from a seed to a key of this algorithm",
    }
}

fn other_key(algorithm: SignatureAlgorithm) -> Error {
    Error::Library(format!("the key is none of {algorithm}"))
}

/// The part of `signature` that the library may write to.
pub(super) fn room(
    algorithm: SignatureAlgorithm,
    signature: &mut [u8],
) -> Result<&mut [u8], Error> {
    let most = algorithm.max_signature_len();
    let room = signature.len();
    signature.get_mut(..most).ok_or_else(|| {
        Error::Library(format!("a signature needs room for {most} octets, there is for {room}"))
    })
}

/// The octets of the key in a `SubjectPublicKeyInfo` of this algorithm; the key itself is left
/// to the library.
pub(super) fn read_spki(algorithm: SignatureAlgorithm, spki: &[u8]) -> Result<&[u8], Error> {
    let (identifier, octets) = split_spki(spki)?;
    if identifier != algorithm.key_identifier() {
        return Err(other_key(algorithm));
    }
    check_public(algorithm, octets)?;
    Ok(octets)
}

/// AlgorithmIdentifier and key of a `SubjectPublicKeyInfo` (RFC 5280 4.1.2.7).
pub(super) fn split_spki(spki: &[u8]) -> Result<(&[u8], &[u8]), asn1::Error> {
    let mut reader = Reader::new(spki);
    let whole = reader.expect(octet::SEQUENCE)?;
    reader.finish()?;
    let mut inner = whole.enter(spki);
    let identifier = inner.expect(octet::SEQUENCE)?.span().of(spki);
    let bits = inner.expect(octet::BIT_STRING)?.contents().of(spki);
    inner.finish()?;
    Ok((identifier, bits.get(1..).unwrap_or_default()))
}

/// Whether a `PrivateKeyInfo` (RFC 5958 2) names this algorithm; the key in it is left to the
/// library.
pub(super) fn check_pkcs8(algorithm: SignatureAlgorithm, pkcs8: &[u8]) -> Result<(), Error> {
    let mut reader = Reader::new(pkcs8);
    let whole = reader.expect(octet::SEQUENCE)?;
    reader.finish()?;
    let mut inner = whole.enter(pkcs8);
    inner.expect(octet::INTEGER)?;
    let identifier = inner.expect(octet::SEQUENCE)?.span().of(pkcs8);
    if identifier == algorithm.key_identifier() { Ok(()) } else { Err(other_key(algorithm)) }
}

/// Whether the public key is as long as the algorithm says, and the point of an EC key is
/// uncompressed: what the identifier does not tell.
pub(super) fn check_public(algorithm: SignatureAlgorithm, octets: &[u8]) -> Result<(), Error> {
    let Some(bits) = algorithm.rsa_bits() else {
        let uncompressed = octets.first() == Some(&4) || algorithm.fixed_signature_len();
        let fits = uncompressed && octets.len() == algorithm.public_len();
        return if fits { Ok(()) } else { Err(other_key(algorithm)) };
    };
    let mut inner = Reader::new(octets).expect(octet::SEQUENCE)?.enter(octets);
    let modulus = inner.expect(octet::INTEGER)?.contents().of(octets);
    let magnitude = modulus.strip_prefix(&[0]).unwrap_or(modulus);
    let top = magnitude.first().is_some_and(|first| first & 0x80 != 0);
    if top && magnitude.len() * 8 == bits as usize { Ok(()) } else { Err(other_key(algorithm)) }
}

/// Whether an error code of OpenSSL tells of a fault in the library and not in the signature:
/// memory, arguments, internals (`ERR_FATAL_ERROR` of `openssl/err.h`), or the system.
pub(super) const fn is_fatal(code: u64) -> bool {
    const SYSTEM: u64 = 1 << 31;
    const FATAL: u64 = 1 << 18;
    code & (SYSTEM | FATAL) != 0
}
