//! `runs list`: a line a run.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::name::name;
use super::source::{Source, unfound, when};
use crate::app::batch::sink::{Element, Sink};
use crate::app::cli::Format;
use crate::app::exit::Exit;
use crate::app::runs::{Ended, ListArgs};
use crate::asn1::text::visible;
use crate::metrics::figures::grouped;
use crate::metrics::{Machine, Run, columns, reference};
use crate::pki::runs::{Shelf, State, Stored};
use crate::store::RunFilter;

/// Lists runs on `out`.
pub fn list(
    args: &ListArgs,
    source: &Source<'_>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let runs = if args.references { references(args) } else { stored(args, source)? };
    if format == Format::Text {
        text(&runs, args.references, out)?;
        return Ok(Exit::Fine);
    }
    let mut sink = Sink::begin::<RunRecord<'_>>(out, format)?;
    for run in &runs {
        sink.element(&RunRecord::from(run))?;
    }
    sink.end()?;
    Ok(Exit::Fine)
}

fn stored(args: &ListArgs, source: &Source<'_>) -> anyhow::Result<Vec<Stored>> {
    let filter = RunFilter {
        pipeline: args.pipeline.as_deref(),
        algorithm: args.algorithm.as_deref(),
        backend: args.backend.as_deref(),
        batch: args.size,
        finished: args.state.map(|state| state == Ended::Finished),
    };
    let reader = source.reader()?;
    let limit = args.limit.unwrap_or(usize::MAX);
    Shelf::new(reader.as_ref()).list(&filter, limit).map_err(unfound)
}

fn references(args: &ListArgs) -> Vec<Stored> {
    let is = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|w| w == found);
    let wanted = |run: &Run| {
        is(&args.pipeline, &run.pipeline)
            && is(&args.algorithm, &run.algorithm)
            && is(&args.backend, &run.backend)
            && args.size.is_none_or(|size| size == run.batch)
            && args.state != Some(Ended::Interrupted)
    };
    let runs = reference::all().into_iter().filter(wanted);
    let runs = runs.map(|run| Stored { run, state: State::Published });
    runs.take(args.limit.unwrap_or(usize::MAX)).collect()
}

fn text(runs: &[Stored], references: bool, out: &mut dyn Write) -> io::Result<()> {
    if runs.is_empty() {
        writeln!(out, "no runs")?;
    } else {
        let head = [
            "run",
            "started",
            "pipeline",
            "algorithm",
            "backend",
            "batch",
            "threads",
            "repetitions",
            "state",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(runs.iter().map(|Stored { run, state }| {
            vec![
                name(run),
                when(run.started),
                run.pipeline.clone(),
                run.algorithm.clone(),
                run.backend.clone(),
                grouped(run.batch.into()),
                run.threads.to_string(),
                grouped(run.repetitions.into()),
                state.word().to_owned(),
            ]
        }));
        for line in columns::lines(&rows, |column| !matches!(column, 5..=7)) {
            writeln!(out, "{}", visible(&line))?;
        }
    }
    if !references {
        let count = reference::all().len();
        writeln!(out, "\n{count} published references: runs list --references")?;
    }
    Ok(())
}

/// A run without its stages.
#[derive(Debug, Serialize)]
struct RunRecord<'a> {
    id: &'a str,
    state: State,
    pipeline: &'a str,
    started: i64,
    algorithm: &'a str,
    backend: &'a str,
    batch: u64,
    threads: u32,
    repetitions: u32,
    settings: &'a std::collections::BTreeMap<String, String>,
    machine: &'a Machine,
}

impl<'a> From<&'a Stored> for RunRecord<'a> {
    fn from(Stored { run, state }: &'a Stored) -> Self {
        Self {
            id: &run.id,
            state: *state,
            pipeline: &run.pipeline,
            started: run.started,
            algorithm: &run.algorithm,
            backend: &run.backend,
            batch: run.batch,
            threads: run.threads,
            repetitions: run.repetitions,
            settings: &run.settings,
            machine: &run.machine,
        }
    }
}

impl Element for RunRecord<'_> {
    const LIST: &'static str = "runs";
    const SCHEMA: &'static str = "pkiscope.runs-list/1";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "started",
        "pipeline",
        "algorithm",
        "backend",
        "batch",
        "threads",
        "repetitions",
        "state",
        "cpu",
    ];

    fn cells(&self) -> Vec<Cow<'_, str>> {
        vec![
            self.id.into(),
            when(self.started).into(),
            self.pipeline.into(),
            self.algorithm.into(),
            self.backend.into(),
            self.batch.to_string().into(),
            self.threads.to_string().into(),
            self.repetitions.to_string().into(),
            self.state.word().into(),
            self.machine.cpu.as_str().into(),
        ]
    }

    /// Text is written in columns, which needs all rows.
    fn text(&self, out: &mut dyn Write, _first: bool) -> io::Result<()> {
        writeln!(out, "{}", visible(self.id))
    }
}
