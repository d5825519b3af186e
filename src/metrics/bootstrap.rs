//! A confidence interval for the ratio of two means.
//!
//! The percentile bootstrap: both samples are drawn again with replacement, 10,000 times, and
//! the interval is what lies between two percentiles of the ratios of the means. With few
//! values a plain percentile interval is too narrow; the percentiles are moved outwards as
//! Hesterberg describes (What Teachers Should Know About the Bootstrap, 2015, section 3.5:
//! "expanded percentile intervals"), with Welch's degrees of freedom for two samples.
//!
//! Consecutive repetitions of a long run are averaged to at most [`BLOCKS`] values first
//! (batch means): neighbours are alike where a machine's clock or load drifts, and that noise
//! does not average out as quickly. It bounds the work too.

use fastrand::Rng;
use serde::Serialize;

/// How often the samples are drawn again.
const RESAMPLES: usize = 10_000;

/// Values of a sample at most.
const BLOCKS: usize = 30;

/// Where every sequence of random numbers begins: the same samples give the same interval.
const SEED: u64 = 0x7069_6b73_636f_7065;

/// The two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_985;

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// One of the two samples.
#[derive(Debug, Clone, Copy)]
pub enum Sample<'a> {
    /// Measured values, at least two.
    Measured(&'a [f64]),
    /// A value without noise.
    Exact(f64),
}

/// The 95 % confidence interval of `mean(b) / mean(a)`.
#[must_use]
pub fn ratio(a: Sample<'_>, b: Sample<'_>) -> Interval {
    let (a, b) = (Values::of(a), Values::of(b));
    let centre = b.mean / a.mean;
    let (va, vb) = (a.relative_variance(), b.relative_variance());
    let sum = va + vb;
    if sum <= 0.0 || !centre.is_finite() {
        return Interval { low: centre, high: centre };
    }
    let freedom = sum * sum / (va * va / a.freedom() + vb * vb / b.freedom());
    // Drawing from n values spreads less than the values do, by (n - 1) / n.
    let widen = (sum / (va * a.shrink() + vb * b.shrink())).sqrt();
    let tail = normal_tail(student(freedom) * widen);
    let mut rng = Rng::with_seed(SEED);
    let mut ratios: Vec<f64> =
        (0..RESAMPLES).map(|_| b.resampled(&mut rng) / a.resampled(&mut rng)).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let from_end = index(tail);
    Interval { low: ratios[from_end], high: ratios[RESAMPLES - 1 - from_end] }
}

/// How many of the sorted ratios lie outside at each end.
fn index(tail: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a small number"
    )]
    let outside = (tail * RESAMPLES as f64).floor() as usize;
    outside.min(RESAMPLES / 2 - 1)
}

/// Consecutive values of a sample.
struct Block {
    mean: f64,
    /// How many values it has, by how many a block has on average.
    weight: f64,
}

/// A sample in blocks.
struct Values {
    values: Vec<Block>,
    mean: f64,
}

impl Values {
    fn of(sample: Sample<'_>) -> Self {
        let values = match sample {
            Sample::Measured(values) => blocks(values),
            Sample::Exact(value) => vec![Block { mean: value, weight: 1.0 }],
        };
        let mean = weighted(values.iter());
        Self { values, mean }
    }

    fn len(&self) -> f64 {
        count(self.values.len())
    }

    /// Variance of the mean, by the square of the mean.
    fn relative_variance(&self) -> f64 {
        if self.values.len() < 2 {
            return 0.0;
        }
        let squares: f64 =
            self.values.iter().map(|block| (block.weight * (block.mean - self.mean)).powi(2)).sum();
        squares / (self.len() - 1.0) / self.len() / (self.mean * self.mean)
    }

    fn freedom(&self) -> f64 {
        (self.len() - 1.0).max(1.0)
    }

    fn shrink(&self) -> f64 {
        (self.len() - 1.0) / self.len()
    }

    /// The mean of as many blocks, drawn with replacement.
    fn resampled(&self, rng: &mut Rng) -> f64 {
        if let [block] = &self.values[..] {
            return block.mean;
        }
        weighted((0..self.values.len()).map(|_| &self.values[rng.usize(..self.values.len())]))
    }
}

/// Means of consecutive values, at most [`BLOCKS`] of them, each with its weight: the sizes of
/// blocks differ by one at most, and every value is in one.
fn blocks(values: &[f64]) -> Vec<Block> {
    let all = values.len();
    let blocks = all.div_ceil(all.div_ceil(BLOCKS).max(1));
    let block = |at: usize| {
        let values = &values[at * all / blocks..(at + 1) * all / blocks];
        Block { mean: mean(values), weight: count(values.len()) * count(blocks) / count(all) }
    };
    (0..blocks).map(block).collect()
}

/// A weighted mean; the weights need not add up to anything.
fn weighted<'a>(blocks: impl Iterator<Item = &'a Block>) -> f64 {
    let (sum, weight) = blocks.fold((0.0, 0.0), |(sum, weight), block| {
        (sum + block.mean * block.weight, weight + block.weight)
    });
    sum / weight
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / count(values.len())
}

#[expect(clippy::cast_precision_loss, reason = "a count of repetitions is small")]
fn count(n: usize) -> f64 {
    n as f64
}

/// The two-sided 95 % quantile of Student's distribution, by the expansion of Cornish and
/// Fisher (Abramowitz and Stegun, 26.7.5); within 1 % from 3 degrees of freedom on.
fn student(freedom: f64) -> f64 {
    let z = Z;
    let z2 = z * z;
    let terms = [
        z * (z2 + 1.0) / 4.0,
        z * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0,
        z * (3.0 * z2.powi(3) + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0,
        z * (79.0 * z2.powi(4) + 776.0 * z2.powi(3) + 1482.0 * z2 * z2 - 1920.0 * z2 - 945.0)
            / 92_160.0,
    ];
    let mut power = 1.0;
    terms.iter().fold(z, |sum, term| {
        power /= freedom;
        sum + term * power
    })
}

/// The share of the normal distribution beyond `x >= 0` (Numerical Recipes, `erfcc`; relative
/// error below 1.2e-7).
fn normal_tail(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 10] = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let z = x / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * z);
    let polynomial = COEFFICIENTS.iter().fold(0.0, |sum, c| sum * t + c);
    0.5 * t * (polynomial - z * z).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_tails() {
        for (freedom, wanted) in [(3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042)] {
            assert!((student(freedom) - wanted).abs() < 0.01 * wanted, "{freedom}");
        }
        for (x, wanted) in [(0.0, 0.5), (1.0, 0.158_655), (Z, 0.025), (3.0, 0.001_349_9)] {
            assert!((normal_tail(x) - wanted).abs() < 1e-5 * wanted + 1e-7, "{x}");
        }
    }

    /// Values around 1: normal, or skewed as times are, with a few that took much longer.
    fn draw(rng: &mut Rng, n: usize, skewed: bool) -> Vec<f64> {
        (0..n)
            .map(|_| {
                let normal: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
                // Both have a mean of 1.
                if skewed { 0.9 - 0.1 * (1.0 - rng.f64()).ln() } else { 1.0 + 0.05 * normal }
            })
            .collect()
    }

    /// How many of the trials have the true ratio in their interval, in per mille.
    fn coverage(na: usize, nb: Option<usize>, skewed: bool) -> usize {
        let mut rng = Rng::with_seed(1);
        let trials = 600;
        let hits = (0..trials).filter(|_| {
            let a = draw(&mut rng, na, skewed);
            let b: Option<Vec<f64>> =
                nb.map(|n| draw(&mut rng, n, skewed).iter().map(|value| value * 1.25).collect());
            let b = b.as_deref().map_or(Sample::Exact(1.25), Sample::Measured);
            let interval = ratio(Sample::Measured(&a), b);
            (interval.low..=interval.high).contains(&1.25)
        });
        hits.count() * 1000 / trials
    }

    #[test]
    fn the_true_ratio_is_inside_in_nineteen_of_twenty_trials() {
        for (na, nb, skewed) in [
            (5, Some(5), false),
            (10, Some(31), false),
            (31, Some(31), true),
            (10, Some(10), true),
            (20, None, false),
            (31, None, true),
            (300, Some(90), true),
        ] {
            let covered = coverage(na, nb, skewed);
            // Two and a half standard errors of 600 trials are 22; skew costs some more.
            let least = if skewed { 910 } else { 925 };
            assert!((least..=980).contains(&covered), "{na} {nb:?} {skewed}: {covered}");
        }
    }

    #[test]
    fn the_same_samples_give_the_same_interval() {
        let mut rng = Rng::with_seed(7);
        let (a, b) = (draw(&mut rng, 12, true), draw(&mut rng, 9, true));
        let once = ratio(Sample::Measured(&a), Sample::Measured(&b));
        assert_eq!(once, ratio(Sample::Measured(&a), Sample::Measured(&b)));
        assert!(once.low < once.high);
        let flat = ratio(Sample::Measured(&[2.0; 8]), Sample::Measured(&[3.0; 5]));
        assert_eq!(flat, Interval { low: 1.5, high: 1.5 });
    }

    #[test]
    fn long_runs_are_taken_in_blocks() {
        // A slow drift: neighbours are alike, so blocks of them spread as widely.
        let drifting: Vec<f64> = (0..20_000).map(|i| 1.0 + f64::from(i / 100) / 100.0).collect();
        assert_eq!(blocks(&drifting).len(), 30);
        let interval = ratio(Sample::Measured(&drifting), Sample::Exact(2.0));
        assert!(interval.high - interval.low > 0.05, "{interval:?}");
        assert_eq!(blocks(&[1.0; 30]).len(), 30);
        assert_eq!(blocks(&[1.0; 31]).len(), 16);
    }

    #[test]
    fn no_value_is_left_out() {
        for n in [5, 30, 31, 59, 61, 1000, 20_001] {
            let mut values = vec![1.0; n];
            // Whatever the last one took is in the ratio, so it is in the interval.
            values[n - 1] = 500.0;
            let wanted = mean(&values);
            let blocks = blocks(&values);
            assert!(blocks.len() <= BLOCKS);
            assert!((weighted(blocks.iter()) - wanted).abs() < 1e-9 * wanted, "{n}");
            let interval = ratio(Sample::Exact(1.0), Sample::Measured(&values));
            assert!(interval.low <= wanted && wanted <= interval.high, "{n}: {interval:?}");
            assert!(interval.low < interval.high, "{n}: {interval:?}");
        }
    }
}
