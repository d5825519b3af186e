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

#[cfg(test)]
mod tests {
    use super::super::testing::{done, running, stage};
    use super::*;
    use crate::metrics::StageState;

    fn later(mut snapshot: Snapshot, seconds: u64) -> Snapshot {
        snapshot.at += Duration::from_secs(seconds);
        snapshot
    }

    #[test]
    fn shares_are_of_the_wall_clock_and_sum_to_one() {
        let figures = Figures::new(Arc::new(done()), None);
        let sum: f64 = figures.stages.iter().map(|stage| stage.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let walls: Vec<f64> =
            figures.snapshot.stages.iter().map(|stage| stage.wall.as_secs_f64()).collect();
        let all: f64 = walls.iter().sum();
        assert!((figures.stages[1].share - walls[1] / all).abs() < 1e-9);
        assert_eq!(figures.limit, Some((1, Some(1))), "cert_gen, and sign in it");
        assert!((figures.stages[1].parts.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(figures.stages[0].parts, [0.0; 0]);
    }

    #[test]
    fn nothing_measured_limits_nothing() {
        let mut snapshot = running();
        for (index, old) in snapshot.stages.iter_mut().enumerate() {
            *old = stage(index, StageState::Waiting, 64, 0);
        }
        let figures = Figures::new(Arc::new(snapshot.clone()), None);
        assert_eq!((figures.limit, figures.stages[1].quantiles), (None, None));
        assert!(figures.stages.iter().all(|stage| stage.share.abs() < 1e-9));
        // A stage without parts limits as a whole.
        snapshot.stages[3] = stage(3, StageState::Done, 64, 1);
        assert_eq!(Figures::new(Arc::new(snapshot), None).limit, Some((3, None)));
        assert_eq!(largest([0.0, 2.0, 2.0, f64::NAN].into_iter()), Some(1));
        assert_eq!(shares([1.0, 3.0].into_iter()), [0.25, 0.75]);
    }

    #[test]
    fn only_active_workers_count_as_idle() {
        let mut snapshot = running();
        for worker in &mut snapshot.workers {
            worker.busy = 0.5;
        }
        snapshot.workers[0].busy = f32::NAN;
        snapshot.active_workers = 2;
        assert!((busy(&snapshot) - 0.25).abs() < 1e-9);
        snapshot.active_workers = usize::MAX;
        assert!((busy(&snapshot) - 3.5 / 8.0).abs() < 1e-9);
        snapshot.workers.clear();
        assert!(busy(&snapshot).abs() < 1e-9);
    }

    #[test]
    fn a_window_has_what_came_since() {
        let before = running();
        let mut now = later(running(), 4);
        now.stages[3] = stage(3, StageState::Running, 1024, 15);
        let figures = Figures::new(Arc::new(now.clone()), Some(&before));
        assert_eq!(figures.window, Some(Duration::from_secs(4)));
        let fresh = &figures.stages[3];
        let items = now.stages[3].service.len() - before.stages[3].service.len();
        assert_eq!(fresh.service.len(), items);
        let wall = now.stages[3].wall.as_secs_f64() - before.stages[3].wall.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "few items")]
        let wanted = items as f64 / wall;
        assert!((fresh.rate - wanted).abs() < 1e-6 * wanted);
        assert!((fresh.share - 1.0).abs() < 1e-9 && figures.stages[1].quantiles.is_none());
        // Counts that went back, or another point, are no window.
        let back = Figures::new(Arc::new(later(running(), 9)), Some(&now));
        assert_eq!(back.stages[3].service.len(), before.stages[3].service.len());
        let mut other = later(running(), 9);
        other.batch = 7;
        assert_eq!(Figures::new(Arc::new(other), Some(&before)).window, None);
    }

    #[test]
    fn the_history_reaches_back_as_far_as_the_window() {
        let mut history = History::default();
        for tenth in 0..300_u64 {
            let mut snapshot = running();
            snapshot.at = Duration::from_millis(tenth * 100);
            history.keep(&Arc::new(snapshot));
        }
        let reaches = Duration::from_millis(29_900).saturating_sub(history.start().unwrap().at);
        assert!((WINDOW..WINDOW + KEEP_EVERY).contains(&reaches), "{reaches:?}");
        assert!(history.0.len() <= 12, "{}", history.0.len());
        let mut other = later(running(), 100);
        other.batch = 2048;
        history.keep(&Arc::new(other));
        assert_eq!(history.start().map(|start| start.batch), Some(2048));
        let mut warm_up = later(running(), 200);
        warm_up.repetition = 0;
        warm_up.batch = 1;
        history.keep(&Arc::new(warm_up));
        assert!(history.start().is_none(), "its counts are taken away");
    }
}
