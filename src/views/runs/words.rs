//! Runs and verdicts in words.

use crate::asn1::text::visible;
use crate::asn1::value::time::Time;
use crate::metrics::bootstrap::Interval;
use crate::metrics::compare::{Comparison, StageComparison, Verdict};
use crate::metrics::figures::{change, ratio};
use crate::metrics::{Run, reference};
use crate::views::widgets::grouped;

use super::sources::Pair;

/// The number of a stored run as `#41`, the name of a reference.
pub fn name(run: &Run) -> String {
    id(&run.id)
}

/// An id as a person reads it.
pub fn id(id: &str) -> String {
    if reference::is_reference(id) { id.to_owned() } else { format!("#{id}") }
}

/// When a run began, as `2026-11-20 08:12`; of a reference the day is known.
pub fn when(run: &Run) -> String {
    let Some(t) = Time::from_unix(run.started) else { return "?".to_owned() };
    let day = format!("{:04}-{:02}-{:02}", t.year, t.month, t.day);
    if reference::is_reference(&run.id) {
        return day;
    }
    format!("{day} {:02}:{:02}", t.hour, t.minute)
}

/// The library that did the work, as `OpenSSL 3.6.3`.
fn library(run: &Run) -> &str {
    let machine = &run.machine;
    match run.backend.as_str() {
        "aws-lc" => machine.aws_lc.as_deref().unwrap_or_default(),
        "nss" => machine.nss.as_deref().unwrap_or_default(),
        _ => &machine.openssl,
    }
}

/// A run in one line: `#41 2026-11-20 08:12  ml-dsa-65  native-ossl  batch 1,024 x 31 ..`.
pub fn line(run: &Run) -> String {
    let machine = if reference::is_reference(&run.id) { run.machine.cpu.as_str() } else { "" };
    let threads = if run.threads == 1 { "thread" } else { "threads" };
    let parts = [
        format!("{} {}", name(run), when(run)),
        run.algorithm.clone(),
        run.backend.clone(),
        format!("batch {} x {}", grouped(run.batch), grouped(run.repetitions.into())),
        format!("{} {threads}", run.threads),
        machine.to_owned(),
        library(run).to_owned(),
    ];
    let said = |part: &String| !part.is_empty() && part != reference::NOT_PUBLISHED;
    visible(&parts.into_iter().filter(said).collect::<Vec<_>>().join("  ")).into_owned()
}

/// How many stages have which verdict: `3 better, 0 worse, 12 same`.
pub fn sum(comparison: &Comparison) -> String {
    let count = |verdict| comparison.count(verdict);
    let text = format!(
        "{} better, {} worse, {} same",
        count(Verdict::Better),
        count(Verdict::Worse),
        count(Verdict::Same)
    );
    let blind = count(Verdict::NotComparable);
    if blind > 0 { format!("{text}, {blind} not comparable") } else { text }
}

/// How two runs compare, in one line; the largest change is named.
pub fn verdict(pair: &Pair) -> String {
    let (a, b) = (name(&pair.a.run), name(&pair.b.run));
    let comparison = &pair.comparison;
    let blind = comparison.count(Verdict::NotComparable) == comparison.stages.len();
    let said = match comparison.main_reason() {
        Some(reason) if blind => format!("not comparable, {reason}"),
        _ => sum(comparison),
    };
    let changed =
        |stage: &&StageComparison| matches!(stage.verdict, Verdict::Better | Verdict::Worse);
    let size = |stage: &StageComparison| stage.ratio.map_or(0.0, |ratio| ratio.ln().abs());
    let changed = comparison.stages.iter().filter(changed);
    let largest = changed.max_by(|one, other| size(one).total_cmp(&size(other)));
    let most = largest.and_then(|stage| Some(format!("; {} {}", stage.name, change(stage.ratio?))));
    visible(&format!("{b} compared with {a}: {said}{}", most.unwrap_or_default())).into_owned()
}

/// What is said of a stage, in a sentence.
pub fn sentence(stage: &StageComparison) -> String {
    let reason = stage.reason.as_deref().unwrap_or("nothing is known");
    let text = match (stage.ratio, stage.interval) {
        (Some(value), Some(Interval { low, high })) => {
            let why = match stage.verdict {
                Verdict::Same => "no more than noise",
                verdict => verdict.words(),
            };
            let (value, low, high) = (ratio(value), ratio(low), ratio(high));
            format!("{}: {value} times the time of A (95 %: {low} to {high}), {why}", stage.name)
        }
        (Some(value), None) => {
            let value = ratio(value);
            format!("{}: {value} times the time of A; not comparable: {reason}", stage.name)
        }
        (None, _) => format!("{}: not comparable: {reason}", stage.name),
    };
    visible(&text).into_owned()
}
