//! BER that is not DER: conversion to DER lengths.

use std::borrow::Cow;

use crate::asn1::tag::{Class, universal};
use crate::asn1::walk::{Kind, Walker};
use crate::asn1::{Error, Header, Span, Tag};
use crate::rule;

rule! {
    STRING_PART, "constructed-string-part", "X.690 8.7.3.2",
        "a constructed string holds something else than parts of its own type";
}

/// True when the outermost value, or one of the first few levels on its left edge, has an
/// indefinite length: the cheap sign of BER.
#[must_use]
pub fn looks_indefinite(object: &[u8]) -> bool {
    Walker::new(object, false).take(16).any(|n| n.indefinite)
}

/// The object with definite lengths in their shortest form and with string parts joined;
/// borrowed when it has these already.
///
/// Values themselves are left as they are: this makes BER readable for the strict parsers,
/// it does not hide what else is wrong.
///
/// # Errors
/// Where the object cannot be read to its end: broken headers, missing end-of-contents
/// octets, parts of strings of another type, nesting deeper than
/// [`MAX_DEPTH`](crate::asn1::nested::MAX_DEPTH).
pub fn to_der(object: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    let mut plain = true;
    for node in Walker::new(object, false) {
        if let Some(error) = node.error {
            return Err(error);
        }
        let header = Header::read(object, node.start)?;
        plain &= !header.is_flawed() && !is_string_in_parts(node.tag);
    }
    if plain { Ok(Cow::Borrowed(object)) } else { rewrite(object).map(Cow::Owned) }
}

/// A constructed encoding of a type that DER writes primitive (X.690 10.2).
fn is_string_in_parts(tag: Tag) -> bool {
    tag.constructed
        && tag.class == Class::Universal
        && matches!(
            tag.number,
            universal::BIT_STRING
                | universal::OCTET_STRING
                | universal::UTF8_STRING
                | 7
                | 18..=22
                | 25..=28
                | 30
        )
}

struct Open {
    end: u32,
    tag: Tag,
    /// Index of its header among the parts; `None` for a part of a string in parts.
    header: Option<usize>,
    /// Octets of its contents in the output so far.
    size: u32,
}

enum Part {
    Header {
        tag: Tag,
        length: u32,
    },
    /// The count of unused bits that leads a joined BIT STRING.
    Unused(u8),
    Octets(Span),
}

/// Two passes: lengths are summed while the parts are listed, then all is written in order.
///
/// The output is never longer than the input: headers only shrink, so sizes fit 32 bits.
fn rewrite(object: &[u8]) -> Result<Vec<u8>, Error> {
    let mut parts: Vec<Part> = Vec::new();
    let mut stack: Vec<Open> = Vec::new();
    // The index of the leading octet of the BIT STRING that is being joined.
    let mut unused_at = 0;
    for node in Walker::new(object, false) {
        close(&mut stack, &mut parts, node.start);
        if node.kind == Kind::EndOfContents {
            continue;
        }
        let string = stack.last().map(|open| open.tag).filter(|tag| is_string_in_parts(*tag));
        if string.is_some_and(|tag| tag.number != node.tag.number || tag.class != node.tag.class) {
            return Err(Error::new(node.start, &STRING_PART));
        }
        let bits = node.tag.is_universal(universal::BIT_STRING);
        if node.kind == Kind::Constructed {
            let in_parts = is_string_in_parts(node.tag);
            let mut open = Open { end: node.end, tag: node.tag, header: None, size: 0 };
            if string.is_none() {
                open.header = Some(parts.len());
                let tag = Tag { constructed: !in_parts, ..node.tag };
                parts.push(Part::Header { tag, length: 0 });
                if in_parts && bits {
                    unused_at = parts.len();
                    parts.push(Part::Unused(0));
                    open.size = 1;
                }
            }
            stack.push(open);
            continue;
        }
        let mut contents = node.contents();
        let mut size = contents.len();
        if string.is_none() {
            parts.push(Part::Header { tag: node.tag, length: size });
            size += header_len(node.tag, size);
        } else if bits {
            // The last part's count is the whole string's (X.690 8.6.4).
            if let Some(Part::Unused(unused)) = parts.get_mut(unused_at) {
                *unused = contents.of(object).first().copied().unwrap_or(0);
            }
            contents.start = (contents.start + 1).min(contents.end);
            size = contents.len();
        }
        parts.push(Part::Octets(contents));
        if let Some(open) = stack.last_mut() {
            open.size += size;
        }
    }
    close(&mut stack, &mut parts, u32::MAX);
    let mut out = Vec::with_capacity(object.len());
    for part in parts {
        match part {
            Part::Header { tag, length } => put_header(&mut out, tag, length),
            Part::Unused(octet) => out.push(octet),
            Part::Octets(span) => out.extend_from_slice(span.of(object)),
        }
    }
    Ok(out)
}

/// Closes what ends at or before `at`: its length goes into its header, its size to its parent.
fn close(stack: &mut Vec<Open>, parts: &mut [Part], at: u32) {
    while let Some(done) = stack.pop_if(|open| open.end <= at) {
        let mut size = done.size;
        if let Some(Part::Header { tag, length }) = done.header.and_then(|i| parts.get_mut(i)) {
            *length = size;
            size += header_len(*tag, size);
        }
        if let Some(parent) = stack.last_mut() {
            parent.size += size;
        }
    }
}

/// Octets of the shortest header (X.690 8.1.2, 10.1).
fn header_len(tag: Tag, length: u32) -> u32 {
    let tag_octets = match tag.number {
        0..=30 => 1,
        n => 1 + (u64::BITS - n.leading_zeros()).div_ceil(7),
    };
    let length_octets = match length {
        0..=0x7f => 1,
        n => 1 + (u32::BITS - n.leading_zeros()).div_ceil(8),
    };
    tag_octets + length_octets
}

#[allow(clippy::cast_possible_truncation, reason = "seven or eight bits are taken each time")]
fn put_header(out: &mut Vec<u8>, tag: Tag, length: u32) {
    let lead = (tag.class as u8) << 6 | u8::from(tag.constructed) << 5;
    if tag.number < 31 {
        out.push(lead | tag.number as u8);
    } else {
        out.push(lead | 0x1f);
        let groups = (u64::BITS - tag.number.leading_zeros()).div_ceil(7);
        for group in (0..groups).rev() {
            let more = if group > 0 { 0x80 } else { 0 };
            out.push((tag.number >> (7 * group)) as u8 & 0x7f | more);
        }
    }
    if length < 0x80 {
        out.push(length as u8);
    } else {
        let octets = (u32::BITS - length.leading_zeros()).div_ceil(8);
        out.push(0x80 | octets as u8);
        out.extend_from_slice(&length.to_be_bytes()[4 - octets as usize..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn der_is_borrowed() {
        let der = [0x30, 3, 0x02, 1, 5];
        assert!(matches!(to_der(&der), Ok(Cow::Borrowed(_))));
    }

    #[test]
    fn indefinite_lengths_become_definite() {
        let ber = [0x30, 0x80, 0xa0, 0x80, 0x02, 1, 5, 0, 0, 0x05, 0, 0, 0];
        assert_eq!(&*to_der(&ber).unwrap(), [0x30, 7, 0xa0, 3, 2, 1, 5, 5, 0]);
    }

    #[test]
    fn long_lengths_become_short() {
        let ber = [0x30, 0x83, 0, 0, 4, 0x04, 0x81, 1, 7];
        assert_eq!(&*to_der(&ber).unwrap(), [0x30, 3, 4, 1, 7]);
    }

    #[test]
    fn string_parts_are_joined() {
        let ber = [0x24, 0x80, 4, 1, 1, 0x24, 3, 4, 1, 2, 4, 0, 0, 0];
        assert_eq!(&*to_der(&ber).unwrap(), [4, 2, 1, 2]);
        let bits = [0x30, 0x80, 0x23, 0x80, 3, 2, 0, 0xaa, 3, 2, 4, 0xb0, 0, 0, 0, 0];
        assert_eq!(&*to_der(&bits).unwrap(), [0x30, 5, 3, 3, 4, 0xaa, 0xb0]);
        let mixed = [0x24, 3, 2, 1, 5];
        assert_eq!(to_der(&mixed).unwrap_err().rule.id, "constructed-string-part");
    }

    #[test]
    fn a_long_string_gets_a_long_header() {
        let mut ber = vec![0x24, 0x80];
        for _ in 0..3 {
            ber.extend_from_slice(&[4, 100]);
            ber.extend_from_slice(&[7; 100]);
        }
        ber.extend_from_slice(&[0, 0]);
        let der = to_der(&ber).unwrap();
        assert_eq!(der[..4], [4, 0x82, 1, 44]);
        assert_eq!(der.len(), 304);
    }

    #[test]
    fn missing_ends_are_errors() {
        assert_eq!(to_der(&[0x30, 0x80, 5, 0]).unwrap_err().rule.id, "end-of-contents-missing");
        let deep = [0x30, 0x80].repeat(100_000);
        assert!(to_der(&deep).is_err());
    }
}
