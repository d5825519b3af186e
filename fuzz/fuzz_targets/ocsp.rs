#![no_main]
//! OCSP requests and responses: the same octets as both.

use libfuzzer_sys::fuzz_target;
use pkiscope::pki::object::{Form, Kind};
use pkiscope::pki::ocsp::{request, response};
use pkiscope_fuzz::{described, unpacked};

fuzz_target!(|octets: &[u8]| {
    described(octets, Form::OcspRequest);
    described(octets, Form::OcspResponse);
    if let Ok(request) = request::Request::parse(octets) {
        assert_eq!(request.der(), octets);
        assert!(request.nonce().is_none_or(|nonce| nonce.len() < octets.len()));
    }
    if let Ok(response) = response::Response::parse(octets) {
        assert_eq!(response.der(), octets);
        let held =
            response.basic().map_or(0, |basic| basic.certificates().iter().flatten().count());
        let taken = unpacked(octets, Kind::OcspResponse);
        assert!(taken.objects.len() <= held, "no more comes out than is in it");
    }
});
