//! The line at the top, the line at the bottom, and the popup of pending keys.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use unicode_width::UnicodeWidthStr as _;

use super::event::{Level, Look, Note};
use super::theme::{Theme, Token};

/// How many keys the footer offers at most.
const HINTS: usize = 5;

/// Columns before the first tab: the program's name with its margins.
const NAME: &str = " pkiscope ";

/// A screen's place in the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab {
    /// The key that shows it.
    pub key: String,
    /// Its name.
    pub name: &'static str,
    /// Whether it is shown.
    pub active: bool,
}

impl Tab {
    fn text(&self) -> String {
        format!(" {} {} ", self.key, self.name)
    }
}

/// Draws the header: program, screens with their keys, and at the right what is open, by the
/// first of the titles that fits, or a part of the last.
pub fn header(frame: &mut Frame<'_>, area: Rect, tabs: &[Tab], titles: &[String], theme: &Theme) {
    let bold = theme.style(Token::Title).add_modifier(Modifier::BOLD);
    let mut spans = vec![Span::styled(NAME, bold)];
    for tab in tabs {
        let token = if tab.active { Token::TitleFocus } else { Token::Dim };
        spans.push(Span::styled(tab.text(), theme.style(token)));
    }
    let left = Line::from(spans);
    let used = u16::try_from(left.width()).unwrap_or(u16::MAX);
    frame.render_widget(left, area);
    let room = area.width.saturating_sub(used).saturating_sub(2);
    let fits = titles.iter().find(|title| title.width() <= usize::from(room));
    let title = fits.or(titles.last()).map(String::as_str).unwrap_or_default();
    let title = ellipsis(title, usize::from(room), theme);
    let width = u16::try_from(title.width()).unwrap_or(room);
    let right = Rect { x: area.right().saturating_sub(width + 1), width, ..area };
    frame.render_widget(Span::styled(title, theme.style(Token::Text)), right);
}

/// The tab at a column of the header.
#[must_use]
pub fn tab_at(tabs: &[Tab], column: u16) -> Option<usize> {
    let mut end = NAME.width();
    tabs.iter().position(|tab| {
        let start = end;
        end += tab.text().width();
        (start..end).contains(&usize::from(column))
    })
}

/// Draws the footer: the keys that are most useful here, or a note.
pub fn footer(
    frame: &mut Frame<'_>,
    area: Rect,
    hints: &[(String, &str)],
    note: Option<&Note>,
    look: &Look<'_>,
) {
    let theme = look.theme;
    if let Some(note) = note {
        let (sign, token) = match note.level {
            Level::Info => (theme.glyphs.good, Token::Good),
            Level::Warn => (theme.glyphs.finding, Token::Warn),
            Level::Bad => (theme.glyphs.bad, Token::Bad),
        };
        let room = usize::from(area.width.saturating_sub(4));
        let line = Line::from(vec![
            Span::styled(format!(" {sign} "), theme.style(token)),
            Span::styled(ellipsis(&note.text, room, theme), theme.style(Token::Text)),
        ]);
        frame.render_widget(line, area);
        return;
    }
    let mut spans = Vec::new();
    let mut used = 0;
    for (keys, words) in hints.iter().take(HINTS) {
        let text = format!(" {words}  ");
        let width = 1 + keys.width() + text.width();
        if used + width > usize::from(area.width) {
            break;
        }
        used += width;
        spans.push(Span::styled(format!(" {keys}"), theme.style(Token::Key)));
        spans.push(Span::styled(text, theme.style(Token::Dim)));
    }
    frame.render_widget(Line::from(spans), area);
}

/// Draws what can follow the keys pressed so far, above the footer.
pub fn pending(
    frame: &mut Frame<'_>,
    area: Rect,
    pressed: &str,
    following: &[(String, &str)],
    theme: &Theme,
) {
    let rows =
        u16::try_from(following.len()).unwrap_or(u16::MAX).min(area.height.saturating_sub(2));
    let keys = following.iter().map(|(keys, _)| keys.width()).max().unwrap_or(0);
    let words = following.iter().map(|(_, words)| words.width()).max().unwrap_or(0);
    let width = u16::try_from(keys + words + 6).unwrap_or(u16::MAX).min(area.width);
    let popup = Rect {
        x: area.right().saturating_sub(width),
        y: area.bottom().saturating_sub(rows + 2),
        width,
        height: rows + 2,
    };
    frame.render_widget(Clear, popup);
    boxed(frame, popup, &format!(" {pressed} "), theme);
    for (row, (key, words)) in (1..=rows).zip(following) {
        let line = Line::from(vec![
            Span::styled(format!(" {key:>keys$}"), theme.style(Token::Key)),
            Span::styled(format!("  {words}"), theme.style(Token::Text)),
        ]);
        let inner =
            Rect { x: popup.x + 1, y: popup.y + row, width: width.saturating_sub(2), height: 1 };
        frame.render_widget(line, inner);
    }
}

/// Draws the frame of a popup with a title.
pub fn boxed(frame: &mut Frame<'_>, area: Rect, title: &str, theme: &Theme) {
    if area.width < 2 || area.height < 2 {
        return;
    }
    let style = theme.style(Token::BorderFocus);
    let glyphs = theme.glyphs;
    let [top_left, top_right, bottom_left, bottom_right] = glyphs.corners;
    let inner = usize::from(area.width - 2);
    let line = glyphs.horizontal.repeat(inner);
    let buffer = frame.buffer_mut();
    buffer.set_string(area.x, area.y, format!("{top_left}{line}{top_right}"), style);
    let bottom = area.bottom() - 1;
    buffer.set_string(area.x, bottom, format!("{bottom_left}{line}{bottom_right}"), style);
    for y in area.y + 1..bottom {
        buffer.set_string(area.x, y, glyphs.vertical, style);
        buffer.set_string(area.right() - 1, y, glyphs.vertical, style);
    }
    let title = ellipsis(title, inner, theme);
    buffer.set_string(area.x + 1, area.y, title, theme.style(Token::Title));
}

/// `text` in at most `columns` columns, its end replaced by an ellipsis when it is longer.
#[must_use]
pub fn ellipsis(text: &str, columns: usize, theme: &Theme) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut width = 0;
    for c in text.chars() {
        let wide = unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
        if width + wide >= columns {
            break;
        }
        width += wide;
        out.push(c);
    }
    if columns > 0 {
        out.push_str(theme.glyphs.ellipsis);
    }
    out
}
