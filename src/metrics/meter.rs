//! One point of a pipeline while it is measured: its workers' shards and its stages' times.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::repetitions::Repetitions;
use super::run::{PartResult, StageResult};
use super::shard::{Slot, StageShard, nanos};
use super::snapshot::{StageInfo, StageState};
use super::summary::Summary;

/// Collects everything that is measured at one batch size.
#[derive(Debug)]
pub struct Meter {
    stages: &'static [StageInfo],
    slots: Vec<Slot>,
    progress: Mutex<Progress>,
}

/// What the pipeline itself notes.
#[derive(Debug, Default)]
pub struct Progress {
    /// The repetition that runs; 0 is the warm-up.
    pub repetition: u32,
    /// By index of the stage.
    pub stages: Vec<StageProgress>,
    /// The times of each stage's repetitions.
    repetitions: Vec<Repetitions>,
}

/// What the pipeline notes of a stage.
#[derive(Debug, Clone, Default)]
pub struct StageProgress {
    /// What it is at.
    pub state: StageState,
    /// Items in one repetition.
    pub items: u64,
    /// When the repetition that runs began.
    pub since: Option<Instant>,
    /// Wall-clock time of all repetitions that ended, in nanoseconds.
    pub wall: u64,
    /// CPU time of all repetitions.
    pub cpu: Duration,
    /// Items done before the repetition that runs.
    pub before: u64,
}

/// Wall-clock and CPU time of a stage's repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StageTime {
    /// Wall-clock time without pauses.
    pub wall: Duration,
    /// CPU time of all threads that took part.
    pub cpu: Duration,
}

impl Meter {
    /// Nothing is measured yet.
    #[must_use]
    pub fn new(stages: &'static [StageInfo], workers: usize) -> Arc<Self> {
        let slots = (0..workers.max(1)).map(|_| Slot::new(stages.len())).collect();
        let rows = stages.iter().map(|_| StageProgress::default()).collect();
        let repetitions = stages.iter().map(|_| Repetitions::default()).collect();
        let progress = Mutex::new(Progress { repetition: 0, stages: rows, repetitions });
        Arc::new(Self { stages, slots, progress })
    }

    /// The stages.
    #[must_use]
    pub fn stages(&self) -> &'static [StageInfo] {
        self.stages
    }

    /// The place of each worker.
    #[must_use]
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What the pipeline noted.
    pub fn progress(&self) -> MutexGuard<'_, Progress> {
        // Every change below is one assignment or leaves counts whole.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A repetition begins: all stages wait again.
    pub fn begin_repetition(&self, repetition: u32) {
        let mut progress = self.progress();
        progress.repetition = repetition;
        for stage in &mut progress.stages {
            stage.state = StageState::Waiting;
        }
    }

    /// A stage begins with that many items.
    pub fn begin_stage(&self, stage: usize, items: u64) {
        let before = self.slots.iter().map(|slot| slot.lock().stages[stage].items).sum();
        let row = &mut self.progress().stages[stage];
        *row = StageProgress {
            state: StageState::Running,
            items,
            since: Some(Instant::now()),
            before,
            ..std::mem::take(row)
        };
    }

    /// A stage ended.
    pub fn end_stage(&self, stage: usize, time: StageTime) {
        let mut progress = self.progress();
        progress.repetitions[stage].push(nanos(time.wall));
        let wall = progress.repetitions[stage].sum();
        let row = &mut progress.stages[stage];
        row.state = StageState::Done;
        row.since = None;
        row.wall = wall;
        row.cpu += time.cpu;
    }

    /// A stage failed.
    pub fn fail_stage(&self, stage: usize, reason: String) {
        let row = &mut self.progress().stages[stage];
        row.state = StageState::Failed(reason);
        row.since = None;
    }

    /// Forgets all times: the warm-up is over.
    pub fn reset(&self) {
        for slot in &self.slots {
            slot.lock().stages.iter_mut().for_each(StageShard::clear);
        }
        let mut progress = self.progress();
        progress.repetitions.iter_mut().for_each(Repetitions::clear);
        for stage in &mut progress.stages {
            stage.wall = 0;
            stage.cpu = Duration::ZERO;
            stage.before = 0;
        }
    }

    /// Wall-clock time of all stages in all repetitions.
    #[must_use]
    pub fn measured(&self) -> Duration {
        self.progress().stages.iter().map(|row| Duration::from_nanos(row.wall)).sum()
    }

    /// What all workers recorded of a stage.
    #[must_use]
    pub fn merged(&self, stage: usize) -> StageShard {
        let mut sum = StageShard::default();
        for slot in &self.slots {
            sum.add(&slot.lock().stages[stage]);
        }
        sum
    }

    /// The results of the stages so far.
    #[must_use]
    pub fn results(&self) -> Vec<StageResult> {
        let progress = self.progress();
        let rows = progress.stages.iter().zip(&progress.repetitions);
        let rows = self.stages.iter().zip(rows).enumerate();
        rows.map(|(index, (info, (row, times)))| result(info, row, times, &self.merged(index)))
            .collect()
    }
}

fn result(
    info: &StageInfo,
    row: &StageProgress,
    times: &Repetitions,
    shard: &StageShard,
) -> StageResult {
    let repetitions = times.count().max(1);
    let wall_ns = times.summary();
    StageResult {
        name: info.name.to_owned(),
        items: row.items,
        wall_ns,
        cpu_ns: nanos(row.cpu) / repetitions,
        items_per_second: rate(row.items, wall_ns.mean),
        service_ns: service(shard),
        parts: info
            .parts
            .iter()
            .zip(shard.parts)
            .map(|(name, ns)| PartResult { name: (*name).to_owned(), ns: ns / repetitions })
            .collect(),
        errors: shard.errors,
        repetition_ns: times.values().to_vec(),
        histogram: serialised(shard),
    }
}

/// Items a second; 0 when no time passed.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a rate needs no more digits")]
pub fn rate(items: u64, ns: u64) -> f64 {
    if ns == 0 { 0.0 } else { items as f64 * 1e9 / ns as f64 }
}

/// The service times in six figures: mean and extremes exact, the rest within 1 %.
fn service(shard: &StageShard) -> Option<Summary> {
    let (min, max) = shard.extremes?;
    let at = |quantile| shard.service.value_at_quantile(quantile).clamp(min, max);
    let mean = shard.sum / shard.items.max(1);
    Some(Summary { mean, min, p50: at(0.5), p90: at(0.9), p99: at(0.99), max })
}

/// The histogram in the V2 form of HdrHistogram; empty when it cannot be written.
fn serialised(shard: &StageShard) -> Vec<u8> {
    use hdrhistogram::serialization::{Serializer as _, V2Serializer};
    let mut out = Vec::new();
    // Writing to a vector fails for no count that a run can reach; a result without its
    // histogram is still a result.
    let _ = V2Serializer::new().serialize(&shard.service, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    static STAGES: [StageInfo; 2] = [
        StageInfo { name: "one", parts: &["a", "b"], parallel: true, objects: None },
        StageInfo { name: "two", parts: &[], parallel: false, objects: None },
    ];

    fn time(ms: u64) -> StageTime {
        StageTime { wall: Duration::from_millis(ms), cpu: Duration::from_millis(2 * ms) }
    }

    #[test]
    fn results_of_repetitions() {
        let meter = Meter::new(&STAGES, 2);
        for repetition in 0..3_u32 {
            meter.begin_repetition(repetition);
            meter.begin_stage(0, 10);
            for slot in meter.slots() {
                let mut recorder = slot.recorder(0);
                recorder.part(1);
                recorder.items(5);
            }
            meter.end_stage(0, time(u64::from(repetition) * 10));
            if repetition == 0 {
                meter.reset();
            }
        }
        let results = meter.results();
        let one = &results[0];
        assert_eq!((one.items, one.repetition_ns.len()), (10, 2));
        assert_eq!(one.wall_ns.mean, 15_000_000);
        assert_eq!(one.cpu_ns, 30_000_000);
        assert!((one.items_per_second - 10.0 / 0.015).abs() < 1e-6);
        assert_eq!(one.parts[1].name, "b");
        let mut octets = one.histogram.as_slice();
        let back = hdrhistogram::serialization::Deserializer::new()
            .deserialize::<u64, _>(&mut octets)
            .unwrap();
        assert_eq!(back.len(), 20, "the warm-up does not count");
        assert_eq!(results[1].wall_ns, Summary::default());
        assert_eq!(results[1].service_ns, None);
    }

    #[test]
    fn a_failed_stage_says_why() {
        let meter = Meter::new(&STAGES, 1);
        meter.begin_repetition(1);
        meter.begin_stage(1, 1);
        meter.fail_stage(1, "disk full".to_owned());
        assert_eq!(meter.progress().stages[1].state, StageState::Failed("disk full".to_owned()));
    }
}
