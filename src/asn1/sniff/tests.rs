use super::*;
use data_encoding::{BASE64, BASE64_MIME, BASE64URL_NOPAD, HEXLOWER};
use proptest::prelude::*;

/// SEQUENCE { OBJECT IDENTIFIER 2.5.4.3, UTF8String "pkiscope" } and a longer SEQUENCE.
const SMALL: &[u8] = b"\x30\x0f\x06\x03\x55\x04\x03\x0c\x08pkiscope";

fn large() -> Vec<u8> {
    let mut der = vec![0x30, 0x82, 0x01, 0x04, 0x04, 0x82, 0x01, 0x00];
    der.extend(0..=255_u8);
    der
}

fn block(label: &str, der: &[u8]) -> String {
    let mut text = String::new();
    pem::write(&mut text, label, der).unwrap();
    text
}

/// All entries, after the check that they cover the source and open again by their marks.
fn list(source: &[u8]) -> Vec<Found<'_>> {
    let found: Vec<_> = objects(source).collect();
    let mut at = 0;
    for entry in &found {
        assert_eq!(entry.offset, at, "{found:?}");
        assert!(entry.length > 0 || source.is_empty());
        assert!(!entry.der.is_empty() || entry.error.is_some() || entry.is_text());
        assert_eq!(open(source, entry.mark).as_ref(), Some(entry));
        at += entry.length;
    }
    assert_eq!(at, source.len() as u64);
    found
}

fn show(source: &[u8]) -> Vec<String> {
    let fault = |sign, fault: &Fault| format!(" {sign}{}@{}", fault.rule.id, fault.offset);
    let line = |f: &Found| {
        let label = f.label.as_ref().map(|label| format!(" [{label}]"));
        [
            format!("{}+{} {} {}", f.offset, f.length, f.encoding.as_str(), f.der.len()),
            label.unwrap_or_default(),
            f.error.as_ref().map(|e| fault('!', e)).unwrap_or_default(),
            f.notes.iter().map(|n| fault('~', n)).collect(),
        ]
        .concat()
    };
    list(source).iter().map(line).collect()
}

#[test]
fn binary_values_one_after_the_other() {
    assert_eq!(show(SMALL), ["0+17 der 17"]);
    assert_eq!(show(&[SMALL, SMALL].concat()), ["0+17 der 17", "17+17 der 17"]);
    assert_eq!(
        show(&[SMALL, &[0; 7], &large(), b"\n"].concat()),
        [
            "0+17 der 17",
            "17+7 unknown 0 !padding-zeros@17",
            "24+264 der 264",
            "288+1 unknown 0 !trailing-octets@288"
        ]
    );
    assert_eq!(show(&[0x30, 0x80, 5, 0, 0, 0]), ["0+6 ber 6"]);
    assert_eq!(show(&large()[..100]), ["0+100 der 100 !length-beyond-end@1"]);
    assert_eq!(
        show(&[SMALL, &large()[..100]].concat()),
        ["0+17 der 17", "17+100 der 100 !length-beyond-end@18"]
    );
    assert_eq!(show(b""), ["0+0 unknown 0 !empty-input@0"]);
}

#[test]
fn pem_with_text_around() {
    let text = format!("first\n{}between\r\n{}", block("A", SMALL), block("B", &large()));
    assert_eq!(
        show(text.as_bytes()),
        ["0+6 text 0", "6+59 pem 17 [A]", "65+9 text 0", "74+392 pem 264 [B]"]
    );
    let one_line = format!("{{\"cert\": \"{}\"}}", block("A", &large()).replace('\n', "\\n"));
    assert_eq!(show(one_line.as_bytes())[1..], ["10+398 pem 264 [A]", "408+4 text 0"]);
    let indented = block("A", &large()).replace('\n', "\r\n    ");
    assert_eq!(show(indented.as_bytes())[0], "0+428 pem 264 [A]");
    let bom = format!("\u{feff}{}", block("A", SMALL));
    assert_eq!(show(bom.as_bytes()), ["0+3 text 0", "3+59 pem 17 [A]"]);
}

#[test]
fn pem_that_is_broken() {
    let whole = block("A", SMALL);
    let cut = &whole[..30];
    assert_eq!(show(cut.as_bytes()), ["0+30 pem 9 [A] !pem-end-missing@0"]);
    let bare = whole.replace("-----END A-----\n", "");
    assert_eq!(
        show(format!("{bare}{whole}").as_bytes()),
        ["0+43 pem 17 [A] !pem-end-missing@0", "43+59 pem 17 [A]"]
    );
    let wrong = whole.replace("END A", "END B");
    assert_eq!(show(wrong.as_bytes()), ["0+59 pem 17 [A] ~pem-label-mismatch@52"]);
    assert_eq!(list(wrong.as_bytes())[0].notes[0].detail.as_deref(), Some("A and B"));
    let stray = format!("{whole}-----END A-----\n");
    assert_eq!(show(stray.as_bytes())[1], "59+16 text 0 !pem-begin-missing@59");
    let mut bad = whole.clone().into_bytes();
    bad[30] = b'%';
    assert_eq!(show(&bad), ["0+59 pem 9 [A] !base64-character@30"]);
    assert_eq!(
        list(&bad)[0].error.as_ref().unwrap().to_string(),
        "at offset 30: a character outside the base64 alphabet: '%' (RFC 4648 3.3)"
    );
    assert_eq!(show(b"-----BEGIN A-----\n-----END A-----\n"), ["0+34 pem 0 [A] !pem-empty@0"]);
    let foreign = block("OPENSSH PRIVATE KEY", SMALL);
    assert_eq!(show(foreign.as_bytes()), ["0+95 pem 0 [OPENSSH PRIVATE KEY] !pem-foreign@0"]);
}

#[test]
fn pem_with_several_values_or_headers() {
    let two = block("A", &[SMALL, SMALL, &[0xff, 0xff]].concat());
    assert_eq!(
        show(two.as_bytes()),
        ["0+40 pem 17 [A]", "40+23 pem 17 [A]", "63+20 pem 0 [A] !trailing-octets@63"]
    );
    let encrypted = block("RSA PRIVATE KEY", &[0xaa; 16]).replacen(
        '\n',
        "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n",
        1,
    );
    let found = list(encrypted.as_bytes());
    assert_eq!(found[0].headers.len(), 2);
    assert_eq!(found[0].der, &[0xaa; 16][..]);
    assert_eq!(found[0].error.as_ref().unwrap().rule.id, "pem-encrypted");
}

#[test]
fn bare_base64_and_hex() {
    let der = large();
    let mime = BASE64_MIME.encode(&der);
    assert_eq!(show(mime.as_bytes()), [format!("0+{} base64 264", mime.len())]);
    let url = BASE64URL_NOPAD.encode(SMALL);
    assert_eq!(show(url.as_bytes()), ["0+23 base64 17"]);
    let lines = format!("{}\n{}\n", BASE64.encode(SMALL), BASE64.encode(SMALL));
    assert_eq!(show(lines.as_bytes()), ["0+25 base64 17", "25+25 base64 17"]);
    let hex = HEXLOWER.encode(&der);
    assert_eq!(show(hex.as_bytes()), ["0+528 hex 264"]);
    assert_eq!(show(&hex.as_bytes()[..40]), ["0+40 hex 20 !length-beyond-end@2"]);
    assert_eq!(
        show(format!("{} {} 00", HEXLOWER.encode(SMALL), HEXLOWER.encode(SMALL)).as_bytes()),
        ["0+35 hex 17", "35+35 hex 17", "70+2 hex 0 !padding-zeros@70"]
    );
    // A value of 25 octets: its hexadecimal text is itself one value of 50 octets.
    let short = [&[0x30, 0x17, 0x04, 0x15][..], &[0x41; 21]].concat();
    assert_eq!(show(HEXLOWER.encode(&short).as_bytes()), ["0+50 hex 25"]);
    let string = b"\x04\x05hello";
    assert_eq!(show(BASE64.encode(string).as_bytes()), ["0+12 base64 7"]);
    let mut bad = mime.into_bytes();
    bad[400 - 64] = b'!';
    let error = list(&bad)[0].error.clone().unwrap();
    assert_eq!((error.rule.id, error.offset), ("base64-character", 336));
}

#[test]
fn binary_that_looks_like_text() {
    // UTF8String of 32 printable characters: no control octet but form feed.
    let value = [&b"\x0c\x20"[..], &[b'x'; 32]].concat();
    assert_eq!(show(&value), ["0+34 der 34"]);
    // SEQUENCE whose length octet is '0'.
    let value = [&b"\x30\x30\x04\x2e"[..], &[b'A'; 46]].concat();
    assert_eq!(show(&value), ["0+50 der 50"]);
    assert_eq!(show(b"just some words, nothing else\n"), ["0+30 unknown 0 !no-object@0"]);
    // PEM inside a DER string is the string's business.
    let inner = block("A", SMALL);
    let value = [&[0x04, u8::try_from(inner.len()).unwrap()], inner.as_bytes()].concat();
    assert_eq!(show(&value), ["0+61 der 61"]);
}

#[test]
fn binary_and_pem_in_one_file() {
    let text = block("A", SMALL);
    assert_eq!(
        show(&[text.as_bytes(), SMALL, &[0xff, 0xff], text.as_bytes()].concat()),
        [
            "0+59 pem 17 [A]",
            "59+17 der 17",
            "76+2 unknown 0 !trailing-octets@76",
            "78+59 pem 17 [A]"
        ]
    );
    let latin1 = [b"\xdcberschrift\n", text.as_bytes()].concat();
    assert_eq!(show(&latin1), ["0+12 text 0", "12+59 pem 17 [A]"]);
    let nul = [b"a\0b\n", text.as_bytes()].concat();
    assert_eq!(show(&nul), ["0+4 text 0", "4+59 pem 17 [A]"]);
}

#[test]
fn utf16_text() {
    let text = format!("\u{feff}{}", block("A", SMALL));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(show(&utf16), ["0+2 text 0", "2+118 pem 17 [A]"]);
    let plain: Vec<u8> = text[3..].encode_utf16().flat_map(u16::to_le_bytes).chain([9]).collect();
    assert_eq!(show(&plain), ["0+119 pem 17 [A]"]);
    let hex: Vec<u8> = "\u{feff}30 00".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(show(&hex), ["0+2 text 0", "2+10 hex 2"]);
}

#[test]
fn hostile_text_takes_linear_time() {
    // Any quadratic step here would take minutes.
    assert_eq!(objects(&vec![b'-'; 5 << 20]).count(), 1);
    let begins = "-----BEGIN A-----\n".repeat(1_000_000);
    assert_eq!(objects(begins.as_bytes()).count(), 1_000_000);
    let nested = "-----BEGIN A-----\nMAA=\n".repeat(100_000) + &"-----END A-----\n".repeat(100_000);
    assert_eq!(objects(nested.as_bytes()).count(), 100_001);
    let zeros = [0x30, 0, 0].repeat(500_000);
    assert_eq!(objects(&zeros).count(), 1_000_000);
    let values = BASE64.encode(&[0x30, 0].repeat(300_000));
    assert_eq!(objects(values.as_bytes()).count(), 300_000);
    let junk = [&[0x30, 0, 0xff][..], b"-----BEGIN A-----\n"].concat().repeat(100_000);
    assert!(objects(&junk).count() >= 100_000);
}

#[test]
fn cancelling_ends_the_list() {
    let flag = AtomicBool::new(false);
    let text = block("A", SMALL).repeat(3);
    let mut entries = objects(text.as_bytes()).cancelled_by(&flag);
    assert!(entries.next().is_some());
    flag.store(true, Ordering::Relaxed);
    assert!(entries.next().is_none());
    assert_eq!(entries.position(), 59);
}

fn any_source() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(SMALL.to_vec()),
        Just(large()),
        Just(block("X", SMALL).into_bytes()),
        Just(block("Y", &large()).into_bytes()),
        Just(block("Z", &[SMALL, &[9, 9]].concat()).into_bytes()),
        Just(BASE64_MIME.encode(&large()).into_bytes()),
        Just(HEXLOWER.encode(&large()).into_bytes()),
        Just(b"some words\n".to_vec()),
        Just(vec![0; 3]),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    let wide = |text: Vec<u8>| -> Vec<u8> {
        [0xff, 0xfe].into_iter().chain(text.into_iter().flat_map(|c| [c, 0])).collect()
    };
    let parts = proptest::collection::vec(part, 0..5).prop_map(|parts| parts.concat());
    let cut = (
        parts,
        any::<prop::sample::Index>(),
        proptest::collection::vec(any::<(prop::sample::Index, u8)>(), 0..4),
    );
    let mutated = cut.prop_map(|(mut source, end, changes)| {
        if !source.is_empty() {
            for (at, octet) in changes {
                let at = at.index(source.len());
                source[at] = octet;
            }
            source.truncate(end.index(source.len()) + 1);
        }
        source
    });
    (mutated, prop::bool::weighted(0.1)).prop_map(move |(s, w)| if w { wide(s) } else { s })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn entries_cover_any_source(source in any_source()) {
        list(&source);
    }

    #[test]
    fn pem_reads_back(label in "[A-Z][A-Z0-9 ]{0,20}", contents: Vec<u8>) {
        let length = u16::try_from(contents.len()).unwrap().to_be_bytes();
        let der = [&[0x30, 0x82], &length[..], &contents].concat();
        let text = block(&label, &der);
        let found = list(text.as_bytes());
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].label.as_deref(), Some(&label[..]));
        prop_assert_eq!(&*found[0].der, &der[..]);
        prop_assert_eq!(&found[0].error, &None);
        prop_assert_eq!(&found[0].notes, &vec![]);
    }
}
