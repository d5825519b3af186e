//! The tree pane: one row a node, only those on the screen.

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr as _;

use super::document::{Document, View};
use crate::asn1::outline::Row;
use crate::asn1::schema::{self, Role};
use crate::asn1::show::{self, Sort};
use crate::asn1::walk::Kind;
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::{grouped, scroll_bar};

/// How much a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Density {
    /// Name and value.
    Brief,
    /// Name, value, type and length.
    #[default]
    Normal,
    /// Offset, header length and depth too.
    Full,
}

impl Density {
    /// The next level, and from the last to the first.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Brief => Self::Normal,
            Self::Normal => Self::Full,
            Self::Full => Self::Brief,
        }
    }
}

/// Rows deeper than this are not indented further, so that their text keeps some room.
const DEEPEST_INDENT: u16 = 24;

/// Draws the rows on `area` (without the title line) and the scroll bar at its right end.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    document: &Document,
    view: &View,
    density: Density,
    focused: bool,
    look: &Look<'_>,
) {
    if area.width < 4 {
        return;
    }
    let text = Rect { width: area.width - 1, ..area };
    let buffer = frame.buffer_mut();
    for line in 0..area.height {
        let index = view.top + u64::from(line);
        let Some(row) = view.outline.row(document.object(), index) else { break };
        let place = Rect { y: area.y + line, height: 1, ..text };
        let chosen = index == view.row;
        draw_row(buffer, place, document, view, &row, density, look);
        if chosen {
            let token = if focused { Token::Selection } else { Token::SelectionDim };
            buffer.set_style(place, look.theme.style(token));
            buffer.set_string(place.x, place.y, look.theme.glyphs.cursor, look.theme.style(token));
        }
    }
    let bar = Rect { x: area.right() - 1, width: 1, ..area };
    scroll_bar(frame, bar, view.outline.rows(), view.top, look);
}

fn draw_row(
    buffer: &mut Buffer,
    area: Rect,
    document: &Document,
    view: &View,
    row: &Row,
    density: Density,
    look: &Look<'_>,
) {
    let theme = look.theme;
    let node = &row.node;
    let own = node.start..if row.open { node.content } else { node.end };
    let mut pen = Pen { buffer, area, x: area.x + 1 };
    if density == Density::Full {
        let lead = format!("{:>7} {:>2} ", node.start, node.header_len());
        pen.put(&lead, theme.style(Token::Dim));
    }
    let indent = (u16::from(node.depth) * 2).min(DEEPEST_INDENT);
    pen.x += indent.min(area.width / 3);
    let sign = match (node.has_children(), row.open) {
        (true, true) => theme.glyphs.open,
        (true, false) => theme.glyphs.closed,
        (false, _) => " ",
    };
    pen.put(sign, theme.style(Token::Dim));
    pen.put(" ", Style::default());

    let label = label(row);
    let ty = type_text(row);
    let (name, token) = if label.is_empty() { (&*ty, Token::Type) } else { (&*label, Token::Name) };
    let bad = node.error.is_some() || node.kind == Kind::Garbage;
    pen.put(name, theme.style(if bad { Token::Bad } else { token }));
    if bad || view.has_remark(own.clone()) {
        pen.put(" ", Style::default());
        pen.put(theme.glyphs.finding, theme.style(if bad { Token::Bad } else { Token::Warn }));
    }
    if !view.hits.is_empty() && view.has_hit(own) {
        pen.put(" ", Style::default());
        pen.put(theme.glyphs.hit, theme.style(Token::Hit));
    }

    // What stands at the right end is measured first: the value gets the rest.
    let mut right = String::new();
    if density != Density::Brief {
        let length = grouped(u64::from(node.contents().len()));
        if label.is_empty() || area.width < 50 {
            right = length;
        } else {
            right = format!("{ty} {length:>7}");
        }
    }
    let right_width = u16::try_from(right.width()).unwrap_or(0);
    let end = area.right().saturating_sub(if right.is_empty() { 0 } else { right_width + 1 });
    let room = end.saturating_sub(pen.x + 2);
    if room > 3 {
        pen.x += 2;
        let (text, token) = value_text(document, row, usize::from(room));
        pen.put(&ellipsis(&text, usize::from(room), theme), theme.style(token));
    }
    if !right.is_empty() && pen.x < end + 1 {
        let x = area.right() - right_width.min(area.width);
        pen.buffer.set_string(x, area.y, &right, theme.style(Token::Dim));
    }
}

/// The value, or what is wrong, or how many children there are.
fn value_text(document: &Document, row: &Row, room: usize) -> (String, Token) {
    if let Some(error) = row.node.error {
        return (error.rule.text.to_owned(), Token::Bad);
    }
    let shown = show::value(document.object(), &row.node, &row.place, room);
    let token = match shown.sort {
        Sort::Nothing | Sort::Octets => Token::Dim,
        Sort::Text | Sort::Name => Token::Value,
        Sort::Number => Token::Number,
        Sort::Time => Token::Time,
        Sort::Broken => Token::Bad,
    };
    // An open node's summary stands in its children already.
    match row.children {
        Some(n) if row.open || shown.text.is_empty() => (elements(n), Token::Dim),
        _ => (shown.text, token),
    }
}

fn elements(n: u32) -> String {
    let word = if n == 1 { "element" } else { "elements" };
    format!("{} {word}", grouped(u64::from(n)))
}

/// The field's name; of the outermost value, and of one in an EXPLICIT tag, the name of its type.
fn label(row: &Row) -> Cow<'static, str> {
    let label = row.place.label();
    let known = !std::ptr::eq(row.place.ty, &raw const schema::types::ANY);
    let whole = matches!(row.place.role, Role::Root | Role::Inner);
    if label.is_empty() && whole && known {
        return Cow::Borrowed(row.place.ty.name);
    }
    label
}

/// The type as its tag says: `SEQUENCE`, `[0]`, `OCTET STRING`.
fn type_text(row: &Row) -> String {
    match row.node.kind {
        Kind::Garbage => "unreadable".to_owned(),
        _ => row.node.tag.to_string(),
    }
}

/// Writes along one line and stops at its end.
struct Pen<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    x: u16,
}

impl Pen<'_> {
    fn put(&mut self, text: &str, style: Style) {
        let room = self.area.right().saturating_sub(self.x);
        let (x, _) = self.buffer.set_stringn(self.x, self.area.y, text, room.into(), style);
        self.x = x;
    }
}
