//! What records say of the less common shapes.

use pkiscope::asn1::{Reader, Span};
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::name::Name;
use pkiscope::pki::record::CertificateRecord;
use serde_json::{Value, json};

use crate::builder::{Parts, SAN, attribute, extension, id, name, seq, tlv};

fn text(der: &[u8]) -> String {
    Name::of(der, Reader::new(der).rest()).to_text()
}

/// The `value` of the only extension of a certificate.
fn value(oid: &str, der: &[u8]) -> Value {
    let der = Parts::extended(&[extension(oid, false, der)]).der();
    let certificate = Certificate::parse(&der).unwrap();
    let json = serde_json::to_value(CertificateRecord::new(&certificate, Vec::new())).unwrap();
    json["extensions"][0]["value"].clone()
}

#[test]
fn names_are_written_as_rfc_4514_writes_them() {
    let cn = |value: &str| text(&name(&[attribute("2.5.4.3", 12, value.as_bytes())]));
    // The examples of RFC 4514 4.
    assert_eq!(cn("James \"Jim\" Smith, III"), r#"CN=James \"Jim\" Smith\, III"#);
    assert_eq!(cn("Before\rAfter"), r"CN=Before\0DAfter");
    let dc = |value: &[u8]| attribute("0.9.2342.19200300.100.1.25", 22, value);
    let uid = attribute("0.9.2342.19200300.100.1.1", 12, b"jsmith");
    assert_eq!(text(&name(&[dc(b"net"), dc(b"example"), uid])), "UID=jsmith,DC=example,DC=net");
    let ou = attribute("2.5.4.11", 12, b"Sales");
    let jim = attribute("2.5.4.3", 12, b"J.  Smith");
    let multi = seq(&[&tlv(0x31, &dc(b"net")), &tlv(0x31, &[ou, jim].concat())]);
    assert_eq!(text(&multi), "OU=Sales+CN=J.  Smith,DC=net");
    let unknown = name(&[attribute("1.3.6.1.4.1.1466.0", 4, b"Hi")]);
    assert_eq!(text(&unknown), "1.3.6.1.4.1.1466.0=#04024869");
    // The examples of the Merkle tree certificates draft.
    let anchor = name(&[attribute("1.3.6.1.5.5.7.25.3", 13, &[0x81, 0xfd, 0x59, 1])]);
    assert_eq!(text(&anchor), "1.3.6.1.5.5.7.25.3=#0d0481fd5901");
    assert_eq!(cn(""), "CN=");
    assert_eq!(cn("#a"), r"CN=\#a");
    assert_eq!(cn(" "), r"CN=\ ");
    assert_eq!(cn(" a b "), r"CN=\ a b\ ");
    assert_eq!(cn("a=b;c<d>e\\f+g"), r"CN=a=b\;c\<d\>e\\f\+g");
    assert_eq!(cn("\0"), r"CN=\00");
    assert_eq!(cn("Lučić"), "CN=Lučić");
    assert_eq!(text(&[0x30, 0]), "");
}

#[test]
fn nothing_in_a_name_reaches_a_terminal_raw() {
    let cn = |value: &str| text(&name(&[attribute("2.5.4.3", 12, value.as_bytes())]));
    assert_eq!(cn("\x1b[2J"), r"CN=\1B[2J");
    assert_eq!(cn("a\u{202e}b"), r"CN=a\E2\80\AEb");
    assert_eq!(cn("a\u{200b}\u{9b}b"), r"CN=a\E2\80\8B\C2\9Bb");
    // A BMPString and a TeletexString with the same.
    let wide = name(&[attribute("2.5.4.3", 30, &[0, b'a', 0x20, 0x2e])]);
    assert_eq!(text(&wide), r"CN=a\E2\80\AE");
    assert_eq!(text(&name(&[attribute("2.5.4.3", 20, b"\x9bx")])), r"CN=\C2\9Bx");
}

#[test]
fn a_broken_name_is_written_as_far_as_it_reads() {
    let mut der = name(&[attribute("2.5.4.3", 12, b"A"), attribute("2.5.4.10", 12, b"B")]);
    let at = der.len() - 1;
    der[at - 1] = 9; // the length of the last value
    assert_eq!(text(&der), "<malformed>,CN=A");
    assert_eq!(
        text(&seq(&[&tlv(0x31, &attribute("2.5.4.3", 12, b"A")), &[5, 0]])),
        "<malformed>,CN=A"
    );
    // A span beyond the object is no reason to panic.
    assert_eq!(Name::of(&der, Span::new(500, 600)).to_text(), "");
}

#[test]
fn long_names_are_linear() {
    let rdn = tlv(0x31, &attribute("2.5.4.3", 12, b"x"));
    let der = tlv(0x30, &rdn.repeat(100_000));
    let text = text(&der);
    assert_eq!(text.len(), 100_000 * 5 - 1);
    assert!(text.starts_with("CN=x,CN=x,"));
}

#[test]
fn all_kinds_of_general_names() {
    let upn = [id("1.3.6.1.4.1.311.20.2.3"), tlv(0xa0, &tlv(12, "ü@x".as_bytes()))].concat();
    let directory = name(&[attribute("2.5.4.3", 12, b"a,b")]);
    let names = [
        tlv(0xa0, &upn),
        tlv(0x81, b"a@b.c"),
        tlv(0x82, b"xn--bcher-kva.example"),
        tlv(0xa3, &[5, 0]),
        tlv(0xa4, &directory),
        tlv(0xa5, &[0x81, 0]),
        tlv(0x86, b"https://a/"),
        tlv(0x87, &[192, 0, 2, 1]),
        tlv(0x87, &[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        tlv(0x88, &[0x2a, 3]),
    ];
    let parts: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
    let expected = json!({"names": [
        {"type": "other", "oid": "1.3.6.1.4.1.311.20.2.3", "name": null, "value": "ü@x"},
        {"type": "email", "value": "a@b.c"},
        {"type": "dns", "value": "xn--bcher-kva.example"},
        {"type": "x400", "value": "0500"},
        {"type": "directory", "value": "CN=a\\,b"},
        {"type": "edi-party", "value": "8100"},
        {"type": "uri", "value": "https://a/"},
        {"type": "ip", "value": "192.0.2.1"},
        {"type": "ip", "value": "2001:db8::1"},
        {"type": "registered-id", "oid": "1.2.3", "name": null, "value": "1.2.3"},
    ]});
    let mut value = value(SAN, &seq(&parts));
    // The table of names grows; that there is a field for the name is what counts.
    *value.pointer_mut("/names/0/name").unwrap() = Value::Null;
    assert_eq!(value, expected);
}

#[test]
fn values_of_extensions() {
    let constraints = seq(&[&tlv(0xa1, &seq(&[&tlv(0x87, &[10, 0, 0, 0, 255, 0, 0, 0])]))]);
    assert_eq!(
        value("2.5.29.30", &constraints),
        json!({"excluded": [{"base": {"type": "ip", "value": "10.0.0.0/8"}}]})
    );
    assert_eq!(value("2.5.29.15", &[3, 2, 1, 6]), json!({"usages": ["keyCertSign", "cRLSign"]}));
    assert_eq!(
        value("2.5.29.19", &seq(&[&[1, 1, 0xff], &[2, 1, 3]])),
        json!({"ca": true, "path_length": 3})
    );
    let point = seq(&[&tlv(0xa0, &tlv(0xa0, &tlv(0x86, b"http://a/b.crl")))]);
    assert_eq!(
        value("2.5.29.31", &seq(&[&point])),
        json!({"points": [{"full_name": [{"type": "uri", "value": "http://a/b.crl"}]}]})
    );
    let cps = seq(&[&id("1.3.6.1.5.5.7.2.1"), &tlv(22, b"http://a/")]);
    let policy = seq(&[&id("2.23.140.1.2.1"), &seq(&[&cps])]);
    let policies = value("2.5.29.32", &seq(&[&policy]));
    assert_eq!(policies["policies"][0]["oid"], "2.23.140.1.2.1");
    assert_eq!(policies["policies"][0]["qualifiers"][0]["cps"], "http://a/");
    let limit = seq(&[&tlv(19, b"EUR"), &[2, 1, 5], &[2, 1, 3]]);
    let statement = seq(&[&id("0.4.0.1862.1.2"), &limit]);
    assert_eq!(
        value("1.3.6.1.5.5.7.1.3", &seq(&[&statement]))["statements"][0]["limit_value"],
        json!({"currency": "EUR", "amount": "5", "exponent": "3"})
    );
    let mtc = seq(&[
        &seq(&[&id("2.16.840.1.101.3.4.3.17")]),
        &[2, 7, 1, 0, 0, 0, 0, 0, 0],
        &[2, 7, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    ]);
    let mtc = value("1.3.6.1.5.5.7.1.38", &mtc);
    assert_eq!(mtc["min_serial"], "281474976710656");
    assert_eq!(mtc["signature_algorithm"]["oid"], "2.16.840.1.101.3.4.3.17");
}

#[test]
fn values_of_ocsp_extensions() {
    let arc = "1.3.6.1.5.5.7.48.1";
    assert_eq!(value(&format!("{arc}.2"), &[4, 2, 0xab, 1]), json!({"octets": "ab01"}));
    let time = tlv(0x18, b"20250102030405Z");
    assert_eq!(value(&format!("{arc}.6"), &time), json!({"date": "2025-01-02T03:04:05Z"}));
    let reference =
        seq(&[&tlv(0xa0, &tlv(22, b"http://a/")), &tlv(0xa1, &[2, 1, 9]), &tlv(0xa2, &time)]);
    assert_eq!(
        value(&format!("{arc}.3"), &reference),
        json!({"url": "http://a/", "number": "9", "time": "2025-01-02T03:04:05Z"})
    );
    let types = value(&format!("{arc}.4"), &seq(&[&id("1.3.6.1.5.5.7.48.1.1")]));
    assert_eq!(types["response_types"][0]["oid"], "1.3.6.1.5.5.7.48.1.1");
    let issuer = name(&[attribute("2.5.4.3", 12, b"A")]);
    assert_eq!(value(&format!("{arc}.7"), &seq(&[&issuer]))["issuer"]["text"], "CN=A");
    let preferred = seq(&[&seq(&[&seq(&[&id("1.2.840.10045.4.3.2")])])]);
    assert_eq!(
        value(&format!("{arc}.8"), &preferred)["algorithms"][0]["signature_algorithm"]["oid"],
        "1.2.840.10045.4.3.2"
    );
}

#[test]
fn unknown_and_broken_values_are_not_lost() {
    assert_eq!(value("1.3.6.1.4.1.99999.1", b"\x01\xffz"), json!({"der": "01ff7a"}));
    let broken = value(SAN, &[0x30, 5, 0x82, 1]);
    assert_eq!(broken["der"], "30058201");
    assert_eq!(broken["error"]["rule"], "length-beyond-end");
    assert!(broken["error"]["offset"].is_u64());
}
