//! Screens as text with their styles, for snapshots.

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Color;

/// What `draw` draws on a window of columns and rows: the text between bars, then for each row
/// the columns that have a style.
///
/// # Panics
/// Drawing on memory fails, which it does not.
pub fn screen((columns, rows): (u16, u16), draw: impl FnOnce(&mut ratatui::Frame<'_>)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(draw).unwrap();
    let buffer = terminal.backend().buffer();
    let mut out = String::new();
    for y in 0..rows {
        let text: String = (0..columns).map(|x| buffer[(x, y)].symbol()).collect();
        writeln!(out, "|{text}|").unwrap();
    }
    for y in 0..rows {
        let runs = runs(buffer, y);
        if !runs.is_empty() {
            writeln!(out, "{y}: {}", runs.join("; ")).unwrap();
        }
    }
    out
}

/// The styled runs of a row, as `1-9 Blue BOLD`.
fn runs(buffer: &Buffer, y: u16) -> Vec<String> {
    let columns = buffer.area.width;
    let mut out = Vec::new();
    let mut start = 0;
    for x in 1..=columns {
        let here = style(&buffer[(start, y)]);
        if x == columns || style(&buffer[(x, y)]) != here {
            if !here.is_empty() {
                out.push(format!("{start}-{} {here}", x - 1));
            }
            start = x;
        }
    }
    out
}

fn style(cell: &Cell) -> String {
    let mut parts = Vec::new();
    if cell.fg != Color::Reset {
        parts.push(cell.fg.to_string());
    }
    if cell.bg != Color::Reset {
        parts.push(format!("on {}", cell.bg));
    }
    if !cell.modifier.is_empty() {
        parts.push(format!("{:?}", cell.modifier));
    }
    parts.join(" ")
}
