//! Sizes of keys and curves are those of OpenSSL.

use openssl::asn1::Asn1Object;
use openssl::ec::EcGroup;
use openssl::nid::Nid;
use openssl::pkey::PKey;
use pkiscope::asn1::Reader;
use pkiscope::asn1::value::oid;
use pkiscope::pki::curve;
use pkiscope::pki::list::Decode;
use pkiscope::pki::spki::PublicKey;

use crate::builder::{id, seq, tlv};

#[test]
fn curves_have_the_sizes_of_openssl() {
    let arcs = (1..40)
        .map(|n| format!("1.3.132.0.{n}"))
        .chain((1..8).map(|n| format!("1.2.840.10045.3.1.{n}")))
        .chain((1..15).map(|n| format!("1.3.36.3.3.2.8.1.1.{n}")))
        .chain(["1.2.156.10197.1.301".to_owned()]);
    let mut compared = 0;
    for text in arcs {
        let nid = Asn1Object::from_str(&text).unwrap().nid();
        let Some(group) = (nid != Nid::UNDEF).then(|| EcGroup::from_curve_name(nid)) else {
            continue;
        };
        let Ok(group) = group else { continue };
        let contents = oid::encode(&text).unwrap();
        assert_eq!(curve::bits(&contents), Some(u64::from(group.order_bits())), "{text}");
        let field = usize::try_from(group.degree().div_ceil(8)).unwrap();
        assert_eq!(curve::field_octets(&contents), Some(field), "{text}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} curves compared");
}

#[test]
fn key_sizes_are_those_of_openssl() {
    let raw = |oid: &str, octets: usize| seq(&[&seq(&[&id(oid)]), &tlv(3, &vec![0; octets + 1])]);
    let nist = |n: u32| format!("2.16.840.1.101.3.4.{n}");
    let mut keys = vec![
        PKey::generate_x25519().unwrap().public_key_to_der().unwrap(),
        PKey::generate_x448().unwrap().public_key_to_der().unwrap(),
        PKey::generate_ed25519().unwrap().public_key_to_der().unwrap(),
        PKey::generate_ed448().unwrap().public_key_to_der().unwrap(),
    ];
    for (n, octets) in [(17, 1312), (18, 1952), (19, 2592)] {
        keys.push(raw(&format!("{}.{n}", nist(3)), octets));
    }
    for (n, octets) in [(20, 32), (22, 48), (25, 64), (27, 32), (29, 48), (31, 64)] {
        keys.push(raw(&format!("{}.{n}", nist(3)), octets));
    }
    for (n, octets) in [(1, 800), (2, 1184), (3, 1568)] {
        keys.push(raw(&format!("{}.{n}", nist(4)), octets));
    }
    for der in keys {
        let theirs = PKey::public_key_from_der(&der).unwrap().bits();
        let ours = PublicKey::decode(&mut Reader::new(&der)).unwrap();
        assert_eq!(ours.bits(), Some(u64::from(theirs)), "{:?}", ours.algorithm().name());
        assert!(ours.algorithm().name().is_some());
    }
}
