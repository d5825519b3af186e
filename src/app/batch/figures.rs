//! A measured run as text lines and as CSV.

use std::borrow::Cow;
use std::io::{self, Write};

use super::table;
use crate::metrics::figures::{duration, grouped, thousands};
use crate::metrics::{Run, StageResult};

/// The columns of the CSV.
const COLUMNS: [&str; 21] = [
    "run",
    "pipeline",
    "started",
    "algorithm",
    "backend",
    "batch",
    "threads",
    "repetitions",
    "stage",
    "items",
    "mean_ns",
    "min_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "max_ns",
    "cpu_ns",
    "items_per_second",
    "service_p50_ns",
    "service_p99_ns",
    "errors",
];

/// Writes the line of column names.
///
/// # Errors
/// When the writer fails.
pub fn csv_head(out: &mut dyn Write) -> io::Result<()> {
    table::head(out, table::Form::Csv, &COLUMNS)
}

/// Writes a run, a row a stage.
///
/// # Errors
/// When the writer fails.
pub fn csv_rows(out: &mut dyn Write, run: &Run) -> io::Result<()> {
    for stage in &run.stages {
        let wall = stage.wall_ns;
        let service = stage.service_ns.unwrap_or_default();
        let cells = [
            run.id.clone(),
            run.pipeline.clone(),
            run.started.to_string(),
            run.algorithm.clone(),
            run.backend.clone(),
            run.batch.to_string(),
            run.threads.to_string(),
            run.repetitions.to_string(),
            stage.name.clone(),
            stage.items.to_string(),
            wall.mean.to_string(),
            wall.min.to_string(),
            wall.p50.to_string(),
            wall.p90.to_string(),
            wall.p99.to_string(),
            wall.max.to_string(),
            stage.cpu_ns.to_string(),
            format!("{:.3}", stage.items_per_second),
            service.p50.to_string(),
            service.p99.to_string(),
            stage.errors.to_string(),
        ];
        table::row(out, table::Form::Csv, cells.map(Cow::Owned))?;
    }
    Ok(())
}

/// Writes a run for people.
///
/// # Errors
/// When the writer fails.
pub fn text_run(out: &mut dyn Write, run: &Run) -> io::Result<()> {
    let times = if run.repetitions == 1 { "repetition" } else { "repetitions" };
    let workers = if run.threads == 1 { "worker" } else { "workers" };
    writeln!(
        out,
        "run {}: {}, {}, batch {}, {} {workers}, {} {times}",
        run.id,
        run.algorithm,
        run.backend,
        grouped(u128::from(run.batch)),
        run.threads,
        grouped(u128::from(run.repetitions)),
    )?;
    let several = run.repetitions > 1;
    write!(out, "  {:<16} {:>9} {:>9}", "stage", "items", "mean")?;
    if several {
        write!(out, " {:>9} {:>9} {:>9} {:>9}", "p50", "p90", "p99", "max")?;
    }
    writeln!(out, " {:>9} {:>9}  an item: p50, p99", "K/s", "CPU")?;
    for stage in &run.stages {
        text_stage(out, stage, several)?;
    }
    for part in &run.outside {
        writeln!(
            out,
            "  {:<16} {:>9} {:>9}  outside of the stages",
            part.name,
            "",
            duration(part.ns)
        )?;
    }
    Ok(())
}

fn text_stage(out: &mut dyn Write, stage: &StageResult, several: bool) -> io::Result<()> {
    let wall = stage.wall_ns;
    write!(
        out,
        "  {:<16} {:>9} {:>9}",
        stage.name,
        grouped(u128::from(stage.items)),
        duration(wall.mean)
    )?;
    if several {
        for ns in [wall.p50, wall.p90, wall.p99, wall.max] {
            write!(out, " {:>9}", duration(ns))?;
        }
    }
    // A published figure has none.
    let cpu = if stage.cpu_ns == 0 { "-".to_owned() } else { duration(stage.cpu_ns) };
    write!(out, " {:>9} {cpu:>9}", thousands(stage.items_per_second))?;
    if let Some(service) = stage.service_ns {
        write!(out, "  {}, {}", duration(service.p50), duration(service.p99))?;
    }
    let whole: u64 = stage.parts.iter().map(|part| part.ns).sum();
    for part in stage.parts.iter().filter(|part| part.ns > 0) {
        let percent = u128::from(part.ns) * 1000 / u128::from(whole.max(1));
        write!(out, "; {} {}.{} %", part.name, percent / 10, percent % 10)?;
    }
    if stage.errors > 0 {
        write!(out, "; {} FAILED", grouped(u128::from(stage.errors)))?;
    }
    writeln!(out)
}
