//! The workers: each keeps its state from one item and one stage to the next.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::Error;
use crate::metrics::machine::thread_cpu_time;
use crate::metrics::shard::nanos;
use crate::metrics::{Live, Meter, Recorder, StageTime};

/// Workers with a state each, on threads of their own.
///
/// The thread that asks for work is the first worker; so a single item wakes nobody.
#[derive(Debug)]
pub struct Crew<W> {
    pool: Option<ThreadPool>,
    workers: Vec<Mutex<W>>,
}

/// Who watches and steers the work.
#[derive(Debug, Clone, Copy)]
pub struct Watch<'a> {
    /// Pauses the work and says how many workers take part.
    pub live: &'a Live,
    /// Ends the work between two items.
    pub cancel: &'a AtomicBool,
    /// Where it is recorded.
    pub meter: &'a Meter,
}

impl Watch<'_> {
    /// Fails when somebody asked to stop.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<(), Error> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// How work is shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// Items take microseconds or more: one at a time, so that it can be stopped after each.
    Item,
    /// Items take nanoseconds: as many at a time as there are for a worker.
    Share,
}

impl<W: Send> Crew<W> {
    /// `threads` workers with the states that `make` gives for each number.
    ///
    /// # Errors
    /// What `make` fails with, or [`Error::Threads`].
    pub fn new(
        threads: usize,
        mut make: impl FnMut(usize) -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let threads = threads.max(1);
        let workers = (0..threads).map(|n| make(n).map(Mutex::new)).collect::<Result<_, _>>()?;
        let pool = match threads {
            1 => None,
            _ => Some(
                ThreadPoolBuilder::new()
                    .num_threads(threads - 1)
                    .thread_name(|n| format!("worker {}", n + 1))
                    .build()
                    .map_err(|error| Error::Threads(error.to_string()))?,
            ),
        };
        Ok(Self { pool, workers })
    }

    /// How many workers there are.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// The state of the first worker, between two stages.
    pub fn first(&self) -> MutexGuard<'_, W> {
        lock(&self.workers[0])
    }

    /// Does something with each worker's state, between two stages.
    pub fn each(&self, mut with: impl FnMut(&mut W)) {
        for worker in &self.workers {
            with(&mut lock(worker));
        }
    }

    /// One piece of work by the first worker. `work` records it itself.
    ///
    /// # Errors
    /// What `work` fails with, and [`Error::Cancelled`].
    pub fn alone<R>(
        &self,
        watch: &Watch<'_>,
        stage: usize,
        work: impl FnOnce(&mut W, &mut Recorder<'_>) -> Result<R, Error>,
    ) -> Result<(R, StageTime), Error> {
        watch.live.wait_while_paused(watch.cancel);
        watch.check()?;
        let mut worker = self.first();
        let mut recorder = watch.meter.slots()[0].recorder(stage);
        let (cpu, began) = (thread_cpu_time(), Instant::now());
        recorder.restart_at(began);
        let result = work(&mut worker, &mut recorder)?;
        let wall = began.elapsed();
        Ok((result, StageTime { wall, cpu: thread_cpu_time().saturating_sub(cpu) }))
    }

    /// Shares `items` pieces of work among the workers. `work` gets the numbers of the items
    /// that it is to do and records them itself.
    ///
    /// The time does not count pauses.
    ///
    /// # Errors
    /// The first thing that `work` fails with; [`Error::Cancelled`].
    pub fn share(
        &self,
        watch: &Watch<'_>,
        stage: usize,
        (items, grain): (usize, Grain),
        work: impl Fn(&mut W, Range<usize>, &mut Recorder<'_>) -> Result<(), Error> + Sync,
    ) -> Result<StageTime, Error> {
        watch.live.wait_while_paused(watch.cancel);
        let active = watch.live.workers().min(self.workers.len());
        let (chunk, step) = match grain {
            Grain::Item => ((items / (active * 8)).clamp(1, 64), 1),
            Grain::Share => (items.div_ceil(active).max(64), usize::MAX),
        };
        let desk = Desk { watch, items, chunk, step, ..Desk::new(watch) };
        let body = |number: usize| {
            let cpu = thread_cpu_time();
            let mut worker = lock(&self.workers[number]);
            let mut recorder = watch.meter.slots()[number].recorder(stage);
            desk.pauses.begin();
            while let Some(range) = desk.claim(number) {
                if let Err(error) = desk.work(range, &mut *worker, &mut recorder, &work) {
                    desk.fail(error);
                    break;
                }
            }
            desk.pauses.end();
            drop(recorder);
            let spent = thread_cpu_time().saturating_sub(cpu);
            desk.cpu.fetch_add(nanos(spent), Ordering::Relaxed);
        };
        let began = Instant::now();
        let hands = items.div_ceil(chunk).min(active);
        match &self.pool {
            Some(pool) if hands > 1 => pool.in_place_scope(|scope| {
                let body = &body;
                for number in 1..hands {
                    scope.spawn(move |_| body(number));
                }
                body(0);
            }),
            _ => body(0),
        }
        let wall = began.elapsed().saturating_sub(desk.pauses.still());
        watch.check()?;
        desk.done()?;
        Ok(StageTime { wall, cpu: Duration::from_nanos(desk.cpu.into_inner()) })
    }
}

/// Where workers get their work.
struct Desk<'a> {
    watch: &'a Watch<'a>,
    items: usize,
    /// Items that are claimed at once.
    chunk: usize,
    /// Items that are done in one call.
    step: usize,
    next: AtomicUsize,
    stopped: AtomicBool,
    failure: Mutex<Option<Error>>,
    pauses: Pauses,
    cpu: AtomicU64,
}

impl<'a> Desk<'a> {
    fn new(watch: &'a Watch<'a>) -> Self {
        Self {
            watch,
            items: 0,
            chunk: 1,
            step: 1,
            next: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            failure: Mutex::new(None),
            pauses: Pauses::default(),
            cpu: AtomicU64::new(0),
        }
    }

    /// The next items for this worker; none when it is not to take part any more. The first
    /// worker always takes part.
    fn claim(&self, number: usize) -> Option<Range<usize>> {
        if self.stopped() || (number > 0 && number >= self.watch.live.workers()) {
            return None;
        }
        let start = self.next.fetch_add(self.chunk, Ordering::Relaxed);
        (start < self.items).then(|| start..start.saturating_add(self.chunk).min(self.items))
    }

    fn work<W>(
        &self,
        range: Range<usize>,
        worker: &mut W,
        recorder: &mut Recorder<'_>,
        work: &impl Fn(&mut W, Range<usize>, &mut Recorder<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut start = range.start;
        while start < range.end && !self.stopped() {
            if self.watch.live.paused() {
                recorder.rest();
                self.pauses.end();
                self.watch.live.wait_while_paused(self.watch.cancel);
                self.pauses.begin();
                recorder.restart();
                continue;
            }
            let end = start.saturating_add(self.step).min(range.end);
            work(worker, start..end, recorder)?;
            start = end;
        }
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.watch.cancel.load(Ordering::Relaxed)
    }

    fn fail(&self, error: Error) {
        self.stopped.store(true, Ordering::Relaxed);
        lock(&self.failure).get_or_insert(error);
    }

    fn done(&self) -> Result<(), Error> {
        lock(&self.failure).take().map_or(Ok(()), Err)
    }
}

/// The time in which nobody works because of a pause: who is at an item finishes it first.
#[derive(Debug, Default)]
struct Pauses(Mutex<Stand>);

#[derive(Debug, Default)]
struct Stand {
    working: usize,
    since: Option<Instant>,
    still: Duration,
}

impl Pauses {
    /// A worker begins or goes on.
    fn begin(&self) {
        let mut stand = lock(&self.0);
        stand.working += 1;
        if let Some(since) = stand.since.take() {
            stand.still += since.elapsed();
        }
    }

    /// A worker rests or is done.
    fn end(&self) {
        let mut stand = lock(&self.0);
        stand.working = stand.working.saturating_sub(1);
        if stand.working == 0 {
            stand.since = Some(Instant::now());
        }
    }

    /// How long nobody worked and somebody went on afterwards.
    fn still(&self) -> Duration {
        lock(&self.0).still
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked ends the pipeline: nobody uses its state afterwards.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::StageInfo;

    static STAGES: [StageInfo; 1] =
        [StageInfo { name: "one", parts: &[], parallel: true, objects: None }];

    fn with_watch<R>(workers: usize, test: impl FnOnce(&Watch<'_>) -> R) -> R {
        let (live, cancel) = (Live::new(workers), AtomicBool::new(false));
        let meter = Meter::new(&STAGES, workers);
        test(&Watch { live: &live, cancel: &cancel, meter: &meter })
    }

    /// All items that the workers did, sorted.
    fn done(crew: &Crew<Vec<usize>>) -> Vec<usize> {
        let mut all = Vec::new();
        crew.each(|mine| all.append(mine));
        all.sort_unstable();
        all
    }

    #[test]
    fn every_item_is_done_once() {
        for workers in [1, 2, 7] {
            let crew = Crew::new(workers, |_| Ok(Vec::new())).unwrap();
            for (items, grain) in
                [(0, Grain::Item), (1, Grain::Item), (1_000, Grain::Item), (999, Grain::Share)]
            {
                with_watch(workers, |watch| {
                    crew.share(watch, 0, (items, grain), |mine, range, recorder| {
                        let count = range.len() as u64;
                        mine.extend(range);
                        recorder.items(count);
                        Ok(())
                    })
                    .unwrap();
                    assert_eq!(watch.meter.merged(0).items, items as u64);
                });
                assert_eq!(done(&crew), (0..items).collect::<Vec<_>>(), "{workers} {grain:?}");
            }
        }
    }

    #[test]
    fn the_first_failure_ends_the_stage() {
        let crew = Crew::new(3, |_| Ok(Vec::new())).unwrap();
        let error = with_watch(3, |watch| {
            crew.share(watch, 0, (10_000, Grain::Item), |mine: &mut Vec<usize>, range, _| {
                mine.extend(range.clone());
                if range.contains(&100) { Err(Error::Threads("x".to_owned())) } else { Ok(()) }
            })
            .unwrap_err()
        });
        assert!(matches!(error, Error::Threads(_)));
        assert!(done(&crew).len() < 10_000);
    }

    #[test]
    fn a_cancelled_stage_stops_between_items() {
        let crew = Crew::new(2, |_| Ok(Vec::new())).unwrap();
        let error = with_watch(2, |watch| {
            crew.share(watch, 0, (100_000, Grain::Item), |mine: &mut Vec<usize>, range, _| {
                if range.contains(&50) {
                    watch.cancel.store(true, Ordering::Relaxed);
                }
                mine.extend(range);
                Ok(())
            })
            .unwrap_err()
        });
        assert!(matches!(error, Error::Cancelled));
        assert!(done(&crew).len() < 100_000);
    }

    #[test]
    fn only_a_time_in_which_all_rest_is_a_pause() {
        let pauses = Pauses::default();
        pauses.begin();
        pauses.begin();
        pauses.end();
        pauses.begin();
        assert_eq!(pauses.still(), Duration::ZERO, "the other one worked on");
        pauses.end();
        pauses.end();
        assert_eq!(pauses.still(), Duration::ZERO, "the end is no pause");
        lock(&pauses.0).since = Instant::now().checked_sub(Duration::from_secs(5));
        pauses.begin();
        assert!(pauses.still() >= Duration::from_secs(5));
    }

    #[test]
    fn fewer_workers_still_do_everything() {
        let crew = Crew::new(4, |_| Ok(Vec::new())).unwrap();
        with_watch(4, |watch| {
            crew.share(watch, 0, (5_000, Grain::Item), |mine, range, _| {
                watch.live.set_workers(1);
                mine.extend(range);
                Ok(())
            })
            .unwrap();
        });
        assert_eq!(done(&crew).len(), 5_000);
    }

    #[test]
    fn one_item_stays_on_the_thread_that_asks() {
        let here = std::thread::current().id();
        let crew = Crew::new(4, |_| Ok(None)).unwrap();
        with_watch(4, |watch| {
            crew.share(watch, 0, (1, Grain::Item), |seen, _, _| {
                *seen = Some(std::thread::current().id());
                Ok(())
            })
            .unwrap();
        });
        assert_eq!(*crew.first(), Some(here));
    }
}
