//! The stages: a row each.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::figures::{Figures, StageFigures};
use crate::asn1::text::visible;
use crate::metrics::{StageSnapshot, StageState, Trend};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::{Theme, Token};
use crate::views::widgets::chart::{bar, level, text, text_right};
use crate::views::widgets::scroll_bar;
use crate::views::widgets::units::{count, percent, rate, time};

/// Rows of the head.
pub const HEAD: u16 = 1;

/// Columns of the cursor and the mark.
const MARKS: u16 = 2;

/// Columns of a share in percent.
const PERCENT: u16 = 6;

/// What a cell of a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Items,
    Done,
    Rate,
    P50,
    P90,
    P99,
    Max,
    Wall,
}

impl Cell {
    const fn title(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Done => "done",
            Self::Rate => "items/s",
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P99 => "p99",
            Self::Max => "max",
            Self::Wall => "time",
        }
    }

    /// Its text; `None` when nothing was measured.
    fn text(self, stage: &StageSnapshot, figures: &StageFigures) -> Option<String> {
        let quantiles = figures.quantiles;
        match self {
            Self::Items => (stage.items > 0).then(|| count(stage.items)),
            Self::Done => (stage.done > 0).then(|| count(stage.done)),
            Self::Rate => quantiles.map(|_| rate(figures.rate)),
            Self::P50 => quantiles.map(|q| time(q.p50)),
            Self::P90 => quantiles.map(|q| time(q.p90)),
            Self::P99 => quantiles.map(|q| time(q.p99)),
            Self::Max => quantiles.map(|q| time(q.max)),
            Self::Wall => {
                let ns = u64::try_from(stage.wall.as_nanos()).unwrap_or(u64::MAX);
                (ns > 0).then(|| time(ns))
            }
        }
    }
}

/// Columns of the rate beyond those of other cells: its title is the longest.
const RATE: u16 = 1;

/// The columns of a table of some width.
struct Columns {
    name: u16,
    cell: u16,
    cells: &'static [Cell],
    bar: u16,
    trend: u16,
}

impl Columns {
    fn of(width: u16) -> Self {
        use Cell::{Done, Items, Max, P50, P90, P99, Rate, Wall};
        const FEW: &[Cell] = &[Items, Rate, P50, P99, Max];
        const USUAL: &[Cell] = &[Items, Rate, P50, P90, P99, Max];
        const ALL: &[Cell] = &[Items, Done, Rate, P50, P90, P99, Max, Wall];
        let (name, cell, cells) = match width {
            0..80 => (15, 7, FEW),
            80..100 => (15, 7, USUAL),
            100..140 => (16, 9, USUAL),
            _ => (18, 10, ALL),
        };
        let cells_width = cell * u16::try_from(cells.len()).unwrap_or(0) + RATE;
        let fixed = MARKS + name + cells_width + PERCENT;
        // Spaces before the bar and before the trend, and one at the right end.
        let free = width.saturating_sub(fixed + 3);
        let (bar, trend) = match free {
            0..10 => (0, 0),
            10..30 => (free * 2 / 5, free - free * 2 / 5),
            _ => (free / 3, free - free / 3),
        };
        Self { name, cell, cells, bar, trend }
    }

    fn width(&self, cell: Cell) -> u16 {
        self.cell + if cell == Cell::Rate { RATE } else { 0 }
    }
}

/// What the rows need besides the figures.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// The chosen stage.
    pub chosen: usize,
    /// The first stage on the screen.
    pub top: usize,
    /// How often the mark of the running stage has moved; `None` when all work has ended.
    pub step: Option<usize>,
}

/// Draws the head and the stages from `rows.top` on.
pub fn draw(frame: &mut Frame<'_>, area: Rect, figures: &Figures, rows: Rows, look: &Look<'_>) {
    if area.height == 0 || area.width < MARKS {
        return;
    }
    let columns = Columns::of(area.width);
    let buffer = frame.buffer_mut();
    draw_head(buffer, Rect { height: 1, ..area }, figures, &columns, look.theme);
    let lines = area.top() + HEAD..area.bottom();
    let stages = figures.snapshot.stages.iter().zip(&figures.stages).enumerate();
    for ((index, (stage, own)), y) in stages.skip(rows.top).zip(lines) {
        let line = Rect { y, height: 1, ..area };
        draw_row(buffer, line, stage, own, &columns, rows.step, look.theme);
        if index == rows.chosen {
            let style = look.theme.style(Token::Selection);
            buffer.set_style(line, style);
            buffer.set_string(line.x, y, look.theme.glyphs.cursor, style);
        }
    }
    let body = Rect { y: area.y + HEAD, height: area.height - HEAD, ..area };
    let scroll = Rect { x: area.right() - 1, width: 1, ..body };
    scroll_bar(frame, scroll, figures.stages.len() as u64, rows.top as u64, look);
}

fn draw_head(buffer: &mut Buffer, line: Rect, figures: &Figures, columns: &Columns, theme: &Theme) {
    let style = theme.style(Token::Dim);
    let title = match figures.window {
        Some(window) => format!("last {} s", window.as_secs()),
        None => "stage".to_owned(),
    };
    let mut pen = Pen::new(line);
    pen.skip(MARKS);
    text(buffer, pen.take(columns.name), &title, style);
    for cell in columns.cells {
        text_right(buffer, pen.take(columns.width(*cell)), cell.title(), style);
    }
    pen.skip(1);
    let share = pen.take(columns.bar + PERCENT);
    if columns.bar > 0 {
        text(buffer, share, "share", style);
        pen.skip(1);
        let title = trend_title(figures);
        let room = pen.take(columns.trend);
        let fits = usize::from(room.width) >= title.len();
        text_right(buffer, room, if fits { &title } else { "trend" }, style);
    } else {
        text_right(buffer, share, "share", style);
    }
}

/// How much time the trends cover.
fn trend_title(figures: &Figures) -> String {
    let covered = figures.snapshot.stages.iter().map(|stage| covered(&stage.trend)).max();
    format!("trend {} s", covered.unwrap_or(0))
}

/// Seconds that a trend covers.
#[must_use]
pub fn covered(trend: &Trend) -> u64 {
    let points = u128::try_from(trend.points.len()).unwrap_or(0);
    let seconds = trend.step.as_millis().saturating_mul(points) / 1000;
    u64::try_from(seconds).unwrap_or(u64::MAX)
}

fn draw_row(
    buffer: &mut Buffer,
    line: Rect,
    stage: &StageSnapshot,
    figures: &StageFigures,
    columns: &Columns,
    step: Option<usize>,
    theme: &Theme,
) {
    let bad = theme.style(Token::Bad);
    let mut pen = Pen::new(line);
    pen.skip(1);
    let (mark, style) = mark(stage, step, theme);
    text(buffer, pen.take(1), mark, style);
    let nothing = figures.quantiles.is_none();
    let plain = theme.style(if nothing { Token::Dim } else { Token::Text });
    let name = match stage.state {
        StageState::Failed(_) => bad,
        StageState::Running => theme.style(Token::Title),
        _ => plain,
    };
    text(buffer, pen.take(columns.name), stage.info.name, name);
    if let StageState::Failed(why) = &stage.state {
        pen.skip(1);
        let rest = pen.take(u16::MAX);
        let why = format!("failed: {}", visible(why));
        text(buffer, rest, &ellipsis(&why, usize::from(rest.width), theme), bad);
        return;
    }
    for cell in columns.cells {
        let area = pen.take(columns.width(*cell));
        match cell.text(stage, figures) {
            Some(words) => text_right(buffer, area, &words, plain),
            None => text_right(buffer, area, "…", theme.style(Token::Dim)),
        }
    }
    pen.skip(1);
    if columns.bar > 0 {
        bar(buffer, pen.take(columns.bar), figures.share, theme.style(Token::Number), theme);
    }
    let share = if nothing { String::new() } else { percent(figures.share) };
    text_right(buffer, pen.take(PERCENT), &share, plain);
    if columns.trend > 0 {
        pen.skip(1);
        draw_trend(buffer, pen.take(columns.trend), &stage.trend, theme);
    }
}

/// The moving mark of the running stage; a sign for failures.
fn mark(stage: &StageSnapshot, step: Option<usize>, theme: &Theme) -> (&'static str, Style) {
    let glyphs = theme.glyphs;
    match (&stage.state, step) {
        (StageState::Failed(_), _) => (glyphs.bad, theme.style(Token::Bad)),
        _ if stage.errors > 0 => (glyphs.bad, theme.style(Token::Bad)),
        (StageState::Running, Some(step)) => {
            (glyphs.busy[step % glyphs.busy.len()], theme.style(Token::Title))
        }
        _ => (" ", Style::new()),
    }
}

/// Draws a trend in one line, its highest point full.
fn draw_trend(buffer: &mut Buffer, area: Rect, trend: &Trend, theme: &Theme) {
    let most = trend.points.iter().flatten().copied().fold(0.0_f32, f32::max);
    let style = theme.style(Token::Name);
    for column in 0..area.width {
        let value = trend_at(trend, column, area.width);
        let sign = level(f64::from(value.unwrap_or(0.0)) / f64::from(most), theme);
        if let Some(cell) = buffer.cell_mut((area.x + column, area.y)) {
            cell.set_symbol(sign).set_style(style);
        }
    }
}

/// The mean of the points that fall into a column, when the whole trend has `width` columns. A
/// shorter trend stands at the right end, one point a column.
#[must_use]
pub fn trend_at(trend: &Trend, column: u16, width: u16) -> Option<f32> {
    let (column, width, count) = (usize::from(column), usize::from(width), trend.points.len());
    if width == 0 {
        return None;
    }
    let points = if count <= width {
        let index = column.checked_sub(width - count)?;
        trend.points.get(index..=index)?
    } else {
        trend.points.get(column * count / width..(column + 1) * count / width)?
    };
    let there = points.iter().flatten().filter(|value| value.is_finite());
    let (sum, number) =
        there.fold((0.0, 0.0_f32), |(sum, number), value| (sum + value, number + 1.0));
    (number > 0.0).then(|| sum / number)
}

/// Hands out the columns of a line from the left.
struct Pen {
    line: Rect,
}

impl Pen {
    const fn new(line: Rect) -> Self {
        Self { line }
    }

    /// The next `width` columns, or as many as are left.
    fn take(&mut self, width: u16) -> Rect {
        let width = width.min(self.line.width);
        let taken = Rect { width, ..self.line };
        self.line.x += width;
        self.line.width -= width;
        taken
    }

    fn skip(&mut self, width: u16) {
        self.take(width);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_columns_fit_in_every_width() {
        for width in 60..300 {
            let c = Columns::of(width);
            let cells: u16 = c.cells.iter().map(|cell| c.width(*cell)).sum();
            let used = MARKS + c.name + cells + 1 + c.bar + PERCENT + 1 + c.trend;
            let least = if c.bar > 0 { used } else { used - 1 };
            assert!(least <= width, "{width}: {least}");
            assert!(c.bar == 0 || (c.bar >= 4 && c.trend >= 5), "{width}");
        }
        assert!(Columns::of(80).trend > 0 && Columns::of(60).trend == 0);
    }

    #[test]
    fn a_trend_keeps_its_level_in_any_width() {
        let mut trend = Trend { step: Duration::from_millis(100), points: vec![Some(7.0); 120] };
        for width in [1, 7, 10, 119, 120, 121, 200] {
            let drawn: Vec<_> = (0..width).map(|column| trend_at(&trend, column, width)).collect();
            let there = drawn.iter().flatten().count();
            assert_eq!(there, usize::from(width).min(120), "{width}");
            assert!(drawn.iter().flatten().all(|value| (value - 7.0).abs() < 1e-6));
        }
        assert_eq!(covered(&trend), 12);
        trend.points = vec![None, Some(f32::NAN), Some(1.0)];
        assert_eq!(trend_at(&trend, 0, 1), Some(1.0));
        assert_eq!((trend_at(&trend, 0, 9), trend_at(&trend, 8, 9)), (None, Some(1.0)));
        trend.step = Duration::MAX;
        assert_eq!(covered(&trend), u64::MAX, "it does not overflow");
        assert_eq!((trend_at(&trend, 0, 0), trend_at(&Trend::default(), 0, 9)), (None, None));
    }
}
