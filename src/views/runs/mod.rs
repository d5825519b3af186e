//! The screen of runs: what was measured, two runs compared, one in detail.
//!
//! [`Runs`] is its state. `actions` moves in it, `jobs` reads, compares and deletes in the
//! background, `list`, `comparison` and `details` draw a pane each.

mod actions;
mod comparison;
mod details;
mod jobs;
mod layout;
mod list;
mod sources;
#[cfg(test)]
mod tests;
mod words;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Clear;

use self::layout::{Pane, Panes};
pub use self::sources::{
    Delete, Export, Exported, First, Form, List, Load, LoadPair, Pair, Sources,
};
use super::action::{Action, Context};
use super::bars::{boxed, ellipsis};
use super::event::{Consumed, Cx, JobEvent, Look, Screen};
use super::prompt::PromptKind;
use super::theme::Token;
use super::widgets::{divider, grouped, pane_title};
use crate::metrics::{Run, reference};
use crate::pki::runs::{State, Stored};

/// Rows that one turn of the mouse wheel moves.
const WHEEL: u64 = 3;

/// What stands beside the list.
#[derive(Debug, Clone, PartialEq)]
enum Side {
    /// A and B.
    Comparison,
    /// A run with its stages.
    Details(Box<Stored>),
}

/// The screen of runs.
pub struct Runs {
    sources: Sources,
    /// Stored runs, the newest first, then the references.
    entries: Vec<Stored>,
    /// Why stored runs cannot be listed.
    fault: Option<String>,
    loading: bool,
    /// The chosen row of the list and the first that is shown.
    row: u64,
    top: u64,
    /// Ids of the two runs to compare.
    a: Option<String>,
    b: Option<String>,
    /// The person chose A or B: they are not chosen for him any more.
    chosen: bool,
    /// The run that is shown in detail first.
    first: Option<String>,
    pair: Option<Result<Box<Pair>, String>>,
    side: Side,
    /// The chosen row beside the list and the first that is shown.
    side_row: u64,
    side_top: u64,
    focus: Pane,
    /// The run that is deleted when the person says yes.
    confirm: Option<i64>,
    panes: Panes,
}

impl Runs {
    /// A screen that reads and deletes runs through `sources`.
    #[must_use]
    pub fn new(sources: Sources, first: First) -> Self {
        let published = |run| Stored { run, state: State::Published };
        let (a, b, details) = match first {
            First::List => (None, None, None),
            First::Details(id) => (None, None, Some(id)),
            First::Comparison(a, b) => (Some(a), Some(b), None),
        };
        let chosen = a.is_some();
        Self {
            sources,
            entries: reference::all().into_iter().map(published).collect(),
            fault: None,
            loading: false,
            row: 0,
            top: 0,
            a,
            b,
            chosen,
            first: details,
            pair: None,
            side: Side::Comparison,
            side_row: 0,
            side_top: 0,
            focus: if chosen { Pane::Side } else { Pane::List },
            confirm: None,
            panes: Panes::default(),
        }
    }

    /// The run under the cursor.
    fn current(&self) -> Option<&Stored> {
        self.entries.get(usize::try_from(self.row).ok()?)
    }

    /// Rows beside the list.
    fn side_rows(&self) -> u64 {
        match (&self.side, &self.pair) {
            (Side::Comparison, Some(Ok(pair))) => pair.comparison.stages.len() as u64,
            (Side::Comparison, _) => 0,
            (Side::Details(stored), _) => details::rows(stored) as u64,
        }
    }

    /// Places the panes and scrolls what is chosen onto the screen.
    fn settle(&mut self, area: Rect) {
        self.panes = layout::panes(area, self.focus);
        let last = (self.entries.len() as u64).saturating_sub(1);
        self.row = self.row.min(last);
        let height = list::height(layout::inside(self.panes.list));
        self.top = scrolled(self.top, self.row, last + 1, height);
        let rows = self.side_rows();
        let inside = layout::inside(self.panes.side);
        if let (Side::Comparison, Some(Ok(pair))) = (&self.side, &self.pair) {
            self.side_row = self.side_row.min(rows.saturating_sub(1));
            let height = comparison::height(inside, pair);
            self.side_top = scrolled(self.side_top, self.side_row, rows, height);
        } else {
            // Details have no cursor: their first row moves.
            let hidden = rows.saturating_sub(u64::from(inside.height));
            self.side_row = self.side_row.min(hidden);
            self.side_top = self.side_row;
        }
    }

    fn click(&mut self, column: u16, row: u16, clicks: u8, cx: &mut Cx<'_>) -> Consumed {
        let at = (column, row).into();
        let list = layout::inside(self.panes.list);
        if list.contains(at) {
            self.focus = Pane::List;
            if let Some(line) = list::line_at(list, row) {
                let chosen = self.top + u64::from(line);
                if chosen < self.entries.len() as u64 {
                    self.row = chosen;
                    if clicks == 2 {
                        self.open(cx);
                    }
                }
            }
            return Consumed::Yes;
        }
        let side = layout::inside(self.panes.side);
        if !side.contains(at) {
            return Consumed::No;
        }
        self.focus = Pane::Side;
        if let (Side::Comparison, Some(Ok(pair))) = (&self.side, &self.pair)
            && let Some(line) = comparison::line_at(side, pair, row)
        {
            let chosen = self.side_top + u64::from(line);
            self.side_row = chosen.min(self.side_rows().saturating_sub(1));
        }
        Consumed::Yes
    }

    fn wheel(&mut self, column: u16, row: u16, down: bool) -> Consumed {
        let at = (column, row).into();
        let pane = if self.panes.list.contains(at) {
            Pane::List
        } else if self.panes.side.contains(at) {
            Pane::Side
        } else {
            return Consumed::No;
        };
        let focus = std::mem::replace(&mut self.focus, pane);
        let step = i64::try_from(WHEEL).unwrap_or(1);
        self.step(if down { step } else { -step });
        self.focus = focus;
        Consumed::Yes
    }

    fn draw_side(&self, frame: &mut Frame<'_>, look: &Look<'_>) {
        let pane = self.panes.side;
        let beside = self.panes.list.height > 0 && self.panes.list.y == pane.y;
        let focused = self.focus == Pane::Side;
        let (title, remark) = match (&self.side, &self.pair) {
            (Side::Details(stored), _) => {
                let (from, rows) = (self.side_top + 1, self.side_rows());
                let title = format!("Run {}", words::name(&stored.run));
                let to = rows.min(self.side_top + u64::from(layout::inside(pane).height));
                (title, format!("rows {from} to {to} of {rows}"))
            }
            (Side::Comparison, Some(Ok(pair))) => {
                ("B compared with A".to_owned(), words::sum(&pair.comparison))
            }
            (Side::Comparison, _) => ("Comparison".to_owned(), String::new()),
        };
        pane_title(frame, pane, &title, &remark, focused, look);
        let mut inner = layout::inside(pane);
        if beside && inner.width > 2 {
            divider(frame, inner, look);
            let tee = look.theme.glyphs.tee_down;
            frame.buffer_mut().set_string(pane.x, pane.y, tee, look.theme.style(Token::Border));
            inner = Rect { x: inner.x + 1, width: inner.width - 1, ..inner };
        }
        match (&self.side, &self.pair) {
            (Side::Details(stored), _) => details::draw(frame, inner, stored, self.side_top, look),
            (Side::Comparison, Some(Ok(pair))) => {
                let chosen = focused.then_some(self.side_row);
                comparison::draw(frame, inner, pair, self.side_top, chosen, look);
            }
            (Side::Comparison, Some(Err(why))) => say(frame, inner, why, Token::Bad, look),
            (Side::Comparison, None) => say(frame, inner, &self.invitation(), Token::Dim, look),
        }
    }

    /// What to do where there is no comparison.
    fn invitation(&self) -> String {
        match (&self.a, &self.b) {
            (Some(_), Some(_)) => "comparing".to_owned(),
            (Some(a), None) => format!("A is {}; choose B", words::id(a)),
            (None, Some(b)) => format!("B is {}; choose A", words::id(b)),
            (None, None) => "choose two runs, one as A and one as B".to_owned(),
        }
    }

    /// How A and B compare, where the comparison is not on the screen.
    fn draw_verdict(&self, frame: &mut Frame<'_>, look: &Look<'_>) {
        let area = self.panes.verdict;
        if area.height < 2 {
            return;
        }
        let (text, token) = match &self.pair {
            Some(Ok(pair)) => (words::verdict(pair), Token::Text),
            Some(Err(why)) => (why.clone(), Token::Bad),
            None => (self.invitation(), Token::Dim),
        };
        pane_title(frame, Rect { height: 1, ..area }, "A and B", "", false, look);
        say(frame, layout::inside(area), &text, token, look);
    }

    fn draw_confirm(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let Some(number) = self.confirm else { return };
        let lines = [
            format!(" Delete run #{number} and all objects that it made? "),
            " y deletes, any other key does not. ".to_owned(),
        ];
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 2;
        let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
        let popup = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + area.height.saturating_sub(4) / 2,
            width,
            height: area.height.min(4),
        };
        frame.render_widget(Clear, popup);
        boxed(frame, popup, " Delete ", look.theme);
        for (line, y) in lines.into_iter().zip(popup.y + 1..popup.bottom().saturating_sub(1)) {
            let inner = Rect { x: popup.x + 1, y, width: popup.width.saturating_sub(2), height: 1 };
            frame.render_widget(Line::styled(line, look.theme.style(Token::Warn)), inner);
        }
    }
}

/// The first row that is shown, so that `row` of `rows` is among `height` rows.
fn scrolled(top: u64, row: u64, rows: u64, height: u64) -> u64 {
    let height = height.max(1);
    let most = rows.saturating_sub(height);
    top.clamp((row + 1).saturating_sub(height), row).min(most)
}

/// A line of text at the top of an area.
fn say(frame: &mut Frame<'_>, area: Rect, text: &str, token: Token, look: &Look<'_>) {
    let text = ellipsis(text, usize::from(area.width.saturating_sub(2)), look.theme);
    let line = Line::styled(format!(" {text}"), look.theme.style(token));
    frame.render_widget(line, Rect { height: area.height.min(1), ..area });
}

impl Screen for Runs {
    fn context(&self) -> Context {
        Context::Runs
    }

    fn shown_by(&self) -> Action {
        Action::ShowRuns
    }

    fn title(&self) -> String {
        let stored = self.entries.iter().filter(|entry| entry.state != State::Published).count();
        let noun = if stored == 1 { "run" } else { "runs" };
        format!("{}  {} {noun}", self.sources.store, grouped(stored as u64))
    }

    fn hints(&self) -> Vec<Action> {
        match (self.focus, &self.side) {
            (Pane::List, _) => vec![
                Action::MarkA,
                Action::MarkB,
                Action::CompareRuns,
                Action::Enter,
                Action::DeleteRun,
            ],
            (Pane::Side, Side::Comparison) => {
                vec![Action::Cancel, Action::ExportRun, Action::NextPane, Action::RunDetails]
            }
            (Pane::Side, Side::Details(_)) => {
                vec![Action::Cancel, Action::ExportRun, Action::CompareRuns, Action::PageDown]
            }
        }
    }

    fn start(&mut self, cx: &mut Cx<'_>) {
        if let Some(id) = self.first.take() {
            self.load(id, cx);
        }
    }

    fn shown(&mut self, cx: &mut Cx<'_>) {
        // Other screens make runs.
        self.reload(cx);
        self.settle(cx.area);
    }

    fn key(&mut self, key: &KeyEvent, cx: &mut Cx<'_>) -> Consumed {
        let Some(number) = self.confirm.take() else { return Consumed::No };
        if matches!(key.code, KeyCode::Char('y' | 'Y')) {
            self.delete(number, cx);
        } else {
            cx.info("nothing was deleted");
        }
        Consumed::Yes
    }

    fn action(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let consumed = self.act(action, cx);
        self.settle(cx.area);
        consumed
    }

    fn mouse(&mut self, mouse: &MouseEvent, clicks: u8, cx: &mut Cx<'_>) -> Consumed {
        if self.confirm.is_some() {
            return Consumed::No;
        }
        let consumed = match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.click(mouse.column, mouse.row, clicks, cx)
            }
            MouseEventKind::ScrollDown => self.wheel(mouse.column, mouse.row, true),
            MouseEventKind::ScrollUp => self.wheel(mouse.column, mouse.row, false),
            _ => Consumed::No,
        };
        self.settle(cx.area);
        consumed
    }

    fn submit(&mut self, kind: PromptKind, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let answer = match kind {
            PromptKind::Save => self.export(text, cx),
            _ => self.go_to(text),
        };
        self.settle(cx.area);
        answer
    }

    fn job(&mut self, event: JobEvent, cx: &mut Cx<'_>) -> Consumed {
        let consumed = self.report(event, cx);
        self.settle(cx.area);
        consumed
    }

    fn resized(&mut self, cx: &mut Cx<'_>) {
        self.settle(cx.area);
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        if self.panes.list.height > 0 {
            let pane = self.panes.list;
            let focused = self.focus == Pane::List;
            let remark = if self.loading {
                "reading".to_owned()
            } else {
                format!("{} of {}", grouped(self.row + 1), grouped(self.entries.len() as u64))
            };
            pane_title(frame, pane, "Runs", &remark, focused, look);
            let marks =
                |run: &Run| [&self.a, &self.b].map(|mark| mark.as_deref() == Some(run.id.as_str()));
            let inner = layout::inside(pane);
            let rows = list::Rows {
                entries: &self.entries,
                row: self.row,
                top: self.top,
                focused,
                fault: self.fault.as_deref(),
            };
            list::draw(frame, inner, &rows, marks, look);
        }
        if self.panes.side.height > 0 {
            self.draw_side(frame, look);
        }
        if self.panes.verdict.height > 0 {
            self.draw_verdict(frame, look);
        }
        self.draw_confirm(frame, area, look);
    }
}
