//! An object as text: the forms that people copy, save and compare.
//!
//! All forms are written piece by piece into a [`fmt::Write`], so that nothing grows with the
//! object; a writer that fails stops the export ([`to_io`] writes into files that way). None
//! of them lets a control character, an escape sequence or a bidirectional control of the
//! input through.

mod ascii;
#[cfg(any(test, fuzzing))]
pub mod assemble;
mod rows;

use std::fmt;
use std::io;

use crate::asn1::pem;
use crate::asn1::schema::Type;

pub use ascii::der_ascii;
pub use rows::{Row, Rows};

/// Levels of indentation; deeper nodes stand under their parents.
const MAX_INDENT: usize = 40;

/// Writes `object` as lines, one a node: offset, octets of the header, octets of the contents
/// (`indef` when the length is indefinite), depth, tag, field name, value.
///
/// `ty` names the fields, `nested` opens strings that hold DER, values are cut after `limit`
/// characters.
///
/// # Errors
/// What `out` reports.
pub fn tree_text(
    out: &mut impl fmt::Write,
    object: &[u8],
    ty: &'static Type,
    nested: bool,
    limit: usize,
) -> fmt::Result {
    for row in Rows::new(object, ty, nested) {
        let node = &row.node;
        let length = match row.length() {
            Some(length) => length.to_string(),
            None => "indef".to_owned(),
        };
        write!(out, "{:>8} {:>2} {length:>8} {:>3}  ", node.start, node.header_len(), node.depth)?;
        indent(out, usize::from(node.depth))?;
        out.write_str(&row.tag())?;
        for (sign, text) in [("  ", row.name()), ("  ", row.value(object, limit).into())] {
            if !text.is_empty() {
                out.write_str(sign)?;
                out.write_str(&text)?;
            }
        }
        if let Some(error) = node.error {
            write!(out, "  ! {}: {}", error.rule.id, error.rule)?;
        }
        out.write_char('\n')?;
    }
    Ok(())
}

fn indent(out: &mut impl fmt::Write, depth: usize) -> fmt::Result {
    write!(out, "{:1$}", "", 2 * depth.min(MAX_INDENT))
}

/// Writes `octets` as lines of offset, 16 octets in hex, and the same as ASCII with dots for
/// what is not printable; `from` is the offset of the first.
///
/// # Errors
/// What `out` reports.
pub fn hex_dump(out: &mut impl fmt::Write, octets: &[u8], from: u64) -> fmt::Result {
    for (line, at) in octets.chunks(16).zip((from..).step_by(16)) {
        write!(out, "{at:08x} ")?;
        for i in 0..16 {
            let gap = if i == 8 { " " } else { "" };
            match line.get(i) {
                Some(octet) => write!(out, "{gap} {octet:02x}")?,
                None => write!(out, "{gap}   ")?,
            }
        }
        out.write_str("  |")?;
        for octet in line {
            out.write_char(if matches!(octet, b' '..=b'~') { char::from(*octet) } else { '.' })?;
        }
        out.write_str("|\n")?;
    }
    Ok(())
}

/// Writes `octets` as base64 text in lines of 64 characters (RFC 4648 4).
///
/// # Errors
/// What `out` reports.
pub fn base64(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    pem::write_base64(out, octets)
}

/// Writes `octets` as a PEM block (RFC 7468); characters that no label can have become `?`.
///
/// # Errors
/// What `out` reports.
pub fn pem(out: &mut impl fmt::Write, label: &str, octets: &[u8]) -> fmt::Result {
    pem::write(out, label, octets)
}

/// Writes `octets` as lower-case hexadecimal digits in lines of 32 octets.
///
/// # Errors
/// What `out` reports.
pub fn hex(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    for line in octets.chunks(32) {
        write_hex(out, line)?;
        out.write_char('\n')?;
    }
    Ok(())
}

fn write_hex(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    octets.iter().try_for_each(|octet| write!(out, "{octet:02x}"))
}

/// Writes `octets` as a C array called `name`; what no C name can have becomes `_`.
///
/// C has no empty arrays: no octets are written as a comment.
///
/// # Errors
/// What `out` reports.
pub fn c_array(out: &mut impl fmt::Write, name: &str, octets: &[u8]) -> fmt::Result {
    let mut name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(64).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if octets.is_empty() {
        return writeln!(out, "/* {name} has no octets */");
    }
    writeln!(out, "static const unsigned char {name}[{}] = {{", octets.len())?;
    for line in octets.chunks(12) {
        out.write_str("   ")?;
        for octet in line {
            write!(out, " 0x{octet:02x},")?;
        }
        out.write_char('\n')?;
    }
    out.write_str("};\n")
}

/// Runs an export into an [`io::Write`], which should be buffered.
///
/// # Errors
/// What `out` reports.
pub fn to_io<W: io::Write>(
    out: W,
    export: impl FnOnce(&mut IoText<W>) -> fmt::Result,
) -> io::Result<()> {
    let mut text = IoText { out, error: None };
    match (export(&mut text), text.error) {
        (Ok(()), _) => text.out.flush(),
        (Err(_), Some(error)) => Err(error),
        (Err(_), None) => Err(io::Error::other("the export could not be written")),
    }
}

/// The text side of an [`io::Write`], see [`to_io`].
#[derive(Debug)]
pub struct IoText<W> {
    out: W,
    error: Option<io::Error>,
}

impl<W: io::Write> fmt::Write for IoText<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}

#[cfg(test)]
mod tests;
