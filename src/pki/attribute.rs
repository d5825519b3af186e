//! Attributes with a set of values: of requests, signers, keys and bags (X.501, RFC 5652 5.3).

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::asn1::tag::octet;
use crate::asn1::value::{self, Oid, string};
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::extension::Extensions;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::moment::Moment;
use crate::pki::show::{Decimal, Dotted, Hex, OidName};
use crate::rule;

rule! {
    ATTRIBUTE_EMPTY, "attribute-values", "X.501 8.2", "an attribute has at least one value";
    ATTRIBUTE_SINGLE, "attribute-single-value", "RFC 2985 5, RFC 5652 11",
        "this attribute has exactly one value";
    ATTRIBUTE_DUPLICATE, "attribute-duplicate", "RFC 5652 5.3",
        "the same attribute stands here twice";
}

/// Identifiers of attributes that are decoded here, as contents octets.
pub mod id {
    #![allow(missing_docs, reason = "the constants are the standards' own names")]
    pub const CONTENT_TYPE: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x03";
    pub const MESSAGE_DIGEST: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x04";
    pub const SIGNING_TIME: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x05";
    pub const CHALLENGE_PASSWORD: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x07";
    pub const EXTENSION_REQUEST: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e";
    pub const FRIENDLY_NAME: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x14";
    pub const LOCAL_KEY_ID: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x15";
    /// Microsoft's own extensionRequest, 1.3.6.1.4.1.311.2.1.14.
    pub const MS_CERT_EXTENSIONS: &[u8] = b"\x2b\x06\x01\x04\x01\x82\x37\x02\x01\x0e";
}

/// Attributes whose type allows one value only.
const SINGLE: [&[u8]; 8] = [
    id::CONTENT_TYPE,
    id::MESSAGE_DIGEST,
    id::SIGNING_TIME,
    id::CHALLENGE_PASSWORD,
    id::EXTENSION_REQUEST,
    id::FRIENDLY_NAME,
    id::LOCAL_KEY_ID,
    id::MS_CERT_EXTENSIONS,
];

/// `SEQUENCE { type OBJECT IDENTIFIER, values SET OF ANY }`.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    object: &'a [u8],
    tlv: Tlv,
    oid: Span,
    values: Span,
}

/// The attributes of a request, a signer, a key or a bag.
pub type Attributes<'a> = List<'a, Attribute<'a>>;

impl<'a> Decode<'a> for Attribute<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let tlv = reader.expect(octet::SEQUENCE)?;
        let mut inner = tlv.enter(object);
        let oid = inner.expect(octet::OID)?.contents();
        let values = inner.expect(octet::SET)?.contents();
        inner.finish()?;
        Ok(Self { object, tlv, oid, values })
    }
}

impl<'a> Attribute<'a> {
    /// The type.
    #[must_use]
    pub fn oid(&self) -> Oid<'a> {
        Oid(self.oid.of(self.object))
    }

    /// Where the attribute stands.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.tlv
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> List<'a, Value<'a>> {
        List::new(Reader::within(self.object, self.values))
    }

    /// The first value, `None` when there is none or it does not read.
    #[must_use]
    pub fn first(&self) -> Option<Value<'a>> {
        self.values().iter().next()?.ok()
    }

    /// The extensions that a request asks for, `None` for other attributes.
    ///
    /// # Errors
    /// When the value is no list of extensions.
    #[must_use]
    pub fn extensions(&self) -> Option<Result<Extensions<'a>, Error>> {
        let asks = matches!(self.oid().0, id::EXTENSION_REQUEST | id::MS_CERT_EXTENSIONS);
        (asks && !self.values.is_empty())
            .then(|| Extensions::sequence(&mut Reader::within(self.object, self.values)))
    }

    /// Checks the number of values, and that they read.
    pub fn violations(&self, findings: &mut Findings) {
        findings.check(value::oid::check(self.oid().0, self.oid.start));
        let mut count = 0_usize;
        for value in &self.values() {
            match findings.ok(value) {
                Some(value) => value.violations(findings),
                None => break,
            }
            count += 1;
        }
        match count {
            0 => findings.add(self.values.start, &ATTRIBUTE_EMPTY),
            2.. if SINGLE.contains(&self.oid().0) => {
                findings.add(self.values.start, &ATTRIBUTE_SINGLE);
            }
            _ => {}
        }
        match self.extensions() {
            Some(Ok(extensions)) => extensions.violations(findings),
            Some(Err(e)) => findings.push(e),
            None => {}
        }
    }
}

/// Checks every attribute of a list and that no type comes twice.
pub fn violations(attributes: Attributes<'_>, findings: &mut Findings) {
    let mut seen = std::collections::HashSet::new();
    for attribute in &attributes {
        if findings.is_full() {
            break;
        }
        let Some(attribute) = findings.ok(attribute) else { break };
        attribute.violations(findings);
        if !seen.insert(attribute.oid()) {
            findings.add(attribute.tlv.start, &ATTRIBUTE_DUPLICATE);
        }
    }
}

/// The first attribute of the type `oid` (contents octets).
#[must_use]
pub fn find<'a>(attributes: Attributes<'a>, oid: &[u8]) -> Option<Attribute<'a>> {
    attributes.iter().map_while(Result::ok).find(|a| a.oid().0 == oid)
}

impl Serialize for Attribute<'_> {
    /// `{"oid": .., "name": .., "values": [..]}`, or `"extensions"` in place of the values of an
    /// extension request.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("oid", &Dotted(self.oid()))?;
        map.serialize_entry("name", &OidName(self.oid()).name())?;
        match self.extensions() {
            Some(Ok(extensions)) => map.serialize_entry("extensions", &extensions)?,
            _ => map.serialize_entry("values", &self.values())?,
        }
        map.end()
    }
}

/// One value of any type.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    object: &'a [u8],
    tlv: Tlv,
}

impl<'a> Decode<'a> for Value<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        Ok(Self { object, tlv: reader.any()? })
    }
}

impl<'a> Value<'a> {
    /// Where it stands.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.tlv
    }

    /// Tag, length and contents octets.
    #[must_use]
    pub fn der(&self) -> &'a [u8] {
        self.tlv.span().of(self.object)
    }

    /// The contents octets.
    #[must_use]
    pub fn contents(&self) -> &'a [u8] {
        self.tlv.contents().of(self.object)
    }

    /// The characters, `None` when it is no string.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        match self.tlv.tag {
            octet::UTF8_STRING
            | octet::NUMERIC_STRING..=octet::TELETEX_STRING
            | octet::IA5_STRING
            | octet::VISIBLE_STRING
            | octet::UNIVERSAL_STRING
            | octet::BMP_STRING => {
                Some(string::decode(u64::from(self.tlv.tag), self.contents()).text)
            }
            _ => None,
        }
    }

    /// The point in time, `None` when it is none.
    #[must_use]
    pub fn moment(&self) -> Option<Moment<'a>> {
        matches!(self.tlv.tag, octet::UTC_TIME | octet::GENERALIZED_TIME)
            .then(|| Moment::of(self.object, self.tlv))
    }

    /// Checks the contents octets of a primitive universal type.
    fn violations(&self, findings: &mut Findings) {
        if self.tlv.tag < 0x20 {
            let number = u64::from(self.tlv.tag);
            findings.check(value::check(number, self.contents(), self.tlv.content));
        }
    }
}

impl Serialize for Value<'_> {
    /// Strings, times, numbers, identifiers and octets in their own form; anything else is
    /// `{"der": hex}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.text() {
            return serializer.serialize_str(&text);
        }
        if let Some(moment) = self.moment() {
            return moment.serialize(serializer);
        }
        match self.tlv.tag {
            octet::OCTET_STRING => Hex(self.contents()).serialize(serializer),
            octet::OID => OidName(Oid(self.contents())).serialize(serializer),
            octet::INTEGER | octet::ENUMERATED => Decimal(self.contents()).serialize(serializer),
            octet::BOOLEAN => match value::boolean(self.contents(), 0) {
                Ok(flag) => serializer.serialize_bool(flag),
                Err(_) => serializer.serialize_none(),
            },
            octet::NULL => serializer.serialize_none(),
            _ => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("der", &Hex(self.der()))?;
                map.end()
            }
        }
    }
}
