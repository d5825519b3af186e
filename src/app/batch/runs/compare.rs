//! `runs compare`: two runs stage by stage.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::name::title;
use super::source::{Source, stop};
use crate::app::batch::json;
use crate::app::batch::table::{self, Form};
use crate::app::cli::Format;
use crate::app::exit::Exit;
use crate::asn1::text::visible;
use crate::metrics::compare::{
    Comparison, Difference, ENOUGH, Side, StageComparison, THRESHOLD, Verdict, compare as stages,
};
use crate::metrics::figures::{duration, ratio};
use crate::metrics::{Run, columns};
use crate::pki::runs::RunId;

/// The columns of the tables.
const COLUMNS: &[&str] =
    &["stage", "a_ns", "b_ns", "ratio", "interval_low", "interval_high", "verdict", "reason"];

/// The document.
#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: &'static str,
    a: RunRecord<'a>,
    b: RunRecord<'a>,
    /// Ratios this near to 1 are the same.
    threshold: f64,
    /// The limit of `--fail-above` and the stages that are beyond it.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<Gate<'a>>,
    differences: &'a [Difference],
    stages: &'a [StageComparison],
}

/// What names a run.
#[derive(Debug, Serialize)]
struct RunRecord<'a> {
    id: &'a str,
    pipeline: &'a str,
    started: i64,
    algorithm: &'a str,
    backend: &'a str,
    batch: u64,
    threads: u32,
    repetitions: u32,
}

impl<'a> From<&'a Run> for RunRecord<'a> {
    fn from(run: &'a Run) -> Self {
        Self {
            id: &run.id,
            pipeline: &run.pipeline,
            started: run.started,
            algorithm: &run.algorithm,
            backend: &run.backend,
            batch: run.batch,
            threads: run.threads,
            repetitions: run.repetitions,
        }
    }
}

/// A limit, and what does not pass it: worse by more, or broken in B.
#[derive(Debug, Serialize)]
struct Gate<'a> {
    fail_above: f64,
    failed: Vec<&'a str>,
}

impl<'a> Gate<'a> {
    fn new(comparison: &'a Comparison, fail_above: f64) -> Self {
        let stages = comparison.stages.iter();
        let stages = stages.filter(|stage| stage.is_worse_by(fail_above) || stage.is_broken_in_b());
        Self { fail_above, failed: stages.map(|stage| stage.name.as_str()).collect() }
    }
}

/// Compares two runs on `out`. With a limit the exit tells whether a stage of B is worse by
/// more than that, has items that failed, or is not there.
pub fn compare(
    (a, b): (&RunId, &RunId),
    limit: Option<f64>,
    source: &Source<'_>,
    format: Format,
    out: &mut dyn Write,
) -> anyhow::Result<Exit> {
    let (a, b) = source.pair(a, b)?;
    let comparison = stages(&a.run, &b.run);
    write(&a.run, &b.run, &comparison, limit, format, out)?;
    let Some(limit) = limit else { return Ok(Exit::Fine) };
    if !Gate::new(&comparison, limit).failed.is_empty() {
        return Ok(Exit::Findings);
    }
    if comparison.count(Verdict::NotComparable) == comparison.stages.len() {
        // Nothing was found because nothing could be seen: that is no success.
        let reason = comparison.main_reason().unwrap_or("there are no stages");
        let message = format!("no stage can be compared: {reason}{}", advice(reason));
        out.flush()?;
        return Err(stop(Exit::Input, message));
    }
    Ok(Exit::Fine)
}

/// Writes a comparison; with a limit, what is beyond it too.
///
/// # Errors
/// When the writer fails.
pub fn write(
    a: &Run,
    b: &Run,
    comparison: &Comparison,
    limit: Option<f64>,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let gate = limit.map(|limit| Gate::new(comparison, limit));
    match format {
        Format::Text => text(a, b, comparison, gate.as_ref(), out),
        Format::Json => {
            let document = Document {
                schema: "pkiscope.runs-compare/1",
                a: a.into(),
                b: b.into(),
                threshold: THRESHOLD,
                gate,
                differences: &comparison.differences,
                stages: &comparison.stages,
            };
            json::write_pretty(out, &document)?;
            writeln!(out)
        }
        Format::Ndjson => {
            comparison.stages.iter().try_for_each(|stage| json::write_line(out, stage))
        }
        Format::Csv => rows(comparison, Form::Csv, out),
        Format::Markdown => rows(comparison, Form::Markdown, out),
    }
}

/// What helps when a stage is not comparable for want of repetitions.
fn advice(reason: &str) -> &'static str {
    if reason.contains("repetition") { "; pipeline --min-time 5s measures more" } else { "" }
}

fn rows(comparison: &Comparison, form: Form, out: &mut dyn Write) -> io::Result<()> {
    if form == Form::Csv {
        table::head(out, form, COLUMNS)?;
    } else {
        table::head(out, form, &HEAD)?;
    }
    for stage in &comparison.stages {
        let cells = if form == Form::Csv { exact(stage) } else { rounded(stage) };
        table::row(out, form, cells.into_iter().map(Cow::Owned))?;
    }
    Ok(())
}

fn exact(stage: &StageComparison) -> Vec<String> {
    let ns = |side: Option<Side>| side.map_or_else(String::new, |side| side.mean_ns.to_string());
    let float = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
    vec![
        stage.name.clone(),
        ns(stage.a),
        ns(stage.b),
        float(stage.ratio),
        float(stage.interval.map(|interval| interval.low)),
        float(stage.interval.map(|interval| interval.high)),
        stage.verdict.words().to_owned(),
        stage.reason.clone().unwrap_or_default(),
    ]
}

/// The columns for people.
const HEAD: [&str; 6] = ["stage", "A", "B", "B/A", "95 % interval", "verdict"];

fn rounded(stage: &StageComparison) -> Vec<String> {
    let time = |side: Option<Side>| side.map_or_else(dash, |side| duration(side.mean_ns));
    let interval = stage.interval.map_or_else(dash, |interval| {
        format!("{} … {}", ratio(interval.low), ratio(interval.high))
    });
    let verdict = match &stage.reason {
        Some(reason) => format!("{}: {reason}", stage.verdict.words()),
        None => stage.verdict.words().to_owned(),
    };
    vec![
        stage.name.clone(),
        time(stage.a),
        time(stage.b),
        stage.ratio.map_or_else(dash, |value| format!("{}x", ratio(value))),
        interval,
        verdict,
    ]
}

fn dash() -> String {
    "-".to_owned()
}

fn text(
    a: &Run,
    b: &Run,
    comparison: &Comparison,
    gate: Option<&Gate<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = |text: &str| writeln!(out, "{}", visible(text));
    line(&format!("A  {}", title(a)))?;
    line(&format!("B  {}", title(b)))?;
    if !comparison.differences.is_empty() {
        let mut rows = vec![["differ in", "A", "B"].map(str::to_owned).to_vec()];
        rows.extend(comparison.differences.iter().map(|difference| {
            let Difference { what, a, b } = difference;
            vec![what.clone(), a.clone(), b.clone()]
        }));
        line("")?;
        columns::lines(&rows, |_| true).iter().try_for_each(|row| line(row))?;
    }
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    rows.extend(comparison.stages.iter().map(rounded));
    line("")?;
    columns::lines(&rows, |column| matches!(column, 0 | 5)).iter().try_for_each(|row| line(row))?;
    let count = |verdict: Verdict| comparison.count(verdict);
    let mut sum = format!(
        "{} better, {} worse, {} same (within noise or {} %), {} not comparable",
        count(Verdict::Better),
        count(Verdict::Worse),
        count(Verdict::Same),
        THRESHOLD * 100.0,
        count(Verdict::NotComparable),
    );
    if comparison
        .stages
        .iter()
        .filter_map(|stage| stage.reason.as_ref())
        .any(|reason| !advice(reason).is_empty())
    {
        let hint = format!(" ({ENOUGH} repetitions make an interval: pipeline --min-time 5s)");
        sum.push_str(&hint);
    }
    line("")?;
    line(&sum)?;
    if let Some(gate) = gate {
        let limit = gate.fail_above * 100.0;
        let (broken, worse): (Vec<&str>, Vec<&str>) = gate.failed.iter().partition(|name| {
            comparison.stages.iter().any(|stage| stage.name == **name && stage.is_broken_in_b())
        });
        let worse = if worse.is_empty() { "none".to_owned() } else { worse.join(", ") };
        line(&format!("worse by more than {limit} %: {worse}"))?;
        if !broken.is_empty() {
            line(&format!("failed or missing in B: {}", broken.join(", ")))?;
        }
    }
    Ok(())
}
