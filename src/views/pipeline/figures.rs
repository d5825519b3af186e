//! What the panel shows, worked out once for each snapshot: quantiles, shares, what limits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::metrics::{Snapshot, StageSnapshot};

/// The window of [`History`].
pub const WINDOW: Duration = Duration::from_secs(10);

/// Time between two snapshots that are kept for the window.
const KEEP_EVERY: Duration = Duration::from_secs(1);

/// Service times of one item, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantiles {
    /// The median.
    pub p50: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The longest.
    pub max: u64,
}

impl Quantiles {
    /// Of what a histogram has; `None` when it has nothing.
    #[must_use]
    pub fn of(histogram: &Histogram<u64>) -> Option<Self> {
        if histogram.is_empty() {
            return None;
        }
        let mut at = histogram.value_at_quantiles([0.5, 0.9, 0.99]);
        let (p50, p90, p99) = (at.next()?, at.next()?, at.next()?);
        Some(Self { p50, p90, p99, max: histogram.max() })
    }
}

/// A stage in figures.
#[derive(Debug, Clone)]
pub struct StageFigures {
    /// Items a second.
    pub rate: f64,
    /// Service times; `None` when nothing was measured.
    pub quantiles: Option<Quantiles>,
    /// Its share of the wall-clock time of all stages, from 0 to 1.
    pub share: f64,
    /// The service times whole.
    pub service: Arc<Histogram<u64>>,
    /// The shares of its parts, in the order of their names.
    pub parts: Vec<f64>,
    wall: Duration,
}

/// A snapshot in figures.
#[derive(Debug, Clone)]
pub struct Figures {
    /// What it was made of.
    pub snapshot: Arc<Snapshot>,
    /// The stages in their order.
    pub stages: Vec<StageFigures>,
    /// The stage that takes most of the time, and the part of it that does.
    pub limit: Option<(usize, Option<usize>)>,
    /// The share of the time in which the workers that may work did.
    pub busy: f64,
    /// The time that the figures cover; `None` for all of the point.
    pub window: Option<Duration>,
}

impl Figures {
    /// The figures of all that was measured, or of what came after `before`.
    #[must_use]
    pub fn new(snapshot: Arc<Snapshot>, before: Option<&Snapshot>) -> Self {
        let before = before.filter(|before| continues(before, &snapshot));
        let mut stages: Vec<StageFigures> = snapshot
            .stages
            .iter()
            .enumerate()
            .map(|(index, stage)| {
                before
                    .and_then(|before| since(stage, before.stages.get(index)?))
                    .unwrap_or_else(|| whole(stage))
            })
            .collect();
        let walls = stages.iter().map(|stage| stage.wall.as_secs_f64());
        for (index, share) in shares(walls).into_iter().enumerate() {
            stages[index].share = share;
        }
        let limit = largest(stages.iter().map(|stage| stage.share))
            .map(|stage| (stage, largest(stages[stage].parts.iter().copied())));
        Self {
            stages,
            limit,
            busy: busy(&snapshot),
            window: before.map(|before| snapshot.at.saturating_sub(before.at)),
            snapshot,
        }
    }

    /// Items that failed, in all stages.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.snapshot.stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.errors))
    }
}

/// Whether the later snapshot counts on from the earlier one.
fn continues(before: &Snapshot, now: &Snapshot) -> bool {
    before.point == now.point
        && before.batch == now.batch
        && before.stages.len() == now.stages.len()
        && before.repetition > 0
        && before.at < now.at
}

fn whole(stage: &StageSnapshot) -> StageFigures {
    figures(stage, stage.rate, Arc::clone(&stage.service), stage.wall, stage.parts.clone())
}

/// What was measured between two snapshots; `None` when they do not fit together.
fn since(stage: &StageSnapshot, before: &StageSnapshot) -> Option<StageFigures> {
    let wall = stage.wall.checked_sub(before.wall)?;
    let items = stage.service.len().checked_sub(before.service.len())?;
    let service = if items == stage.service.len() {
        Arc::clone(&stage.service)
    } else {
        let mut fresh = Histogram::clone(&stage.service);
        fresh.subtract(&*before.service).ok()?;
        Arc::new(fresh)
    };
    let parts = stage.parts.iter().zip(&before.parts);
    let parts = parts.map(|(now, then)| now.saturating_sub(*then)).collect();
    #[expect(clippy::cast_precision_loss, reason = "a rate needs no more digits")]
    let rate = if wall.is_zero() { 0.0 } else { items as f64 / wall.as_secs_f64() };
    Some(figures(stage, rate, service, wall, parts))
}

fn figures(
    stage: &StageSnapshot,
    rate: f64,
    service: Arc<Histogram<u64>>,
    wall: Duration,
    mut parts: Vec<Duration>,
) -> StageFigures {
    parts.truncate(stage.info.parts.len());
    StageFigures {
        rate,
        quantiles: Quantiles::of(&service),
        share: 0.0,
        service,
        parts: shares(parts.iter().map(Duration::as_secs_f64)),
        wall,
    }
}

/// Each value as a share of their sum; all 0 when the sum is.
fn shares(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let sum: f64 = values.clone().sum();
    values.map(|value| if sum > 0.0 { value / sum } else { 0.0 }).collect()
}

/// The index of the largest value above 0, the first of equal ones.
fn largest(values: impl Iterator<Item = f64>) -> Option<usize> {
    let mut found: Option<(usize, f64)> = None;
    for (index, value) in values.enumerate() {
        if value > found.map_or(0.0, |(_, most)| most) {
            found = Some((index, value));
        }
    }
    found.map(|(index, _)| index)
}

/// How busy the workers that may work are, on average.
fn busy(snapshot: &Snapshot) -> f64 {
    let active = snapshot.active_workers.min(snapshot.workers.len());
    let workers = &snapshot.workers[..active];
    let sum: f64 = workers.iter().map(|worker| share(worker.busy)).sum();
    #[expect(clippy::cast_precision_loss, reason = "few workers")]
    let count = workers.len().max(1) as f64;
    sum / count
}

/// A share that may be no number.
#[must_use]
pub fn share(value: f32) -> f64 {
    if value.is_nan() { 0.0 } else { f64::from(value).clamp(0.0, 1.0) }
}

/// A snapshot a second, for the figures of a window.
#[derive(Debug, Default)]
pub struct History(VecDeque<Arc<Snapshot>>);

impl History {
    /// Takes a snapshot in, when the last one is old enough.
    pub fn keep(&mut self, snapshot: &Arc<Snapshot>) {
        if self.0.back().is_some_and(|last| !continues(last, snapshot)) {
            self.0.clear();
        }
        let due =
            self.0.back().is_none_or(|last| snapshot.at.saturating_sub(last.at) >= KEEP_EVERY);
        if due && snapshot.repetition > 0 {
            self.0.push_back(Arc::clone(snapshot));
        }
        // One that is older than the window stays: it is where the window begins.
        while self.0.get(1).is_some_and(|next| snapshot.at.saturating_sub(next.at) >= WINDOW) {
            self.0.pop_front();
        }
    }

    /// Where the window that ends now begins.
    #[must_use]
    pub fn start(&self) -> Option<&Snapshot> {
        self.0.front().map(Arc::as_ref)
    }
}
