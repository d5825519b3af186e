//! What stands under the stages: workers, parts, the store, what limits.

use ratatui::Frame;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::figures::{Figures, share};
use crate::metrics::{Snapshot, WorkerSnapshot};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::{Theme, Token};
use crate::views::widgets::chart::{level, text};
use crate::views::widgets::units::{count, fine_percent, percent};

/// Columns between two facts.
const GAP: u16 = 3;

/// Columns of a fine share, so that what follows does not move.
const FINE: usize = 6;

/// A fact: words with their looks. It is never broken over two lines.
type Fact = Vec<(String, Token)>;

/// What the status is made of.
#[derive(Debug, Clone, Copy)]
pub struct Status<'a> {
    /// The figures.
    pub figures: &'a Figures,
    /// The chosen stage.
    pub chosen: usize,
    /// How it ended, good, doubtful or bad; stands in the place of the workers.
    pub end: Option<(&'a str, Token)>,
}

/// Draws as many facts as fit on the lines of `area`.
pub fn draw(frame: &mut Frame<'_>, area: Rect, status: &Status<'_>, look: &Look<'_>) {
    let theme = look.theme;
    let figures = status.figures;
    let mut facts = Vec::new();
    match status.end {
        Some((words, token)) => {
            let sign = match token {
                Token::Bad => theme.glyphs.bad,
                Token::Good => theme.glyphs.good,
                _ => theme.glyphs.finding,
            };
            facts.push(vec![(format!("{sign} "), token), (words.to_owned(), Token::Text)]);
        }
        None => facts.push(workers(&figures.snapshot, figures.busy, area.width / 5, theme)),
    }
    facts.extend(errors(figures, theme));
    facts.extend(limit(figures));
    facts.extend(parts(figures, status.chosen));
    if status.end.is_none() {
        facts.push(store(figures.snapshot.backlog));
    }
    let buffer = frame.buffer_mut();
    let mut place = Rect { height: area.height.min(1), ..area };
    place.x += 1;
    place.width = place.width.saturating_sub(1);
    for fact in facts {
        let width = fact.iter().map(|(words, _)| words.width()).sum::<usize>();
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        let begins = place.x == area.x + 1;
        if width > place.width && !begins {
            // What does not fit on this line may fit on the next one.
            if place.y + 1 >= area.bottom() {
                continue;
            }
            let x = area.x + 1;
            place = Rect { x, y: place.y + 1, width: area.right().saturating_sub(x), height: 1 };
        }
        for (words, token) in fact {
            let words = ellipsis(&words, place.width.into(), theme);
            let end = text(buffer, place, &words, theme.style(token));
            place.width = place.right().saturating_sub(end);
            place.x = end;
        }
        let gap = GAP.min(place.width);
        place.x += gap;
        place.width -= gap;
    }
}

/// `workers ▇▇█▇▆▇▇█  96 %`, one sign a worker; many workers share one.
fn workers(snapshot: &Snapshot, busy: f64, room: u16, theme: &Theme) -> Fact {
    let all = snapshot.workers.len();
    let active = snapshot.active_workers.min(all);
    let mut fact = vec![("workers ".to_owned(), Token::Dim)];
    let signs = all.min(usize::from(room).max(1));
    let heat = |range: std::ops::Range<usize>| -> String {
        range.map(|sign| heat(group(&snapshot.workers, sign, signs), theme)).collect()
    };
    // Groups that are partly active count as active.
    let lit = if all == 0 { 0 } else { (active * signs).div_ceil(all) };
    fact.push((heat(0..lit), Token::Good));
    fact.push((heat(lit..signs), Token::Dim));
    fact.push((format!(" {:>5}", percent(busy)), Token::Number));
    let of = if active == all { count_of(all) } else { format!("{} of {}", count_of(active), all) };
    fact.push((format!(" of {of}"), Token::Dim));
    fact
}

fn count_of(workers: usize) -> String {
    count(workers as u64)
}

/// The workers that share sign number `sign`.
fn group(workers: &[WorkerSnapshot], sign: usize, signs: usize) -> &[WorkerSnapshot] {
    let at = |sign: usize| sign * workers.len() / signs.max(1);
    workers.get(at(sign)..at(sign + 1)).unwrap_or_default()
}

/// How busy some workers are, as one sign; the smallest one for those that do nothing.
fn heat(workers: &[WorkerSnapshot], theme: &Theme) -> &'static str {
    let sum: f64 = workers.iter().map(|worker| share(worker.busy)).sum();
    #[expect(clippy::cast_precision_loss, reason = "few workers")]
    let mean = sum / workers.len().max(1) as f64;
    level(mean.max(f64::EPSILON), theme)
}

/// `cert_gen: sign   84 %  keygen   15 %`, of the chosen stage or else of the one that limits.
fn parts(figures: &Figures, chosen: usize) -> Option<Fact> {
    let limiting = figures.limit.map(|(stage, _)| stage);
    let has = |stage: &usize| figures.stages.get(*stage).is_some_and(|s| !s.parts.is_empty());
    let stage = [Some(chosen), limiting].into_iter().flatten().find(has)?;
    let info = figures.snapshot.stages[stage].info;
    let mut fact = vec![(format!("{}:", info.name), Token::Dim)];
    for (name, share) in info.parts.iter().zip(&figures.stages[stage].parts) {
        fact.push((format!(" {name}"), Token::Text));
        fact.push((format!(" {:>FINE$} ", fine_percent(*share)), Token::Number));
    }
    Some(fact)
}

fn store(backlog: u64) -> Fact {
    let (words, token) = match backlog {
        0 => ("idle".to_owned(), Token::Text),
        1 => ("1 row behind".to_owned(), Token::Number),
        rows => (format!("{} rows behind", count(rows)), Token::Number),
    };
    // Padded, so that what follows does not move.
    vec![("store ".to_owned(), Token::Dim), (format!("{words:<18}"), token)]
}

/// `limit: cert_gen (sign)`
fn limit(figures: &Figures) -> Option<Fact> {
    let (stage, part) = figures.limit?;
    let info = figures.snapshot.stages.get(stage)?.info;
    let mut words = info.name.to_owned();
    if let Some(name) = part.and_then(|part| info.parts.get(part)) {
        words = format!("{words} ({name})");
    }
    Some(vec![("limit: ".to_owned(), Token::Dim), (words, Token::Warn)])
}

fn errors(figures: &Figures, theme: &Theme) -> Option<Fact> {
    let errors = figures.errors();
    let noun = if errors == 1 { "item" } else { "items" };
    let words = format!("{} {} {noun} failed", theme.glyphs.bad, count(errors));
    (errors > 0).then(|| vec![(words, Token::Bad)])
}
