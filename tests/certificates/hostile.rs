//! Damage of every kind ends in an error or in findings, never in a panic, and in linear time.

use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crl::Crl;
use pkiscope::pki::findings::Findings;
use pkiscope::pki::record::{CertificateRecord, CrlRecord, FindingRecord};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

use crate::builder::{Parts, SAN, extension, id, seq, tlv};

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
