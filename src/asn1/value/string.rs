//! The restricted character string types (X.680 41, X.690 8.23).
//!
//! [`check`] is the rule of the type; [`decode`] makes text of any octets, so that a broken
//! string can still be read. Decoded text is of foreign origin: what shows it passes it
//! through [`crate::asn1::text::visible`] first.

use std::borrow::Cow;

use crate::asn1::scan::{self, among};
use crate::asn1::tag::universal as u;
use crate::asn1::{Error, Rule};
use crate::rule;

rule! {
    NUMERIC_CHARSET, "numeric-string-charset", "X.680 41.2",
        "a NumericString has digits and spaces only";
    PRINTABLE_CHARSET, "printable-string-charset", "X.680 41.4",
        "a character that PrintableString does not have";
    IA5_CHARSET, "ia5-string-charset", "X.680 41.1", "an IA5String has an octet above 7f";
    VISIBLE_CHARSET, "visible-string-charset", "X.680 41.1",
        "a VisibleString has a control character or an octet above 7e";
    GRAPHIC_CHARSET, "graphic-string-charset", "X.680 41.1",
        "a GraphicString or ObjectDescriptor has a control character";
    UTF8_INVALID, "utf8-string-invalid", "X.690 8.23.10", "a UTF8String is not UTF-8";
    BMP_LENGTH, "bmp-string-length", "X.690 8.23.8",
        "a BMPString has an odd number of octets";
    BMP_SURROGATE, "bmp-string-surrogate", "X.680 41.15",
        "a BMPString has a surrogate, so UTF-16 where only the basic plane is allowed";
    UNIVERSAL_LENGTH, "universal-string-length", "X.690 8.23.7",
        "a UniversalString is not made of four octets a character";
    UNIVERSAL_RANGE, "universal-string-range", "X.680 41.6",
        "a UniversalString has a number that is no character";
    TIME_CHARSET, "time-string-charset", "X.690 8.26",
        "a TIME type has a character that no date or time has";
}

/// Text made of contents octets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The characters; borrowed where the octets are UTF-8 as they stand.
    pub text: Cow<'a, str>,
    /// The rule of the type that is broken: the text is then a best reading, with U+FFFD
    /// where nothing fits.
    pub broken: Option<&'static Rule>,
    /// True when octets above 7f were read as Latin-1, as is the custom for types whose own
    /// rules (T.61, ISO 2022 escapes) nobody follows.
    pub latin1: bool,
}

/// True for the universal tag numbers that [`decode`] reads as text.
#[must_use]
pub const fn is_string(number: u64) -> bool {
    matches!(
        number,
        u::OBJECT_DESCRIPTOR
            | u::UTF8_STRING
            | u::TIME
            | u::NUMERIC_STRING..=u::IA5_STRING
            | u::GRAPHIC_STRING..=u::UNIVERSAL_STRING
            | u::BMP_STRING
            | DATE..=RELATIVE_OID_IRI
    )
}

const DATE: u64 = 31;
const DURATION: u64 = 34;
const OID_IRI: u64 = 35;
const RELATIVE_OID_IRI: u64 = 36;

/// The first rule that the contents octets of the string type `number` break, at its octet.
///
/// Numbers of other types, and types without a rule of their own (TeletexString,
/// VideotexString, GeneralString), break none.
#[must_use]
pub fn check(number: u64, content: &[u8], at: u32) -> Option<Error> {
    let (pos, rule) = first_fault(number, content)?;
    Some(Error::new(at.saturating_add(u32::try_from(pos).unwrap_or(u32::MAX)), rule))
}

fn first_fault(number: u64, content: &[u8]) -> Option<(usize, &'static Rule)> {
    let (pos, rule) = match number {
        u::UTF8_STRING | OID_IRI | RELATIVE_OID_IRI if content.is_ascii() => return None,
        u::UTF8_STRING | OID_IRI | RELATIVE_OID_IRI => match std::str::from_utf8(content) {
            Ok(_) => return None,
            Err(e) => (Some(e.valid_up_to()), &UTF8_INVALID),
        },
        u::PRINTABLE_STRING => (first_bad(content, is_printable), &PRINTABLE_CHARSET),
        u::NUMERIC_STRING => {
            (first_bad(content, |b| b == b' ' || b.is_ascii_digit()), &NUMERIC_CHARSET)
        }
        u::IA5_STRING => (first_bad(content, |b| b < 0x80), &IA5_CHARSET),
        u::VISIBLE_STRING => (first_bad(content, |b| among(b, b' ', 95)), &VISIBLE_CHARSET),
        // ESC announces a character set (ISO 2022) and is no control character of the text.
        u::GRAPHIC_STRING | u::OBJECT_DESCRIPTOR => {
            (first_bad(content, |b| b == 0x1b || b >= 0xa0 || among(b, b' ', 95)), &GRAPHIC_CHARSET)
        }
        u::BMP_STRING => return bmp_fault(content),
        u::UNIVERSAL_STRING => return universal_fault(content),
        u::TIME | DATE..=DURATION => (first_bad(content, is_time_octet), &TIME_CHARSET),
        _ => return None,
    };
    pos.map(|pos| (pos, rule))
}

/// The position of the first octet that is not `good`; one pass where there is none.
#[inline]
fn first_bad(content: &[u8], good: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    if scan::all(content, good) { None } else { content.iter().position(|b| !good(*b)) }
}

/// The characters of X.680 table 10, without a branch: `'()`, `+,-./0123456789:`, letters,
/// space, `=` and `?`.
#[inline]
#[allow(clippy::needless_bitwise_bool, reason = "without branches it is done on whole blocks")]
const fn is_printable(octet: u8) -> bool {
    among(octet | 0x20, b'a', 26)
        | among(octet, b'+', 16)
        | among(octet, b'\'', 3)
        | (octet == b' ')
        | (octet == b'=')
        | (octet == b'?')
}

const fn is_time_octet(octet: u8) -> bool {
    octet.is_ascii_digit()
        || matches!(
            octet,
            b'+'..=b'/'
                | b':'
                | b'P'
                | b'T'
                | b'W'
                | b'Y'
                | b'M'
                | b'D'
                | b'H'
                | b'S'
                | b'R'
                | b'C'
                | b'Z'
        )
}

fn bmp_fault(content: &[u8]) -> Option<(usize, &'static Rule)> {
    let surrogate = content.chunks_exact(2).position(|c| matches!(c[0], 0xd8..=0xdf));
    match surrogate {
        Some(i) => Some((i * 2, &BMP_SURROGATE)),
        None if !content.len().is_multiple_of(2) => Some((content.len() - 1, &BMP_LENGTH)),
        None => None,
    }
}

fn universal_fault(content: &[u8]) -> Option<(usize, &'static Rule)> {
    let (units, rest) = content.as_chunks::<4>();
    let bad = units.iter().position(|unit| char::from_u32(u32::from_be_bytes(*unit)).is_none());
    match bad {
        Some(i) => Some((i * 4, &UNIVERSAL_RANGE)),
        None if !rest.is_empty() => Some((content.len() - rest.len(), &UNIVERSAL_LENGTH)),
        None => None,
    }
}

/// Reads the contents octets of the string type `number` as text, whatever they are.
///
/// Octets of unknown types are read as UTF-8.
#[must_use]
pub fn decode(number: u64, content: &[u8]) -> Decoded<'_> {
    let broken = first_fault(number, content).map(|(_, rule)| rule);
    let mut latin1 = false;
    let text = match number {
        u::BMP_STRING => Cow::Owned(utf16(content)),
        u::UNIVERSAL_STRING => Cow::Owned(utf32(content)),
        u::TELETEX_STRING
        | u::VIDEOTEX_STRING
        | u::GENERAL_STRING
        | u::GRAPHIC_STRING
        | u::OBJECT_DESCRIPTOR => {
            if let Some(text) = ascii(content) {
                Cow::Borrowed(text)
            } else {
                latin1 = true;
                Cow::Owned(content.iter().map(|b| char::from(*b)).collect())
            }
        }
        _ => String::from_utf8_lossy(content),
    };
    Decoded { text, broken, latin1 }
}

fn ascii(content: &[u8]) -> Option<&str> {
    content.is_ascii().then(|| std::str::from_utf8(content).ok()).flatten()
}

/// BMPString as UTF-16, which is what encoders that write surrogates mean.
fn utf16(content: &[u8]) -> String {
    let (units, rest) = content.as_chunks::<2>();
    let text = char::decode_utf16(units.iter().map(|unit| u16::from_be_bytes(*unit)));
    let odd = (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).chain(odd).collect()
}

fn utf32(content: &[u8]) -> String {
    let (units, rest) = content.as_chunks::<4>();
    let text = units.iter().map(|unit| char::from_u32(u32::from_be_bytes(*unit)));
    let odd = (!rest.is_empty()).then_some(char::REPLACEMENT_CHARACTER);
    text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).chain(odd).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(number: u64, content: &[u8]) -> Option<(&'static str, u32)> {
        check(number, content, 100).map(|e| (e.rule.id, e.offset))
    }

    #[test]
    fn printable_characters_are_those_of_table_10() {
        let all: Vec<u8> = (0..=255).filter(|b| is_printable(*b)).collect();
        let table = " '()+,-./0123456789:=?\
                     ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        assert_eq!(String::from_utf8(all).unwrap(), table);
    }

    #[test]
    fn each_type_has_its_characters() {
        assert_eq!(rule(u::PRINTABLE_STRING, b"Example CA, Inc."), None);
        assert_eq!(rule(u::PRINTABLE_STRING, b"*"), Some(("printable-string-charset", 100)));
        assert_eq!(
            rule(u::PRINTABLE_STRING, b"twelve octets@"),
            Some(("printable-string-charset", 113))
        );
        assert_eq!(rule(u::NUMERIC_STRING, b"12 34"), None);
        assert_eq!(rule(u::NUMERIC_STRING, b"12-34"), Some(("numeric-string-charset", 102)));
        assert_eq!(rule(u::IA5_STRING, b"a@b\0\x1b"), None);
        assert_eq!(rule(u::IA5_STRING, b"a\xe9"), Some(("ia5-string-charset", 101)));
        assert_eq!(rule(u::VISIBLE_STRING, b"a b~"), None);
        assert_eq!(rule(u::VISIBLE_STRING, b"a\x7f"), Some(("visible-string-charset", 101)));
        assert_eq!(rule(u::GRAPHIC_STRING, b"a\x1b\xe9"), None);
        assert_eq!(rule(u::OBJECT_DESCRIPTOR, b"a\n"), Some(("graphic-string-charset", 101)));
        assert_eq!(rule(DATE, b"2024-02-29"), None);
        assert_eq!(rule(DATE, b"2024\x1b"), Some(("time-string-charset", 104)));
        assert_eq!(rule(u::TELETEX_STRING, b"\x1b\xff"), None);
        assert_eq!(rule(u::OCTET_STRING, b"\xff"), None);
    }

    #[test]
    fn utf8_is_checked_where_it_breaks() {
        assert_eq!(rule(u::UTF8_STRING, "Ünïcode".as_bytes()), None);
        assert_eq!(rule(u::UTF8_STRING, b"ok\xc0\x80"), Some(("utf8-string-invalid", 102)));
        assert_eq!(rule(u::UTF8_STRING, b"\xed\xa0\x80"), Some(("utf8-string-invalid", 100)));
        let d = decode(u::UTF8_STRING, b"a\xffb");
        assert_eq!((d.text.as_ref(), d.broken), ("a\u{fffd}b", Some(&UTF8_INVALID)));
    }

    #[test]
    fn wide_characters() {
        let d = decode(u::BMP_STRING, &[0x00, 0x41, 0x26, 0x3a]);
        assert_eq!((d.text.as_ref(), d.broken), ("A☺", None));
        let d = decode(u::BMP_STRING, &[0xd8, 0x3d, 0xde, 0x00, 0x41]);
        assert_eq!((d.text.as_ref(), d.broken), ("😀\u{fffd}", Some(&BMP_SURROGATE)));
        assert_eq!(rule(u::BMP_STRING, &[0, 0x41, 0]), Some(("bmp-string-length", 102)));
        let d = decode(u::UNIVERSAL_STRING, &[0, 1, 0xf6, 0, 0, 0, 0, 0x41]);
        assert_eq!((d.text.as_ref(), d.broken), ("😀A", None));
        assert_eq!(
            rule(u::UNIVERSAL_STRING, &[0, 0, 0, 0x41, 0, 0x11, 0, 0]),
            Some(("universal-string-range", 104))
        );
        assert_eq!(rule(u::UNIVERSAL_STRING, &[0]), Some(("universal-string-length", 100)));
    }

    #[test]
    fn teletex_is_read_as_latin_1() {
        let d = decode(u::TELETEX_STRING, b"Soci\xe9t\xe9");
        assert_eq!((d.text.as_ref(), d.latin1, d.broken), ("Société", true, None));
        let d = decode(u::TELETEX_STRING, b"Societe");
        assert!(matches!(d.text, Cow::Borrowed("Societe")) && !d.latin1);
    }

    #[test]
    fn string_types_are_known() {
        let known: Vec<u64> = (0..40).filter(|n| is_string(*n)).collect();
        assert_eq!(
            known,
            [7, 12, 14, 18, 19, 20, 21, 22, 25, 26, 27, 28, 30, 31, 32, 33, 34, 35, 36]
        );
    }
}
