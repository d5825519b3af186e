//! SignedData: content, certificates, CRLs and signers (RFC 5652 5).

use serde::{Serialize, Serializer};

use super::id;
use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, integer, oid};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::{self, Attributes, Value};
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::name::Name;
use crate::pki::show::Hex;
use crate::rule;

rule! {
    SIGNED_VERSION, "cms-signed-version", "RFC 5652 5.1",
        "the version of SignedData does not follow from its contents";
    SIGNER_VERSION, "cms-signer-version", "RFC 5652 5.3",
        "a signer named by issuer and serial number has version 1, by key identifier 3";
    SIGNED_ATTRIBUTES, "cms-signed-attributes", "RFC 5652 5.3",
        "signed attributes must have contentType and messageDigest";
    SIGNED_ATTRIBUTES_NEEDED, "cms-signed-attributes-missing", "RFC 5652 5.3",
        "content of another type than data needs signed attributes";
    CONTENT_TYPE_DIFFERS, "cms-content-type", "RFC 5652 11.1",
        "the contentType attribute differs from the type of the content";
}

/// `SignedData`. Reading it walks no list.
#[derive(Debug, Clone, Copy)]
pub struct SignedData<'a> {
    object: &'a [u8],
    version: Tlv,
    digests: Span,
    content_type: Span,
    content: Option<Tlv>,
    certificates: Option<Tlv>,
    crls: Option<Tlv>,
    signers: Span,
}

impl<'a> Decode<'a> for SignedData<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let digests = r.expect(octet::SET)?.contents();
        let mut inner = r.enter(octet::SEQUENCE)?;
        let content_type = inner.expect(octet::OID)?.contents();
        let mut content = None;
        if let Some(explicit) = inner.optional(octet::context_constructed(0))? {
            let mut inner = explicit.enter(object);
            // PKCS #7 1.5 allows any type here, and some Microsoft messages have one.
            content = Some(inner.any()?);
            inner.finish()?;
        }
        inner.finish()?;
        let certificates = r.optional(octet::context_constructed(0))?;
        let crls = r.optional(octet::context_constructed(1))?;
        let signers = r.expect(octet::SET)?.contents();
        r.finish()?;
        Ok(Self { object, version, digests, content_type, content, certificates, crls, signers })
    }
}

impl<'a> SignedData<'a> {
    fn list<T: Decode<'a>>(&self, contents: Span) -> List<'a, T> {
        List::new(Reader::within(self.object, contents))
    }

    /// The version as encoded, `None` when it does not fit 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.version.contents().of(self.object))
    }

    /// The digests that signers use.
    #[must_use]
    pub fn digest_algorithms(&self) -> List<'a, AlgorithmIdentifier<'a>> {
        self.list(self.digests)
    }

    /// The type of what is signed.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        Oid(self.content_type.of(self.object))
    }

    /// What is signed, with tag and length; `None` when the signature is detached.
    #[must_use]
    pub const fn content(&self) -> Option<Tlv> {
        self.content
    }

    /// The certificates: a SEQUENCE each, or another choice with a context tag.
    #[must_use]
    pub fn certificates(&self) -> List<'a, Value<'a>> {
        self.list(self.certificates.map_or(Span::default(), |tlv| tlv.contents()))
    }

    /// The CRLs: a SEQUENCE each, or another format with a context tag.
    #[must_use]
    pub fn crls(&self) -> List<'a, Value<'a>> {
        self.list(self.crls.map_or(Span::default(), |tlv| tlv.contents()))
    }

    /// The signers; none in a bundle of certificates (`.p7b`).
    #[must_use]
    pub fn signers(&self) -> List<'a, SignerInfo<'a>> {
        self.list(self.signers)
    }

    /// The object it was read from.
    #[must_use]
    pub const fn object(&self) -> &'a [u8] {
        self.object
    }

    /// Checks versions, algorithms and signers. The certificates and CRLs are objects of their
    /// own.
    pub fn violations(&self, findings: &mut Findings) {
        let version = self.version.contents();
        findings.check(integer::check(version.of(self.object), version.start));
        findings.check(oid::check(self.content_type().0, self.content_type.start));
        for algorithm in &self.digest_algorithms() {
            if findings.is_full() {
                return;
            }
            if let Some(algorithm) = findings.ok(algorithm) {
                algorithm.violations(false, findings);
            }
        }
        let mut by_key = false;
        for signer in &self.signers() {
            if findings.is_full() {
                return;
            }
            if let Some(signer) = findings.ok(signer) {
                by_key |= matches!(signer.id, SignerId::KeyIdentifier(_));
                signer.violations(self.content_type(), findings);
            }
        }
        if self.version().is_none_or(|v| !self.allowed_versions(by_key).contains(&v)) {
            findings.add(self.version.start, &SIGNED_VERSION);
        }
    }

    /// The version that RFC 5652 5.1 works out; PKCS #7 1.5 always has 1.
    fn allowed_versions(&self, by_key: bool) -> [u64; 2] {
        let has = |list: List<'a, Value<'a>>, tags: &[u8]| {
            list.iter().map_while(Result::ok).any(|v| tags.contains(&v.tlv().tag))
        };
        if has(self.certificates(), &[0xa3]) || has(self.crls(), &[0xa1]) {
            [5, 5]
        } else if has(self.certificates(), &[0xa2]) {
            [4, 4]
        } else if has(self.certificates(), &[0xa1]) || by_key {
            [3, 3]
        } else if self.content_type().0 == id::DATA {
            [1, 1]
        } else {
            [3, 1]
        }
    }
}

/// How a signer is named.
#[derive(Debug, Clone, Copy)]
pub enum SignerId<'a> {
    /// By the issuer and the serial number (contents octets) of the certificate.
    IssuerAndSerial(Name<'a>, &'a [u8]),
    /// By the subject key identifier of the certificate.
    KeyIdentifier(&'a [u8]),
}

impl<'a> Decode<'a> for SignerId<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let tlv = reader.any()?;
        match tlv.tag {
            octet::SEQUENCE => {
                let mut r = tlv.enter(object);
                let issuer = Name::decode(&mut r)?;
                let (_, serial) = fields::integer_with(&mut r, octet::INTEGER)?;
                r.finish()?;
                Ok(Self::IssuerAndSerial(issuer, serial))
            }
            0x80 => Ok(Self::KeyIdentifier(tlv.contents().of(object))),
            _ => Err(Error::new(tlv.start, &UNEXPECTED_TAG)),
        }
    }
}

impl Serialize for SignerId<'_> {
    /// `{"issuer": .., "serial_number": hex}` or `{"key_identifier": hex}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Record<'a> {
            Issuer { issuer: Name<'a>, serial_number: Hex<'a> },
            Key { key_identifier: Hex<'a> },
        }
        let record = match *self {
            Self::IssuerAndSerial(issuer, serial) => {
                Record::Issuer { issuer, serial_number: Hex(serial) }
            }
            Self::KeyIdentifier(key) => Record::Key { key_identifier: Hex(key) },
        };
        record.serialize(serializer)
    }
}

/// A `SignerInfo`.
#[derive(Debug, Clone, Copy)]
pub struct SignerInfo<'a> {
    object: &'a [u8],
    version: Tlv,
    /// Who signs.
    pub id: SignerId<'a>,
    digest: AlgorithmSpans,
    signed: Option<Tlv>,
    algorithm: AlgorithmSpans,
    signature: Span,
    unsigned: Option<Tlv>,
}

impl<'a> Decode<'a> for SignerInfo<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let id = SignerId::decode(&mut r)?;
        let digest = AlgorithmSpans::read(&mut r)?;
        let signed = r.optional(octet::context_constructed(0))?;
        let algorithm = AlgorithmSpans::read(&mut r)?;
        let signature = r.expect(octet::OCTET_STRING)?.contents();
        let unsigned = r.optional(octet::context_constructed(1))?;
        r.finish()?;
        Ok(Self { object, version, id, digest, signed, algorithm, signature, unsigned })
    }
}

impl<'a> SignerInfo<'a> {
    /// The version as encoded, `None` when it does not fit 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.version.contents().of(self.object))
    }

    /// The digest of the content.
    #[must_use]
    pub const fn digest_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.digest.of(self.object)
    }

    /// The algorithm of the signature.
    #[must_use]
    pub const fn signature_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The signature.
    #[must_use]
    pub fn signature(&self) -> &'a [u8] {
        self.signature.of(self.object)
    }

    /// The attributes that are signed in place of the content; empty when there are none.
    #[must_use]
    pub fn signed_attributes(&self) -> Attributes<'a> {
        self.attributes(self.signed)
    }

    /// The attributes that are not signed: timestamps, countersignatures.
    #[must_use]
    pub fn unsigned_attributes(&self) -> Attributes<'a> {
        self.attributes(self.unsigned)
    }

    fn attributes(&self, tlv: Option<Tlv>) -> Attributes<'a> {
        let contents = tlv.map_or(Span::default(), |tlv| tlv.contents());
        List::new(Reader::within(self.object, contents))
    }

    fn violations(&self, content_type: Oid<'_>, findings: &mut Findings) {
        let version = self.version.contents();
        findings.check(integer::check(version.of(self.object), version.start));
        let expected = match self.id {
            SignerId::IssuerAndSerial(name, serial) => {
                name.violations(findings);
                let at = name.span().end;
                // The serial number's contents follow a header of at least two octets.
                findings.check(integer::check(serial, at + 2));
                1
            }
            SignerId::KeyIdentifier(_) => 3,
        };
        if self.version() != Some(expected) {
            findings.add(self.version.start, &SIGNER_VERSION);
        }
        self.digest_algorithm().violations(false, findings);
        self.signature_algorithm().violations(false, findings);
        attribute::violations(self.signed_attributes(), findings);
        attribute::violations(self.unsigned_attributes(), findings);
        let Some(signed) = self.signed else {
            if content_type.0 != id::DATA {
                findings.add(self.digest.whole.end, &SIGNED_ATTRIBUTES_NEEDED);
            }
            return;
        };
        let find = |oid: &[u8]| attribute::find(self.signed_attributes(), oid);
        let named = find(attribute::id::CONTENT_TYPE);
        if named.is_none() || find(attribute::id::MESSAGE_DIGEST).is_none() {
            findings.add(signed.start, &SIGNED_ATTRIBUTES);
        }
        if let Some(value) = named.and_then(|a| a.first())
            && value.contents() != content_type.0
        {
            findings.add(value.tlv().start, &CONTENT_TYPE_DIFFERS);
        }
    }
}

impl Serialize for SignerInfo<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            version: Option<u64>,
            #[serde(flatten)]
            id: SignerId<'a>,
            digest_algorithm: AlgorithmIdentifier<'a>,
            signature_algorithm: AlgorithmIdentifier<'a>,
            signed_attributes: Attributes<'a>,
            signature: Hex<'a>,
            unsigned_attributes: Attributes<'a>,
        }
        let record = Record {
            version: self.version(),
            id: self.id,
            digest_algorithm: self.digest_algorithm(),
            signature_algorithm: self.signature_algorithm(),
            signed_attributes: self.signed_attributes(),
            signature: Hex(self.signature()),
            unsigned_attributes: self.unsigned_attributes(),
        };
        record.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::ber;
    use crate::pki::cms::{Content, Message};
    use crate::pki::testing::{mutations, oid, rules, sample, seq, tlv};

    fn signed(der: &[u8]) -> SignedData<'_> {
        match Message::parse(der).unwrap().content() {
            Content::Signed(signed) => *signed,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reads_signers_with_their_attributes() {
        let der = ber::to_der(sample!("cms-signed-stream.ber")).unwrap();
        for der in [sample!("cms-signed.der"), &der] {
            let message = Message::parse(der).unwrap();
            assert_eq!(rules(&message.violations()), []);
            let data = signed(der);
            assert!(data.content().is_some());
            let signer = data.signers().iter().next().unwrap().unwrap();
            assert!(matches!(signer.id, SignerId::IssuerAndSerial(..)));
            assert!(!signer.signature().is_empty());
            let time = attribute::find(signer.signed_attributes(), attribute::id::SIGNING_TIME);
            assert!(time.unwrap().first().unwrap().moment().is_some());
            let json = serde_json::to_value(signer).unwrap();
            assert_eq!(json["signed_attributes"][0]["name"], "contentType");
            assert_eq!(json["signed_attributes"][0]["values"][0]["name"], "data");
        }
    }

    #[test]
    fn a_bundle_has_no_signers() {
        let signed = signed(sample!("pkcs7-certificates.p7b"));
        assert_eq!(signed.certificates().iter().count(), 3);
        assert_eq!(signed.crls().iter().count(), 1);
        assert_eq!(signed.signers().iter().count(), 0);
        assert!(signed.content().is_none());
        assert_eq!(signed.version(), Some(1));
    }

    const DATA: &str = "1.2.840.113549.1.7.1";

    /// A message with one signer by key identifier, and content of the type `content`.
    fn made(version: u8, signer: u8, content: &str, attributes: &[u8]) -> Vec<u8> {
        let algorithm = || seq([oid("2.16.840.1.101.3.4.2.1")]);
        let info = seq([
            tlv(2, &[signer]),
            tlv(0x80, &[1, 2, 3]),
            algorithm(),
            attributes.to_vec(),
            seq([oid("1.2.840.10045.4.3.2")]),
            tlv(4, &[9]),
        ]);
        let digests = tlv(0x31, &algorithm());
        let data = seq([tlv(2, &[version]), digests, seq([oid(content)]), tlv(0x31, &info)]);
        seq([oid("1.2.840.113549.1.7.2"), tlv(0xa0, &data)])
    }

    #[test]
    fn broken_rules_are_found() {
        let ids = |der: &[u8]| -> Vec<_> {
            Message::parse(der).unwrap().violations().iter().map(|f| f.rule.id).collect()
        };
        let timestamp = "1.2.840.113549.1.9.16.1.4";
        assert_eq!(ids(&made(3, 3, DATA, &[])), [""; 0]);
        assert_eq!(ids(&made(1, 1, DATA, &[])), ["cms-signed-version", "cms-signer-version"]);
        assert_eq!(ids(&made(3, 3, timestamp, &[])), ["cms-signed-attributes-missing"]);
        let attribute = |kind: &str, value: Vec<u8>| seq([oid(kind), tlv(0x31, &value)]);
        let named = attribute("1.2.840.113549.1.9.3", oid(timestamp));
        assert_eq!(
            ids(&made(3, 3, DATA, &tlv(0xa0, &named))),
            ["cms-signed-attributes", "cms-content-type"]
        );
        let digest = attribute("1.2.840.113549.1.9.4", tlv(4, &[0; 32]));
        let both = tlv(0xa0, &[named, digest].concat());
        assert_eq!(ids(&made(3, 3, timestamp, &both)), [""; 0]);
    }

    #[test]
    fn mutations_never_panic() {
        let small = made(3, 3, "1.2.840.113549.1.7.1", &[]);
        for der in [sample!("cms-signed.der"), &small] {
            mutations(der, |der| {
                let Ok(message) = Message::parse(der) else { return };
                let _ = message.violations();
                if let Content::Signed(signed) = message.content() {
                    serde_json::to_string(&signed.signers()).unwrap();
                    serde_json::to_string(&signed.digest_algorithms()).unwrap();
                }
            });
        }
    }
}
