//! `store list`: one element a stored object.

use std::borrow::Cow;
use std::io::{self, Write};

use data_encoding::HEXLOWER;
use serde::Serialize;

use super::runs::unfound;
use super::sink::{Element, Sink};
use crate::app::cli::Format;
use crate::app::exit::Exit;
use crate::app::store::{Serial, StoreList};
use crate::asn1::text::visible;
use crate::pki::runs::{Error, RunId, Shelf};
use crate::store::{ObjectFilter, ObjectRow, Reader};

/// So many objects are in memory at once.
const PAGE: usize = 1000;
/// Digits of the digest in the text format: enough to get the object by them.
const DIGITS: usize = 16;

/// What is said of a stored object.
#[derive(Debug, Serialize)]
struct ObjectRecord {
    id: i64,
    kind: String,
    sha256: String,
    size: u64,
    subject: Option<String>,
    serial_number: Option<String>,
    run: i64,
}

impl From<ObjectRow> for ObjectRecord {
    fn from(row: ObjectRow) -> Self {
        Self {
            id: row.id,
            kind: row.kind,
            sha256: HEXLOWER.encode(&row.sha256),
            size: row.size,
            subject: row.subject,
            serial_number: row.serial.map(|serial| HEXLOWER.encode(&serial)),
            run: row.run,
        }
    }
}

impl Element for ObjectRecord {
    const LIST: &'static str = "objects";
    const SCHEMA: &'static str = "pkiscope.store-list/1";
    const COLUMNS: &'static [&'static str] =
        &["id", "kind", "sha256", "size", "subject", "serial_number", "run"];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        vec![
            self.id.to_string().into(),
            self.kind.as_str().into(),
            self.sha256.as_str().into(),
            self.size.to_string().into(),
            self.subject.as_deref().unwrap_or_default().into(),
            self.serial_number.as_deref().unwrap_or_default().into(),
            self.run.to_string().into(),
        ]
    }

    fn text(&self, out: &mut dyn Write, first: bool) -> io::Result<()> {
        if first {
            let sha256 = "sha256";
            write!(out, "{:>8} {:<13} {:>7} {:>5} ", "id", "kind", "size", "run")?;
            writeln!(out, "{sha256:DIGITS$} {:<8} subject", "serial")?;
        }
        let Self { id, size, run, .. } = self;
        write!(out, "{id:>8} {:<13} {size:>7} {run:>5} ", visible(&self.kind))?;
        let serial = self.serial_number.as_deref().unwrap_or("-");
        let subject = visible(self.subject.as_deref().unwrap_or("-"));
        writeln!(out, "{} {serial:<8} {subject}", &self.sha256[..DIGITS])
    }
}

/// Lists stored objects on `out`.
///
/// # Errors
/// `out` cannot be written, or the database cannot be read.
pub fn store_list(
    reader: &Reader,
    wanted: &StoreList,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let run = wanted.run.as_ref().map(|id| number(reader, id)).transpose()?;
    let filter = ObjectFilter {
        kind: wanted.kind.as_deref(),
        run,
        serial: wanted.serial.as_ref().map(|Serial(octets)| octets.as_slice()),
        subject: wanted.subject.as_deref(),
        cancel: None,
    };
    let mut sink = Sink::begin::<ObjectRecord>(out, format)?;
    let mut left = wanted.limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let mut after = wanted.after;
    while left > 0 {
        let page = reader.objects(&filter, after, left.min(PAGE))?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        left = left.saturating_sub(page.len());
        for row in page {
            sink.element(&ObjectRecord::from(row))?;
        }
    }
    sink.end()?;
    Ok(Exit::Fine)
}

/// The number of the run that `id` names; one that the store has not has no objects.
fn number(reader: &Reader, id: &RunId) -> anyhow::Result<i64> {
    let number = match id {
        RunId::Number(number) => Ok(*number),
        RunId::Last(back) => {
            Shelf::new(Some(reader)).last(*back).and_then(|found| found.ok_or(Error::NoLast(*back)))
        }
        RunId::Reference(name) => Err(Error::NoReference(name.clone())),
    };
    number.map_err(unfound)
}
