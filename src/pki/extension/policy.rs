//! Certificate policies and their mappings (RFC 5280 4.2.1.4, 4.2.1.5).

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::oid;
use crate::asn1::value::string;
use crate::asn1::{Error, Reader, Tlv};
use crate::pki::distinct::Distinct;
use crate::pki::extension::payload::Payload;
use crate::pki::fields::is_string;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::{Decimal, Dotted, Hex, OidName};
use crate::rule;

rule! {
    POLICIES_EMPTY, "policies-empty", "RFC 5280 4.2.1.4", "there must be at least one policy";
    POLICY_DUPLICATE, "policy-duplicate", "RFC 5280 4.2.1.4", "a policy is there more than once";
    QUALIFIERS_EMPTY, "policy-qualifiers-empty", "RFC 5280 4.2.1.4",
        "a list of policy qualifiers is empty";
    NOTICE_TYPE, "policy-notice-type", "RFC 5280 4.2.1.4",
        "the text of a user notice has another type than DisplayText allows";
    NOTICE_LENGTH, "policy-notice-length", "RFC 5280 4.2.1.4",
        "the text of a user notice has more than 200 characters";
    MAPPINGS_EMPTY, "policy-mappings-empty", "RFC 5280 4.2.1.5", "there must be at least one mapping";
    MAPPING_ANY, "policy-mapping-any", "RFC 5280 4.2.1.5",
        "a policy is mapped to or from anyPolicy";
}

const ANY_POLICY: &[u8] = b"\x55\x1d\x20\x00";
/// id-qt-cps, 1.3.6.1.5.5.7.2.1
const CPS: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x02\x01";
/// id-qt-unotice, 1.3.6.1.5.5.7.2.2
const NOTICE: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x02\x02";

/// CertificatePolicies; Microsoft's application policies have the same syntax.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CertificatePolicies<'a> {
    /// The policies.
    pub policies: List<'a, Policy<'a>>,
}

/// PolicyInformation.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Policy<'a> {
    /// The policy.
    #[serde(flatten)]
    pub policy: OidName<'a>,
    /// Where to read more of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qualifiers: Option<List<'a, Qualifier<'a>>>,
    #[serde(skip)]
    at: u32,
}

/// PolicyQualifierInfo.
#[derive(Debug, Clone, Copy)]
pub struct Qualifier<'a> {
    /// What kind of qualifier.
    pub oid: OidName<'a>,
    value: Tlv,
    object: &'a [u8],
}

/// UserNotice.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct UserNotice<'a> {
    /// Who publishes the notices whose numbers follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization: Option<DisplayText<'a>>,
    /// Numbers of notices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice_numbers: Option<List<'a, Decimal<'a>>>,
    /// The notice itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit_text: Option<DisplayText<'a>>,
}

/// DisplayText: a string of one of four types.
#[derive(Debug, Clone, Copy)]
pub struct DisplayText<'a> {
    object: &'a [u8],
    tlv: Tlv,
}

impl<'a> DisplayText<'a> {
    /// Reads a string; broken encoders also write the types that DisplayText does not have.
    fn optional(reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        if reader.peek().is_some_and(is_string) {
            Ok(Some(Self { tlv: reader.any()?, object: reader.object() }))
        } else {
            Ok(None)
        }
    }

    /// The characters.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        string::decode(u64::from(self.tlv.tag), self.tlv.contents().of(self.object)).text
    }

    fn violations(&self, findings: &mut Findings) {
        let content = self.tlv.contents().of(self.object);
        findings.check(string::check(u64::from(self.tlv.tag), content, self.tlv.content));
        if !matches!(
            self.tlv.tag,
            octet::UTF8_STRING | octet::IA5_STRING | octet::VISIBLE_STRING | octet::BMP_STRING
        ) {
            findings.add(self.tlv.start, &NOTICE_TYPE);
        }
        // 200 characters have at most 800 octets: the count of a huge text stops there.
        if content.len() > 200 && self.text().chars().nth(200).is_some() {
            findings.add(self.tlv.start, &NOTICE_LENGTH);
        }
    }
}

impl Serialize for DisplayText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'a> Decode<'a> for UserNotice<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (mut organization, mut notice_numbers) = (None, None);
        if let Some(tlv) = r.optional(octet::SEQUENCE)? {
            let mut reference = tlv.enter(r.object());
            organization = DisplayText::optional(&mut reference)?;
            if organization.is_none() {
                return Err(Error::new(reference.offset(), &UNEXPECTED_TAG));
            }
            let numbers = List::sequence(&mut reference)?;
            numbers.validate()?;
            notice_numbers = Some(numbers);
            reference.finish()?;
        }
        let explicit_text = DisplayText::optional(&mut r)?;
        r.finish()?;
        Ok(Self { organization, notice_numbers, explicit_text })
    }
}

impl<'a> Decode<'a> for Qualifier<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let oid = OidName::decode(&mut r)?;
        let value = r.any()?;
        r.finish()?;
        let qualifier = Self { oid, value, object: r.object() };
        if let Some(notice) = qualifier.notice() {
            notice?;
        }
        Ok(qualifier)
    }
}

impl<'a> Qualifier<'a> {
    /// The URI of a certification practice statement, `None` for other qualifiers.
    #[must_use]
    pub fn cps(&self) -> Option<Cow<'a, str>> {
        let content = self.value.contents().of(self.object);
        (self.oid.0.0 == CPS)
            .then(|| string::decode(u64::from(self.value.tag & 0x1f), content).text)
    }

    /// The user notice, `None` for other qualifiers.
    ///
    /// # Errors
    /// When the qualifier is no UserNotice.
    #[must_use]
    pub fn notice(&self) -> Option<Result<UserNotice<'a>, Error>> {
        (self.oid.0.0 == NOTICE)
            .then(|| UserNotice::decode(&mut Reader::within(self.object, self.value.span())))
    }
}

impl Serialize for Qualifier<'_> {
    /// `{"oid", "name", "cps"}`, `{"oid", "name", "user_notice": {..}}`, or `{.., "der"}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            oid: Dotted<'a>,
            name: Option<&'static str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            cps: Option<Cow<'a, str>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            user_notice: Option<UserNotice<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            der: Option<Hex<'a>>,
        }
        let (cps, user_notice) = (self.cps(), self.notice().and_then(Result::ok));
        let der = (cps.is_none() && user_notice.is_none())
            .then(|| Hex(self.value.span().of(self.object)));
        Record { oid: Dotted(self.oid.0), name: self.oid.name(), cps, user_notice, der }
            .serialize(serializer)
    }
}

impl<'a> Decode<'a> for Policy<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let at = r.offset();
        let policy = OidName::decode(&mut r)?;
        let mut qualifiers = None;
        if !r.is_empty() {
            let list = List::sequence(&mut r)?;
            list.validate()?;
            qualifiers = Some(list);
        }
        r.finish()?;
        Ok(Self { policy, qualifiers, at })
    }
}

impl<'a> Decode<'a> for CertificatePolicies<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let policies = List::sequence(reader)?;
        policies.validate()?;
        Ok(Self { policies })
    }
}

impl<'a> Payload<'a> for CertificatePolicies<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.policies.is_empty() {
            findings.add(self.policies.offset(), &POLICIES_EMPTY);
        }
        let mut seen = Distinct::default();
        for policy in self.policies.iter().flatten() {
            if findings.is_full() {
                return;
            }
            findings.check(oid::check(policy.policy.0.0, policy.at + 2));
            if !seen.insert(policy.policy.0.0) {
                findings.add(policy.at, &POLICY_DUPLICATE);
            }
            let Some(qualifiers) = policy.qualifiers else { continue };
            if qualifiers.is_empty() {
                findings.add(qualifiers.offset(), &QUALIFIERS_EMPTY);
            }
            for qualifier in qualifiers.iter().flatten() {
                let content = qualifier.value.contents().of(qualifier.object);
                if qualifier.oid.0.0 == CPS {
                    let at = qualifier.value.content;
                    findings.check(string::check(u64::from(octet::IA5_STRING), content, at));
                }
                if let Some(Ok(notice)) = qualifier.notice() {
                    for text in notice.organization.iter().chain(&notice.explicit_text) {
                        text.violations(findings);
                    }
                }
            }
        }
    }
}

/// PolicyMappings.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PolicyMappings<'a> {
    /// The pairs of policies that the issuer holds for equal.
    pub mappings: List<'a, PolicyMapping<'a>>,
}

/// One pair of equivalent policies.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PolicyMapping<'a> {
    /// The policy in the issuer's domain.
    pub issuer_domain_policy: OidName<'a>,
    /// The policy in the subject's domain.
    pub subject_domain_policy: OidName<'a>,
    #[serde(skip)]
    start: u32,
}

impl<'a> Decode<'a> for PolicyMapping<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let issuer_domain_policy = OidName::decode(&mut r)?;
        let subject_domain_policy = OidName::decode(&mut r)?;
        r.finish()?;
        Ok(Self { issuer_domain_policy, subject_domain_policy, start })
    }
}

impl<'a> Decode<'a> for PolicyMappings<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mappings = List::sequence(reader)?;
        mappings.validate()?;
        Ok(Self { mappings })
    }
}

impl<'a> Payload<'a> for PolicyMappings<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.mappings.is_empty() {
            findings.add(self.mappings.offset(), &MAPPINGS_EMPTY);
        }
        for mapping in self.mappings.iter().flatten() {
            if mapping.issuer_domain_policy.0.0 == ANY_POLICY
                || mapping.subject_domain_policy.0.0 == ANY_POLICY
            {
                findings.add(mapping.start, &MAPPING_ANY);
            }
        }
    }
}
