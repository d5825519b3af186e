//! The help: every key that works here, made from the action table.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use unicode_width::UnicodeWidthStr as _;

use super::action::{Action, Context, TABLE};
use super::bars::{boxed, ellipsis};
use super::event::{Consumed, Look};
use super::theme::Token;

/// The widest it gets, in columns.
const WIDEST: u16 = 110;

/// An open help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Help {
    top: usize,
}

/// Rows of the help of a context: its title, its actions, a gap, and what works everywhere.
fn rows(context: Context) -> Vec<Option<Result<Action, Context>>> {
    let mut out = Vec::new();
    let contexts = if context == Context::Global { vec![] } else { vec![context] };
    for context in contexts.into_iter().chain([Context::Global]) {
        if !out.is_empty() {
            out.push(None);
        }
        out.push(Some(Err(context)));
        out.extend(
            TABLE
                .iter()
                .filter(|entry| entry.context == context)
                .map(|entry| Some(Ok(entry.action))),
        );
    }
    out
}

/// Rows of text that fit in the popup on `area`.
fn room(area: Rect) -> usize {
    usize::from(area.height.saturating_sub(2)).max(1)
}

impl Help {
    /// Moves in it. Cancel and help close it, which is for the bench.
    pub fn action(&mut self, action: Action, context: Context, area: Rect) -> Consumed {
        let last = rows(context).len().saturating_sub(room(area));
        let page = room(area).saturating_sub(1).max(1);
        self.top = match action {
            Action::Up => self.top.saturating_sub(1),
            Action::Down => self.top + 1,
            Action::PageUp | Action::HalfPageUp => self.top.saturating_sub(page),
            Action::PageDown | Action::HalfPageDown | Action::Enter => self.top + page,
            Action::First => 0,
            Action::Last => last,
            _ => return Consumed::No,
        }
        .min(last);
        Consumed::Yes
    }

    /// Draws over `area`.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, context: Context, look: &Look<'_>) {
        let theme = look.theme;
        let rows = rows(context);
        let width = area.width.min(WIDEST);
        let height = area.height.min(u16::try_from(rows.len() + 2).unwrap_or(u16::MAX));
        let popup = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        frame.render_widget(Clear, popup);
        let room = room(popup);
        // The window may have grown since the last key.
        let top = self.top.min(rows.len().saturating_sub(room));
        let shown = rows.len().min(top + room);
        let title = if shown - top < rows.len() {
            format!(" Keys  {}{}{shown} of {} ", top + 1, theme.glyphs.horizontal, rows.len())
        } else {
            " Keys ".to_owned()
        };
        boxed(frame, popup, &title, theme);
        let keys: Vec<String> =
            TABLE.iter().map(|entry| look.keymap.keys(context, entry.action).join(" ")).collect();
        let column = keys.iter().map(|keys| keys.width()).max().unwrap_or(0).min(24);
        for (row, y) in rows[top..shown].iter().zip(popup.y + 1..) {
            let line = match row {
                None => continue,
                Some(Err(context)) => {
                    Line::styled(format!(" {}", context.title()), theme.style(Token::Title))
                }
                Some(Ok(action)) => {
                    let keys = ellipsis(&keys[*action as usize], column, theme);
                    Line::from(vec![
                        Span::styled(format!("  {keys:<column$}  "), theme.style(Token::Key)),
                        Span::styled(action.entry().doc, theme.style(Token::Text)),
                    ])
                }
            };
            let inner = Rect { x: popup.x + 1, y, width: popup.width - 2, height: 1 };
            frame.render_widget(line, inner);
        }
    }
}
