//! The text format: any record as indented lines, written while it is walked.
//!
//! A field is a line `name: value`; a record inside it follows two columns to the right; a
//! list is a line `- value` each. A record of a few plain fields stays on one line, with
//! `{oid, name}` shown as `name (oid)`. Nothing is left out but absent fields. All text
//! passes [`visible`], so that no control character of an input reaches a terminal.

use std::fmt::Display;
use std::io::{self, Write};

use serde::ser::{self, Impossible, Serialize};

use crate::asn1::text::visible;

/// A record of up to this many plain fields is one line.
const INLINE_FIELDS: usize = 4;

/// Writes `value` as text lines.
///
/// # Errors
/// When the writer fails; a record that cannot be shown as text is an error of kind
/// `InvalidData`.
pub fn write(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let mut lines = Lines { out, indent: 0, fresh: true };
    value.serialize(Value { lines: &mut lines, key: None }).map_err(|e| match e {
        Error::Io(e) => e,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    })
}

/// What can go wrong while a record is written.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("not a plain value")]
    Compound,
    #[error("{0}")]
    Custom(String),
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }
}

struct Lines<'w> {
    out: &'w mut dyn Write,
    indent: usize,
    /// The current line has its indentation and no text yet: after `- `.
    fresh: bool,
}

impl Lines<'_> {
    fn start(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.fresh) {
            write!(self.out, "{:1$}", "", self.indent)?;
        }
        Ok(())
    }

    fn line(&mut self, key: Option<&str>, text: &str) -> io::Result<()> {
        self.start()?;
        match key {
            Some(key) if text.is_empty() => writeln!(self.out, "{}:", visible(key)),
            Some(key) => writeln!(self.out, "{}: {text}", visible(key)),
            None => writeln!(self.out, "{text}"),
        }
    }
}

/// Serialises one value, as the value of `key` or as an element.
struct Value<'a, 'w> {
    lines: &'a mut Lines<'w>,
    key: Option<&'a str>,
}

impl<'a, 'w> Value<'a, 'w> {
    fn plain(self, text: &str) -> Result<(), Error> {
        Ok(self.lines.line(self.key, text)?)
    }

    fn list(self) -> List<'a, 'w> {
        List { lines: self.lines, key: self.key, open: false }
    }

    fn fields(self, len: usize) -> Fields<'a, 'w> {
        let inline = len <= INLINE_FIELDS;
        Fields { lines: self.lines, key: self.key, held: Vec::new(), inline, open: false }
    }
}

macro_rules! plain_numbers {
    ($($method:ident: $type:ty),*) => {
        $(fn $method(self, v: $type) -> Result<Self::Ok, Error> {
            self.plain(&v.to_string())
        })*
    };
}

macro_rules! scalars {
    () => {
        plain_numbers!(
            serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
            serialize_i64: i64, serialize_i128: i128, serialize_u8: u8, serialize_u16: u16,
            serialize_u32: u32, serialize_u64: u64, serialize_u128: u128, serialize_f32: f32,
            serialize_f64: f64
        );

        fn serialize_char(self, v: char) -> Result<Self::Ok, Error> {
            self.plain(&visible(v.encode_utf8(&mut [0; 4])))
        }

        fn serialize_str(self, v: &str) -> Result<Self::Ok, Error> {
            self.plain(&visible(v))
        }

        fn serialize_bytes(self, v: &[u8]) -> Result<Self::Ok, Error> {
            self.plain(&data_encoding::HEXLOWER.encode(v))
        }

        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Error> {
            self.serialize_unit()
        }

        fn serialize_unit_variant(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
        ) -> Result<Self::Ok, Error> {
            self.plain(variant)
        }

        fn serialize_some<T: Serialize + ?Sized>(self, v: &T) -> Result<Self::Ok, Error> {
            v.serialize(self)
        }

        fn serialize_newtype_struct<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            v: &T,
        ) -> Result<Self::Ok, Error> {
            v.serialize(self)
        }
    };
}

impl<'a, 'w> ser::Serializer for Value<'a, 'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = List<'a, 'w>;
    type SerializeTuple = List<'a, 'w>;
    type SerializeTupleStruct = List<'a, 'w>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Fields<'a, 'w>;
    type SerializeStruct = Fields<'a, 'w>;
    type SerializeStructVariant = Fields<'a, 'w>;

    scalars!();

    fn serialize_none(self) -> Result<(), Error> {
        // An absent field has no line; an absent element still has one.
        if self.key.is_none() { self.plain("none") } else { Ok(()) }
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.serialize_none()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a, 'w>, Error> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'a, 'w>, Error> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a, 'w>, Error> {
        Ok(self.list())
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Fields<'a, 'w>, Error> {
        // How many fields there are may show only when they come.
        Ok(self.fields(len.unwrap_or(0)))
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Fields<'a, 'w>, Error> {
        Ok(self.fields(len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Fields<'a, 'w>, Error> {
        let mut fields = self.fields(len);
        fields.held.push((variant.to_owned(), String::new()));
        Ok(fields)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut fields = self.fields(1);
        fields.put(variant, value)?;
        fields.close()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Impossible<(), Error>, Error> {
        Err(Error::Compound)
    }
}

/// Elements, a line or a block each.
struct List<'a, 'w> {
    lines: &'a mut Lines<'w>,
    key: Option<&'a str>,
    open: bool,
}

impl List<'_, '_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if !self.open {
            self.open = true;
            if let Some(key) = self.key {
                self.lines.line(Some(key), "")?;
            }
        }
        let inside = usize::from(self.key.is_some()) * 2;
        self.lines.indent += inside;
        self.lines.start()?;
        write!(self.lines.out, "- ")?;
        self.lines.fresh = true;
        self.lines.indent += 2;
        value.serialize(Value { lines: &mut *self.lines, key: None })?;
        self.lines.indent -= inside + 2;
        self.lines.fresh = false;
        Ok(())
    }

    fn close(self) -> Result<(), Error> {
        if !self.open {
            self.lines.line(self.key, "none")?;
        }
        Ok(())
    }
}

macro_rules! list {
    ($($trait:ident $method:ident),*) => {
        $(impl ser::$trait for List<'_, '_> {
            type Ok = ();
            type Error = Error;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }
            fn end(self) -> Result<(), Error> {
                self.close()
            }
        })*
    };
}
list!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// Fields: held back while they may still fit on one line.
struct Fields<'a, 'w> {
    lines: &'a mut Lines<'w>,
    key: Option<&'a str>,
    held: Vec<(String, String)>,
    inline: bool,
    open: bool,
}

impl Fields<'_, '_> {
    fn put<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), Error> {
        match value.serialize(Plain) {
            Ok(None) => Ok(()),
            Ok(Some(text)) if self.inline && self.held.len() < INLINE_FIELDS => {
                self.held.push((key.to_owned(), text));
                Ok(())
            }
            Ok(Some(text)) => {
                self.open()?;
                self.inside(|lines| Ok(lines.line(Some(key), &text)?))
            }
            Err(Error::Compound) => {
                self.open()?;
                self.inside(|lines| value.serialize(Value { lines, key: Some(key) }))
            }
            Err(e) => Err(e),
        }
    }

    fn inside(&mut self, f: impl FnOnce(&mut Lines<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let deeper = usize::from(self.key.is_some()) * 2;
        self.lines.indent += deeper;
        let done = f(self.lines);
        self.lines.indent -= deeper;
        done
    }

    /// Gives up on one line: writes the key and what was held back.
    fn open(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.open, true) {
            return Ok(());
        }
        self.inline = false;
        let mut held = std::mem::take(&mut self.held);
        let title = take_head(&mut held);
        match (self.key, title) {
            (Some(key), title) => self.lines.line(Some(key), &title.unwrap_or_default())?,
            (None, Some(title)) => self.lines.line(None, &title)?,
            (None, None) => {}
        }
        self.inside(|lines| {
            held.iter().try_for_each(|(key, text)| Ok(lines.line(Some(key), text)?))
        })
    }

    fn close(mut self) -> Result<(), Error> {
        if self.open {
            return Ok(());
        }
        if !self.inline {
            return self.open();
        }
        let mut held = std::mem::take(&mut self.held);
        if let Some(text) = breach(&held) {
            return Ok(self.lines.line(self.key, &text)?);
        }
        let mut text = take_head(&mut held).unwrap_or_default();
        for (key, value) in &held {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(key);
            if !value.is_empty() {
                text.push(' ');
                text.push_str(value);
            }
        }
        if text.is_empty() {
            text.push_str("none");
        }
        Ok(self.lines.line(self.key, &text)?)
    }
}

/// A broken rule as a sentence: `integer-minimal at 15 (tbsCertificate.serialNumber): ..`.
fn breach(held: &[(String, String)]) -> Option<String> {
    let of = |key: &str| held.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str());
    let (rule, offset, message) = (of("rule")?, of("offset")?, of("message")?);
    let path = of("path").filter(|path| !path.is_empty());
    let path = path.map(|path| format!(" ({path})")).unwrap_or_default();
    Some(format!("{rule} at {offset}{path}: {message}"))
}

/// Takes what names a record: `name (oid)`, or its `text`.
fn take_head(held: &mut Vec<(String, String)>) -> Option<String> {
    let mut take = |key: &str| {
        let at = held.iter().position(|(k, _)| k == key)?;
        Some(held.remove(at).1)
    };
    match (take("oid"), take("name"), take("text")) {
        (Some(oid), Some(name), _) if !name.is_empty() => Some(format!("{name} ({oid})")),
        (Some(oid), ..) => Some(oid),
        (None, Some(name), _) => Some(name),
        (None, None, text) => text,
    }
}

macro_rules! fields {
    ($($trait:ident),*) => {
        $(impl ser::$trait for Fields<'_, '_> {
            type Ok = ();
            type Error = Error;
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.put(key, value)
            }
            fn end(self) -> Result<(), Error> {
                self.close()
            }
        })*
    };
}
fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Fields<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let key = key.serialize(Plain)?.unwrap_or_default();
        self.held.push((key, String::new()));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        match self.held.pop() {
            Some((key, _)) => self.put(&key, value),
            None => Err(Error::Compound),
        }
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

/// A plain value as text, `None` for an absent one; [`Error::Compound`] for anything else.
struct Plain;

impl Plain {
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the shape of the macro")]
    fn plain(self, text: &str) -> Result<Option<String>, Error> {
        Ok(Some(text.to_owned()))
    }
}

impl ser::Serializer for Plain {
    type Ok = Option<String>;
    type Error = Error;
    type SerializeSeq = Impossible<Self::Ok, Error>;
    type SerializeTuple = Impossible<Self::Ok, Error>;
    type SerializeTupleStruct = Impossible<Self::Ok, Error>;
    type SerializeTupleVariant = Impossible<Self::Ok, Error>;
    type SerializeMap = Impossible<Self::Ok, Error>;
    type SerializeStruct = Impossible<Self::Ok, Error>;
    type SerializeStructVariant = Impossible<Self::Ok, Error>;

    scalars!();

    fn serialize_none(self) -> Result<Self::Ok, Error> {
        Ok(None)
    }

    fn serialize_unit(self) -> Result<Self::Ok, Error> {
        Ok(None)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        Err(Error::Compound)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(Error::Compound)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Error> {
        Err(Error::Compound)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(Error::Compound)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        Err(Error::Compound)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        Err(Error::Compound)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(Error::Compound)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Error> {
        Err(Error::Compound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::json;

    fn text(value: &impl Serialize) -> String {
        let mut out = Vec::new();
        write(&mut out, value).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[derive(Serialize)]
    struct Named {
        oid: &'static str,
        name: &'static str,
    }

    #[derive(Serialize)]
    struct Extension {
        oid: &'static str,
        name: &'static str,
        critical: bool,
        value: Vec<&'static str>,
    }

    #[derive(Serialize)]
    struct Record {
        kind: &'static str,
        version: Option<u8>,
        algorithm: Named,
        extensions: Vec<Extension>,
        nothing: Vec<u8>,
        five: u8,
    }

    #[test]
    fn a_record_is_lines() {
        let record = Record {
            kind: "certificate",
            version: None,
            algorithm: Named { oid: "1.2.3", name: "sig" },
            extensions: vec![Extension {
                oid: "2.5.29.15",
                name: "keyUsage",
                critical: true,
                value: vec!["keyCertSign", "cRLSign"],
            }],
            nothing: vec![],
            five: 5,
        };
        let expected = "\
kind: certificate
algorithm: sig (1.2.3)
extensions:
  - keyUsage (2.5.29.15)
    critical: true
    value:
      - keyCertSign
      - cRLSign
nothing: none
five: 5
";
        assert_eq!(text(&record), expected);
    }

    #[test]
    fn a_broken_rule_is_a_sentence() {
        let finding = json!({"rule": "r", "offset": 7, "path": "a.b", "message": "is bad"});
        assert_eq!(text(&json!([finding])), "- r at 7 (a.b): is bad\n");
        let error = json!({"error": {"rule": "r", "offset": 7, "path": null, "message": "is bad"}});
        assert_eq!(text(&error), "error: r at 7: is bad\n");
    }

    #[test]
    fn no_control_character_passes() {
        let shown = text(&json!({"a": "x\u{1b}[31m\u{202e}\ny", "b\u{7}": ["\u{9b}"]}));
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        assert!(!shown.contains('\u{202e}'));
        assert_eq!(shown.lines().count(), 3);
    }
}
