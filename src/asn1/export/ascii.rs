//! Text from which the same octets can be assembled again, in the manner of der-ascii.
//!
//! ```text
//! SEQUENCE {
//!   OBJECT_IDENTIFIER { 2.5.29.15 } # keyUsage
//!   BOOLEAN { TRUE }
//!   OCTET_STRING {
//!     BIT_STRING { b`0000011` }
//!   }
//!   [2 PRIMITIVE] { "example.org" }
//! }
//! ```
//!
//! A tag and what stands in the braces behind it are one value. A type's own name is its tag
//! in the usual form (SEQUENCE and SET constructed, all others primitive); in brackets stand
//! class, number and form, by default context-specific and constructed. Between tag and brace
//! `indefinite` and `long-form:N` (N length octets) say that the length is not DER. Contents
//! are values and the following, written one behind the other: hex in backticks; text in
//! quotes, UTF-8 octets with `\"`, `\\`, `\n` and `\xNN`; `u"…"` and `U"…"` for 16 and 32 bits
//! a character, with `\u{N}`; numbers (the contents of an INTEGER); `1.2.3` and `.1.2` (of an
//! OBJECT IDENTIFIER and a RELATIVE-OID); TRUE, FALSE; bits in `` b`…` `` with the count of
//! unused bits before them. `#` begins a comment. What has no such form (a broken header) is
//! written as hex without braces, so the octets are always the same.

use std::fmt::{self, Write as _};

use unicode_width::UnicodeWidthChar as _;

use super::{indent, write_hex};
use crate::asn1::header::Header;
use crate::asn1::tag::universal as u;
use crate::asn1::text::is_hidden;
use crate::asn1::value::{BitString, Integer, Oid, RelativeOid, oid, string};
use crate::asn1::walk::{Kind, Node, TOO_DEEP, Walker};
use crate::asn1::{Class, Span, Tag, names};

/// Octets of hex or text in one piece.
const PIECE: usize = 32;
/// Larger contents are written over several lines.
const ONE_LINE: usize = 64;
/// Longer object identifiers are written in hex: making them decimal and checking that takes
/// time that is not linear.
const MAX_OID: usize = 128;

/// Writes `object` as text that can be assembled again; `nested` opens strings that hold DER.
///
/// # Errors
/// What `out` reports.
pub fn der_ascii(out: &mut impl fmt::Write, object: &[u8], nested: bool) -> fmt::Result {
    // Whether the nodes around the present place have braces, outermost first.
    let mut open: Vec<bool> = Vec::new();
    for node in Walker::new(object, nested) {
        close(out, &mut open, usize::from(node.depth))?;
        let depth = open.len();
        let Some(tag) = tag_text(object, &node) else {
            let end = if node.has_children() { node.first_child() } else { node.end };
            write_octets(out, depth, Span::new(node.start, end).of(object))?;
            if let Some(error) = node.error {
                indent(out, depth)?;
                writeln!(out, "# {}: {}", error.rule.id, error.rule.text)?;
            }
            if node.has_children() {
                open.push(false);
            }
            continue;
        };
        if node.kind == Kind::EndOfContents && open.last() == Some(&true) {
            // The closing brace writes two zeros; a longer form has octets before them.
            let before = node.end.saturating_sub(2).max(node.start);
            write_octets(out, depth, Span::new(node.start, before).of(object))?;
            continue;
        }
        indent(out, depth)?;
        out.write_str(&tag)?;
        if node.has_children() {
            out.write_str(" {\n")?;
            open.push(true);
            let lead = Span::new(node.content, node.first_child()).of(object);
            write_octets(out, open.len(), lead)?;
        } else {
            contents(out, depth, object, &node)?;
        }
    }
    close(out, &mut open, 0)
}

fn close(out: &mut impl fmt::Write, open: &mut Vec<bool>, depth: usize) -> fmt::Result {
    while open.len() > depth {
        if open.pop() == Some(true) {
            indent(out, open.len())?;
            out.write_str("}\n")?;
        }
    }
    Ok(())
}

/// Lines of hex at `depth`, none for no octets.
fn write_octets(out: &mut impl fmt::Write, depth: usize, octets: &[u8]) -> fmt::Result {
    for piece in octets.chunks(PIECE) {
        indent(out, depth)?;
        out.write_char('`')?;
        write_hex(out, piece)?;
        out.write_str("`\n")?;
    }
    Ok(())
}

/// Tag and length modifier; `None` when the header cannot be written other than in hex.
fn tag_text(object: &[u8], node: &Node) -> Option<String> {
    let broken = node.error.is_some_and(|e| *e.rule != TOO_DEEP || node.indefinite);
    if broken || node.kind == Kind::Garbage {
        return None;
    }
    let octets = Span::new(node.start, node.length_at).of(object);
    if octets != identifier(node.tag) {
        return None;
    }
    let mut text = tag_name(node.tag);
    let length = Span::new(node.length_at, node.content).of(object);
    if node.indefinite {
        // The closing brace stands for two zeros.
        if !Span::new(node.content, node.end).of(object).ends_with(&[0, 0]) {
            return None;
        }
        text.push_str(" indefinite");
    } else {
        let flawed = Header::read(object, node.start).is_ok_and(|h| h.is_flawed());
        if flawed {
            let _ = write!(text, " long-form:{}", length.len() - 1);
        }
    }
    Some(text)
}

/// The shortest identifier octets of a tag (X.690 8.1.2).
pub(super) fn identifier(tag: Tag) -> Vec<u8> {
    if let Some(octet) = tag.octet() {
        return vec![octet];
    }
    let first = (tag.class as u8) << 6 | u8::from(tag.constructed) << 5 | 0x1f;
    let mut octets = vec![first];
    let groups = (u64::BITS - tag.number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let bits = u8::try_from(tag.number >> (7 * group) & 0x7f).unwrap_or(0);
        octets.push(if group > 0 { bits | 0x80 } else { bits });
    }
    octets
}

/// True for the types that DER writes in the constructed form.
pub(super) fn is_usually_constructed(number: u64) -> bool {
    matches!(number, u::SEQUENCE | u::SET | u::EXTERNAL | u::EMBEDDED_PDV | u::CHARACTER_STRING)
}

fn tag_name(tag: Tag) -> String {
    let name = tag.type_name().filter(|_| tag.number != 0);
    if let Some(name) = name
        && tag.constructed == is_usually_constructed(tag.number)
    {
        return name.replace([' ', '-'], "_");
    }
    let class = match tag.class {
        Class::Universal => "UNIVERSAL ",
        Class::Application => "APPLICATION ",
        Class::Context => "",
        Class::Private => "PRIVATE ",
    };
    let form = if tag.constructed { "" } else { " PRIMITIVE" };
    format!("[{class}{}{form}]", tag.number)
}

/// The contents of a node without children, in braces.
fn contents(out: &mut impl fmt::Write, depth: usize, object: &[u8], node: &Node) -> fmt::Result {
    let content = node.contents().of(object);
    if content.is_empty() {
        return out.write_str(" {}\n");
    }
    if let Some(text) = atom(node, content) {
        write!(out, " {{ {text} }}")?;
        if node.tag.is_universal(u::OBJECT_IDENTIFIER)
            && let Some(entry) = names::lookup(content)
        {
            write!(out, " # {}", entry.name)?;
        }
        return out.write_char('\n');
    }
    let text = is_text(node, content);
    if content.len() <= PIECE {
        out.write_str(" { ")?;
        piece(out, text, content)?;
        return out.write_str(" }\n");
    }
    out.write_str(" {\n")?;
    let mut rest = content;
    while !rest.is_empty() {
        let mut size = rest.len().min(if text { ONE_LINE } else { PIECE });
        if text && size < rest.len() {
            // A character is not cut in two, unless it is none.
            size -= (1..4).find(|back| rest[size - back] & 0xc0 != 0x80).unwrap_or(1) - 1;
            size -= usize::from(rest[size - 1] >= 0xc0);
        }
        let (first, after) = rest.split_at(size.max(1));
        indent(out, depth + 1)?;
        piece(out, text, first)?;
        out.write_char('\n')?;
        rest = after;
    }
    indent(out, depth)?;
    out.write_str("}\n")
}

/// A short form of the contents, where there is one that gives the same octets.
fn atom(node: &Node, content: &[u8]) -> Option<String> {
    if node.tag.class != Class::Universal || node.tag.constructed {
        return None;
    }
    match node.tag.number {
        u::BOOLEAN => match content {
            [0xff] => Some("TRUE".to_owned()),
            [0x00] => Some("FALSE".to_owned()),
            _ => None,
        },
        u::INTEGER | u::ENUMERATED if crate::asn1::value::integer::check(content, 0).is_none() => {
            Integer(content).to_i64().map(|n| n.to_string())
        }
        u::OBJECT_IDENTIFIER if content.len() <= MAX_OID => {
            let dotted = Oid(content).to_string();
            oid::encode(&dotted).is_ok_and(|octets| octets == content).then_some(dotted)
        }
        u::RELATIVE_OID if content.len() <= MAX_OID => {
            let dotted = RelativeOid(content).to_string();
            let same = oid::encode_relative(&dotted).is_ok_and(|octets| octets == content);
            same.then(|| format!(".{dotted}"))
        }
        u::BIT_STRING if content.len() <= 5 => {
            let bits = BitString::parse(content, 0).ok()?;
            let text: String =
                (0..bits.len()).map(|i| if bits.bit(i) { '1' } else { '0' }).collect();
            // Unused bits that are not zero have no such form.
            let unused = u32::from(*content.first()?);
            let last = *content.last()?;
            let clean = content.len() == 1 || last.trailing_zeros() >= unused;
            (clean && (content.len() > 1 || unused == 0)).then(|| format!("b`{text}`"))
        }
        u::BMP_STRING | u::UNIVERSAL_STRING if content.len() <= 4 * ONE_LINE => wide(node, content),
        _ => None,
    }
}

fn wide(node: &Node, content: &[u8]) -> Option<String> {
    let decoded = string::decode(node.tag.number, content);
    if decoded.broken.is_some() {
        return None;
    }
    let bmp = node.tag.number == u::BMP_STRING;
    let octets: Vec<u8> = if bmp {
        decoded.text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        decoded.text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()
    };
    if octets != content {
        return None;
    }
    let mut text = String::from(if bmp { "u\"" } else { "U\"" });
    for c in decoded.text.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            _ if is_plain(c) => text.push(c),
            _ => {
                let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    text.push('"');
    Some(text)
}

/// Characters that stand for themselves.
fn is_plain(c: char) -> bool {
    !is_hidden(c) && c.width().unwrap_or(0) > 0
}

fn is_text(node: &Node, content: &[u8]) -> bool {
    match node.tag.class {
        Class::Universal
            if matches!(node.tag.number, u::UTC_TIME | u::GENERALIZED_TIME)
                || string::is_string(node.tag.number) =>
        {
            !node.tag.constructed && !matches!(node.tag.number, u::BMP_STRING | u::UNIVERSAL_STRING)
        }
        Class::Universal if node.tag.number != u::OCTET_STRING => false,
        _ => !node.tag.constructed && content.iter().all(|c| matches!(c, b' '..=b'~')),
    }
}

fn piece(out: &mut impl fmt::Write, text: bool, octets: &[u8]) -> fmt::Result {
    if text { quoted(out, octets) } else { backticks(out, octets) }
}

fn quoted(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    out.write_char('"')?;
    for chunk in octets.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                '\n' => out.write_str("\\n")?,
                _ if is_plain(c) => out.write_char(c)?,
                _ => escaped(out, c.encode_utf8(&mut [0; 4]).as_bytes())?,
            }
        }
        escaped(out, chunk.invalid())?;
    }
    out.write_char('"')
}

fn escaped(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    octets.iter().try_for_each(|octet| write!(out, "\\x{octet:02x}"))
}

fn backticks(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    out.write_char('`')?;
    write_hex(out, octets)?;
    out.write_char('`')
}
