//! Content that is encrypted, digested, authenticated or compressed: the outer structure
//! (RFC 5652 6 to 9, RFC 5083, RFC 3274).

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::id;
use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, integer, oid};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::Value;
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::OidName;

/// An `EncryptedContentInfo` (RFC 5652 6.1).
#[derive(Debug, Clone, Copy)]
pub struct EncryptedContent<'a> {
    object: &'a [u8],
    content_type: Span,
    algorithm: AlgorithmSpans,
    content: Option<Tlv>,
}

impl<'a> Decode<'a> for EncryptedContent<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let content_type = r.expect(octet::OID)?.contents();
        let algorithm = AlgorithmSpans::read(&mut r)?;
        let mut content = None;
        if !r.is_empty() {
            let tlv = r.any()?;
            if !matches!(tlv.tag, 0x80 | 0xa0) {
                return Err(Error::new(tlv.start, &UNEXPECTED_TAG));
            }
            content = Some(tlv);
        }
        r.finish()?;
        Ok(Self { object, content_type, algorithm, content })
    }
}

impl<'a> EncryptedContent<'a> {
    /// The type of what is encrypted.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        Oid(self.content_type.of(self.object))
    }

    /// The encryption with its parameters.
    #[must_use]
    pub const fn algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// Where the encrypted octets stand, `None` when they are elsewhere.
    #[must_use]
    pub const fn content(&self) -> Option<Tlv> {
        self.content
    }

    /// The encrypted octets; joined where BER wrote the string in parts, which the implicit tag
    /// hides from the conversion to DER.
    ///
    /// # Errors
    /// When a part is no OCTET STRING.
    pub fn ciphertext(&self) -> Result<Cow<'a, [u8]>, Error> {
        match self.content {
            None => Ok(Cow::Borrowed(&[])),
            Some(tlv) if tlv.tag == 0x80 => Ok(Cow::Borrowed(tlv.contents().of(self.object))),
            Some(tlv) => {
                let mut parts = tlv.enter(self.object);
                let mut joined = Vec::with_capacity(tlv.contents().len() as usize);
                while !parts.is_empty() {
                    let part = parts.expect(octet::OCTET_STRING)?;
                    joined.extend_from_slice(part.contents().of(self.object));
                }
                Ok(Cow::Owned(joined))
            }
        }
    }

    fn violations(&self, findings: &mut Findings) {
        findings.check(oid::check(self.content_type().0, self.content_type.start));
        let at = self.algorithm.oid;
        findings.check(oid::check(at.of(self.object), at.start));
    }
}

impl Serialize for EncryptedContent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            content_type: OidName<'a>,
            encryption_algorithm: AlgorithmIdentifier<'a>,
            encrypted_length: Option<u32>,
        }
        let record = Record {
            content_type: OidName(self.content_type()),
            encryption_algorithm: self.algorithm(),
            encrypted_length: self.content.map(|tlv| tlv.contents().len()),
        };
        record.serialize(serializer)
    }
}

/// The parts that messages other than SignedData have in common, as far as each has them.
#[derive(Debug, Clone, Copy)]
pub struct Envelope<'a> {
    object: &'a [u8],
    version: Tlv,
    recipients: Option<Span>,
    encrypted: Option<EncryptedContent<'a>>,
    algorithm: Option<AlgorithmSpans>,
    content_type: Option<Span>,
}

impl<'a> Envelope<'a> {
    /// Reads the content of the type `content_type` as far as its outer structure goes.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn read(reader: &mut Reader<'a>, content_type: Oid<'_>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let mut envelope = Self {
            object,
            version,
            recipients: None,
            encrypted: None,
            algorithm: None,
            content_type: None,
        };
        match content_type.0 {
            id::ENVELOPED | id::AUTH_ENVELOPED | id::SIGNED_AND_ENVELOPED | id::AUTHENTICATED => {
                r.optional(octet::context_constructed(0))?; // originatorInfo
                envelope.recipients = Some(r.expect(octet::SET)?.contents());
                if content_type.0 == id::AUTHENTICATED {
                    envelope.algorithm = Some(AlgorithmSpans::read(&mut r)?);
                    r.optional(octet::context_constructed(1))?; // digestAlgorithm
                    envelope.content_type = Some(encapsulated(&mut r)?);
                } else {
                    if content_type.0 == id::SIGNED_AND_ENVELOPED {
                        r.expect(octet::SET)?; // digestAlgorithms
                    }
                    envelope.encrypted = Some(EncryptedContent::decode(&mut r)?);
                }
            }
            id::ENCRYPTED => envelope.encrypted = Some(EncryptedContent::decode(&mut r)?),
            _ => {
                // digestedData and compressedData: version, algorithm, content.
                envelope.algorithm = Some(AlgorithmSpans::read(&mut r)?);
                envelope.content_type = Some(encapsulated(&mut r)?);
            }
        }
        // Attributes, MACs and digests follow; they are values, whatever they are.
        while !r.is_empty() {
            r.any()?;
        }
        Ok(envelope)
    }

    /// The version as encoded, `None` when it does not fit 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.version.contents().of(self.object))
    }

    /// For whom the content is encrypted, one value each; `None` for types without recipients.
    #[must_use]
    pub fn recipients(&self) -> Option<List<'a, Value<'a>>> {
        self.recipients.map(|span| List::new(Reader::within(self.object, span)))
    }

    /// The encrypted content.
    #[must_use]
    pub const fn encrypted(&self) -> Option<&EncryptedContent<'a>> {
        self.encrypted.as_ref()
    }

    /// The digest, MAC or compression of types that are not encrypted.
    #[must_use]
    pub fn algorithm(&self) -> Option<AlgorithmIdentifier<'a>> {
        self.algorithm.map(|spans| spans.of(self.object))
    }

    /// The type of the content inside.
    #[must_use]
    pub fn content_type(&self) -> Option<Oid<'a>> {
        match (&self.encrypted, self.content_type) {
            (Some(encrypted), _) => Some(encrypted.content_type()),
            (None, span) => span.map(|span| Oid(span.of(self.object))),
        }
    }

    /// Checks identifiers and numbers.
    pub fn violations(&self, findings: &mut Findings) {
        let version = self.version.contents();
        findings.check(integer::check(version.of(self.object), version.start));
        if let Some(encrypted) = &self.encrypted {
            encrypted.violations(findings);
        }
        if let Some(algorithm) = self.algorithm() {
            algorithm.violations(false, findings);
        }
    }
}

/// `EncapsulatedContentInfo`: where its type stands.
fn encapsulated(reader: &mut Reader<'_>) -> Result<Span, Error> {
    Ok(reader.enter(octet::SEQUENCE)?.expect(octet::OID)?.contents())
}

/// The word for a RecipientInfo by its tag (RFC 5652 6.2).
#[must_use]
pub const fn recipient_kind(tag: u8) -> &'static str {
    match tag {
        octet::SEQUENCE => "key-transport",
        0xa1 => "key-agreement",
        0xa2 => "key-encryption-key",
        0xa3 => "password",
        0xa4 => "other",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::cms::{Content, Message};
    use crate::pki::testing::{mutations, oid, rules, sample, seq, tlv};

    fn message(kind: &str, content: &[u8]) -> Vec<u8> {
        seq([oid(kind), tlv(0xa0, content)])
    }

    fn envelope(der: &[u8]) -> Envelope<'_> {
        match Message::parse(der).unwrap().content() {
            Content::Envelope(envelope) => *envelope,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn outer_structures_are_named() {
        let sample = envelope(sample!("cms-enveloped.der"));
        let recipients = sample.recipients().unwrap();
        assert!(recipients.iter().count() > 0);
        let name = sample.encrypted().unwrap().algorithm().name();
        assert!(name.is_some_and(|n| n.to_lowercase().contains("gcm")), "{name:?}");

        let encrypted = || {
            let algorithm = seq([oid("2.16.840.1.101.3.4.1.42"), tlv(4, &[0; 16])]);
            seq([oid("1.2.840.113549.1.7.1"), algorithm, tlv(0x80, &[1, 2, 3])])
        };
        let algorithm = || seq([oid("2.16.840.1.101.3.4.2.1")]);
        let inner = || seq([oid("1.2.840.113549.1.7.1")]);
        let version = || tlv(2, &[0]);
        let none = || tlv(0x31, &[]);
        for (kind, content) in [
            ("1.2.840.113549.1.7.3", seq([version(), none(), encrypted()])),
            ("1.2.840.113549.1.7.4", seq([version(), none(), none(), encrypted(), none()])),
            ("1.2.840.113549.1.7.5", seq([version(), algorithm(), inner(), tlv(4, &[1])])),
            ("1.2.840.113549.1.7.6", seq([version(), encrypted()])),
            (
                "1.2.840.113549.1.9.16.1.2",
                seq([version(), none(), algorithm(), inner(), tlv(4, &[1])]),
            ),
            ("1.2.840.113549.1.9.16.1.9", seq([version(), algorithm(), inner()])),
        ] {
            let der = message(kind, &content);
            let envelope = envelope(&der);
            assert_eq!(envelope.version(), Some(0), "{kind}");
            assert_eq!(
                envelope.content_type().unwrap().to_string(),
                "1.2.840.113549.1.7.1",
                "{kind}"
            );
            assert_eq!(rules(&Message::parse(&der).unwrap().violations()), [], "{kind}");
            if let Some(encrypted) = envelope.encrypted() {
                assert_eq!(*encrypted.ciphertext().unwrap(), [1, 2, 3]);
            }
        }
    }

    #[test]
    fn ciphertext_in_parts_is_joined() {
        let parts = [tlv(4, &[1, 2]), tlv(4, &[]), tlv(4, &[3])].concat();
        let algorithm = seq([oid("2.16.840.1.101.3.4.1.42")]);
        let der = seq([oid("1.2.840.113549.1.7.1"), algorithm.clone(), tlv(0xa0, &parts)]);
        let content = EncryptedContent::decode(&mut Reader::new(&der)).unwrap();
        assert_eq!(*content.ciphertext().unwrap(), [1, 2, 3]);
        let der = seq([oid("1.2.840.113549.1.7.1"), algorithm, tlv(0xa0, &tlv(2, &[1]))]);
        let content = EncryptedContent::decode(&mut Reader::new(&der)).unwrap();
        assert!(content.ciphertext().is_err());
    }

    #[test]
    fn mutations_never_panic() {
        mutations(sample!("cms-enveloped.der"), |der| {
            let Ok(message) = Message::parse(der) else { return };
            let _ = message.violations();
            if let Content::Envelope(envelope) = message.content() {
                let _ = envelope.encrypted().map(EncryptedContent::ciphertext);
            }
        });
    }
}
