//! `runs delete`: runs with their objects, gone.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::source::{Source, stop, unfound};
use crate::app::batch::sink::{Element, Sink};
use crate::app::cli::Format;
use crate::app::exit::Exit;
use crate::pki::runs::{Error, RunId};
use crate::store::{Options, Writer};

/// A run that is gone.
#[derive(Debug, Serialize)]
struct Deleted {
    id: String,
}

impl Element for Deleted {
    const LIST: &'static str = "runs";
    const SCHEMA: &'static str = "pkiscope.runs-delete/1";
    const COLUMNS: &'static [&'static str] = &["id"];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        vec![self.id.as_str().into()]
    }

    fn text(&self, out: &mut dyn Write, _first: bool) -> io::Result<()> {
        writeln!(out, "deleted #{}", self.id)
    }
}

/// Deletes runs and says so on `out`. When one of them is not there, none is deleted.
pub fn delete(
    ids: &[RunId],
    source: &Source<'_>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    if let Some(id) = ids.iter().find(|id| matches!(id, RunId::Reference(_))) {
        let message = format!("{id} is built in and cannot be deleted");
        return Err(stop(Exit::Usage, message));
    }
    let numbers = source.numbers(ids)?;
    let options = Options { create: false, ..Options::default() };
    let mut writer = Writer::open(&source.location(), &options)?;
    let mut sink = Sink::begin::<Deleted>(out, format)?;
    for number in numbers {
        let deleted = writer.delete_run(number)?;
        if !deleted {
            // Another process was faster.
            return Err(unfound(Error::NoRun(number)));
        }
        sink.element(&Deleted { id: number.to_string() })?;
    }
    sink.end()?;
    Ok(Exit::Fine)
}
