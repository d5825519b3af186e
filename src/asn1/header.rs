//! The tolerant header reader: identifier and length octets of DER and BER (X.690 8.1).
//!
//! It reads all that BER allows and notes what DER forbids, so that one reader serves the
//! browser (which shows everything) and the strict checks (which reject). The typed parsers
//! use the strict [`crate::asn1::Reader`] instead.

use crate::asn1::{Class, Error, Tag};
use crate::rule;

rule! {
    TRUNCATED, "truncated", "X.690 8.1.1", "the input ends inside a value";
    TAG_TOO_LONG, "tag-too-long", "X.690 8.1.2.4", "a tag number of more than 64 bits";
    TAG_MINIMAL, "tag-minimal", "X.690 8.1.2.4.2", "the tag number is not in its shortest form";
    LENGTH_RESERVED, "length-reserved", "X.690 8.1.3.5", "the length octet ff is reserved";
    LENGTH_TOO_LONG, "length-too-long", "X.690 8.1.3.5", "a length of more than 32 bits";
    LENGTH_BEYOND, "length-beyond-end", "X.690 8.1.3", "the length reaches beyond the enclosing value";
    LENGTH_MINIMAL, "length-minimal", "X.690 10.1", "the length is not in its shortest form";
    LENGTH_INDEFINITE, "length-indefinite", "X.690 10.1", "DER forbids the indefinite length";
    INDEFINITE_PRIMITIVE, "indefinite-primitive", "X.690 8.1.3.2",
        "a primitive value cannot have an indefinite length";
}

/// The longest identifier that is read: tag octet and ten octets of 7 bits, padding included.
const MAX_TAG_OCTETS: u32 = 16;

const FLAW_TAG: u8 = 1;
const FLAW_LENGTH: u8 = 2;

/// The header of one value: where its identifier, length and contents octets stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The tag.
    pub tag: Tag,
    /// Offset of the first identifier octet.
    pub start: u32,
    /// Offset of the first length octet.
    pub length_at: u32,
    /// Offset of the first contents octet.
    pub content: u32,
    /// Number of contents octets; `None` for the indefinite form (X.690 8.1.3.6).
    pub length: Option<u32>,
    flaws: u8,
}

impl Header {
    /// Reads the header at `at` in `bytes`, whose end is the end of the enclosing value.
    ///
    /// # Errors
    /// The rule broken at the octet that breaks it: truncation, a tag or length of
    /// unsupported size, a length beyond the end of `bytes`, an indefinite primitive.
    #[inline]
    pub fn read(bytes: &[u8], at: u32) -> Result<Self, Error> {
        match Self::read_clamped(bytes, at) {
            Ok((header, None)) => Ok(header),
            Ok((_, Some(error))) | Err(error) => Err(error),
        }
    }

    /// Like [`Header::read`], but a length that reaches beyond the end is cut to the end and
    /// given back with the error, so that what is there can still be shown.
    ///
    /// # Errors
    /// As [`Header::read`], without the length beyond the end.
    #[inline]
    pub fn read_clamped(bytes: &[u8], at: u32) -> Result<(Self, Option<Error>), Error> {
        // The common case by one bounds check: one tag octet, definite length up to 65,535.
        if let Some(&[tag, l0, l1, l2]) =
            bytes.get(at as usize..).and_then(|rest| rest.first_chunk::<4>())
            && tag & 0x1f != 0x1f
        {
            let (header, length, minimal) = match l0 {
                0..=0x7f => (2, u32::from(l0), true),
                0x81 => (3, u32::from(l1), l1 >= 0x80),
                0x82 => (4, u32::from(l1) << 8 | u32::from(l2), l1 != 0),
                _ => return Self::read_any(bytes, at),
            };
            let content = at + header;
            if minimal && u64::from(content) + u64::from(length) <= bytes.len() as u64 {
                let header = Self {
                    tag: short_tag(tag),
                    start: at,
                    length_at: at + 1,
                    content,
                    length: Some(length),
                    flaws: 0,
                };
                return Ok((header, None));
            }
        }
        Self::read_any(bytes, at)
    }

    #[cold]
    fn read_any(bytes: &[u8], at: u32) -> Result<(Self, Option<Error>), Error> {
        let end = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let octet = |i: u32| match bytes.get(i as usize) {
            Some(&b) if i < end => Ok(b),
            _ => Err(Error::new(end, &TRUNCATED)),
        };
        let mut flaws = 0;
        let first = octet(at)?;
        let mut tag = short_tag(first);
        let mut i = at + 1;
        if first & 0x1f == 0x1f {
            tag.number = 0;
            loop {
                let b = octet(i)?;
                if i == at + 1 && b == 0x80 {
                    flaws |= FLAW_TAG;
                }
                if tag.number >> 57 != 0 || i - at >= MAX_TAG_OCTETS {
                    return Err(Error::new(at, &TAG_TOO_LONG));
                }
                tag.number = tag.number << 7 | u64::from(b & 0x7f);
                i += 1;
                if b & 0x80 == 0 {
                    break;
                }
            }
            if tag.number < 31 {
                flaws |= FLAW_TAG;
            }
        }
        let length_at = i;
        let l0 = octet(i)?;
        i += 1;
        let length = match l0 {
            0..=0x7f => Some(u64::from(l0)),
            0x80 if tag.constructed => None,
            0x80 => return Err(Error::new(length_at, &INDEFINITE_PRIMITIVE)),
            0xff => return Err(Error::new(length_at, &LENGTH_RESERVED)),
            _ => {
                let mut length = 0_u64;
                for _ in 0..l0 & 0x7f {
                    let b = octet(i)?;
                    // Saturates: whatever does not fit reaches beyond any object.
                    length = if length >> 56 == 0 { length << 8 | u64::from(b) } else { u64::MAX };
                    i += 1;
                }
                let shortest = 1 + (u64::BITS - length.leading_zeros()).div_ceil(8);
                if length < 0x80 || length != u64::MAX && i - length_at != shortest {
                    flaws |= FLAW_LENGTH;
                }
                Some(length)
            }
        };
        let mut error = None;
        let length = length.map(|length| {
            let room = end - i;
            u32::try_from(length).ok().filter(|l| *l <= room).unwrap_or_else(|| {
                let huge = length > u64::from(u32::MAX);
                let rule = if huge { &LENGTH_TOO_LONG } else { &LENGTH_BEYOND };
                error = Some(Error::new(length_at, rule));
                room
            })
        });
        Ok((Self { tag, start: at, length_at, content: i, length, flaws }, error))
    }

    /// Octets of identifier and length together.
    #[must_use]
    pub const fn header_len(&self) -> u32 {
        self.content - self.start
    }

    /// The end of the contents octets, `None` for the indefinite form.
    #[must_use]
    pub fn end(&self) -> Option<u32> {
        self.length.map(|l| self.content + l)
    }

    /// True for the two octets that end an indefinite value (X.690 8.1.5).
    #[must_use]
    pub fn is_end_of_contents(&self) -> bool {
        self.tag.is_universal(0) && !self.tag.constructed && self.length == Some(0)
    }

    /// True when DER forbids this header though BER allows it.
    #[must_use]
    pub const fn is_flawed(&self) -> bool {
        self.flaws != 0 || self.length.is_none()
    }

    /// What DER forbids in this header, in order of offset.
    pub fn flaws(&self) -> impl Iterator<Item = Error> {
        let tag = (self.flaws & FLAW_TAG != 0).then_some(Error::new(self.start, &TAG_MINIMAL));
        let length =
            (self.flaws & FLAW_LENGTH != 0).then_some(Error::new(self.length_at, &LENGTH_MINIMAL));
        let form = self.length.is_none().then_some(Error::new(self.length_at, &LENGTH_INDEFINITE));
        [tag, length, form].into_iter().flatten()
    }
}

const fn short_tag(octet: u8) -> Tag {
    let class = match octet >> 6 {
        0 => Class::Universal,
        1 => Class::Application,
        2 => Class::Context,
        _ => Class::Private,
    };
    Tag { class, constructed: octet & 0x20 != 0, number: (octet & 0x1f) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(bytes: &[u8]) -> Vec<&'static str> {
        match Header::read(bytes, 0) {
            Ok(h) => h.flaws().map(|e| e.rule.id).collect(),
            Err(e) => vec![e.rule.id],
        }
    }

    #[test]
    fn reads_short_and_long_forms() {
        let h = Header::read(&[0x30, 0x03, 2, 1, 5], 0).unwrap();
        assert_eq!((h.content, h.length, h.tag.constructed), (2, Some(3), true));
        let mut long = vec![0x04, 0x82, 0x01, 0x00];
        long.resize(260, 0);
        let h = Header::read(&long, 0).unwrap();
        assert_eq!((h.content, h.end()), (4, Some(260)));
        let h = Header::read(&[0xbf, 0x81, 0x00, 0x00], 0).unwrap();
        assert_eq!((h.tag.number, h.header_len()), (128, 4));
        assert!(!h.is_flawed());
    }

    #[test]
    fn notes_what_der_forbids() {
        assert_eq!(rules(&[0x30, 0x80, 0, 0]), ["length-indefinite"]);
        assert_eq!(rules(&[0x04, 0x81, 0x01, 0]), ["length-minimal"]);
        assert_eq!(rules(&[0x04, 0x82, 0x00, 0x00]), ["length-minimal"]);
        assert_eq!(rules(&[0x04, 0x84, 0, 0, 0, 0]), ["length-minimal"]);
        assert_eq!(rules(&[0x1f, 0x1e, 0x00]), ["tag-minimal"]);
        assert_eq!(rules(&[0x1f, 0x80, 0x1f, 0x00]), ["tag-minimal"]);
    }

    #[test]
    fn names_what_stops_it() {
        assert_eq!(rules(&[]), ["truncated"]);
        assert_eq!(rules(&[0x30]), ["truncated"]);
        assert_eq!(rules(&[0x04, 0x80]), ["indefinite-primitive"]);
        assert_eq!(rules(&[0x04, 0xff]), ["length-reserved"]);
        assert_eq!(rules(&[0x04, 0x02, 0]), ["length-beyond-end"]);
        assert_eq!(
            rules(&[0x04, 0x88, 255, 255, 255, 255, 255, 255, 255, 255]),
            ["length-too-long"]
        );
        assert_eq!(
            rules(&[0x1f, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1]),
            ["tag-too-long"]
        );
        let mut padded = vec![0x1f];
        padded.resize(100, 0x80);
        assert_eq!(rules(&padded), ["tag-too-long"]);
    }
}
