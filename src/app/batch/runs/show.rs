//! `runs show` and `runs export`: runs with all their figures.

use std::io::{self, Write};

use serde::Serialize;

use super::source::{Source, when};
use crate::app::batch::figures::{csv_head, csv_rows, text_run};
use crate::app::batch::json::{self, Document};
use crate::app::cli::Format;
use crate::app::exit::Exit;
use crate::asn1::text::visible;
use crate::metrics::{Run, columns, table};
use crate::pki::runs::{RunId, State, Stored};

/// The schema of an export.
pub const EXPORT: &str = "pkiscope.runs-export/1";

/// A run with its state.
#[derive(Debug, Serialize)]
struct RunRecord<'a> {
    state: State,
    #[serde(flatten)]
    run: &'a Run,
}

impl<'a> From<&'a Stored> for RunRecord<'a> {
    fn from(Stored { run, state }: &'a Stored) -> Self {
        Self { state: *state, run }
    }
}

/// Shows runs on `out`.
pub fn show(
    ids: &[RunId],
    source: &Source<'_>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let runs = source.find(ids)?;
    if format == Format::Text {
        for (index, stored) in runs.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            details(stored, out)?;
        }
    } else {
        write(&runs, "pkiscope.runs-show/1", format, out)?;
    }
    Ok(Exit::Fine)
}

/// Exports runs to `out`; as text, the seed's table in columns.
pub fn export(
    ids: &[RunId],
    source: &Source<'_>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let runs = source.find(ids)?;
    if format == Format::Text {
        let runs: Vec<Run> = runs.into_iter().map(|stored| stored.run).collect();
        write_visible(&table::text(&runs), out)?;
    } else {
        write(&runs, EXPORT, format, out)?;
    }
    Ok(Exit::Fine)
}

/// Writes runs; `schema` is what the JSON names.
///
/// # Errors
/// When the writer fails.
pub fn write(runs: &[Stored], schema: &str, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json => {
            let mut document = Document::begin(out, schema, "runs")?;
            for run in runs {
                document.element(&RunRecord::from(run))?;
            }
            document.end()
        }
        Format::Ndjson => {
            runs.iter().try_for_each(|run| json::write_line(out, &RunRecord::from(run)))
        }
        Format::Csv => {
            csv_head(out)?;
            runs.iter().try_for_each(|stored| csv_rows(out, &stored.run))
        }
        Format::Text | Format::Markdown => {
            let runs: Vec<Run> = runs.iter().map(|stored| stored.run.clone()).collect();
            write_visible(&table::markdown(&runs), out)
        }
    }
}

/// Writes the lines of a text, with what must not reach a terminal as escapes.
fn write_visible(text: &str, out: &mut dyn Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", visible(line)))
}

/// A run with where and how it was measured.
fn details(stored: &Stored, out: &mut dyn Write) -> io::Result<()> {
    let run = &stored.run;
    let mut text = Vec::new();
    text_run(&mut text, run)?;
    write_visible(&String::from_utf8_lossy(&text), out)?;
    let machine = &run.machine;
    let (started, cores) = (when(run.started), machine.cores.to_string());
    let mut facts = vec![
        ("state", stored.state.word()),
        ("pipeline", &run.pipeline),
        ("started", &started),
        ("cpu", &machine.cpu),
        ("cores", &cores),
        ("os", &machine.os),
        ("allocator", &machine.allocator),
        ("version", &machine.version),
        ("openssl", &machine.openssl),
        ("aws_lc", machine.aws_lc.as_deref().unwrap_or_default()),
        ("nss", machine.nss.as_deref().unwrap_or_default()),
        ("sqlite", &machine.sqlite),
    ];
    facts.extend(machine.warnings.iter().map(|warning| ("warning", warning.as_str())));
    facts.extend(run.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let rows: Vec<Vec<String>> = facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| vec![name.to_owned(), value.to_owned()])
        .collect();
    writeln!(out)?;
    for line in columns::lines(&rows, |_| true) {
        writeln!(out, "{}", visible(&line))?;
    }
    Ok(())
}
