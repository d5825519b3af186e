//! Every node of real objects has a name.

use super::{Matcher, Places, Role, Type, root, types};
use crate::asn1::Header;
use crate::asn1::walk::Walker;

/// Path and type of each node, in order; panics when a node is not what the schema asks for.
fn outline(object: &[u8], ty: &'static Type) -> Vec<String> {
    let mut places = Places::new(ty);
    let mut path: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for node in Walker::new(object, true) {
        let place = places.next(&node, object);
        path.truncate(usize::from(node.depth));
        path.push(place.segment().to_string());
        assert!(!place.mismatch, "{} {node:?}", path.concat());
        assert_ne!(place.role, Role::Unknown, "{} {node:?}", path.concat());
        assert!(!place.source().is_empty(), "{} {node:?}", path.concat());
        lines.push(format!("{} {}", path.concat(), place.describe()));
    }
    lines
}

#[test]
fn every_node_of_the_mozilla_roots_is_named() {
    let nodes: usize = webpki_root_certs::TLS_SERVER_ROOT_CERTS
        .iter()
        .map(|der| outline(der, &types::CERTIFICATE).len())
        .sum();
    assert!(nodes > 8_000, "{nodes}");
}

#[test]
fn paths_of_a_certificate() {
    let lines = outline(&webpki_root_certs::TLS_SERVER_ROOT_CERTS[0], &types::CERTIFICATE);
    for line in [
        " Certificate, SEQUENCE",
        ".tbsCertificate TBSCertificate, SEQUENCE",
        ".tbsCertificate.version [0] EXPLICIT Version, INTEGER",
        ".tbsCertificate.serialNumber CertificateSerialNumber, INTEGER",
        ".tbsCertificate.issuer[2][0].value PrintableString",
        ".tbsCertificate.validity.notAfter UTCTime",
        ".tbsCertificate.subjectPublicKeyInfo.algorithm.parameters OBJECT IDENTIFIER",
        ".tbsCertificate.extensions[0].extnValue.subjectKeyIdentifier SubjectKeyIdentifier, \
         OCTET STRING",
        ".tbsCertificate.extensions[1].extnValue.keyUsage KeyUsage, BIT STRING",
        ".tbsCertificate.extensions[2].extnValue.basicConstraints.cA BOOLEAN",
        ".signatureValue.ecdsaSigValue.r INTEGER",
    ] {
        assert!(lines.iter().any(|l| l == line), "{line}");
    }
}

#[test]
fn elements_of_a_list_are_found_by_position() {
    let object = [0x30, 6, 0x82, 1, b'a', 0x81, 1, b'b'];
    let place = root(&types::GENERAL_NAMES);
    let mut matcher = Matcher::new(&place, &Header::read(&object, 0).unwrap());
    assert!(matcher.seek(1_000_000));
    let place = matcher.step(&Header::read(&object, 5).unwrap(), &object);
    assert_eq!((place.index, place.choice), (Some(1_000_000), "rfc822Name"));
    assert_eq!(place.segment().to_string(), "[1000000].rfc822Name");
    let mut fields = Matcher::new(&root(&types::VALIDITY), &Header::read(&object, 0).unwrap());
    assert!(!fields.seek(1));
}

#[test]
fn names_of_bits_and_numbers() {
    let usage = root(&types::KEY_USAGE);
    assert_eq!(usage.named(&[1, 0x06]).unwrap(), "keyCertSign, cRLSign");
    assert_eq!(usage.named(&[7, 0x00, 0x80]).unwrap(), "decipherOnly");
    assert_eq!(usage.named(&[0]).unwrap(), "");
    assert_eq!(usage.named(&[]), None);
    let reason = root(&types::CRL_REASON);
    assert_eq!(reason.named(&[1]).unwrap(), "keyCompromise");
    assert_eq!(reason.named(&[7]), None);
    assert_eq!(reason.named(&[1; 9]), None);
    assert_eq!(root(&types::BOOLEAN).named(&[0xff]), None);
}

#[test]
fn nodes_by_what_their_object_identifier_says() {
    let extension = [0x30, 10, 6, 3, 0x55, 0x1d, 0x0f, 4, 3, 3, 1, 0];
    let entry = root(&types::EXTENSION).entry(&Header::read(&extension, 0).unwrap(), &extension);
    assert_eq!(entry.unwrap().name, "keyUsage");
    assert!(root(&types::NAME).entry(&Header::read(&extension, 0).unwrap(), &extension).is_none());
}

#[test]
fn types_are_found_by_name() {
    assert!(std::ptr::eq(super::by_name("certificate").unwrap(), &raw const types::CERTIFICATE));
    assert!(super::by_name("Nothing").is_none());
    for (i, ty) in types::ALL.iter().enumerate() {
        assert_eq!(types::ALL.iter().position(|t| t.name == ty.name), Some(i), "{}", ty.name);
    }
}
