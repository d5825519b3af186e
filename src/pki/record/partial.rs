//! The record of a certificate that is broken: the fields that still read.

use serde::Serialize;

use crate::asn1::Reader;
use crate::asn1::schema::{self, Place, types};
use crate::asn1::show::children;
use crate::asn1::tag::universal;
use crate::asn1::walk::{Node, Walker};
use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::extension::Extensions;
use crate::pki::fields::small;
use crate::pki::list::Decode;
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::{LazyFingerprints, PublicKeyRecord};
use crate::pki::show::Hex;
use crate::pki::spki::PublicKey;

/// How many children of one node are looked through.
const FIELDS: usize = 32;

/// What is left of a certificate. A field that does not read is absent.
#[derive(Debug, Default, Serialize)]
pub struct PartialCertificateRecord<'a> {
    /// 1, 2 or 3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Contents octets of the INTEGER in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial_number: Option<Hex<'a>>,
    /// Who signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Name<'a>>,
    /// Who holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<Name<'a>>,
    /// First moment of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Moment<'a>>,
    /// Last moment of validity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_after: Option<Moment<'a>>,
    /// The algorithm of the signature; that of the signed part where the outer one is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature_algorithm: Option<AlgorithmIdentifier<'a>>,
    /// The key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_key: Option<PublicKeyRecord<'a>>,
    /// The extensions in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Extensions<'a>>,
    /// Digests of what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<LazyFingerprints<'a>>,
    /// The rules that are broken beside the one that stops the reading.
    pub findings: Vec<FindingRecord>,
}

impl<'a> PartialCertificateRecord<'a> {
    /// Collects what reads of `octets`, going by the names of the schema.
    #[must_use]
    pub fn new(octets: &'a [u8], findings: Vec<FindingRecord>) -> Self {
        let fingerprints = Some(LazyFingerprints(octets));
        let mut record = Self { fingerprints, findings, ..Self::default() };
        let Some(root) = Walker::new(octets, false).next() else { return record };
        for (node, place) in children(octets, &root, &schema::root(&types::CERTIFICATE)).take(3) {
            match place.name {
                "tbsCertificate" => {
                    children(octets, &node, &place)
                        .take(FIELDS)
                        .for_each(|(node, place)| record.field(octets, &node, &place));
                }
                "signatureAlgorithm" => {
                    record.signature_algorithm =
                        decode(octets, &node).or(record.signature_algorithm);
                }
                _ => {}
            }
        }
        record
    }

    fn field(&mut self, octets: &'a [u8], node: &Node, place: &Place) {
        match place.name {
            "version" => {
                let inner = children(octets, node, place).next();
                let number = inner.and_then(|(node, _)| small(node.contents().of(octets)));
                self.version = number.and_then(|n| n.checked_add(1));
            }
            "serialNumber" if node.tag.is_universal(universal::INTEGER) => {
                self.serial_number = Some(Hex(node.contents().of(octets)));
            }
            "signature" => self.signature_algorithm = decode(octets, node),
            "issuer" => self.issuer = decode(octets, node),
            "subject" => self.subject = decode(octets, node),
            "validity" => {
                let mut times = children(octets, node, place).take(2);
                self.not_before = times.next().and_then(|(node, _)| decode(octets, &node));
                self.not_after = times.next().and_then(|(node, _)| decode(octets, &node));
            }
            "subjectPublicKeyInfo" => {
                self.public_key = decode::<PublicKey<'_>>(octets, node).map(PublicKeyRecord);
            }
            "extensions" => {
                let inner = children(octets, node, place).next();
                self.extensions = inner.and_then(|(node, _)| {
                    Extensions::sequence(&mut Reader::within(octets, node.span())).ok()
                });
            }
            _ => {}
        }
    }
}

fn decode<'a, T: Decode<'a>>(octets: &'a [u8], node: &Node) -> Option<T> {
    T::decode(&mut Reader::within(octets, node.span())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    fn partial(octets: &[u8]) -> serde_json::Value {
        let record = PartialCertificateRecord::new(octets, Vec::new());
        serde_json::to_value(record).unwrap()
    }

    #[test]
    fn a_cut_certificate_keeps_what_stands_before_the_cut() {
        let root = webpki_root_certs::TLS_SERVER_ROOT_CERTS[0].as_ref();
        let whole = partial(root);
        for field in [
            "version",
            "serial_number",
            "issuer",
            "subject",
            "not_before",
            "not_after",
            "signature_algorithm",
            "public_key",
            "extensions",
        ] {
            assert!(!whole[field].is_null(), "{field}");
        }
        let cut = partial(&root[..root.len() / 2]);
        assert_eq!(cut["serial_number"], whole["serial_number"]);
        assert_eq!(cut["subject"], whole["subject"]);
        assert!(cut.get("extensions").is_none());
        for end in 0..root.len() {
            partial(&root[..end]);
        }
    }
}
