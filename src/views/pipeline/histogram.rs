//! The service times of a stage as a histogram on a logarithmic axis of time.

use hdrhistogram::Histogram;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::figures::{Quantiles, StageFigures};
use super::layout::inside;
use crate::views::event::Look;
use crate::views::theme::{Theme, Token};
use crate::views::widgets::chart::{column, text, text_right};
use crate::views::widgets::pane_title;
use crate::views::widgets::units::{WIDEST, count, time};

/// Columns of the counts and their axis.
const COUNTS: u16 = 8;

/// The axis covers at least this ratio of times, so that a few buckets do not fill it.
const LEAST_RANGE: f64 = 1.5;

/// Times of more than so many p90 are outliers: dots, not bars.
const OUTLIER: u64 = 4;

/// Draws the histogram with its title; `log` for a logarithmic scale of counts.
pub fn draw(
    frame: &mut Frame<'_>,
    pane: Rect,
    name: &str,
    stage: Option<&StageFigures>,
    log: bool,
    look: &Look<'_>,
) {
    if pane.height == 0 {
        return;
    }
    let scale = if log { "log scale" } else { "linear scale" };
    let items = stage.map_or(0, |stage| stage.service.len());
    let remark = format!("{} items, {scale}", count(items));
    pane_title(frame, pane, &format!("{name}: service time"), &remark, false, look);
    let area = inside(pane);
    let Some((stage, quantiles)) = stage.and_then(|stage| Some((stage, stage.quantiles?))) else {
        let style = look.theme.style(Token::Dim);
        let line = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
        text(frame.buffer_mut(), line, "nothing was measured", style);
        return;
    };
    if area.height < 2 || area.width <= COUNTS + 1 {
        return;
    }
    let plot = Rect {
        x: area.x + COUNTS,
        width: area.width - COUNTS - 1,
        height: area.height - 1,
        ..area
    };
    let axis = Axis::new(&stage.service, plot.width);
    let counts = spread(&stage.service, &axis);
    let most = counts.iter().copied().fold(0.0, f64::max);
    let scale = Scale { most, log };
    let buffer = frame.buffer_mut();
    draw_columns(buffer, plot, &counts, &axis, scale, quantiles, look.theme);
    draw_counts(buffer, Rect { width: COUNTS, x: area.x, ..plot }, scale, look.theme);
    let bottom = Rect { y: area.bottom() - 1, height: 1, x: plot.x - 1, width: plot.width + 1 };
    draw_times(buffer, bottom, &axis, quantiles, look.theme);
}

/// A logarithmic axis of time.
struct Axis {
    low: f64,
    span: f64,
    columns: u16,
}

impl Axis {
    fn new(histogram: &Histogram<u64>, columns: u16) -> Self {
        let low = log(histogram.lowest_equivalent(histogram.min()));
        let high = log(histogram.highest_equivalent(histogram.max()));
        let least = LEAST_RANGE.ln();
        let span = (high - low).max(least);
        // A narrow range stands in the middle.
        let low = low - (span - (high - low)) / 2.0;
        Self { low, span, columns }
    }

    /// Where a time stands, in columns with a part.
    fn place(&self, ns: u64) -> f64 {
        ((log(ns) - self.low) / self.span).clamp(0.0, 1.0) * f64::from(self.columns)
    }

    /// The column of a time.
    fn column(&self, ns: u64) -> u16 {
        floor(self.place(ns)).min(self.columns.saturating_sub(1))
    }

    /// The time at the left edge of a column.
    fn time(&self, column: u16) -> u64 {
        let share = f64::from(column) / f64::from(self.columns.max(1));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let ns = (self.low + share * self.span).exp() as u64;
        ns
    }
}

#[expect(clippy::cast_precision_loss, reason = "a place on the screen")]
fn log(ns: u64) -> f64 {
    (ns.max(1) as f64).ln()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn floor(place: f64) -> u16 {
    place as u16
}

/// How many items fall into each column. A bucket of the histogram that is wider than a column
/// is spread evenly over those that it covers.
fn spread(histogram: &Histogram<u64>, axis: &Axis) -> Vec<f64> {
    let mut counts = vec![0.0; usize::from(axis.columns)];
    for bucket in histogram.iter_recorded() {
        let value = bucket.value_iterated_to();
        #[expect(clippy::cast_precision_loss, reason = "a height on the screen")]
        let items = bucket.count_at_value() as f64;
        let from = axis.place(histogram.lowest_equivalent(value));
        let to = axis.place(histogram.highest_equivalent(value).saturating_add(1)).max(from);
        let first = floor(from).min(axis.columns.saturating_sub(1));
        let last = floor(to).clamp(first, axis.columns.saturating_sub(1));
        for column in first..=last {
            let left = from.max(f64::from(column));
            let right = to.min(f64::from(column) + 1.0);
            let part = if first == last { 1.0 } else { (right - left).max(0.0) / (to - from) };
            counts[usize::from(column)] += items * part;
        }
    }
    counts
}

/// The scale of counts.
#[derive(Debug, Clone, Copy)]
struct Scale {
    most: f64,
    log: bool,
}

impl Scale {
    /// The share of the height that a count has.
    fn share(self, count: f64) -> f64 {
        let share =
            if self.log { (1.0 + count).ln() / (1.0 + self.most).ln() } else { count / self.most };
        if share.is_finite() { share } else { 0.0 }
    }
}

fn draw_columns(
    buffer: &mut Buffer,
    plot: Rect,
    counts: &[f64],
    axis: &Axis,
    scale: Scale,
    quantiles: Quantiles,
    theme: &Theme,
) {
    let median = axis.column(quantiles.p50);
    let far = quantiles.p90.saturating_mul(OUTLIER);
    let [bars, middle, dots] = [Token::Name, Token::Number, Token::Warn].map(|t| theme.style(t));
    for (x, count) in (0..plot.width).zip(counts) {
        let share = scale.share(*count);
        if share <= 0.0 {
            continue;
        }
        let at = (plot.x + x, plot.bottom() - 1);
        if x > median && axis.time(x) > far {
            let height = floor(share * f64::from(plot.height)).min(plot.height - 1);
            set(buffer, (at.0, at.1 - height), theme.glyphs.hit, dots);
        } else {
            let style = if x == median { middle } else { bars };
            column(buffer, at, plot.height, share, style, theme);
        }
    }
}

fn set(buffer: &mut Buffer, at: (u16, u16), sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(at) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// The counts at the left: the highest, then powers of ten or the half.
fn draw_counts(buffer: &mut Buffer, area: Rect, scale: Scale, theme: &Theme) {
    let (label, line) = (theme.style(Token::Dim), theme.style(Token::Border));
    let right = area.right() - 1;
    for y in area.top()..area.bottom() {
        set(buffer, (right, y), theme.glyphs.vertical, line);
    }
    let words = Rect { height: 1, width: u16::try_from(WIDEST).unwrap_or(0), ..area };
    let mut put = |value: f64, y: u16| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        // One item that is spread over columns is still one.
        let text = count(value.round().max(1.0) as u64);
        text_right(buffer, Rect { y, ..words }, &text, label);
        set(buffer, (right, y), theme.glyphs.tee_left, line);
    };
    let marks: Vec<f64> = if scale.log {
        let powers = std::iter::successors(Some(1.0), |power| Some(power * 10.0));
        powers.take_while(|power| *power < scale.most / 2.0).collect()
    } else if scale.most >= 2.0 {
        vec![(scale.most / 2.0).round()]
    } else {
        Vec::new()
    };
    put(scale.most, area.y);
    let mut free = area.bottom();
    for value in marks {
        let up = floor(scale.share(value) * f64::from(area.height)).min(area.height - 1);
        let y = area.bottom() - 1 - up;
        if y > area.y && y < free {
            put(value, y);
            free = y;
        }
    }
}

/// The axis of time: p50 and max where they stand, the ends, and round times between.
fn draw_times(buffer: &mut Buffer, line: Rect, axis: &Axis, quantiles: Quantiles, theme: &Theme) {
    let rule = theme.style(Token::Border);
    set(buffer, (line.x, line.y), theme.glyphs.corners[2], rule);
    for x in line.x + 1..line.right() {
        set(buffer, (x, line.y), theme.glyphs.horizontal, rule);
    }
    let start = line.x + 1;
    let mut taken: Vec<(u16, u16)> = Vec::with_capacity(16);
    let mut put = |x: u16, words: &str, token: Token| {
        let width = u16::try_from(words.chars().count()).unwrap_or(u16::MAX);
        let x = x.min(line.right().saturating_sub(width)).max(start);
        let end = x.saturating_add(width);
        // A column of the line stays between two labels.
        let fits = end <= line.right() && taken.iter().all(|(a, b)| end < *a || x > *b);
        if fits {
            taken.push((x, end));
            text(buffer, Rect { x, width, ..line }, words, theme.style(token));
        }
        fits
    };
    let middle = start + axis.column(quantiles.p50);
    put(middle, &format!("{}{} p50", theme.glyphs.tee_up, time(quantiles.p50)), Token::Number);
    put(line.right(), &format!("{} max", time(quantiles.max)), Token::Text);
    put(start, &time(axis.time(0)), Token::Dim);
    for ns in round_times(axis) {
        put(start + axis.column(ns), &format!("{}{}", theme.glyphs.tee_up, time(ns)), Token::Dim);
    }
}

/// 1, 2 and 5 times the powers of ten within the axis.
fn round_times(axis: &Axis) -> impl Iterator<Item = u64> {
    let (low, high) = (axis.time(0), axis.time(axis.columns));
    let powers = (0..=19_u32).filter_map(|power| 10_u64.checked_pow(power));
    powers
        .flat_map(|power| [1, 2, 5].into_iter().filter_map(move |n: u64| power.checked_mul(n)))
        .filter(move |ns| *ns > low && *ns < high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: &[(u64, u64)]) -> Histogram<u64> {
        let mut histogram = Histogram::new(2).unwrap();
        for (value, count) in values {
            histogram.record_n(*value, *count).unwrap();
        }
        histogram
    }

    #[test]
    fn no_item_is_lost_on_the_axis() {
        let wide = histogram(&[(1, 3), (100, 50), (120_000, 900), (u64::MAX, 1)]);
        let narrow = histogram(&[(100_000, 10), (100_900, 20), (101_900, 5)]);
        for (histogram, total) in [(wide, 954.0), (narrow, 35.0), (histogram(&[(0, 7)]), 7.0)] {
            for columns in [1, 2, 30, 71, 191] {
                let axis = Axis::new(&histogram, columns);
                let sum: f64 = spread(&histogram, &axis).iter().sum();
                assert!((sum - total).abs() < 1e-6, "{sum} of {total} in {columns}");
            }
        }
    }

    #[test]
    fn times_stand_where_their_items_are() {
        let histogram = histogram(&[(1_000, 1), (10_000, 100), (100_000, 1)]);
        let axis = Axis::new(&histogram, 101);
        assert_eq!(axis.column(1_000), 0);
        assert!((49..=51).contains(&axis.column(10_000)), "{}", axis.column(10_000));
        assert!(axis.column(100_000) >= 99);
        assert!(axis.time(50).abs_diff(10_000) < 600, "{}", axis.time(50));
        let counts = spread(&histogram, &axis);
        assert!(counts[usize::from(axis.column(10_000))] > 20.0);
        let round: Vec<u64> = round_times(&axis).collect();
        assert_eq!(round, [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]);
    }

    #[test]
    fn both_scales_end_at_the_highest_count() {
        for log in [false, true] {
            let scale = Scale { most: 8_000.0, log };
            assert!((scale.share(8_000.0) - 1.0).abs() < 1e-9);
            assert!(scale.share(0.0).abs() < 1e-9 && scale.share(1.0) > 0.0);
        }
        assert!(Scale { most: 0.0, log: true }.share(0.0).abs() < 1e-9, "no number is nothing");
    }
}
