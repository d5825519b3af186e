//! Extensions that are lists of names (RFC 5280 4.2.1.6, 4.2.1.7, 5.3.3).

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::{Error, Reader};
use crate::pki::extension::general_name::{self, GeneralNames, names_with};
use crate::pki::extension::payload::Payload;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;

/// SubjectAltName, IssuerAltName, CertificateIssuer: `GeneralNames`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AlternativeNames<'a> {
    /// The names.
    pub names: GeneralNames<'a>,
}

impl<'a> Decode<'a> for AlternativeNames<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { names: names_with(reader, octet::SEQUENCE)? })
    }
}

impl<'a> Payload<'a> for AlternativeNames<'a> {
    fn violations(&self, findings: &mut Findings) {
        general_name::violations(self.names, findings);
    }
}
