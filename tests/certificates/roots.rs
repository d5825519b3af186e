//! Mozilla's roots: all open, and say what OpenSSL says.

use openssl::asn1::{Asn1Object, Asn1Time, Asn1TimeRef};
use openssl::x509::X509;
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::findings::Findings;
use pkiscope::pki::record::{CertificateRecord, FindingRecord};
use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

#[test]
fn roots_say_what_openssl_says() {
    assert!(TLS_SERVER_ROOT_CERTS.len() > 100);
    for der in TLS_SERVER_ROOT_CERTS {
        let ours = Certificate::parse(der).unwrap();
        let theirs = X509::from_der(der).unwrap();
        let serial = theirs.serial_number().to_bn().unwrap().to_vec();
        let mut padded = ours.serial();
        while let [0, rest @ ..] = padded {
            padded = rest;
        }
        assert_eq!(padded, serial);
        assert_eq!(ours.version(), Some(u64::try_from(theirs.version()).unwrap() + 1));
        let epoch = Asn1Time::from_unix(0).unwrap();
        let unix = |t: &Asn1TimeRef| {
            let span = epoch.diff(t).unwrap();
            i64::from(span.days) * 86_400 + i64::from(span.secs)
        };
        let (first, last) = ours.validity().unwrap();
        assert_eq!(first.unix_seconds(), unix(theirs.not_before()));
        assert_eq!(last.unix_seconds(), unix(theirs.not_after()));
        for (name, reference) in
            [(ours.issuer(), theirs.issuer_name()), (ours.subject(), theirs.subject_name())]
        {
            let texts: Vec<String> =
                name.attributes().map(|a| a.unwrap().text().unwrap().into_owned()).collect();
            let expected: Vec<String> =
                reference.entries().map(|e| e.data().to_string().unwrap()).collect();
            assert_eq!(texts, expected);
        }
        let key = theirs.public_key().unwrap();
        assert_eq!(ours.public_key().bits(), Some(u64::from(key.bits())));
        assert_eq!(ours.public_key().der(), key.public_key_to_der().unwrap());
        assert_eq!(ours.signature(), theirs.signature().as_slice());
        let algorithm =
            Asn1Object::from_str(&ours.signature_algorithm().oid().to_string()).unwrap();
        assert_eq!(algorithm.nid(), theirs.signature_algorithm().object().nid());
        assert!(ours.is_ca() && ours.is_self_issued());
    }
}

/// The rules that trusted roots break. Whoever adds a rule sees here whether it is a rule that
/// the world keeps.
#[test]
fn roots_break_few_rules() {
    let mut broken: Vec<&str> = Vec::new();
    for der in TLS_SERVER_ROOT_CERTS {
        let mut findings = Findings::default();
        Certificate::parse(der).unwrap().violations(&mut findings);
        let list = findings.into_list();
        assert_eq!(list.is_empty(), Certificate::parse_strict(der).is_ok());
        broken.extend(list.iter().map(|f| f.rule.id));
    }
    broken.sort_unstable();
    broken.dedup();
    assert_eq!(broken, EXPECTED);
}

const EXPECTED: [&str; 2] = ["serial-positive", "time-choice"];

#[test]
fn records_have_the_fields_of_the_batch_contract() {
    for der in TLS_SERVER_ROOT_CERTS {
        let certificate = Certificate::parse(der).unwrap();
        let mut findings = Findings::default();
        certificate.violations(&mut findings);
        let findings = FindingRecord::list(&findings.into_list(), |_| String::from("path"));
        let json = serde_json::to_value(CertificateRecord::new(&certificate, findings)).unwrap();
        for field in ["serial_number", "not_before", "not_after"] {
            assert!(json[field].is_string(), "{field}");
        }
        assert!(json["version"].is_u64() && json["public_key"]["bits"].is_u64());
        assert!(json["findings"].is_array());
        for (object, fields) in [
            ("issuer", &["text", "attributes"][..]),
            ("subject", &["text", "attributes"]),
            ("signature_algorithm", &["oid", "name"]),
            ("public_key", &["oid", "name", "bits", "sha256"]),
            ("fingerprints", &["sha1", "sha256"]),
        ] {
            for field in fields {
                assert!(!json[object][field].is_null(), "{object}.{field}");
            }
        }
        for extension in json["extensions"].as_array().unwrap() {
            assert!(extension["oid"].is_string() && extension["critical"].is_boolean());
            assert!(extension.get("name").is_some());
            assert!(extension["value"].is_object() && extension["value"].get("error").is_none());
        }
    }
}
