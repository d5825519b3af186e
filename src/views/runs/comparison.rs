//! Two runs side by side: what they are, and a line a stage with ratio, interval and verdict.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::sources::Pair;
use super::words;
use crate::asn1::text::visible;
use crate::metrics::compare::{Side, StageComparison, Verdict};
use crate::metrics::figures::{duration, ratio};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::scroll_bar;

/// Rows above the stages: A, B, differences, a gap, the names of the columns.
const ABOVE: u16 = 5;

/// Rows below them: what is said of the chosen one.
const BELOW: u16 = 1;

/// Columns of the name of a stage.
const NAME: usize = 16;

/// The longest bar.
const BAR: usize = 10;

/// A bar of this factor is full when no stage changed more.
const LEAST_SCALE: f64 = 2.0;

/// Rows of stages in an area.
pub fn height(area: Rect, _pair: &Pair) -> u64 {
    u64::from(area.height.saturating_sub(ABOVE + BELOW))
}

/// The row of stages at a row of the window.
pub fn line_at(area: Rect, pair: &Pair, row: u16) -> Option<u16> {
    let line = row.checked_sub(area.y + ABOVE)?;
    (u64::from(line) < height(area, pair)).then_some(line)
}

/// Draws the stages from `top` on; `chosen` has the cursor.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    pair: &Pair,
    top: u64,
    chosen: Option<u64>,
    look: &Look<'_>,
) {
    let theme = look.theme;
    let mut rows = area.rows();
    let room = usize::from(area.width);
    for (letter, run) in [("A", &pair.a.run), ("B", &pair.b.run)] {
        let text = ellipsis(&words::line(run), room.saturating_sub(5), theme);
        let line = Line::from(vec![
            Span::styled(format!(" {letter} "), theme.style(Token::TitleFocus)),
            Span::styled(format!(" {text}"), theme.style(Token::Text)),
        ]);
        put(frame, rows.next(), line);
    }
    let differences = format!("   {}", differences(pair));
    put(frame, rows.next(), styled(&differences, Token::Dim, room, look));
    put(frame, rows.nth(1), head(look));
    let stages = &pair.comparison.stages;
    let scale = scale(stages);
    let top_index = usize::try_from(top).unwrap_or(usize::MAX);
    let shown = stages.iter().enumerate().skip(top_index);
    let last = area.bottom().saturating_sub(BELOW);
    for ((index, stage), row) in shown.zip(rows.filter(|row| row.y < last)) {
        put(frame, Some(row), stage_line(stage, scale, room, look));
        if chosen == Some(index as u64) {
            let line = Rect { width: area.width.saturating_sub(1), ..row };
            let style = theme.style(Token::Selection);
            frame.buffer_mut().set_style(line, style);
            frame.buffer_mut().set_string(line.x, line.y, theme.glyphs.cursor, style);
        }
    }
    if area.height > ABOVE + BELOW {
        let bar = Rect {
            x: area.right().saturating_sub(1),
            y: area.y + ABOVE,
            width: 1,
            height: area.height - ABOVE - BELOW,
        };
        scroll_bar(frame, bar, stages.len() as u64, top, look);
        let said = chosen.and_then(|row| stages.get(usize::try_from(row).ok()?));
        let said = said.map_or_else(|| words::verdict(pair), words::sentence);
        let foot = Rect { y: last, height: 1, ..area };
        put(frame, Some(foot), styled(&format!(" {said}"), Token::Text, room, look));
    }
}

fn put(frame: &mut Frame<'_>, row: Option<Rect>, line: Line<'_>) {
    if let Some(row) = row {
        frame.render_widget(line, row);
    }
}

fn styled(text: &str, token: Token, room: usize, look: &Look<'_>) -> Line<'static> {
    Line::styled(ellipsis(text, room, look.theme), look.theme.style(token))
}

/// What the runs differ in, with the values where there is room for them.
fn differences(pair: &Pair) -> String {
    let differences = &pair.comparison.differences;
    if differences.is_empty() {
        return "same machine, same settings".to_owned();
    }
    // The lines of A and B show these.
    let shown = ["algorithm", "backend", "batch", "threads", "min_time_s", "seed"];
    let more: Vec<String> = differences
        .iter()
        .filter(|difference| !shown.contains(&difference.what.as_str()))
        .map(|difference| format!("{}: {}, {}", difference.what, difference.a, difference.b))
        .collect();
    if more.is_empty() {
        return "same machine".to_owned();
    }
    visible(&format!("differ in {}", more.join("; "))).into_owned()
}

fn head(look: &Look<'_>) -> Line<'static> {
    let text = format!(
        " {:<NAME$}{:>8}  {:>8}  {:>7}  {:^15}  verdict",
        "stage", "A", "B", "B/A", "95 % interval"
    );
    Line::styled(text, look.theme.style(Token::Dim))
}

fn stage_line(stage: &StageComparison, scale: f64, room: usize, look: &Look<'_>) -> Line<'static> {
    let theme = look.theme;
    let time = |side: Option<Side>| side.map_or_else(dash, |side| duration(side.mean_ns));
    let value = stage.ratio.map_or_else(dash, |value| format!("{}x", ratio(value)));
    let interval = stage.interval.map_or_else(dash, |interval| {
        let glyph = theme.glyphs.ellipsis;
        format!("{} {glyph} {}", ratio(interval.low), ratio(interval.high))
    });
    let token = match stage.verdict {
        Verdict::Better => Token::Good,
        Verdict::Worse => Token::Bad,
        Verdict::Same | Verdict::NotComparable => Token::Dim,
    };
    let name = ellipsis(&visible(&stage.name), NAME - 1, theme);
    let figures = format!(" {name:<NAME$}{:>8}  {:>8}  ", time(stage.a), time(stage.b));
    let after = format!("  {interval:^15}  ");
    let used = figures.chars().count() + 7 + after.chars().count();
    let words = match &stage.reason {
        Some(reason) => format!("{}: {}", stage.verdict.words(), visible(reason)),
        None => stage.verdict.words().to_owned(),
    };
    let left = room.saturating_sub(used + 1);
    let bar = bar(stage, scale, left.saturating_sub(words.chars().count() + 1).min(BAR));
    let bar = theme.glyphs.scroll[0].repeat(bar);
    let verdict = if bar.is_empty() { words } else { format!("{bar} {words}") };
    Line::from(vec![
        Span::styled(figures, theme.style(Token::Text)),
        Span::styled(format!("{value:>7}"), theme.style(Token::Number)),
        Span::styled(after, theme.style(Token::Dim)),
        Span::styled(ellipsis(&verdict, left, theme), theme.style(token)),
    ])
}

fn dash() -> String {
    "-".to_owned()
}

/// The largest change among the stages that have a verdict, as a logarithm.
fn scale(stages: &[StageComparison]) -> f64 {
    stages.iter().map(size).fold(LEAST_SCALE.ln(), f64::max)
}

/// How far a stage is from 1, as a logarithm; 0 when that means nothing.
fn size(stage: &StageComparison) -> f64 {
    match (stage.verdict, stage.ratio) {
        (Verdict::Better | Verdict::Worse, Some(ratio)) => ratio.ln().abs(),
        _ => 0.0,
    }
}

/// The length of a bar of `most` columns; at least one for what has a verdict.
fn bar(stage: &StageComparison, scale: f64, most: usize) -> usize {
    let size = size(stage);
    if size == 0.0 {
        return 0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a few columns"
    )]
    let length = (size / scale * most as f64).round() as usize;
    length.clamp(1.min(most), most)
}
