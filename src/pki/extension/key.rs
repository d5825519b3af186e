//! Extensions on keys: identifiers and usages (RFC 5280 4.2.1.1 to 4.2.1.3, 4.2.1.12).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::{integer, oid};
use crate::asn1::{Error, Reader};
use crate::pki::extension::general_name::{self, GeneralNames, names_with};
use crate::pki::extension::payload::Payload;
use crate::pki::fields::optional_integer;
use crate::pki::findings::Findings;
use crate::pki::flags::Flags;
use crate::pki::list::{Decode, List};
use crate::pki::moment::Moment;
use crate::pki::show::{Hex, OidName};
use crate::rule;

rule! {
    AKI_PAIR, "aki-issuer-serial-pair", "RFC 5280 4.2.1.1",
        "authorityCertIssuer and authorityCertSerialNumber must both be there or both be absent";
    AKI_EMPTY, "aki-empty", "RFC 5280 4.2.1.1", "the authority key identifier identifies nothing";
    SKI_EMPTY, "ski-empty", "RFC 5280 4.2.1.2", "the key identifier has no octets";
    KEY_USAGE_NONE, "key-usage-none", "RFC 5280 4.2.1.3",
        "at least one of the bits of a key usage must be set";
    EKU_EMPTY, "eku-empty", "RFC 5280 4.2.1.12", "there must be at least one key purpose";
}

/// AuthorityKeyIdentifier (RFC 5280 4.2.1.1).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AuthorityKeyIdentifier<'a> {
    /// The identifier of the issuer's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_identifier: Option<Hex<'a>>,
    /// Names of the issuer of the issuer's certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<GeneralNames<'a>>,
    /// Serial number of the issuer's certificate, contents octets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial_number: Option<Hex<'a>>,
    #[serde(skip)]
    start: u32,
    #[serde(skip)]
    serial_at: u32,
}

impl<'a> Decode<'a> for AuthorityKeyIdentifier<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let key_identifier =
            r.optional(octet::context(0))?.map(|t| Hex(t.contents().of(r.object())));
        let issuer = match r.peek() {
            Some(0xa1) => Some(names_with(&mut r, 0xa1)?),
            _ => None,
        };
        let serial = optional_integer(&mut r, octet::context(2))?;
        r.finish()?;
        Ok(Self {
            key_identifier,
            issuer,
            serial_number: serial.map(|(_, content)| Hex(content)),
            start,
            serial_at: serial.map_or(0, |(tlv, _)| tlv.content),
        })
    }
}

impl<'a> Payload<'a> for AuthorityKeyIdentifier<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.issuer.is_some() != self.serial_number.is_some() {
            findings.add(self.start, &AKI_PAIR);
        } else if self.issuer.is_none() && self.key_identifier.is_none() {
            findings.add(self.start, &AKI_EMPTY);
        }
        if let Some(names) = self.issuer {
            general_name::violations(names, findings);
        }
        if let Some(serial) = self.serial_number {
            findings.check(integer::check(serial.0, self.serial_at));
        }
    }
}

/// SubjectKeyIdentifier (RFC 5280 4.2.1.2).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SubjectKeyIdentifier<'a> {
    /// The identifier of the subject's key.
    pub key_identifier: Hex<'a>,
    #[serde(skip)]
    start: u32,
}

impl<'a> Decode<'a> for SubjectKeyIdentifier<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::OCTET_STRING)?;
        Ok(Self { key_identifier: Hex(tlv.contents().of(reader.object())), start: tlv.start })
    }
}

impl<'a> Payload<'a> for SubjectKeyIdentifier<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.key_identifier.0.is_empty() {
            findings.add(self.start, &SKI_EMPTY);
        }
    }
}

/// Bit of `KeyUsage` that lets a key sign certificates.
pub const KEY_CERT_SIGN: u64 = 5;

/// The names of the bits of `KeyUsage`, by number.
pub const KEY_USAGES: &[&str] = &[
    "digitalSignature",
    "nonRepudiation",
    "keyEncipherment",
    "dataEncipherment",
    "keyAgreement",
    "keyCertSign",
    "cRLSign",
    "encipherOnly",
    "decipherOnly",
];

/// KeyUsage (RFC 5280 4.2.1.3).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct KeyUsage<'a> {
    /// What the key may be used for.
    pub usages: Flags<'a>,
}

impl<'a> Decode<'a> for KeyUsage<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { usages: Flags::read(reader, octet::BIT_STRING, KEY_USAGES)? })
    }
}

impl<'a> Payload<'a> for KeyUsage<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.usages.violations(findings);
        if self.usages.is_none() {
            findings.add(self.usages.offset(), &KEY_USAGE_NONE);
        }
    }
}

/// ExtKeyUsageSyntax (RFC 5280 4.2.1.12).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ExtendedKeyUsage<'a> {
    /// What the key may be used for, beside or instead of the basic usages.
    pub purposes: List<'a, OidName<'a>>,
}

impl<'a> Decode<'a> for ExtendedKeyUsage<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let purposes = List::sequence(reader)?;
        purposes.validate()?;
        Ok(Self { purposes })
    }
}

impl<'a> Payload<'a> for ExtendedKeyUsage<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.purposes.is_empty() {
            findings.add(self.purposes.offset(), &EKU_EMPTY);
        }
        let mut reader = self.purposes.contents();
        while let Ok(tlv) = reader.expect(octet::OID) {
            findings.check(oid::check(tlv.contents().of(reader.object()), tlv.content));
        }
    }
}

/// PrivateKeyUsagePeriod (RFC 3280 4.2.1.4).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PrivateKeyUsagePeriod<'a> {
    /// First moment in which the key may sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Moment<'a>>,
    /// Last moment in which the key may sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<Moment<'a>>,
}

impl<'a> Decode<'a> for PrivateKeyUsagePeriod<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let mut time = |n| -> Result<_, Error> {
            Ok(r.optional(octet::context(n))?.map(|tlv| Moment::generalized(r.object(), tlv)))
        };
        let (not_before, not_after) = (time(0)?, time(1)?);
        r.finish()?;
        Ok(Self { not_before, not_after })
    }
}

impl<'a> Payload<'a> for PrivateKeyUsagePeriod<'a> {
    fn violations(&self, findings: &mut Findings) {
        for moment in self.not_before.iter().chain(&self.not_after) {
            moment.form_violations(findings);
        }
    }
}
