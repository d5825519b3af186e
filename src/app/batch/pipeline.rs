//! `pipeline`: runs the CA pipeline and writes its figures.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown, register_usize};

use super::figures::{csv_head, csv_rows, text_run};
use super::json;
use super::progress::Progress;
use crate::app::cli::Format;
use crate::app::exit::{Exit, Stop};
use crate::app::pipeline::clock;
use crate::metrics::{Live, Machine, PartResult, Run, StageResult, table};
use crate::pki::pipeline::{self, Context, Error, Settings};
use crate::store::{self, Location, Writer};

/// How long a database that another process holds is waited for.
const WAIT: Duration = Duration::from_secs(3);

/// The name of the schema.
const SCHEMA: &str = "pkiscope.pipeline/1";

/// The document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: &'static str,
    machine: &'a Machine,
    settings: SettingsRecord<'a>,
    runs: Vec<RunRecord<'a>>,
}

/// The settings of all runs.
#[derive(Debug, Serialize)]
struct SettingsRecord<'a> {
    sizes: Vec<u64>,
    ca_key_algo: &'a str,
    key_algo: &'a str,
    backend: &'a str,
    subscriber_keys: &'a str,
    threads: u64,
    min_time_s: f64,
    seed: u64,
    profile: &'a str,
    durability: &'a str,
    database: &'a str,
}

impl<'a> SettingsRecord<'a> {
    fn of(settings: &'a Settings, database: &'a str) -> Self {
        Self {
            sizes: settings.sizes.clone(),
            ca_key_algo: settings.ca_algorithm.id(),
            key_algo: settings.key_algorithm.id(),
            backend: settings.backend,
            subscriber_keys: settings.subscriber_keys.id(),
            threads: settings.threads as u64,
            min_time_s: settings.min_time.map_or(0.0, |time| time.as_secs_f64()),
            seed: settings.seed,
            profile: &settings.profile_name,
            durability: settings.durability.as_str(),
            database,
        }
    }

    /// The settings that the runs of one pipeline were stored with.
    fn of_run(run: &'a Run, sizes: Vec<u64>, database: &'a str) -> Self {
        let setting = |name| run.settings.get(name).map_or("", String::as_str);
        Self {
            sizes,
            ca_key_algo: &run.algorithm,
            key_algo: setting("key_algorithm"),
            backend: &run.backend,
            subscriber_keys: setting("subscriber_keys"),
            threads: u64::from(run.threads),
            min_time_s: setting("min_time_s").parse().unwrap_or_default(),
            seed: setting("seed").parse().unwrap_or_default(),
            profile: setting("profile"),
            durability: setting("durability"),
            database,
        }
    }
}

/// The JSON of finished runs of one pipeline; nothing for none.
#[must_use]
pub fn pipeline_document(runs: &[Run], database: &str) -> Vec<u8> {
    let Some(run) = runs.first() else { return Vec::new() };
    let document = Document {
        schema: SCHEMA,
        machine: &run.machine,
        settings: SettingsRecord::of_run(run, runs.iter().map(|run| run.batch).collect(), database),
        runs: runs.iter().map(RunRecord::from).collect(),
    };
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = json::write_pretty(&mut out, &document);
    out
}

/// A run; what all have in common stands beside the list.
#[derive(Debug, Serialize)]
struct RunRecord<'a> {
    id: &'a str,
    started: i64,
    algorithm: &'a str,
    backend: &'a str,
    batch: u64,
    threads: u32,
    repetitions: u32,
    stages: &'a [StageResult],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    outside: &'a [PartResult],
}

impl<'a> From<&'a Run> for RunRecord<'a> {
    fn from(run: &'a Run) -> Self {
        Self {
            id: &run.id,
            started: run.started,
            algorithm: &run.algorithm,
            backend: &run.backend,
            batch: run.batch,
            threads: run.threads,
            repetitions: run.repetitions,
            stages: &run.stages,
            outside: &run.outside,
        }
    }
}

/// Runs the pipeline. The exit tells whether something did not verify or read back different.
///
/// # Errors
/// Faults of the machine, as a full disk; what was measured before is written first.
pub fn pipeline(
    settings: &Settings,
    location: &Location,
    format: Format,
    progress: &Progress,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    pipeline::backend(settings).map_err(|error| usage(&error))?;
    let options = store::Options {
        durability: settings.durability,
        exclusive: true,
        create: true,
        wait: WAIT,
    };
    let mut store = Writer::open(location, &options)?;
    let live = Live::new(settings.threads);
    let cancel = Arc::new(AtomicBool::new(false));
    // The first signal ends the run in order, so that what was measured is written; a second one
    // ends the program.
    let came = Arc::new(AtomicUsize::new(0));
    for (signal, number) in [(SIGINT, 2), (SIGTERM, 15)] {
        register_conditional_shutdown(signal, 128 + signal, Arc::clone(&cancel))?;
        register(signal, Arc::clone(&cancel))?;
        register_usize(signal, Arc::clone(&came), number)?;
    }
    let mut written = begin(format, out);
    let mut done = Vec::new();
    let total = settings.sizes.len() as u64;
    progress.at(settings.ca_algorithm.id(), 0, total);
    let result = pipeline::run(
        settings,
        &mut store,
        &mut Context {
            live: &live,
            cancel: &cancel,
            clock: &clock,
            finished: &mut |run| {
                progress.at(settings.ca_algorithm.id(), done.len() as u64 + 1, total);
                if written.is_ok() {
                    written = each(format, run, done.is_empty(), out);
                }
                if written.is_err() {
                    // Nobody reads any more.
                    cancel.store(true, Ordering::Relaxed);
                }
                done.push(run.clone());
            },
        },
    );
    written?;
    end(format, settings, location, &done, out)?;
    out.flush()?;
    let signal = i32::try_from(came.load(Ordering::Relaxed)).unwrap_or_default();
    if signal != 0 && matches!(result, Err(Error::Cancelled)) {
        drop(store);
        // So that the shell sees what ended the program; it returns only when that fails.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    result.map_err(|error| match error {
        Error::Build(_) => usage(&error).into(),
        // Its exit code is looked for among the causes.
        Error::Store(error) => error.into(),
        _ => anyhow::Error::from(error),
    })?;
    let faults = done.iter().flat_map(|run| &run.stages).filter(|stage| stage.errors > 0);
    Ok(if faults.count() == 0 { Exit::Fine } else { Exit::Findings })
}

/// What the command line asks for and cannot be.
fn usage(error: &Error) -> Stop {
    Stop { exit: Exit::Usage, message: error.to_string() }
}

fn begin(format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Csv { csv_head(out) } else { Ok(()) }
}

/// Writes a run when it is finished, in the formats that can.
fn each(format: Format, run: &Run, first: bool, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Json | Format::Markdown => return Ok(()),
        Format::Text => {
            if !first {
                writeln!(out)?;
            }
            text_run(out, run)?;
        }
        Format::Ndjson => json::write_line(out, &RunRecord::from(run))?,
        Format::Csv => csv_rows(out, run)?,
    }
    // Somebody may be waiting for it.
    out.flush()
}

fn end(
    format: Format,
    settings: &Settings,
    location: &Location,
    runs: &[Run],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Json => {
            let database = location.to_string();
            let document = Document {
                schema: SCHEMA,
                machine: &settings.machine,
                settings: SettingsRecord::of(settings, &database),
                runs: runs.iter().map(RunRecord::from).collect(),
            };
            json::write_pretty(out, &document)
        }
        Format::Markdown => out.write_all(table::markdown(runs).as_bytes()),
        Format::Text | Format::Ndjson | Format::Csv => Ok(()),
    }
}
