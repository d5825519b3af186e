//! The octets pane: offset, hexadecimal and characters; tag, length and content in three
//! shades.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::document::{Document, View};
use super::layout::{OFFSET, octets_per_line};
use crate::asn1::outline::Row;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::scroll_bar;

/// Draws the lines of octets on `area` (without the title line) and the scroll bar.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    document: &Document,
    view: &View,
    focused: bool,
    look: &Look<'_>,
) {
    if area.width < OFFSET {
        return;
    }
    let object = document.object();
    let per_line = octets_per_line(area.width - 1);
    let chosen = view.chosen(document);
    let ancestors = view.outline.ancestors(object, view.row);
    let buffer = frame.buffer_mut();
    for line in 0..area.height {
        let start = (view.line + u64::from(line)) * u64::from(per_line);
        let Ok(start) = u32::try_from(start) else { break };
        let Some(octets) = object.get(start as usize..).filter(|rest| !rest.is_empty()) else {
            break;
        };
        let y = area.y + line;
        let offset = format!("{start:08x}");
        buffer.set_string(
            area.x,
            y,
            &offset[if start >> 24 == 0 { 2 } else { 0 }..],
            look.theme.style(Token::Dim),
        );
        let hex_x = area.x + OFFSET - 1;
        // The width is at most 65,535 columns, so no product overflows.
        let text_x = hex_x + u16::try_from(per_line * 3).unwrap_or(0) + 1;
        for (i, octet) in (0..per_line).zip(octets) {
            let at = start + i;
            let mut style = style_of(at, chosen.as_ref(), &ancestors, view, look);
            if focused && at == view.octet {
                style = look.theme.style(Token::Selection).add_modifier(Modifier::REVERSED);
            }
            let column = u16::try_from(i).unwrap_or(0);
            let text = char::from(*octet);
            let text = if matches!(text, ' '..='~') { text } else { '.' };
            buffer.set_stringn(hex_x + column * 3, y, format!("{octet:02x}"), 2, style);
            if text_x + column < area.right().saturating_sub(1) {
                buffer.set_stringn(text_x + column, y, text.to_string(), 1, style);
            }
        }
    }
    let bar = Rect { x: area.right() - 1, width: 1, ..area };
    let lines = (object.len() as u64).div_ceil(u64::from(per_line));
    scroll_bar(frame, bar, lines, view.line, look);
}

/// The octet at a place of the pane.
#[must_use]
pub fn octet_at(area: Rect, view: &View, column: u16, row: u16) -> Option<u32> {
    let per_line = octets_per_line(area.width.saturating_sub(1));
    let x = column.checked_sub(area.x + OFFSET - 1)?;
    let hex = u16::try_from(per_line * 3).ok()?;
    let i = if x < hex { x / 3 } else { x.checked_sub(hex + 1)? };
    let line = view.line + u64::from(row.checked_sub(area.y)?);
    let at = line * u64::from(per_line) + u64::from(i);
    if u32::from(i) < per_line { u32::try_from(at).ok() } else { None }
}

fn style_of(
    at: u32,
    chosen: Option<&Row>,
    ancestors: &[Row],
    view: &View,
    look: &Look<'_>,
) -> Style {
    let token = match chosen.map(|row| row.node) {
        Some(node) if at < node.start || at >= node.end => None,
        Some(node) if at < node.length_at => Some(Token::TagOctets),
        Some(node) if at < node.content => Some(Token::LengthOctets),
        Some(_) => Some(Token::ContentOctets),
        None => None,
    };
    if let Some(token) = token {
        return look.theme.style(token);
    }
    let header = |row: &Row| (row.node.start..row.node.content).contains(&at);
    if ancestors.iter().any(header) {
        return look.theme.style(Token::Ancestor);
    }
    if !view.hits.is_empty() && view.has_hit(at..at + 1) {
        return look.theme.style(Token::Hit);
    }
    look.theme.style(Token::Text)
}
