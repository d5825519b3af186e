//! Distinguished names (RFC 5280 4.1.2.4); [`crate::pki::dn`] is their text.

use std::borrow::Cow;

use crate::asn1::check::SET_ORDER;
use crate::asn1::tag::octet;
use crate::asn1::value::oid::{self, Oid};
use crate::asn1::value::string;
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::attribute_type;
use crate::pki::fields::is_string;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::rule;

rule! {
    RDN_EMPTY, "rdn-empty", "RFC 5280 4.1.2.4", "a RelativeDistinguishedName has no attribute";
    ATTRIBUTE_EMPTY, "attribute-empty", "RFC 5280 A.1", "an attribute value has no characters";
    ATTRIBUTE_LENGTH, "attribute-length", "RFC 5280 A.1",
        "an attribute value is longer than its upper bound";
    ATTRIBUTE_STRING, "attribute-string-type", "RFC 5280 A.1",
        "the attribute does not allow a value of this type";
    COUNTRY_LENGTH, "country-length", "RFC 5280 A.1", "a country is a code of two letters";
}

/// A `Name`: a sequence of relative distinguished names, the most significant first.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    object: &'a [u8],
    span: Span,
}

/// A `RelativeDistinguishedName`: a set of attributes.
pub type Rdn<'a> = List<'a, Attribute<'a>>;

/// An `AttributeTypeAndValue`.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    object: &'a [u8],
    oid: Span,
    value: Tlv,
}

impl<'a> Decode<'a> for Name<'a> {
    /// Reads the SEQUENCE; what is in it is read when it is asked for.
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::of(reader.object(), reader.expect(octet::SEQUENCE)?.span()))
    }
}

impl<'a> Decode<'a> for Rdn<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        List::enter(reader, octet::SET)
    }
}

impl<'a> Decode<'a> for Attribute<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut inner = reader.enter(octet::SEQUENCE)?;
        let oid = inner.expect(octet::OID)?.contents();
        let value = inner.any()?;
        inner.finish()?;
        Ok(Self { object: reader.object(), oid, value })
    }
}

impl<'a> Attribute<'a> {
    /// The type of the attribute.
    #[must_use]
    pub fn oid(&self) -> Oid<'a> {
        Oid(self.oid.of(self.object))
    }

    /// The value with tag and length.
    #[must_use]
    pub fn value_der(&self) -> &'a [u8] {
        self.value.span().of(self.object)
    }

    /// Where the value stands.
    #[must_use]
    pub const fn value(&self) -> Tlv {
        self.value
    }

    /// The characters of the value, `None` when it is no string.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'a, str>> {
        let number = u64::from(self.value.tag);
        is_string(self.value.tag)
            .then(|| string::decode(number, self.value.contents().of(self.object)).text)
    }

    fn violations(&self, findings: &mut Findings) {
        findings.check(oid::check(self.oid().0, self.oid.start));
        let (at, tag) = (self.value.content, self.value.tag);
        let content = self.value.contents().of(self.object);
        if tag & 0xe0 == 0 {
            findings.check(crate::asn1::value::check(u64::from(tag), content, at));
        }
        let Some(kind) = attribute_type::lookup(self.oid().0) else { return };
        if !kind.allows(tag) {
            findings.add(self.value.start, &ATTRIBUTE_STRING);
            return;
        }
        if content.is_empty() && kind.is_text() {
            findings.add(self.value.start, &ATTRIBUTE_EMPTY);
            return;
        }
        if kind.is_country() {
            if content.len() != 2 || !content.iter().all(u8::is_ascii_alphabetic) {
                findings.add(at, &COUNTRY_LENGTH);
            }
        } else if kind.upper_bound != 0
            // Every character takes an octet at least: short values need no counting.
            && content.len() > kind.upper_bound
            && self.text().is_some_and(|t| t.chars().nth(kind.upper_bound).is_some())
        {
            findings.add(at, &ATTRIBUTE_LENGTH);
        }
    }
}

impl<'a> Name<'a> {
    /// The name whose SEQUENCE stands at `span` of `object`.
    #[must_use]
    pub const fn of(object: &'a [u8], span: Span) -> Self {
        Self { object, span }
    }

    /// Tag, length and contents octets.
    #[must_use]
    pub fn der(&self) -> &'a [u8] {
        self.span.of(self.object)
    }

    /// Where it stands in its object.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.span
    }

    /// The relative distinguished names in their order in the encoding.
    #[must_use]
    pub fn rdns(&self) -> List<'a, Rdn<'a>> {
        List::within(self.object, self.span, octet::SEQUENCE)
    }

    /// True when there is no RelativeDistinguishedName.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rdns().is_empty()
    }

    /// All attributes in their order in the encoding. After an error there is nothing more.
    pub fn attributes(&self) -> impl Iterator<Item = Result<Attribute<'a>, Error>> + use<'a> {
        let mut failed = false;
        self.rdns()
            .iter()
            .flat_map(|rdn| {
                let (error, rdn) = match rdn {
                    Ok(rdn) => (None, Some(rdn)),
                    Err(e) => (Some(Err(e)), None),
                };
                rdn.map(|r| r.iter()).into_iter().flatten().chain(error)
            })
            .take_while(move |a| !std::mem::replace(&mut failed, a.is_err()))
    }

    /// The first attribute of the type `oid` (contents octets) that is a string.
    #[must_use]
    pub fn find(&self, oid: &[u8]) -> Option<Cow<'a, str>> {
        self.attributes().filter_map(Result::ok).find(|a| a.oid().0 == oid)?.text()
    }

    /// Checks shape, order, types and lengths of all attributes.
    pub fn violations(&self, findings: &mut Findings) {
        for rdn in &self.rdns() {
            let Some(rdn) = findings.ok(rdn) else { return };
            if rdn.is_empty() {
                findings.add(rdn.offset(), &RDN_EMPTY);
            }
            let mut previous: &[u8] = &[];
            let mut reader = rdn.contents();
            while !reader.is_empty() {
                let start = reader.offset();
                let Some(attribute) = findings.ok(Attribute::decode(&mut reader)) else { return };
                let der = Span::new(start, reader.offset()).of(self.object);
                if der < previous {
                    findings.add(start, &SET_ORDER);
                }
                previous = der;
                attribute.violations(findings);
            }
        }
    }
}
