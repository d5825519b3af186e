//! Widgets that screens share.

pub mod chart;
pub mod units;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::bars::ellipsis;
use super::event::Look;
use super::theme::Token;

pub use crate::asn1::show::grouped;

/// A span of time in at most two units: `8 y 195 d`, `43 d`, `5 h 3 min`, `12 s`.
#[must_use]
pub fn distance(seconds: i64) -> String {
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    const YEAR: i64 = 365 * DAY;
    match seconds {
        YEAR.. => {
            format!("{} y {} d", grouped((seconds / YEAR).unsigned_abs()), seconds % YEAR / DAY)
        }
        DAY.. => format!("{} d", seconds / DAY),
        HOUR.. => format!("{} h {} min", seconds / HOUR, seconds % HOUR / MINUTE),
        MINUTE.. => format!("{} min", seconds / MINUTE),
        _ => format!("{} s", seconds.max(0)),
    }
}

/// Draws the title line of a pane: a line with the title in it, bright with the focus, and a
/// remark at its right end.
pub fn pane_title(
    frame: &mut Frame<'_>,
    pane: Rect,
    title: &str,
    remark: &str,
    focused: bool,
    look: &Look<'_>,
) {
    if pane.height == 0 || pane.width < 4 {
        return;
    }
    let theme = look.theme;
    let (line, name) = if focused {
        (theme.style(Token::BorderFocus), theme.style(Token::TitleFocus))
    } else {
        (theme.style(Token::Border), theme.style(Token::Title))
    };
    let buffer = frame.buffer_mut();
    let rule = theme.glyphs.horizontal.repeat(pane.width.into());
    buffer.set_stringn(pane.x, pane.y, rule, pane.width.into(), line);
    let title = format!(" {} ", ellipsis(title, usize::from(pane.width - 4), theme));
    let (after, _) = buffer.set_stringn(pane.x + 1, pane.y, title, pane.width.into(), name);
    let width = u16::try_from(unicode_width::UnicodeWidthStr::width(remark)).unwrap_or(u16::MAX);
    if width > 0 && after + width.saturating_add(4) <= pane.right() {
        let x = pane.right() - width - 3;
        buffer.set_string(x, pane.y, format!(" {remark} "), theme.style(Token::Dim));
    }
}

/// Draws a vertical line at the left edge of `area`.
pub fn divider(frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
    let style = look.theme.style(Token::Border);
    for y in area.top()..area.bottom() {
        frame.buffer_mut().set_string(area.x, y, look.theme.glyphs.vertical, style);
    }
}

/// Draws a scroll bar of one column: `total` rows of which those from `top` on are shown.
/// Nothing when all fit.
pub fn scroll_bar(frame: &mut Frame<'_>, area: Rect, total: u64, top: u64, look: &Look<'_>) {
    let height = u64::from(area.height);
    if total <= height || height == 0 {
        return;
    }
    let [thumb, track] = look.theme.glyphs.scroll;
    let (start, end) = thumb_of(total, top, height);
    for line in 0..area.height {
        let on = (start..end).contains(&u64::from(line));
        let (sign, token) = if on { (thumb, Token::Dim) } else { (track, Token::Border) };
        frame.buffer_mut().set_string(area.x, area.y + line, sign, look.theme.style(token));
    }
}

/// The lines of the thumb; at least one, and the last line only at the end.
fn thumb_of(total: u64, top: u64, height: u64) -> (u64, u64) {
    // Rows are at most 2^32, lines at most 2^16: products fit.
    let size = (height * height / total).max(1);
    let free = height - size;
    let hidden = total - height;
    let start = (top.min(hidden) * free).div_ceil(hidden).min(free);
    (start, start + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_two_units_at_most() {
        assert_eq!(distance(0), "0 s");
        assert_eq!(distance(3 * 86_400), "3 d");
        assert_eq!(distance(8 * 365 * 86_400 + 195 * 86_400 + 7), "8 y 195 d");
        assert_eq!(distance(5 * 3600 + 181), "5 h 3 min");
        assert_eq!(distance(i64::MIN), "0 s");
    }

    #[test]
    fn the_thumb_touches_the_ends_only_at_the_ends() {
        assert_eq!(thumb_of(100, 0, 10), (0, 1));
        assert_eq!(thumb_of(100, 1, 10).0, 1);
        assert_eq!(thumb_of(100, 90, 10), (9, 10));
        assert_eq!(thumb_of(u64::from(u32::MAX), 5, 50), (1, 2));
    }
}
