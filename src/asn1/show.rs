//! A node's value in one line of bounded length, for rows, listings and summaries.
//!
//! The text is safe to show (see [`crate::asn1::text`]) and says what the schema knows: named
//! numbers and bits, names of object identifiers, addresses, names as `C=US, O=Example`.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::asn1::schema::types::{
    ATTRIBUTE_TYPE_AND_VALUE, EXTENSION, GENERAL_NAME, NAME, RDN, SPKI, VALIDITY,
};
use crate::asn1::schema::{Matcher, Place, Role, Type};
use crate::asn1::tag::universal as u;
use crate::asn1::value::Oid;
use crate::asn1::value::bits::BitString;
use crate::asn1::value::integer::Integer;
use crate::asn1::value::show;
use crate::asn1::value::{string, time};
use crate::asn1::walk::{Kind, Node, Scanner};
use crate::asn1::{Header, Span, names};

/// How deep a summary looks below its node.
const DEPTH: u8 = 8;

/// So many fields of a SEQUENCE are shown at most.
const FEW_FIELDS: usize = 6;

/// Numbers of more bits than this are shown in hexadecimal.
const DECIMAL_BITS: u64 = 64;

/// Strings of more octets than this are shown as octets, whatever they hold, and constructed
/// values have no summary: it would cost more than a row of a screen may.
const LOOK_INTO: u32 = 0x1_0000;

/// The same for values of indefinite length.
const READ_THROUGH: u32 = 4096;

/// What kind of thing a value is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Nothing is shown.
    Nothing,
    /// Text, names, addresses.
    Text,
    /// Numbers and truth values.
    Number,
    /// Names of object identifiers and flags.
    Name,
    /// Times.
    Time,
    /// Octets in hexadecimal.
    Octets,
    /// What cannot be read as its type.
    Broken,
}

/// A value in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Safe text of at most the asked length, ended by `…` when it was cut.
    pub text: String,
    /// What kind of thing it is.
    pub sort: Sort,
}

/// The value of `node` in at most `limit` characters.
#[must_use]
pub fn value(object: &[u8], node: &Node, place: &Place, limit: usize) -> Shown {
    let mut line = Line { text: String::new(), room: limit.max(1), sort: Sort::Nothing };
    let mut view = View { object, scanner: Scanner::up_to(LOOK_INTO) };
    view.show(&mut line, node, place, DEPTH);
    Shown { sort: if line.text.is_empty() { Sort::Nothing } else { line.sort }, text: line.text }
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The children of `node` with what the schema says of each.
pub fn children<'a>(
    object: &'a [u8],
    node: &Node,
    place: &Place,
) -> impl Iterator<Item = (Node, Place)> + use<'a> {
    let node = *node;
    let within = object.get(..node.end as usize).unwrap_or(object);
    let header = Header::read_clamped(within, node.start).ok().map(|(header, _)| header);
    let mut matcher = header.map(|header| Matcher::new(place, &header));
    let mut scanner = Scanner::up_to(LOOK_INTO);
    let mut at = if node.has_children() { node.first_child() } else { node.end };
    let mut ordinal = 0;
    std::iter::from_fn(move || {
        if at >= node.end {
            return None;
        }
        let depth = node.depth.saturating_add(1);
        let child = scanner.node(within, at, node.end, node.indefinite, depth);
        let header = Header::read_clamped(within, at).ok();
        let place = match (&mut matcher, header) {
            (Some(matcher), Some((header, _))) => matcher.step(&header, within),
            _ => Place::unknown(ordinal),
        };
        ordinal += 1;
        at = child.end;
        Some((child, place))
    })
}

/// Text that stops growing when there is no room.
struct Line {
    text: String,
    room: usize,
    sort: Sort,
}

impl Line {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            match self.room {
                0 => return,
                // The last place is for the sign that something is missing.
                1 => {
                    self.room = 0;
                    self.text.push('…');
                    return;
                }
                _ => {
                    self.room -= 1;
                    self.text.push(c);
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.room <= 1
    }

    /// Sets the sort unless a part before has set one.
    fn sort(&mut self, sort: Sort) {
        if self.sort == Sort::Nothing {
            self.sort = sort;
        }
    }

    fn hex(&mut self, octets: &[u8]) {
        let fits = octets.len().min(self.room / 2 + 1);
        self.push(&data_encoding::HEXLOWER.encode(&octets[..fits]));
    }

    fn oid(&mut self, contents: &[u8]) {
        match names::lookup(contents) {
            Some(entry) => self.push(entry.name),
            None => self.push(&Oid(contents).to_string()),
        }
        self.sort(Sort::Name);
    }
}

fn is(place: &Place, ty: &'static Type) -> bool {
    std::ptr::eq(place.ty, ty) && !place.explicit
}

struct View<'a> {
    object: &'a [u8],
    scanner: Scanner,
}

impl View<'_> {
    fn show(&mut self, line: &mut Line, node: &Node, place: &Place, depth: u8) {
        // The end of an indefinite value is found by reading all of it.
        let most = if node.indefinite { READ_THROUGH } else { LOOK_INTO };
        match node.kind {
            Kind::Garbage | Kind::EndOfContents => {}
            Kind::Primitive => self.leaf(line, node, place),
            _ if node.contents().len() > most => {}
            Kind::Encapsulating | Kind::Constructed if depth == 0 => {}
            Kind::Encapsulating => {
                if let Some((child, inner)) = children(self.object, node, place).next() {
                    self.show(line, &child, &inner, depth - 1);
                }
            }
            Kind::Constructed => self.compound(line, node, place, depth - 1),
        }
    }

    fn compound(&mut self, line: &mut Line, node: &Node, place: &Place, depth: u8) {
        let mut parts =
            children(self.object, node, place).filter(|(n, _)| n.kind != Kind::EndOfContents);
        if place.explicit {
            if let Some((child, inner)) = parts.next() {
                self.show(line, &child, &inner, depth);
            }
        } else if is(place, &NAME) {
            self.join(line, parts, ", ", depth);
            line.sort(Sort::Text);
        } else if is(place, &RDN) {
            self.join(line, parts, "+", depth);
        } else if is(place, &ATTRIBUTE_TYPE_AND_VALUE) {
            self.attribute(line, node, place, depth);
        } else if is(place, &VALIDITY) {
            self.join(line, parts, " … ", depth);
        } else if is(place, &EXTENSION) {
            self.extension(line, node, place, depth);
        } else if let Some(oid) = self.leading_oid(node, is(place, &SPKI)) {
            line.oid(oid.of(self.object));
            let second = parts.nth(1).filter(|(n, _)| n.tag.is_universal(u::OBJECT_IDENTIFIER));
            if let Some((child, inner)) = second {
                line.push(" ");
                self.show(line, &child, &inner, depth);
            }
        } else if is_general_names(place) || (place.ty.element().is_some() && depth + 1 < DEPTH) {
            self.join(line, parts, ", ", depth);
        } else {
            self.few_fields(line, node, place, depth);
        }
    }

    fn join(
        &mut self,
        line: &mut Line,
        parts: impl Iterator<Item = (Node, Place)>,
        between: &str,
        depth: u8,
    ) {
        let mut first = true;
        for (child, place) in parts {
            if line.is_full() {
                // One more character says that there is more.
                line.push("..");
                break;
            }
            if !std::mem::take(&mut first) {
                line.push(between);
            }
            self.show(line, &child, &place, depth);
        }
    }

    /// The object identifier that a value starts with, one level further down for an SPKI.
    fn leading_oid(&mut self, node: &Node, deeper: bool) -> Option<Span> {
        let mut node = *node;
        for _ in 0..=u8::from(deeper) {
            if !node.has_children() {
                return None;
            }
            let at = node.first_child();
            node = self.scanner.node(self.object, at, node.end, node.indefinite, node.depth + 1);
        }
        let oid = node.kind == Kind::Primitive && node.tag.is_universal(u::OBJECT_IDENTIFIER);
        oid.then(|| node.contents())
    }

    /// `CN=Example`, with the label that people know.
    fn attribute(&mut self, line: &mut Line, node: &Node, place: &Place, depth: u8) {
        let mut parts = children(self.object, node, place);
        let Some((ty, _)) = parts.next() else { return };
        let contents = ty.contents().of(self.object);
        match names::lookup(contents) {
            Some(entry) => line.push(entry.short.unwrap_or(entry.name)),
            None => line.push(&Oid(contents).to_string()),
        }
        line.push("=");
        line.sort(Sort::Text);
        if let Some((value, inner)) = parts.next() {
            self.show(line, &value, &inner, depth);
        }
    }

    /// The extension's name, `critical`, and its value where that is short.
    fn extension(&mut self, line: &mut Line, node: &Node, place: &Place, depth: u8) {
        if let Some(oid) = self.leading_oid(node, false) {
            line.oid(oid.of(self.object));
        }
        for (child, inner) in children(self.object, node, place).skip(1) {
            if child.tag.is_universal(u::BOOLEAN) {
                if child.contents().of(self.object) != [0] {
                    line.push(", critical");
                }
            } else if child.kind == Kind::Encapsulating {
                let before = line.text.len();
                line.push(": ");
                let with_sign = line.text.len();
                self.show(line, &child, &inner, depth);
                if line.text.len() == with_sign {
                    line.room += with_sign - before;
                    line.text.truncate(before);
                }
            }
        }
    }

    /// `name value, name value` for the plain fields that a SEQUENCE begins with.
    fn few_fields(&mut self, line: &mut Line, node: &Node, place: &Place, depth: u8) {
        let plain = |(node, place): &(Node, Place)| {
            !place.label().is_empty()
                && place.role != Role::Unknown
                && (node.kind == Kind::Primitive || place.explicit)
        };
        let fields = children(self.object, node, place).take(FEW_FIELDS).take_while(plain);
        for (i, (child, inner)) in fields.enumerate() {
            if i > 0 {
                line.push(", ");
            }
            line.push(&inner.label());
            line.push(" ");
            self.show(line, &child, &inner, depth);
        }
        line.sort(Sort::Text);
    }

    fn leaf(&mut self, line: &mut Line, node: &Node, place: &Place) {
        let content = node.contents().of(self.object);
        let within = self.object.get(..node.end as usize).unwrap_or(self.object);
        let Ok((header, _)) = Header::read_clamped(within, node.start) else { return };
        let Some(number) = place.universal(header.tag) else {
            line.hex(content);
            return line.sort(Sort::Octets);
        };
        match number {
            u::NULL if content.is_empty() => {}
            u::INTEGER | u::ENUMERATED => integer(line, content, place.ty),
            u::BIT_STRING if !place.ty.bit_names().is_empty() => bits(line, content, place.ty),
            u::OBJECT_IDENTIFIER => line.oid(content),
            u::UTC_TIME | u::GENERALIZED_TIME => moment(line, number, content),
            _ => {
                if let Some(text) = address(place, content) {
                    line.push(&text);
                    return line.sort(Sort::Text);
                }
                line.push(&show(number, content, line.room));
                line.sort(match number {
                    u::BOOLEAN | u::REAL => Sort::Number,
                    u::RELATIVE_OID => Sort::Name,
                    n if string::is_string(n) => Sort::Text,
                    _ => Sort::Octets,
                });
            }
        }
    }
}

fn is_general_names(place: &Place) -> bool {
    place.ty.element().is_some_and(|element| std::ptr::eq(element, &raw const GENERAL_NAME))
}

fn broken(line: &mut Line, content: &[u8]) {
    line.hex(content);
    line.sort(Sort::Broken);
}

fn integer(line: &mut Line, content: &[u8], ty: &Type) {
    let number = Integer(content);
    if content.is_empty() {
        return line.sort(Sort::Broken);
    }
    if let Some(name) = number.to_i64().and_then(|n| ty.number_name(n)) {
        line.push(name);
    } else if number.bit_len() <= DECIMAL_BITS {
        line.push(&number.to_decimal(20));
    } else {
        line.hex(content);
    }
    line.sort(Sort::Number);
}

fn bits(line: &mut Line, content: &[u8], ty: &Type) {
    let Ok(bits) = BitString::parse(content, 0) else { return broken(line, content) };
    let names = ty.bit_names();
    if names.is_empty() {
        line.hex(bits.bytes);
        return line.sort(Sort::Octets);
    }
    let mut first = true;
    for bit in bits.iter_set().take(64) {
        if !std::mem::take(&mut first) {
            line.push(", ");
        }
        match usize::try_from(bit).ok().and_then(|n| names.get(n)) {
            Some(name) => line.push(name),
            None => line.push(&format!("bit {bit}")),
        }
    }
    line.sort(Sort::Name);
}

fn moment(line: &mut Line, number: u64, content: &[u8]) {
    let reading = match number {
        u::UTC_TIME => time::read_utc(content, 0),
        _ => time::read_generalized(content, 0),
    };
    if let Ok(reading) = reading {
        line.push(&reading.time.to_string().replacen('T', " ", 1));
        line.sort(Sort::Time);
    } else {
        line.push(&show(u::IA5_STRING, content, line.room));
        line.sort(Sort::Broken);
    }
}

/// An iPAddress of a GeneralName, alone or with its mask (RFC 5280 4.2.1.6, 4.2.1.10).
fn address(place: &Place, content: &[u8]) -> Option<String> {
    if place.choice != "iPAddress" && place.name != "iPAddress" {
        return None;
    }
    Some(match content.len() {
        4 => v4(content)?.to_string(),
        16 => v6(content)?.to_string(),
        8 => format!("{}/{}", v4(&content[..4])?, v4(&content[4..])?),
        32 => format!("{}/{}", v6(&content[..16])?, v6(&content[16..])?),
        _ => return None,
    })
}

fn v4(octets: &[u8]) -> Option<Ipv4Addr> {
    <[u8; 4]>::try_from(octets).ok().map(Ipv4Addr::from)
}

fn v6(octets: &[u8]) -> Option<Ipv6Addr> {
    <[u8; 16]>::try_from(octets).ok().map(Ipv6Addr::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Walker;
    use crate::asn1::schema::{self, types};

    fn shown(der: &[u8], ty: &'static Type) -> String {
        let node = Walker::new(der, true).next().unwrap();
        value(der, &node, &schema::root(ty), 80).text
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }

    #[test]
    fn leaves() {
        assert_eq!(shown(&[1, 1, 0xff], &types::ANY), "TRUE");
        assert_eq!(shown(&[2, 1, 0x80], &types::ANY), "-128");
        assert_eq!(shown(&[6, 3, 0x55, 0x1d, 0x0f], &types::ANY), "keyUsage");
        assert_eq!(shown(&[6, 2, 0x2a, 0x03], &types::ANY), "1.2.3");
        assert_eq!(shown(&[12, 3, b'a', 0x1b, b'b'], &types::ANY), "a\\x1bb");
        assert_eq!(shown(b"\x17\x0d150604110438Z", &types::ANY), "2015-06-04 11:04:38Z");
        assert_eq!(shown(&[3, 2, 1, 6], &types::KEY_USAGE), "keyCertSign, cRLSign");
        assert_eq!(shown(&[4, 3, 1, 2, 0xff], &types::ANY), "0102ff");
    }

    #[test]
    fn names_and_extensions() {
        let name = b"\x30\x1e\x31\x0b\x30\x09\x06\x03\x55\x04\x06\x13\x02US\x31\x0f\x30\x0d\x06\x03\x55\x04\x0a\x0c\x06A, \x1b[m";
        assert_eq!(shown(name, &types::NAME), "C=US, O=A, \\x1b[m");
        let usage = [0x30, 14, 6, 3, 0x55, 0x1d, 0x0f, 1, 1, 0xff, 4, 4, 3, 2, 1, 6];
        assert_eq!(shown(&usage, &types::EXTENSION), "keyUsage, critical: keyCertSign, cRLSign");
        let constraints = [0x30, 12, 6, 3, 0x55, 0x1d, 0x13, 4, 5, 0x30, 3, 1, 1, 0xff];
        assert_eq!(shown(&constraints, &types::EXTENSION), "basicConstraints: cA TRUE");
    }

    #[test]
    fn text_is_cut_with_a_sign() {
        let mut der = vec![12, 0x82, 0x10, 0];
        der.resize(4 + 4096, b'x');
        let node = Walker::new(&der, true).next().unwrap();
        let cut = value(&der, &node, &schema::root(&types::ANY), 10);
        assert_eq!(cut.text, "xxxxxxxxx…");
    }

    #[test]
    fn summaries_of_hostile_objects_end() {
        let mut wide = vec![0x30, 0x83, 0x0f, 0xff, 0xfc];
        wide.extend([0x31, 0x00].repeat(0x7_fffe));
        assert!(shown(&wide, &types::NAME).chars().count() <= 80);
        let deep = [0x30, 0x80].repeat(10_000);
        assert_eq!(shown(&deep, &types::NAME), "");
    }
}
