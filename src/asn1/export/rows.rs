//! The nodes of an object with what people call them and what they say.

use std::borrow::Cow;

use crate::asn1::schema::{Place, Places, Type};
use crate::asn1::tag::universal;
use crate::asn1::text::visible;
use crate::asn1::value::show;
use crate::asn1::walk::{Kind, Node, Walker};
use crate::asn1::{Class, names};

/// One node and its place in the schema.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The node.
    pub node: Node,
    /// What it is to its parent.
    pub place: Place,
}

/// The rows of an object in pre-order, made one at a time.
#[derive(Debug)]
pub struct Rows<'a> {
    object: &'a [u8],
    walker: Walker<'a>,
    places: Places,
}

impl<'a> Rows<'a> {
    /// The rows of `object`, whose outermost value is of type `ty`; `nested` opens strings
    /// that hold DER.
    #[must_use]
    pub fn new(object: &'a [u8], ty: &'static Type, nested: bool) -> Self {
        Self { object, walker: Walker::new(object, nested), places: Places::new(ty) }
    }
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let node = self.walker.next()?;
        Some(Row { node, place: self.places.next(&node, self.object) })
    }
}

impl Row {
    /// Octets of contents, `None` when the length is indefinite.
    #[must_use]
    pub fn length(&self) -> Option<u32> {
        (!self.node.indefinite).then(|| self.node.contents().len())
    }

    /// The tag as X.680 writes it.
    #[must_use]
    pub fn tag(&self) -> Cow<'static, str> {
        match (self.node.kind, self.node.tag.type_name()) {
            (Kind::Garbage, _) => Cow::Borrowed("?"),
            (_, Some(name)) => Cow::Borrowed(name),
            _ => Cow::Owned(self.node.tag.to_string()),
        }
    }

    /// The name of the field, or the index of an element; for the root the name of its type.
    #[must_use]
    pub fn name(&self) -> Cow<'static, str> {
        use crate::asn1::schema::Role;
        match self.place.role {
            Role::Root if self.place.ty.name != "ANY" => Cow::Borrowed(self.place.ty.name),
            _ => self.place.label(),
        }
    }

    /// What a primitive node says, in one line that is safe for a terminal; empty for nodes
    /// that hold others. At most about `limit` characters.
    #[must_use]
    pub fn value(&self, object: &[u8], limit: usize) -> String {
        let content = self.node.contents().of(object);
        match self.node.kind {
            Kind::Primitive if !self.node.tag.constructed => {}
            Kind::Garbage => return show(universal::OCTET_STRING, content, limit),
            _ => return String::new(),
        }
        let number = self.place.universal(self.node.tag).unwrap_or_else(|| {
            let text = self.node.tag.class != Class::Universal && is_readable(content);
            if text { universal::UTF8_STRING } else { universal::OCTET_STRING }
        });
        let plain = show(number, content, limit);
        let named = match number {
            universal::OBJECT_IDENTIFIER => {
                names::lookup(content).map(|entry| visible(entry.name).into_owned())
            }
            _ => self.place.named(content),
        };
        match named {
            Some(name) if !name.is_empty() => format!("{plain} ({name})"),
            _ => plain,
        }
    }
}

fn is_readable(content: &[u8]) -> bool {
    !content.is_empty() && content.iter().all(|c| matches!(c, b' '..=b'~'))
}
