//! Checks of real objects, of broken ones, and of hostile ones.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::asn1::nav;
use crate::asn1::schema::types;

fn rules(object: &[u8], ty: &'static Type) -> Vec<(u32, &'static str)> {
    check(object, ty, Limits::default()).iter().map(|f| (f.offset, f.rule.id)).collect()
}

/// Rules by the path of the node that breaks them.
fn by_path(object: &[u8], ty: &'static Type) -> Vec<(String, &'static str)> {
    let findings = check(object, ty, Limits::default());
    findings.iter().map(|f| (nav::path(object, ty, f.offset), f.rule.id)).collect()
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples");
    fs::read(folder.join(name)).unwrap()
}

const SAMPLES: &[(&str, &Type)] = &[
    ("certificate-ed25519.der", &types::CERTIFICATE),
    ("certificate-ml-dsa-65.der", &types::CERTIFICATE),
    ("certificate-mtc-ca.der", &types::CERTIFICATE),
    ("certificate-mtc.der", &types::CERTIFICATE),
    ("certificate-p256-server.der", &types::CERTIFICATE),
    ("certificate-p384-qualified.der", &types::CERTIFICATE),
    ("certificate-rsa-pss.der", &types::CERTIFICATE),
    ("certificate-rsa-root.der", &types::CERTIFICATE),
    ("certificate-v1.der", &types::CERTIFICATE),
    ("cms-enveloped.der", &types::CONTENT_INFO),
    ("cms-signed.der", &types::CONTENT_INFO),
    ("crl-delta.der", &types::CRL),
    ("crl-indirect.der", &types::CRL),
    ("crl-partition.der", &types::CRL),
    ("crl-reasons.der", &types::CRL),
    ("csr-attributes.der", &types::CSR),
    ("csr-ml-dsa-44.der", &types::CSR),
    ("certificate-p521-no-end.der", &types::CERTIFICATE),
    ("certificate-slh-dsa-sha2-128s.der", &types::CERTIFICATE),
    ("key-explicit-curve.der", &types::EC_PRIVATE_KEY),
    ("key-p256.pk8", &types::PRIVATE_KEY_INFO),
    ("key-encrypted-scrypt.pk8", &types::ENCRYPTED_PRIVATE_KEY_INFO),
    ("key-ml-dsa-65-both.pk8", &types::PRIVATE_KEY_INFO),
    ("key-ml-dsa-65-seed.pk8", &types::PRIVATE_KEY_INFO),
    ("key-ml-kem-768.pk8", &types::PRIVATE_KEY_INFO),
    ("key-x25519.pk8", &types::PRIVATE_KEY_INFO),
    ("ocsp-request-signed.der", &types::OCSP_REQUEST),
    ("ocsp-response-good.der", &types::OCSP_RESPONSE),
    ("ocsp-response-revoked.der", &types::OCSP_RESPONSE),
    ("ocsp-response-unauthorized.der", &types::OCSP_RESPONSE),
    ("pkcs12-legacy.p12", &types::PFX),
    ("pkcs12-pbes2.p12", &types::PFX),
    ("pkcs12-unencrypted.p12", &types::PFX),
    ("public-key-pss.der", &types::SPKI),
    ("public-key-rsa.der", &types::SPKI),
];

#[test]
fn correct_objects_have_no_findings() {
    for (name, ty) in SAMPLES {
        assert_eq!(rules(&sample(name), ty), [], "{name}");
        assert_eq!(rules(&sample(name), &types::ANY), [], "{name}");
    }
    for der in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        assert_eq!(rules(der, &types::CERTIFICATE), []);
    }
}

#[test]
fn ber_is_noted_once_where_it_is_allowed() {
    for name in ["cms-signed-stream.ber", "pkcs7-indefinite.p7b"] {
        let object = sample(name);
        assert_eq!(rules(&object, &types::CONTENT_INFO), [(1, "not-der")], "{name}");
        let strictly = rules(&object, &types::ANY);
        assert!(strictly.contains(&(1, "length-indefinite")), "{name}: {strictly:?}");
    }
}

/// A SignedData in BER around a certificate that must be DER.
#[test]
fn what_is_signed_must_be_der_inside_ber() {
    let object = [
        0x30, 0x80, 0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2, 0xa0, 0x80, 0x30, 0x80,
        0x02, 1, 1, 0x31, 0, 0x30, 0x80, 0x06, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1, 0,
        0, 0xa0, 0x80, 0x30, 0x80, 0, 0, 0, 0, 0x31, 0, 0, 0, 0, 0, 0, 0,
    ];
    assert_eq!(
        by_path(&object, &types::CONTENT_INFO),
        [
            (String::new(), "not-der"),
            ("content.signedData.certificates[0].certificate".to_owned(), "missing-field"),
            ("content.signedData.certificates[0].certificate".to_owned(), "length-indefinite"),
        ]
    );
}

#[test]
fn each_rule_at_its_place() {
    let object = sample("certificate-findings.der");
    let extension = |n: u32, rest: &str| format!("tbsCertificate.extensions[{n}].{rest}");
    assert_eq!(
        by_path(&object, &types::CERTIFICATE),
        [
            ("tbsCertificate.issuer[1][0].value".to_owned(), "printable-string-charset"),
            ("tbsCertificate.subject[1][0].value".to_owned(), "printable-string-charset"),
            (extension(0, "critical"), "default-encoded"),
            (extension(0, "extnValue.basicConstraints.cA"), "default-encoded"),
            (extension(1, "extnValue.keyUsage"), "named-bits-trailing"),
            (extension(2, "extnValue.keyUsage"), "named-bits-trailing"),
            (extension(3, "extnValue"), "contained-value"),
        ]
    );
}

#[test]
fn the_shape_of_a_sequence() {
    let rules = |object: &[u8]| rules(object, &types::VALIDITY);
    let time = b"\x17\x0d250101000000Z";
    let build = |parts: &[&[u8]]| {
        let content = parts.concat();
        [&[0x30, u8::try_from(content.len()).unwrap()][..], &content].concat()
    };
    assert_eq!(rules(&build(&[time, time])), []);
    assert_eq!(rules(&build(&[time])), [(0, "missing-field")]);
    assert_eq!(rules(&build(&[])), [(0, "missing-field")]);
    assert_eq!(rules(&build(&[time, &[5, 0]])), [(17, "unexpected-tag")]);
    assert_eq!(rules(&build(&[time, time, time])), [(32, "trailing-octets")]);
    assert_eq!(rules(&[&build(&[time, time])[..], &[0, 0]].concat()), [(32, "trailing-octets")]);
    assert_eq!(rules(&[]), [(0, "truncated")]);
    // What cannot be read to its end lacks nothing.
    assert_eq!(rules(&build(&[time, &[0x17, 0x0d, b'2']])), [(18, "length-beyond-end")]);
    let find = check(&build(&[time]), &types::VALIDITY, Limits::default());
    assert_eq!(
        find.first().unwrap().message(),
        "a component that is not optional is missing: notAfter"
    );
}

#[test]
fn forms_and_values_without_a_schema() {
    let rules = |object: &[u8]| rules(object, &types::ANY);
    assert_eq!(rules(&[0x21, 0]), [(0, "must-be-primitive")]);
    assert_eq!(rules(&[0x10, 0]), [(0, "must-be-constructed")]);
    assert_eq!(rules(&[0x24, 3, 4, 1, 0]), [(0, "constructed-string")]);
    assert_eq!(rules(&[0x30, 2, 0, 0]), [(2, "reserved-tag")]);
    assert_eq!(rules(&[1, 1, 1]), [(2, "boolean-value")]);
    assert_eq!(rules(&[2, 2, 0, 1]), [(2, "integer-minimal")]);
    assert_eq!(rules(&[4, 0x81, 1, 0]), [(1, "length-minimal")]);
    // A SET OF by its equal tags; the shorter one goes on in zeros.
    assert_eq!(rules(&[0x31, 6, 2, 1, 2, 2, 1, 1]), [(5, "set-order")]);
    assert_eq!(rules(&[0x31, 6, 2, 1, 1, 2, 1, 2]), []);
    // Perhaps a SET, whose order is that of the tags.
    assert_eq!(rules(&[0x31, 5, 0xa1, 0, 0x82, 1, 5]), []);
}

#[test]
fn implicit_tags_hide_the_type() {
    // [2] IMPLICIT INTEGER with a padding octet, in an AuthorityKeyIdentifier.
    let aki = [0x30, 4, 0x82, 2, 0, 1];
    assert_eq!(rules(&aki, &types::AUTHORITY_KEY_IDENTIFIER), [(4, "integer-minimal")]);
    assert_eq!(rules(&aki, &types::ANY), []);
    // [0] EXPLICIT must be constructed and hold one value.
    let version = |field: &[u8]| {
        let tbs = [&[0x30, u8::try_from(field.len()).unwrap()][..], field].concat();
        let mut found = rules(&tbs, &types::TBS_CERTIFICATE);
        found.retain(|(offset, _)| *offset > 0);
        found
    };
    assert_eq!(version(&[0xa0, 3, 2, 1, 2]), []);
    assert_eq!(version(&[0xa0, 3, 2, 1, 0]), [(2, "default-encoded")]);
    assert_eq!(version(&[0x80, 1, 2]), [(2, "must-be-constructed")]);
    assert_eq!(version(&[0xa0, 0]), [(2, "missing-field")]);
    assert_eq!(version(&[0xa0, 6, 2, 1, 2, 2, 1, 2]), [(7, "trailing-octets")]);
    assert_eq!(version(&[0xa0, 2, 5, 0]), [(4, "unexpected-tag")]);
}

#[test]
fn the_number_of_findings_is_bounded() {
    let mut object = vec![0x30, 0x83, 3, 0, 0];
    object.extend([1, 1, 1].repeat(65_536));
    let found = check(&object, &types::ANY, Limits { findings: 10 });
    assert_eq!(found.len(), 11);
    let last = found.last().unwrap();
    assert_eq!(
        (last.rule.id, last.detail.as_deref()),
        ("findings-omitted", Some("65526 at least"))
    );
}

#[test]
fn depth_and_width_cost_nothing_special() {
    for header in [&[0x30, 0x80][..], &[0x24, 0x80], &[0xa0, 0x80], &[0x30, 0x83, 1, 0, 0]] {
        let deep = header.repeat(100_000);
        for ty in [&types::ANY, &types::CERTIFICATE, &types::GENERAL_NAME, &types::PFX] {
            assert!(!check(&deep, ty, Limits::default()).is_empty());
            let end = u32::try_from(deep.len()).unwrap();
            assert!(nav::path(&deep, ty, end - 1).len() < 10_000);
        }
    }
    let mut wide = vec![0x30, 0x83, 4, 0x93, 0xe0];
    wide.extend([0x30, 0].repeat(150_000));
    assert_eq!(rules(&wide, &types::EXTENSIONS).len(), 1001);
    assert_eq!(nav::path(&wide, &types::EXTENSIONS, 200_005), "[100000]");
    assert_eq!(nav::resolve(&wide, &types::EXTENSIONS, "[100000]"), Some(200_005));
}

#[test]
fn an_object_with_a_broken_header_has_a_path() {
    let broken = [0x30, 0x84, 0x0a, 1, 6];
    assert_eq!(nav::path(&broken, &types::OCSP_RESPONSE, 0), "");
    assert_eq!(nav::resolve(&broken, &types::OCSP_RESPONSE, ""), Some(0));
}

#[test]
fn every_truncation_ends_in_a_finding() {
    let object = sample("certificate-p256-server.der");
    for end in 0..object.len() {
        assert!(!rules(&object[..end], &types::CERTIFICATE).is_empty(), "{end}");
    }
}

proptest! {
    /// Any damage gives findings in the object at worst, and each has a path.
    #[test]
    fn damage_is_reported_and_never_fatal(
        sample_number in 0..SAMPLES.len(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let (name, ty) = SAMPLES[sample_number];
        let mut object = sample(name);
        for (index, octet) in damage {
            let at = index.index(object.len());
            object[at] = octet;
        }
        let findings = check(&object, ty, Limits::default());
        let offsets: Vec<u32> = findings.iter().map(|f| f.offset).collect();
        prop_assert!(offsets.is_sorted());
        let paths = nav::paths(&object, ty, &offsets);
        for (offset, path) in offsets.iter().zip(&paths) {
            prop_assert!(*offset as usize <= object.len());
            prop_assert_eq!(&nav::path(&object, ty, *offset), path);
            prop_assert!(nav::resolve(&object, ty, path).is_some_and(|at| at <= *offset), "{}", path);
        }
    }

    /// Any octets can be read as any type; the offsets stay in them.
    #[test]
    fn any_octets_as_any_type(
        object in prop::collection::vec(any::<u8>(), 0..64),
        ty in prop::sample::select(types::ALL),
    ) {
        for finding in check(&object, ty, Limits::default()) {
            prop_assert!(finding.offset as usize <= object.len());
        }
    }
}
