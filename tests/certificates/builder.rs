//! Certificates and CRLs made by hand, a field at a time.

use pkiscope::asn1::value::oid;
use pkiscope::asn1::writer::Writer;
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crl::Crl;
use pkiscope::pki::findings::Findings;

/// DER of what `body` writes.
pub fn der(body: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    body(&mut w);
    w.into_bytes()
}

/// One value with the identifier octet `tag`.
pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    der(|w| w.primitive(tag, content))
}

/// A SEQUENCE of finished values.
pub fn seq(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

/// An OBJECT IDENTIFIER.
pub fn id(dotted: &str) -> Vec<u8> {
    tlv(6, &oid::encode(dotted).unwrap())
}

/// An AttributeTypeAndValue.
pub fn attribute(dotted: &str, tag: u8, text: &[u8]) -> Vec<u8> {
    seq(&[&id(dotted), &tlv(tag, text)])
}

/// A name of RDNs with one attribute each.
pub fn name(attributes: &[Vec<u8>]) -> Vec<u8> {
    let rdns: Vec<Vec<u8>> = attributes.iter().map(|a| tlv(0x31, a)).collect();
    seq(&rdns.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// An extension around a finished value.
pub fn extension(dotted: &str, critical: bool, value: &[u8]) -> Vec<u8> {
    let flag: &[u8] = if critical { &[1, 1, 0xff] } else { &[] };
    seq(&[&id(dotted), flag, &tlv(4, value)])
}

pub const SAN: &str = "2.5.29.17";
pub const BASIC: &str = "2.5.29.19";
pub const USAGE: &str = "2.5.29.15";

/// The fields of a certificate, each with tag and length.
#[derive(Clone)]
pub struct Parts {
    pub version: Vec<u8>,
    pub serial: Vec<u8>,
    pub algorithm: Vec<u8>,
    pub issuer: Vec<u8>,
    pub validity: Vec<u8>,
    pub subject: Vec<u8>,
    pub key: Vec<u8>,
    pub tail: Vec<u8>,
    pub extensions: Option<Vec<Vec<u8>>>,
    pub outer_algorithm: Vec<u8>,
    pub signature: Vec<u8>,
}

impl Default for Parts {
    /// A certificate that breaks no rule.
    fn default() -> Self {
        let ecdsa = seq(&[&id("1.2.840.10045.4.3.2")]);
        let mut point = vec![0, 4];
        point.extend([7; 64]);
        let curve = seq(&[&id("1.2.840.10045.2.1"), &id("1.2.840.10045.3.1.7")]);
        Self {
            version: vec![0xa0, 3, 2, 1, 2],
            serial: vec![2, 1, 5],
            algorithm: ecdsa.clone(),
            issuer: name(&[attribute("2.5.4.3", 12, b"Issuer")]),
            validity: seq(&[&tlv(0x17, b"250101000000Z"), &tlv(0x18, b"20500101000000Z")]),
            subject: name(&[attribute("2.5.4.3", 12, b"Subject")]),
            key: seq(&[&curve, &tlv(3, &point)]),
            tail: Vec::new(),
            extensions: Some(vec![extension(SAN, false, &seq(&[&tlv(0x82, b"example.com")]))]),
            outer_algorithm: ecdsa,
            signature: vec![3, 9, 0, 0x30, 6, 2, 1, 1, 2, 1, 1],
        }
    }
}

impl Parts {
    /// The default with one change.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut parts = Self::default();
        change(&mut parts);
        parts
    }

    /// The default with these extensions.
    pub fn extended(extensions: &[Vec<u8>]) -> Self {
        Self::with(|p| p.extensions = Some(extensions.to_vec()))
    }

    pub fn der(&self) -> Vec<u8> {
        let extensions = self.extensions.as_ref().map_or_else(Vec::new, |list| {
            let list: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
            tlv(0xa3, &seq(&list))
        });
        let tbs = seq(&[
            &self.version,
            &self.serial,
            &self.algorithm,
            &self.issuer,
            &self.validity,
            &self.subject,
            &self.key,
            &self.tail,
            &extensions,
        ]);
        seq(&[&tbs, &self.outer_algorithm, &self.signature])
    }
}

/// The ids of the rules that a certificate breaks, sorted, each once.
pub fn broken(der: &[u8]) -> Vec<&'static str> {
    let mut findings = Findings::default();
    Certificate::parse(der).unwrap().violations(&mut findings);
    ids(findings)
}

/// The ids of the rules that a CRL breaks, sorted, each once.
pub fn broken_crl(der: &[u8]) -> Vec<&'static str> {
    let mut findings = Findings::default();
    Crl::parse(der).unwrap().violations(&mut findings);
    ids(findings)
}

fn ids(findings: Findings) -> Vec<&'static str> {
    let mut ids: Vec<_> = findings.into_list().iter().map(|f| f.rule.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
