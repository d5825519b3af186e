//! The pre-order walk over all values of an object, BER or DER, whole or broken.
//!
//! Everything that lists nodes stands on this iterator: the tree index, the exports, search
//! and the checks. It uses an explicit stack of bounded depth, and each octet is looked at a
//! constant number of times: ends of indefinite values are found once for a whole nest of
//! them (see [`crate::asn1::ends`]), and so is what OCTET STRINGs hold (see
//! [`crate::asn1::nested`]).

use std::collections::HashMap;

use crate::asn1::ends::Ends;
use crate::asn1::nested::{self, MAX_DEPTH};
use crate::asn1::tag::universal;
use crate::asn1::{Class, Error, Header, Span, Tag};
use crate::rule;

rule! {
    TOO_DEEP, "too-deep", "X.690 8.1", "values nested deeper than this are shown closed";
    NO_END_OF_CONTENTS, "end-of-contents-missing", "X.690 8.1.5",
        "a value of indefinite length has no end-of-contents octets";
}

/// Strings with more octets than this are probed only once.
const REMEMBER_FROM: u32 = 4096;

/// What a node is, beside its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Contents octets that are no values, or are not opened.
    Primitive,
    /// Contents octets that are values (X.690 8.1.2.5).
    Constructed,
    /// An OCTET STRING or BIT STRING whose whole content is one value, which follows.
    Encapsulating,
    /// The octets that end an indefinite value (X.690 8.1.5).
    EndOfContents,
    /// Octets that are no value: the rest of the enclosing value.
    Garbage,
}

/// One value (or broken stretch) of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The tag; END-OF-CONTENTS for [`Kind::Garbage`].
    pub tag: Tag,
    /// What the node is.
    pub kind: Kind,
    /// Nesting level, 0 for the outermost value.
    pub depth: u8,
    /// The length is indefinite (X.690 8.1.3.6).
    pub indefinite: bool,
    /// Offset of the first identifier octet.
    pub start: u32,
    /// Offset of the first length octet.
    pub length_at: u32,
    /// Offset of the first contents octet.
    pub content: u32,
    /// Offset after the last octet, end-of-contents octets included.
    pub end: u32,
    /// What stops the reading here, or a length that was cut.
    pub error: Option<Error>,
}

impl Node {
    /// All octets of the node.
    #[must_use]
    pub const fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// The contents octets, without end-of-contents octets.
    #[must_use]
    pub const fn contents(&self) -> Span {
        let eoc = if self.indefinite && self.error.is_none() { 2 } else { 0 };
        Span::new(self.content, self.end - eoc)
    }

    /// Octets of identifier and length.
    #[must_use]
    pub const fn header_len(&self) -> u32 {
        self.content - self.start
    }

    /// True when values stand inside it.
    #[must_use]
    pub const fn has_children(&self) -> bool {
        self.first_child() < self.end
            && matches!(self.kind, Kind::Constructed | Kind::Encapsulating)
    }

    /// Where the first child starts, if there is one: after the octet that counts unused bits
    /// in a BIT STRING that encapsulates.
    #[must_use]
    pub const fn first_child(&self) -> u32 {
        let skip = matches!(self.kind, Kind::Encapsulating)
            && matches!(self.tag.class, Class::Universal)
            && self.tag.number == universal::BIT_STRING;
        self.content + skip as u32
    }
}

/// Reads nodes and remembers what costs more than one look: it turns a header into a [`Node`].
///
/// One is shared by all that walks the same object.
#[derive(Debug, Default)]
pub struct Scanner {
    /// Strings of more octets than this are not looked into.
    nested_up_to: u32,
    ends: Ends,
    /// The string that was probed last, and the strings in it that open, itself included.
    probed: Span,
    found: Vec<u32>,
    /// The answers for big strings, so that a screen does not probe them for every frame.
    decided: HashMap<u32, bool>,
}

impl Scanner {
    /// `nested`: look into OCTET STRINGs and BIT STRINGs.
    #[must_use]
    pub fn new(nested: bool) -> Self {
        Self::up_to(if nested { u32::MAX } else { 0 })
    }

    /// Looks into strings of up to `nested_up_to` octets: for summaries, which must be quick.
    #[must_use]
    pub fn up_to(nested_up_to: u32) -> Self {
        Self { nested_up_to, ..Self::default() }
    }

    /// The node at `at` in an enclosing value that ends at `limit` and has indefinite length
    /// or not; `at` must be below `limit`.
    pub fn node(
        &mut self,
        object: &[u8],
        at: u32,
        limit: u32,
        in_indefinite: bool,
        depth: u8,
    ) -> Node {
        let within = object.get(..limit as usize).unwrap_or(object);
        let (header, mut error) = match Header::read_clamped(within, at) {
            Ok(read) => read,
            Err(error) => {
                return Node {
                    tag: Tag::universal(0),
                    kind: Kind::Garbage,
                    depth,
                    indefinite: false,
                    start: at,
                    length_at: at,
                    content: at,
                    end: limit,
                    error: Some(error),
                };
            }
        };
        let end = header.end().unwrap_or_else(|| {
            let end = self.ends.find(within, &header);
            if !end.closed {
                error = Some(Error::new(header.length_at, &NO_END_OF_CONTENTS));
            }
            end.at
        });
        let mut node = Node {
            tag: header.tag,
            kind: Kind::Primitive,
            depth,
            indefinite: header.length.is_none(),
            start: at,
            length_at: header.length_at,
            content: header.content,
            end,
            error,
        };
        if header.tag.constructed {
            node.kind = Kind::Constructed;
        } else if in_indefinite && header.is_end_of_contents() {
            node.kind = Kind::EndOfContents;
        } else if node.contents().len() <= self.nested_up_to
            && error.is_none()
            && self.opens(object, &node)
        {
            node.kind = Kind::Encapsulating;
        }
        if depth >= MAX_DEPTH && node.has_children() {
            node.kind = Kind::Primitive;
            node.error = node.error.or(Some(Error::new(at, &TOO_DEEP)));
        }
        node
    }

    /// Header (unless it cannot be read) and end of the value at `at`, without looking inside.
    pub fn skip(&mut self, object: &[u8], at: u32, limit: u32) -> (Option<Header>, u32) {
        let within = object.get(..limit as usize).unwrap_or(object);
        match Header::read_clamped(within, at) {
            Ok((header, _)) => {
                let end = header.end().unwrap_or_else(|| self.ends.find(within, &header).at);
                (Some(header), end)
            }
            Err(_) => (None, limit),
        }
    }

    /// How many children `node` has, counted up to `most` by their headers alone.
    pub fn count_children(&mut self, object: &[u8], node: &Node, most: u32) -> u32 {
        let (mut at, mut count) = (node.first_child(), 0);
        while at < node.contents().end && count < most {
            at = self.skip(object, at, node.end).1;
            count += 1;
        }
        count
    }

    fn opens(&mut self, object: &[u8], node: &Node) -> bool {
        let Some(span) = nested::candidate(object, node.tag, node.contents()) else {
            return false;
        };
        let big = span.len() > REMEMBER_FROM;
        if big && let Some(known) = self.decided.get(&node.start) {
            return *known;
        }
        // Inside the string that was probed last the answers are known.
        if !(self.probed.start <= node.start && node.end <= self.probed.end) {
            self.found.clear();
            self.probed = node.span();
            if nested::probe(object, span, &mut self.found) {
                self.found.insert(0, node.start);
            }
        }
        let opens = self.found.binary_search(&node.start).is_ok();
        if big {
            self.decided.insert(node.start, opens);
        }
        opens
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame {
    limit: u32,
    indefinite: bool,
}

/// The iterator over all nodes in pre-order.
#[derive(Debug)]
pub struct Walker<'a> {
    object: &'a [u8],
    scanner: Scanner,
    stack: Vec<Frame>,
    at: u32,
    /// Where to go on when the children of the last node are not wanted.
    after_last: u32,
    entered_last: bool,
}

impl<'a> Walker<'a> {
    /// A walk over all values of `object`; `nested` opens OCTET STRINGs and BIT STRINGs.
    ///
    /// Octets beyond 4 GiB - 1 are not seen.
    #[must_use]
    pub fn new(object: &'a [u8], nested: bool) -> Self {
        let limit = u32::try_from(object.len()).unwrap_or(u32::MAX);
        Self {
            object,
            scanner: Scanner::new(nested),
            stack: vec![Frame { limit, indefinite: false }],
            at: 0,
            after_last: 0,
            entered_last: false,
        }
    }

    /// A walk over one node and what is in it; depths count from this node.
    #[must_use]
    pub fn from_node(object: &'a [u8], node: Span, nested: bool) -> Self {
        let object = object.get(..node.end as usize).unwrap_or(object);
        Self { at: node.start, ..Self::new(object, nested) }
    }

    /// Leaves out the children of the node that was given last.
    pub fn skip_children(&mut self) {
        if self.entered_last {
            self.stack.pop();
            self.at = self.after_last;
            self.entered_last = false;
        }
    }

    /// Goes into the node that was given last, a string that a schema knows to hold a value
    /// at `first`. Says `false` when the walk goes there anyway, or is too deep.
    pub fn open_last(&mut self, node: &Node, first: u32) -> bool {
        let inside = node.content <= first && first < node.end;
        if self.entered_last || node.depth >= MAX_DEPTH || !inside {
            return false;
        }
        self.stack.push(Frame { limit: node.end, indefinite: false });
        self.at = first;
        self.after_last = node.end;
        self.entered_last = true;
        true
    }

    /// Where the walk stands, for progress and for going on later.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.at
    }
}

impl Iterator for Walker<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        let mut frame = *self.stack.last()?;
        while self.at >= frame.limit {
            self.stack.pop();
            frame = *self.stack.last()?;
        }
        // The stack is never deeper than MAX_DEPTH + 1 frames: the scanner closes deeper nodes.
        let depth = u8::try_from(self.stack.len() - 1).unwrap_or(MAX_DEPTH);
        let node = self.scanner.node(self.object, self.at, frame.limit, frame.indefinite, depth);
        self.entered_last = node.has_children();
        self.after_last = node.end;
        if self.entered_last {
            self.stack.push(Frame { limit: node.end, indefinite: node.indefinite });
            self.at = node.first_child();
        } else {
            self.at = node.end;
        }
        Some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(object: &[u8]) -> Vec<(u8, u32, u32, Kind)> {
        Walker::new(object, true).map(|n| (n.depth, n.start, n.end, n.kind)).collect()
    }

    #[test]
    fn walks_in_pre_order_and_opens_strings() {
        let der = [0x30, 9, 0x02, 1, 5, 0x04, 4, 0x30, 2, 0x05, 0];
        assert_eq!(
            shape(&der),
            [
                (0, 0, 11, Kind::Constructed),
                (1, 2, 5, Kind::Primitive),
                (1, 5, 11, Kind::Encapsulating),
                (2, 7, 11, Kind::Constructed),
                (3, 9, 11, Kind::Primitive),
            ]
        );
        let closed: Vec<_> = Walker::new(&der, false).map(|n| n.kind).collect();
        assert_eq!(closed, [Kind::Constructed, Kind::Primitive, Kind::Primitive]);
    }

    #[test]
    fn a_bit_string_opens_after_its_first_octet() {
        let der = [0x03, 5, 0, 0x30, 2, 0x05, 0];
        assert_eq!(shape(&der)[1], (1, 3, 7, Kind::Constructed));
    }

    #[test]
    fn indefinite_values_end_at_their_own_end_of_contents() {
        let ber = [0x30, 0x80, 0x30, 0x80, 0x05, 0, 0, 0, 0x01, 1, 0xff, 0, 0];
        let nodes: Vec<_> = Walker::new(&ber, true).collect();
        assert_eq!(
            nodes.iter().map(|n| (n.depth, n.start, n.end)).collect::<Vec<_>>(),
            [(0, 0, 13), (1, 2, 8), (2, 4, 6), (2, 6, 8), (1, 8, 11), (1, 11, 13)]
        );
        assert_eq!(nodes[0].contents(), Span::new(2, 11));
        assert_eq!(nodes[5].kind, Kind::EndOfContents);
    }

    #[test]
    fn what_is_broken_is_still_listed() {
        // The outer length is one too long, then an INTEGER runs over.
        let der = [0x30, 6, 0x02, 1, 5, 0x02, 9, 1];
        let nodes: Vec<_> = Walker::new(&der, true).collect();
        assert_eq!(nodes.len(), 3);
        assert_eq!(nodes[2].error.unwrap().rule.id, "length-beyond-end");
        assert_eq!(nodes[2].end, 8);
        let cut = Walker::new(&[0x30, 3, 0x02], true).collect::<Vec<_>>();
        assert_eq!(cut[0].error.unwrap().rule.id, "length-beyond-end");
        assert_eq!((cut[1].kind, cut[1].start, cut[1].end), (Kind::Garbage, 2, 3));
        let open = Walker::new(&[0x30, 0x80, 0x05, 0], true).collect::<Vec<_>>();
        assert_eq!(open[0].error.unwrap().rule.id, "end-of-contents-missing");
        assert_eq!(open[1].tag, Tag::universal(universal::NULL));
    }

    #[test]
    fn depth_is_bounded_and_linear() {
        for unit in [&[0x30_u8, 0x80][..], &[0x24, 0x80], &[0xa0, 0x80]] {
            let deep = unit.repeat(1_000_000);
            let nodes: Vec<_> = Walker::new(&deep, true).collect();
            assert_eq!(nodes.len(), usize::from(MAX_DEPTH) + 1);
            assert_eq!(nodes.last().unwrap().end, 2_000_000);
        }
        // Definite nesting, each level in an OCTET STRING.
        let mut der = vec![0x05, 0];
        for _ in 0..300 {
            let mut outer = vec![0x04, 0x82];
            outer.extend_from_slice(&u16::try_from(der.len()).unwrap().to_be_bytes());
            if der.len() < 128 {
                outer = vec![0x04, u8::try_from(der.len()).unwrap()];
            } else if der.len() < 256 {
                outer = vec![0x04, 0x81, u8::try_from(der.len()).unwrap()];
            }
            outer.append(&mut der);
            der = outer;
        }
        let nodes: Vec<_> = Walker::new(&der, true).collect();
        assert!(nodes.len() <= usize::from(MAX_DEPTH) + 1);
    }

    #[test]
    fn children_can_be_left_out() {
        let der = [0x30, 5, 0x30, 3, 0x02, 1, 5, 0x05, 0];
        let mut walk = Walker::new(&der, true);
        walk.next();
        walk.next();
        walk.skip_children();
        assert_eq!(walk.next().map(|n| n.start), Some(7));
        assert_eq!(walk.next(), None);
    }
}
