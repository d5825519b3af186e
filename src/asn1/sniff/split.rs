//! Splits octets into the values that stand one after the other in them.

use crate::asn1::header::{LENGTH_BEYOND, LENGTH_TOO_LONG, TRUNCATED};
use crate::asn1::reader::TRAILING;
use crate::asn1::walk::NO_END_OF_CONTENTS;
use crate::asn1::{Header, Rule};
use crate::rule;

rule! {
    PADDING_ZEROS, "padding-zeros", "X.690 8.1.5", "zero octets where no value stands";
    TOO_LARGE, "object-too-large", "pkiscope", "an object of 4 GiB or more is not opened";
}

/// The most octets an object can have: offsets in it are 32 bits.
pub const MAX_OBJECT: usize = u32::MAX as usize;

/// What stands at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where it ends.
    pub end: usize,
    /// What it is.
    pub kind: Kind,
    /// What is wrong with it, at which octet.
    pub fault: Option<(usize, &'static Rule)>,
}

/// The kinds of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A value, perhaps cut short.
    Value {
        /// True when its own header is not DER.
        ber: bool,
    },
    /// Octets that are no value.
    Junk,
}

/// The piece at `at`. With `first`, octets are taken for a value cut short whenever their
/// header reads; without it only when they look like the start of an object.
pub fn piece(bytes: &[u8], at: usize, first: bool) -> Piece {
    let rest = &bytes[at..];
    let zeros = rest.iter().take_while(|b| **b == 0).count();
    if zeros > 0 {
        let fault = Some((at, &PADDING_ZEROS));
        return Piece { end: at + zeros, kind: Kind::Junk, fault };
    }
    let window = &rest[..rest.len().min(MAX_OBJECT)];
    let cut = |rule: &'static Rule, offset: usize, end: usize| Piece {
        end,
        kind: Kind::Value { ber: false },
        fault: Some((at + offset, rule)),
    };
    let header = match Header::read(window, 0) {
        Ok(header) => header,
        Err(e) if READS_SO_FAR.contains(&e.rule.id) && (first || begins_object(rest)) => {
            return match declared_length(rest).and_then(|l| usize::try_from(l).ok()) {
                Some(length) if length <= rest.len() => cut(&TOO_LARGE, 0, at + length),
                _ => cut(e.rule, e.offset as usize, bytes.len()),
            };
        }
        Err(e) => {
            let (offset, rule) = if first { (e.offset as usize, e.rule) } else { (0, &TRAILING) };
            let fault = Some((at + offset, rule));
            return Piece { end: bytes.len(), kind: Kind::Junk, fault };
        }
    };
    let ber = header.is_flawed();
    let (end, fault) = match header.end() {
        Some(end) => (at + end as usize, None),
        None => match indefinite_end(window, header.content) {
            Ok(end) => (at + end, None),
            Err(_) if rest.len() > window.len() => (bytes.len(), Some((at, &TOO_LARGE))),
            Err((offset, rule)) => (bytes.len(), Some((at + offset, rule))),
        },
    };
    Piece { end, kind: Kind::Value { ber }, fault }
}

/// The errors that leave the beginning of a value readable.
const READS_SO_FAR: [&str; 3] = [TRUNCATED.id, LENGTH_BEYOND.id, LENGTH_TOO_LONG.id];

/// True for the first octets of a SEQUENCE, a SET or a constructed context-specific value.
pub fn begins_object(rest: &[u8]) -> bool {
    matches!(rest, [0x30 | 0x31 | 0xa0..=0xbe, length, ..] if *length != 0xff)
}

/// True when `octets` are exactly one value.
pub fn is_one_value(octets: &[u8]) -> bool {
    octets.len() <= MAX_OBJECT
        && Header::read(octets, 0)
            .is_ok_and(|h| h.end().is_some_and(|end| end as usize == octets.len()))
}

/// Octets of header and contents that a definite header announces.
pub fn declared_length(rest: &[u8]) -> Option<u64> {
    let tag = match rest.first()? & 0x1f {
        0x1f => 2 + rest[1..].iter().take(16).position(|b| b & 0x80 == 0)?,
        _ => 1,
    };
    let first = *rest.get(tag)?;
    let count = usize::from(first & 0x7f);
    if first < 0x80 {
        return Some(tag as u64 + 1 + u64::from(first));
    }
    let mut length = 0_u64;
    for b in rest.get(tag + 1..tag + 1 + count)? {
        length = length.checked_mul(256)? | u64::from(*b);
    }
    length.checked_add((tag + 1 + count) as u64)
}

/// The end of an indefinite value whose contents begin at `at`, its end-of-contents octets
/// included; else where reading stopped and why. One pass, without a stack: values of
/// definite length are jumped over.
fn indefinite_end(bytes: &[u8], mut at: u32) -> Result<usize, (usize, &'static Rule)> {
    let mut open = 1_u32;
    while open > 0 {
        if at as usize >= bytes.len() {
            return Err((bytes.len(), &NO_END_OF_CONTENTS));
        }
        let header = Header::read(bytes, at).map_err(|e| (e.offset as usize, e.rule))?;
        if header.is_end_of_contents() {
            open -= 1;
        } else if header.length.is_none() {
            open += 1;
        }
        at = header.end().unwrap_or(header.content);
    }
    Ok(at as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Shown = (usize, bool, Option<(usize, &'static str)>);

    fn split(bytes: &[u8]) -> Vec<Shown> {
        let mut at = 0;
        let mut found = Vec::new();
        while at < bytes.len() {
            let p = piece(bytes, at, at == 0);
            assert!(p.end > at && p.end <= bytes.len());
            let value = matches!(p.kind, Kind::Value { .. });
            found.push((p.end, value, p.fault.map(|(o, r)| (o, r.id))));
            at = p.end;
        }
        found
    }

    #[test]
    fn values_padding_and_junk() {
        assert_eq!(split(&[0x30, 0, 0x02, 1, 5]), [(2, true, None), (5, true, None)]);
        assert_eq!(
            split(&[0x30, 0, 0, 0, 0, 0x30, 0]),
            [(2, true, None), (5, false, Some((2, "padding-zeros"))), (7, true, None)]
        );
        assert_eq!(
            split(&[0x30, 0, 0xff, 0xff]),
            [(2, true, None), (4, false, Some((2, "trailing-octets")))]
        );
        assert_eq!(
            split(&[0x30, 0, 0x30, 5, 2]),
            [(2, true, None), (5, true, Some((3, "length-beyond-end")))]
        );
        assert_eq!(split(&[0x30, 0, 4, 5, 2])[1], (5, false, Some((2, "trailing-octets"))));
        assert_eq!(split(&[4, 5, 2]), [(3, true, Some((1, "length-beyond-end")))]);
        assert_eq!(split(&[0x30]), [(1, true, Some((1, "truncated")))]);
        assert_eq!(split(&[4, 0xff, 0]), [(3, false, Some((1, "length-reserved")))]);
        let huge = [0x30, 0x88, 255, 255, 255, 255, 255, 255, 255, 255];
        assert_eq!(split(&huge), [(10, true, Some((1, "length-too-long")))]);
    }

    #[test]
    fn indefinite_values_end_where_they_end() {
        let ber = [0x30, 0x80, 0x30, 0x80, 0x30, 4, 0x30, 0x80, 0, 0, 0, 0, 0, 0, 0x05, 0];
        assert_eq!(split(&ber), [(14, true, None), (16, true, None)]);
        assert_eq!(split(&ber[..13]), [(13, true, Some((13, "truncated")))]);
        assert_eq!(split(&ber[..12]), [(12, true, Some((12, "end-of-contents-missing")))]);
        let deep = [0x30, 0x80].repeat(1 << 20);
        assert_eq!(split(&deep).len(), 1);
    }

    #[test]
    fn a_value_too_large_for_32_bits_is_an_error() {
        assert_eq!(declared_length(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), Some(0x1_0000_0005));
        assert_eq!(declared_length(&[0xbf, 0x81, 0x01, 3]), Some(7));
        assert_eq!(declared_length(&[0x30, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0]), None);
    }
}
