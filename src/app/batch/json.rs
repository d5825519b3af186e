//! JSON output that is safe to print: what a terminal would obey is a `\u` escape.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};

use crate::asn1::text::is_hidden;

/// Writes `value` as one line of JSON and ends the line.
///
/// # Errors
/// When the writer fails.
pub fn write_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(&mut *out, Escaping(CompactFormatter));
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

/// Writes `value` as indented JSON, its first line where the cursor stands.
///
/// # Errors
/// When the writer fails.
pub fn write_pretty(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let formatter = Escaping(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(out, formatter))?;
    Ok(())
}

/// One JSON object `{"schema": .., LIST: [..]}` whose list is written element by element.
pub struct Document<'w> {
    out: &'w mut dyn Write,
    empty: bool,
}

impl<'w> Document<'w> {
    /// Writes the head; `list` is the name of the list.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn begin(out: &'w mut dyn Write, schema: &str, list: &str) -> io::Result<Self> {
        write!(out, "{{\n\"schema\": \"{schema}\",\n\"{list}\": [")?;
        Ok(Self { out, empty: true })
    }

    /// Adds an element.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn element(&mut self, value: &impl Serialize) -> io::Result<()> {
        let first = std::mem::take(&mut self.empty);
        self.out.write_all(if first { b"\n" } else { b",\n" })?;
        write_pretty(self.out, value)
    }

    /// Writes the foot.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn end(self) -> io::Result<()> {
        self.out.write_all(if self.empty { b"]\n}\n" } else { b"\n]\n}\n" })
    }
}

/// A formatter that escapes what [`is_hidden`] names, beside what JSON itself escapes.
struct Escaping<F>(F);

macro_rules! pass {
    ($($method:ident($($arg:ident: $type:ty),*);)*) => {
        $(fn $method<W: ?Sized + Write>(&mut self, w: &mut W $(, $arg: $type)*) -> io::Result<()> {
            self.0.$method(w $(, $arg)*)
        })*
    };
}

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut plain = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_hidden(*c)) {
            self.0.write_string_fragment(writer, &fragment[plain..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            plain = at + c.len_utf8();
        }
        self.0.write_string_fragment(writer, &fragment[plain..])
    }

    pass! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn hidden_characters_are_escaped_and_come_back() {
        let text = "a\u{1b}[0m\u{9b}\u{202e}\u{e0041}\u{200b}\"\\é\u{7f}";
        let mut out = Vec::new();
        write_line(&mut out, &json!({ text: [text] })).unwrap();
        let line = String::from_utf8(out).unwrap();
        assert!(line.chars().all(|c| c == '\n' || !is_hidden(c)), "{line:?}");
        assert!(line.contains("\\u202e") && line.contains("\\udb40\\udc41"));
        let back: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(back[text][0], text);
    }

    #[test]
    fn a_document_is_one_object() {
        for elements in 0..3 {
            let mut out = Vec::new();
            let mut document = Document::begin(&mut out, "pkiscope.inspect/1", "records").unwrap();
            for n in 0..elements {
                document.element(&json!({ "index": n })).unwrap();
            }
            document.end().unwrap();
            let value: Value = serde_json::from_slice(&out).unwrap();
            assert_eq!(value["schema"], "pkiscope.inspect/1");
            assert_eq!(value["records"].as_array().map(Vec::len), Some(elements));
        }
    }
}
