//! What there is to compare with: published figures and the last stored run.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr as _;

use super::figures::Figures;
use super::layout::inside;
use super::sources::Beside;
use crate::asn1::text::visible;
use crate::metrics::{Run, StageInfo, StageResult};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::pane_title;
use crate::views::widgets::units::rate;

/// From this many lines on, all stages are listed.
const LISTED: u16 = 10;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    /// With what.
    pub beside: &'a Beside,
    /// The figures of now.
    pub figures: &'a Figures,
    /// The chosen stage.
    pub chosen: usize,
}

/// Draws the pane with its title.
pub fn draw(frame: &mut Frame<'_>, pane: Rect, comparison: &Comparison<'_>, look: &Look<'_>) {
    if pane.height == 0 {
        return;
    }
    pane_title(frame, pane, "beside", "", false, look);
    let theme = look.theme;
    let area = inside(pane);
    let divided = pane.x > 0;
    if divided {
        crate::views::widgets::divider(frame, area, look);
        let tee = theme.glyphs.tee_down;
        frame.buffer_mut().set_string(pane.x, pane.y, tee, theme.style(Token::Border));
    }
    let room = usize::from(area.width).saturating_sub(2);
    let mut lines = Vec::new();
    let of = |run: &Option<Run>, lines: &mut Vec<Line<'static>>, kind: Kind| {
        if let Some(run) = run {
            lines.extend(summary(run, kind, comparison, room, look));
        }
    };
    of(&comparison.beside.reference, &mut lines, Kind::Reference);
    of(&comparison.beside.last, &mut lines, Kind::Last);
    if area.height >= LISTED {
        lines.push(Line::default());
        lines.extend(list(comparison, look));
    }
    for (line, y) in lines.into_iter().zip(area.top()..area.bottom()) {
        let place = Rect { x: area.x + 2, y, width: area.width.saturating_sub(2), height: 1 };
        frame.render_widget(line, place);
    }
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reference,
    Last,
}

/// Whose figures, on which machine, and how the chosen stage compares.
fn summary(
    run: &Run,
    kind: Kind,
    comparison: &Comparison<'_>,
    room: usize,
    look: &Look<'_>,
) -> Vec<Line<'static>> {
    let theme = look.theme;
    let (label, name) = match kind {
        Kind::Reference => ("ref ", run.id.strip_prefix("ref:").unwrap_or(&run.id).to_owned()),
        Kind::Last => ("last ", format!("run {}", run.id)),
    };
    let name = ellipsis(&visible(&name), room.saturating_sub(label.len()), theme);
    let noun = if run.threads == 1 { "thread" } else { "threads" };
    let threads = format!(", {} {noun}", run.threads);
    let cpu = ellipsis(&visible(&run.machine.cpu), room.saturating_sub(threads.width()), theme);
    let mut lines = vec![Line::from(vec![
        Span::styled(label, theme.style(Token::Dim)),
        Span::styled(name, theme.style(Token::Text)),
    ])];
    if kind == Kind::Reference {
        lines.push(Line::styled(format!("{cpu}{threads}"), theme.style(Token::Dim)));
    }
    let Some((info, here)) = here(comparison, comparison.chosen) else { return lines };
    let line = match find(run, info) {
        None => Line::styled(format!("{} is not in it", info.name), theme.style(Token::Dim)),
        Some(stage) => {
            let before = rate(stage.items_per_second);
            let words = verdict(run, stage, kind, comparison, info, here);
            Line::from(vec![
                Span::styled(format!("{before:>6}/s"), theme.style(Token::Number)),
                Span::styled(format!("  here {words}"), theme.style(Token::Text)),
            ])
        }
    };
    lines.push(line);
    lines
}

/// A line a stage: how it compares with both.
fn list(comparison: &Comparison<'_>, look: &Look<'_>) -> Vec<Line<'static>> {
    let Beside { reference, last } = comparison.beside;
    let row = |name: &str, reference: Option<String>, last: Option<String>, token| {
        let cell = |words: Option<String>, width: usize| {
            words.map_or(String::new(), |words| format!(" {words:>width$}"))
        };
        let words = format!("{name:<15}{}{}", cell(reference, 14), cell(last, 9));
        Line::styled(words, look.theme.style(token))
    };
    let title = |run: &Option<Run>, title: &str| run.as_ref().map(|_| title.to_owned());
    let (first, second) = (title(reference, "of the ref"), title(last, "of last"));
    let mut lines = vec![row("here", first, second, Token::Dim)];
    for index in 0..comparison.figures.stages.len() {
        let Some((info, here)) = here(comparison, index) else { continue };
        let words = |run: &Option<Run>, kind| {
            let run = run.as_ref()?;
            let words =
                find(run, info).map(|stage| verdict(run, stage, kind, comparison, info, here));
            Some(words.unwrap_or_else(|| "…".to_owned()))
        };
        let (first, second) = (words(reference, Kind::Reference), words(last, Kind::Last));
        lines.push(row(info.name, first, second, Token::Text));
    }
    lines
}

/// A stage and its rate now.
fn here(comparison: &Comparison<'_>, index: usize) -> Option<(&'static StageInfo, Option<f64>)> {
    let info = comparison.figures.snapshot.stages.get(index)?.info;
    let stage = comparison.figures.stages.get(index)?;
    Some((info, stage.quantiles.map(|_| stage.rate)))
}

fn find<'a>(run: &'a Run, info: &StageInfo) -> Option<&'a StageResult> {
    run.stages.iter().find(|stage| stage.name == info.name)
}

/// `1.10x a core` for a reference of another machine, `+1.2 %` for a run of this one.
fn verdict(
    run: &Run,
    stage: &StageResult,
    kind: Kind,
    comparison: &Comparison<'_>,
    info: &StageInfo,
    here: Option<f64>,
) -> String {
    let Some(here) = here else { return "…".to_owned() };
    match kind {
        Kind::Reference if info.parallel => {
            let workers = comparison.figures.snapshot.active_workers;
            let ratio = per_core(here, workers) / per_core(stage.items_per_second, threads(run));
            format!("{} a core", times(ratio))
        }
        Kind::Reference => times(here / stage.items_per_second),
        Kind::Last => change(here / stage.items_per_second),
    }
}

fn threads(run: &Run) -> usize {
    usize::try_from(run.threads).unwrap_or(1)
}

#[expect(clippy::cast_precision_loss, reason = "few cores")]
fn per_core(rate: f64, cores: usize) -> f64 {
    rate / cores.max(1) as f64
}

/// A ratio as `1.10x`.
fn times(ratio: f64) -> String {
    match ratio {
        ratio if !ratio.is_finite() => "…".to_owned(),
        ratio if ratio >= 99.95 => format!("{}x", rate(ratio)),
        ratio if ratio >= 9.995 => format!("{ratio:.1}x"),
        ratio => format!("{ratio:.2}x"),
    }
}

/// A ratio as a change in percent.
fn change(ratio: f64) -> String {
    let percent = (ratio - 1.0) * 100.0;
    match percent {
        percent if !percent.is_finite() => "…".to_owned(),
        percent if percent >= 999.5 => times(ratio),
        percent if percent.abs() >= 9.95 => format!("{percent:+.0} %"),
        percent => format!("{percent:+.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_in_words() {
        let ratios = [1.1, 0.064, 12.0, 250.0, f64::INFINITY, f64::NAN];
        assert_eq!(ratios.map(times), ["1.10x", "0.06x", "12.0x", "250x", "…", "…"]);
        let ratios = [1.012, 0.88, 1.0, 50.0, f64::NAN];
        assert_eq!(ratios.map(change), ["+1.2 %", "-12 %", "+0.0 %", "50.0x", "…"]);
        assert!((per_core(8.0, 0) - 8.0).abs() < 1e-9);
    }
}
