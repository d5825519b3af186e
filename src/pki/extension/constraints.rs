//! Extensions that bound certification paths (RFC 5280 4.2.1.9 to 4.2.1.11, 4.2.1.14).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::integer;
use crate::asn1::{Error, Reader, Tlv};
use crate::pki::extension::general_name::{GeneralName, Use};
use crate::pki::extension::payload::Payload;
use crate::pki::fields::{DEFAULT_ENCODED, DefaultFalse, integer_with, optional_integer, small};
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::Decimal;
use crate::rule;

rule! {
    PATH_LENGTH_NEGATIVE, "path-length-negative", "RFC 5280 4.2.1.9", "the path length is negative";
    PATH_LENGTH_NO_CA, "path-length-without-ca", "RFC 5280 4.2.1.9",
        "a path length is there though cA is not true";
    NAME_CONSTRAINTS_EMPTY, "name-constraints-empty", "RFC 5280 4.2.1.10",
        "the name constraints permit and exclude nothing";
    SUBTREES_EMPTY, "subtrees-empty", "RFC 5280 4.2.1.10", "a list of subtrees is empty";
    SUBTREE_BOUNDS, "subtree-bounds", "RFC 5280 4.2.1.10",
        "the minimum of a subtree must be 0 and the maximum absent";
    POLICY_CONSTRAINTS_EMPTY, "policy-constraints-empty", "RFC 5280 4.2.1.11",
        "the policy constraints constrain nothing";
    SKIP_CERTS_NEGATIVE, "skip-certs-negative", "RFC 5280 4.2.1.11",
        "a number of certificates is negative";
}

/// BasicConstraints (RFC 5280 4.2.1.9).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct BasicConstraints<'a> {
    /// True when the subject may issue certificates.
    #[serde(serialize_with = "as_bool")]
    pub ca: DefaultFalse,
    /// How many intermediate certificates may follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_length: Option<Number<'a>>,
    #[serde(skip)]
    object: &'a [u8],
}

/// An INTEGER and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Number<'a> {
    content: &'a [u8],
    tlv: Tlv,
}

impl Number<'_> {
    /// The value, `None` when it is negative or of more than 64 bits.
    #[must_use]
    pub fn get(&self) -> Option<u64> {
        small(self.content)
    }

    fn violations(&self, negative: &'static crate::asn1::Rule, findings: &mut Findings) {
        findings.check(integer::check(self.content, self.tlv.content));
        if self.content.first().is_some_and(|b| b & 0x80 != 0) {
            findings.add(self.tlv.content, negative);
        }
    }
}

fn number(found: (Tlv, &[u8])) -> Number<'_> {
    Number { content: found.1, tlv: found.0 }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn as_bool<S: serde::Serializer>(flag: &DefaultFalse, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(flag.value)
}

impl Serialize for Number<'_> {
    /// A number, or its decimal digits as a string when it is negative or has more than 64 bits.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.get() {
            Some(n) => serializer.serialize_u64(n),
            None => Decimal(self.content).serialize(serializer),
        }
    }
}

impl<'a> Decode<'a> for BasicConstraints<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let ca = DefaultFalse::read(&mut r, octet::BOOLEAN)?;
        let path_length = optional_integer(&mut r, octet::INTEGER)?.map(number);
        r.finish()?;
        Ok(Self { ca, path_length, object: r.object() })
    }
}

impl<'a> Payload<'a> for BasicConstraints<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.ca.violations(self.object, findings);
        if let Some(length) = self.path_length {
            length.violations(&PATH_LENGTH_NEGATIVE, findings);
            if !self.ca.value {
                findings.add(length.tlv.start, &PATH_LENGTH_NO_CA);
            }
        }
    }
}

/// NameConstraints (RFC 5280 4.2.1.10).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NameConstraints<'a> {
    /// Only names in these subtrees are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permitted: Option<List<'a, Subtree<'a>>>,
    /// Names in these subtrees are not allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<List<'a, Subtree<'a>>>,
    #[serde(skip)]
    start: u32,
}

/// GeneralSubtree (RFC 5280 4.2.1.10).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Subtree<'a> {
    /// The name at its root.
    pub base: GeneralName<'a>,
    /// The upper bound, which RFC 5280 does not use: 0 unless encoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number<'a>>,
    /// The lower bound, which RFC 5280 does not use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number<'a>>,
}

impl<'a> Decode<'a> for Subtree<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let base = GeneralName::decode(&mut r)?;
        let minimum = optional_integer(&mut r, octet::context(0))?.map(number);
        let maximum = optional_integer(&mut r, octet::context(1))?.map(number);
        r.finish()?;
        Ok(Self { base, minimum, maximum })
    }
}

impl<'a> Decode<'a> for NameConstraints<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let mut subtrees = |n| -> Result<_, Error> {
            let tag = octet::context_constructed(n);
            if r.peek() != Some(tag) {
                return Ok(None);
            }
            let list: List<'a, Subtree<'a>> = List::enter(&mut r, tag)?;
            list.validate()?;
            Ok(Some(list))
        };
        let (permitted, excluded) = (subtrees(0)?, subtrees(1)?);
        r.finish()?;
        Ok(Self { permitted, excluded, start })
    }
}

impl<'a> Payload<'a> for NameConstraints<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.permitted.is_none() && self.excluded.is_none() {
            findings.add(self.start, &NAME_CONSTRAINTS_EMPTY);
        }
        for list in self.permitted.iter().chain(&self.excluded) {
            if list.is_empty() {
                findings.add(list.offset(), &SUBTREES_EMPTY);
            }
            for subtree in list.iter().flatten() {
                if findings.is_full() {
                    return;
                }
                subtree.base.violations(Use::Subtree, findings);
                if let Some(minimum) = subtree.minimum {
                    let zero = minimum.content == [0];
                    let rule = if zero { &DEFAULT_ENCODED } else { &SUBTREE_BOUNDS };
                    findings.add(minimum.tlv.start, rule);
                }
                if let Some(maximum) = subtree.maximum {
                    findings.add(maximum.tlv.start, &SUBTREE_BOUNDS);
                }
            }
        }
    }
}

/// PolicyConstraints (RFC 5280 4.2.1.11).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PolicyConstraints<'a> {
    /// After how many certificates an acceptable policy is required.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub require_explicit_policy: Option<Number<'a>>,
    /// After how many certificates policies are no longer mapped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inhibit_policy_mapping: Option<Number<'a>>,
    #[serde(skip)]
    start: u32,
}

impl<'a> Decode<'a> for PolicyConstraints<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let require_explicit_policy = optional_integer(&mut r, octet::context(0))?.map(number);
        let inhibit_policy_mapping = optional_integer(&mut r, octet::context(1))?.map(number);
        r.finish()?;
        Ok(Self { require_explicit_policy, inhibit_policy_mapping, start })
    }
}

impl<'a> Payload<'a> for PolicyConstraints<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.require_explicit_policy.is_none() && self.inhibit_policy_mapping.is_none() {
            findings.add(self.start, &POLICY_CONSTRAINTS_EMPTY);
        }
        for n in self.require_explicit_policy.iter().chain(&self.inhibit_policy_mapping) {
            n.violations(&SKIP_CERTS_NEGATIVE, findings);
        }
    }
}

/// InhibitAnyPolicy (RFC 5280 4.2.1.14).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct InhibitAnyPolicy<'a> {
    /// After how many certificates anyPolicy no longer counts.
    pub skip_certs: Number<'a>,
}

impl<'a> Decode<'a> for InhibitAnyPolicy<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { skip_certs: number(integer_with(reader, octet::INTEGER)?) })
    }
}

impl<'a> Payload<'a> for InhibitAnyPolicy<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.skip_certs.violations(&SKIP_CERTS_NEGATIVE, findings);
    }
}
