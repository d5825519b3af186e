//! Public keys: SubjectPublicKeyInfo (RFC 5280 4.1.2.7).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::integer::{self, Integer};
use crate::asn1::value::oid::{self, Oid};
use crate::asn1::{Error, Reader, Span};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans, id};
use crate::pki::curve;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::parameters::PssParameters;
use crate::pki::show::OidName;
use crate::rule;

rule! {
    KEY_UNUSED_BITS, "key-unused-bits", "RFC 5280 4.1.2.7",
        "the octets of a public key leave no bits unused";
    KEY_EMPTY, "key-empty", "RFC 5280 4.1.2.7", "the public key has no octets";
    KEY_LENGTH, "key-length", "RFC 8410 4, RFC 9881 4, RFC 9909 4, RFC 9935 4",
        "the public key has not the length of its algorithm";
    RSA_MODULUS, "rsa-modulus", "RFC 8017 3.1", "an RSA modulus is positive and odd";
    RSA_EXPONENT, "rsa-exponent", "RFC 8017 3.1", "an RSA exponent is odd and at least 3";
    EC_POINT, "ec-point", "RFC 5480 2.2",
        "the octets are no point on the curve in compressed or uncompressed form";
    EC_PARAMETERS, "ec-parameters-named", "RFC 5480 2.1.1",
        "the parameters of an EC key must name a curve";
}

/// Where a SubjectPublicKeyInfo stands in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SpkiSpans {
    /// Tag, length and contents octets.
    pub whole: Span,
    /// The algorithm.
    pub algorithm: AlgorithmSpans,
    /// Contents octets of the BIT STRING, the count of unused bits first.
    pub bits: Span,
}

impl SpkiSpans {
    /// Reads `SEQUENCE { AlgorithmIdentifier, BIT STRING }`. The key in it is not looked at.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::SEQUENCE)?;
        let mut inner = tlv.enter(reader.object());
        let algorithm = AlgorithmSpans::read(&mut inner)?;
        let bits = inner.expect(octet::BIT_STRING)?.contents();
        inner.finish()?;
        Ok(Self { whole: tlv.span(), algorithm, bits })
    }

    /// The view of these spans in `object`.
    #[must_use]
    pub const fn of(self, object: &[u8]) -> PublicKey<'_> {
        PublicKey { object, spans: self }
    }
}

/// A public key with its algorithm.
#[derive(Debug, Clone, Copy)]
pub struct PublicKey<'a> {
    object: &'a [u8],
    spans: SpkiSpans,
}

impl<'a> Decode<'a> for PublicKey<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(SpkiSpans::read(reader)?.of(reader.object()))
    }
}

/// An RSA public key (RFC 8017 A.1.1), contents octets of its two INTEGERs.
#[derive(Debug, Clone, Copy)]
pub struct RsaKey<'a> {
    /// The modulus.
    pub modulus: &'a [u8],
    /// The public exponent.
    pub exponent: &'a [u8],
    modulus_at: u32,
    exponent_at: u32,
}

impl<'a> RsaKey<'a> {
    /// Reads `SEQUENCE { modulus, publicExponent }`.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut inner = reader.enter(octet::SEQUENCE)?;
        let modulus = inner.expect(octet::INTEGER)?.contents();
        let exponent = inner.expect(octet::INTEGER)?.contents();
        inner.finish()?;
        Ok(Self {
            modulus: modulus.of(inner.object()),
            exponent: exponent.of(inner.object()),
            modulus_at: modulus.start,
            exponent_at: exponent.start,
        })
    }

    /// Bits of the modulus.
    #[must_use]
    pub fn bits(&self) -> u64 {
        unsigned_bits(self.modulus)
    }

    /// Checks that both numbers are minimal, positive and odd.
    pub fn violations(&self, findings: &mut Findings) {
        findings.check(integer::check(self.modulus, self.modulus_at));
        findings.check(integer::check(self.exponent, self.exponent_at));
        let odd = |n: &[u8]| n.last().is_some_and(|last| last & 1 == 1);
        let negative = |n: &[u8]| n.first().is_some_and(|first| first & 0x80 != 0);
        if negative(self.modulus) || !odd(self.modulus) {
            findings.add(self.modulus_at, &RSA_MODULUS);
        }
        if negative(self.exponent) || !odd(self.exponent) || self.exponent == [1] {
            findings.add(self.exponent_at, &RSA_EXPONENT);
        }
    }
}

/// Bits of a number whose octets are taken as unsigned.
fn unsigned_bits(octets: &[u8]) -> u64 {
    let zeros = octets.iter().take_while(|b| **b == 0).count();
    match octets.get(zeros) {
        Some(first) => (octets.len() - zeros) as u64 * 8 - u64::from(first.leading_zeros()),
        None => 0,
    }
}

impl<'a> PublicKey<'a> {
    /// The algorithm of the key.
    #[must_use]
    pub const fn algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.spans.algorithm.of(self.object)
    }

    /// The octets of the key: an RSAPublicKey, a point, raw octets.
    #[must_use]
    pub fn key(&self) -> &'a [u8] {
        self.key_span().of(self.object)
    }

    fn key_span(&self) -> Span {
        let bits = self.spans.bits;
        Span::new((bits.start + 1).min(bits.end), bits.end)
    }

    /// The SubjectPublicKeyInfo with tag and length: what `sha256` in records is taken over.
    #[must_use]
    pub fn der(&self) -> &'a [u8] {
        self.spans.whole.of(self.object)
    }

    /// Where it stands in its object.
    #[must_use]
    pub const fn spans(&self) -> SpkiSpans {
        self.spans
    }

    /// The RSA key, `None` for other algorithms.
    ///
    /// # Errors
    /// When the octets are no RSAPublicKey.
    #[must_use]
    pub fn rsa(&self) -> Option<Result<RsaKey<'a>, Error>> {
        let oid = self.algorithm().oid().0;
        matches!(oid, id::RSA | id::RSA_PSS | id::RSA_OAEP).then(|| self.only(RsaKey::read))
    }

    /// The named curve of an EC key, `None` for other keys and spelled-out curves.
    #[must_use]
    pub fn curve(&self) -> Option<Oid<'a>> {
        let algorithm = self.algorithm();
        if algorithm.oid().0 != id::EC {
            return None;
        }
        let tlv = algorithm.parameters_reader().expect(octet::OID).ok()?;
        Some(Oid(tlv.contents().of(self.object)))
    }

    /// The size of the key in bits as OpenSSL's `EVP_PKEY_bits` gives it: the modulus of RSA,
    /// the prime of DSA and DH, the order of the group for elliptic curves, 256 and 456 for
    /// Ed25519 and Ed448, 253 and 448 for X25519 and X448, eight times the octets of the public
    /// key for ML-DSA and SLH-DSA, 512, 768 and 1024 for ML-KEM. `None` when not known.
    #[must_use]
    pub fn bits(&self) -> Option<u64> {
        let algorithm = self.algorithm();
        let oid = algorithm.oid().0;
        if let Some(rsa) = self.rsa() {
            return rsa.ok().map(|key| key.bits());
        }
        if let Some(fixed) = FixedKey::of(oid) {
            return Some(u64::from(fixed.bits));
        }
        match oid {
            id::EC => match self.curve() {
                Some(curve) => curve::bits(curve.0),
                None => self.explicit_order_bits(),
            },
            id::DSA | id::DH | id::DH_PKCS3 => {
                let mut domain = algorithm.parameters_reader().enter(octet::SEQUENCE).ok()?;
                let prime = domain.expect(octet::INTEGER).ok()?;
                Some(unsigned_bits(prime.contents().of(self.object)))
            }
            id::GOST_2001 | id::GOST_2012_256 => Some(256),
            id::GOST_2012_512 => Some(512),
            _ => None,
        }
    }

    /// Bits of `order` in ECParameters (X9.62, RFC 3279 2.3.5).
    fn explicit_order_bits(&self) -> Option<u64> {
        let mut r = self.algorithm().parameters_reader().enter(octet::SEQUENCE).ok()?;
        r.expect(octet::INTEGER).ok()?; // version
        r.expect(octet::SEQUENCE).ok()?; // fieldID
        r.expect(octet::SEQUENCE).ok()?; // curve
        r.expect(octet::OCTET_STRING).ok()?; // base
        let order = r.expect(octet::INTEGER).ok()?;
        Some(unsigned_bits(order.contents().of(self.object)))
    }

    /// Reads the key octets as one value and nothing after it.
    fn only<T>(&self, f: impl FnOnce(&mut Reader<'a>) -> Result<T, Error>) -> Result<T, Error> {
        let mut reader = Reader::within(self.object, self.key_span());
        let value = f(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }

    /// Checks algorithm, parameters, and the shape of the key.
    pub fn violations(&self, findings: &mut Findings) {
        let algorithm = self.algorithm();
        algorithm.violations(false, findings);
        let bits = self.spans.bits;
        // The BIT STRING follows the algorithm.
        let bit_string = self.spans.algorithm.whole.end;
        if bits.of(self.object).first().is_none_or(|unused| *unused != 0) {
            findings.add(bit_string, &KEY_UNUSED_BITS);
        }
        let (at, key) = (self.key_span().start, self.key());
        if key.is_empty() {
            findings.add(bit_string, &KEY_EMPTY);
            return;
        }
        match self.rsa() {
            Some(Ok(rsa)) => rsa.violations(findings),
            Some(Err(e)) => findings.push(e),
            None => {}
        }
        let oid = algorithm.oid().0;
        if FixedKey::of(oid).is_some_and(|fixed| fixed.octets as usize != key.len()) {
            findings.add(at, &KEY_LENGTH);
        }
        match oid {
            id::EC => self.ec_violations(findings),
            id::DSA | id::DH | id::DH_PKCS3 => match self.only(|r| r.expect(octet::INTEGER)) {
                Ok(tlv) => {
                    let content = tlv.contents().of(self.object);
                    findings.check(integer::check(content, tlv.content));
                }
                Err(e) => findings.push(e),
            },
            _ => {}
        }
    }

    fn ec_violations(&self, findings: &mut Findings) {
        let (at, key) = (self.key_span().start, self.key());
        let parameters = self.spans.algorithm.parameters;
        let Some(curve) = self.curve() else {
            findings.add(self.spans.algorithm.whole.start, &EC_PARAMETERS);
            return;
        };
        findings.check(oid::check(curve.0, parameters.start + 2));
        let fits = match (key[0], curve::field_octets(curve.0)) {
            (2 | 3, Some(n)) => key.len() == 1 + n,
            (4, Some(n)) => key.len() == 1 + 2 * n,
            (2..=4, None) => true,
            _ => false,
        };
        if !fits {
            findings.add(at, &EC_POINT);
        }
    }
}

/// A key algorithm whose public keys all have one length.
struct FixedKey {
    octets: u32,
    bits: u32,
}

impl FixedKey {
    fn of(oid: &[u8]) -> Option<Self> {
        let (octets, bits) = match oid {
            id::X25519 => (32, 253),
            id::X448 => (56, 448),
            id::ED25519 => (32, 256),
            id::ED448 => (57, 456),
            _ => match oid.split_last()? {
                (&17, id::NIST_SIGNATURES) => (1312, 8 * 1312),
                (&18, id::NIST_SIGNATURES) => (1952, 8 * 1952),
                (&19, id::NIST_SIGNATURES) => (2592, 8 * 2592),
                (20 | 21 | 26 | 27, id::NIST_SIGNATURES) => (32, 256),
                (22 | 23 | 28 | 29, id::NIST_SIGNATURES) => (48, 384),
                (24 | 25 | 30 | 31, id::NIST_SIGNATURES) => (64, 512),
                (&1, id::NIST_KEMS) => (800, 512),
                (&2, id::NIST_KEMS) => (1184, 768),
                (&3, id::NIST_KEMS) => (1568, 1024),
                _ => return None,
            },
        };
        Some(Self { octets, bits })
    }
}

/// A public key as records show it, but for its digest.
#[derive(Debug, Serialize)]
pub struct KeyDetails<'a> {
    /// `RSAPublicKey.publicExponent` in decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exponent: Option<String>,
    /// The named curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<OidName<'a>>,
    /// What a key for RSASSA-PSS is bound to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pss: Option<PssParameters<'a>>,
}

impl<'a> PublicKey<'a> {
    /// What is said of a key beside its algorithm and size.
    #[must_use]
    pub fn details(&self) -> KeyDetails<'a> {
        KeyDetails {
            exponent: self
                .rsa()
                .and_then(Result::ok)
                .map(|key| Integer(key.exponent).to_decimal(EXPONENT_DIGITS)),
            curve: self.curve().map(OidName),
            pss: self.algorithm().pss().and_then(Result::ok),
        }
    }
}

/// Digits of an RSA exponent that are shown; real ones have five.
const EXPONENT_DIGITS: usize = 100;
