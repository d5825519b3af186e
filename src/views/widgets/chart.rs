//! Bars in cells and parts of cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::views::theme::Theme;

/// The filling of a cell for a share of it from 0 to 1: nothing for nothing, but at least the
/// smallest filling for more.
fn filling(share: f64, fillings: &'static [&'static str]) -> Option<&'static str> {
    let steps = u32::try_from(fillings.len()).ok()?;
    // A filling stands for the shares up to its own.
    let wanted = (share.clamp(0.0, 1.0) * f64::from(steps)).ceil();
    (1..=steps).find(|step| f64::from(*step) >= wanted && wanted > 0.0).and_then(|step| {
        let index = usize::try_from(step).ok()?;
        fillings.get(index - 1).copied()
    })
}

/// The sign for a share of 1 in a line of signs; a space for nothing.
#[must_use]
pub fn level(share: f64, theme: &Theme) -> &'static str {
    filling(share, theme.glyphs.levels).unwrap_or(" ")
}

/// Fills the cells of `area` from the left: its whole width for a share of 1.
pub fn bar(buffer: &mut Buffer, area: Rect, share: f64, style: Style, theme: &Theme) {
    let filled = share.clamp(0.0, 1.0) * f64::from(area.width);
    for column in 0..area.width {
        let Some(sign) = filling(filled - f64::from(column), theme.glyphs.fillings) else { return };
        put(buffer, area.x + column, area.y, sign, style);
    }
}

/// Fills one column of cells from below: the whole `height` up from `bottom` for a share of 1.
pub fn column(
    buffer: &mut Buffer,
    (x, bottom): (u16, u16),
    height: u16,
    share: f64,
    style: Style,
    theme: &Theme,
) {
    let filled = share.clamp(0.0, 1.0) * f64::from(height);
    for row in 0..height {
        let Some(sign) = filling(filled - f64::from(row), theme.glyphs.levels) else { return };
        put(buffer, x, bottom.saturating_sub(row), sign, style);
    }
}

fn put(buffer: &mut Buffer, x: u16, y: u16, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut((x, y)) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// Writes `text` at the left end of `area`, as much as fits; returns the column behind it.
pub fn text(buffer: &mut Buffer, area: Rect, text: &str, style: Style) -> u16 {
    if area.width == 0 || area.height == 0 {
        return area.x;
    }
    buffer.set_stringn(area.x, area.y, text, area.width.into(), style).0
}

/// Writes `text` so that it ends at the right end of `area`; what does not fit is left out.
pub fn text_right(buffer: &mut Buffer, area: Rect, text_: &str, style: Style) {
    let width = u16::try_from(text_.width()).unwrap_or(u16::MAX).min(area.width);
    text(buffer, Rect { x: area.right() - width, width, ..area }, text_, style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::theme::Palette;

    fn drawn(draw: impl FnOnce(&mut Buffer, Rect)) -> Vec<String> {
        let area = Rect::new(0, 0, 4, 2);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area);
        (0..2).map(|y| (0..4).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn what_is_there_is_seen() {
        let theme = Theme::new(Palette::Mono, false);
        let levels = [0.0, 1e-9, 0.125, 0.126, 0.99, 1.0, 7.0, f64::NAN, -1.0];
        let signs = levels.map(|share| level(share, &theme));
        assert_eq!(signs, [" ", "▁", "▁", "▂", "█", "█", "█", " ", " "]);
        let ascii = Theme::new(Palette::Mono, true);
        assert_eq!([0.0, 0.1, 0.5, 1.0].map(|share| level(share, &ascii)), [" ", ".", ":", "#"]);
    }

    #[test]
    fn bars_fill_cells_in_parts() {
        let theme = Theme::new(Palette::Mono, false);
        let row = |share| {
            drawn(|buffer, area| bar(buffer, area, share, Style::new(), &theme)).swap_remove(0)
        };
        assert_eq!(
            [0.0, 0.01, 0.5, 0.6, 1.0, 2.0].map(row).join("|"),
            "    |▏   |██  |██▌ |████|████"
        );
        let up = drawn(|buffer, _| column(buffer, (1, 1), 2, 0.75, Style::new(), &theme));
        assert_eq!(up, [" ▄  ", " █  "]);
        let outside = drawn(|buffer, _| column(buffer, (9, 0), 5, 1.0, Style::new(), &theme));
        assert_eq!(outside, ["    ", "    "]);
    }

    #[test]
    fn text_stays_in_its_area() {
        let rows = drawn(|buffer, area| {
            assert_eq!(text(buffer, area, "abcdef", Style::new()), 4);
            text_right(buffer, Rect { y: 1, height: 1, ..area }, "xy", Style::new());
            text_right(buffer, Rect { width: 0, ..area }, "xy", Style::new());
        });
        assert_eq!(rows, ["abcd", "  xy"]);
    }
}
