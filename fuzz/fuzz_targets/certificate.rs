#![no_main]
//! Certificates: the view, its strict form, the record, the summary, the exports.

use libfuzzer_sys::fuzz_target;
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::findings::Findings;
use pkiscope::pki::object::Form;
use pkiscope::pki::view::View;
use pkiscope_fuzz::{assert_inside, described};

fuzz_target!(|octets: &[u8]| {
    described(octets, Form::Certificate);
    let lenient = Certificate::parse(octets);
    let strict = Certificate::parse_strict(octets);
    let Ok(certificate) = lenient else {
        assert_eq!(strict.err(), lenient.err(), "what is no certificate is none strictly");
        return;
    };
    let mut findings = Findings::default();
    certificate.violations(&mut findings);
    assert_eq!(strict.is_ok(), findings.is_empty());
    if strict.is_ok() {
        assert_eq!(View::Certificate(certificate).incomplete(), None);
        assert!(certificate.validity().is_ok());
        assert!(certificate.version().is_some());
    }
    assert_eq!(certificate.der(), octets);
    assert_inside(certificate.issuer().span(), octets);
    assert_inside(certificate.subject().span(), octets);
    assert!(certificate.tbs().len() < octets.len());
    for extension in certificate.extensions().iter().flatten() {
        assert!(octets.as_ptr_range().contains(&extension.oid().as_bytes().as_ptr()));
    }
});
