//! Two runs compared stage by stage, with a verdict that knows the noise.
//!
//! The figure is the ratio B/A of the mean wall-clock time of an item. Its 95 % confidence
//! interval comes from the repetitions (see [`bootstrap`]). A stage is
//! - `same` when the interval contains 1, or the ratio is within [`THRESHOLD`] of 1: so much
//!   two runs of one program differ by the layout of memory and the clock of the machine,
//!   which the repetitions of one run do not show;
//! - `better` or `worse` when the interval lies on one side of 1;
//! - `not comparable` when the work differs, or when nothing is known about the noise: a side
//!   with fewer than [`ENOUGH`] repetitions has no interval. A published reference has one
//!   figure; beside measured repetitions it is a fixed mark, known as well as it was printed,
//!   and the interval is that of the other side.
//!
//! What differs between the runs (machine, algorithm, backend, workers, settings) is listed
//! and changes no verdict: most often it is what one wants to compare. The exceptions are in
//! [`OTHER_WORK`].

use serde::Serialize;

use super::bootstrap::{self, Interval, Sample};
use super::figures::grouped;
use super::reference;
use super::run::{Run, StageResult};

/// Ratios this near to 1 are the same.
pub const THRESHOLD: f64 = 0.02;

/// Repetitions that an interval needs.
pub const ENOUGH: usize = 5;

/// Settings that change what a stage has to do.
pub const OTHER_WORK: &[(&str, &str)] = &[(reference::SUBSCRIBER_KEYS, "cert_gen")];

/// What a comparison says of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// B takes less time.
    Better,
    /// B takes more time.
    Worse,
    /// No difference that is larger than the noise.
    Same,
    /// Nothing can be said.
    NotComparable,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::NotComparable => "not comparable",
        }
    }
}

/// A stage on one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Side {
    /// Items in a repetition.
    pub items: u64,
    /// Mean wall-clock time of the stage in nanoseconds.
    pub mean_ns: u64,
    /// Repetitions whose times are known.
    pub repetitions: usize,
    /// Items that failed.
    #[serde(skip)]
    pub errors: u64,
}

/// A stage on both sides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StageComparison {
    /// Its name.
    pub name: String,
    /// In A.
    pub a: Option<Side>,
    /// In B.
    pub b: Option<Side>,
    /// Mean time of an item in B by that in A, where both are known.
    pub ratio: Option<f64>,
    /// The interval that the true ratio lies in with 95 % confidence.
    pub interval: Option<Interval>,
    /// What it comes to.
    pub verdict: Verdict,
    /// Why it is not comparable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl StageComparison {
    /// Whether B is worse by more than `limit`, as 0.05: the verdict is worse and the ratio
    /// above 1 + `limit`.
    #[must_use]
    pub fn is_worse_by(&self, limit: f64) -> bool {
        self.verdict == Verdict::Worse && self.ratio.is_some_and(|ratio| ratio > 1.0 + limit)
    }

    /// Whether the stage does not work in B: items failed there, or only A has it.
    #[must_use]
    pub fn is_broken_in_b(&self) -> bool {
        self.b.map_or(self.a.is_some(), |b| b.errors > 0)
    }
}

/// A fact in which the runs differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What it is, as `backend`.
    pub what: String,
    /// In A.
    pub a: String,
    /// In B.
    pub b: String,
}

/// Two runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What the runs differ in, beside their figures.
    pub differences: Vec<Difference>,
    /// The stages in the order of A, then those that only B has.
    pub stages: Vec<StageComparison>,
}

/// Compares B with A.
#[must_use]
pub fn compare(a: &Run, b: &Run) -> Comparison {
    let find = |run: &'_ Run, name: &str| run.stages.iter().position(|stage| stage.name == name);
    let of_a = a.stages.iter().map(|stage| {
        let other = find(b, &stage.name).map(|at| &b.stages[at]);
        stage_pair(a, b, Some(stage), other, &stage.name)
    });
    let only_b = b.stages.iter().filter(|stage| find(a, &stage.name).is_none());
    let only_b = only_b.map(|stage| stage_pair(a, b, None, Some(stage), &stage.name));
    Comparison { differences: differences(a, b), stages: of_a.chain(only_b).collect() }
}

impl Comparison {
    /// Stages of this verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.stages.iter().filter(|stage| stage.verdict == verdict).count()
    }

    /// The reason that most of the stages that are not comparable have; of those that both
    /// runs have, when there are any.
    #[must_use]
    pub fn main_reason(&self) -> Option<&str> {
        let in_both = self.stages.iter().any(|stage| stage.a.is_some() && stage.b.is_some());
        let reasons = || {
            let stages = self.stages.iter();
            let stages =
                stages.filter(|stage| !in_both || (stage.a.is_some() && stage.b.is_some()));
            stages.filter_map(|stage| stage.reason.as_deref())
        };
        let votes = |reason: &str| reasons().filter(|other| *other == reason).count();
        // The first of the most frequent ones.
        reasons().rev().max_by_key(|reason| votes(reason))
    }
}

fn stage_pair(
    run_a: &Run,
    run_b: &Run,
    a: Option<&StageResult>,
    b: Option<&StageResult>,
    name: &str,
) -> StageComparison {
    let ratio = a.zip(b).and_then(|(a, b)| {
        let ratio = per_item(b)? / per_item(a)?;
        ratio.is_finite().then_some(ratio)
    });
    let judged = judge(run_a, run_b, a, b, name, ratio);
    let (interval, verdict, reason) = match judged {
        Ok((interval, verdict)) => (Some(interval), verdict, None),
        Err(reason) => (None, Verdict::NotComparable, Some(reason)),
    };
    StageComparison {
        name: name.to_owned(),
        a: a.map(side),
        b: b.map(side),
        ratio,
        interval,
        verdict,
        reason,
    }
}

fn side(stage: &StageResult) -> Side {
    Side {
        items: stage.items,
        mean_ns: stage.wall_ns.mean,
        repetitions: stage.repetition_ns.len(),
        errors: stage.errors,
    }
}

/// Mean time of an item in nanoseconds; `None` without items or time.
fn per_item(stage: &StageResult) -> Option<f64> {
    let mean = if stage.repetition_ns.is_empty() {
        float(stage.wall_ns.mean)
    } else {
        let sum: f64 = stage.repetition_ns.iter().map(|ns| float(*ns)).sum();
        sum / float(stage.repetition_ns.len() as u64)
    };
    (stage.items > 0 && mean > 0.0).then(|| mean / float(stage.items))
}

/// The interval and the verdict, or why there is none.
fn judge(
    run_a: &Run,
    run_b: &Run,
    a: Option<&StageResult>,
    b: Option<&StageResult>,
    name: &str,
    ratio: Option<f64>,
) -> Result<(Interval, Verdict), String> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (Some(_), None) => return Err("only in A".to_owned()),
        (None, _) => return Err("only in B".to_owned()),
    };
    if run_a.pipeline != run_b.pipeline {
        return Err(format!("pipelines {} and {}", run_a.pipeline, run_b.pipeline));
    }
    if run_a.batch != run_b.batch {
        return Err(format!("batches of {} and {}", many(run_a.batch), many(run_b.batch)));
    }
    if a.items != b.items {
        return Err(format!("{} and {} items", many(a.items), many(b.items)));
    }
    for (stage, side) in [(a, "A"), (b, "B")] {
        if stage.errors > 0 {
            return Err(format!(
                "{} of {} items failed in {side}",
                many(stage.errors),
                many(stage.items)
            ));
        }
    }
    for (setting, _) in OTHER_WORK.iter().filter(|(_, stage)| *stage == name) {
        let [in_a, in_b] = [run_a, run_b].map(|run| run.settings.get(*setting));
        if let (Some(in_a), Some(in_b)) = (in_a, in_b)
            && in_a != in_b
        {
            return Err(format!("{} {in_a} and {in_b}", setting.replace('_', " ")));
        }
    }
    let ratio = ratio.ok_or("no time was measured")?;
    let interval = interval(run_a, run_b, a, b)?;
    let verdict =
        if (ratio - 1.0).abs() <= THRESHOLD || (interval.low <= 1.0 && interval.high >= 1.0) {
            Verdict::Same
        } else if ratio < 1.0 {
            Verdict::Better
        } else {
            Verdict::Worse
        };
    Ok((interval, verdict))
}

fn interval(
    run_a: &Run,
    run_b: &Run,
    a: &StageResult,
    b: &StageResult,
) -> Result<Interval, String> {
    let (fixed_a, fixed_b) = (is_fixed(run_a), is_fixed(run_b));
    if fixed_a && fixed_b {
        return Err("two published figures".to_owned());
    }
    let few = |fixed: bool, stage: &StageResult| !fixed && stage.repetition_ns.len() < ENOUGH;
    match (few(fixed_a, a), few(fixed_b, b)) {
        (false, false) => {}
        (true, false) => return Err(format!("{} in A", repetitions(a))),
        (false, true) => return Err(format!("{} in B", repetitions(b))),
        (true, true) if a.repetition_ns.len() == b.repetition_ns.len() => {
            return Err(repetitions(a));
        }
        (true, true) => {
            return Err(format!("{} in A, {} in B", repetitions(a), b.repetition_ns.len()));
        }
    }
    let times = |stage: &StageResult| -> Vec<f64> {
        stage.repetition_ns.iter().map(|ns| float(*ns)).collect()
    };
    let (times_a, times_b) = (times(a), times(b));
    let sample = |fixed: bool, stage: &StageResult, times| {
        if fixed { Sample::Exact(float(stage.wall_ns.mean)) } else { Sample::Measured(times) }
    };
    let sampled = bootstrap::ratio(sample(fixed_a, a, &times_a), sample(fixed_b, b, &times_b));
    // A printed figure may stand for anything that rounds to it.
    let spread = |fixed: bool, stage: &StageResult| {
        let wall = &stage.wall_ns;
        let known = fixed && wall.min > 0 && wall.min <= wall.mean && wall.mean <= wall.max;
        if known {
            (float(wall.min) / float(wall.mean), float(wall.max) / float(wall.mean))
        } else {
            (1.0, 1.0)
        }
    };
    let ((low_a, high_a), (low_b, high_b)) = (spread(fixed_a, a), spread(fixed_b, b));
    Ok(Interval { low: sampled.low * low_b / high_a, high: sampled.high * high_b / low_a })
}

/// Whether a run is a published figure.
fn is_fixed(run: &Run) -> bool {
    reference::is_reference(&run.id)
}

fn repetitions(stage: &StageResult) -> String {
    match stage.repetition_ns.len() {
        0 => "no times of repetitions".to_owned(),
        1 => "one repetition".to_owned(),
        n => format!("{n} of {ENOUGH} repetitions needed"),
    }
}

/// What the runs differ in: facts first, then settings by name. What a side does not say is
/// no difference.
fn differences(a: &Run, b: &Run) -> Vec<Difference> {
    let facts = |run: &Run| {
        let machine = &run.machine;
        [
            ("pipeline", run.pipeline.clone()),
            ("algorithm", run.algorithm.clone()),
            ("backend", run.backend.clone()),
            ("batch", run.batch.to_string()),
            ("threads", run.threads.to_string()),
            ("cpu", machine.cpu.clone()),
            ("cores", machine.cores.to_string()),
            ("os", machine.os.clone()),
            ("allocator", machine.allocator.clone()),
            ("version", machine.version.clone()),
            ("openssl", machine.openssl.clone()),
            ("aws_lc", machine.aws_lc.clone().unwrap_or_default()),
            ("nss", machine.nss.clone().unwrap_or_default()),
            ("sqlite", machine.sqlite.clone()),
        ]
    };
    let said = |text: &str| !text.is_empty() && text != reference::NOT_PUBLISHED;
    let differ = |what: &str, a: String, b: String| {
        (a != b && said(&a) && said(&b)).then(|| Difference { what: what.to_owned(), a, b })
    };
    let facts = facts(a).into_iter().zip(facts(b));
    let mut out: Vec<Difference> =
        facts.filter_map(|((what, a), (_, b))| differ(what, a, b)).collect();
    let mut names: Vec<&String> = a.settings.keys().chain(b.settings.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |run: &Run, name: &String| run.settings.get(name).cloned().unwrap_or_default();
    out.extend(names.into_iter().filter_map(|name| differ(name, of(a, name), of(b, name))));
    out
}

fn many(n: u64) -> String {
    grouped(u128::from(n))
}

#[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
fn float(n: u64) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests;
