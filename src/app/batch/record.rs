//! One element of the output of `inspect`.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::sink::Element;
use super::text;
use crate::asn1::text::visible;
use crate::pki::moment::Moment;
use crate::pki::record::certificate::Digest;
use crate::pki::record::{AnyRecord, FindingRecord};
use crate::pki::show::Hex;
use crate::pki::summary::Summary;
use crate::pki::unpack::Note;

/// Where an object comes from.
#[derive(Debug, Serialize)]
pub struct SourceRecord<'a> {
    /// The path as it was given, `-` for standard input; what is not printable is escaped.
    pub path: &'a str,
    /// How the object is written there; absent for what was in a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// The label of the PEM block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<&'a str>,
    /// The headers of the PEM block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<PemHeader<'a>>,
}

/// The container that an object was in.
#[derive(Debug, Clone, Serialize)]
pub struct Inside {
    /// The index of the container in the same source.
    pub index: u64,
    /// Where in the container, as `authSafe[0].bag[1]`.
    pub place: String,
    /// The name that the container gives it (friendlyName).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A line above the base64 of a PEM block.
#[derive(Debug, Serialize)]
pub struct PemHeader<'a> {
    /// What stands before the colon.
    pub name: &'a str,
    /// What stands after it.
    pub value: &'a str,
}

/// Something in a container that was not taken out.
#[derive(Debug, Serialize)]
pub struct NoteRecord {
    /// Where in the container; empty for the container as a whole.
    pub place: String,
    /// Why.
    pub message: String,
    /// A password that was not given would help.
    pub locked: bool,
}

impl From<&Note> for NoteRecord {
    fn from(note: &Note) -> Self {
        let locked = note.kind.is_locked();
        Self { place: note.place.clone(), message: note.kind.to_string(), locked }
    }
}

/// What is said of one object, or of a place where there is none.
#[derive(Debug, Serialize)]
pub struct Record<'a> {
    /// Where it was found.
    pub source: SourceRecord<'a>,
    /// Its number among the records of the source, from 0.
    pub index: u64,
    /// The container that it was in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// What it is; absent where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The ASN.1 type, as `PrivateKeyInfo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<Cow<'static, str>>,
    /// Octets from the first octet of the source, or of the container; null for what does not
    /// stand in its container as it is, and for what could not be opened.
    pub offset: Option<u64>,
    /// Octets of the object; of the source where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// The digest of the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Digest<32>>,
    /// What its type has.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub body: Option<AnyRecord<'a>>,
    /// What was not taken out of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteRecord>,
    /// Why it is not read, or not to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<FindingRecord>,
    /// A few words for tables.
    #[serde(skip)]
    pub summary: Option<Summary>,
}

impl<'a> Record<'a> {
    /// A record of nothing but its place.
    #[must_use]
    pub fn at(path: &'a str, index: u64) -> Self {
        Self {
            source: SourceRecord { path, encoding: None, label: None, headers: Vec::new() },
            index,
            inside: None,
            kind: None,
            r#type: None,
            offset: None,
            length: None,
            sha256: None,
            body: None,
            notes: Vec::new(),
            error: None,
            summary: None,
        }
    }

    /// Serial number, first and last moment.
    fn key_facts(&self) -> [String; 3] {
        let time = |moment: Option<&Moment<'_>>| {
            moment.and_then(|m| m.time().ok()).map(|time| time.to_string()).unwrap_or_default()
        };
        match &self.body {
            Some(AnyRecord::Certificate(it)) => [
                it.serial_number.to_string(),
                time(Some(&it.not_before)),
                time(Some(&it.not_after)),
            ],
            Some(AnyRecord::PartialCertificate(it)) => [
                it.serial_number.as_ref().map(Hex::to_string).unwrap_or_default(),
                time(it.not_before.as_ref()),
                time(it.not_after.as_ref()),
            ],
            Some(AnyRecord::Crl(it)) => {
                [String::new(), time(Some(&it.this_update)), time(it.next_update.as_ref())]
            }
            _ => Default::default(),
        }
    }

    fn findings(&self) -> &[FindingRecord] {
        match &self.body {
            None => &[],
            Some(body) => body.findings(),
        }
    }
}

impl Element for Record<'_> {
    const LIST: &'static str = "records";
    const SCHEMA: &'static str = "pkiscope.inspect/1";
    const COLUMNS: &'static [&'static str] = &[
        "path",
        "index",
        "inside",
        "kind",
        "offset",
        "length",
        "sha256",
        "title",
        "facts",
        "serial_number",
        "not_before",
        "not_after",
        "findings",
        "notes",
        "error",
    ];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        let number = |n: Option<u64>| n.map_or(Cow::Borrowed(""), |n| n.to_string().into());
        let [serial, from, to] = self.key_facts();
        let (title, facts) = match &self.summary {
            Some(summary) => (summary.title.as_str(), summary.facts.join("; ")),
            None => ("", String::new()),
        };
        let mut rules: Vec<&str> = self.findings().iter().map(|finding| finding.rule).collect();
        rules.dedup();
        let notes = self.notes.iter().map(|note| format!("{}: {}", note.place, note.message));
        vec![
            self.source.path.into(),
            self.index.to_string().into(),
            self.inside
                .as_ref()
                .map_or(Cow::Borrowed(""), |inside| inside.index.to_string().into()),
            self.kind.unwrap_or_default().into(),
            number(self.offset),
            number(self.length),
            self.sha256.map_or(Cow::Borrowed(""), |digest| Hex(&digest.0).to_string().into()),
            title.into(),
            facts.into(),
            serial.into(),
            from.into(),
            to.into(),
            rules.join(" ").into(),
            notes.collect::<Vec<_>>().join("; ").into(),
            self.error.as_ref().map_or(Cow::Borrowed(""), |error| error.message.as_str().into()),
        ]
    }

    fn text(&self, out: &mut dyn Write, first: bool) -> io::Result<()> {
        if !first {
            writeln!(out)?;
        }
        let kind = self.kind.unwrap_or("nothing that reads");
        write!(out, "== {} [{}]: {kind}", visible(self.source.path), self.index)?;
        match &self.summary {
            Some(summary) => writeln!(out, ", {}", visible(&summary.title))?,
            None => writeln!(out)?,
        }
        text::write(out, self)
    }
}
