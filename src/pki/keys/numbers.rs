//! Private keys that are lists of numbers: RSA (RFC 8017 A.1.2), EC (RFC 5915), DSA.

use crate::asn1::tag::octet;
use crate::asn1::value::{bits, integer};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::curve;
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::spki::KEY_UNUSED_BITS;
use crate::rule;

rule! {
    RSA_VERSION, "rsa-key-version", "RFC 8017 A.1.2",
        "the version is 0 with two primes and 1 with more";
    NUMBER_NEGATIVE, "key-number-negative", "RFC 8017 3.2", "the numbers of a key are positive";
    EC_VERSION, "ec-key-version", "RFC 5915 3", "the version of an ECPrivateKey is 1";
    DSA_VERSION, "dsa-key-version", "OpenSSL DSAPrivateKey", "the version of a DSA key is 0";
    EC_LENGTH, "ec-key-length", "RFC 5915 3",
        "the private key has not as many octets as the order of the curve";
}

/// An `RSAPrivateKey`.
#[derive(Debug, Clone, Copy)]
pub struct RsaPrivate<'a> {
    object: &'a [u8],
    version: Tlv,
    /// n, e, d, p, q, d mod (p-1), d mod (q-1), q^-1 mod p.
    numbers: [Tlv; 8],
    others: Option<Tlv>,
}

impl<'a> Decode<'a> for RsaPrivate<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let mut numbers = [version; 8];
        for number in &mut numbers {
            *number = fields::integer_with(&mut r, octet::INTEGER)?.0;
        }
        let others = r.optional(octet::SEQUENCE)?;
        r.finish()?;
        Ok(Self { object, version, numbers, others })
    }
}

impl<'a> RsaPrivate<'a> {
    /// Modulus and public exponent with tag and length, as they follow each other: what an
    /// `RSAPublicKey` holds.
    #[must_use]
    pub fn public_numbers(&self) -> &'a [u8] {
        Span::new(self.numbers[0].start, self.numbers[1].end).of(self.object)
    }

    /// Number of primes, `None` when the list of further primes does not read.
    #[must_use]
    pub fn primes(&self) -> Option<u32> {
        let Some(others) = self.others else { return Some(2) };
        let mut r = others.enter(self.object);
        let mut primes = 2;
        while !r.is_empty() {
            r.expect(octet::SEQUENCE).ok()?;
            primes += 1;
        }
        Some(primes)
    }

    /// Checks version and numbers.
    pub fn violations(&self, findings: &mut Findings) {
        let version = self.version.contents().of(self.object);
        findings.check(integer::check(version, self.version.content));
        let expected = u64::from(self.others.is_some());
        if fields::small(version) != Some(expected) {
            findings.add(self.version.start, &RSA_VERSION);
        }
        for tlv in self.numbers {
            number_violations(self.object, tlv, findings);
        }
    }
}

fn number_violations(object: &[u8], tlv: Tlv, findings: &mut Findings) {
    let content = tlv.contents().of(object);
    findings.check(integer::check(content, tlv.content));
    if content.first().is_some_and(|first| first & 0x80 != 0) {
        findings.add(tlv.start, &NUMBER_NEGATIVE);
    }
}

/// An `ECPrivateKey`.
#[derive(Debug, Clone, Copy)]
pub struct EcPrivate<'a> {
    object: &'a [u8],
    version: Tlv,
    key: Span,
    parameters: Option<Span>,
    public: Option<Tlv>,
}

impl<'a> Decode<'a> for EcPrivate<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let key = r.expect(octet::OCTET_STRING)?.contents();
        let mut parameters = None;
        if let Some(explicit) = r.optional(octet::context_constructed(0))? {
            let mut inner = explicit.enter(object);
            parameters = Some(inner.any()?.span());
            inner.finish()?;
        }
        let mut public = None;
        if let Some(explicit) = r.optional(octet::context_constructed(1))? {
            let mut inner = explicit.enter(object);
            public = Some(inner.expect(octet::BIT_STRING)?);
            inner.finish()?;
        }
        r.finish()?;
        Ok(Self { object, version, key, parameters, public })
    }
}

impl<'a> EcPrivate<'a> {
    /// The curve with tag and length; PKCS #8 has it in the algorithm instead.
    #[must_use]
    pub fn parameters(&self) -> Option<&'a [u8]> {
        self.parameters.map(|span| span.of(self.object))
    }

    /// The public point: contents octets of the BIT STRING, the count of unused bits first.
    #[must_use]
    pub fn public_bits(&self) -> Option<&'a [u8]> {
        self.public.map(|tlv| tlv.contents().of(self.object))
    }

    /// Checks version, length and point; `curve` is the identifier of the curve, if known.
    pub fn violations(&self, curve: Option<&[u8]>, findings: &mut Findings) {
        let version = self.version.contents().of(self.object);
        findings.check(integer::check(version, self.version.content));
        if fields::small(version) != Some(1) {
            findings.add(self.version.start, &EC_VERSION);
        }
        if let Some(bits) = curve.and_then(curve::bits)
            && u64::from(self.key.len()) != bits.div_ceil(8)
        {
            findings.add(self.key.start, &EC_LENGTH);
        }
        if let Some(tlv) = self.public {
            let content = tlv.contents().of(self.object);
            findings.check(bits::check(content, tlv.content));
            if content.first().is_some_and(|unused| *unused != 0) {
                findings.add(tlv.content, &KEY_UNUSED_BITS);
            }
        }
    }
}

/// The private key of DSA as OpenSSL writes it without PKCS #8: version 0, p, q, g, y, x.
#[derive(Debug, Clone, Copy)]
pub struct DsaPrivate<'a> {
    object: &'a [u8],
    numbers: [Tlv; 6],
}

impl<'a> Decode<'a> for DsaPrivate<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let mut numbers = [version; 6];
        for number in &mut numbers[1..] {
            *number = fields::integer_with(&mut r, octet::INTEGER)?.0;
        }
        r.finish()?;
        Ok(Self { object, numbers })
    }
}

impl<'a> DsaPrivate<'a> {
    /// p, q and g with tag and length.
    #[must_use]
    pub fn domain(&self) -> &'a [u8] {
        Span::new(self.numbers[1].start, self.numbers[3].end).of(self.object)
    }

    /// y with tag and length, the public key.
    #[must_use]
    pub fn public(&self) -> &'a [u8] {
        self.numbers[4].span().of(self.object)
    }

    /// Checks the numbers.
    pub fn violations(&self, findings: &mut Findings) {
        let version = self.numbers[0];
        if fields::small(version.contents().of(self.object)) != Some(0) {
            findings.add(version.start, &DSA_VERSION);
        }
        for tlv in self.numbers {
            number_violations(self.object, tlv, findings);
        }
    }
}
