//! Damage of every kind ends in an error or in findings, never in a panic, and in linear time.

use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crl::Crl;
use pkiscope::pki::findings::Findings;
use pkiscope::pki::record::{CertificateRecord, CrlRecord, FindingRecord};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::builder::{Parts, SAN, attribute, extension, id, name, seq, tlv};

/// Does all there is to do with an object; true when it opened.
fn use_all(der: &[u8]) -> bool {
    let mut findings = Findings::default();
    let list = |findings: Findings| {
        let list = findings.into_list();
        assert!(list.iter().all(|f| f.offset as usize <= der.len()));
        FindingRecord::list(&list, |_| String::new())
    };
    let json = if let Ok(certificate) = Certificate::parse(der) {
        certificate.violations(&mut findings);
        serde_json::to_vec(&CertificateRecord::new(&certificate, list(findings)))
    } else if let Ok(crl) = Crl::parse(der) {
        crl.violations(&mut findings);
        serde_json::to_vec(&CrlRecord::new(&crl, list(findings)))
    } else {
        return false;
    };
    assert!(!json.unwrap().is_empty());
    true
}

/// A certificate with an extension of every type that is decoded.
fn rich() -> Vec<u8> {
    let (uri, dns) = (tlv(0x86, b"http://a/"), tlv(0x82, b"a.example"));
    let time = tlv(0x18, b"20250102030405Z");
    let directory =
        tlv(0xa4, &name(&[attribute("2.5.4.3", 12, b"A"), attribute("2.5.4.6", 19, b"DE")]));
    let other = tlv(0xa0, &[id("1.3.6.1.4.1.311.20.2.3"), tlv(0xa0, &tlv(12, b"x@y"))].concat());
    let address = tlv(0x87, &[10, 0, 0, 0, 255, 0, 0, 0]);
    let names = seq(&[&uri, &dns, &directory, &other, &tlv(0x87, &[1, 2, 3, 4])]);
    let ecdsa = seq(&[&id("1.2.840.10045.4.3.2")]);
    let point = seq(&[&tlv(0xa0, &tlv(0xa0, &uri)), &[0x81, 2, 1, 6], &tlv(0xa2, &directory)]);
    let relative = tlv(0xa0, &tlv(0xa1, &attribute("2.5.4.3", 12, b"A")));
    let notice = seq(&[&seq(&[&tlv(12, b"O"), &seq(&[&[2, 1, 1]])]), &tlv(30, &[0, b'N'])]);
    let qualifiers = seq(&[
        &seq(&[&id("1.3.6.1.5.5.7.2.1"), &tlv(22, b"http://a/")]),
        &seq(&[&id("1.3.6.1.5.5.7.2.2"), &notice]),
    ]);
    let mut sct = vec![4, 51, 0, 49, 0, 47, 0];
    sct.extend([7; 32]);
    sct.extend([0, 0, 1, 0x8b, 0xcf, 0xe5, 0x68, 0, 0, 0, 4, 3, 0, 0]);
    let limit = seq(&[&tlv(19, b"EUR"), &[2, 1, 5], &[2, 1, 3]]);
    let statements = seq(&[
        &seq(&[&id("0.4.0.1862.1.2"), &limit]),
        &seq(&[&id("0.4.0.1862.1.5"), &seq(&[&seq(&[&tlv(22, b"http://a/"), &tlv(19, b"de")])])]),
        &seq(&[&id("0.4.0.1862.1.6"), &seq(&[&id("0.4.0.1862.1.6.1")])]),
    ]);
    let values: [(&str, Vec<u8>); 33] = [
        ("2.5.29.9", seq(&[&seq(&[&id("1.2.3"), &tlv(0x31, &time)])])),
        ("2.5.29.14", vec![4, 1, 7]),
        ("2.5.29.15", vec![3, 2, 1, 6]),
        ("2.5.29.16", seq(&[&tlv(0x80, b"20250102030405Z")])),
        ("2.5.29.17", names.clone()),
        ("2.5.29.18", names),
        ("2.5.29.19", seq(&[&[1, 1, 0xff], &[2, 1, 0]])),
        ("2.5.29.20", vec![2, 1, 9]),
        ("2.5.29.21", vec![10, 1, 1]),
        ("2.5.29.23", id("1.2.840.10040.2.1")),
        ("2.5.29.24", time.clone()),
        ("2.5.29.28", seq(&[&relative, &[0x84, 1, 0xff]])),
        ("2.5.29.30", seq(&[&tlv(0xa0, &seq(&[&address])), &tlv(0xa1, &seq(&[&directory]))])),
        ("2.5.29.31", seq(&[&point])),
        ("2.5.29.32", seq(&[&seq(&[&id("1.2.3"), &qualifiers])])),
        ("2.5.29.33", seq(&[&seq(&[&id("1.2.3"), &id("1.2.4")])])),
        ("2.5.29.35", seq(&[&[0x80, 1, 7], &tlv(0xa1, &directory), &[0x82, 1, 9]])),
        ("2.5.29.36", seq(&[&[0x80, 1, 0], &[0x81, 1, 1]])),
        ("2.5.29.37", seq(&[&id("1.3.6.1.5.5.7.3.1")])),
        ("2.5.29.54", vec![2, 1, 0]),
        ("1.3.6.1.5.5.7.1.1", seq(&[&seq(&[&id("1.3.6.1.5.5.7.48.1"), &uri])])),
        ("1.3.6.1.5.5.7.1.3", statements),
        ("1.3.6.1.5.5.7.1.24", seq(&[&[2, 1, 5]])),
        ("1.3.6.1.5.5.7.1.38", seq(&[&ecdsa, &[2, 1, 1], &[2, 1, 2]])),
        ("1.3.6.1.5.5.7.48.1.5", vec![5, 0]),
        ("1.3.6.1.5.5.7.48.1.3", seq(&[&tlv(0xa1, &[2, 1, 9]), &tlv(0xa2, &time)])),
        ("1.3.6.1.5.5.7.48.1.8", seq(&[&seq(&[&ecdsa, &ecdsa])])),
        ("1.3.6.1.4.1.11129.2.4.2", sct),
        ("1.2.840.113549.1.9.15", seq(&[&ecdsa])),
        ("2.16.840.1.113730.1.1", vec![3, 2, 6, 0x40]),
        ("2.16.840.1.113730.1.13", tlv(22, b"comment")),
        ("1.3.6.1.4.1.311.21.1", vec![2, 3, 1, 0, 2]),
        ("1.3.6.1.4.1.311.21.7", seq(&[&id("1.2.3"), &[2, 1, 1], &[2, 1, 2]])),
    ];
    Parts::extended(&values.map(|(oid, value)| extension(oid, false, &value))).der()
}

#[test]
fn every_type_of_extension_is_decoded() {
    let der = rich();
    for extension in &Certificate::parse(&der).unwrap().extensions() {
        let extension = extension.unwrap();
        assert!(matches!(extension.value(), Ok(Some(_))), "{}", extension.oid());
    }
}

#[test]
fn a_changed_octet_in_an_extension_is_an_error_or_a_change() {
    let mut damaged = rich();
    for i in 0..damaged.len() {
        let good = damaged[i];
        for bad in [0, 1, 0x7f, 0x80, 0xff, good ^ 1, good ^ 0x20] {
            damaged[i] = bad;
            use_all(&damaged);
        }
        damaged[i] = good;
    }
    assert!(use_all(&damaged));
}

#[test]
fn a_changed_octet_is_an_error_or_a_change() {
    for der in TLS_SERVER_ROOT_CERTS.iter().step_by(12) {
        let mut damaged = der.to_vec();
        for i in 0..damaged.len() {
            let good = damaged[i];
            for bad in [0, 0xff, good ^ 1, good ^ 0x20, good ^ 0x80] {
                damaged[i] = bad;
                use_all(&damaged);
            }
            damaged[i] = good;
        }
        assert!(use_all(&damaged));
    }
}

#[test]
fn a_cut_certificate_does_not_open() {
    for der in TLS_SERVER_ROOT_CERTS.iter().step_by(20) {
        for end in 0..der.len() {
            assert!(Certificate::parse(&der[..end]).is_err());
        }
        assert!(Certificate::parse(&[der, &[0][..]].concat()).is_err());
    }
}

#[test]
fn many_small_things_take_linear_time_and_bounded_findings() {
    // 200,000 names without characters: each breaks a rule.
    let names = tlv(0x30, &[0x82, 0].repeat(200_000));
    let many_names = Parts::extended(&[extension(SAN, false, &names)]).der();
    // 50,000 times the same extension, and as many with different identifiers.
    let same = vec![extension("2.5.29.14", false, &[4, 0]); 50_000];
    let different: Vec<Vec<u8>> =
        (0..50_000).map(|n| extension(&format!("1.2.{n}"), false, b"")).collect();
    // 100,000 policies.
    let policies: Vec<Vec<u8>> = (0..100_000).map(|n| seq(&[&id(&format!("1.2.{n}"))])).collect();
    let policies = seq(&policies.iter().map(Vec::as_slice).collect::<Vec<_>>());
    for der in [
        many_names,
        Parts::extended(&same).der(),
        Parts::extended(&different).der(),
        Parts::extended(&[extension("2.5.29.32", false, &policies)]).der(),
        Parts::with(|p| p.subject = tlv(0x30, &[0x31, 0].repeat(100_000))).der(),
        Parts::with(|p| p.serial = tlv(2, &vec![0x7f; 1 << 20])).der(),
    ] {
        assert!(use_all(&der));
        let mut findings = Findings::default();
        Certificate::parse(&der).unwrap().violations(&mut findings);
        assert!(findings.into_list().len() <= Findings::LIMIT + 1);
    }
}

#[test]
fn a_long_crl_is_walked_not_collected() {
    let p = Parts::default();
    let time = tlv(0x17, b"250101000000Z");
    // Serials with padding: each entry breaks a rule.
    let revoked = tlv(0x30, &seq(&[&[2, 2, 0, 1], &time]).repeat(300_000));
    let tbs = seq(&[&[2, 1, 1], &p.algorithm, &p.issuer, &time, &time, &revoked]);
    let der = seq(&[&tbs, &p.outer_algorithm, &p.signature]);
    let crl = Crl::parse(&der).unwrap();
    assert_eq!(crl.revoked().iter().flatten().count(), 300_000);
    let mut findings = Findings::default();
    crl.violations(&mut findings);
    let list = findings.into_list();
    assert_eq!(list.len(), Findings::LIMIT + 1);
    assert_eq!(list.last().unwrap().rule.id, "findings-omitted");
}
