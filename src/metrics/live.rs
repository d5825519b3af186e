//! A running pipeline as others see and steer it: the newest snapshot, pause, workers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

use super::meter::{Meter, StageProgress, rate};
use super::shard::{nanos, service_times};
use super::snapshot::{Phase, Snapshot, StageSnapshot, StageState, WorkerSnapshot};
use super::trend::TrendMaker;

/// Time between two snapshots.
pub const SAMPLE: Duration = Duration::from_millis(100);

/// How often a pause that holds is looked at for a cancelled pipeline.
const PAUSE_CHECK: Duration = Duration::from_millis(50);

/// The link between a pipeline and who watches it. Cheap to ask, safe to share.
#[derive(Debug)]
pub struct Live {
    /// The one-slot mailbox.
    newest: Mutex<Option<Arc<Snapshot>>>,
    state: Mutex<State>,
    paused: AtomicBool,
    pause: Mutex<Pauses>,
    go_on: Condvar,
    workers: AtomicUsize,
}

/// What the pipeline says of itself.
#[derive(Debug)]
struct State {
    started: Instant,
    phase: Phase,
    batch: u64,
    point: (usize, usize),
    run: Option<i64>,
    finished: Vec<i64>,
    backlog: u64,
    meter: Option<Arc<Meter>>,
}

/// How long the work stood still.
#[derive(Debug, Default)]
struct Pauses {
    total: Duration,
    since: Option<Instant>,
}

impl Default for Live {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Live {
    /// Nothing runs yet; at most that many workers take work.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self {
            newest: Mutex::new(None),
            state: Mutex::new(State {
                started: Instant::now(),
                phase: Phase::Preparing,
                batch: 0,
                point: (0, 0),
                run: None,
                finished: Vec::new(),
                backlog: 0,
                meter: None,
            }),
            paused: AtomicBool::new(false),
            pause: Mutex::default(),
            go_on: Condvar::new(),
            workers: AtomicUsize::new(workers.max(1)),
        }
    }

    /// The newest snapshot.
    #[must_use]
    pub fn latest(&self) -> Option<Arc<Snapshot>> {
        lock(&self.newest).clone()
    }

    /// Puts a snapshot into the mailbox.
    pub fn publish(&self, snapshot: Snapshot) {
        *lock(&self.newest) = Some(Arc::new(snapshot));
    }

    /// Stops the work between two items, or lets it go on.
    pub fn pause(&self, on: bool) {
        let mut pause = lock(&self.pause);
        self.paused.store(on, Ordering::Relaxed);
        if on {
            pause.since.get_or_insert_with(Instant::now);
        } else if let Some(since) = pause.since.take() {
            pause.total += since.elapsed();
            self.go_on.notify_all();
        }
    }

    /// Whether the work stands still.
    #[must_use]
    pub fn paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    /// How long the work stood still so far.
    #[must_use]
    pub fn paused_for(&self) -> Duration {
        let pause = lock(&self.pause);
        pause.total + pause.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// Waits while the work is paused; returns whether it had to wait. Returns early when
    /// `cancelled` says so.
    pub fn wait_while_paused(&self, cancelled: &AtomicBool) -> bool {
        if !self.paused() {
            return false;
        }
        let mut pause = lock(&self.pause);
        while pause.since.is_some() && !cancelled.load(Ordering::Relaxed) {
            let waited = self.go_on.wait_timeout(pause, PAUSE_CHECK);
            pause = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Changes how many workers take work; at least one. Workers that are at an item finish it.
    pub fn set_workers(&self, workers: usize) {
        self.workers.store(workers.max(1), Ordering::Relaxed);
    }

    /// How many workers may take work.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers.load(Ordering::Relaxed)
    }

    /// The pipeline begins with that many points.
    pub fn begin(&self, points: usize) {
        let mut state = lock(&self.state);
        state.started = Instant::now();
        state.phase = Phase::Preparing;
        state.point = (0, points);
        state.finished.clear();
    }

    /// The point with this index and batch size begins; it records into `meter`.
    pub fn begin_point(&self, index: usize, batch: u64, meter: &Arc<Meter>) {
        let mut state = lock(&self.state);
        state.phase = Phase::Preparing;
        state.point.0 = index;
        state.run = None;
        state.batch = batch;
        state.meter = Some(Arc::clone(meter));
    }

    /// The point that runs is stored under this number.
    pub fn set_run(&self, run: i64) {
        lock(&self.state).run = Some(run);
    }

    /// What the pipeline does changed.
    pub fn set_phase(&self, phase: Phase) {
        lock(&self.state).phase = phase;
    }

    /// Rows that are made and not yet in the store.
    pub fn set_backlog(&self, rows: u64) {
        lock(&self.state).backlog = rows;
    }

    /// A point is finished and stored under this number.
    pub fn finish_point(&self, run: i64) {
        lock(&self.state).finished.push(run);
    }

    /// Makes a snapshot every [`SAMPLE`] on a thread of its own, until the sampler is dropped.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn sample(self: &Arc<Self>) -> std::io::Result<Sampler> {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let (live, told) = (Arc::clone(self), Arc::clone(&stop));
        let body = move || {
            let mut view = View::default();
            loop {
                let stopped = lock(&told.0);
                let (stopped, _) = told
                    .1
                    .wait_timeout_while(stopped, SAMPLE, |stopped| !*stopped)
                    .unwrap_or_else(PoisonError::into_inner);
                let last = *stopped;
                drop(stopped);
                view.take(&live, Instant::now());
                if last {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("sampler".to_owned()).spawn(body)?;
        Ok(Sampler { stop, thread: Some(thread) })
    }
}

/// Keeps snapshots coming; the last one is made when it is dropped.
#[derive(Debug)]
pub struct Sampler {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Sampler {
    fn drop(&mut self) {
        *lock(&self.stop.0) = true;
        self.stop.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // A sampler that panicked leaves the last snapshot as it is.
            let _ = thread.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What they hold is replaced whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a sampler remembers from one snapshot to the next.
#[derive(Debug, Default)]
struct View {
    meter: Option<Arc<Meter>>,
    at: Option<Instant>,
    stages: Vec<StageView>,
    busy: Vec<Duration>,
}

#[derive(Debug)]
struct StageView {
    trend: TrendMaker,
    service: Arc<Histogram<u64>>,
    items: u64,
    errors: u64,
    parts: Vec<Duration>,
    /// Items and nanoseconds that the trend knows.
    seen: (u64, u64),
    /// When the repetition that runs began, and how long the work had stood still by then.
    since: Option<Instant>,
    stood: Duration,
}

impl Default for StageView {
    fn default() -> Self {
        Self {
            trend: TrendMaker::new(SAMPLE),
            service: Arc::new(service_times()),
            items: 0,
            errors: 0,
            parts: Vec::new(),
            seen: (0, 0),
            since: None,
            stood: Duration::ZERO,
        }
    }
}

impl View {
    /// Makes a snapshot and puts it into the mailbox.
    fn take(&mut self, live: &Live, now: Instant) {
        let state = lock(&live.state);
        let Some(meter) = state.meter.clone() else { return };
        let (started, batch, point) = (state.started, state.batch, state.point);
        let (mut phase, backlog, run) = (state.phase.clone(), state.backlog, state.run);
        let finished_runs = state.finished.clone();
        drop(state);
        if phase == Phase::Running && live.paused() {
            phase = Phase::Paused;
        }
        if !self.meter.as_ref().is_some_and(|known| Arc::ptr_eq(known, &meter)) {
            self.stages = meter.stages().iter().map(|_| StageView::default()).collect();
            self.busy = meter.slots().iter().map(|slot| slot.lock().busy(now)).collect();
            self.meter = Some(Arc::clone(&meter));
        }
        let elapsed = self.at.replace(now).map_or(SAMPLE, |before| now - before);
        let (repetition, rows) = {
            let progress = meter.progress();
            (progress.repetition, progress.stages.clone())
        };
        let stood = live.paused_for();
        let stages = self.stages.iter_mut().zip(&rows).enumerate();
        let stages = stages
            .map(|(index, (view, row))| {
                view.look(&meter, index, row);
                view.snapshot(&meter, index, row, (now, elapsed, stood))
            })
            .collect();
        let workers = self.workers(&meter, now, elapsed);
        let snapshot = Snapshot {
            at: now.saturating_duration_since(started),
            phase,
            batch,
            point,
            run,
            repetition,
            stages,
            active_workers: live.workers().min(workers.len()),
            workers,
            finished_runs,
            backlog,
        };
        live.publish(snapshot);
    }

    fn workers(&mut self, meter: &Meter, now: Instant, elapsed: Duration) -> Vec<WorkerSnapshot> {
        let slots = meter.slots().iter().zip(&mut self.busy);
        slots
            .map(|(slot, before)| {
                let shard = slot.lock();
                let busy = shard.busy(now);
                let worked = busy.saturating_sub(std::mem::replace(before, busy));
                let part = worked.as_secs_f32() / elapsed.as_secs_f32().max(f32::EPSILON);
                WorkerSnapshot { busy: part.clamp(0.0, 1.0), stage: shard.working_on() }
            })
            .collect()
    }
}

impl StageView {
    /// Takes in what the workers recorded since the last time.
    fn look(&mut self, meter: &Meter, stage: usize, row: &StageProgress) {
        let count: u64 = meter.slots().iter().map(|slot| slot.lock().stages[stage].items).sum();
        if count == self.items && row.state != StageState::Running {
            return;
        }
        let merged = meter.merged(stage);
        if merged.items < self.items {
            self.seen = (0, 0);
        }
        self.items = merged.items;
        self.errors = merged.errors;
        self.parts = merged.parts.iter().map(|ns| Duration::from_nanos(*ns)).collect();
        self.parts.truncate(meter.stages()[stage].parts.len());
        self.service = Arc::new(merged.service);
    }

    fn snapshot(
        &mut self,
        meter: &Meter,
        stage: usize,
        row: &StageProgress,
        (now, elapsed, stood): (Instant, Duration, Duration),
    ) -> StageSnapshot {
        let finished = row.wall;
        if self.since != row.since {
            (self.since, self.stood) = (row.since, stood);
        }
        let running = row.since.map_or(0, |since| {
            let pauses = stood.saturating_sub(self.stood);
            nanos(now.saturating_duration_since(since).saturating_sub(pauses))
        });
        let wall = finished + running;
        if wall < self.seen.1 {
            // The warm-up is over, or a pause was counted at first.
            self.seen = (self.items, wall);
        }
        let (items, ns) = self.seen;
        let fresh = (self.items.saturating_sub(items), wall.saturating_sub(ns));
        let moved = fresh.0 > 0 && fresh.1 > 0;
        self.trend.push(moved.then(|| rate(fresh.0, fresh.1)), elapsed);
        if moved {
            self.seen = (self.items, wall);
        }
        StageSnapshot {
            info: &meter.stages()[stage],
            state: row.state.clone(),
            items: row.items,
            done: match row.state {
                StageState::Waiting => 0,
                StageState::Done => row.items,
                _ => self.items.saturating_sub(row.before),
            },
            errors: self.errors,
            wall: Duration::from_nanos(wall),
            rate: rate(self.items, wall),
            service: Arc::clone(&self.service),
            parts: self.parts.clone(),
            trend: self.trend.trend(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::StageInfo;
    use crate::metrics::meter::StageTime;

    static STAGES: [StageInfo; 2] = [
        StageInfo { name: "one", parts: &["a"], parallel: true, objects: None },
        StageInfo { name: "two", parts: &[], parallel: false, objects: None },
    ];

    #[test]
    fn a_snapshot_tells_what_was_recorded() {
        let live = Live::new(1);
        let mut view = View::default();
        view.take(&live, Instant::now());
        assert!(live.latest().is_none(), "nothing began");
        let meter = Meter::new(&STAGES, 2);
        live.begin(3);
        live.begin_point(1, 64, &meter);
        live.set_phase(Phase::Running);
        meter.begin_repetition(1);
        meter.begin_stage(0, 128);
        let mut recorder = meter.slots()[1].recorder(0);
        recorder.part(0);
        // As many as are handed over at once.
        for _ in 0..64 {
            recorder.item();
        }
        view.take(&live, Instant::now());
        let snapshot = live.latest().unwrap();
        assert_eq!((snapshot.batch, snapshot.point, snapshot.repetition), (64, (1, 3), 1));
        let stage = &snapshot.stages[0];
        assert_eq!((stage.done, stage.items, &stage.state), (64, 128, &StageState::Running));
        assert_eq!(stage.service.len(), 64);
        assert!(stage.rate > 0.0 && stage.trend.points.len() == 1);
        assert_eq!(snapshot.workers[1].stage, Some(0));
        assert_eq!(snapshot.active_workers, 1);
        assert_eq!(snapshot.stages[1].state, StageState::Waiting);
        drop(recorder);
        let time = StageTime { wall: Duration::from_millis(8), cpu: Duration::from_millis(9) };
        meter.end_stage(0, time);
        live.set_run(41);
        live.finish_point(41);
        view.take(&live, Instant::now());
        let snapshot = live.latest().unwrap();
        assert_eq!(snapshot.stages[0].done, 128);
        assert_eq!(snapshot.stages[0].wall, Duration::from_millis(8));
        assert_eq!((snapshot.run, &snapshot.finished_runs[..]), (Some(41), &[41][..]));
        let next = Meter::new(&STAGES, 1);
        live.begin_point(2, 128, &next);
        view.take(&live, Instant::now());
        assert_eq!(live.latest().unwrap().stages[0].service.len(), 0);
        assert_eq!(live.latest().unwrap().run, None);
    }

    #[test]
    fn a_pause_counts_for_no_stage() {
        let (live, mut view) = (Live::new(1), View::default());
        let meter = Meter::new(&STAGES, 1);
        live.begin_point(0, 64, &meter);
        live.set_phase(Phase::Running);
        meter.begin_repetition(1);
        meter.begin_stage(0, 64);
        let since = meter.progress().stages[0].since.unwrap();
        view.take(&live, since + Duration::from_secs(2));
        let before = live.latest().unwrap().stages[0].wall;
        assert_eq!(before, Duration::from_secs(2));
        // A pause of an hour, an hour later.
        lock(&live.pause).total = Duration::from_secs(3_600);
        view.take(&live, since + Duration::from_secs(3_602));
        assert_eq!(live.latest().unwrap().stages[0].wall, before);
    }

    #[test]
    fn a_pause_holds_until_somebody_goes_on_or_cancels() {
        let live = Arc::new(Live::new(4));
        let cancel = Arc::new(AtomicBool::new(false));
        assert!(!live.wait_while_paused(&cancel));
        live.pause(true);
        let (held, told) = (Arc::clone(&live), Arc::clone(&cancel));
        let waiting = thread::spawn(move || held.wait_while_paused(&told));
        live.pause(false);
        assert!(waiting.join().is_ok(), "it came back");
        let stood = live.paused_for();
        assert_eq!(stood, live.paused_for(), "the time stands still");
        live.pause(true);
        cancel.store(true, Ordering::Relaxed);
        assert!(live.wait_while_paused(&cancel));
        live.set_workers(0);
        assert_eq!(live.workers(), 1);
    }

    #[test]
    fn a_sampler_leaves_a_last_snapshot() {
        let live = Arc::new(Live::default());
        let sampler = live.sample().unwrap();
        live.begin_point(0, 1, &Meter::new(&STAGES, 1));
        live.set_phase(Phase::Done);
        drop(sampler);
        assert_eq!(live.latest().unwrap().phase, Phase::Done);
    }
}
