//! A run in detail: stages with their percentiles, then machine and settings.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::words;
use crate::asn1::text::visible;
use crate::metrics::StageResult;
use crate::metrics::figures::{duration, thousands};
use crate::pki::runs::{State, Stored};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::{grouped, scroll_bar};

/// Rows that a run takes.
pub fn rows(stored: &Stored) -> usize {
    let run = &stored.run;
    // Its line, a gap, the names of the columns, the stages, what is outside, a gap, facts.
    3 + run.stages.len() + run.outside.len() + 1 + facts(stored).len()
}

/// Draws the rows from `top` on.
pub fn draw(frame: &mut Frame<'_>, area: Rect, stored: &Stored, top: u64, look: &Look<'_>) {
    let room = usize::from(area.width.saturating_sub(1));
    let top_row = usize::try_from(top).unwrap_or(usize::MAX);
    let lines = lines(stored, room, look).into_iter().skip(top_row);
    for (line, row) in lines.zip(area.rows()) {
        frame.render_widget(line, Rect { width: area.width.saturating_sub(1), ..row });
    }
    let bar = Rect { x: area.right().saturating_sub(1), width: 1, ..area };
    scroll_bar(frame, bar, rows(stored) as u64, top, look);
}

fn lines(stored: &Stored, room: usize, look: &Look<'_>) -> Vec<Line<'static>> {
    let theme = look.theme;
    let run = &stored.run;
    let mut lines = vec![
        Line::styled(
            ellipsis(&format!(" {}", words::line(run)), room, theme),
            theme.style(Token::Text),
        ),
        Line::default(),
        Line::styled(ellipsis(&head(room), room, theme), theme.style(Token::Dim)),
    ];
    lines.extend(run.stages.iter().map(|stage| stage_line(stage, room, look)));
    lines.extend(run.outside.iter().map(|part| {
        let text =
            format!(" {:<15}{:>16}  outside of the stages", visible(&part.name), duration(part.ns));
        Line::styled(ellipsis(&text, room, theme), theme.style(Token::Dim))
    }));
    lines.push(Line::default());
    for (name, value) in facts(stored) {
        let token = match name.as_str() {
            "warning" => Token::Warn,
            "state" if stored.state == State::Interrupted => Token::Warn,
            _ => Token::Text,
        };
        let name = format!(" {:<16} ", ellipsis(&visible(&name), 16, theme));
        let left = room.saturating_sub(name.chars().count());
        lines.push(Line::from(vec![
            Span::styled(name, theme.style(Token::Dim)),
            Span::styled(ellipsis(&visible(&value), left, theme), theme.style(token)),
        ]));
    }
    lines
}

/// Whether there is room for parts and CPU time.
const fn is_wide(room: usize) -> bool {
    room >= 100
}

fn head(room: usize) -> String {
    let text = format!(
        " {:<15}{:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}",
        "stage", "items", "mean", "p50", "p90", "p99", "max", "K items/s"
    );
    if is_wide(room) { format!("{text} {:>8}  parts", "CPU") } else { text }
}

fn stage_line(stage: &StageResult, room: usize, look: &Look<'_>) -> Line<'static> {
    let theme = look.theme;
    let wall = &stage.wall_ns;
    let name = format!(" {:<15}", ellipsis(&visible(&stage.name), 15, theme));
    let mut figures = format!(
        "{:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}",
        grouped(stage.items),
        duration(wall.mean),
        duration(wall.p50),
        duration(wall.p90),
        duration(wall.p99),
        duration(wall.max),
        thousands(stage.items_per_second),
    );
    let mut remark = String::new();
    if is_wide(room) {
        let cpu = if stage.cpu_ns == 0 { "-".to_owned() } else { duration(stage.cpu_ns) };
        figures = format!("{figures} {cpu:>8}");
        remark = format!("  {}", parts(stage));
    }
    let (errors, token) = match stage.errors {
        0 => (String::new(), Token::Dim),
        n => (format!("  {} failed", grouped(n)), Token::Bad),
    };
    let used = name.chars().count() + figures.chars().count();
    let end = ellipsis(&format!("{errors}{remark}"), room.saturating_sub(used), theme);
    Line::from(vec![
        Span::styled(name, theme.style(Token::Name)),
        Span::styled(figures, theme.style(Token::Number)),
        Span::styled(end, theme.style(token)),
    ])
}

/// The shares of the parts of a stage: `sign 84 %, keygen 15 %`.
fn parts(stage: &StageResult) -> String {
    let sum: u64 = stage.parts.iter().map(|part| part.ns).sum();
    let share = |ns: u64| (u128::from(ns) * 100 + u128::from(sum) / 2) / u128::from(sum.max(1));
    let parts = stage.parts.iter().filter(|part| part.ns > 0);
    let parts: Vec<String> =
        parts.map(|part| format!("{} {} %", visible(&part.name), share(part.ns))).collect();
    parts.join(", ")
}

/// How and where, by name.
fn facts(stored: &Stored) -> Vec<(String, String)> {
    let (run, machine) = (&stored.run, &stored.run.machine);
    let cores = machine.cores.to_string();
    let mut facts: Vec<(&str, &str)> = vec![
        ("state", stored.state.word()),
        ("pipeline", &run.pipeline),
        ("cpu", &machine.cpu),
        ("cores", &cores),
        ("os", &machine.os),
        ("allocator", &machine.allocator),
        ("version", &machine.version),
        ("openssl", &machine.openssl),
        ("aws-lc", machine.aws_lc.as_deref().unwrap_or_default()),
        ("nss", machine.nss.as_deref().unwrap_or_default()),
        ("sqlite", &machine.sqlite),
    ];
    facts.extend(machine.warnings.iter().map(|warning| ("warning", warning.as_str())));
    let settings = run.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    facts
        .into_iter()
        .chain(settings)
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.replace('_', " "), value.to_owned()))
        .collect()
}
