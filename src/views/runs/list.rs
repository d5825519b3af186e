//! The list of runs.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use super::words::when;
use crate::asn1::text::visible;
use crate::metrics::Run;
use crate::pki::runs::{State, Stored};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::{grouped, scroll_bar};

/// Columns of each cell with the gap behind it: marks, run, begin, algorithm, backend, batch,
/// repetitions; the rest is for the machine.
const WIDTHS: [u16; 7] = [4, 6, 17, 13, 12, 7, 7];

/// Their names.
const NAMES: [&str; 8] = ["", "run", "begun", "algorithm", "backend", "batch", "times", "machine"];

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All runs.
    pub entries: &'a [Stored],
    /// The chosen one.
    pub row: u64,
    /// The first that is shown.
    pub top: u64,
    /// Whether the pane has the focus.
    pub focused: bool,
    /// Why stored runs are missing.
    pub fault: Option<&'a str>,
}

/// Rows of runs in an area.
pub fn height(area: Rect) -> u64 {
    u64::from(area.height.saturating_sub(1))
}

/// The row of runs at a row of the window.
pub fn line_at(area: Rect, row: u16) -> Option<u16> {
    row.checked_sub(area.y + 1)
}

/// Draws the runs from the top one on, a line each, under a line of names.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    rows: &Rows<'_>,
    marks: impl Fn(&Run) -> [bool; 2],
    look: &Look<'_>,
) {
    if area.height == 0 || area.width < 20 {
        return;
    }
    let theme = look.theme;
    if let Some(fault) = rows.fault {
        let text = format!(" {} {}", theme.glyphs.bad, visible(fault));
        let text = ellipsis(&text, usize::from(area.width), theme);
        frame.buffer_mut().set_string(area.x, area.y, text, theme.style(Token::Bad));
    } else {
        let dim = theme.style(Token::Dim);
        let names = NAMES.map(|name| (name.to_owned(), dim));
        draw_cells(frame, Rect { height: 1, ..area }, names, look);
    }
    let top = usize::try_from(rows.top).unwrap_or(usize::MAX);
    let shown = rows.entries.iter().enumerate().skip(top).zip(area.top() + 1..area.bottom());
    for ((index, stored), y) in shown {
        let line = Rect { y, height: 1, width: area.width - 1, ..area };
        draw_cells(frame, line, cells(stored, marks(&stored.run), look), look);
        if index as u64 == rows.row {
            let token = if rows.focused { Token::Selection } else { Token::SelectionDim };
            let buffer = frame.buffer_mut();
            buffer.set_style(line, theme.style(token));
            buffer.set_string(line.x, y, theme.glyphs.cursor, theme.style(token));
        }
    }
    let bar = Rect { x: area.right() - 1, y: area.y + 1, width: 1, height: area.height - 1 };
    scroll_bar(frame, bar, rows.entries.len() as u64, rows.top, look);
}

fn cells(stored: &Stored, marks: [bool; 2], look: &Look<'_>) -> [(String, Style); 8] {
    let Stored { run, state } = stored;
    let style = |token| look.theme.style(token);
    let mark = match marks {
        [true, true] => " AB",
        [true, false] => " A",
        [false, true] => " B",
        [false, false] => "",
    };
    let (id, machine, token) = match state {
        State::Finished => (format!("#{}", run.id), run.machine.cpu.as_str(), Token::Dim),
        State::Running => (format!("#{}", run.id), "running", Token::Good),
        State::Interrupted => (format!("#{}", run.id), "interrupted", Token::Warn),
        State::Broken => (format!("#{}", run.id), "broken", Token::Bad),
        State::Published => {
            let cpu = run.machine.cpu.split(" (").next().unwrap_or_default();
            ("ref".to_owned(), cpu, Token::Dim)
        }
    };
    let text = |text: &str| visible(text).into_owned();
    [
        (mark.to_owned(), style(Token::TitleFocus)),
        (id, style(Token::Name)),
        (when(run), style(Token::Time)),
        (text(&run.algorithm), style(Token::Text)),
        (text(&run.backend), style(Token::Text)),
        (grouped(run.batch), style(Token::Number)),
        (grouped(run.repetitions.into()), style(Token::Number)),
        (text(machine), style(token)),
    ]
}

fn draw_cells(frame: &mut Frame<'_>, line: Rect, cells: [(String, Style); 8], look: &Look<'_>) {
    let mut x = line.x;
    for (column, (text, style)) in cells.into_iter().enumerate() {
        let left = line.right().saturating_sub(x);
        let width = WIDTHS.get(column).copied().unwrap_or(left).min(left);
        // A gap of one at least, but at the end of the line.
        let room = if column < WIDTHS.len() { width.saturating_sub(1) } else { width };
        let text = ellipsis(&text, room.into(), look.theme);
        let free = room.saturating_sub(u16::try_from(text.width()).unwrap_or(room));
        // Batch and repetitions are numbers: their last digits line up.
        let indent = if matches!(column, 5 | 6) { free } else { 0 };
        frame.buffer_mut().set_string(x + indent, line.y, text, style);
        x += width;
    }
}
