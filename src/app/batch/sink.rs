//! One list of elements in any of the formats, written while it is made.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::json::{self, Document};
use super::table;
use crate::app::cli::Format;

/// What a list has as its elements.
pub trait Element: Serialize {
    /// The name of the list in JSON.
    const LIST: &'static str;
    /// The schema that the JSON names.
    const SCHEMA: &'static str;
    /// The columns of the tables.
    const COLUMNS: &'static [&'static str];

    /// One cell a column.
    fn cells(&self) -> Vec<Cow<'_, str>>;

    /// Writes it for people.
    ///
    /// # Errors
    /// When the writer fails.
    fn text(&self, out: &mut dyn Write, first: bool) -> io::Result<()>;
}

/// Writes elements in one of the formats.
pub struct Sink<'w>(Out<'w>);

enum Out<'w> {
    Text { out: &'w mut dyn Write, first: bool },
    Json(Document<'w>),
    Ndjson(&'w mut dyn Write),
    Table(&'w mut dyn Write, table::Form),
}

impl<'w> Sink<'w> {
    /// Writes what stands before the elements of type `E`.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn begin<E: Element>(out: &'w mut dyn Write, format: Format) -> io::Result<Self> {
        let table = |out: &'w mut dyn Write, form| {
            table::head(out, form, E::COLUMNS)?;
            Ok::<_, io::Error>(Out::Table(out, form))
        };
        Ok(Self(match format {
            Format::Text => Out::Text { out, first: true },
            Format::Json => Out::Json(Document::begin(out, E::SCHEMA, E::LIST)?),
            Format::Ndjson => Out::Ndjson(out),
            Format::Csv => table(out, table::Form::Csv)?,
            Format::Markdown => table(out, table::Form::Markdown)?,
        }))
    }

    /// Adds an element.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn element<E: Element>(&mut self, element: &E) -> io::Result<()> {
        match &mut self.0 {
            Out::Text { out, first } => element.text(*out, std::mem::take(first)),
            Out::Json(document) => document.element(element),
            Out::Ndjson(out) => json::write_line(*out, element),
            Out::Table(out, form) => table::row(*out, *form, element.cells()),
        }
    }

    /// Writes what stands after the elements.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn end(self) -> io::Result<()> {
        match self.0 {
            Out::Json(document) => document.end(),
            Out::Text { .. } | Out::Ndjson(_) | Out::Table(..) => Ok(()),
        }
    }
}
