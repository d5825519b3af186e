#![no_main]
//! CRLs: the view, its entries, the record, the summary, the exports.

use libfuzzer_sys::fuzz_target;
use pkiscope::pki::crl::Crl;
use pkiscope::pki::object::Form;
use pkiscope_fuzz::{assert_inside, described};

fuzz_target!(|octets: &[u8]| {
    described(octets, Form::CertificateList);
    let Ok(crl) = Crl::parse(octets) else { return };
    assert_eq!(crl.der(), octets);
    assert!(crl.tbs().len() < octets.len());
    assert_inside(crl.issuer().span(), octets);
    let entries = crl.revoked().iter().filter(Result::is_ok).count();
    let length = crl.revoked().contents().rest().len() as usize;
    assert!(entries <= length / 2, "an entry has a header");
    if crl.revoked().validate().is_ok() {
        assert_eq!(entries, crl.revoked().iter().count());
    }
});
