//! Worker-local records: each worker writes its own shard, a sampler reads all of them.
//!
//! A [`Recorder`] collects times without a lock and hands them over 64 at a time, so that
//! recording costs a reading of the clock and a few nanoseconds an item.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;

/// Parts of a stage that can be kept apart.
pub const MAX_PARTS: usize = 4;

/// Times that wait to be handed over.
const WAITING: usize = 64;

/// The time after which waiting times are handed over, so that a screen sees slow stages move.
const PATIENCE: Duration = Duration::from_millis(20);

/// The longest service time that is told from longer ones, about two hours and a half: it bounds
/// the memory of a histogram.
const LONGEST: u64 = 1 << 43;

/// An empty histogram of service times in nanoseconds, exact to two digits, as long as needed.
#[must_use]
#[expect(clippy::expect_used, clippy::missing_panics_doc, reason = "two digits are allowed")]
pub fn service_times() -> Histogram<u64> {
    Histogram::new(2).expect("two digits")
}

/// What one worker recorded of one stage.
#[derive(Debug, Clone)]
pub struct StageShard {
    /// Items done.
    pub items: u64,
    /// Items that failed.
    pub errors: u64,
    /// Service time of one item.
    pub service: Histogram<u64>,
    /// Nanoseconds of all items together; exact, where the histogram rounds.
    pub sum: u64,
    /// The shortest and the longest service time, exact.
    pub extremes: Option<(u64, u64)>,
    /// Nanoseconds in each part.
    pub parts: [u64; MAX_PARTS],
}

impl Default for StageShard {
    fn default() -> Self {
        Self {
            items: 0,
            errors: 0,
            service: service_times(),
            sum: 0,
            extremes: None,
            parts: [0; MAX_PARTS],
        }
    }
}

impl StageShard {
    /// Items that took `ns` together.
    fn record(&mut self, ns: u64, items: u64) {
        let Some(each) = ns.checked_div(items) else { return };
        self.items += items;
        self.sum = self.sum.saturating_add(ns);
        // It grows as far as that, so nothing is out of bounds.
        let _ = self.service.record_n(each.min(LONGEST), items);
        let (low, high) = self.extremes.unwrap_or((each, each));
        self.extremes = Some((low.min(each), high.max(each)));
    }

    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.service.reset();
        let service = std::mem::replace(&mut self.service, service_times());
        *self = Self { service, ..Self::default() };
    }

    /// Adds what another worker recorded.
    pub fn add(&mut self, other: &Self) {
        self.items += other.items;
        self.errors += other.errors;
        self.sum = self.sum.saturating_add(other.sum);
        // Both resize themselves: nothing is out of bounds.
        let _ = self.service.add(&other.service);
        self.extremes = match (self.extremes, other.extremes) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
        for (mine, theirs) in self.parts.iter_mut().zip(other.parts) {
            *mine = mine.saturating_add(theirs);
        }
    }
}

/// What one worker recorded, and what it does now.
#[derive(Debug)]
pub struct Shard {
    /// By index of the stage.
    pub stages: Vec<StageShard>,
    /// Time in which it worked, up to `active`.
    busy: Duration,
    /// The stage that it works on, and since when.
    active: Option<(usize, Instant)>,
}

impl Shard {
    /// Time in which the worker worked so far.
    #[must_use]
    pub fn busy(&self, now: Instant) -> Duration {
        self.busy + self.active.map_or(Duration::ZERO, |(_, since)| now - since.min(now))
    }

    /// The index of the stage that it works on.
    #[must_use]
    pub fn working_on(&self) -> Option<usize> {
        self.active.map(|(stage, _)| stage)
    }
}

/// A worker's place to record; a cache line of its own.
#[derive(Debug)]
#[repr(align(128))]
pub struct Slot(Mutex<Shard>);

impl Slot {
    /// A slot for that many stages.
    #[must_use]
    pub fn new(stages: usize) -> Self {
        let stages = (0..stages).map(|_| StageShard::default()).collect();
        Self(Mutex::new(Shard { stages, busy: Duration::ZERO, active: None }))
    }

    /// The shard; only a sampler and the worker itself meet here.
    pub fn lock(&self) -> MutexGuard<'_, Shard> {
        // Counts stay whole after a panic elsewhere.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to record work on a stage.
    #[must_use]
    pub fn recorder(&self, stage: usize) -> Recorder<'_> {
        let now = Instant::now();
        self.lock().active = Some((stage, now));
        Recorder {
            slot: self,
            stage,
            item: now,
            mark: now,
            flushed: now,
            waiting: [0; WAITING],
            count: 0,
            together: (0, 0),
            errors: 0,
            parts: [0; MAX_PARTS],
        }
    }
}

/// Records the work of one worker on one stage; hands over what waits when it is dropped.
#[derive(Debug)]
pub struct Recorder<'a> {
    slot: &'a Slot,
    stage: usize,
    /// When the item began.
    item: Instant,
    /// When the part began.
    mark: Instant,
    flushed: Instant,
    waiting: [u64; WAITING],
    count: usize,
    /// Nanoseconds and number of items that were measured together.
    together: (u64, u64),
    errors: u64,
    parts: [u64; MAX_PARTS],
}

impl Recorder<'_> {
    /// The worker rests until [`Self::restart`]: what was done is handed over.
    pub fn rest(&mut self) {
        let now = Instant::now();
        self.flushed = now;
        let slot = self.slot;
        let mut shard = slot.lock();
        self.hand_over(&mut shard.stages[self.stage]);
        if let Some((_, since)) = shard.active.take() {
            shard.busy += now - since.min(now);
        }
    }

    /// The first item begins at this moment.
    pub fn restart_at(&mut self, now: Instant) {
        self.item = now;
        self.mark = now;
    }

    /// Begins an item anew after a rest.
    pub fn restart(&mut self) {
        self.restart_at(Instant::now());
        self.slot.lock().active = Some((self.stage, self.item));
    }

    /// A part of the item ends here and the next one begins.
    pub fn part(&mut self, part: usize) {
        let now = Instant::now();
        if let Some(sum) = self.parts.get_mut(part) {
            *sum = sum.saturating_add(nanos(now - self.mark));
        }
        self.mark = now;
    }

    /// An item ends here and the next one begins.
    pub fn item(&mut self) {
        self.mark = Instant::now();
        self.item_at_mark();
    }

    /// An item ended with its last part; saves a reading of the clock.
    pub fn item_at_mark(&mut self) {
        let ns = nanos(self.mark - self.item);
        self.item = self.mark;
        if let Some(place) = self.waiting.get_mut(self.count) {
            *place = ns;
            self.count += 1;
        }
        if self.count == WAITING || self.mark - self.flushed >= PATIENCE {
            self.flush();
        }
    }

    /// That many items end here together; each counts as the mean.
    pub fn items(&mut self, items: u64) {
        self.mark = Instant::now();
        let ns = nanos(self.mark - self.item);
        self.item = self.mark;
        if self.together.1 > 0 {
            self.flush();
        }
        self.together = (ns, items);
    }

    /// An item failed; it counts as an item too.
    pub fn error(&mut self) {
        self.errors += 1;
    }

    fn flush(&mut self) {
        self.flushed = self.mark;
        let slot = self.slot;
        self.hand_over(&mut slot.lock().stages[self.stage]);
    }

    fn hand_over(&mut self, stage: &mut StageShard) {
        for ns in &self.waiting[..self.count] {
            stage.record(*ns, 1);
        }
        let (ns, items) = std::mem::take(&mut self.together);
        stage.record(ns, items);
        stage.errors += std::mem::take(&mut self.errors);
        for (sum, part) in stage.parts.iter_mut().zip(std::mem::take(&mut self.parts)) {
            *sum = sum.saturating_add(part);
        }
        self.count = 0;
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        self.rest();
    }
}

/// Nanoseconds, at most 584 years.
#[must_use]
pub fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_arrives() {
        let slot = Slot::new(2);
        let mut recorder = slot.recorder(1);
        assert_eq!(slot.lock().working_on(), Some(1));
        for n in 0..1_000 {
            recorder.part(0);
            recorder.part(2);
            recorder.item_at_mark();
            if n % 100 == 0 {
                recorder.error();
            }
        }
        recorder.items(500);
        recorder.item();
        drop(recorder);
        let shard = slot.lock();
        assert_eq!(shard.working_on(), None);
        let stage = &shard.stages[1];
        assert_eq!((stage.items, stage.errors), (1_501, 10));
        assert_eq!(stage.service.len(), 1_501);
        let (low, high) = stage.extremes.unwrap();
        assert!(low <= high && high <= stage.sum);
        assert!(stage.parts[0] > 0 && stage.parts[1] == 0);
        assert_eq!(shard.stages[0].items, 0);
        let now = Instant::now();
        assert_eq!(shard.busy(now), shard.busy(now + Duration::from_secs(9)), "it rests");
    }

    #[test]
    fn a_rest_is_no_work() {
        let slot = Slot::new(1);
        let mut recorder = slot.recorder(0);
        recorder.item();
        recorder.rest();
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(slot.lock().working_on(), None);
        assert_eq!(slot.lock().stages[0].items, 1);
        assert!(slot.lock().busy(later) < Duration::from_secs(60));
        recorder.restart();
        assert_eq!(slot.lock().working_on(), Some(0));
        assert!(slot.lock().busy(later) > Duration::from_secs(50));
    }

    #[test]
    fn a_cleared_shard_is_empty() {
        let mut stage = StageShard::default();
        stage.record(5_000, 2);
        stage.errors = 1;
        stage.clear();
        assert_eq!((stage.items, stage.errors, stage.sum, stage.extremes), (0, 0, 0, None));
        assert_eq!(stage.service.len(), 0);
    }

    #[test]
    fn shards_add_up() {
        let mut one = StageShard::default();
        one.record(31, 3);
        one.parts[1] = 5;
        let mut two = StageShard::default();
        two.record(1_000_000_000_000, 1);
        two.errors = 1;
        let mut sum = StageShard::default();
        sum.add(&one);
        sum.add(&two);
        assert_eq!((sum.items, sum.errors, sum.parts[1]), (4, 1, 5));
        assert_eq!(sum.extremes, Some((10, 1_000_000_000_000)));
        assert_eq!((sum.service.len(), sum.sum), (4, 1_000_000_000_031));
        let at = |quantile| sum.service.value_at_quantile(quantile);
        assert_eq!((at(0.5), at(0.75)), (10, 10));
        assert!((990_000_000_000..=1_010_000_000_000).contains(&at(1.0)), "{}", at(1.0));
    }

    #[test]
    fn the_longest_times_are_kept() {
        let mut stage = StageShard::default();
        stage.record(u64::MAX, 1);
        stage.record(u64::MAX, 1);
        stage.record(0, 1);
        assert_eq!((stage.items, stage.sum, stage.extremes), (3, u64::MAX, Some((0, u64::MAX))));
        assert_eq!(stage.service.len(), 3);
        assert!(stage.service.max() >= LONGEST);
    }
}
