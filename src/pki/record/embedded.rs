//! Certificates that come along in other objects, in short.

use serde::{Serialize, Serializer};

use crate::pki::attribute::Value;
use crate::pki::certificate::Certificate;
use crate::pki::crypto::sha256;
use crate::pki::list::{Item, List};
use crate::pki::name::Name;
use crate::pki::record::certificate::Digest;
use crate::pki::show::Hex;

/// A list of certificates, serialised while it is read: subject, issuer, serial number and
/// digest of each. What is no certificate has its length and digest alone.
#[derive(Debug, Clone, Copy)]
pub struct Certificates<'a>(pub List<'a, Value<'a>>);

impl Serialize for Certificates<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|item| Item::from(item.map(Brief::of))))
    }
}

#[derive(Serialize)]
struct Brief<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<Name<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issuer: Option<Name<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_number: Option<Hex<'a>>,
    length: usize,
    sha256: Digest<32>,
}

impl<'a> Brief<'a> {
    fn of(value: Value<'a>) -> Self {
        let der = value.der();
        let certificate = Certificate::parse(der).ok();
        Self {
            subject: certificate.as_ref().map(Certificate::subject),
            issuer: certificate.as_ref().map(Certificate::issuer),
            serial_number: certificate.as_ref().map(|c| Hex(c.serial())),
            length: der.len(),
            sha256: Digest(sha256(der)),
        }
    }
}
