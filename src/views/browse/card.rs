//! The card above the tree: what the document is, in a few lines.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::document::{Document, View};
use crate::asn1::value::time::Time;
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::{distance, grouped};

/// Columns of the validity bar at most.
const LONGEST_BAR: u16 = 60;

/// Draws as many lines of the card as `area` has.
pub fn draw(frame: &mut Frame<'_>, area: Rect, document: &Document, view: &View, look: &Look<'_>) {
    let summary = view.summary();
    let mut lines = vec![head(document, view, area.width, look)];
    if let Some((from, to)) = summary.period {
        lines.push(period(from, to, area.width, look));
    }
    lines.extend(details(document, view, area.width, look));
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        frame.render_widget(line, Rect { y, height: 1, ..area });
    }
}

/// Title at the left, facts at the right; findings are said where there is one line only.
fn head<'a>(document: &Document, view: &View, width: u16, look: &Look<'_>) -> Line<'a> {
    let theme = look.theme;
    let dot = format!(" {} ", theme.glyphs.dot);
    let mut facts = view.summary().facts.join(&dot);
    if document.problem.is_none() && view.summary().facts.is_empty() {
        facts = format!("{} octets", grouped(document.object().len() as u64));
    }
    let width = usize::from(width);
    let facts = ellipsis(&facts, width / 2, theme);
    let room = width.saturating_sub(facts.width() + 4);
    let (title, token) = match &document.problem {
        Some(problem) => (problem, Token::Bad),
        None => (&view.summary().title, Token::TitleFocus),
    };
    let title = ellipsis(title, room, theme);
    let gap = room.saturating_sub(title.width()) + 2;
    Line::from(vec![
        Span::raw(" "),
        Span::styled(title, theme.style(token)),
        Span::raw(" ".repeat(gap)),
        Span::styled(facts, theme.style(Token::Value)),
    ])
}

/// `2015-06-04 ├────●────┤ 2035-06-04  8 y 195 d left`
fn period<'a>(from: i64, to: i64, width: u16, look: &Look<'_>) -> Line<'a> {
    let theme = look.theme;
    let glyphs = theme.glyphs;
    let now = look.now.unix;
    let (left, token) = if now < from {
        (format!("begins in {}", distance(from.saturating_sub(now))), Token::Warn)
    } else if now > to {
        (format!("ended {} ago", distance(now.saturating_sub(to))), Token::Bad)
    } else {
        (format!("{} left", distance(to.saturating_sub(now))), Token::Good)
    };
    let (from_text, to_text) = (date(from), date(to));
    let fixed = from_text.len() + to_text.len() + left.len() + 8;
    let bar = width.saturating_sub(u16::try_from(fixed).unwrap_or(width)).min(LONGEST_BAR);
    let mut spans = vec![Span::raw(" "), Span::styled(from_text, theme.style(Token::Time))];
    if bar >= 6 {
        let inner = usize::from(bar) - 2;
        let span = i128::from(to) - i128::from(from);
        let gone = (i128::from(now) - i128::from(from)).clamp(0, span.max(0));
        let last = i128::try_from(inner - 1).unwrap_or(0);
        let mark = if span > 0 { gone * last / span } else { 0 };
        let mark = usize::try_from(mark).unwrap_or(0);
        let line = theme.style(Token::Border);
        spans.push(Span::styled(format!(" {}", glyphs.bar_ends[0]), line));
        spans.push(Span::styled(glyphs.horizontal.repeat(mark), line));
        spans.push(Span::styled(glyphs.bar_mark, theme.style(token)));
        spans.push(Span::styled(glyphs.horizontal.repeat(inner - 1 - mark), line));
        spans.push(Span::styled(format!("{} ", glyphs.bar_ends[1]), line));
    } else {
        spans.push(Span::raw(" "));
    }
    spans.push(Span::styled(to_text, theme.style(Token::Time)));
    spans.push(Span::styled(format!("  {left}"), theme.style(token)));
    Line::from(spans)
}

fn date(seconds: i64) -> String {
    Time::from_unix(seconds)
        .map_or_else(|| "?".to_owned(), |t| format!("{:04}-{:02}-{:02}", t.year, t.month, t.day))
}

/// Fingerprint, serial and names, and how many findings there are, on one or two lines.
fn details<'a>(document: &Document, view: &View, width: u16, look: &Look<'_>) -> Vec<Line<'a>> {
    let theme = look.theme;
    let findings = match &view.remarks {
        None => Span::styled("looking for findings", theme.style(Token::Dim)),
        Some(remarks) if remarks.is_empty() => {
            Span::styled(format!("{} no finding", theme.glyphs.good), theme.style(Token::Good))
        }
        Some(remarks) => {
            let noun = if remarks.len() == 1 { "finding" } else { "findings" };
            let text = format!("{} {} {noun}", theme.glyphs.finding, grouped(remarks.len() as u64));
            Span::styled(text, theme.style(Token::Warn))
        }
    };
    let width = usize::from(width);
    let mut facts: Vec<(&str, String)> = Vec::new();
    if let Some(digest) = view.fingerprint() {
        facts.push(("sha256", digest.to_owned()));
    }
    facts.extend(view.summary().details.iter().map(|(name, text)| (*name, text.clone())));
    facts.push(("offset", format!("{} in {}", grouped(document.offset), document.source)));
    let mut lines = Vec::new();
    let mut spans = vec![Span::raw(" "), findings];
    let mut used = 1 + spans[1].width();
    for (name, text) in facts {
        // A long fact may fill the line, but at least this much of it is shown.
        let room = width.saturating_sub(used + name.len() + 4);
        if room < text.width().min(20) {
            lines.push(Line::from(std::mem::replace(&mut spans, vec![Span::raw(" ")])));
            used = 1;
        }
        let room = width.saturating_sub(used + name.len() + 4).min(longest(name));
        let text = ellipsis(&text, room, theme);
        let gap = if used > 1 { "   " } else { "" };
        used += gap.len() + name.len() + 1 + text.width();
        spans.push(Span::styled(format!("{gap}{name} "), theme.style(Token::Dim)));
        spans.push(Span::styled(text, theme.style(Token::Text)));
    }
    lines.push(Line::from(spans));
    lines
}

/// Facts that are long and alike are shortened, so that others find room beside them.
fn longest(name: &str) -> usize {
    match name {
        "sha256" => 24,
        "serial" => 20,
        _ => 60,
    }
}
