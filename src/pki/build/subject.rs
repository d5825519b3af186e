//! Names in profiles, with placeholders.

use serde::Deserialize;

use super::pattern::Pattern;
use super::stencil::Sketch;
use super::text::read_as_text;
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, oid, string};
use crate::asn1::writer::Writer;
use crate::asn1::{Reader, names};
use crate::pki::attribute_type::{self, AttributeType};
use crate::pki::findings::Findings;
use crate::pki::list::Decode as _;
use crate::pki::name::Name;

/// A distinguished name of attributes like `CN=host-{n}`, each an RDN of its own, in the order
/// of the encoding.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Subject {
    attributes: Vec<Attribute>,
}

/// The name of an authority: not empty, and without placeholders.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "Subject")]
pub(super) struct FixedSubject(pub(super) Subject);

impl TryFrom<Subject> for FixedSubject {
    type Error = &'static str;

    fn try_from(subject: Subject) -> Result<Self, Self::Error> {
        if subject.attributes.is_empty() {
            return Err("an authority has a name");
        }
        if !subject.attributes.iter().all(|attribute| attribute.value.is_fixed()) {
            return Err("the name of an authority has no {n} and no {random}");
        }
        Ok(Self(subject))
    }
}

/// An attribute of a name.
#[derive(Debug, Clone)]
struct Attribute {
    oid: Vec<u8>,
    tag: u8,
    value: Pattern,
}

read_as_text!(Attribute);

impl TryFrom<&str> for Attribute {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let Some((label, value)) = text.split_once('=') else {
            return Err("an attribute is a type and a value: CN=example".into());
        };
        let kind = attribute_kind(label.trim())
            .filter(|kind| kind.is_text())
            .ok_or_else(|| format!("no attribute of text is called {label:?}; try CN, O, OU, C"))?;
        let value = Pattern::parse(value.trim())?;
        let longest = value.longest();
        let tag = [octet::PRINTABLE_STRING, octet::IA5_STRING, octet::UTF8_STRING]
            .into_iter()
            .filter(|tag| kind.allows(*tag))
            .find(|tag| string::check(u64::from(*tag), &longest, 0).is_none())
            .ok_or_else(|| format!("{label} does not take these characters"))?;
        let attribute = Self { oid: kind.oid.to_vec(), tag, value };
        let mut w = Writer::new();
        w.sequence(|w| attribute.write(w, tag, &longest));
        let mut findings = Findings::default();
        if let Some(name) = findings.ok(Name::decode(&mut Reader::new(w.as_bytes()))) {
            name.violations(&mut findings);
        }
        findings.into_list().first().map_or(Ok(attribute), |finding| Err(finding.rule.to_string()))
    }
}

/// The attribute type with this label, registered name or dotted identifier.
fn attribute_kind(label: &str) -> Option<&'static AttributeType> {
    attribute_type::by_label(label).or_else(|| match oid::encode(label) {
        Ok(oid) => attribute_type::lookup(&oid),
        Err(_) => attribute_type::lookup(names::by_name(label)?),
    })
}

impl Attribute {
    fn write(&self, w: &mut Writer, tag: u8, value: &[u8]) {
        w.set(|w| {
            w.sequence(|w| {
                w.oid(Oid(&self.oid));
                w.primitive(tag, value);
            });
        });
    }
}

impl Subject {
    pub(super) fn is_empty(&self) -> bool {
        self.attributes.is_empty()
    }

    pub(super) fn draw(&self, sketch: &mut Sketch) {
        sketch.constructed(octet::SEQUENCE, |sketch| {
            for attribute in &self.attributes {
                sketch.constructed(octet::SET, |sketch| {
                    sketch.constructed(octet::SEQUENCE, |sketch| {
                        sketch.constructed(octet::OID, |sketch| sketch.raw(&attribute.oid));
                        sketch.constructed(attribute.tag, |s| attribute.value.draw(s));
                    });
                });
            }
        });
    }

    /// The `Name` as DER; of a name that is fixed.
    pub(super) fn der(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.sequence(|w| {
            for attribute in &self.attributes {
                attribute.write(w, attribute.tag, attribute.value.source().as_bytes());
            }
        });
        w.into_bytes()
    }

    /// The text of RFC 4514, with the placeholders in it: they need no escapes.
    pub(super) fn text(&self) -> Pattern {
        let mut w = Writer::new();
        w.sequence(|w| {
            for attribute in &self.attributes {
                attribute.write(w, octet::UTF8_STRING, attribute.value.source().as_bytes());
            }
        });
        let name = Name::decode(&mut Reader::new(w.as_bytes()));
        let text = name.map(|name| name.to_text()).unwrap_or_default();
        Pattern::parse(&text).unwrap_or_default()
    }
}
