//! Authority and subject information access (RFC 5280 4.2.2).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::{Error, Reader};
use crate::pki::extension::general_name::{GeneralName, Use};
use crate::pki::extension::payload::Payload;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::OidName;
use crate::rule;

rule! {
    ACCESS_EMPTY, "access-empty", "RFC 5280 4.2.2.1", "there must be at least one access description";
}

/// AuthorityInfoAccess and SubjectInfoAccess.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct InformationAccess<'a> {
    /// What can be got where.
    pub descriptions: List<'a, AccessDescription<'a>>,
}

/// AccessDescription.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AccessDescription<'a> {
    /// What: an OCSP responder, the issuer's certificate, a repository.
    pub method: OidName<'a>,
    /// Where.
    pub location: GeneralName<'a>,
}

impl<'a> Decode<'a> for AccessDescription<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let method = OidName::decode(&mut r)?;
        let location = GeneralName::decode(&mut r)?;
        r.finish()?;
        Ok(Self { method, location })
    }
}

impl<'a> Decode<'a> for InformationAccess<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let descriptions = List::sequence(reader)?;
        descriptions.validate()?;
        Ok(Self { descriptions })
    }
}

impl<'a> Payload<'a> for InformationAccess<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.descriptions.is_empty() {
            findings.add(self.descriptions.offset(), &ACCESS_EMPTY);
        }
        for description in self.descriptions.iter().flatten() {
            if findings.is_full() {
                return;
            }
            description.location.violations(Use::Name, findings);
        }
    }
}
