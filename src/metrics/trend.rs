//! Trends: a value over a window of time that grows by itself.

use std::time::Duration;

use super::snapshot::Trend;

/// Points of a full window.
const POINTS: usize = 120;

/// Collects a [`Trend`].
#[derive(Debug, Clone, Default)]
pub struct TrendMaker {
    trend: Trend,
    /// Sum and number of the values of the point that is not full.
    open: (f64, u32),
    filled: Duration,
}

impl TrendMaker {
    /// A trend whose first points cover `step` each.
    #[must_use]
    pub fn new(step: Duration) -> Self {
        Self { trend: Trend { step, points: Vec::new() }, ..Self::default() }
    }

    /// The value over the last `elapsed`; `None` when nothing was measured.
    pub fn push(&mut self, value: Option<f64>, elapsed: Duration) {
        if let Some(value) = value {
            self.open.0 += value;
            self.open.1 += 1;
        }
        self.filled += elapsed;
        if self.filled < self.trend.step {
            return;
        }
        self.filled = Duration::ZERO;
        self.trend.points.push(mean(std::mem::take(&mut self.open)));
        if self.trend.points.len() >= POINTS {
            self.double();
        }
    }

    /// The trend so far.
    #[must_use]
    pub fn trend(&self) -> Trend {
        self.trend.clone()
    }

    /// Two neighbours become one.
    fn double(&mut self) {
        let halved = self.trend.points.chunks(2).map(|pair| {
            let there: Vec<f32> = pair.iter().flatten().copied().collect();
            let count = there.len();
            #[expect(clippy::cast_precision_loss, reason = "one or two")]
            (count > 0).then(|| there.iter().sum::<f32>() / count as f32)
        });
        self.trend.points = halved.collect();
        self.trend.step *= 2;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a picture needs no more digits")]
fn mean((sum, count): (f64, u32)) -> Option<f32> {
    (count > 0).then(|| (sum / f64::from(count)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(100);

    #[test]
    fn the_window_grows_and_keeps_the_level() {
        let mut maker = TrendMaker::new(STEP);
        for _ in 0..10_000 {
            maker.push(Some(7.0), STEP);
        }
        let trend = maker.trend();
        assert!(trend.points.len() < POINTS && trend.points.len() >= POINTS / 2);
        assert!(trend.points.iter().all(|point| *point == Some(7.0)));
        let covered = trend.step * u32::try_from(trend.points.len()).unwrap();
        assert!(covered + trend.step > STEP * 10_000 && covered <= STEP * 10_000);
    }

    #[test]
    fn gaps_stay_gaps() {
        let mut maker = TrendMaker::new(STEP);
        maker.push(None, STEP);
        maker.push(Some(1.0), STEP / 2);
        maker.push(Some(3.0), STEP / 2);
        assert_eq!(maker.trend().points, [None, Some(2.0)]);
        for _ in 2..POINTS {
            maker.push(None, STEP);
        }
        let trend = maker.trend();
        assert_eq!(trend.step, STEP * 2);
        assert_eq!(trend.points[..2], [Some(2.0), None]);
    }
}
