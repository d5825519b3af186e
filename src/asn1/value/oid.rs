//! OBJECT IDENTIFIER and RELATIVE-OID (X.690 8.19, 8.20), with arcs of any size.

use std::fmt::{self, Write as _};

use thiserror::Error as ThisError;

use super::integer::{DECIMAL_BITS, magnitude_decimal};
use crate::asn1::Error;
use crate::rule;

rule! {
    OID_EMPTY, "oid-empty", "X.690 8.19.2", "an OBJECT IDENTIFIER needs at least one arc";
    OID_MINIMAL, "oid-minimal", "X.690 8.19.2", "an arc starts with a padding octet 80";
    OID_TRUNCATED, "oid-truncated", "X.690 8.19.2", "the last arc has no last octet";
}

/// Dotted text is cut after about so many characters.
const MAX_TEXT: usize = 4_096;

/// The longest arc that is read from dotted text, in digits (as many as [`DECIMAL_BITS`] need).
const MAX_ARC_DIGITS: usize = 1_234;

/// What is wrong with the contents octets of an OBJECT IDENTIFIER that starts at `at`.
#[must_use]
#[inline]
pub fn check(content: &[u8], at: u32) -> Option<Error> {
    match content.last() {
        Some(last) if *last < 0x80 && !has_80(content) => None,
        _ => check_arcs(content, at),
    }
}

/// What is wrong with the contents octets of a RELATIVE-OID that starts at `at`.
#[must_use]
#[inline]
pub fn check_relative(content: &[u8], at: u32) -> Option<Error> {
    check(content, at)
}

/// True when any octet is 80, the only one that can pad an arc.
#[inline]
fn has_80(content: &[u8]) -> bool {
    let word = |bytes: &[u8; 8]| {
        // Octets that are 80 become zero; the classic test for a zero octet follows.
        let x = u64::from_le_bytes(*bytes) ^ 0x8080_8080_8080_8080;
        x.wrapping_sub(0x0101_0101_0101_0101) & !x & 0x8080_8080_8080_8080 != 0
    };
    match (content.first_chunk::<8>(), content.last_chunk::<8>()) {
        (Some(first), Some(last)) if content.len() <= 16 => word(first) | word(last),
        (Some(_), Some(last)) => {
            content.chunks_exact(8).any(|c| c.first_chunk().is_some_and(word)) || word(last)
        }
        _ => content.contains(&0x80),
    }
}

#[cold]
fn check_arcs(content: &[u8], at: u32) -> Option<Error> {
    let error = |pos: usize, rule| {
        Some(Error::new(at.saturating_add(u32::try_from(pos).unwrap_or(u32::MAX)), rule))
    };
    let mut starts = true;
    for (pos, octet) in content.iter().enumerate() {
        if starts && *octet == 0x80 {
            return error(pos, &OID_MINIMAL);
        }
        starts = octet & 0x80 == 0;
    }
    match content.len().checked_sub(1) {
        None => error(0, &OID_EMPTY),
        Some(last) if !starts => error(last, &OID_TRUNCATED),
        Some(_) => None,
    }
}

/// The contents octets of an OBJECT IDENTIFIER; equal octets are equal identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid<'a>(pub &'a [u8]);

impl<'a> Oid<'a> {
    /// The identifier in `content`, which must be well-formed.
    ///
    /// # Errors
    /// What [`check`] finds.
    pub fn parse(content: &'a [u8], at: u32) -> Result<Self, Error> {
        check(content, at).map_or(Ok(Self(content)), Err)
    }

    /// The contents octets.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Appends what [`fmt::Display`] shows.
    pub fn push_to(self, text: &mut String) {
        push_dotted(text, self.0, true);
    }

    /// True when `self` is `parent` or below it.
    #[must_use]
    pub fn is_under(self, parent: Oid<'_>) -> bool {
        self.0.starts_with(parent.0)
    }
}

impl fmt::Display for Oid<'_> {
    /// Dotted decimal. Arcs above [`DECIMAL_BITS`] and very long identifiers are cut with `…`,
    /// a broken last arc ends in `?`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&dotted(self.0, true))
    }
}

/// The contents octets of a RELATIVE-OID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelativeOid<'a>(pub &'a [u8]);

impl fmt::Display for RelativeOid<'_> {
    /// Dotted decimal, cut as an [`Oid`] is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&dotted(self.0, false))
    }
}

fn dotted(content: &[u8], absolute: bool) -> String {
    let mut text = String::with_capacity(content.len().min(MAX_TEXT) * 2);
    push_dotted(&mut text, content, absolute);
    text
}

fn push_dotted(text: &mut String, content: &[u8], absolute: bool) {
    let start = text.len();
    for (i, arc) in content.split_inclusive(|b| *b < 0x80).enumerate() {
        if i > 0 {
            text.push('.');
        }
        if text.len() - start > MAX_TEXT {
            text.push('…');
            break;
        }
        push_arc(text, arc, absolute && i == 0);
    }
}

fn push_arc(text: &mut String, arc: &[u8], first: bool) {
    let padding = arc.iter().take_while(|b| **b == 0x80).count();
    let digits = &arc[padding..];
    if digits.len() <= 9 {
        let n = digits.iter().fold(0_u64, |n, b| n << 7 | u64::from(b & 0x7f));
        if first {
            let root = (n / 40).min(2);
            push_number(text, root);
            text.push('.');
            push_number(text, n - root * 40);
        } else {
            push_number(text, n);
        }
    } else {
        push_large_arc(text, digits, first);
    }
    if arc.last().is_some_and(|b| *b >= 0x80) {
        text.push('?');
    }
}

/// Decimal digits without the machinery of `fmt`, which identifiers are shown too often for.
fn push_number(text: &mut String, mut n: u64) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + u8::try_from(n % 10).unwrap_or(0);
        n /= 10;
        if n == 0 {
            break;
        }
    }
    text.extend(digits[first..].iter().map(|digit| char::from(*digit)));
}

fn push_large_arc(text: &mut String, digits: &[u8], first: bool) {
    if first {
        text.push_str("2.");
    }
    let bits = digits.len() as u64 * 7;
    if bits > DECIMAL_BITS {
        let _ = write!(text, "…({bits}-bit arc)");
        return;
    }
    let mut limbs = Vec::with_capacity(digits.len() * 7 / 32 + 2);
    let (mut window, mut filled) = (0_u64, 0_u32);
    for octet in digits.iter().rev() {
        window |= u64::from(octet & 0x7f) << filled;
        filled += 7;
        if filled >= 32 {
            limbs.push(low_word(window));
            window >>= 32;
            filled -= 32;
        }
    }
    limbs.push(low_word(window));
    if first {
        // The first subidentifier is 80 + the second arc (X.690 8.19.4).
        let mut borrow = 80;
        for limb in &mut limbs {
            let (rest, under) = limb.overflowing_sub(borrow);
            *limb = rest;
            borrow = u32::from(under);
        }
    }
    text.push_str(&magnitude_decimal(&limbs, false));
}

#[allow(clippy::cast_possible_truncation, reason = "the rest stays in the window")]
const fn low_word(n: u64) -> u32 {
    n as u32
}

/// Why dotted text is no object identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ThisError)]
pub enum TextError {
    /// An arc that is empty, has other characters than digits, or starts with a needless zero.
    #[error("arc {0} of the object identifier is not a number")]
    NotANumber(usize),
    /// An arc with more digits than are supported.
    #[error("arc {0} of the object identifier is too large")]
    TooLarge(usize),
    /// One arc alone.
    #[error("an object identifier has at least two arcs")]
    OneArc,
    /// X.660 7.1: three roots, and 40 arcs below the first two.
    #[error(
        "an object identifier starts with 0, 1 or 2; below 0 and 1 the second arc is at most 39"
    )]
    Root,
}

/// The contents octets of the object identifier `dotted`, as `1.2.840.113549`.
///
/// # Errors
/// When the text is not at least two decimal arcs that X.660 allows.
pub fn encode(dotted: &str) -> Result<Vec<u8>, TextError> {
    let mut out = Vec::with_capacity(dotted.len());
    encode_into(dotted, &mut out)?;
    Ok(out)
}

/// As [`encode`], appended to `out`, which is left as it was on an error.
///
/// # Errors
/// As [`encode`].
pub fn encode_into(dotted: &str, out: &mut Vec<u8>) -> Result<(), TextError> {
    let start = out.len();
    push_absolute(dotted, out).inspect_err(|_| out.truncate(start))
}

fn push_absolute(dotted: &str, out: &mut Vec<u8>) -> Result<(), TextError> {
    let Some((root, rest)) = dotted.split_once('.') else {
        return Err(digits(dotted, 1).err().unwrap_or(TextError::OneArc));
    };
    let root = match root {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        _ => return Err(digits(root, 1).err().unwrap_or(TextError::Root)),
    };
    let (second, rest) = match rest.split_once('.') {
        Some((second, rest)) => (second, Some(rest)),
        None => (rest, None),
    };
    let second = digits(second, 2)?;
    if root < 2 && (second.len() > 2 || second > "39" && second.len() == 2) {
        return Err(TextError::Root);
    }
    push_arc_text(out, second, root * 40);
    rest.map_or(Ok(()), |rest| push_arcs(rest, 3, out))
}

fn push_arcs(dotted: &str, number: usize, out: &mut Vec<u8>) -> Result<(), TextError> {
    for (i, text) in dotted.split('.').enumerate() {
        push_arc_text(out, digits(text, number + i)?, 0);
    }
    Ok(())
}

/// The contents octets of the relative object identifier `dotted`, as `8571.3.2`.
///
/// # Errors
/// When an arc is not a decimal number.
pub fn encode_relative(dotted: &str) -> Result<Vec<u8>, TextError> {
    let mut out = Vec::with_capacity(dotted.len());
    encode_relative_into(dotted, &mut out)?;
    Ok(out)
}

/// As [`encode_relative`], appended to `out`, which is left as it was on an error.
///
/// # Errors
/// As [`encode_relative`].
pub fn encode_relative_into(dotted: &str, out: &mut Vec<u8>) -> Result<(), TextError> {
    let start = out.len();
    push_arcs(dotted, 1, out).inspect_err(|_| out.truncate(start))
}

/// `text`, when it is the decimal number of an arc.
fn digits(text: &str, number: usize) -> Result<&str, TextError> {
    let padded = text.len() > 1 && text.starts_with('0');
    if text.is_empty() || padded || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(TextError::NotANumber(number));
    }
    if text.len() > MAX_ARC_DIGITS {
        return Err(TextError::TooLarge(number));
    }
    Ok(text)
}

/// The arc with these digits, and `add` more.
fn push_arc_text(out: &mut Vec<u8>, digits: &str, add: u32) {
    if digits.len() <= 18 {
        let n = digits.bytes().fold(0, |n, digit| n * 10 + u64::from(digit - b'0'));
        let mut n = n + u64::from(add);
        let mut limbs = [0; 3];
        for limb in &mut limbs {
            *limb = low_word(n & LIMB_MASK);
            n >>= LIMB_BITS;
        }
        push_base128(out, &limbs);
    } else {
        let mut limbs = limbs_of(digits);
        add_small(&mut limbs, add);
        push_base128(out, &limbs);
    }
}

/// A decimal number in limbs of 28 bits, least significant first; never empty.
fn limbs_of(digits: &str) -> Vec<u32> {
    let mut limbs = vec![0_u32];
    for digit in digits.bytes() {
        let mut carry = u64::from(digit - b'0');
        for limb in &mut limbs {
            let n = u64::from(*limb) * 10 + carry;
            *limb = low_word(n & LIMB_MASK);
            carry = n >> LIMB_BITS;
        }
        if carry > 0 {
            limbs.push(low_word(carry));
        }
    }
    limbs
}

/// Limbs of four base-128 digits, so that the output needs no shifting across limbs.
const LIMB_BITS: u32 = 28;
const LIMB_MASK: u64 = (1 << LIMB_BITS) - 1;

fn add_small(limbs: &mut Vec<u32>, n: u32) {
    let mut carry = u64::from(n);
    for limb in limbs.iter_mut() {
        let sum = u64::from(*limb) + carry;
        *limb = low_word(sum & LIMB_MASK);
        carry = sum >> LIMB_BITS;
    }
    if carry > 0 {
        limbs.push(low_word(carry));
    }
}

fn push_base128(out: &mut Vec<u8>, limbs: &[u32]) {
    let start = out.len();
    for limb in limbs.iter().rev() {
        for shift in [21, 14, 7, 0] {
            let digit = (limb >> shift & 0x7f) as u8;
            if digit != 0 || out.len() > start {
                out.push(digit | 0x80);
            }
        }
    }
    match out[start..].last_mut() {
        Some(last) => *last &= 0x7f,
        None => out.push(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &[(&str, &[u8])] = &[
        // X.690 8.19.5 and 8.20.5 (below), RFC 5280 arcs, and the corners of 40X + Y.
        ("2.999.3", &[0x88, 0x37, 0x03]),
        ("1.2.840.113549.1.1.11", &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b]),
        ("0.0", &[0]),
        ("0.39", &[39]),
        ("1.0", &[40]),
        ("1.39", &[79]),
        ("2.0", &[80]),
        ("2.47", &[127]),
        ("2.48", &[0x81, 0]),
        ("2.5.29.15", &[0x55, 0x1d, 0x0f]),
    ];

    #[test]
    fn dotted_both_ways() {
        for (text, bytes) in VECTORS {
            assert_eq!(Oid(bytes).to_string(), *text);
            assert_eq!(encode(text).unwrap(), *bytes, "{text}");
            assert_eq!(check(bytes, 0), None, "{text}");
        }
        let relative = [0xc2, 0x7b, 0x03, 0x02];
        assert_eq!(RelativeOid(&relative).to_string(), "8571.3.2");
        assert_eq!(encode_relative("8571.3.2").unwrap(), relative);
    }

    #[test]
    fn arcs_wider_than_a_machine_word() {
        for text in [
            "2.25.329800735698586629295641978511506172918",
            "2.340282366920938463463374607431768211455.1",
            "1.2.18446744073709551616",
            "1.2.9223372036854775807.9223372036854775808.18446744073709551615",
            "2.18446744073709551535",
            "2.18446744073709551536",
        ] {
            let bytes = encode(text).unwrap();
            assert_eq!(check(&bytes, 0), None);
            assert_eq!(Oid(&bytes).to_string(), text);
        }
        // RFC 4122 as an arc: 2.25.<128 bits all ones>
        let bytes = encode("2.25.340282366920938463463374607431768211455").unwrap();
        let mut expected = vec![0x69, 0x83];
        expected.resize(19, 0xff);
        expected.push(0x7f);
        assert_eq!(bytes, expected);
    }

    #[test]
    fn broken_arcs_are_found_and_shown() {
        let rule = |content: &[u8]| check(content, 100).map(|e| (e.rule.id, e.offset));
        assert_eq!(rule(&[]), Some(("oid-empty", 100)));
        assert_eq!(rule(&[0x80, 1]), Some(("oid-minimal", 100)));
        assert_eq!(rule(&[0x2a, 0x80, 1]), Some(("oid-minimal", 101)));
        assert_eq!(rule(&[0x2a, 0x86, 0x80, 1]), None);
        assert_eq!(rule(&[0x2a, 0x86]), Some(("oid-truncated", 101)));
        assert_eq!(Oid(&[0x2a, 0x80, 1]).to_string(), "1.2.1");
        assert_eq!(Oid(&[0x2a, 0x86]).to_string(), "1.2.6?");
        assert_eq!(Oid(&[]).to_string(), "");
    }

    #[test]
    fn the_fast_check_agrees_with_the_slow_one() {
        // Every position of one padding octet and one high octet in every length up to 40.
        for len in 1..40 {
            for i in 0..len {
                for octet in [0x80, 0x81, 0xff, 0x00] {
                    let mut content = vec![0x01; len];
                    content[i] = octet;
                    assert_eq!(check(&content, 0), check_arcs(&content, 0), "{content:02x?}");
                }
            }
        }
    }

    #[test]
    fn bad_text_is_refused() {
        assert_eq!(encode(""), Err(TextError::NotANumber(1)));
        assert_eq!(encode("1"), Err(TextError::OneArc));
        assert_eq!(encode("1."), Err(TextError::NotANumber(2)));
        assert_eq!(encode("1.2..3"), Err(TextError::NotANumber(3)));
        assert_eq!(encode("1.02"), Err(TextError::NotANumber(2)));
        assert_eq!(encode("1.-2"), Err(TextError::NotANumber(2)));
        assert_eq!(encode("3.1"), Err(TextError::Root));
        assert_eq!(encode("1.40"), Err(TextError::Root));
        assert_eq!(encode("0.99999999999999999999"), Err(TextError::Root));
        assert_eq!(encode(&format!("1.2.{}", "9".repeat(5000))), Err(TextError::TooLarge(3)));
    }

    #[test]
    fn hostile_sizes_stay_short() {
        let many = vec![1; 5_000_000];
        assert!(Oid(&many).to_string().len() < MAX_TEXT + 64);
        let mut one = vec![0xff; 5_000_000];
        one.push(0x7f);
        assert_eq!(Oid(&one).to_string(), "2.…(35000007-bit arc)");
    }

    #[test]
    fn prefixes_are_whole_arcs() {
        let rsa = encode("1.2.840.113549.1.1").unwrap();
        let sha256 = encode("1.2.840.113549.1.1.11").unwrap();
        assert!(Oid(&sha256).is_under(Oid(&rsa)) && !Oid(&rsa).is_under(Oid(&sha256)));
    }
}
