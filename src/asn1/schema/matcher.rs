//! Which field of the schema a node is: worked out child by child, in order.
//!
//! A tree gives the matcher of an opened node each child's header; it never looks further
//! than the first octets of a child, so that a tree of any depth and width can be opened lazily.
//! Matching never fails: what the schema does not know becomes [`Role::Unknown`].

use std::borrow::Cow;
use std::fmt;

use crate::asn1::schema::base::ANY;
use crate::asn1::schema::model::{Entry, Field, Key, Kind, Source, Tagging, Type};
use crate::asn1::schema::open;
use crate::asn1::tag::universal;
use crate::asn1::walk::{self, Node};
use crate::asn1::{Class, Header, Tag};

/// What the matching looks at of a node: made from a [`Header`] or a [`Node`].
#[derive(Debug, Clone, Copy)]
pub struct Head {
    tag: Tag,
    start: u32,
    content: u32,
    end_of_contents: bool,
}

impl From<&Header> for Head {
    fn from(header: &Header) -> Self {
        let end_of_contents = header.is_end_of_contents();
        Self { tag: header.tag, start: header.start, content: header.content, end_of_contents }
    }
}

impl From<&Node> for Head {
    fn from(node: &Node) -> Self {
        let end_of_contents = matches!(node.kind, walk::Kind::EndOfContents | walk::Kind::Garbage);
        Self { tag: node.tag, start: node.start, content: node.content, end_of_contents }
    }
}

/// What a node is to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The outermost value.
    Root,
    /// A named component.
    Field,
    /// An element of a SEQUENCE OF or SET OF.
    Element,
    /// The value inside an EXPLICIT tag: the same field as its parent.
    Inner,
    /// The value inside an OCTET STRING or BIT STRING.
    Nested,
    /// A part of a string in the constructed form (X.690 8.7.3).
    Segment,
    /// The two octets that end an indefinite value.
    EndOfContents,
    /// Nothing that the schema knows.
    Unknown,
}

/// Where a node stands in the schema.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Field name, or what a nested value is called; empty for elements and unknown nodes.
    pub name: &'static str,
    /// Position among its siblings, for elements, segments and unknown nodes.
    pub index: Option<u32>,
    /// Name of the alternative when the type was a CHOICE, as `dNSName`; else empty.
    pub choice: &'static str,
    /// The type; a CHOICE or open type is replaced by what it turned out to be.
    pub ty: &'static Type,
    /// What the node is to its parent.
    pub role: Role,
    /// The component that it is, of a SEQUENCE or SET.
    pub field: Option<&'static Field>,
    /// True when the node is the EXPLICIT tag around the value of type `ty`.
    pub explicit: bool,
    /// True when the schema asks for another type than the node has, or for no node at all;
    /// `ty` is then ANY.
    pub mismatch: bool,
    /// The type that the schema asks for, when there is a mismatch and it asks for one.
    pub expected: Option<&'static Type>,
    /// The clause of the type that it is a component of.
    within: &'static str,
    open: Option<&'static Entry>,
}

/// The place of the outermost value of an object of type `ty`.
#[must_use]
pub const fn root(ty: &'static Type) -> Place {
    Place {
        name: "",
        index: None,
        choice: "",
        ty,
        role: Role::Root,
        field: None,
        explicit: false,
        mismatch: false,
        expected: None,
        within: "",
        open: None,
    }
}

impl Place {
    /// A node of which nothing is known but its position.
    #[must_use]
    pub fn unknown(index: u32) -> Self {
        Self { index: Some(index), role: Role::Unknown, ..root(&ANY) }
    }

    /// A node where the schema has room for none.
    fn unexpected(index: u32) -> Self {
        Self { mismatch: true, ..Self::unknown(index) }
    }

    /// The type of the value that the contents of an OCTET STRING or BIT STRING hold.
    #[must_use]
    pub fn contained(&self) -> Option<&'static Type> {
        match self.ty.kind {
            _ if self.explicit => None,
            Kind::OctetString(_, ty) | Kind::BitString(_, ty) => match ty.kind {
                Kind::Open => self.open.map(|entry| entry.ty),
                _ => Some(ty),
            },
            _ => None,
        }
    }

    /// Where the value stands that the node holds: for a primitive string whose schema says
    /// that it holds one, and whose contents are exactly one value by its first header. A
    /// value of indefinite length is believed.
    #[must_use]
    pub fn held(&self, node: &Node, object: &[u8]) -> Option<u32> {
        self.contained()?;
        let number = self.universal(node.tag).filter(|_| !node.tag.constructed)?;
        let bytes = object.get(..node.end as usize)?;
        let first = match number {
            universal::OCTET_STRING => node.content,
            universal::BIT_STRING if bytes.get(node.content as usize) == Some(&0) => {
                node.content + 1
            }
            _ => return None,
        };
        let inner = Header::read(bytes, first).ok()?;
        inner.end().is_none_or(|end| end == node.end).then_some(first)
    }

    /// What the contents octets of the node say by the names of its type: the number of an
    /// INTEGER or ENUMERATED, the bits of a BIT STRING. `None` when the type has no names, or
    /// none for this value.
    #[must_use]
    pub fn named(&self, contents: &[u8]) -> Option<String> {
        let names = self.ty.bit_names();
        if self.explicit || contents.is_empty() {
            return None;
        }
        if names.is_empty() {
            let number = contents.get(..8.min(contents.len()))?;
            if number.len() < contents.len() {
                return None;
            }
            let first = if number.first()? & 0x80 == 0 { 0 } else { -1 };
            let number = number.iter().fold(first, |n: i64, b| n << 8 | i64::from(*b));
            return self.ty.number_name(number).map(str::to_owned);
        }
        let octets = contents.get(1..)?;
        let is_set = |bit: usize| octets.get(bit / 8).is_some_and(|b| b << (bit % 8) & 0x80 != 0);
        let mut text = String::new();
        for (_, name) in names.iter().enumerate().filter(|(bit, _)| is_set(*bit)) {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(name);
        }
        Some(text)
    }

    /// The same place with another type: what a user says that the node is.
    #[must_use]
    pub fn retyped(self, ty: &'static Type) -> Self {
        Self {
            ty,
            choice: "",
            explicit: false,
            mismatch: false,
            expected: None,
            open: None,
            ..self
        }
    }

    /// The clause that explains the node: that of the field, of its type, of the type around
    /// it; empty when none is known.
    #[must_use]
    pub fn source(&self) -> &'static str {
        let (field, ty) = self.field.map_or(("", ""), |f| (f.source, f.ty.source));
        let sources = [field, self.ty.source, ty, self.within];
        sources.into_iter().find(|s| !s.is_empty()).unwrap_or_default()
    }

    /// The universal type number that tells how the contents octets of the node are to be
    /// read: the schema's where an IMPLICIT tag hides it, else that of the tag.
    ///
    /// `None` for an EXPLICIT tag and for a context-specific tag of unknown type.
    #[must_use]
    pub fn universal(&self, tag: Tag) -> Option<u64> {
        match tag.class {
            Class::Universal => Some(tag.number),
            _ if self.explicit => None,
            _ => self.ty.universal(),
        }
    }

    /// What to call the node in a row: field or alternative, else the index, else nothing.
    #[must_use]
    pub fn label(&self) -> Cow<'static, str> {
        match (self.name, self.choice, self.index) {
            ("", "", Some(index)) => Cow::Owned(format!("[{index}]")),
            ("", choice, _) => Cow::Borrowed(choice),
            (name, ..) => Cow::Borrowed(name),
        }
    }

    /// The type in words: `[0] EXPLICIT Version`, `KeyIdentifier, OCTET STRING`, `SEQUENCE OF
    /// GeneralName`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut text = String::new();
        if let Some(Field { tagging: Tagging::Explicit(n), .. }) = self.field
            && self.explicit
        {
            text = format!("[{n}] EXPLICIT ");
        } else if self.explicit {
            text.push_str("EXPLICIT ");
        }
        text.push_str(self.ty.name);
        let (list, element) = match self.ty.kind {
            Kind::SequenceOf(element) => ("SEQUENCE OF ", Some(element)),
            Kind::SetOf(element) => ("SET OF ", Some(element)),
            _ => ("", None),
        };
        let plain = self.ty.universal().and_then(|n| Tag::universal(n).type_name());
        match (element, plain) {
            (Some(element), _) => {
                text.push_str(", ");
                text.push_str(list);
                text.push_str(element.name);
            }
            (None, Some(plain)) if plain != self.ty.name => {
                text.push_str(", ");
                text.push_str(plain);
            }
            _ => {}
        }
        text
    }

    /// What a node that starts with an object identifier is about, by the schema's tables: the
    /// entry `keyUsage` for an Extension, `organizationName` for an AttributeTypeAndValue.
    #[must_use]
    pub fn entry(&self, head: impl Into<Head>, object: &[u8]) -> Option<&'static Entry> {
        let Kind::Sequence([Field { key: Key::Own(source), .. }, ..]) = self.ty.kind else {
            return None;
        };
        if self.explicit { None } else { key(*source, object, head.into().content) }
    }

    /// The part of a path that this node adds to its parent's: `.name`, `[3]`, `[3].dNSName`,
    /// or nothing for the root and for the value inside an EXPLICIT tag.
    #[must_use]
    pub fn segment(&self) -> Segment {
        Segment(*self)
    }
}

/// Displays what one node adds to a path, see [`Place::segment`].
#[derive(Debug, Clone, Copy)]
pub struct Segment(Place);

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.0;
        let word = if place.name.is_empty() { place.choice } else { place.name };
        if let Some(index) = place.index {
            write!(f, "[{index}]")?;
        }
        if word.is_empty() { Ok(()) } else { write!(f, ".{word}") }
    }
}

/// The entry of `source` for the object identifier that stands at `at`.
fn key(source: Source, object: &[u8], at: u32) -> Option<&'static Entry> {
    let header = Header::read(object, at).ok()?;
    if !header.tag.is_universal(universal::OBJECT_IDENTIFIER) {
        return None;
    }
    let table = match source {
        Source::Table(table) => table,
        Source::Set(set) => open::table(set),
    };
    table.get(object.get(header.content as usize..header.end()? as usize)?)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Fields,
    Set,
    List,
    Explicit,
    Nested,
    Segments,
    Unknown,
}

/// The state of the matching of one node's children.
#[derive(Debug, Clone, Copy)]
pub struct Matcher {
    ty: &'static Type,
    open: Option<&'static Entry>,
    /// The next field of a SEQUENCE; the set of fields seen of a SET.
    next: u32,
    ordinal: u32,
    mode: Mode,
}

impl Matcher {
    /// A matcher for the children of the node at `place`, whose header is `head`.
    ///
    /// The children are the values in its contents octets, or the one value that a primitive
    /// OCTET STRING or BIT STRING holds.
    #[must_use]
    pub fn new(place: &Place, head: impl Into<Head>) -> Self {
        let head = head.into();
        let mut place = *place;
        if matches!(place.ty.kind, Kind::Choice(_) | Kind::Open) && !place.explicit {
            place.settle(head);
        }
        let constructed = head.tag.constructed;
        let mut open = place.open;
        let mode = match place.ty.kind {
            _ if place.explicit => Mode::Explicit,
            Kind::Sequence(_) if constructed => {
                open = None;
                Mode::Fields
            }
            Kind::Set(_) if constructed => {
                open = None;
                Mode::Set
            }
            Kind::SequenceOf(_) | Kind::SetOf(_) if constructed => Mode::List,
            Kind::OctetString(..) | Kind::BitString(..) if !constructed => Mode::Nested,
            Kind::OctetString(..) | Kind::BitString(..) | Kind::Bits(_) => Mode::Segments,
            Kind::Plain(n) if constructed && is_string(n) => Mode::Segments,
            _ => Mode::Unknown,
        };
        Self { ty: place.ty, open, next: 0, ordinal: 0, mode }
    }

    /// The place of the next child, whose header is `head`.
    pub fn step(&mut self, head: impl Into<Head>, object: &[u8]) -> Place {
        self.step_noting(head, object, |_| ())
    }

    /// As [`Matcher::step`]; `missing` gets each mandatory field that had to be skipped.
    pub fn step_noting(
        &mut self,
        head: impl Into<Head>,
        object: &[u8],
        missing: impl FnMut(&'static Field),
    ) -> Place {
        let head = head.into();
        if head.end_of_contents {
            return Place { role: Role::EndOfContents, ..root(&ANY) };
        }
        let ordinal = self.ordinal;
        self.ordinal = ordinal.saturating_add(1);
        let base = Place { open: self.open, within: self.ty.source, ..root(self.ty) };
        let mut place = match (self.mode, &self.ty.kind) {
            (Mode::Fields, _) => return self.component(ordinal, head, object, missing),
            (Mode::Set, _) => return self.member(ordinal, head, object),
            (Mode::List, Kind::SequenceOf(element) | Kind::SetOf(element)) => {
                Place { ty: element, role: Role::Element, index: Some(ordinal), ..base }
            }
            (Mode::Explicit, _) if ordinal == 0 => Place { role: Role::Inner, ..base },
            (Mode::Nested, Kind::OctetString(name, ty) | Kind::BitString(name, ty))
                if ordinal == 0 =>
            {
                let name = if name.is_empty() { self.open.map_or("", |e| e.name) } else { name };
                if name.is_empty() {
                    return Place::unknown(ordinal);
                }
                Place { name, ty, role: Role::Nested, ..base }
            }
            (Mode::Segments, _) => Place { role: Role::Segment, index: Some(ordinal), ..base },
            (Mode::Unknown, _) => return Place::unknown(ordinal),
            _ => return Place::unexpected(ordinal),
        };
        place.settle(head);
        place
    }

    /// Goes on at child `ordinal`, where that does not depend on the children in front of it
    /// (lists, segments, unknown types); otherwise says `false` and stays.
    pub fn seek(&mut self, ordinal: u32) -> bool {
        let free = matches!(self.mode, Mode::List | Mode::Segments | Mode::Unknown);
        if free {
            self.ordinal = ordinal;
        }
        free
    }

    /// The mandatory fields that are still missing when there are no more children.
    pub fn missing(&self) -> impl Iterator<Item = &'static Field> + use<> {
        let fields = match self.mode {
            Mode::Fields => self.ty.fields().get(self.next as usize..).unwrap_or_default(),
            Mode::Set => self.ty.fields(),
            _ => &[],
        };
        let seen = if self.mode == Mode::Set { self.next } else { 0 };
        let present = move |i: usize| i < 32 && seen >> i & 1 == 1;
        fields.iter().enumerate().filter(move |(i, f)| !f.optional && !present(*i)).map(|(_, f)| f)
    }

    /// True when no child has been seen where exactly one belongs: inside an EXPLICIT tag.
    #[must_use]
    pub fn lacks_inner(&self) -> bool {
        self.mode == Mode::Explicit && self.ordinal == 0
    }

    /// True when the children are parts of a string in the constructed form.
    #[must_use]
    pub fn is_segments(&self) -> bool {
        self.mode == Mode::Segments
    }

    /// True when the children are elements of a SET OF.
    #[must_use]
    pub fn is_set_of(&self) -> bool {
        self.mode == Mode::List && matches!(self.ty.kind, Kind::SetOf(_))
    }

    /// True when nothing is known of the children.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.mode == Mode::Unknown
    }

    fn component(
        &mut self,
        ordinal: u32,
        head: Head,
        object: &[u8],
        mut missing: impl FnMut(&'static Field),
    ) -> Place {
        let fields = self.ty.fields();
        let from = self.next as usize;
        let rest = fields.get(from..).unwrap_or_default();
        let fits = rest.iter().position(|f| f.accepts(head.tag));
        // Nothing fits: take it for the next mandatory field with a wrong type.
        let wrong = || rest.iter().position(|f| !f.optional);
        let Some((skip, field)) = fits.or_else(wrong).and_then(|i| Some((i, rest.get(i)?))) else {
            return Place::unexpected(ordinal);
        };
        rest.iter().take(skip).filter(|f| !f.optional).for_each(&mut missing);
        self.next = u32::try_from(from + skip + 1).unwrap_or(u32::MAX);
        self.place_of(field, fits.is_some(), head, object)
    }

    fn member(&mut self, ordinal: u32, head: Head, object: &[u8]) -> Place {
        let mut fields = self.ty.fields().iter().enumerate().take(32);
        match fields.find(|(i, f)| self.next >> i & 1 == 0 && f.accepts(head.tag)) {
            Some((i, field)) => {
                self.next |= 1 << i;
                self.place_of(field, true, head, object)
            }
            None => Place::unexpected(ordinal),
        }
    }

    fn place_of(&mut self, field: &'static Field, fits: bool, head: Head, object: &[u8]) -> Place {
        match field.key {
            Key::None => {}
            Key::Own(source) => self.open = key(source, object, head.start),
            Key::Inner(source) => self.open = key(source, object, head.content),
        }
        let mut place = Place {
            name: field.name,
            ty: field.ty,
            role: Role::Field,
            field: Some(field),
            open: self.open,
            within: self.ty.source,
            ..root(&ANY)
        };
        match field.tagging {
            _ if !fits => place.refuse(),
            Tagging::Plain => place.settle(head),
            Tagging::Implicit(_) => {}
            Tagging::Explicit(_) => place.explicit = true,
        }
        place
    }
}

impl Place {
    /// Replaces a CHOICE by its alternative and an open type by what it is here. The nesting
    /// is that of the schema, not of the input.
    fn settle(&mut self, head: Head) {
        for _ in 0..8 {
            match self.ty.kind {
                Kind::Choice(alternatives) => {
                    let Some(chosen) = alternatives.iter().find(|a| a.accepts(head.tag)) else {
                        break;
                    };
                    if !chosen.name.is_empty() {
                        self.choice = chosen.name;
                    }
                    self.ty = chosen.ty;
                    match chosen.tagging {
                        Tagging::Plain => {}
                        Tagging::Implicit(_) => return,
                        Tagging::Explicit(_) => {
                            self.explicit = true;
                            return;
                        }
                    }
                }
                Kind::Open => {
                    let entry = self.open.take();
                    if self.name.is_empty() && self.role == Role::Inner {
                        self.name = entry.map_or("", |e| e.name);
                    }
                    self.ty = entry.map_or(&ANY, |e| e.ty);
                }
                _ if self.role == Role::Segment || self.ty.accepts(head.tag) => return,
                _ => break,
            }
        }
        self.refuse();
    }

    /// Notes that the node is not what the schema asks for.
    fn refuse(&mut self) {
        self.expected = Some(self.ty);
        self.ty = &ANY;
        self.mismatch = true;
    }
}

/// True for the universal types that BER may cut into segments.
fn is_string(number: u64) -> bool {
    matches!(
        number,
        universal::BIT_STRING
            | universal::OCTET_STRING
            | universal::UTF8_STRING
            | universal::OBJECT_DESCRIPTOR
            | universal::UTC_TIME
            | universal::GENERALIZED_TIME
    ) || (universal::NUMERIC_STRING..=universal::BMP_STRING).contains(&number)
}
