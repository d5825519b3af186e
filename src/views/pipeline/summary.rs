//! What stays on the terminal: the last figures as a table.

use std::fmt::Write as _;

use super::work::Work;
use crate::asn1::text::visible;
use crate::metrics::StageState;
use crate::views::widgets::grouped;
use crate::views::widgets::units::{count, percent, rate, time};

/// The figures of the point that ran last; `None` when nothing was measured.
#[must_use]
pub fn text(work: &Work, store: &str) -> Option<String> {
    let figures = work.figures.as_ref()?;
    let snapshot = &figures.snapshot;
    let settings = &work.settings;
    let plural = |n: usize| if n == 1 { "" } else { "s" };
    let repetitions = usize::try_from(snapshot.repetition).unwrap_or(usize::MAX);
    let mut out = format!(
        "{}, {}, {} worker{}, batch {}, {} repetition{}\n",
        settings.ca_algorithm,
        settings.backend,
        settings.threads,
        plural(settings.threads),
        grouped(snapshot.batch),
        grouped(snapshot.repetition.into()),
        plural(repetitions),
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{:<15} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>6}",
        "stage", "items", "items/s", "p50", "p90", "p99", "max", "share"
    );
    for (stage, own) in snapshot.stages.iter().zip(&figures.stages) {
        let _ = write!(out, "{:<15} {:>7} ", stage.info.name, count(stage.items));
        if let StageState::Failed(why) = &stage.state {
            let _ = writeln!(out, "failed: {}", visible(why));
            continue;
        }
        let _ = match own.quantiles {
            Some(q) => writeln!(
                out,
                "{:>8} {:>7} {:>7} {:>7} {:>7} {:>6}",
                rate(own.rate),
                time(q.p50),
                time(q.p90),
                time(q.p99),
                time(q.max),
                percent(own.share)
            ),
            None => writeln!(out, "{:>8}", "…"),
        };
    }
    if figures.errors() > 0 {
        let _ = writeln!(out, "{} items failed", count(figures.errors()));
    }
    if let Some((stage, part)) = figures.limit {
        let info = snapshot.stages[stage].info;
        let part = part.and_then(|part| info.parts.get(part));
        let part = part.map(|part| format!(" ({part})")).unwrap_or_default();
        let _ = writeln!(out, "limit: {}{part}", info.name);
    }
    let _ = writeln!(out, "{}", work.outcome(store));
    Some(out)
}
