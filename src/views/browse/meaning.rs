//! The meaning pane: what the chosen node is, in words.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Wrap};

use super::document::{Document, View};
use crate::asn1::outline::Row;
use crate::asn1::tag::universal;
use crate::asn1::value::{Integer, Oid, time};
use crate::asn1::walk::Kind;
use crate::asn1::{Header, names, show};
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::{distance, grouped};

/// The longest value that is shown whole, in characters.
const LONGEST: usize = 4096;

/// Draws the meaning of the chosen row on `area`.
pub fn draw(frame: &mut Frame<'_>, area: Rect, document: &Document, view: &View, look: &Look<'_>) {
    let Some(row) = view.chosen(document) else { return };
    let lines = lines(document, view, &row, look);
    // The text is bounded, so wrapping it is too.
    let text = Paragraph::new(Text::from(lines)).wrap(Wrap { trim: false });
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    frame.render_widget(text, inner);
}

/// The path of field names from the root to the chosen row.
#[must_use]
pub fn path(document: &Document, view: &View) -> String {
    let mut path = String::new();
    for row in view.outline.ancestors(document.object(), view.row) {
        path.push_str(&row.place.segment().to_string());
    }
    if let Some(row) = view.chosen(document) {
        path.push_str(&row.place.segment().to_string());
    }
    let name = document.form.schema().name;
    match path.strip_prefix('.') {
        Some(path) => path.to_owned(),
        None if path.is_empty() => name.to_owned(),
        None => path,
    }
}

fn lines<'a>(document: &Document, view: &View, row: &Row, look: &Look<'_>) -> Vec<Line<'a>> {
    let theme = look.theme;
    let dim = theme.style(Token::Dim);
    let mut lines = vec![Line::from(vec![
        Span::styled(path(document, view), theme.style(Token::Name)),
        Span::styled(format!("   {}", place_text(row)), dim),
    ])];
    let mut facts = Vec::new();
    let shown = show::value(document.object(), &row.node, &row.place, LONGEST);
    if !shown.text.is_empty() {
        facts.push(Span::styled(shown.text, theme.style(Token::Value)));
    }
    if let Some(more) = more(document, row, look) {
        let gap = if facts.is_empty() { "" } else { "   " };
        facts.push(Span::styled(format!("{gap}{more}"), theme.style(Token::Text)));
    }
    let source = row.place.source();
    if !source.is_empty() {
        facts.push(Span::styled(format!("   {source}"), dim));
    }
    if !facts.is_empty() {
        lines.push(Line::from(facts));
    }
    if let Some(error) = row.node.error {
        let text = format!("{} at {}: {}", theme.glyphs.bad, error.offset, error.rule);
        lines.push(Line::styled(text, theme.style(Token::Bad)));
    }
    let span = row.node.start..if row.open { row.node.content } else { row.node.end };
    for remark in view.remarks.iter().flatten().filter(|r| span.contains(&r.offset)).take(8) {
        let at = if remark.offset == row.node.start {
            String::new()
        } else {
            format!("at {}: ", remark.offset)
        };
        let text = format!("{} {at}{} ({})", theme.glyphs.finding, remark.message, remark.source);
        lines.push(Line::styled(text, theme.style(Token::Warn)));
    }
    lines
}

/// `UTCTime, tag 17, header 2, content 13, at 245 (0xf5)`
fn place_text(row: &Row) -> String {
    let node = &row.node;
    if node.kind == Kind::Garbage {
        return format!(
            "{} octets that are no value, at {}",
            grouped(u64::from(node.span().len())),
            node.start
        );
    }
    let ty = row.place.describe();
    let tag =
        node.tag.octet().map_or_else(|| node.tag.to_string(), |octet| format!("0x{octet:02x}"));
    let form = if node.indefinite { ", indefinite length" } else { "" };
    format!(
        "{ty}, tag {tag}, header {}, content {}{form}, at {} (0x{:x})",
        node.header_len(),
        grouped(u64::from(node.contents().len())),
        node.start,
        node.start
    )
}

/// What the value's own text does not say: dotted form, distance in time, size, another form.
fn more(document: &Document, row: &Row, look: &Look<'_>) -> Option<String> {
    let node = &row.node;
    if node.kind != Kind::Primitive {
        return row.children.filter(|_| node.kind == Kind::Constructed).map(|n| {
            let noun = if n == 1 { "element" } else { "elements" };
            format!("{} {noun}", grouped(u64::from(n)))
        });
    }
    let content = node.contents().of(document.object());
    match number(row, document)? {
        universal::OBJECT_IDENTIFIER => {
            let entry = names::lookup(content)?;
            Some(format!("{}   {}", Oid(content), entry.source))
        }
        universal::INTEGER => {
            let number = Integer(content);
            let bits = number.bit_len();
            match number.to_i128() {
                Some(n) if bits > 64 => Some(format!("{bits} bits, decimal {n}")),
                Some(n) if n.unsigned_abs() > 9 => {
                    Some(format!("{bits} bits, 0x{}", number.to_hex()))
                }
                Some(_) => None,
                None => Some(format!(
                    "{bits} bits, decimal {}",
                    number.decimal(80).unwrap_or_else(|| "too long".to_owned())
                )),
            }
        }
        n @ (universal::UTC_TIME | universal::GENERALIZED_TIME) => {
            let reading = if n == universal::UTC_TIME {
                time::read_utc(content, 0)
            } else {
                time::read_generalized(content, 0)
            };
            let then = reading.ok()?.time.unix_seconds();
            let apart = then.saturating_sub(look.now.unix);
            Some(if apart >= 0 {
                format!("in {}", distance(apart))
            } else {
                format!("{} ago", distance(-apart))
            })
        }
        universal::OCTET_STRING => Some(format!("{} octets", grouped(content.len() as u64))),
        universal::BIT_STRING => {
            let (unused, rest) = content.split_first()?;
            let bits = (rest.len() as u64 * 8).saturating_sub(u64::from(*unused));
            Some(format!("{} bits, {unused} unused", grouped(bits)))
        }
        _ => None,
    }
}

fn number(row: &Row, document: &Document) -> Option<u64> {
    let within = document.object().get(..row.node.end as usize)?;
    let (header, _) = Header::read_clamped(within, row.node.start).ok()?;
    row.place.universal(header.tag)
}
