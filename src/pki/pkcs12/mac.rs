//! The integrity check of a container (RFC 7292 4, RFC 9579).

use serde::{Serialize, Serializer};
use zeroize::Zeroizing;

use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, integer};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::crypto::kdf::Purpose;
use crate::pki::crypto::pbe::{self, Kdf};
use crate::pki::crypto::{self, Digest, Effort};
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::show::{Hex, OidName};
use crate::rule;

rule! {
    MAC_DEFAULT, "mac-iterations-default", "RFC 7292 4", "an iteration count of 1 is the default and not encoded";
    MAC_LENGTH, "mac-length", "RFC 7292 4", "the MAC has not the length of its digest";
}

/// 1.2.840.113549.1.5.14, PBMAC1.
const PBMAC1: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0e";

/// `MacData`.
#[derive(Debug, Clone, Copy)]
pub struct Mac<'a> {
    object: &'a [u8],
    algorithm: AlgorithmSpans,
    digest: Span,
    salt: Span,
    iterations: Option<Tlv>,
}

impl<'a> Decode<'a> for Mac<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let mut info = r.enter(octet::SEQUENCE)?;
        let algorithm = AlgorithmSpans::read(&mut info)?;
        let digest = info.expect(octet::OCTET_STRING)?.contents();
        info.finish()?;
        let salt = r.expect(octet::OCTET_STRING)?.contents();
        let iterations = fields::optional_integer(&mut r, octet::INTEGER)?.map(|(tlv, _)| tlv);
        r.finish()?;
        Ok(Self { object: reader.object(), algorithm, digest, salt, iterations })
    }
}

/// How the key of the MAC is derived, and the digest of the HMAC.
#[derive(Debug, Clone, Copy)]
struct Method<'a> {
    kdf: Kdf<'a>,
    key_length: usize,
    hmac: Digest,
}

impl<'a> Mac<'a> {
    /// The digest, or PBMAC1.
    #[must_use]
    pub const fn algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The MAC itself.
    #[must_use]
    pub fn digest(&self) -> &'a [u8] {
        self.digest.of(self.object)
    }

    /// The salt of the derivation of RFC 7292; PBMAC1 has its own.
    #[must_use]
    pub fn salt(&self) -> &'a [u8] {
        self.salt.of(self.object)
    }

    /// The iteration count, 1 unless encoded; `None` when it does not fit 64 bits.
    #[must_use]
    pub fn iterations(&self) -> Option<u64> {
        match self.iterations {
            Some(tlv) => fields::small(tlv.contents().of(self.object)),
            None => Some(1),
        }
    }

    fn method(&self) -> Result<Method<'a>, crypto::Error> {
        let algorithm = self.algorithm();
        if algorithm.oid().0 != PBMAC1 {
            let digest =
                pbe::digest(algorithm.oid()).ok_or_else(|| unavailable(algorithm.oid()))?;
            let iterations = self.iterations().unwrap_or(u64::MAX);
            let kdf = Kdf::Pkcs12 { digest, salt: Hex(self.salt()), iterations };
            return Ok(Method { kdf, key_length: digest.size(), hmac: digest });
        }
        let mut p = algorithm.parameters_reader().enter(octet::SEQUENCE)?;
        let kdf = Kdf::read(&AlgorithmIdentifier::decode(&mut p)?)?;
        let scheme = AlgorithmIdentifier::decode(&mut p)?;
        let hmac = pbe::hmac_digest(scheme.oid()).ok_or_else(|| unavailable(scheme.oid()))?;
        // RFC 9579 4: the key length must be given; no MAC has a key beyond a few digests.
        let key_length = kdf.key_length().and_then(|n| usize::try_from(n).ok());
        let key_length = key_length.filter(|n| (1..=1024).contains(n)).unwrap_or(hmac.size());
        Ok(Method { kdf, key_length, hmac })
    }

    /// Computes the MAC over `contents`, the octets of the authenticated safe as they stand in
    /// the container, and compares.
    ///
    /// # Errors
    /// [`crypto::Error::WrongPassword`] when it differs, and the others of that type.
    pub fn verify(
        &self,
        password: Option<&[u8]>,
        contents: &[u8],
        effort: &mut Effort<'_>,
    ) -> Result<(), crypto::Error> {
        let Method { kdf, key_length, hmac } = self.method()?;
        let key = kdf.derive(password, Purpose::Mac, key_length, effort)?;
        let mac: Zeroizing<Vec<u8>> = hmac.hmac(&key, contents)?;
        // Nobody measures here how long the comparison takes: the file is the user's own.
        if mac.as_slice() == self.digest() { Ok(()) } else { Err(crypto::Error::WrongPassword) }
    }

    /// Checks the algorithm, the count and the length of the MAC.
    pub fn violations(&self, findings: &mut Findings) {
        let algorithm = self.algorithm();
        if algorithm.oid().0 != PBMAC1 {
            algorithm.violations(false, findings);
            if let Some(tlv) = self.iterations {
                let content = tlv.contents().of(self.object);
                findings.check(integer::check(content, tlv.content));
                match fields::small(content) {
                    Some(1) => findings.add(tlv.start, &MAC_DEFAULT),
                    Some(0) | None => findings.add(tlv.start, &pbe::ITERATIONS_ZERO),
                    Some(_) => {}
                }
            }
        }
        match self.method() {
            Ok(method) if method.hmac.size() != self.digest().len() => {
                findings.add(self.digest.start, &MAC_LENGTH);
            }
            Err(crypto::Error::Encoding(e)) => findings.push(e),
            _ => {}
        }
    }
}

fn unavailable(oid: Oid<'_>) -> crypto::Error {
    crypto::Error::Unavailable(OidName(oid).to_string())
}

impl Serialize for Mac<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            algorithm: AlgorithmIdentifier<'a>,
            #[serde(flatten, skip_serializing_if = "Option::is_none")]
            kdf: Option<Kdf<'a>>,
            mac: Hex<'a>,
        }
        let record = Record {
            algorithm: self.algorithm(),
            kdf: self.method().ok().map(|m| m.kdf),
            mac: Hex(self.digest()),
        };
        record.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{oid, seq, tlv};

    /// MacData of PBMAC1 with PBKDF2 of HMAC-SHA-256 and the MAC `mac`.
    fn pbmac1(mac: &[u8]) -> Vec<u8> {
        let prf = || seq([oid("1.2.840.113549.2.9"), tlv(5, &[])]);
        let salt = tlv(4, b"saltsalt");
        let kdf = seq([salt, tlv(2, &[4]), tlv(2, &[32]), prf()]);
        let parameters = seq([seq([oid("1.2.840.113549.1.5.12"), kdf]), prf()]);
        let algorithm = seq([oid("1.2.840.113549.1.5.14"), parameters]);
        seq([seq([algorithm, tlv(4, mac)]), tlv(4, b"unused"), tlv(2, &[1])])
    }

    #[test]
    fn pbmac1_is_an_hmac_with_a_derived_key() {
        let mut key = [0; 32];
        Digest::Sha256.pbkdf2(b"1234", b"saltsalt", 4, &mut key).unwrap();
        let expected = Digest::Sha256.hmac(&key, b"contents").unwrap();
        let der = pbmac1(&expected);
        let mac = Mac::decode(&mut Reader::new(&der)).unwrap();
        let mut effort = Effort::default();
        assert_eq!(mac.verify(Some(b"1234"), b"contents", &mut effort), Ok(()));
        let wrong = Err(crypto::Error::WrongPassword);
        assert_eq!(mac.verify(Some(b"1235"), b"contents", &mut effort), wrong);
        assert_eq!(mac.verify(Some(b"1234"), b"content", &mut effort), wrong);
        let mut findings = Findings::default();
        mac.violations(&mut findings);
        assert!(findings.is_empty());
    }

    #[test]
    fn an_unknown_digest_is_named() {
        let algorithm = seq([oid("1.3.6.1.4.1.99999.7")]);
        let der = seq([seq([algorithm, tlv(4, &[0; 20])]), tlv(4, &[])]);
        let mac = Mac::decode(&mut Reader::new(&der)).unwrap();
        assert_eq!(mac.iterations(), Some(1));
        let error = mac.verify(None, b"", &mut Effort::default()).unwrap_err();
        assert_eq!(error.to_string(), "the algorithm 1.3.6.1.4.1.99999.7 is not available");
    }
}
