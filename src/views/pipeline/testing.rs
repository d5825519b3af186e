//! Snapshots that were made up, for tests.

use std::sync::Arc;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::metrics::{Phase, Snapshot, StageSnapshot, StageState, Trend, WorkerSnapshot};
use crate::pki::pipeline::STAGES;

/// Microseconds that an item of each stage takes.
const COSTS: [u64; 15] = [950, 1100, 6, 168, 1, 6, 930, 40, 170, 5, 1, 930, 6, 168, 1];

/// A stage after `repetitions` of `items` that each took about `ns`.
pub fn stage(index: usize, state: StageState, items: u64, repetitions: u64) -> StageSnapshot {
    let info = &STAGES[index % STAGES.len()];
    let ns = COSTS[index % COSTS.len()] * 1000;
    let mut service = Histogram::new(2).unwrap();
    let mut sum = 0;
    // A hump with a tail, and one item that took far longer.
    for (percent, count) in [(92, 2), (95, 12), (100, 60), (104, 18), (112, 6), (150, 2)] {
        let own = items * repetitions * count / 100;
        service.record_n((ns * percent / 100).max(1), own).unwrap();
        sum += own * ns * percent / 100;
    }
    if items * repetitions > 0 {
        service.record(ns * 9).unwrap();
        sum += ns * 9;
    }
    let workers = if info.parallel { 8 } else { 1 };
    let wall = Duration::from_nanos(sum / workers);
    let shares: &[u32] = if info.name == "cert_gen" { &[15, 84, 1] } else { &[0, 99, 1] };
    #[expect(clippy::cast_precision_loss, reason = "made up")]
    let rate = if sum == 0 { 0.0 } else { service.len() as f64 / wall.as_secs_f64() };
    StageSnapshot {
        info,
        items,
        done: if state == StageState::Running { items / 3 } else { items },
        state,
        errors: 0,
        wall,
        rate,
        service: Arc::new(service),
        parts: info.parts.iter().zip(shares).map(|(_, share)| wall * *share / 100).collect(),
        trend: trend(rate),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "made up")]
fn trend(rate: f64) -> Trend {
    let points = (0..60_u8).map(|index| {
        (index % 7 != 3 && rate > 0.0).then_some(rate as f32 * (1.0 - f32::from(index % 5) / 10.0))
    });
    Trend { step: Duration::from_millis(200), points: points.collect() }
}

/// The pipeline in repetition 12 of the last size but one, in the middle of `cert_verify`.
pub fn running() -> Snapshot {
    let stages = (0..STAGES.len()).map(|index| {
        let items = if STAGES[index].name.contains("crl") || index == 0 { 1 } else { 1024 };
        match index {
            0..3 => stage(index, StageState::Done, items, 12),
            3 => stage(index, StageState::Running, items, 11),
            4..10 => stage(index, StageState::Waiting, items, 11),
            // As in a first repetition.
            _ => StageSnapshot { done: 0, ..stage(index, StageState::Waiting, items, 0) },
        }
    });
    let busy = [0.99, 0.91, 0.97, 0.5, 1.0, 0.88, 0.93, 0.12];
    Snapshot {
        at: Duration::from_secs(34),
        phase: Phase::Running,
        batch: 1024,
        point: (9, 11),
        run: Some(50),
        repetition: 12,
        stages: stages.collect(),
        workers: busy.map(|busy| WorkerSnapshot { busy, stage: Some(3) }).to_vec(),
        active_workers: 8,
        finished_runs: (41..50).collect(),
        backlog: 0,
    }
}

/// The same when all is done.
pub fn done() -> Snapshot {
    let mut snapshot = running();
    for (index, old) in snapshot.stages.iter_mut().enumerate() {
        *old = stage(index, StageState::Done, old.items, 12);
    }
    snapshot.phase = Phase::Done;
    snapshot.finished_runs = (41..52).collect();
    snapshot.at = Duration::from_secs(61);
    snapshot
}
