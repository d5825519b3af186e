//! What a screen sees of a running pipeline: an immutable picture, made ten times a second.

use std::sync::Arc;
use std::time::Duration;

use hdrhistogram::Histogram;

/// A stage as its pipeline declares it.
#[derive(Debug, PartialEq, Eq)]
pub struct StageInfo {
    /// Its fixed name.
    pub name: &'static str,
    /// Names of the parts that are kept apart.
    pub parts: &'static [&'static str],
    /// Whether all workers take part.
    pub parallel: bool,
    /// Kind of the objects that it makes or reads, as the store names it: `certificate`.
    pub objects: Option<&'static str>,
}

/// What the pipeline as a whole does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Keys are made, things are warmed up: not measured.
    Preparing,
    /// A stage runs, or the next one is about to.
    Running,
    /// Work stands still until somebody goes on.
    Paused,
    /// All is done.
    Done,
    /// Somebody stopped it.
    Cancelled,
    /// It ended with this reason.
    Failed(String),
}

/// The picture.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Time since the pipeline began.
    pub at: Duration,
    /// What it does.
    pub phase: Phase,
    /// Items in a batch of the point that runs.
    pub batch: u64,
    /// Which of the sizes runs, counted from 0, and how many there are.
    pub point: (usize, usize),
    /// Number in the store of the point that runs, once it has one.
    pub run: Option<i64>,
    /// The repetition that runs, counted from 1; 0 is the warm-up.
    pub repetition: u32,
    /// The stages in their order.
    pub stages: Vec<StageSnapshot>,
    /// The workers, by number.
    pub workers: Vec<WorkerSnapshot>,
    /// Workers that may take work now.
    pub active_workers: usize,
    /// Numbers in the store of the points that are finished.
    pub finished_runs: Vec<i64>,
    /// Rows that are made and not yet in the store.
    pub backlog: u64,
}

/// What a stage is at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StageState {
    /// It has not run at this point.
    #[default]
    Waiting,
    /// It runs.
    Running,
    /// It ran in this repetition, or in the one before.
    Done,
    /// It ended with this reason.
    Failed(String),
}

/// A stage of the point that runs, over all its measured repetitions so far.
#[derive(Debug, Clone)]
pub struct StageSnapshot {
    /// What it is.
    pub info: &'static StageInfo,
    /// What it is at.
    pub state: StageState,
    /// Items in one repetition.
    pub items: u64,
    /// Items done in the repetition that runs.
    pub done: u64,
    /// Items that failed.
    pub errors: u64,
    /// Wall-clock time in it, all repetitions together.
    pub wall: Duration,
    /// Items a second of wall-clock time; 0 when nothing was measured.
    pub rate: f64,
    /// Service time of one item in its worker, in nanoseconds; mean for items that were
    /// measured together.
    pub service: Arc<Histogram<u64>>,
    /// Time of all workers in each part, in the order of [`StageInfo::parts`].
    pub parts: Vec<Duration>,
    /// Items a second over time.
    pub trend: Trend,
}

/// Values over a window of time that grows by itself: when it is full, two neighbours become
/// one and each covers twice the time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trend {
    /// Time that one point covers.
    pub step: Duration,
    /// The points, oldest first; `None` where nothing was measured.
    pub points: Vec<Option<f32>>,
}

/// A worker over the last tenth of a second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WorkerSnapshot {
    /// Share of the time in which it worked, 0 to 1.
    pub busy: f32,
    /// Index of the stage that it works on.
    pub stage: Option<usize>,
}
