//! Text in one value.

use std::collections::HashMap;

use memchr::{memchr2_iter, memmem};

use super::query::Text;
use super::raw::Ahead;
use crate::asn1::tag::universal as u;
use crate::asn1::value::{Oid, RelativeOid, string, time};
use crate::asn1::walk::{Kind, Node};
use crate::asn1::{Class, Span, names};

/// How many identifiers an answer is kept for; an object of millions of different ones must
/// not fill the memory.
const MAX_KNOWN: usize = 4096;

/// A text, and what was found out on the way.
#[derive(Debug)]
pub struct Finder<'a> {
    text: Text,
    ascii: bool,
    /// Index of the character that is looked for first: the rarest one.
    anchor: usize,
    /// True for text that can stand in the form of a time that people read.
    like_time: bool,
    known: HashMap<&'a [u8], bool>,
    ahead: Option<Ahead>,
}

impl<'a> Finder<'a> {
    pub fn new(text: Text) -> Self {
        let lower = text.lower.as_bytes();
        let rare = |c: &u8| match c {
            b'0' | b'1' | b' ' | b'e' | b'a' | b'i' | b'n' | b'o' | b'r' | b's' | b't' | b'.' => 0,
            b'2'..=b'9' | b'c' | b'd' | b'l' | b'm' | b'u' | b'p' | b'h' | b'/' | b'-' => 1,
            _ => 2,
        };
        let anchor = (0..lower.len()).max_by_key(|i| rare(&lower[*i])).unwrap_or(0);
        let like_time = lower.iter().all(|c| b"0123456789-:tz ".contains(c));
        let ahead = Ahead::new(&text, anchor);
        let ascii = text.lower.is_ascii();
        Self { ascii, anchor, like_time, known: HashMap::new(), ahead, text }
    }

    /// True when nothing in the octets of `node` can match; `limit` is where the search ends.
    pub fn rules_out(&mut self, object: &[u8], node: &Node, limit: u32) -> bool {
        let Some(ahead) = &mut self.ahead else { return false };
        node.end as usize <= ahead.next(object, node.start as usize, limit as usize)
    }

    #[cfg(test)]
    pub fn without_leaps(text: Text) -> Self {
        Self { ahead: None, ..Self::new(text) }
    }

    /// Where the text stands in a primitive value; the whole contents where it is not written
    /// out in them.
    pub fn find(&mut self, object: &'a [u8], node: &Node) -> Option<Span> {
        if node.kind != Kind::Primitive || node.tag.constructed {
            return None;
        }
        let span = node.contents();
        let content = span.of(object);
        let number = match node.tag.class {
            Class::Universal => node.tag.number,
            // IMPLICIT tags hide the type: dNSName is an IA5String. Judged by the octets.
            _ => u::OCTET_STRING,
        };
        let whole = |found: bool| found.then_some(span);
        match number {
            u::OBJECT_IDENTIFIER => whole(self.is_in_oid(content)),
            u::RELATIVE_OID => whole(RelativeOid(content).to_string().contains(&self.text.lower)),
            u::INTEGER | u::ENUMERATED => self.find_integer(content).map(|s| shift(s, span)),
            u::UTC_TIME | u::GENERALIZED_TIME => self
                .find_string(number, content)
                .map(|s| shift(s, span))
                .or_else(|| whole(self.like_time && self.is_in_time(number, content))),
            u::OCTET_STRING => self
                .find_string(u::UTF8_STRING, content)
                .filter(|_| is_readable(content))
                .map(|s| shift(s, span)),
            _ if string::is_string(number) => {
                self.find_string(number, content).map(|s| shift(s, span))
            }
            _ => None,
        }
    }

    fn is_in_oid(&mut self, content: &'a [u8]) -> bool {
        if let Some(known) = self.known.get(content) {
            return *known;
        }
        let lower = &self.text.lower;
        let entry = names::lookup(content);
        let found = entry.is_some_and(|e| {
            e.name.to_lowercase().contains(lower)
                || e.short.is_some_and(|s| s.to_lowercase().contains(lower))
        }) || Oid(content).to_string().contains(lower);
        if self.known.len() < MAX_KNOWN {
            self.known.insert(content, found);
        }
        found
    }

    fn find_integer(&self, content: &[u8]) -> Option<(usize, usize)> {
        if self.text.integer.as_deref() == Some(content) {
            return Some((0, content.len()));
        }
        let digits = self.text.digits.as_deref()?;
        memmem::find(content, digits).map(|at| (at, digits.len()))
    }

    fn is_in_time(&self, number: u64, content: &[u8]) -> bool {
        let read = match number {
            u::UTC_TIME => time::read_utc(content, 0),
            _ => time::read_generalized(content, 0),
        };
        read.is_ok_and(|r| r.time.to_string().to_ascii_lowercase().contains(&self.text.lower))
    }

    /// Position and size of the text in a string of type `number`.
    fn find_string(&self, number: u64, content: &[u8]) -> Option<(usize, usize)> {
        let width = match number {
            u::BMP_STRING => 2,
            u::UNIVERSAL_STRING => 4,
            _ => 1,
        };
        if content.len() < self.text.lower.len().min(width) {
            return None;
        }
        if self.ascii {
            return self.find_ascii(content, width);
        }
        let text = string::decode(number, content).text;
        text.to_lowercase().contains(&self.text.lower).then_some((0, content.len()))
    }

    /// Finds ASCII text in characters of `width` octets, the highest first.
    fn find_ascii(&self, content: &[u8], width: usize) -> Option<(usize, usize)> {
        let lower = self.text.lower.as_bytes();
        let size = lower.len() * width;
        let lead = self.anchor * width + width - 1;
        let anchor = lower[self.anchor];
        let places = content.get(lead..)?;
        memchr2_iter(anchor, anchor.to_ascii_uppercase(), places)
            .take_while(|at| at + size <= content.len())
            .find(|at| {
                at % width == 0
                    && content[*at..at + size].chunks_exact(width).zip(lower).all(|(c, l)| {
                        c[width - 1].eq_ignore_ascii_case(l)
                            && c[..width - 1].iter().all(|b| *b == 0)
                    })
            })
            .map(|at| (at, size))
    }
}

fn shift((at, size): (usize, usize), within: Span) -> Span {
    let start = within.start + u32::try_from(at).unwrap_or(0);
    Span::new(start, start + u32::try_from(size).unwrap_or(0))
}

/// True for octets that are text though no tag says so.
fn is_readable(content: &[u8]) -> bool {
    std::str::from_utf8(content)
        .is_ok_and(|text| !text.contains(|c: char| c.is_control() && !c.is_whitespace()))
}
