//! Where CRLs are found and what they cover (RFC 5280 4.2.1.13, 4.2.1.15, 5.2.5).

use serde::{Serialize, Serializer};

use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::{Error, Reader};
use crate::pki::extension::general_name::{self, GeneralNames, names_with};
use crate::pki::extension::payload::Payload;
use crate::pki::fields::DefaultFalse;
use crate::pki::findings::Findings;
use crate::pki::flags::Flags;
use crate::pki::list::{Decode, List};
use crate::pki::name::Rdn;
use crate::rule;

rule! {
    POINTS_EMPTY, "distribution-points-empty", "RFC 5280 4.2.1.13",
        "there must be at least one distribution point";
    POINT_REASONS_ONLY, "distribution-point-nowhere", "RFC 5280 4.2.1.13",
        "a distribution point has neither a name nor a CRL issuer";
    IDP_EMPTY, "issuing-distribution-point-empty", "RFC 5280 5.2.5",
        "an issuing distribution point must not be an empty sequence";
    IDP_SCOPES, "issuing-distribution-point-scopes", "RFC 5280 5.2.5",
        "at most one of the three kinds of certificates can be the only one";
}

/// Names of the bits of ReasonFlags.
const REASONS: &[&str] = &[
    "unused",
    "keyCompromise",
    "cACompromise",
    "affiliationChanged",
    "superseded",
    "cessationOfOperation",
    "certificateHold",
    "privilegeWithdrawn",
    "aACompromise",
];

/// CRLDistributionPoints and FreshestCRL.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DistributionPoints<'a> {
    /// The places.
    pub points: List<'a, DistributionPoint<'a>>,
}

/// DistributionPoint.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DistributionPoint<'a> {
    /// Where the CRL is.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub name: Option<PointName<'a>>,
    /// The reasons that the CRL covers; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Flags<'a>>,
    /// Who signs the CRL, when it is not the certificate's issuer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crl_issuer: Option<GeneralNames<'a>>,
    #[serde(skip)]
    start: u32,
}

/// DistributionPointName.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PointName<'a> {
    /// Names, most often one URI.
    FullName(GeneralNames<'a>),
    /// What is appended to the name of the CRL issuer.
    RelativeName(RelativeName<'a>),
}

/// `nameRelativeToCRLIssuer`: one RelativeDistinguishedName.
#[derive(Debug, Clone, Copy)]
pub struct RelativeName<'a>(pub Rdn<'a>);

impl Serialize for RelativeName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Reads `[0] EXPLICIT DistributionPointName OPTIONAL`.
fn point_name<'a>(reader: &mut Reader<'a>) -> Result<Option<PointName<'a>>, Error> {
    let Some(tlv) = reader.optional(octet::context_constructed(0))? else { return Ok(None) };
    let mut inner = tlv.enter(reader.object());
    let name = match inner.peek() {
        Some(0xa0) => PointName::FullName(names_with(&mut inner, 0xa0)?),
        Some(0xa1) => {
            let rdn = Rdn::enter(&mut inner, 0xa1)?;
            rdn.validate()?;
            PointName::RelativeName(RelativeName(rdn))
        }
        _ => return Err(Error::new(inner.offset(), &UNEXPECTED_TAG)),
    };
    inner.finish()?;
    Ok(Some(name))
}

fn reasons<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<Option<Flags<'a>>, Error> {
    if reader.peek() == Some(tag) { Flags::read(reader, tag, REASONS).map(Some) } else { Ok(None) }
}

fn name_violations(name: Option<PointName<'_>>, findings: &mut Findings) {
    if let Some(PointName::FullName(names)) = name {
        general_name::violations(names, findings);
    }
}

impl<'a> Decode<'a> for DistributionPoint<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let name = point_name(&mut r)?;
        let reasons = reasons(&mut r, octet::context(1))?;
        let crl_issuer = match r.peek() {
            Some(0xa2) => Some(names_with(&mut r, 0xa2)?),
            _ => None,
        };
        r.finish()?;
        Ok(Self { name, reasons, crl_issuer, start })
    }
}

impl<'a> Decode<'a> for DistributionPoints<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let points = List::sequence(reader)?;
        points.validate()?;
        Ok(Self { points })
    }
}

impl<'a> Payload<'a> for DistributionPoints<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.points.is_empty() {
            findings.add(self.points.offset(), &POINTS_EMPTY);
        }
        for point in self.points.iter().flatten() {
            if findings.is_full() {
                return;
            }
            if point.name.is_none() && point.crl_issuer.is_none() {
                findings.add(point.start, &POINT_REASONS_ONLY);
            }
            name_violations(point.name, findings);
            if let Some(flags) = point.reasons {
                flags.violations(findings);
            }
            if let Some(issuer) = point.crl_issuer {
                general_name::violations(issuer, findings);
            }
        }
    }
}

/// IssuingDistributionPoint.
#[derive(Debug, Clone, Copy)]
pub struct IssuingDistributionPoint<'a> {
    /// Where this CRL is found.
    pub name: Option<PointName<'a>>,
    /// Only end entity certificates are listed.
    pub only_user_certs: DefaultFalse,
    /// Only certificates of CAs are listed.
    pub only_ca_certs: DefaultFalse,
    /// Only these reasons are listed.
    pub only_some_reasons: Option<Flags<'a>>,
    /// Certificates of other issuers are listed too.
    pub indirect_crl: DefaultFalse,
    /// Only attribute certificates are listed.
    pub only_attribute_certs: DefaultFalse,
    object: &'a [u8],
    start: u32,
}

impl<'a> Decode<'a> for IssuingDistributionPoint<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let idp = Self {
            name: point_name(&mut r)?,
            only_user_certs: DefaultFalse::read(&mut r, octet::context(1))?,
            only_ca_certs: DefaultFalse::read(&mut r, octet::context(2))?,
            only_some_reasons: reasons(&mut r, octet::context(3))?,
            indirect_crl: DefaultFalse::read(&mut r, octet::context(4))?,
            only_attribute_certs: DefaultFalse::read(&mut r, octet::context(5))?,
            object: r.object(),
            start,
        };
        r.finish()?;
        Ok(idp)
    }
}

impl Serialize for IssuingDistributionPoint<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[allow(clippy::struct_excessive_bools, reason = "the type has four BOOLEANs")]
        struct Record<'a> {
            #[serde(flatten, skip_serializing_if = "Option::is_none")]
            name: Option<PointName<'a>>,
            only_user_certs: bool,
            only_ca_certs: bool,
            #[serde(skip_serializing_if = "Option::is_none")]
            only_some_reasons: Option<Flags<'a>>,
            indirect_crl: bool,
            only_attribute_certs: bool,
        }
        Record {
            name: self.name,
            only_user_certs: self.only_user_certs.value,
            only_ca_certs: self.only_ca_certs.value,
            only_some_reasons: self.only_some_reasons,
            indirect_crl: self.indirect_crl.value,
            only_attribute_certs: self.only_attribute_certs.value,
        }
        .serialize(serializer)
    }
}

impl<'a> Payload<'a> for IssuingDistributionPoint<'a> {
    fn violations(&self, findings: &mut Findings) {
        let scopes = [self.only_user_certs, self.only_ca_certs, self.only_attribute_certs];
        let flags = [self.indirect_crl].into_iter().chain(scopes);
        if self.name.is_none()
            && self.only_some_reasons.is_none()
            && !flags.clone().any(|f| f.value)
        {
            findings.add(self.start, &IDP_EMPTY);
        }
        if scopes.iter().filter(|f| f.value).count() > 1 {
            findings.add(self.start, &IDP_SCOPES);
        }
        for flag in flags {
            flag.violations(self.object, findings);
        }
        if let Some(reasons) = self.only_some_reasons {
            reasons.violations(findings);
        }
        name_violations(self.name, findings);
    }
}
