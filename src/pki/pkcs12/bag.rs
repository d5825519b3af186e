//! SafeBags: keys, certificates, CRLs and their names (RFC 7292 4.2).

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, oid};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::attribute::{self, Attributes};
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::{Hex, OidName};

/// 1.2.840.113549.1.12.10.1, the bag types: one more octet follows.
const BAGS: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x0a\x01";
/// 1.2.840.113549.1.9.22.1, x509Certificate.
const X509_CERTIFICATE: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x16\x01";
/// 1.2.840.113549.1.9.23.1, x509CRL.
const X509_CRL: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x17\x01";

/// The type of a bag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum BagKind {
    /// An unencrypted PKCS #8 key.
    KeyBag,
    /// An encrypted PKCS #8 key.
    Pkcs8ShroudedKeyBag,
    /// A certificate.
    CertBag,
    /// A CRL.
    CrlBag,
    /// Any secret.
    SecretBag,
    /// More bags.
    SafeContentsBag,
    /// A type that RFC 7292 does not know.
    Unknown,
}

/// A `SafeBag`.
#[derive(Debug, Clone, Copy)]
pub struct Bag<'a> {
    object: &'a [u8],
    id: Span,
    value: Tlv,
    attributes: Option<Tlv>,
}

/// The bags of a safe.
pub type Bags<'a> = List<'a, Bag<'a>>;

impl<'a> Decode<'a> for Bag<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let id = r.expect(octet::OID)?.contents();
        let mut explicit = r.enter(octet::context_constructed(0))?;
        let value = explicit.any()?;
        explicit.finish()?;
        let attributes = r.optional(octet::SET)?;
        r.finish()?;
        Ok(Self { object, id, value, attributes })
    }
}

impl<'a> Bag<'a> {
    /// The identifier of the type.
    #[must_use]
    pub fn id(&self) -> Oid<'a> {
        Oid(self.id.of(self.object))
    }

    /// The type.
    #[must_use]
    pub fn kind(&self) -> BagKind {
        match self.id().0.strip_prefix(BAGS) {
            Some([1]) => BagKind::KeyBag,
            Some([2]) => BagKind::Pkcs8ShroudedKeyBag,
            Some([3]) => BagKind::CertBag,
            Some([4]) => BagKind::CrlBag,
            Some([5]) => BagKind::SecretBag,
            Some([6]) => BagKind::SafeContentsBag,
            _ => BagKind::Unknown,
        }
    }

    /// The value with tag and length.
    #[must_use]
    pub fn value(&self) -> &'a [u8] {
        self.value.span().of(self.object)
    }

    /// Where the value stands.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.value
    }

    /// The bags inside, for a bag of bags.
    #[must_use]
    pub fn nested(&self) -> Option<Bags<'a>> {
        (self.kind() == BagKind::SafeContentsBag && self.value.tag == octet::SEQUENCE)
            .then(|| List::new(self.value.enter(self.object)))
    }

    /// The identifier of what is in a CertBag, CRLBag or SecretBag, and where its value stands:
    /// for X.509 certificates and CRLs in DER, the object itself.
    ///
    /// # Errors
    /// When the value has not the shape of its bag.
    pub fn contents(&self) -> Result<(Oid<'a>, Span), Error> {
        let mut outer = Reader::within(self.object, self.value.span());
        let mut r = outer.enter(octet::SEQUENCE)?;
        let id = Oid(r.expect(octet::OID)?.contents().of(self.object));
        let mut explicit = r.enter(octet::context_constructed(0))?;
        let tlv = explicit.any()?;
        explicit.finish()?;
        r.finish()?;
        let is_object = matches!(id.0, X509_CERTIFICATE | X509_CRL);
        let wrapped = is_object && tlv.tag == octet::OCTET_STRING;
        Ok((id, if wrapped { tlv.contents() } else { tlv.span() }))
    }

    /// `bagAttributes`.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'a> {
        let contents = self.attributes.map_or(Span::default(), |tlv| tlv.contents());
        List::new(Reader::within(self.object, contents))
    }

    /// The name that people gave the bag.
    #[must_use]
    pub fn friendly_name(&self) -> Option<Cow<'a, str>> {
        attribute::find(self.attributes(), attribute::id::FRIENDLY_NAME)?.first()?.text()
    }

    /// The octets that tie a key to its certificate.
    #[must_use]
    pub fn local_key_id(&self) -> Option<&'a [u8]> {
        let attribute = attribute::find(self.attributes(), attribute::id::LOCAL_KEY_ID)?;
        Some(attribute.first()?.contents())
    }

    /// Checks the identifier and the attributes.
    pub fn violations(&self, findings: &mut Findings) {
        findings.check(oid::check(self.id().0, self.id.start));
        attribute::violations(self.attributes(), findings);
        if matches!(self.kind(), BagKind::CertBag | BagKind::CrlBag | BagKind::SecretBag) {
            findings.ok(self.contents());
        }
    }
}

impl Serialize for Bag<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            r#type: OidName<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            content_type: Option<OidName<'a>>,
            length: u32,
            friendly_name: Option<Cow<'a, str>>,
            local_key_id: Option<Hex<'a>>,
        }
        let content_type = match self.kind() {
            BagKind::CertBag | BagKind::CrlBag | BagKind::SecretBag => self.contents().ok(),
            _ => None,
        };
        let record = Record {
            r#type: OidName(self.id()),
            content_type: content_type.map(|(id, _)| OidName(id)),
            length: self.value.span().len(),
            friendly_name: self.friendly_name(),
            local_key_id: self.local_key_id().map(Hex),
        };
        record.serialize(serializer)
    }
}
