//! Where the parts of the panel stand.

use ratatui::layout::Rect;

/// From this width on, what is compared with has a pane of its own beside the histogram.
pub const MIDDLE: u16 = 100;

/// From this width on, all of the status fits in one line.
const WIDE: u16 = 150;

/// The least rows of the histogram, its title and axis counted in.
const LEAST: u16 = 4;

/// From this height on, the lower part has a trend under the histogram.
const TALL: u16 = 24;

/// The places; what is not shown has no area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Areas {
    /// The stages, with their head.
    pub table: Rect,
    /// Workers, parts, store, what limits.
    pub status: Rect,
    /// The histogram, with its title.
    pub histogram: Rect,
    /// The trend of the chosen stage, with its title.
    pub trend: Rect,
    /// What is compared with, with its title.
    pub beside: Rect,
}

/// The places on `area` for so many stages; `compared` says that there is something to show
/// beside, `aside` that a narrow window shows it in the place of the histogram.
#[must_use]
pub fn areas(area: Rect, stages: usize, compared: bool, aside: bool) -> Areas {
    let rows = u16::try_from(stages).unwrap_or(u16::MAX).saturating_add(1);
    let status = if area.width >= WIDE || area.height < 18 { 1 } else { 2 };
    let status = status.min(area.height);
    let free = area.height - status;
    let lower = free.saturating_sub(rows);
    // A histogram without room is left out; the stages scroll then.
    let lower = if lower < LEAST { 0 } else { lower };
    let (table, rest) = split_top(area, free - lower);
    let (status, lower) = split_top(rest, status);
    if !compared {
        let (histogram, trend) = with_trend(lower);
        return Areas { table, status, histogram, trend, beside: Rect::default() };
    }
    if area.width < MIDDLE {
        let (histogram, trend) = with_trend(lower);
        let none = Rect::default();
        return if aside {
            Areas { table, status, histogram: none, trend, beside: histogram }
        } else {
            Areas { table, status, histogram, trend, beside: none }
        };
    }
    let (left, beside) = split_left(lower, lower.width - (lower.width / 3).clamp(30, 52));
    let (histogram, trend) = with_trend(left);
    Areas { table, status, histogram, trend, beside }
}

fn with_trend(area: Rect) -> (Rect, Rect) {
    if area.height < TALL { (area, Rect::default()) } else { split_top(area, area.height * 3 / 5) }
}

/// The first `height` rows and the rest.
fn split_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

fn split_left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    (Rect { width, ..area }, Rect { x: area.x + width, width: area.width - width, ..area })
}

/// The area under the title line of a pane.
#[must_use]
pub fn inside(pane: Rect) -> Rect {
    split_top(pane, 1).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_places_fill_every_window_without_overlap() {
        for width in 60..260 {
            for height in 14..80 {
                for (compared, aside) in [(false, false), (true, false), (true, true)] {
                    let area = Rect::new(0, 1, width, height);
                    let a = areas(area, 15, compared, aside);
                    let all = [a.table, a.status, a.histogram, a.trend, a.beside];
                    let sum: u32 = all.iter().map(|place| place.area()).sum();
                    assert_eq!(sum, area.area(), "{width}x{height} {a:?}");
                    assert!(a.table.height >= 13 && a.status.height >= 1);
                    let lower = [a.histogram, a.beside].map(|place| place.height);
                    assert!(lower.iter().all(|height| *height == 0 || *height >= LEAST));
                }
            }
        }
    }

    #[test]
    fn all_stages_and_a_histogram_fit_in_80_by_24() {
        let a = areas(Rect::new(0, 1, 80, 22), 15, true, false);
        assert_eq!((a.table.height, a.status.height, a.histogram.height), (16, 2, 4));
        assert_eq!(a.beside.height, 0);
        let a = areas(Rect::new(0, 1, 80, 22), 15, true, true);
        assert_eq!((a.histogram.height, a.beside.height), (0, 4));
    }

    #[test]
    fn odd_windows_do_no_harm() {
        for (width, height) in [(0, 0), (1, 1), (5, 2), (40, 3)] {
            for stages in [0, 1, 15, usize::MAX] {
                let a = areas(Rect::new(0, 0, width, height), stages, true, false);
                assert!(a.table.area() <= u32::from(width) * u32::from(height));
            }
        }
    }
}
