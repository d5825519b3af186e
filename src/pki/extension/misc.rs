//! Small extensions of RFC 5280 4.2.1.8 and of other documents: TLS feature, OCSP no-check,
//! Certificate Transparency poison, S/MIME capabilities, Merkle tree certificate authorities.

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::integer;
use crate::asn1::{Error, Reader};
use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::extension::payload::Payload;
use crate::pki::fields::{integer_with, small};
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::{Decimal, Hex, OidName};
use crate::rule;

rule! {
    TLS_FEATURE_RANGE, "tls-feature-range", "RFC 7633 4.1", "a TLS feature is a number up to 65535";
    MTC_SERIAL_RANGE, "mtc-serial-range", "draft-ietf-plants-merkle-tree-certs-07",
        "serial numbers of a Merkle tree CA lie between 2^48 and 2^64-1, the least first";
    ATTRIBUTE_NO_VALUES, "attribute-without-values", "RFC 5280 4.2.1.8",
        "an attribute has no values";
}

/// An extension whose value is NULL: OCSP no-check (RFC 6960 4.2.2.2.1), CT poison
/// (RFC 6962 3.1).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Marker {
    /// Always true: what matters is that the extension is there.
    pub present: bool,
}

impl<'a> Decode<'a> for Marker {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::NULL)?;
        let content = tlv.contents().of(reader.object());
        crate::asn1::value::check_null(content, tlv.content).map_or(Ok(Self { present: true }), Err)
    }
}

impl Payload<'_> for Marker {
    fn violations(&self, _: &mut Findings) {}
}

/// TLS feature (RFC 7633): what a server with this certificate must offer.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TlsFeature<'a> {
    /// The TLS extensions, by number.
    pub features: List<'a, Feature>,
}

/// One TLS extension.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Feature {
    /// Its number.
    pub number: u64,
    /// Its name, where there is one that is used here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
}

impl<'a> Decode<'a> for Feature {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let (tlv, content) = integer_with(reader, octet::INTEGER)?;
        let number = small(content).filter(|n| *n <= 0xffff);
        let number = number.ok_or(Error::new(tlv.content, &TLS_FEATURE_RANGE))?;
        let name = match number {
            5 => Some("status_request"),
            17 => Some("status_request_v2"),
            _ => None,
        };
        Ok(Self { number, name })
    }
}

impl<'a> Decode<'a> for TlsFeature<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let features = List::sequence(reader)?;
        features.validate()?;
        Ok(Self { features })
    }
}

impl<'a> Payload<'a> for TlsFeature<'a> {
    fn violations(&self, findings: &mut Findings) {
        let mut reader = self.features.contents();
        while let Ok((tlv, content)) = integer_with(&mut reader, octet::INTEGER) {
            findings.check(integer::check(content, tlv.content));
        }
    }
}

/// SMIMECapabilities (RFC 8551 2.5.2, RFC 4262).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SmimeCapabilities<'a> {
    /// Algorithms, the preferred first.
    pub capabilities: List<'a, AlgorithmIdentifier<'a>>,
}

impl<'a> Decode<'a> for SmimeCapabilities<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let capabilities = List::sequence(reader)?;
        capabilities.validate()?;
        Ok(Self { capabilities })
    }
}

impl<'a> Payload<'a> for SmimeCapabilities<'a> {
    fn violations(&self, _: &mut Findings) {}
}

/// SubjectDirectoryAttributes (RFC 5280 4.2.1.8).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DirectoryAttributes<'a> {
    /// The attributes.
    pub attributes: List<'a, DirectoryAttribute<'a>>,
}

/// An attribute with its values as DER.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DirectoryAttribute<'a> {
    /// Its type.
    #[serde(flatten)]
    pub oid: OidName<'a>,
    /// Its values, with tag and length.
    pub values: List<'a, Hex<'a>>,
}

impl<'a> Decode<'a> for DirectoryAttribute<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let oid = OidName::decode(&mut r)?;
        let values = List::enter(&mut r, octet::SET)?;
        values.validate()?;
        r.finish()?;
        Ok(Self { oid, values })
    }
}

impl<'a> Decode<'a> for DirectoryAttributes<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let attributes = List::sequence(reader)?;
        attributes.validate()?;
        Ok(Self { attributes })
    }
}

impl<'a> Payload<'a> for DirectoryAttributes<'a> {
    fn violations(&self, findings: &mut Findings) {
        for attribute in self.attributes.iter().flatten() {
            if attribute.values.is_empty() {
                findings.add(attribute.values.offset(), &ATTRIBUTE_NO_VALUES);
            }
        }
    }
}

/// The extension of a Merkle tree certificate authority
/// (draft-ietf-plants-merkle-tree-certs-07).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MtcAuthority<'a> {
    /// Hash and signature algorithm of the authority's cosigner.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The least serial number that the authority vouches for.
    pub min_serial: Decimal<'a>,
    /// The greatest one.
    pub max_serial: Decimal<'a>,
    #[serde(skip)]
    start: u32,
}

impl<'a> Decode<'a> for MtcAuthority<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let signature_algorithm = AlgorithmIdentifier::decode(&mut r)?;
        let min_serial = Decimal::decode(&mut r)?;
        let max_serial = Decimal::decode(&mut r)?;
        r.finish()?;
        Ok(Self { signature_algorithm, min_serial, max_serial, start })
    }
}

impl<'a> Payload<'a> for MtcAuthority<'a> {
    fn violations(&self, findings: &mut Findings) {
        let (min, max) = (small(self.min_serial.0), small(self.max_serial.0));
        let fits = |n: Option<u64>| n.is_some_and(|n| n >= 1 << 48);
        if !fits(min) || !fits(max) || min > max {
            findings.add(self.start, &MTC_SERIAL_RANGE);
        }
        self.signature_algorithm.violations(true, findings);
    }
}
