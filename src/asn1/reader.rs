//! The strict DER cursor of the typed parsers (X.690 8.1 with the restrictions of 10.1).
//!
//! A cursor is a slice that ends where the enclosing value ends, and a position in it: the
//! offsets in results and errors therefore count from the first octet of the object, at any
//! depth. Nothing is allocated.

use crate::asn1::Error;
use crate::asn1::header::{Header, LENGTH_INDEFINITE, TRUNCATED};
use crate::rule;

rule! {
    UNEXPECTED_TAG, "unexpected-tag", "X.680 8.1", "another type is expected here";
    TRAILING, "trailing-octets", "X.690 8.1.1", "octets follow where the value should end";
    LONG_TAG, "long-tag", "X.690 8.1.2.4", "no type with a tag number above 30 is expected here";
}

/// A half-open range of octets in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    /// First octet.
    pub start: u32,
    /// One past the last octet.
    pub end: u32,
}

impl Span {
    /// A span from `start` up to `end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The octets of this span; empty when `object` is too short for it.
    #[must_use]
    pub fn of<'a>(&self, object: &'a [u8]) -> &'a [u8] {
        object.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// Number of octets.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// True when there is no octet in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.end <= self.start
    }
}

/// One value as a strict [`Reader`] found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tlv {
    /// The identifier octet (tag numbers below 31 only).
    pub tag: u8,
    /// Offset of the identifier octet.
    pub start: u32,
    /// Offset of the first contents octet.
    pub content: u32,
    /// Offset after the last contents octet.
    pub end: u32,
}

impl Tlv {
    /// Identifier, length and contents octets.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The contents octets.
    #[must_use]
    pub const fn contents(&self) -> Span {
        Span::new(self.content, self.end)
    }

    /// A cursor over the contents octets; `object` is the slice this was read from.
    #[must_use]
    pub fn enter<'a>(&self, object: &'a [u8]) -> Reader<'a> {
        Reader::within(object, self.contents())
    }
}

/// A position in the contents octets of one value.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    pos: usize,
}

impl<'a> Reader<'a> {
    /// A cursor at the start of an object. Octets beyond 4 GiB - 1 are not seen.
    #[must_use]
    pub fn new(object: &'a [u8]) -> Self {
        Self { bytes: &object[..object.len().min(u32::MAX as usize)], pos: 0 }
    }

    /// A cursor over `span` of `object`; an out-of-range span reads as empty.
    #[must_use]
    pub fn within(object: &'a [u8], span: Span) -> Self {
        let bytes = object.get(..span.end as usize).unwrap_or(object);
        Self { bytes, pos: (span.start as usize).min(bytes.len()) }
    }

    /// The octets up to the end of the enclosing value, counted from the start of the object.
    #[must_use]
    pub fn object(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where the cursor stands.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "bytes is at most u32::MAX long")]
    pub fn offset(&self) -> u32 {
        self.pos as u32
    }

    /// What is left.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "bytes is at most u32::MAX long")]
    pub fn rest(&self) -> Span {
        Span::new(self.pos as u32, self.bytes.len() as u32)
    }

    /// True at the end of the enclosing value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// The next identifier octet, `None` at the end.
    #[must_use]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    /// The next value, whatever its type.
    ///
    /// # Errors
    /// When the header is not DER, has a tag number above 30, or reaches beyond the end.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "bytes is at most u32::MAX long")]
    pub fn any(&mut self) -> Result<Tlv, Error> {
        let start = self.pos as u32;
        let (tag, header, length) =
            match self.bytes.get(self.pos..).and_then(|r| r.first_chunk::<4>()) {
                Some(&[tag, l0 @ 0..=0x7f, _, _]) => (tag, 2, usize::from(l0)),
                Some(&[tag, 0x81, l1 @ 0x80..=0xff, _]) => (tag, 3, usize::from(l1)),
                Some(&[tag, 0x82, l1 @ 1..=0xff, l2]) => {
                    (tag, 4, usize::from(l1) << 8 | usize::from(l2))
                }
                _ => return self.any_cold(),
            };
        let content = self.pos + header;
        let end = content + length;
        if end > self.bytes.len() || tag & 0x1f == 0x1f {
            return self.any_cold();
        }
        self.pos = end;
        Ok(Tlv { tag, start, content: content as u32, end: end as u32 })
    }

    #[cold]
    fn any_cold(&mut self) -> Result<Tlv, Error> {
        let at = self.offset();
        let header = Header::read(self.bytes, at)?;
        let tag = header.tag.octet().ok_or(Error::new(at, &LONG_TAG))?;
        if let Some(flaw) = header.flaws().next() {
            return Err(flaw);
        }
        let end = header.end().ok_or(Error::new(at, &LENGTH_INDEFINITE))?;
        self.pos = end as usize;
        Ok(Tlv { tag, start: at, content: header.content, end })
    }

    /// The next value, which must have the identifier octet `tag`.
    ///
    /// # Errors
    /// [`UNEXPECTED_TAG`] for another type or the end, and what [`Reader::any`] rejects.
    #[inline]
    pub fn expect(&mut self, tag: u8) -> Result<Tlv, Error> {
        match self.peek() {
            Some(t) if t == tag => self.any(),
            Some(_) => Err(Error::new(self.offset(), &UNEXPECTED_TAG)),
            None => Err(Error::new(self.offset(), &TRUNCATED)),
        }
    }

    /// The next value when it has the identifier octet `tag`, else `None` without moving.
    ///
    /// # Errors
    /// What [`Reader::any`] rejects.
    #[inline]
    pub fn optional(&mut self, tag: u8) -> Result<Option<Tlv>, Error> {
        if self.peek() == Some(tag) { self.any().map(Some) } else { Ok(None) }
    }

    /// The contents of the next value, which must have the identifier octet `tag`.
    ///
    /// # Errors
    /// As [`Reader::expect`].
    #[inline]
    pub fn enter(&mut self, tag: u8) -> Result<Reader<'a>, Error> {
        let tlv = self.expect(tag)?;
        Ok(Self { bytes: &self.bytes[..tlv.end as usize], pos: tlv.content as usize })
    }

    /// Ends the reading of the enclosing value.
    ///
    /// # Errors
    /// [`TRAILING`] when octets are left.
    pub fn finish(&self) -> Result<(), Error> {
        if self.is_empty() { Ok(()) } else { Err(Error::new(self.offset(), &TRAILING)) }
    }

    /// Reads `object` as exactly one value with the identifier octet `tag`, nothing after it.
    ///
    /// # Errors
    /// As [`Reader::expect`] and [`Reader::finish`].
    pub fn single(object: &'a [u8], tag: u8) -> Result<(Tlv, Reader<'a>), Error> {
        let mut reader = Self::new(object);
        let tlv = reader.expect(tag)?;
        reader.finish()?;
        Ok((tlv, tlv.enter(object)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::tag::octet;

    #[test]
    fn walks_with_object_offsets() {
        let der = [0x30, 0x06, 0x02, 0x01, 0x05, 0x04, 0x01, 0xaa];
        let (_, mut r) = Reader::single(&der, octet::SEQUENCE).unwrap();
        let n = r.expect(octet::INTEGER).unwrap();
        assert_eq!(n.contents().of(&der), [5]);
        assert_eq!(r.optional(octet::NULL).unwrap(), None);
        assert_eq!(r.expect(octet::NULL).unwrap_err(), Error::new(5, &UNEXPECTED_TAG));
        assert_eq!(r.finish().unwrap_err(), Error::new(5, &TRAILING));
        r.any().unwrap();
        r.finish().unwrap();
    }

    #[test]
    fn a_child_cannot_leave_its_parent() {
        let der = [0x30, 0x03, 0x02, 0x02, 0x05, 0x05];
        let mut r = Reader::new(&der).enter(octet::SEQUENCE).unwrap();
        assert_eq!(r.any().unwrap_err().rule.id, "length-beyond-end");
    }

    #[test]
    fn ber_is_refused() {
        assert_eq!(
            Reader::new(&[0x30, 0x80, 0, 0]).any().unwrap_err().rule.id,
            "length-indefinite"
        );
        assert_eq!(Reader::new(&[0x04, 0x81, 1, 0]).any().unwrap_err().rule.id, "length-minimal");
        assert_eq!(Reader::new(&[0x1f, 0x1f, 0]).any().unwrap_err().rule.id, "long-tag");
        assert_eq!(Reader::new(&[0x05]).any().unwrap_err().rule.id, "truncated");
    }
}
