use super::assemble::assemble;
use super::*;
use crate::asn1::schema::types;
use crate::asn1::sniff;
use proptest::prelude::*;

fn text(export: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    export(&mut out).unwrap();
    assert!(!out.contains(|c: char| c != '\n' && c.is_control()), "{out:?}");
    out
}

fn ascii(object: &[u8]) -> String {
    let text = text(|out| der_ascii(out, object, true));
    assert_eq!(assemble(&text), object, "{text}");
    text
}

/// An Extension keyUsage, a dNSName, a BMPString and a long OCTET STRING.
fn sample() -> Vec<u8> {
    let mut der = b"\x30\x54\x30\x0e\x06\x03\x55\x1d\x0f\x01\x01\xff\x04\x04\x03\x02\x01\x06\
        \x82\x0bexample.org\x1e\x06\x00a\x00\"\x20\x2e\x02\x02\xff\x7f\x04\x29"
        .to_vec();
    der.extend((0..41).map(|i| 0xff - i));
    assert_eq!(der.len(), 0x56);
    der
}

#[test]
fn der_ascii_reads_well() {
    assert_eq!(
        ascii(&sample()),
        "SEQUENCE {\n  SEQUENCE {\n    OBJECT_IDENTIFIER { 2.5.29.15 } # keyUsage\n    \
         BOOLEAN { TRUE }\n    OCTET_STRING {\n      BIT_STRING { b`0000011` }\n    }\n  }\n  \
         [2 PRIMITIVE] { \"example.org\" }\n  BMPString { u\"a\\\"\\u{202e}\" }\n  \
         INTEGER { -129 }\n  OCTET_STRING {\n    \
         `fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0`\n    \
         `dfdedddcdbdad9d8d7`\n  }\n}\n"
    );
    assert_eq!(ascii(&[0x05, 0]), "NULL {}\n");
    assert_eq!(
        ascii(b"\x0c\x08a\\\"\x1b\xc3\xa9\xff\n"),
        "UTF8String { \"a\\\\\\\"\\x1b\u{e9}\\xff\\n\" }\n"
    );
    assert_eq!(ascii(&[0x0d, 2, 0x88, 0x01]), "RELATIVE_OID { .1025 }\n");
    assert_eq!(
        ascii(&[0x03, 6, 0, 0x30, 3, 0x02, 1, 5]),
        "BIT_STRING {\n  `00`\n  SEQUENCE {\n    INTEGER { 5 }\n  }\n}\n"
    );
}

#[test]
fn der_ascii_keeps_what_is_not_der() {
    let ber = [0x30, 0x80, 0x24, 0x80, 0x04, 0x81, 1, 0xaa, 0, 0, 0x02, 2, 0, 5, 0, 0];
    assert_eq!(
        ascii(&ber),
        "SEQUENCE indefinite {\n  [UNIVERSAL 4] indefinite {\n    OCTET_STRING long-form:1 { \
         `aa` }\n  }\n  INTEGER { `0005` }\n}\n"
    );
    // End-of-contents octets with a long length, a cut value, a long tag, broken bits.
    for object in [
        &[0x30, 0x80, 0x05, 0, 0, 0x82, 0, 0][..],
        &[0x30, 0x80, 0x05, 0, 0, 0x81, 0],
        &[0x30, 9, 0x02, 5, 1],
        &[0x30, 0x80, 0x05, 0],
        &[0x1f, 0x80, 0x05, 1, 7],
        &[0xbf, 0x87, 0x68, 2, 5, 0],
        &[0x03, 2, 3, 0xff],
        &[0x03, 1, 4],
        &[0x01, 1, 5, 0xff, 0xff],
        &[0x00, 0x00, 0x04, 0xff],
        &[0x03, 0],
        &[0x06, 2, 0x80, 0x01],
        &[0x1e, 3, 0, 0x61, 0],
    ] {
        ascii(object);
    }
    ascii(&[0x30, 0x80].repeat(1000));
}

#[test]
fn the_tree_has_a_line_a_node() {
    let der = [0x30, 8, 0x17, 2, b'x', 0x1b, 0x17, 0x05, 0, 0];
    let tree = text(|out| tree_text(out, &der, &types::VALIDITY, true, 40));
    let lines: Vec<_> = tree.lines().collect();
    assert_eq!(lines[0], "       0  2        8   0  SEQUENCE  Validity");
    assert!(lines[1].starts_with("       2  2        2   1    UTCTime  notBefore  "), "{tree}");
    assert!(lines[2].contains("notAfter") && lines[2].contains("! length-beyond-end:"), "{tree}");
    let tree = text(|out| tree_text(out, &sample(), &types::CERTIFICATE, true, 40));
    assert!(tree.contains("OBJECT IDENTIFIER") && tree.contains("2.5.29.15 (keyUsage)"), "{tree}");
}

#[test]
fn dumps_read_back() {
    let octets: Vec<u8> = (0..=255).chain(0..7).collect();
    let der = [&[0x30, 0x82, 1, 7][..], &octets].concat();
    for export in [
        text(|out| hex_dump(out, &der, 0)),
        text(|out| hex(out, &der)),
        text(|out| base64(out, &der)),
        text(|out| pem(out, "CERTI\u{1b}FICATE", &der)),
    ] {
        let found: Vec<_> = sniff::objects(export.as_bytes()).collect();
        assert_eq!(found.len(), 1, "{export}");
        assert_eq!(found[0].der, der, "{export}");
        assert_eq!(found[0].error, None);
    }
    assert_eq!(
        text(|out| hex_dump(out, b"0\x1b\xff", 0x10)),
        "00000010  30 1b ff                                          |0..|\n"
    );
    assert_eq!(
        text(|out| c_array(out, "0 a\u{1b}", &[0x30, 0])),
        "static const unsigned char _0_a_[2] = {\n    0x30, 0x00,\n};\n"
    );
    assert_eq!(text(|out| c_array(out, "", &[])), "/* _ has no octets */\n");
}

#[test]
fn a_writer_that_fails_stops_the_export() {
    struct Full(usize);
    impl io::Write for Full {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(octets.len()).ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(octets.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let error = to_io(Full(100), |out| hex(out, &[0; 1000])).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    to_io(Full(100), |out| hex(out, &[0; 10])).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn der_ascii_is_unambiguous(object: Vec<u8>) {
        ascii(&object);
    }

    #[test]
    fn mutated_objects_too(changes: Vec<(prop::sample::Index, u8)>, end: prop::sample::Index) {
        let mut object = sample();
        for (at, octet) in changes.into_iter().take(3) {
            let at = at.index(object.len());
            object[at] = octet;
        }
        object.truncate(end.index(object.len()) + 1);
        ascii(&object);
        text(|out| tree_text(out, &object, &types::CERTIFICATE, true, 60));
    }

    #[test]
    fn strings_of_any_kind(number in 12_u8..31, content: String, bmp: Vec<u16>) {
        let short = |octets: Vec<u8>| octets.into_iter().take(300).collect::<Vec<_>>();
        for content in [short(content.into_bytes()), short(bmp.iter().flat_map(|u| u.to_be_bytes()).collect())] {
            let size = u16::try_from(content.len()).unwrap().to_be_bytes();
            let mut object = match content.len() {
                0..0x80 => vec![number, size[1]],
                0x80..0x100 => vec![number, 0x81, size[1]],
                _ => vec![number, 0x82, size[0], size[1]],
            };
            object.extend(content);
            ascii(&object);
        }
    }
}
