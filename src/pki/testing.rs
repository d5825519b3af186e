//! Helpers for the tests of the views.

use crate::asn1::value::oid;

/// A value: identifier octet, length, contents.
pub(crate) fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match content.len() {
        n @ 0..0x80 => out.push(u8::try_from(n).unwrap()),
        n => {
            let octets = n.to_be_bytes();
            let octets = &octets[octets.iter().take_while(|b| **b == 0).count()..];
            out.push(0x80 | u8::try_from(octets.len()).unwrap());
            out.extend_from_slice(octets);
        }
    }
    out.extend_from_slice(content);
    out
}

/// A SEQUENCE of these values.
#[allow(clippy::needless_pass_by_value, reason = "calls nest, and read better without borrows")]
pub(crate) fn seq<const N: usize>(parts: [Vec<u8>; N]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

/// An OBJECT IDENTIFIER.
pub(crate) fn oid(dotted: &str) -> Vec<u8> {
    tlv(0x06, &oid::encode(dotted).unwrap())
}

/// Calls `f` with every truncation of `der` and with copies in which one octet is changed in
/// a few ways; positions are thinned out to some 3,000 calls.
pub(crate) fn mutations(der: &[u8], mut f: impl FnMut(&[u8])) {
    f(der);
    let step = (der.len() / 500).max(1);
    let mut copy = der.to_vec();
    for i in (0..der.len()).step_by(step) {
        f(&der[..i]);
        for value in [0x00, 0xff, 0x80, der[i].wrapping_add(1), der[i] ^ 0x20] {
            copy[i] = value;
            f(&copy);
        }
        copy[i] = der[i];
    }
}

/// The ids of findings with their offsets.
pub(crate) fn rules(findings: &[crate::asn1::Finding]) -> Vec<(&'static str, u32)> {
    findings.iter().map(|f| (f.rule.id, f.offset)).collect()
}

/// The octets of a PEM block in a fixture.
pub(crate) fn pem(text: &str, label: &str) -> Vec<u8> {
    let begin = format!("-----BEGIN {label}-----");
    let (_, rest) = text.split_once(&begin).unwrap();
    let (body, _) = rest.split_once("-----END").unwrap();
    let body: String = body.split_whitespace().collect();
    data_encoding::BASE64.decode(body.as_bytes()).unwrap()
}

/// A file of `fixtures/samples`.
macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/samples/", $name)).as_slice()
    };
}
pub(crate) use sample;
