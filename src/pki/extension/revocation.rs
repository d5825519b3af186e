//! Extensions of CRLs and their entries (RFC 5280 5.2, 5.3).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::integer;
use crate::asn1::{Error, Reader};
use crate::pki::extension::payload::Payload;
use crate::pki::fields::{integer_with, small};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::moment::Moment;
use crate::pki::show::{Decimal, OidName};
use crate::rule;

rule! {
    CRL_NUMBER_RANGE, "crl-number-range", "RFC 5280 5.2.3",
        "a CRL number is not negative and has at most 20 octets";
    REASON_UNKNOWN, "crl-reason-unknown", "RFC 5280 5.3.1", "there is no such reason for revocation";
}

/// CRLNumber and the BaseCRLNumber of a deltaCRLIndicator (RFC 5280 5.2.3, 5.2.4).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CrlNumber<'a> {
    /// The number.
    pub number: Decimal<'a>,
    #[serde(skip)]
    at: u32,
}

impl<'a> Decode<'a> for CrlNumber<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (tlv, content) = integer_with(reader, octet::INTEGER)?;
        Ok(Self { number: Decimal(content), at: tlv.content })
    }
}

impl<'a> Payload<'a> for CrlNumber<'a> {
    fn violations(&self, findings: &mut Findings) {
        let content = self.number.0;
        findings.check(integer::check(content, self.at));
        if content.len() > 20 || content.first().is_some_and(|b| b & 0x80 != 0) {
            findings.add(self.at, &CRL_NUMBER_RANGE);
        }
    }
}

/// CRLReason (RFC 5280 5.3.1).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CrlReason {
    /// The name of the reason, null when there is none of this number.
    pub reason: Option<&'static str>,
    /// Its number.
    pub code: u64,
    #[serde(skip)]
    at: u32,
}

impl<'a> Decode<'a> for CrlReason {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (tlv, content) = integer_with(reader, octet::ENUMERATED)?;
        let code = small(content).ok_or(Error::new(tlv.content, &REASON_UNKNOWN))?;
        Ok(Self { reason: reason_name(code), code, at: tlv.content })
    }
}

/// The name of a reason of revocation, as CRLs and OCSP number them.
#[must_use]
pub fn reason_name(code: u64) -> Option<&'static str> {
    Some(match code {
        0 => "unspecified",
        1 => "keyCompromise",
        2 => "cACompromise",
        3 => "affiliationChanged",
        4 => "superseded",
        5 => "cessationOfOperation",
        6 => "certificateHold",
        8 => "removeFromCRL",
        9 => "privilegeWithdrawn",
        10 => "aACompromise",
        _ => return None,
    })
}

impl Payload<'_> for CrlReason {
    fn violations(&self, findings: &mut Findings) {
        if self.reason.is_none() {
            findings.add(self.at, &REASON_UNKNOWN);
        }
    }
}

/// InvalidityDate (RFC 5280 5.3.2).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct InvalidityDate<'a> {
    /// When the key is known or suspected to have been compromised.
    pub date: Moment<'a>,
}

impl<'a> Decode<'a> for InvalidityDate<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::GENERALIZED_TIME)?;
        Ok(Self { date: Moment::of(reader.object(), tlv) })
    }
}

impl<'a> Payload<'a> for InvalidityDate<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.date.form_violations(findings);
    }
}

/// HoldInstructionCode (RFC 3280 5.3.2).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct HoldInstruction<'a> {
    /// What to do with a certificate on hold.
    pub instruction: OidName<'a>,
}

impl<'a> Decode<'a> for HoldInstruction<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { instruction: OidName::decode(reader)? })
    }
}

impl<'a> Payload<'a> for HoldInstruction<'a> {
    fn violations(&self, _: &mut Findings) {}
}
