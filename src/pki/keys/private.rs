//! Private keys in PKCS #8 (RFC 5958) and in the encodings of their algorithms.

use serde::Serialize;

use super::numbers::{DsaPrivate, EcPrivate, RsaPrivate};
use super::post_quantum::{self, Format};
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, bits, integer};
use crate::asn1::writer::Writer;
use crate::asn1::{Error, Finding, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans, id};
use crate::pki::attribute::{self, Attributes};
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::object::Form;
use crate::pki::spki::KEY_UNUSED_BITS;
use crate::rule;

rule! {
    PKCS8_VERSION, "pkcs8-version", "RFC 5958 2",
        "the version is 1 with a public key and 0 without";
    KEY_FORMAT, "private-key-format", "RFC 9881 6, RFC 9909 6, RFC 9935 6",
        "the private key is in no form that its algorithm has";
    KEY_FORMAT_DRAFT, "private-key-format-draft", "RFC 9881 6, RFC 9935 6",
        "the private key is in a form that only drafts had";
    PRIVATE_KEY_LENGTH, "private-key-length", "RFC 8410 7",
        "the private key has not the length of its algorithm";
    EC_PARAMETERS_DIFFER, "ec-key-parameters-differ", "RFC 5958 2",
        "the key names another curve than its algorithm";
    EC_PARAMETERS_MISSING, "ec-key-parameters", "RFC 5915 3",
        "an ECPrivateKey outside of PKCS #8 must name its curve";
}

/// A private key. Reading it looks at the outer shape and allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct PrivateKey<'a> {
    der: &'a [u8],
    form: Form,
    frame: Option<Frame>,
    secret: Result<Secret<'a>, Error>,
}

/// What PKCS #8 puts around a key.
#[derive(Debug, Clone, Copy)]
struct Frame {
    version: Tlv,
    algorithm: AlgorithmSpans,
    key: Span,
    attributes: Option<Tlv>,
    public: Option<Tlv>,
}

/// The structure of the secret part.
#[derive(Debug, Clone, Copy)]
pub enum Secret<'a> {
    /// RSA, RSASSA-PSS and RSAES-OAEP keys.
    Rsa(RsaPrivate<'a>),
    /// Keys on elliptic curves.
    Ec(EcPrivate<'a>),
    /// DSA outside of PKCS #8.
    Dsa(DsaPrivate<'a>),
    /// A single number: DSA and Diffie-Hellman in PKCS #8. Octets of the number.
    Number(u32),
    /// Octets in an OCTET STRING: Ed25519, Ed448, X25519, X448 (RFC 8410 7). How many.
    Octets(u32),
    /// ML-DSA, ML-KEM, SLH-DSA; `None` when no form fits.
    PostQuantum(Option<Format>),
    /// An algorithm that is not known.
    Other,
}

impl<'a> PrivateKey<'a> {
    /// Reads an unencrypted private key of any encoding, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that the outer shape breaks. What is wrong with the key inside a PKCS #8 key
    /// is a finding.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der);
        let form = Form::of(der, None);
        let (frame, secret) = match form {
            Form::RsaPrivateKey => (None, Ok(Secret::Rsa(RsaPrivate::decode(&mut reader)?))),
            Form::EcPrivateKey => (None, Ok(Secret::Ec(EcPrivate::decode(&mut reader)?))),
            Form::DsaPrivateKey => (None, Ok(Secret::Dsa(DsaPrivate::decode(&mut reader)?))),
            _ => {
                let frame = Frame::read(&mut reader)?;
                (Some(frame), frame.secret(der))
            }
        };
        reader.finish()?;
        let form = if frame.is_some() { Form::OneAsymmetricKey } else { form };
        Ok(Self { der, form, frame, secret })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The type of the encoding.
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The version of PKCS #8 as encoded: 0 or 1, `None` in other encodings.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.frame?.version.contents().of(self.der))
    }

    /// The algorithm, as PKCS #8 gives it.
    #[must_use]
    pub fn algorithm(&self) -> Option<AlgorithmIdentifier<'a>> {
        self.frame.map(|frame| frame.algorithm.of(self.der))
    }

    /// Contents octets of the algorithm's identifier, which other encodings imply.
    #[must_use]
    pub fn algorithm_oid(&self) -> Oid<'a> {
        match (self.algorithm(), self.form) {
            (Some(algorithm), _) => algorithm.oid(),
            (None, Form::RsaPrivateKey) => Oid(id::RSA),
            (None, Form::DsaPrivateKey) => Oid(id::DSA),
            (None, _) => Oid(id::EC),
        }
    }

    /// The secret part.
    ///
    /// # Errors
    /// Where it is not what the algorithm says.
    pub const fn secret(&self) -> Result<Secret<'a>, Error> {
        self.secret
    }

    /// The form of a post-quantum key: seed, expanded, both.
    #[must_use]
    pub const fn format(&self) -> Option<Format> {
        match self.secret {
            Ok(Secret::PostQuantum(format)) => format,
            _ => None,
        }
    }

    /// The attributes of PKCS #8.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'a> {
        let tlv = self.frame.and_then(|frame| frame.attributes);
        List::new(Reader::within(self.der, tlv.map_or(Span::default(), |tlv| tlv.contents())))
    }

    /// Contents octets of the BIT STRING with the public key, the count of unused bits first,
    /// where the encoding has one. RSA and DSA keys outside of it have numbers instead.
    fn public_bits(&self) -> Option<&'a [u8]> {
        let of_frame = self.frame.and_then(|f| f.public).map(|tlv| tlv.contents().of(self.der));
        of_frame.or_else(|| match self.secret {
            Ok(Secret::Ec(ec)) => ec.public_bits(),
            _ => None,
        })
    }

    /// The public part as a SubjectPublicKeyInfo. Where the encoding does not hold the public
    /// key, `complete` is false and the BIT STRING has no bits: what the algorithm says can
    /// still be read from it.
    #[must_use]
    pub fn public_part(&self) -> PublicPart {
        let mut complete = true;
        let mut w = Writer::new();
        w.sequence(|w| {
            match (self.algorithm(), self.secret) {
                (Some(algorithm), _) => w.raw(algorithm.der()),
                (None, Ok(Secret::Rsa(_))) => w.sequence(|w| {
                    w.oid(Oid(id::RSA));
                    w.null();
                }),
                (None, Ok(Secret::Dsa(dsa))) => w.sequence(|w| {
                    w.oid(Oid(id::DSA));
                    w.sequence(|w| w.raw(dsa.domain()));
                }),
                (None, secret) => w.sequence(|w| {
                    w.oid(Oid(id::EC));
                    if let Ok(Secret::Ec(ec)) = secret {
                        w.raw(ec.parameters().unwrap_or_default());
                    }
                }),
            }
            match (self.public_bits(), self.secret) {
                (Some(bits), _) => w.primitive(octet::BIT_STRING, bits),
                (None, Ok(Secret::Rsa(rsa))) => {
                    w.bit_string_of(|w| w.sequence(|w| w.raw(rsa.public_numbers())));
                }
                (None, Ok(Secret::Dsa(dsa))) => w.bit_string_of(|w| w.raw(dsa.public())),
                (None, _) => {
                    complete = false;
                    w.primitive(octet::BIT_STRING, &[0]);
                }
            }
        });
        PublicPart { der: w.into_bytes(), complete }
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let mut curve = None;
        if let Some(frame) = self.frame {
            let version = frame.version.contents().of(self.der);
            findings.check(integer::check(version, frame.version.content));
            if self.version() != Some(u64::from(frame.public.is_some())) {
                findings.add(frame.version.start, &PKCS8_VERSION);
            }
            let algorithm = frame.algorithm.of(self.der);
            algorithm.violations(false, &mut findings);
            if algorithm.oid().0 == id::EC {
                curve = algorithm.parameters();
            }
            if let Some(tlv) = frame.public {
                let content = tlv.contents().of(self.der);
                findings.check(bits::check(content, tlv.content));
                if content.first().is_some_and(|unused| *unused != 0) {
                    findings.add(tlv.content, &KEY_UNUSED_BITS);
                }
            }
            attribute::violations(self.attributes(), &mut findings);
        }
        let key_at = self.frame.map_or(0, |frame| frame.key.start);
        match self.secret {
            Err(e) => findings.push(e),
            Ok(Secret::Rsa(rsa)) => rsa.violations(&mut findings),
            Ok(Secret::Dsa(dsa)) => dsa.violations(&mut findings),
            Ok(Secret::Ec(ec)) => {
                if curve.is_some() && ec.parameters().is_some_and(|p| Some(p) != curve) {
                    findings.add(key_at, &EC_PARAMETERS_DIFFER);
                }
                let curve = curve.or_else(|| ec.parameters());
                if self.frame.is_none() && curve.is_none() {
                    findings.add(0, &EC_PARAMETERS_MISSING);
                }
                let named = curve.and_then(|der| der.strip_prefix(&[octet::OID])?.get(1..));
                ec.violations(named, &mut findings);
            }
            Ok(Secret::Octets(n)) => {
                let expected = match self.algorithm_oid().0 {
                    id::ED448 => 57,
                    id::X448 => 56,
                    _ => 32,
                };
                if n != expected {
                    findings.add(key_at, &PRIVATE_KEY_LENGTH);
                }
            }
            Ok(Secret::PostQuantum(None)) => findings.add(key_at, &KEY_FORMAT),
            Ok(Secret::PostQuantum(Some(format))) if !format.is_standard() => {
                findings.add(key_at, &KEY_FORMAT_DRAFT);
            }
            Ok(Secret::PostQuantum(_) | Secret::Number(_) | Secret::Other) => {}
        }
        findings.into_list()
    }
}

/// A SubjectPublicKeyInfo made from a private key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublicPart {
    /// The SubjectPublicKeyInfo.
    pub der: Vec<u8>,
    /// False when the private key's encoding does not hold the public key.
    pub complete: bool,
}

impl Frame {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let algorithm = AlgorithmSpans::read(&mut r)?;
        let key = r.expect(octet::OCTET_STRING)?.contents();
        let attributes = r.optional(octet::context_constructed(0))?;
        let mut public = r.optional(octet::context(1))?;
        if public.is_none() && r.peek() == Some(octet::context_constructed(1)) {
            // Some encoders tag the BIT STRING explicitly.
            let explicit = r.any()?;
            let mut inner = explicit.enter(reader.object());
            public = Some(inner.expect(octet::BIT_STRING)?);
            inner.finish()?;
        }
        r.finish()?;
        Ok(Self { version, algorithm, key, attributes, public })
    }

    fn secret<'a>(&self, object: &'a [u8]) -> Result<Secret<'a>, Error> {
        let oid = self.algorithm.oid.of(object);
        let mut r = Reader::within(object, self.key);
        let secret = match oid {
            id::RSA | id::RSA_PSS | id::RSA_OAEP => Secret::Rsa(RsaPrivate::decode(&mut r)?),
            id::EC => Secret::Ec(EcPrivate::decode(&mut r)?),
            id::DSA | id::DH | id::DH_PKCS3 => {
                Secret::Number(fields::integer_with(&mut r, octet::INTEGER)?.0.contents().len())
            }
            id::ED25519 | id::ED448 | id::X25519 | id::X448 => {
                Secret::Octets(r.expect(octet::OCTET_STRING)?.contents().len())
            }
            _ => {
                return Ok(match post_quantum::sizes(oid) {
                    Some(sizes) => Secret::PostQuantum(Format::of(self.key.of(object), sizes)),
                    None => Secret::Other,
                });
            }
        };
        r.finish()?;
        Ok(secret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::crypto::testing;
    use crate::pki::spki::PublicKey;
    use crate::pki::testing::{mutations, oid, pem, rules, sample, seq, tlv};

    fn bits(key: &PrivateKey<'_>) -> Option<u64> {
        let part = key.public_part();
        PublicKey::decode(&mut Reader::new(&part.der)).unwrap().bits()
    }

    #[test]
    fn every_sample_key_is_known() {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let rsa = pem(&text(sample!("key-rsa-pkcs1.pem")), "RSA PRIVATE KEY");
        let ec = pem(&text(sample!("key-p384-sec1.pem")), "EC PRIVATE KEY");
        for (der, size, format, complete) in [
            (&*rsa, 2048, None, true),
            (&*ec, 384, None, true),
            (sample!("key-explicit-curve.der"), 256, None, true),
            (sample!("key-ed25519.pk8"), 256, None, false),
            (sample!("key-x25519.pk8"), 253, None, false),
            (sample!("key-ml-dsa-65-both.pk8"), 8 * 1952, Some(Format::Both), false),
            (sample!("key-ml-dsa-65-seed.pk8"), 8 * 1952, Some(Format::Seed), false),
            (sample!("key-ml-kem-768.pk8"), 768, Some(Format::Both), false),
            (sample!("key-slh-dsa-sha2-128s.pk8"), 256, Some(Format::Raw), false),
        ] {
            let key = PrivateKey::parse(der).unwrap();
            assert_eq!(bits(&key), Some(size));
            assert_eq!(key.format(), format);
            assert_eq!(key.public_part().complete, complete);
            assert_eq!(rules(&key.violations()), []);
        }
    }

    #[test]
    fn the_public_part_is_the_public_key() {
        for made in testing::keys() {
            for der in made.private {
                let part = PrivateKey::parse(&der).unwrap().public_part();
                assert_eq!((part.der, part.complete), (made.public.clone(), true));
            }
        }
    }

    /// A PKCS #8 key around these octets.
    fn pkcs8(version: u8, algorithm: Vec<u8>, key: &[u8], rest: &[u8]) -> Vec<u8> {
        seq([tlv(2, &[version]), algorithm, tlv(4, key), rest.to_vec()])
    }

    #[test]
    fn broken_rules_are_found() {
        let ids = |der: &[u8]| -> Vec<_> {
            PrivateKey::parse(der).unwrap().violations().iter().map(|f| f.rule.id).collect()
        };
        let ed25519 = || seq([oid("1.3.101.112")]);
        let good = tlv(4, &[1; 32]);
        let public = tlv(0x81, &[[0].as_slice(), &[2; 32]].concat());
        assert_eq!(ids(&pkcs8(0, ed25519(), &good, &[])), [""; 0]);
        assert_eq!(ids(&pkcs8(1, ed25519(), &good, &public)), [""; 0]);
        assert_eq!(ids(&pkcs8(1, ed25519(), &good, &[])), ["pkcs8-version"]);
        assert_eq!(ids(&pkcs8(0, ed25519(), &tlv(4, &[1; 31]), &[])), ["private-key-length"]);
        assert_eq!(ids(&pkcs8(0, ed25519(), &[1; 32], &[])), ["unexpected-tag"]);
        assert_eq!(ids(&pkcs8(0, ed25519(), &[&*good, &[0]].concat(), &[])), ["trailing-octets"]);
        let ml_dsa = || seq([oid("2.16.840.1.101.3.4.3.17")]);
        assert_eq!(ids(&pkcs8(0, ml_dsa(), &[1; 32], &[])), ["private-key-format-draft"]);
        assert_eq!(ids(&pkcs8(0, ml_dsa(), &[1; 33], &[])), ["private-key-format"]);
        let p256 = || oid("1.2.840.10045.3.1.7");
        let ec = seq([tlv(2, &[1]), tlv(4, &[1; 31])]);
        assert_eq!(ids(&ec), ["ec-key-parameters"]);
        let ec = seq([tlv(2, &[2]), tlv(4, &[1; 31]), tlv(0xa0, &p256())]);
        assert_eq!(ids(&ec), ["ec-key-version", "ec-key-length"]);
        let other = seq([tlv(2, &[1]), tlv(4, &[1; 32]), tlv(0xa0, &oid("1.3.132.0.10"))]);
        let algorithm = seq([oid("1.2.840.10045.2.1"), p256()]);
        assert_eq!(ids(&pkcs8(0, algorithm, &other, &[])), ["ec-key-parameters-differ"]);
        let rsa = seq(std::array::from_fn::<_, 9, _>(|i| tlv(2, &[if i == 2 { 0x81 } else { 3 }])));
        assert_eq!(ids(&rsa), ["rsa-key-version", "key-number-negative"]);
    }

    #[test]
    fn mutations_never_panic() {
        let text = String::from_utf8_lossy(sample!("key-rsa-pkcs1.pem")).into_owned();
        let rsa = pem(&text, "RSA PRIVATE KEY");
        for der in [&*rsa, sample!("key-explicit-curve.der"), sample!("key-ml-kem-768.pk8")] {
            mutations(der, |der| {
                if let Ok(key) = PrivateKey::parse(der) {
                    let _ = (key.violations(), key.public_part(), key.version());
                }
            });
        }
    }
}
