//! Extensions of vendors: Netscape's old ones, Microsoft's certificate services.

use std::borrow::Cow;

use serde::Serialize;

use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::string;
use crate::asn1::{Error, Reader};
use crate::pki::extension::payload::Payload;
use crate::pki::fields::{integer_with, is_string, optional_integer, small};
use crate::pki::findings::Findings;
use crate::pki::flags::Flags;
use crate::pki::list::Decode;
use crate::pki::show::{Decimal, OidName};

/// An extension whose value is one string: Netscape's comment and URLs, Microsoft's
/// certificate type and others.
#[derive(Debug, Clone, Serialize)]
pub struct TextValue<'a> {
    /// The characters.
    pub text: Cow<'a, str>,
    #[serde(skip)]
    broken: Option<Error>,
}

impl<'a> Decode<'a> for TextValue<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.any()?;
        if !is_string(tlv.tag) {
            return Err(Error::new(tlv.start, &UNEXPECTED_TAG));
        }
        let content = tlv.contents().of(reader.object());
        let number = u64::from(tlv.tag);
        Ok(Self {
            text: string::decode(number, content).text,
            broken: string::check(number, content, tlv.content),
        })
    }
}

impl<'a> Payload<'a> for TextValue<'a> {
    fn violations(&self, findings: &mut Findings) {
        findings.check(self.broken);
    }
}

/// Netscape's certificate type.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NetscapeType<'a> {
    /// What the certificate is for.
    pub usages: Flags<'a>,
}

impl<'a> Decode<'a> for NetscapeType<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        const NAMES: &[&str] = &[
            "sslClient",
            "sslServer",
            "smime",
            "objectSigning",
            "reserved",
            "sslCA",
            "smimeCA",
            "objectSigningCA",
        ];
        Ok(Self { usages: Flags::read(reader, octet::BIT_STRING, NAMES)? })
    }
}

impl<'a> Payload<'a> for NetscapeType<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.usages.violations(findings);
    }
}

/// Microsoft's certificate template ([MS-WCCE] 2.2.2.7.7.2).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MicrosoftTemplate<'a> {
    /// The template.
    pub template: OidName<'a>,
    /// Its major version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub major_version: Option<Decimal<'a>>,
    /// Its minor version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minor_version: Option<Decimal<'a>>,
}

impl<'a> Decode<'a> for MicrosoftTemplate<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let template = OidName::decode(&mut r)?;
        let mut version = || -> Result<_, Error> {
            Ok(optional_integer(&mut r, octet::INTEGER)?.map(|(_, content)| Decimal(content)))
        };
        let (major_version, minor_version) = (version()?, version()?);
        r.finish()?;
        Ok(Self { template, major_version, minor_version })
    }
}

impl<'a> Payload<'a> for MicrosoftTemplate<'a> {
    fn violations(&self, _: &mut Findings) {}
}

/// Microsoft's CA version: how often certificate and key were renewed ([MS-WCCE] 2.2.2.7.7.3).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MicrosoftCaVersion {
    /// Number of the CA's certificate.
    pub certificate_index: u16,
    /// Number of the CA's key.
    pub key_index: u16,
}

impl<'a> Decode<'a> for MicrosoftCaVersion {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (tlv, content) = integer_with(reader, octet::INTEGER)?;
        let number = small(content).and_then(|n| u32::try_from(n).ok());
        let number =
            number.ok_or(Error::new(tlv.content, &crate::asn1::value::integer::INTEGER_MINIMAL))?;
        let [a, b, c, d] = number.to_be_bytes();
        Ok(Self {
            certificate_index: u16::from_be_bytes([c, d]),
            key_index: u16::from_be_bytes([a, b]),
        })
    }
}

impl Payload<'_> for MicrosoftCaVersion {
    fn violations(&self, _: &mut Findings) {}
}
