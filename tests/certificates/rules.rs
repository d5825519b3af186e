//! Each rule is found where it is broken, and no other.

use pkiscope::asn1::schema::types;
use pkiscope::asn1::{Findings, nav};
use pkiscope::pki::certificate::Certificate;

use crate::builder::{
    BASIC, Parts, SAN, USAGE, attribute, broken, broken_crl, extension, id, name, seq, tlv,
};

#[track_caller]
fn check(expected: &[&str], change: impl FnOnce(&mut Parts)) {
    assert_eq!(broken(&Parts::with(change).der()), expected);
}

#[track_caller]
fn check_extension(expected: &[&str], oid: &str, critical: bool, value: &[u8]) {
    assert_eq!(broken(&Parts::extended(&[extension(oid, critical, value)]).der()), expected);
}

#[test]
fn a_good_certificate_breaks_none() {
    check(&[], |_| ());
}

#[test]
fn versions_and_serials() {
    check(&["default-encoded", "version-extensions"], |p| p.version[4] = 0);
    check(&["version-extensions"], |p| p.version.clear());
    check(&[], |p| {
        p.version.clear();
        p.extensions = None;
    });
    check(&["version-extensions", "version-unknown"], |p| p.version[4] = 3);
    check(&["unique-id"], |p| p.tail = vec![0x81, 2, 0, 7]);
    check(&["version-unique-id"], |p| {
        p.version.clear();
        p.extensions = None;
        p.tail = vec![0x82, 2, 0, 7];
    });
    check(&["serial-positive"], |p| p.serial = vec![2, 1, 0]);
    check(&["serial-positive"], |p| p.serial = vec![2, 1, 0x85]);
    check(&["integer-minimal"], |p| p.serial = vec![2, 2, 0, 5]);
    check(&["integer-empty", "serial-positive"], |p| p.serial = vec![2, 0]);
    check(&[], |p| p.serial = tlv(2, &[0x7f; 20]));
    check(&["serial-length"], |p| p.serial = tlv(2, &[0x7f; 21]));
}

#[test]
fn algorithms() {
    let rsa = |parameters: &[u8]| seq(&[&id("1.2.840.113549.1.1.11"), parameters]);
    check(&["signature-algorithms-differ"], |p| p.outer_algorithm = rsa(&[5, 0]));
    check(&["algorithm-parameters-null"], |p| {
        p.algorithm = rsa(&[]);
        p.outer_algorithm = rsa(&[]);
    });
    let ecdsa = seq(&[&id("1.2.840.10045.4.3.2"), &[5, 0]]);
    check(&["algorithm-parameters-absent"], |p| {
        p.algorithm.clone_from(&ecdsa);
        p.outer_algorithm = ecdsa;
    });
    let pss = |parameters: &[u8]| seq(&[&id("1.2.840.113549.1.1.10"), parameters]);
    check(&["algorithm-parameters-missing"], |p| {
        p.algorithm = pss(&[]);
        p.outer_algorithm = pss(&[]);
    });
    check(&["pss-trailer-field"], |p| {
        p.algorithm = pss(&seq(&[&[0xa3, 3, 2, 1, 2]]));
        p.outer_algorithm = p.algorithm.clone();
    });
    check(&["unexpected-tag"], |p| {
        p.algorithm = pss(&[5, 0]);
        p.outer_algorithm = p.algorithm.clone();
    });
    check(&["signature-unused-bits"], |p| p.signature[2] = 1);
    check(&["signature-unused-bits"], |p| p.signature = vec![3, 0]);
}

#[test]
fn names() {
    let one = |oid: &str, tag: u8, text: &[u8]| name(&[attribute(oid, tag, text)]);
    check(&["issuer-empty"], |p| p.issuer = vec![0x30, 0]);
    check(&["subject-empty"], |p| p.subject = vec![0x30, 0]);
    check(&[], |p| {
        p.subject = vec![0x30, 0];
        p.extensions = Some(vec![extension(SAN, true, &seq(&[&tlv(0x82, b"a.example")]))]);
    });
    check(&["rdn-empty"], |p| p.subject = seq(&[&[0x31, 0]]));
    check(&["attribute-string-type"], |p| p.subject = one("2.5.4.6", 12, b"DE"));
    check(&["country-length"], |p| p.subject = one("2.5.4.6", 19, b"DEU"));
    check(&["printable-string-charset"], |p| p.subject = one("2.5.4.3", 19, b"*.example"));
    check(&["utf8-string-invalid"], |p| p.subject = one("2.5.4.3", 12, b"\xff"));
    check(&["attribute-empty"], |p| p.subject = one("2.5.4.10", 12, b""));
    check(&["attribute-length"], |p| p.subject = one("2.5.4.10", 12, &[b'x'; 65]));
    check(&[], |p| p.subject = one("2.5.4.10", 12, "ü".repeat(64).as_bytes()));
    check(&["attribute-string-type"], |p| p.subject = one("2.5.4.3", 4, b"x"));
    // Trust anchor identifiers are RELATIVE-OIDs.
    check(&[], |p| p.subject = one("1.3.6.1.5.5.7.25.3", 13, &[0x81, 0xfd, 0x59, 1]));
    let (a, b) = (attribute("2.5.4.10", 12, b"A"), attribute("2.5.4.3", 12, b"B"));
    check(&["set-order"], |p| p.subject = seq(&[&tlv(0x31, &[a.clone(), b.clone()].concat())]));
    check(&[], |p| p.subject = seq(&[&tlv(0x31, &[b, a].concat())]));
}

#[test]
fn validity() {
    let times = |a: &[u8], b: &[u8]| {
        let time = |t: &[u8]| tlv(if t.len() == 15 { 0x18 } else { 0x17 }, t);
        seq(&[&time(a), &time(b)])
    };
    let good = b"250101000000Z";
    check(&["validity-order"], |p| p.validity = times(good, b"241231235959Z"));
    check(&[], |p| p.validity = times(good, good));
    check(&["time-calendar"], |p| p.validity = times(b"250229000000Z", b"260101000000Z"));
    check(&["time-seconds"], |p| p.validity = times(b"2501010000Z", b"260101000000Z"));
    check(&["time-format"], |p| p.validity = times(b"abc", b"260101000000Z"));
    check(&["time-choice"], |p| p.validity = times(good, b"20491231235959Z"));
    check(&["time-zulu"], |p| p.validity = times(b"250101000000+0100", b"260101000000Z"));
}

#[test]
fn keys() {
    let rsa = |parameters: &[u8], modulus: &[u8], exponent: &[u8]| {
        let key = seq(&[&tlv(2, modulus), &tlv(2, exponent)]);
        let algorithm = seq(&[&id("1.2.840.113549.1.1.1"), parameters]);
        seq(&[&algorithm, &tlv(3, &[&[0][..], &key].concat())])
    };
    check(&[], |p| p.key = rsa(&[5, 0], &[0x7f; 128], &[1, 0, 1]));
    check(&["algorithm-parameters-null"], |p| p.key = rsa(&[], &[0x7f; 128], &[3]));
    check(&["rsa-modulus"], |p| p.key = rsa(&[5, 0], &[0x8f; 128], &[3]));
    check(&["rsa-modulus"], |p| p.key = rsa(&[5, 0], &[0x7e; 128], &[3]));
    check(&["rsa-exponent"], |p| p.key = rsa(&[5, 0], &[0x7f; 128], &[1]));
    check(&["rsa-exponent"], |p| p.key = rsa(&[5, 0], &[0x7f; 128], &[4]));
    check(&["integer-minimal"], |p| p.key = rsa(&[5, 0], &[0x7f; 128], &[0, 3]));
    let ec = |curve: &[u8], point: &[u8]| {
        let algorithm = seq(&[&id("1.2.840.10045.2.1"), curve]);
        seq(&[&algorithm, &tlv(3, point)])
    };
    let p256 = id("1.2.840.10045.3.1.7");
    check(&["ec-point"], |p| p.key = ec(&p256, &[0, 4, 1, 2]));
    check(&[], |p| p.key = ec(&p256, &[&[0, 2][..], &[1; 32]].concat()));
    check(&["key-empty"], |p| p.key = ec(&p256, &[0]));
    check(&["key-unused-bits"], |p| p.key = ec(&p256, &[&[1, 2][..], &[2; 32]].concat()));
    check(&["algorithm-parameters-missing", "ec-parameters-named"], |p| {
        p.key = ec(&[], &[&[0, 2][..], &[1; 32]].concat());
    });
    let raw = |oid: &str, key: &[u8]| seq(&[&seq(&[&id(oid)]), &tlv(3, &[&[0][..], key].concat())]);
    check(&[], |p| p.key = raw("1.3.101.112", &[1; 32]));
    check(&["key-length"], |p| p.key = raw("1.3.101.112", &[1; 31]));
    check(&[], |p| p.key = raw("2.16.840.1.101.3.4.3.18", &[1; 1952]));
    check(&["key-length"], |p| p.key = raw("2.16.840.1.101.3.4.3.17", &[1; 1952]));
}

#[test]
fn extension_frames() {
    let names = seq(&[&tlv(0x82, b"a.example")]);
    let san = extension(SAN, false, &names);
    check(&["extensions-empty"], |p| p.extensions = Some(Vec::new()));
    check(&["extension-duplicate"], |p| p.extensions = Some(vec![san.clone(), san.clone()]));
    let private = extension("1.3.6.1.4.1.99999.1", false, &[5, 0]);
    check(&["extension-duplicate"], |p| {
        p.extensions = Some(vec![private.clone(), private.clone()]);
    });
    // An unknown critical extension is the verifier's business.
    check(&[], |p| p.extensions = Some(vec![extension("1.3.6.1.4.1.99999.1", true, b"?")]));
    let flagged = |flag: &[u8]| seq(&[&id(SAN), flag, &tlv(4, &names)]);
    check(&["default-encoded"], |p| p.extensions = Some(vec![flagged(&[1, 1, 0])]));
    check(&["boolean-value"], |p| p.extensions = Some(vec![flagged(&[1, 1, 1])]));
    check_extension(&["trailing-octets"], SAN, false, &[&names[..], &[5, 0]].concat());
    check_extension(&["extension-must-be-critical"], "2.5.29.36", false, &seq(&[&[0x80, 1, 0]]));
    check_extension(&["extension-must-not-be-critical"], "2.5.29.14", true, &[4, 1, 7]);
}

#[test]
fn key_extensions() {
    check_extension(&[], USAGE, true, &[3, 2, 7, 0x80]);
    check_extension(&["named-bits-trailing"], USAGE, true, &[3, 2, 0, 0x80]);
    check_extension(&["key-usage-none"], USAGE, true, &[3, 1, 0]);
    check_extension(&["bit-string-padding"], USAGE, true, &[3, 2, 7, 0xff]);
    check_extension(&["key-cert-sign-without-ca"], USAGE, true, &[3, 2, 2, 4]);
    check_extension(&["ski-empty"], "2.5.29.14", false, &[4, 0]);
    check_extension(&["aki-empty"], "2.5.29.35", false, &[0x30, 0]);
    check_extension(&["aki-issuer-serial-pair"], "2.5.29.35", false, &seq(&[&[0x82, 1, 1]]));
    check_extension(&["eku-empty"], "2.5.29.37", false, &[0x30, 0]);
    check_extension(&["oid-truncated"], "2.5.29.37", false, &[0x30, 4, 6, 2, 0x2a, 0x83]);
}

#[test]
fn constraint_extensions() {
    check_extension(&[], BASIC, true, &seq(&[&[1, 1, 0xff], &[2, 1, 0]]));
    check_extension(&["basic-constraints-not-critical"], BASIC, false, &seq(&[&[1, 1, 0xff]]));
    check_extension(&["default-encoded"], BASIC, true, &seq(&[&[1, 1, 0]]));
    check_extension(&["path-length-without-ca"], BASIC, true, &seq(&[&[2, 1, 0]]));
    let negative = seq(&[&[1, 1, 0xff], &[2, 1, 0xff]]);
    check_extension(&["path-length-negative"], BASIC, true, &negative);
    check(&["path-length-without-cert-sign"], |p| {
        p.extensions = Some(vec![
            extension(BASIC, true, &seq(&[&[1, 1, 0xff], &[2, 1, 0]])),
            extension(USAGE, true, &[3, 2, 1, 2]),
        ]);
    });
    let subtrees = |base: &[u8]| seq(&[&tlv(0xa0, &seq(&[base]))]);
    let nc = "2.5.29.30";
    check_extension(&[], nc, true, &subtrees(&tlv(0x82, b".example.com")));
    check_extension(&[], nc, true, &subtrees(&tlv(0x87, &[10, 0, 0, 0, 255, 0, 0, 0])));
    let mask = subtrees(&tlv(0x87, &[10, 0, 0, 0, 255, 0, 255, 0]));
    check_extension(&["ip-address-mask"], nc, true, &mask);
    check_extension(&["ip-address-length"], nc, true, &subtrees(&tlv(0x87, &[10, 0, 0, 0])));
    check_extension(&["name-constraints-empty"], nc, true, &[0x30, 0]);
    check_extension(&["subtrees-empty"], nc, true, &seq(&[&[0xa1, 0]]));
    let minimum = |n: u8| [tlv(0x82, b"a.example"), vec![0x80, 1, n]].concat();
    check_extension(&["default-encoded"], nc, true, &subtrees(&minimum(0)));
    check_extension(&["subtree-bounds"], nc, true, &subtrees(&minimum(1)));
    check_extension(&["policy-constraints-empty"], "2.5.29.36", true, &[0x30, 0]);
    check_extension(&["skip-certs-negative"], "2.5.29.54", true, &[2, 1, 0xff]);
}

#[test]
fn name_extensions() {
    let san = |tag: u8, content: &[u8]| seq(&[&tlv(tag, content)]);
    check_extension(&["general-names-empty"], SAN, false, &[0x30, 0]);
    check_extension(&["general-name-empty"], SAN, false, &san(0x82, b""));
    check_extension(&[], SAN, false, &san(0x82, b"*.example.com"));
    check_extension(&["dns-name-syntax"], SAN, false, &san(0x82, b"a..example"));
    check_extension(&["ia5-string-charset"], SAN, false, &san(0x82, b"\xfc.de"));
    check_extension(&["email-syntax"], SAN, false, &san(0x81, b"nobody"));
    check_extension(&["uri-syntax"], SAN, false, &san(0x86, b"www.example.com"));
    check_extension(&["ip-address-length"], SAN, false, &san(0x87, &[1, 2, 3, 4, 5]));
    check_extension(&["oid-empty"], SAN, false, &san(0x88, b""));
    check_extension(&["unexpected-tag"], SAN, false, &san(0x89, b"x"));
    check_extension(&["unexpected-tag"], SAN, false, &san(0xa4, &[5, 0]));
    check_extension(&["access-empty"], "1.3.6.1.5.5.7.1.1", false, &[0x30, 0]);
    check_extension(&["distribution-points-empty"], "2.5.29.31", false, &[0x30, 0]);
    check_extension(&["distribution-point-nowhere"], "2.5.29.31", false, &seq(&[&[0x30, 0]]));
}

#[test]
fn policy_extensions() {
    let policies = "2.5.29.32";
    let policy = |rest: &[u8]| seq(&[&id("1.2.3"), rest]);
    let notice = |text: &[u8]| policy(&seq(&[&seq(&[&id("1.3.6.1.5.5.7.2.2"), &seq(&[text])])]));
    check_extension(&[], policies, false, &seq(&[&notice(&tlv(12, "ß".as_bytes()))]));
    check_extension(&["policies-empty"], policies, false, &[0x30, 0]);
    check_extension(&["policy-duplicate"], policies, false, &seq(&[&policy(&[]), &policy(&[])]));
    check_extension(&["policy-qualifiers-empty"], policies, false, &seq(&[&policy(&[0x30, 0])]));
    check_extension(&["policy-notice-type"], policies, false, &seq(&[&notice(&tlv(19, b"x"))]));
    let long = notice(&tlv(12, &[b'x'; 201]));
    check_extension(&["policy-notice-length"], policies, false, &seq(&[&long]));
    check_extension(&["policy-mappings-empty"], "2.5.29.33", true, &[0x30, 0]);
    let any = seq(&[&id("2.5.29.32.0"), &id("1.2.3")]);
    check_extension(&["policy-mapping-any"], "2.5.29.33", true, &seq(&[&any]));
}

#[test]
fn other_extensions() {
    check_extension(&["null-length"], "1.3.6.1.5.5.7.48.1.5", false, &[5, 1, 0]);
    check_extension(&["extension-must-be-critical"], "1.3.6.1.4.1.11129.2.4.3", false, &[5, 0]);
    check_extension(&["tls-feature-range"], "1.3.6.1.5.5.7.1.24", false, &seq(&[&[2, 1, 0xff]]));
    check_extension(&[], "1.3.6.1.5.5.7.1.24", false, &seq(&[&[2, 1, 5]]));
    check_extension(&["sct-list"], "1.3.6.1.4.1.11129.2.4.2", false, &[4, 2, 0, 1]);
    check_extension(&["sct-empty"], "1.3.6.1.4.1.11129.2.4.2", false, &[4, 2, 0, 0]);
    let mtc = |min: &[u8], max: &[u8]| {
        seq(&[&seq(&[&id("2.16.840.1.101.3.4.3.17")]), &tlv(2, min), &tlv(2, max)])
    };
    let oid = "1.3.6.1.5.5.7.1.38";
    let (min, max) = ([1, 0, 0, 0, 0, 0, 0], [5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
    check_extension(&[], oid, true, &mtc(&min, &max));
    check_extension(&["mtc-serial-range"], oid, true, &mtc(&max, &min));
    check_extension(&["mtc-serial-range"], oid, true, &mtc(&[1], &max));
}

/// What is empty or missing has no octet of its own: the finding stands at what should hold it.
#[test]
fn findings_point_into_the_field_that_is_wrong() {
    let rsa = seq(&[&id("1.2.840.113549.1.1.11")]);
    let value = "tbsCertificate.extensions[0].extnValue";
    let cases = [
        ("rdn-empty", "tbsCertificate.subject[0]", Parts::with(|p| p.subject = seq(&[&[0x31, 0]]))),
        ("issuer-empty", "tbsCertificate.issuer", Parts::with(|p| p.issuer = vec![0x30, 0])),
        ("algorithm-parameters-null", "tbsCertificate.signature", {
            Parts::with(|p| {
                p.algorithm.clone_from(&rsa);
                p.outer_algorithm = rsa;
            })
        }),
        ("key-empty", "tbsCertificate.subjectPublicKeyInfo.subjectPublicKey", {
            Parts::with(|p| {
                let algorithm = seq(&[&id("1.3.101.112")]);
                p.key = seq(&[&algorithm, &[3, 1, 0]]);
            })
        }),
        ("extensions-empty", "tbsCertificate.extensions", Parts::extended(&[])),
        ("eku-empty", value, Parts::extended(&[extension("2.5.29.37", false, &[0x30, 0])])),
        ("signature-unused-bits", "signature", Parts::with(|p| p.signature = vec![3, 0])),
    ];
    for (rule, path, parts) in cases {
        let der = parts.der();
        let mut findings = Findings::default();
        Certificate::parse(&der).unwrap().violations(&mut findings);
        let list = findings.into_list();
        let finding = list.iter().find(|f| f.rule.id == rule).unwrap();
        let found = nav::path(&der, &types::CERTIFICATE, finding.offset);
        assert!(found.starts_with(path), "{rule}: {found}");
    }
}

/// A CRL of these entries and of the fields around them.
fn crl(version: &[u8], next: &[u8], revoked: &[u8], extensions: &[u8]) -> Vec<u8> {
    let p = Parts::default();
    let this = tlv(0x17, b"250101000000Z");
    let tbs = seq(&[version, &p.algorithm, &p.issuer, &this, next, revoked, extensions]);
    seq(&[&tbs, &p.outer_algorithm, &p.signature])
}

#[test]
fn crls() {
    let next = tlv(0x17, b"260101000000Z");
    let v2 = [2, 1, 1];
    let number = tlv(0xa0, &seq(&[&extension("2.5.29.20", false, &[2, 1, 7])]));
    let entry =
        |extensions: &[u8]| seq(&[&seq(&[&[2, 1, 9], &tlv(0x17, b"250101000000Z"), extensions])]);
    let reason = |n: u8| seq(&[&extension("2.5.29.21", false, &[10, 1, n])]);
    let cases: [(&[&str], Vec<u8>); 12] = [
        (&[], crl(&v2, &next, &entry(&reason(1)), &number)),
        (&[], crl(&[], &next, &entry(&[]), &[])),
        (&["crl-version"], crl(&[2, 1, 2], &next, &[], &[])),
        (&["crl-version-extensions"], crl(&[], &next, &[], &number)),
        (&["crl-version-extensions"], crl(&[], &next, &entry(&reason(1)), &[])),
        (&["crl-next-update"], crl(&v2, &[], &[], &[])),
        (&["crl-update-order"], crl(&v2, &tlv(0x17, b"240101000000Z"), &[], &[])),
        (&["crl-revoked-empty"], crl(&v2, &next, &[0x30, 0], &[])),
        (&["crl-reason-unknown"], crl(&v2, &next, &entry(&reason(7)), &[])),
        (&["extensions-empty"], crl(&v2, &next, &entry(&[0x30, 0]), &[])),
        (&["crl-number-range"], {
            let number = extension("2.5.29.20", false, &[2, 1, 0xff]);
            crl(&v2, &next, &[], &tlv(0xa0, &seq(&[&number])))
        }),
        (&["issuing-distribution-point-empty"], {
            let point = extension("2.5.29.28", true, &[0x30, 0]);
            crl(&v2, &next, &[], &tlv(0xa0, &seq(&[&point])))
        }),
    ];
    for (expected, der) in cases {
        assert_eq!(broken_crl(&der), expected);
    }
}
