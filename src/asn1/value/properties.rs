//! Properties that hold for every value: what is written is read back, what is broken is found.

use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::asn1::tag::octet;
use crate::asn1::text::{is_hidden, visible, visible_bytes};
use crate::asn1::writer::Writer;
use crate::asn1::{Header, Reader};

/// The contents octets of the one value that `write` writes, which must be DER.
fn contents(tag: u8, write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut w = Writer::new();
    write(&mut w);
    let der = w.into_bytes();
    let (tlv, _) = Reader::single(&der, tag).expect("the writer writes DER");
    tlv.contents().of(&der).to_vec()
}

/// A tree of values: what a writer can nest.
#[derive(Debug, Clone)]
enum Node {
    Octets(Vec<u8>),
    Sequence(Vec<Node>),
    SetOf(Vec<Node>),
    Wrapped(u8, Box<Node>),
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = vec(any::<u8>(), 0..300).prop_map(Node::Octets);
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Node::Sequence),
            vec(inner.clone(), 0..6).prop_map(Node::SetOf),
            (0_u8..31, inner).prop_map(|(n, node)| Node::Wrapped(n, Box::new(node))),
        ]
    })
}

fn write(w: &mut Writer, node: &Node) {
    match node {
        Node::Octets(octets) => w.octet_string(octets),
        Node::Sequence(nodes) => w.sequence(|w| nodes.iter().for_each(|n| write(w, n))),
        Node::SetOf(nodes) => w.set_of(|w| nodes.iter().for_each(|n| write(w, n))),
        Node::Wrapped(n, node) => w.explicit(*n, |w| write(w, node)),
    }
}

/// The simplest correct encoder: every value in a vector of its own.
fn encode(node: &Node) -> Vec<u8> {
    let (tag, content) = match node {
        Node::Octets(octets) => (octet::OCTET_STRING, octets.clone()),
        Node::Sequence(nodes) => (octet::SEQUENCE, nodes.iter().flat_map(encode).collect()),
        Node::SetOf(nodes) => {
            let mut elements: Vec<_> = nodes.iter().map(encode).collect();
            elements.sort();
            (octet::SET, elements.concat())
        }
        Node::Wrapped(n, node) => (octet::context_constructed(*n), encode(node)),
    };
    let mut der = vec![tag];
    let length: Vec<u8> = content.len().to_be_bytes().into_iter().skip_while(|b| *b == 0).collect();
    if content.len() >= 0x80 {
        der.push(0x80 | u8::try_from(length.len()).unwrap());
    }
    der.extend(if length.is_empty() { vec![0] } else { length });
    der.extend(content);
    der
}

/// Every header of `der[at..end]`, without recursion.
fn all_headers_are_der(der: &[u8]) -> bool {
    let mut spans = vec![(0_u32, u32::try_from(der.len()).unwrap())];
    while let Some((mut at, end)) = spans.pop() {
        while at < end {
            let Ok(h) = Header::read(&der[..end as usize], at) else { return false };
            let Some(next) = h.end() else { return false };
            if h.is_flawed() {
                return false;
            }
            if h.tag.constructed {
                spans.push((h.content, next));
            }
            at = next;
        }
    }
    true
}

proptest! {
    #[test]
    fn nested_values_are_written_as_the_simplest_encoder_does(node in node()) {
        let mut w = Writer::new();
        write(&mut w, &node);
        prop_assert_eq!(w.as_bytes(), encode(&node));
        prop_assert!(all_headers_are_der(w.as_bytes()));
    }

    #[test]
    fn integers_come_back(n in any::<i128>(), shift in 0_u32..128) {
        let n = n >> shift;
        let content = contents(octet::INTEGER, |w| w.integer(n));
        prop_assert_eq!(integer::check(&content, 0), None);
        prop_assert_eq!(Integer(&content).to_i128(), Some(n));
        prop_assert_eq!(Integer(&content).to_string(), n.to_string());
        let bits = u128::BITS - n.unsigned_abs().leading_zeros();
        prop_assert_eq!(Integer(&content).bit_len(), u64::from(bits));
    }

    #[test]
    fn padding_is_found_and_does_not_change_a_number(octets in vec(any::<u8>(), 1..40), n in 1_usize..9) {
        let number = Integer(&octets);
        let mut padded = vec![if number.is_negative() { 0xff } else { 0 }; n];
        padded.extend_from_slice(&octets);
        prop_assert_eq!(integer::check(&padded, 0).unwrap().rule, &integer::INTEGER_MINIMAL);
        prop_assert_eq!(Integer(&padded).to_string(), number.to_string());
        prop_assert_eq!(Integer(&padded).bit_len(), number.bit_len());
        let shortest = contents(octet::INTEGER, |w| w.integer_octets(Integer(&padded)));
        prop_assert_eq!(integer::check(&shortest, 0), None);
        prop_assert_eq!(Integer(&shortest).to_string(), number.to_string());
    }

    #[test]
    fn decimal_digits_are_those_of_long_division(octets in vec(any::<u8>(), 17..64)) {
        // Digit by digit on single octets: slow and plainly right.
        let negative = octets[0] & 0x80 != 0;
        let mut magnitude = octets.clone();
        if negative {
            let mut carry = true;
            for octet in magnitude.iter_mut().rev() {
                let (sum, over) = (!*octet).overflowing_add(u8::from(carry));
                *octet = sum;
                carry = over;
            }
        }
        let mut digits = Vec::new();
        while magnitude.iter().any(|b| *b != 0) {
            let mut rest = 0_u16;
            for octet in &mut magnitude {
                let n = rest << 8 | u16::from(*octet);
                *octet = u8::try_from(n / 10).unwrap();
                rest = n % 10;
            }
            digits.push(char::from(b'0' + u8::try_from(rest).unwrap()));
        }
        let text: String = digits.iter().rev().collect();
        let text = match (text.as_str(), negative) {
            ("", _) => "0".to_owned(),
            (text, true) => format!("-{text}"),
            (text, false) => text.to_owned(),
        };
        prop_assert_eq!(Integer(&octets).to_string(), text);
    }

    #[test]
    fn unsigned_magnitudes_come_back(octets in vec(any::<u8>(), 0..40)) {
        let content = contents(octet::INTEGER, |w| w.unsigned(&octets));
        prop_assert_eq!(integer::check(&content, 0), None);
        let zeros = octets.iter().take_while(|b| **b == 0).count();
        prop_assert_eq!(Integer(&content).unsigned(), Some(&octets[zeros..]));
    }

    #[test]
    fn object_identifiers_come_back(
        root in 0_u8..3, second in 0_u8..40, arcs in vec(any::<u128>(), 0..8), shift in 0_u32..128,
    ) {
        let mut text = format!("{root}.{second}");
        for arc in arcs {
            write!(text, ".{}", arc >> shift).unwrap();
        }
        let content = oid::encode(&text).unwrap();
        prop_assert_eq!(oid::check(&content, 0), None);
        prop_assert_eq!(Oid(&content).to_string(), text);
    }

    #[test]
    fn relative_object_identifiers_come_back(arcs in vec("0|[1-9][0-9]{0,300}", 1..5)) {
        let text = arcs.join(".");
        let content = oid::encode_relative(&text).unwrap();
        prop_assert_eq!(oid::check_relative(&content, 0), None);
        prop_assert_eq!(RelativeOid(&content).to_string(), text);
    }

    #[test]
    fn well_formed_identifiers_have_one_encoding(content in vec(any::<u8>(), 1..24)) {
        if oid::check(&content, 0).is_none() {
            prop_assert_eq!(oid::encode(&Oid(&content).to_string()).unwrap(), content);
        }
    }

    #[test]
    fn bit_strings_come_back(bytes in vec(any::<u8>(), 0..40), unused in 0_u8..8) {
        let unused = if bytes.is_empty() { 0 } else { unused };
        let written = BitString { unused, bytes: &bytes };
        let content = contents(octet::BIT_STRING, |w| w.bits(written));
        prop_assert_eq!(bits::check(&content, 0), None);
        let read = BitString::parse(&content, 0).unwrap();
        prop_assert_eq!(read.len(), written.len());
        prop_assert!(read.iter_set().eq(written.iter_set()));
        prop_assert!(read.iter_set().eq((0..read.len()).filter(|n| read.bit(*n))));
    }

    #[test]
    fn named_bits_come_back(flags in any::<u64>(), shift in 0_u32..64) {
        let flags = flags >> shift;
        let content = contents(octet::BIT_STRING, |w| w.named_bits(flags));
        prop_assert_eq!(bits::check_named(&content, 0), None);
        let read = BitString::parse(&content, 0).unwrap();
        prop_assert_eq!(read.iter_set().fold(0, |all, n| all | 1 << n), flags);
    }

    #[test]
    fn times_come_back(seconds in -62_167_219_200_i64..=253_402_300_799) {
        let time = Time::from_unix(seconds).unwrap();
        prop_assert_eq!(time.unix_seconds(), seconds);
        let content = contents(octet::GENERALIZED_TIME, |w| w.generalized_time(&time));
        prop_assert_eq!(time::parse_generalized(&content, 0, true), Ok(time));
        if time.fits_utc_time() {
            let content = contents(octet::UTC_TIME, |w| w.time(&time));
            prop_assert_eq!(time::parse_utc(&content, 0, true), Ok(time));
        }
        // jiff is the second opinion on the calendar.
        let stamp = jiff::Timestamp::from_second(seconds);
        if let Ok(stamp) = stamp {
            prop_assert_eq!(time.to_string(), stamp.to_string());
        }
    }

    #[test]
    fn the_fast_time_reader_agrees_with_the_general_one(
        mut text in "[0-9]{13,15}", at in 0_usize..15, octet in any::<u8>(),
    ) {
        text.pop();
        let mut content = text.into_bytes();
        content.push(b'Z');
        let at = at % content.len();
        for mutated in [false, true] {
            if mutated {
                content[at] = octet;
            }
            prop_assert_eq!(time::read_utc(&content, 3), time::read_any(&content, 3, 2));
            prop_assert_eq!(time::read_generalized(&content, 3), time::read_any(&content, 3, 4));
        }
    }

    #[test]
    fn strings_come_back(text in ".{0,40}") {
        let bmp = contents(octet::BMP_STRING, |w| w.bmp(&text));
        prop_assert_eq!(string::decode(30, &bmp).text, text.as_str());
        let utf32: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        prop_assert_eq!(string::decode(28, &utf32).text, text.as_str());
        prop_assert_eq!(string::check(28, &utf32, 0), None);
        prop_assert_eq!(string::decode(12, text.as_bytes()).text, text.as_str());
    }

    #[test]
    fn any_octets_are_read_without_a_panic_and_shown_without_harm(
        number in 0_u64..40, content in vec(any::<u8>(), 0..80), limit in 0_usize..100,
    ) {
        let _ = check(number, &content, u32::MAX);
        let shown = show(number, &content, limit);
        prop_assert!(!shown.chars().any(is_hidden), "{:?}", shown);
        let shown = visible_bytes(&content);
        prop_assert!(!shown.chars().any(is_hidden), "{:?}", shown);
        let _ = (Oid(&content).to_string(), RelativeOid(&content).to_string());
        if let Ok(real) = real::parse(&content, 0) {
            prop_assert!(!real.to_string().chars().any(char::is_control));
        }
    }

    #[test]
    fn the_fault_of_a_string_is_its_first(number in 12_u64..31, content in vec(any::<u8>(), 0..40)) {
        if let Some(e) = string::check(number, &content, 0) {
            // What stands before the fault has none, when cut at whole characters.
            let before = &content[..e.offset as usize];
            prop_assert_eq!(string::check(number, before, 0), None);
        }
    }

    #[test]
    fn visible_text_stays_visible(text in "\\PC{0,20}|.{0,40}|[a\u{301}\u{200b}\\x00-\\x20]{0,40}") {
        let shown = visible(&text).into_owned();
        prop_assert_eq!(visible(&shown), shown.as_str());
        let mut appended = String::from("x");
        crate::asn1::text::visible_into(&mut appended, &text);
        prop_assert_eq!(&appended[1..], shown);
    }
}
