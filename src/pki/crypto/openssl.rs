//! The OpenSSL backend: digests, PBKDF2, scrypt and the ciphers of password-based schemes.

use std::sync::OnceLock;

use openssl::cipher::Cipher;
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::hash::{Hasher, MessageDigest};
use openssl::lib_ctx::LibCtx;
use openssl::pkcs5;
use openssl::provider::Provider;
use zeroize::{Zeroize, Zeroizing};

use super::effort::Effort;
use super::error::Error;

/// Iterations between two looks at the switch of an [`Effort`]; a power of two.
const CHECK_EVERY: u32 = 1 << 12;
/// Octets given to a cipher at once (its lengths are `int`).
const CIPHER_CHUNK: usize = 1 << 20;
/// Memory that one scrypt call may take, in octets.
pub const SCRYPT_MEMORY: u64 = 160 << 20;

// OpenSSL's SHA1() and SHA256() look their implementation up each time, which takes longer than
// the digest of a public key; the structures do not.

/// The SHA-1 digest, 20 octets (FIPS 180-4).
#[must_use]
pub fn sha1(data: &[u8]) -> [u8; 20] {
    let mut sha = openssl::sha::Sha1::new();
    sha.update(data);
    sha.finish()
}

/// The SHA-256 digest, 32 octets (FIPS 180-4).
#[must_use]
pub fn sha256(data: &[u8]) -> [u8; 32] {
    let mut sha = openssl::sha::Sha256::new();
    sha.update(data);
    sha.finish()
}

/// A digest that password-based schemes use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are the digests' own names")]
pub enum Digest {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_224,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Digest {
    /// The name in the standards.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha224 => "SHA-224",
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
            Self::Sha512_224 => "SHA-512/224",
            Self::Sha512_256 => "SHA-512/256",
            Self::Sha3_224 => "SHA3-224",
            Self::Sha3_256 => "SHA3-256",
            Self::Sha3_384 => "SHA3-384",
            Self::Sha3_512 => "SHA3-512",
        }
    }

    /// Octets of the digest.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha224 | Self::Sha512_224 | Self::Sha3_224 => 28,
            Self::Sha256 | Self::Sha512_256 | Self::Sha3_256 => 32,
            Self::Sha384 | Self::Sha3_384 => 48,
            Self::Sha512 | Self::Sha3_512 => 64,
        }
    }

    /// Octets of a block, as HMAC and the PKCS #12 derivation take it.
    #[must_use]
    pub const fn block(self) -> usize {
        match self {
            Self::Md5 | Self::Sha1 | Self::Sha224 | Self::Sha256 => 64,
            Self::Sha384 | Self::Sha512 | Self::Sha512_224 | Self::Sha512_256 => 128,
            Self::Sha3_224 => 144,
            Self::Sha3_256 => 136,
            Self::Sha3_384 => 104,
            Self::Sha3_512 => 72,
        }
    }

    fn message_digest(self) -> Result<MessageDigest, Error> {
        let name = match self {
            Self::Sha512_224 => "SHA512-224",
            Self::Sha512_256 => "SHA512-256",
            Self::Sha3_224 | Self::Sha3_256 | Self::Sha3_384 | Self::Sha3_512 => self.name(),
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA1",
            Self::Sha224 => "SHA224",
            Self::Sha256 => "SHA256",
            Self::Sha384 => "SHA384",
            Self::Sha512 => "SHA512",
        };
        MessageDigest::from_name(name).ok_or_else(|| Error::Unavailable(self.name().to_owned()))
    }

    /// The digest of `parts` one after the other, hashed again until it was hashed `rounds`
    /// times in all. The work is not taken from `effort`, only its switch is asked.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Cancelled`], [`Error::Library`].
    pub fn iterate(
        self,
        parts: &[&[u8]],
        rounds: u32,
        effort: &Effort<'_>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut hasher = Hasher::new(self.message_digest()?).map_err(library)?;
        for part in parts {
            hasher.update(part).map_err(library)?;
        }
        let mut digest = hasher.finish().map_err(library)?;
        for round in 1..rounds {
            if round % CHECK_EVERY == 0 {
                effort.check()?;
            }
            hasher.update(&digest).map_err(library)?;
            digest = hasher.finish().map_err(library)?;
        }
        let out = Zeroizing::new(digest.to_vec());
        digest.zeroize();
        Ok(out)
    }

    /// HMAC (RFC 2104) of `message`.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Library`].
    pub fn hmac(self, key: &[u8], message: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
        let idle = Effort::new(0);
        let mut padded = Zeroizing::new(vec![0; self.block()]);
        if key.len() > padded.len() {
            let short = self.iterate(&[key], 1, &idle)?;
            padded[..short.len()].copy_from_slice(&short);
        } else {
            padded[..key.len()].copy_from_slice(key);
        }
        padded.iter_mut().for_each(|b| *b ^= 0x36);
        let inner = self.iterate(&[&padded, message], 1, &idle)?;
        padded.iter_mut().for_each(|b| *b ^= 0x36 ^ 0x5c);
        self.iterate(&[&padded, &inner], 1, &idle)
    }

    /// PBKDF2 (RFC 8018 5.2) with HMAC over this digest; fills `key`.
    ///
    /// It runs to its end: take the work from an [`Effort`] first.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Library`] (no iterations at all, too many).
    pub fn pbkdf2(
        self,
        password: &[u8],
        salt: &[u8],
        iterations: u32,
        key: &mut [u8],
    ) -> Result<(), Error> {
        // The wrapper panics on what is no C int.
        let fits = |n: usize| i32::try_from(n).is_ok();
        let count = usize::try_from(iterations).ok().filter(|n| *n > 0 && fits(*n));
        match count {
            Some(count) if fits(password.len()) && fits(salt.len()) && fits(key.len()) => {
                pkcs5::pbkdf2_hmac(password, salt, count, self.message_digest()?, key)
                    .map_err(library)
            }
            _ => Err(Error::Library("PBKDF2 parameters out of range".to_owned())),
        }
    }
}

/// scrypt (RFC 7914); fills `key`. Memory is bounded by [`SCRYPT_MEMORY`].
///
/// # Errors
/// [`Error::Library`] for parameters that the standard forbids or that need more memory.
pub fn scrypt(
    password: &[u8],
    salt: &[u8],
    (n, r, p): (u64, u64, u64),
    key: &mut [u8],
) -> Result<(), Error> {
    pkcs5::scrypt(password, salt, n, r, p, SCRYPT_MEMORY, key).map_err(library)
}

/// Decrypts `input` with the cipher of OpenSSL's name, PKCS #7 padding removed where it is a
/// block cipher. Ciphers of the legacy provider are found too, where it is there.
///
/// # Errors
/// [`Error::Unavailable`] for a cipher that is not there, [`Error::WrongPassword`] when the
/// padding is wrong, [`Error::Library`] for a key or an IV of the wrong length.
pub fn decrypt(
    cipher: &str,
    key: &[u8],
    iv: &[u8],
    input: &[u8],
    effort: &Effort<'_>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let cipher = fetch(cipher)?;
    if cipher.key_length() != key.len() || cipher.iv_length() != iv.len() {
        return Err(Error::Library(format!(
            "a key of {} octets and an IV of {}, not {} and {}",
            cipher.key_length(),
            cipher.iv_length(),
            key.len(),
            iv.len()
        )));
    }
    let mut context = CipherCtx::new().map_err(library)?;
    context.decrypt_init(Some(&cipher), Some(key), Some(iv)).map_err(library)?;
    // Room for all of it at once: growing would leave copies of the secret behind.
    let mut out = Zeroizing::new(Vec::with_capacity(input.len() + 4 * 32));
    for chunk in input.chunks(CIPHER_CHUNK) {
        effort.check()?;
        context.cipher_update_vec(chunk, &mut out).map_err(library)?;
    }
    context.cipher_final_vec(&mut out).map_err(|_| Error::WrongPassword)?;
    Ok(out)
}

/// Finds a cipher in the default provider, else in the legacy provider.
///
/// The legacy provider lives in a library context of its own, so that nothing else in the
/// process can pick its algorithms by accident.
fn fetch(name: &str) -> Result<Cipher, Error> {
    static LEGACY: OnceLock<Option<(LibCtx, Provider)>> = OnceLock::new();
    if let Ok(cipher) = Cipher::fetch(None, name, None) {
        return Ok(cipher);
    }
    LEGACY
        .get_or_init(|| {
            let context = LibCtx::new().ok()?;
            let provider = Provider::load(Some(&context), "legacy").ok()?;
            Some((context, provider))
        })
        .as_ref()
        .and_then(|(context, _)| Cipher::fetch(Some(context), name, None).ok())
        .ok_or_else(|| Error::Unavailable(name.to_owned()))
}

#[allow(clippy::needless_pass_by_value, reason = "it is what map_err gives")]
fn library(errors: ErrorStack) -> Error {
    let reason = errors.errors().last().and_then(openssl::error::Error::reason);
    Error::Library(reason.unwrap_or("no reason given").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_of_the_standard() {
        assert_eq!(sha1(b"abc")[..4], [0xa9, 0x99, 0x3e, 0x36]);
        assert_eq!(sha256(b"abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
    }

    #[test]
    fn every_digest_is_there_and_as_long_as_said() {
        use Digest::*;
        for d in [
            Md5, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Sha3_224, Sha3_256,
            Sha3_384, Sha3_512,
        ] {
            let out = d.iterate(&[b"a", b"bc"], 1, &Effort::new(0)).unwrap();
            assert_eq!(out.len(), d.size(), "{}", d.name());
            assert_eq!(d.message_digest().unwrap().block_size(), d.block(), "{}", d.name());
        }
    }

    #[test]
    fn hmac_of_rfc_4231() {
        let mac = Digest::Sha256.hmac(b"Jefe", b"what do ya want for nothing?").unwrap();
        assert_eq!(mac[..4], [0x5b, 0xdc, 0xc1, 0x46]);
        let mac = Digest::Sha256
            .hmac(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First")
            .unwrap();
        assert_eq!(mac[..4], [0x60, 0xe4, 0x31, 0x59]);
    }

    #[test]
    fn legacy_ciphers_are_there() {
        for name in ["RC2-40-CBC", "RC2-CBC", "RC4-40", "RC4", "DES-CBC", "DES-EDE3-CBC"] {
            assert!(fetch(name).is_ok(), "{name}");
        }
        assert_eq!(fetch("NO-SUCH").err(), Some(Error::Unavailable("NO-SUCH".to_owned())));
    }

    #[test]
    fn wrong_lengths_are_errors() {
        let effort = Effort::default();
        let e = decrypt("AES-128-CBC", &[0; 15], &[0; 16], &[0; 16], &effort).unwrap_err();
        assert!(matches!(e, Error::Library(_)));
        assert!(Digest::Sha1.pbkdf2(b"", b"", 0, &mut [0; 8]).is_err());
        assert!(Digest::Sha1.pbkdf2(b"", b"", u32::MAX, &mut [0; 8]).is_err());
        assert!(scrypt(b"", b"", (1 << 30, 8, 1), &mut [0; 8]).is_err());
    }
}
