#![no_main]
//! PKCS #7 and CMS, DER and BER: the message, and what is taken out of it.

use libfuzzer_sys::fuzz_target;
use pkiscope::asn1::ber;
use pkiscope::pki::cms::{Content, Message};
use pkiscope::pki::object::{Form, Kind};
use pkiscope_fuzz::{assert_inside, described, unpacked};

fuzz_target!(|octets: &[u8]| {
    described(octets, Form::ContentInfo);
    let taken = unpacked(octets, Kind::Pkcs7);
    let Ok(message) = Message::parse(octets) else { return };
    assert_eq!(message.der(), octets);
    if let Content::Signed(signed) = message.content() {
        if let Some(content) = signed.content() {
            assert_inside(content.span(), octets);
        }
        let held = signed.certificates().iter().chain(signed.crls().iter()).flatten().count();
        if ber::to_der(octets).as_deref() == Ok(octets) {
            assert!(taken.objects.len() <= held, "no more comes out than is in it");
        }
    }
});
