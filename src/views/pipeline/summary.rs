//! What stays on the terminal: the last figures as a table.

use std::fmt::Write as _;

use super::popup::sizes_in_words;
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
    let mut out = format!(
        "{}, {}, sizes {}, {} workers\n",
        settings.ca_algorithm,
        settings.backend,
        sizes_in_words(&settings.sizes),
        settings.threads,
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{:<15} {:>7} {:>8} {:>7} {:>7} {:>7} {:>7} {:>6}",
        format!("batch {}", grouped(snapshot.batch)),
        "items",
        "items/s",
        "p50",
        "p90",
        "p99",
        "max",
        "share"
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
    let end = work.farewell(store).map_or("left while it ran".to_owned(), |(words, _)| words);
    let _ = writeln!(out, "{end}");
    Some(out)
}
