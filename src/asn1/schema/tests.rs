//! Every node of real objects has a name.

use super::{Places, Role, Type, types};
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
