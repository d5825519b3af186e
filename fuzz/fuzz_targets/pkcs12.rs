#![no_main]
//! PKCS #12: the outer structure, and unpacking with known passwords and little patience.

use libfuzzer_sys::fuzz_target;
use pkiscope::pki::object::{Form, Kind};
use pkiscope::pki::pkcs12::Pfx;
use pkiscope_fuzz::{assert_inside, assert_quiet, described, unpacked};

fuzz_target!(|octets: &[u8]| {
    described(octets, Form::Pfx);
    for note in unpacked(octets, Kind::Pkcs12).notes {
        assert_quiet(&note.place);
        assert_quiet(&note.kind.to_string());
    }
    let Ok(pfx) = Pfx::parse(octets) else { return };
    assert_eq!(pfx.der(), octets);
    if let Ok(contents) = pfx.contents() {
        assert_inside(contents, octets);
    }
});
