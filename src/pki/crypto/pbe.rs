//! Password-based encryption: PBES1 and PBES2 (RFC 8018 6), and the schemes of PKCS #12
//! (RFC 7292 C).

use serde::Serialize;
use zeroize::Zeroizing;

use super::effort::Effort;
use super::error::Error;
use super::kdf::{self, Purpose};
use super::openssl::{self, Digest};
use crate::asn1::tag::octet;
use crate::asn1::value::{Integer, Oid};
use crate::asn1::{self, Reader, Rule};
use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::list::Decode;
use crate::pki::show::{Hex, OidName};
use crate::rule;

rule! {
    ITERATIONS_ZERO, "kdf-iterations", "RFC 8018 4.2", "an iteration count is a positive number";
    PBE_PARAMETERS, "pbe-parameters", "RFC 8018 6", "the parameters do not fit the scheme";
}

/// How a key comes out of a password.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "kdf", rename_all = "lowercase")]
pub enum Kdf<'a> {
    /// RFC 8018 5.1
    Pbkdf1 {
        /// Digest that is iterated.
        digest: Digest,
        /// Salt, 8 octets.
        salt: Hex<'a>,
        /// Rounds.
        iterations: u64,
    },
    /// RFC 8018 5.2
    Pbkdf2 {
        /// Digest of the HMAC.
        digest: Digest,
        /// Salt.
        salt: Hex<'a>,
        /// Rounds.
        iterations: u64,
        /// Octets of the key, where the parameters say it.
        #[serde(skip_serializing_if = "Option::is_none")]
        key_length: Option<u64>,
    },
    /// RFC 7914
    Scrypt {
        /// Salt.
        salt: Hex<'a>,
        /// CPU and memory cost N.
        cost: u64,
        /// Block size r.
        block_size: u64,
        /// Parallelization p.
        parallelization: u64,
        /// Octets of the key, where the parameters say it.
        #[serde(skip_serializing_if = "Option::is_none")]
        key_length: Option<u64>,
    },
    /// RFC 7292 B
    Pkcs12 {
        /// Digest that is iterated.
        digest: Digest,
        /// Salt.
        salt: Hex<'a>,
        /// Rounds.
        iterations: u64,
    },
}

impl<'a> Kdf<'a> {
    /// Reads PBKDF2 or scrypt with their parameters.
    ///
    /// # Errors
    /// [`Error::Unavailable`] for another algorithm, [`Error::Encoding`].
    pub fn read(algorithm: &AlgorithmIdentifier<'a>) -> Result<Self, Error> {
        let mut p = algorithm.parameters_reader();
        match algorithm.oid().0 {
            b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0c" => {
                let mut p = p.enter(octet::SEQUENCE)?;
                let salt = octets(&mut p)?;
                let iterations = count(&mut p)?;
                let key_length = optional_number(&mut p)?;
                let digest = if p.is_empty() {
                    Digest::Sha1
                } else {
                    let prf = AlgorithmIdentifier::decode(&mut p)?;
                    hmac_digest(prf.oid()).ok_or_else(|| unavailable(prf.oid()))?
                };
                Ok(Self::Pbkdf2 { digest, salt, iterations, key_length })
            }
            b"\x2b\x06\x01\x04\x01\xda\x47\x04\x0b" => {
                let mut p = p.enter(octet::SEQUENCE)?;
                Ok(Self::Scrypt {
                    salt: octets(&mut p)?,
                    cost: count(&mut p)?,
                    block_size: count(&mut p)?,
                    parallelization: count(&mut p)?,
                    key_length: optional_number(&mut p)?,
                })
            }
            _ => Err(unavailable(algorithm.oid())),
        }
    }

    /// The octets of the key that the parameters ask for, if they do.
    #[must_use]
    pub const fn key_length(&self) -> Option<u64> {
        match self {
            Self::Pbkdf2 { key_length, .. } | Self::Scrypt { key_length, .. } => *key_length,
            _ => None,
        }
    }

    /// Derives `length` octets for `purpose` (which only PKCS #12 tells apart).
    ///
    /// # Errors
    /// What [`Effort::spend`] and the library say.
    pub fn derive(
        &self,
        password: Option<&[u8]>,
        purpose: Purpose,
        length: usize,
        effort: &mut Effort<'_>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let text = password.unwrap_or_default();
        match *self {
            Self::Pkcs12 { digest, salt, iterations } => {
                let rounds = affordable(iterations, effort)?;
                let password = kdf::bmp_password(password);
                kdf::pkcs12(digest, purpose, (&password, salt.0), rounds, length, effort)
            }
            Self::Pbkdf1 { digest, salt, iterations } => {
                let rounds = affordable(iterations, effort)?;
                kdf::pbkdf1(digest, (text, salt.0), rounds, effort)
            }
            Self::Pbkdf2 { digest, salt, iterations, .. } => {
                let blocks = length.div_ceil(digest.size()) as u64;
                let rounds = affordable(iterations, effort)?;
                effort.spend(iterations, blocks)?;
                let mut key = Zeroizing::new(vec![0; length]);
                digest.pbkdf2(text, salt.0, rounds, &mut key)?;
                Ok(key)
            }
            Self::Scrypt { salt, cost, block_size, parallelization, .. } => {
                // N * r * p counts four Salsa20/8 cores each, twice as dear as a round.
                let units = cost.saturating_mul(block_size).saturating_mul(parallelization);
                effort.spend(units, 2)?;
                let mut key = Zeroizing::new(vec![0; length]);
                openssl::scrypt(text, salt.0, (cost, block_size, parallelization), &mut key)?;
                Ok(key)
            }
        }
    }
}

/// The rounds as the derivations take them, or the error that says they are too many.
fn affordable(iterations: u64, effort: &mut Effort<'_>) -> Result<u32, Error> {
    match u32::try_from(iterations) {
        Ok(rounds) => Ok(rounds),
        Err(_) => effort
            .spend(iterations, 1)
            .and(Err(Error::Library("more iterations than 32 bits can count".to_owned()))),
    }
}

/// A cipher with its key length, under OpenSSL's name.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
pub struct CipherName {
    name: &'static str,
    #[serde(skip)]
    key_octets: usize,
    #[serde(skip)]
    iv_octets: usize,
}

const fn cipher(name: &'static str, key_octets: usize, iv_octets: usize) -> CipherName {
    CipherName { name, key_octets, iv_octets }
}

/// A password-based encryption scheme with its parameters.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Scheme<'a> {
    /// `PBES1`, `PBES2` or `PKCS12`.
    pub scheme: &'static str,
    /// The derivation of the key.
    #[serde(flatten)]
    pub kdf: Kdf<'a>,
    /// The cipher.
    pub cipher: CipherName,
    /// The initialisation vector, where the parameters and not the derivation give it.
    #[serde(skip)]
    iv: Option<&'a [u8]>,
}

/// 1.2.840.113549.1.5, PKCS #5: one more octet follows.
const PKCS5: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x05";
/// 1.2.840.113549.1.12.1, the schemes of PKCS #12: one more octet follows.
const PKCS12: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01";

impl<'a> Scheme<'a> {
    /// Reads the scheme that an `encryptionAlgorithm` names.
    ///
    /// # Errors
    /// [`Error::Unavailable`] with the name of what is not supported, [`Error::Encoding`].
    pub fn read(algorithm: &AlgorithmIdentifier<'a>) -> Result<Self, Error> {
        let oid = algorithm.oid();
        let Some((&last, arc)) = oid.0.split_last() else {
            return Err(unavailable(oid));
        };
        if (arc, last) == (PKCS5, 13) {
            let mut p = algorithm.parameters_reader().enter(octet::SEQUENCE)?;
            let kdf = Kdf::read(&AlgorithmIdentifier::decode(&mut p)?)?;
            let at = p.offset();
            let (cipher, iv) = read_cipher(&AlgorithmIdentifier::decode(&mut p)?)?;
            if iv.len() != cipher.iv_octets
                || kdf.key_length().is_some_and(|n| n != cipher.key_octets as u64)
            {
                return Err(asn1::Error::new(at, &PBE_PARAMETERS).into());
            }
            return Ok(Self { scheme: "PBES2", kdf, cipher, iv: Some(iv) });
        }
        let (scheme, digest, cipher) = match (arc, last) {
            (PKCS5, 3) => ("PBES1", Digest::Md5, cipher("DES-CBC", 8, 8)),
            (PKCS5, 6) => ("PBES1", Digest::Md5, cipher("RC2-64-CBC", 8, 8)),
            (PKCS5, 10) => ("PBES1", Digest::Sha1, cipher("DES-CBC", 8, 8)),
            (PKCS5, 11) => ("PBES1", Digest::Sha1, cipher("RC2-64-CBC", 8, 8)),
            (PKCS12, 1) => ("PKCS12", Digest::Sha1, cipher("RC4", 16, 0)),
            (PKCS12, 2) => ("PKCS12", Digest::Sha1, cipher("RC4-40", 5, 0)),
            (PKCS12, 3) => ("PKCS12", Digest::Sha1, cipher("DES-EDE3-CBC", 24, 8)),
            (PKCS12, 4) => ("PKCS12", Digest::Sha1, cipher("DES-EDE-CBC", 16, 8)),
            (PKCS12, 5) => ("PKCS12", Digest::Sha1, cipher("RC2-CBC", 16, 8)),
            (PKCS12, 6) => ("PKCS12", Digest::Sha1, cipher("RC2-40-CBC", 5, 8)),
            _ => return Err(unavailable(oid)),
        };
        let mut p = algorithm.parameters_reader().enter(octet::SEQUENCE)?;
        let salt = octets(&mut p)?;
        let iterations = count(&mut p)?;
        let kdf = if arc == PKCS12 {
            Kdf::Pkcs12 { digest, salt, iterations }
        } else {
            Kdf::Pbkdf1 { digest, salt, iterations }
        };
        Ok(Self { scheme, kdf, cipher, iv: None })
    }

    /// Decrypts `input`. `None` is the password that is not there, see [`kdf::bmp_password`].
    ///
    /// A wrong password is told by the padding, which one in some 250 passes: look at the
    /// result before believing in it.
    ///
    /// # Errors
    /// [`Error`], any of it but `Encoding`.
    pub fn decrypt(
        &self,
        password: Option<&[u8]>,
        input: &[u8],
        effort: &mut Effort<'_>,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let CipherName { name, key_octets, iv_octets } = self.cipher;
        let mut derive = |purpose, length| self.kdf.derive(password, purpose, length, &mut *effort);
        let (key, iv) = match (self.kdf, self.iv) {
            (_, Some(iv)) => (derive(Purpose::Key, key_octets)?, Zeroizing::new(iv.to_vec())),
            (Kdf::Pbkdf1 { .. }, None) => {
                let both = derive(Purpose::Key, key_octets + iv_octets)?;
                let (key, rest) = both.split_at_checked(key_octets).unwrap_or_default();
                let iv = rest.get(..iv_octets).unwrap_or_default();
                (Zeroizing::new(key.to_vec()), Zeroizing::new(iv.to_vec()))
            }
            (_, None) => {
                let key = derive(Purpose::Key, key_octets)?;
                let iv = match iv_octets {
                    0 => Zeroizing::new(Vec::new()),
                    n => derive(Purpose::Iv, n)?,
                };
                (key, iv)
            }
        };
        openssl::decrypt(name, &key, &iv, input, effort)
    }
}

/// The cipher of PBES2 and its initialisation vector (RFC 8018 B.2, RFC 3565, RFC 3657,
/// RFC 5794).
fn read_cipher<'a>(algorithm: &AlgorithmIdentifier<'a>) -> Result<(CipherName, &'a [u8]), Error> {
    const AES: &[u8] = b"\x60\x86\x48\x01\x65\x03\x04\x01";
    const CAMELLIA: &[u8] = b"\x2a\x83\x08\x8c\x9a\x4b\x3d\x01\x01\x01";
    const ARIA: &[u8] = b"\x2a\x83\x1a\x8c\x9a\x6e\x01\x01";
    const RSADSI_CIPHERS: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x03";
    let oid = algorithm.oid();
    let mut p = algorithm.parameters_reader();
    let (&last, arc) = oid.0.split_last().ok_or_else(|| unavailable(oid))?;
    let found = match (arc, last) {
        (AES, 2) => cipher("AES-128-CBC", 16, 16),
        (AES, 22) => cipher("AES-192-CBC", 24, 16),
        (AES, 42) => cipher("AES-256-CBC", 32, 16),
        (CAMELLIA, 2) => cipher("CAMELLIA-128-CBC", 16, 16),
        (CAMELLIA, 3) => cipher("CAMELLIA-192-CBC", 24, 16),
        (CAMELLIA, 4) => cipher("CAMELLIA-256-CBC", 32, 16),
        (ARIA, 2) => cipher("ARIA-128-CBC", 16, 16),
        (ARIA, 7) => cipher("ARIA-192-CBC", 24, 16),
        (ARIA, 12) => cipher("ARIA-256-CBC", 32, 16),
        (RSADSI_CIPHERS, 7) => cipher("DES-EDE3-CBC", 24, 8),
        (b"\x2b\x0e\x03\x02", 7) => cipher("DES-CBC", 8, 8),
        (b"\x2a\x81\x1c\xcf\x55\x01\x68", 2) => cipher("SM4-CBC", 16, 16),
        (RSADSI_CIPHERS, 2) => {
            let mut p = p.enter(octet::SEQUENCE)?;
            let at = p.offset();
            // RFC 8018 B.2.3: the version codes the effective bits of the key.
            let found = match optional_number(&mut p)? {
                Some(160) => cipher("RC2-40-CBC", 5, 8),
                Some(120) => cipher("RC2-64-CBC", 8, 8),
                Some(58) => cipher("RC2-CBC", 16, 8),
                _ => return Err(asn1::Error::new(at, &PBE_PARAMETERS).into()),
            };
            return Ok((found, octets(&mut p)?.0));
        }
        _ => return Err(unavailable(oid)),
    };
    Ok((found, octets(&mut p)?.0))
}

/// The digest that an identifier names: SHA-1, SHA-2, SHA-3, MD5.
#[must_use]
pub fn digest(oid: Oid<'_>) -> Option<Digest> {
    const NIST_HASHES: &[u8] = b"\x60\x86\x48\x01\x65\x03\x04\x02";
    let (&last, arc) = oid.0.split_last()?;
    Some(match (arc, last) {
        (b"\x2b\x0e\x03\x02", 26) => Digest::Sha1,
        (b"\x2a\x86\x48\x86\xf7\x0d\x02", 5) => Digest::Md5,
        (NIST_HASHES, 1) => Digest::Sha256,
        (NIST_HASHES, 2) => Digest::Sha384,
        (NIST_HASHES, 3) => Digest::Sha512,
        (NIST_HASHES, 4) => Digest::Sha224,
        (NIST_HASHES, 5) => Digest::Sha512_224,
        (NIST_HASHES, 6) => Digest::Sha512_256,
        (NIST_HASHES, 7) => Digest::Sha3_224,
        (NIST_HASHES, 8) => Digest::Sha3_256,
        (NIST_HASHES, 9) => Digest::Sha3_384,
        (NIST_HASHES, 10) => Digest::Sha3_512,
        _ => return None,
    })
}

/// The digest of the HMAC that an identifier names (RFC 8018 B.1.2, NIST CSOR).
#[must_use]
pub fn hmac_digest(oid: Oid<'_>) -> Option<Digest> {
    const RSADSI_DIGESTS: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x02";
    const NIST_HASHES: &[u8] = b"\x60\x86\x48\x01\x65\x03\x04\x02";
    let (&last, arc) = oid.0.split_last()?;
    Some(match (arc, last) {
        (RSADSI_DIGESTS, 6) => Digest::Md5,
        (RSADSI_DIGESTS, 7) | (b"\x2b\x06\x01\x05\x05\x08\x01", 2) => Digest::Sha1,
        (RSADSI_DIGESTS, 8) => Digest::Sha224,
        (RSADSI_DIGESTS, 9) => Digest::Sha256,
        (RSADSI_DIGESTS, 10) => Digest::Sha384,
        (RSADSI_DIGESTS, 11) => Digest::Sha512,
        (RSADSI_DIGESTS, 12) => Digest::Sha512_224,
        (RSADSI_DIGESTS, 13) => Digest::Sha512_256,
        (NIST_HASHES, 13) => Digest::Sha3_224,
        (NIST_HASHES, 14) => Digest::Sha3_256,
        (NIST_HASHES, 15) => Digest::Sha3_384,
        (NIST_HASHES, 16) => Digest::Sha3_512,
        _ => return None,
    })
}

/// The error for an algorithm that is not supported, by its name.
pub(super) fn unavailable(oid: Oid<'_>) -> Error {
    Error::Unavailable(OidName(oid).to_string())
}

fn octets<'a>(reader: &mut Reader<'a>) -> Result<Hex<'a>, asn1::Error> {
    Ok(Hex(reader.expect(octet::OCTET_STRING)?.contents().of(reader.object())))
}

fn number(reader: &mut Reader<'_>, rule: &'static Rule) -> Result<u64, asn1::Error> {
    let tlv = reader.expect(octet::INTEGER)?;
    let number = Integer(tlv.contents().of(reader.object()));
    // Numbers too large to count are as large as can be: the budget refuses them.
    match number.to_u64() {
        _ if number.is_negative() => Err(asn1::Error::new(tlv.start, rule)),
        Some(n) => Ok(n),
        None => Ok(u64::MAX),
    }
}

/// A positive INTEGER.
pub(super) fn count(reader: &mut Reader<'_>) -> Result<u64, asn1::Error> {
    let at = reader.offset();
    match number(reader, &ITERATIONS_ZERO)? {
        0 => Err(asn1::Error::new(at, &ITERATIONS_ZERO)),
        n => Ok(n),
    }
}

fn optional_number(reader: &mut Reader<'_>) -> Result<Option<u64>, asn1::Error> {
    if reader.peek() == Some(octet::INTEGER) {
        number(reader, &PBE_PARAMETERS).map(Some)
    } else {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{oid, seq, tlv};

    fn number(n: u64) -> Vec<u8> {
        tlv(2, &[&[0], n.to_be_bytes().as_slice()].concat())
    }

    fn with_scheme<T>(der: &[u8], f: impl FnOnce(Result<Scheme<'_>, Error>) -> T) -> T {
        f(Scheme::read(&AlgorithmIdentifier::decode(&mut Reader::new(der)).unwrap()))
    }

    fn pkcs12(last: u8, iterations: u64) -> Vec<u8> {
        let parameters = seq([tlv(4, &[0; 8]), number(iterations)]);
        seq([oid(&format!("1.2.840.113549.1.12.1.{last}")), parameters])
    }

    fn pbes2(kdf: Vec<u8>, cipher: &str, iv: &[u8]) -> Vec<u8> {
        seq([oid("1.2.840.113549.1.5.13"), seq([kdf, seq([oid(cipher), tlv(4, iv)])])])
    }

    fn pbkdf2(iterations: u64, rest: &[u8]) -> Vec<u8> {
        let parameters = [tlv(4, &[1; 8]), number(iterations), rest.to_vec()].concat();
        seq([oid("1.2.840.113549.1.5.12"), tlv(0x30, &parameters)])
    }

    fn scrypt(cost: u64, block_size: u64) -> Vec<u8> {
        let parameters = seq([tlv(4, &[1; 8]), number(cost), number(block_size), number(1)]);
        seq([oid("1.3.6.1.4.1.11591.4.11"), parameters])
    }

    const AES_256: &str = "2.16.840.1.101.3.4.1.42";

    #[test]
    fn every_scheme_decrypts_to_something_or_says_wrong_password() {
        // One block that nobody encrypted: the padding tells. RC4 has none.
        for last in 1..=6 {
            let result = with_scheme(&pkcs12(last, 2), |s| {
                s.unwrap().decrypt(Some(b"x"), &[7; 16], &mut Effort::default())
            });
            match last {
                1 | 2 => assert_eq!(result.unwrap().len(), 16),
                _ => assert_eq!(result, Err(Error::WrongPassword), "{last}"),
            }
        }
        for last in [3, 6, 10, 11] {
            let parameters = seq([tlv(4, &[0; 8]), number(2)]);
            let der = seq([oid(&format!("1.2.840.113549.1.5.{last}")), parameters]);
            let result = with_scheme(&der, |s| {
                s.unwrap().decrypt(Some(b"x"), &[7; 16], &mut Effort::default())
            });
            assert_eq!(result, Err(Error::WrongPassword), "{last}");
        }
    }

    #[test]
    fn hostile_iteration_counts_are_refused_with_the_number() {
        let limit = Effort::DEFAULT_ITERATIONS;
        for (der, asked) in [
            (pkcs12(3, 1 << 31), 1 << 31),
            (pkcs12(3, u64::MAX), u64::MAX),
            (pbes2(pbkdf2(1 << 31, &[]), AES_256, &[0; 16]), 1 << 31),
            (pbes2(scrypt(1 << 40, 8), AES_256, &[0; 16]), 1 << 43),
        ] {
            let mut effort = Effort::default();
            let result = with_scheme(&der, |s| s.unwrap().decrypt(None, &[0; 16], &mut effort));
            assert_eq!(result, Err(Error::TooMuch { asked, left: limit, limit }));
        }
        // Cheap in time, dear in memory: 2 GiB.
        let der = pbes2(scrypt(1 << 10, 1 << 11), AES_256, &[0; 16]);
        let result =
            with_scheme(&der, |s| s.unwrap().decrypt(None, &[0; 16], &mut Effort::default()));
        assert!(matches!(result, Err(Error::Library(_))), "{result:?}");
    }

    #[test]
    fn broken_parameters_are_errors_with_their_place() {
        let rule = |der: &[u8]| with_scheme(der, |s| s.unwrap_err().rule().map(|r| r.id));
        assert_eq!(rule(&pkcs12(3, 0)), Some("kdf-iterations"));
        assert_eq!(rule(&pbes2(pbkdf2(1, &[]), AES_256, &[0; 15])), Some("pbe-parameters"));
        assert_eq!(rule(&pbes2(pbkdf2(1, &number(16)), AES_256, &[0; 16])), Some("pbe-parameters"));
        assert_eq!(rule(&seq([oid("1.2.840.113549.1.5.13")])), Some("truncated"));
        let unknown = pbes2(pbkdf2(1, &[]), "1.3.6.1.4.1.99999.1", &[0; 16]);
        let error = with_scheme(&unknown, |s| s.unwrap_err());
        assert_eq!(error.to_string(), "the algorithm 1.3.6.1.4.1.99999.1 is not available");
        assert_eq!(error.rule(), None);
    }
}
