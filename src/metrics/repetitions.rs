//! The wall-clock times of a stage's repetitions, in bounded memory.

use super::summary::Summary;

/// Times that are kept; beyond them two neighbours become their mean.
const KEPT: usize = 8192;

/// Times of repetitions: the mean and the extremes exact, the others exact up to [`KEPT`]
/// repetitions and means of neighbours beyond.
#[derive(Debug, Clone, Default)]
pub struct Repetitions {
    values: Vec<u64>,
    /// Repetitions in a kept time, less one.
    more: u64,
    /// Sum and number of those that make no kept time yet.
    open: (u64, u64),
    sum: u64,
    count: u64,
    extremes: Option<(u64, u64)>,
}

impl Repetitions {
    /// Adds a repetition.
    pub fn push(&mut self, ns: u64) {
        self.sum = self.sum.saturating_add(ns);
        self.count += 1;
        let (low, high) = self.extremes.unwrap_or((ns, ns));
        self.extremes = Some((low.min(ns), high.max(ns)));
        self.open = (self.open.0.saturating_add(ns), self.open.1 + 1);
        if self.open.1 <= self.more {
            return;
        }
        let (sum, count) = std::mem::take(&mut self.open);
        self.values.push(sum / count.max(1));
        if self.values.len() >= KEPT {
            self.values = self.values.chunks(2).map(|pair| pair.iter().sum::<u64>() / 2).collect();
            self.more = self.more * 2 + 1;
        }
    }

    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        (self.more, self.open, self.sum, self.count, self.extremes) = (0, (0, 0), 0, 0, None);
    }

    /// All repetitions together, in nanoseconds.
    #[must_use]
    pub const fn sum(&self) -> u64 {
        self.sum
    }

    /// How many there were.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The kept times, in their order.
    #[must_use]
    pub fn values(&self) -> &[u64] {
        &self.values
    }

    /// Their distribution.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let Some((min, max)) = self.extremes else { return Summary::default() };
        let mean = (self.sum + self.count / 2) / self.count.max(1);
        Summary { mean, min, max, ..Summary::of(&self.values) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_kept_as_they_are() {
        let mut repetitions = Repetitions::default();
        assert_eq!(repetitions.summary(), Summary::default());
        let values: Vec<u64> = (1..=100).collect();
        for ns in &values {
            repetitions.push(*ns);
        }
        assert_eq!(repetitions.values(), values);
        assert_eq!(repetitions.summary(), Summary::of(&values));
        repetitions.clear();
        assert_eq!((repetitions.count(), repetitions.sum(), repetitions.values()), (0, 0, &[][..]));
    }

    #[test]
    fn many_take_bounded_memory() {
        let mut repetitions = Repetitions::default();
        let count = 1_000_000;
        for n in 0..count {
            repetitions.push(n % 1_000);
        }
        assert!((KEPT / 2 - 1..KEPT).contains(&repetitions.values().len()));
        let summary = repetitions.summary();
        assert_eq!((repetitions.count(), summary.min, summary.max), (count, 0, 999));
        assert_eq!(repetitions.sum(), 499_500 * 1_000);
        assert!((499..=500).contains(&summary.mean) && (400..600).contains(&summary.p50));
    }
}
