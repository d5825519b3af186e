//! A distribution in six figures.

use serde::{Deserialize, Serialize};

/// A distribution of times in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Summary {
    /// The arithmetic mean, rounded.
    pub mean: u64,
    /// The smallest value.
    pub min: u64,
    /// The median.
    pub p50: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The largest value.
    pub max: u64,
}

impl Summary {
    /// The summary of `values`, by the nearest-rank method; all zero when there are none.
    #[must_use]
    pub fn of(values: &[u64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Self::default();
        };
        let sum: u128 = sorted.iter().map(|value| u128::from(*value)).sum();
        let count = sorted.len();
        let mean = (sum + count as u128 / 2) / count as u128;
        let rank = |percent: usize| sorted[(count * percent).div_ceil(100).max(1) - 1];
        Self {
            mean: u64::try_from(mean).unwrap_or(u64::MAX),
            min,
            p50: rank(50),
            p90: rank(90),
            p99: rank(99),
            max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        assert_eq!(Summary::of(&[]), Summary::default());
        let one = Summary::of(&[7]);
        assert_eq!((one.mean, one.min, one.p50, one.p99, one.max), (7, 7, 7, 7, 7));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        let all = Summary::of(&hundred);
        assert_eq!((all.min, all.p50, all.p90, all.p99, all.max), (1, 50, 90, 99, 100));
        assert_eq!(all.mean, 51, "50.5, rounded up");
    }
}
