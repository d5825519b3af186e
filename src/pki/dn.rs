//! The text of distinguished names (RFC 4514 2), and their records.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::{Serialize, Serializer};

use crate::asn1::text;
use crate::asn1::{Reader, Span};
use crate::pki::attribute_type;
use crate::pki::list::{Decode, Item};
use crate::pki::name::{Attribute, Name, Rdn};
use crate::pki::show::{Dotted, Hex, OidName};

/// What stands in the text of a name for what does not read.
pub const MALFORMED: &str = "<malformed>";

/// RDNs that are remembered without allocating; real names have three to eight.
const INLINE: usize = 24;

impl Name<'_> {
    /// Appends the text of RFC 4514: the last RelativeDistinguishedName first, `,` between
    /// them and `+` within them.
    ///
    /// Types are written by the labels of [`attribute_type`], all others as arcs with the DER
    /// of the value in hexadecimal (RFC 4514 2.4). What would disturb a reader or a terminal
    /// (controls, bidirectional marks, zero-width characters) is escaped as `\XX` octets, which
    /// RFC 4514 allows for every character, so that the text is safe and reads back the same.
    /// What does not read is written as `<malformed>`, which is no RFC 4514 string. Linear in
    /// the length of the name.
    pub fn write_into(&self, out: &mut String) {
        write(*self, out);
    }

    /// The text of [`Name::write_into`] as a new string.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        self.write_into(&mut out);
        out
    }
}

fn write(name: Name<'_>, out: &mut String) {
    out.reserve(name.der().len());
    // The text is in reverse order, DER can only be walked forward: the starts are collected.
    let mut inline = [0_u32; INLINE];
    let mut spilled = Vec::new();
    let mut count = 0;
    let list = name.rdns();
    let mut reader = list.contents();
    let mut broken = false;
    while !reader.is_empty() {
        let start = reader.offset();
        if Rdn::decode(&mut reader).is_err() {
            broken = true;
            break;
        }
        match inline.get_mut(count) {
            Some(slot) => *slot = start,
            None => spilled.push(start),
        }
        count += 1;
    }
    let end = list.contents().rest().end;
    let mut separator = "";
    if broken {
        out.push_str(MALFORMED);
        separator = ",";
    }
    let starts = spilled.iter().rev().chain(inline[..count.min(INLINE)].iter().rev());
    for &start in starts {
        out.push_str(separator);
        separator = ",";
        let mut one = Reader::within(list.contents().object(), Span::new(start, end));
        if !Rdn::decode(&mut one).is_ok_and(|rdn| write_rdn(&rdn, out)) {
            out.push_str(MALFORMED);
        }
    }
}

/// False when there is no attribute or one that does not read.
fn write_rdn(rdn: &Rdn<'_>, out: &mut String) -> bool {
    if rdn.is_empty() {
        return false;
    }
    for (i, attribute) in rdn.iter().enumerate() {
        let Ok(attribute) = attribute else { return false };
        if i > 0 {
            out.push('+');
        }
        write_attribute(&attribute, out);
    }
    true
}

fn write_attribute(attribute: &Attribute<'_>, out: &mut String) {
    let known = attribute_type::lookup(attribute.oid().0);
    match known {
        Some(known) => out.push_str(known.label),
        None => {
            let _ = write!(out, "{}=", attribute.oid());
        }
    }
    match known.and_then(|_| attribute.text()) {
        Some(value) => escape(&value, out),
        None => {
            let _ = write!(out, "#{}", Hex(attribute.value_der()));
        }
    }
}

/// Appends `value` with the escapes of RFC 4514 2.4.
fn escape(value: &str, out: &mut String) {
    if is_plain(value.as_bytes()) {
        out.push_str(value);
        return;
    }
    let last = value.len() - value.chars().next_back().map_or(0, char::len_utf8);
    for (i, c) in value.char_indices() {
        let special = match c {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => true,
            ' ' => i == 0 || i == last,
            '#' => i == 0,
            _ => false,
        };
        if special {
            out.push('\\');
            out.push(c);
        } else if text::is_hidden(c) {
            for octet in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "\\{octet:02X}");
            }
        } else {
            out.push(c);
        }
    }
}

/// True when nothing in `value` can need an escape: letters, digits and the harmless marks,
/// with no space at either end.
fn is_plain(value: &[u8]) -> bool {
    let harmless = |b: u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b' ' | b'.' | b'-' | b'(' | b')' | b'/' | b':' | b'@' | b'*' | b'\'' | b'_'
            )
    };
    value.first() != Some(&b' ')
        && value.last() != Some(&b' ')
        && value.iter().all(|&b| harmless(b))
}

impl Serialize for Name<'_> {
    /// `{"text": <RFC 4514>, "attributes": [{"oid", "name", "value"}]}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Attributes<'a>(Name<'a>);
        impl Serialize for Attributes<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.attributes().map(Item::from))
            }
        }
        #[derive(Serialize)]
        struct Record<'a> {
            text: String,
            attributes: Attributes<'a>,
        }
        Record { text: self.to_text(), attributes: Attributes(*self) }.serialize(serializer)
    }
}

impl Serialize for Attribute<'_> {
    /// `{"oid", "name", "value"}`: the value of a string is its text, of all else `#` and the
    /// DER in hexadecimal, as in RFC 4514.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            oid: Dotted<'a>,
            name: Option<&'static str>,
            value: Cow<'a, str>,
        }
        let value = self.text().unwrap_or_else(|| {
            let mut hex = String::from("#");
            let _ = write!(hex, "{}", Hex(self.value_der()));
            Cow::Owned(hex)
        });
        let oid = self.oid();
        Record { oid: Dotted(oid), name: OidName(oid).name(), value }.serialize(serializer)
    }
}
