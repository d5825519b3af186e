//! Paths of all nodes of real objects, and back.

use super::*;
use crate::asn1::schema::types;

#[test]
fn a_path_leads_back_to_its_node() {
    for der in webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().take(20) {
        let starts: Vec<u32> = Walker::new(der, true).map(|node| node.start).collect();
        let paths = paths(der, &types::CERTIFICATE, &starts);
        for (start, text) in starts.iter().zip(&paths) {
            assert_eq!(&path(der, &types::CERTIFICATE, *start), text);
            let back = resolve(der, &types::CERTIFICATE, text).unwrap();
            // The value in an EXPLICIT tag shares the path of the tag.
            assert!(back == *start || (2..=4).contains(&(start - back)), "{text}");
        }
    }
}

#[test]
fn paths_are_those_of_the_schema() {
    let names = [
        // GeneralNames: dNSName "a", directoryName { CN=b }
        0x30, 0x13, 0x82, 1, b'a', 0xa4, 14, 0x30, 12, 0x31, 10, 0x30, 8, 6, 3, 0x55, 4, 3, 0x0c, 1,
        b'b',
    ];
    let path = |offset| path(&names, &types::GENERAL_NAMES, offset);
    assert_eq!(path(0), "");
    assert_eq!(path(1), "");
    assert_eq!(path(2), "[0].dNSName");
    assert_eq!(path(4), "[0].dNSName");
    assert_eq!(path(5), "[1].directoryName");
    assert_eq!(path(7), "[1].directoryName");
    assert_eq!(path(13), "[1].directoryName[0][0].type");
    assert_eq!(path(20), "[1].directoryName[0][0].value");
    assert_eq!(path(21), "");
    let resolve = |path| resolve(&names, &types::GENERAL_NAMES, path);
    assert_eq!(resolve("[1].directoryName[0][0].value"), Some(18));
    assert_eq!(resolve("[1][0][0].value"), Some(18));
    assert_eq!(resolve("[1]"), Some(5));
    assert_eq!(resolve(""), Some(0));
    for wrong in ["[2]", "[1].dNSName", "[1].directory", "x", "[1].directoryName[0][0].value.x"] {
        assert_eq!(resolve(wrong), None, "{wrong}");
    }
}

#[test]
fn unknown_nodes_go_by_position() {
    let object = [0x30, 9, 5, 0, 0x30, 5, 0x04, 3, 0x02, 1, 7];
    assert_eq!(path(&object, &types::ANY, 10), "[1][0][0]");
    assert_eq!(resolve(&object, &types::ANY, "[1][0][0]"), Some(8));
    assert_eq!(path(&object, &types::BASIC_CONSTRAINTS, 2), "[0]");
}

#[test]
fn a_value_that_only_the_schema_sees_has_a_path() {
    // An ML-DSA private key as its seed, [0] IMPLICIT in the OCTET STRING.
    let mut key = vec![
        0x30, 0x34, 2, 1, 0, 0x30, 0x0b, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x12, 4, 0x22,
        0x80, 0x20,
    ];
    key.resize(54, 7);
    let text = path(&key, &types::PRIVATE_KEY_INFO, 30);
    assert_eq!(text, "privateKey.mlDsa65PrivateKey");
    assert_eq!(resolve(&key, &types::PRIVATE_KEY_INFO, &text), Some(20));
}

#[test]
fn many_offsets_in_one_walk() {
    let der = &webpki_root_certs::TLS_SERVER_ROOT_CERTS[0];
    let all: Vec<u32> = (0_u32..).take(der.len() + 3).collect();
    let together = paths(der, &types::CERTIFICATE, &all);
    assert_eq!(together.len(), all.len());
    for (offset, text) in all.iter().zip(together) {
        assert_eq!(path(der, &types::CERTIFICATE, *offset), text);
    }
}

#[test]
fn a_second_value_in_an_explicit_tag_is_found() {
    // Certificate { tbsCertificate { version [0] { INTEGER 2, NULL } } }
    let object = [0x30, 9, 0x30, 7, 0xa0, 5, 2, 1, 2, 5, 0];
    let text = path(&object, &types::CERTIFICATE, 9);
    assert_eq!(text, "tbsCertificate.version[1]");
    assert_eq!(resolve(&object, &types::CERTIFICATE, &text), Some(9));
    assert_eq!(resolve(&object, &types::CERTIFICATE, "tbsCertificate.version"), Some(4));
}
