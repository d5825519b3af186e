//! The list of documents.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::document::Document;
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::scroll_bar;

/// Draws the documents from `top` on, a line each.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    documents: &[Document],
    current: usize,
    top: usize,
    focused: bool,
    look: &Look<'_>,
) {
    if area.width < 4 {
        return;
    }
    let theme = look.theme;
    let buffer = frame.buffer_mut();
    let shown = documents.iter().enumerate().skip(top).zip(area.top()..area.bottom());
    for ((index, document), y) in shown {
        let line = Rect { y, height: 1, width: area.width - 1, ..area };
        let indent = u16::from(document.inside) * 2;
        let room = usize::from(line.width.saturating_sub(indent + 3));
        let text = ellipsis(&document.title, room, theme);
        let token = if document.problem.is_some() { Token::Bad } else { Token::Text };
        let (after, _) = buffer.set_stringn(line.x + 1 + indent, y, text, room, theme.style(token));
        if document.problem.is_some() && after + 1 < line.right() {
            buffer.set_string(after + 1, y, theme.glyphs.finding, theme.style(Token::Bad));
        }
        if index == current {
            let token = if focused { Token::Selection } else { Token::SelectionDim };
            buffer.set_style(line, theme.style(token));
            buffer.set_string(line.x, y, theme.glyphs.cursor, theme.style(token));
        }
    }
    let bar = Rect { x: area.right() - 1, width: 1, ..area };
    scroll_bar(frame, bar, documents.len() as u64, top as u64, look);
}
