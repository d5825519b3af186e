//! The browser screen: documents, tree, octets, meaning.
//!
//! [`Browse`] is its state. `actions` moves in it, `search` and `jobs` work in the
//! background, `tree`, `octets`, `list`, `card` and `meaning` draw a pane each.

mod actions;
mod busy;
mod card;
mod copy;
mod document;
mod jobs;
mod layout;
mod list;
mod meaning;
mod octets;
mod place;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;

use self::busy::{Asked, Busy};
pub use self::document::{Document, Octets, Remark, View};
pub use self::jobs::{Load, Unlock};
use self::layout::{Pane, Panes};
use self::tree::Density;
use super::action::{Action, Context};
use super::event::{Consumed, Cx, JobEvent, Look, Opened, Screen};
use super::prompt::PromptKind;
use super::widgets::{divider, grouped, pane_title};
use crate::pki::object::Form;
use crate::pki::summary::title;

/// Rows that one turn of the mouse wheel moves.
const WHEEL: u64 = 3;

/// How long a sign of work stands still.
const BUSY_STEP: Duration = Duration::from_millis(120);

/// The browser screen.
pub struct Browse {
    documents: Vec<Document>,
    views: HashMap<usize, View>,
    current: usize,
    /// The first line of the list of documents on the screen.
    list_top: usize,
    focus: Pane,
    density: Density,
    load: Option<Load>,
    unlock: Option<Arc<Unlock>>,
    busy: Busy,
    /// The last search, for `n` and `N`.
    query: Option<Asked>,
    panes: Panes,
}

impl Browse {
    /// A browser that runs `load` in the background for its documents; `unlock` opens an
    /// encrypted document with a password.
    #[must_use]
    pub fn new(load: Load, unlock: Option<Arc<Unlock>>) -> Self {
        Self { load: Some(load), unlock, ..Self::of(Vec::new()) }
    }

    /// A browser of documents that are there already.
    #[must_use]
    pub fn of(documents: Vec<Document>) -> Self {
        let mut browse = Self {
            documents: Vec::new(),
            views: HashMap::new(),
            current: 0,
            list_top: 0,
            focus: Pane::Tree,
            density: Density::default(),
            load: None,
            unlock: None,
            busy: Busy::default(),
            query: None,
            panes: Panes::default(),
        };
        browse.add(documents);
        browse
    }

    fn add(&mut self, documents: Vec<Document>) {
        self.documents.extend(documents);
        if !self.documents.is_empty() && self.views.is_empty() {
            self.show(0);
        }
    }

    /// Shows document `index`.
    fn show(&mut self, index: usize) {
        let Some(document) = self.documents.get(index) else { return };
        self.current = index;
        self.views.entry(index).or_insert_with(|| View::new(document));
    }

    /// Adds what another screen hands over, unless it is there, and shows the first of it.
    fn take_in(&mut self, objects: Vec<Opened>) {
        let mut first = None;
        for object in objects {
            let form = Form::of(&object.octets, None);
            let document = Document {
                title: title(&object.octets, form),
                source: object.title.into(),
                octets: Octets::owned(object.octets),
                form,
                offset: 0,
                problem: None,
                inside: false,
            };
            let known = self.documents.iter().position(|old| old.is_same(&document));
            let index = known.unwrap_or(self.documents.len());
            if known.is_none() {
                self.documents.push(document);
            }
            first.get_or_insert(index);
        }
        if let Some(index) = first {
            self.show(index);
            self.focus = Pane::Tree;
        }
    }

    fn document(&self) -> Option<&Document> {
        self.documents.get(self.current)
    }

    fn view(&self) -> Option<(&Document, &View)> {
        Some((self.documents.get(self.current)?, self.views.get(&self.current)?))
    }

    fn view_mut(&mut self) -> Option<(&Document, &mut View)> {
        Some((self.documents.get(self.current)?, self.views.get_mut(&self.current)?))
    }

    /// Places the panes and scrolls what has to be on the screen into it.
    fn settle(&mut self, area: Rect) {
        let panes = layout::panes(area, self.documents.len() > 1, self.focus);
        self.panes = panes;
        let height = usize::from(layout::inside(panes.documents).height);
        if height > 0 {
            let lowest = (self.current + 1).saturating_sub(height);
            self.list_top = self.list_top.clamp(lowest, self.current.max(lowest));
        }
        if let Some((_, view)) = self.view_mut() {
            view.scroll_tree(u64::from(layout::inside(panes.tree).height.max(1)));
            let octets = layout::inside(panes.octets);
            let width = layout::octets_per_line(octets.width.saturating_sub(1));
            view.scroll_octets(width, u64::from(octets.height.max(1)));
        }
    }

    fn pane_at(&self, column: u16, row: u16) -> Option<(Pane, Rect)> {
        let p = &self.panes;
        [(Pane::Documents, p.documents), (Pane::Tree, p.tree), (Pane::Octets, p.octets)]
            .into_iter()
            .map(|(pane, area)| (pane, layout::inside(area)))
            .find(|(_, area)| area.contains((column, row).into()))
    }

    fn click(&mut self, column: u16, row: u16, clicks: u8) -> Consumed {
        let Some((pane, area)) = self.pane_at(column, row) else { return Consumed::No };
        let line = row - area.y;
        self.focus = pane;
        match pane {
            Pane::Documents => self.show(self.list_top + usize::from(line)),
            Pane::Tree => {
                if let Some((document, view)) = self.view_mut() {
                    let index = view.top + u64::from(line);
                    if index < view.outline.rows() {
                        view.go_to_row(document, index);
                    }
                }
                if clicks == 2 {
                    self.toggle();
                }
            }
            Pane::Octets => {
                if let Some((document, view)) = self.view_mut()
                    && let Some(octet) = octets::octet_at(area, view, column, row)
                {
                    view.go_to_octet(document, octet);
                }
            }
        }
        Consumed::Yes
    }

    /// The wheel moves what is under the pointer without moving the cursor's row off it.
    fn wheel(&mut self, column: u16, row: u16, down: bool) -> Consumed {
        let Some((pane, _)) = self.pane_at(column, row) else { return Consumed::No };
        let focus = std::mem::replace(&mut self.focus, pane);
        let step = i64::try_from(WHEEL).unwrap_or(1);
        self.step(if down { step } else { -step });
        self.focus = focus;
        Consumed::Yes
    }

    fn titles(&self) -> (String, String) {
        let Some((document, view)) = self.view() else { return ("Tree".into(), String::new()) };
        let rows = view.outline.rows();
        let tree = if document.inside { "Tree (unpacked)" } else { "Tree" };
        (tree.into(), format!("row {} of {}", grouped(view.row + 1), grouped(rows)))
    }
}

impl Screen for Browse {
    fn context(&self) -> Context {
        Context::Browse
    }

    fn shown_by(&self) -> Action {
        Action::ShowBrowse
    }

    fn title(&self) -> String {
        let Some(document) = self.document() else {
            return if self.busy.loading() { "loading".into() } else { "nothing open".into() };
        };
        format!(
            "{}  {}/{}",
            document.source,
            self.current + 1,
            grouped(self.documents.len() as u64)
        )
    }

    fn hints(&self) -> Vec<Action> {
        let mut hints = vec![Action::Search, Action::Command, Action::NextPane, Action::Enter];
        if self.documents.len() > 1 {
            hints.insert(0, Action::NextDocument);
        }
        hints
    }

    fn start(&mut self, cx: &mut Cx<'_>) {
        self.begin_loading(cx);
        self.look_for_remarks(cx);
        self.settle(cx.area);
    }

    fn open(&mut self, objects: Vec<Opened>, cx: &mut Cx<'_>) {
        self.take_in(objects);
        self.look_for_remarks(cx);
        self.settle(cx.area);
    }

    fn action(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let before = self.current;
        let consumed = self.act(action, cx);
        if before != self.current {
            self.look_for_remarks(cx);
        }
        self.settle(cx.area);
        consumed
    }

    fn mouse(&mut self, mouse: &MouseEvent, clicks: u8, cx: &mut Cx<'_>) -> Consumed {
        let before = self.current;
        let consumed = match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(mouse.column, mouse.row, clicks),
            MouseEventKind::ScrollDown => self.wheel(mouse.column, mouse.row, true),
            MouseEventKind::ScrollUp => self.wheel(mouse.column, mouse.row, false),
            _ => Consumed::No,
        };
        if before != self.current {
            self.look_for_remarks(cx);
        }
        self.settle(cx.area);
        consumed
    }

    fn submit(&mut self, kind: PromptKind, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let answer = match kind {
            PromptKind::Command => self.go_to(text, cx),
            PromptKind::Search => self.search(text, cx),
            PromptKind::Save => self.save(text, cx),
            PromptKind::Retype => self.retype(text, cx),
            PromptKind::Password => self.try_password(text, cx),
            PromptKind::Setting => Ok(()),
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

    fn wake_at(&self) -> Option<Duration> {
        self.busy.wake_at()
    }

    fn tick(&mut self, cx: &mut Cx<'_>) -> Consumed {
        self.busy.turn(cx.now.since, BUSY_STEP)
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let panes = layout::panes(area, self.documents.len() > 1, self.focus);
        let Some((document, view)) = self.view() else {
            let text = if self.busy.loading() {
                format!("{} loading", self.busy.sign(look.theme))
            } else {
                "nothing to show: no object was found".to_owned()
            };
            let style = look.theme.style(super::theme::Token::Dim);
            frame.buffer_mut().set_stringn(area.x + 2, area.y + 1, text, area.width.into(), style);
            return;
        };
        card::draw(frame, panes.card, document, view, look);
        if panes.documents.height > 0 {
            let focused = self.focus == Pane::Documents;
            let count = grouped(self.documents.len() as u64);
            pane_title(frame, panes.documents, "Documents", &count, focused, look);
            let inner = layout::inside(panes.documents);
            list::draw(frame, inner, &self.documents, self.current, self.list_top, focused, look);
        }
        if panes.tree.height > 0 {
            let focused = self.focus == Pane::Tree;
            let (title, rows) = self.titles();
            let remark = self.busy.remark(look.theme).unwrap_or(rows);
            pane_title(frame, panes.tree, &title, &remark, focused, look);
            let inner = beside(panes.tree, panes.documents, frame, look);
            tree::draw(frame, inner, document, view, self.density, focused, look);
        }
        if panes.octets.height > 0 {
            let focused = self.focus == Pane::Octets;
            let at = format!("0x{:x}", view.octet);
            pane_title(frame, panes.octets, "Octets", &at, focused, look);
            let inner = beside(panes.octets, panes.tree, frame, look);
            octets::draw(frame, inner, document, view, focused, look);
        }
        if panes.meaning.height > 0 {
            pane_title(frame, panes.meaning, "Meaning", "", false, look);
            let inner = beside(panes.meaning, panes.octets, frame, look);
            meaning::draw(frame, inner, document, view, look);
        }
    }
}

/// The inside of `pane`; where `left` stands beside it, a line is drawn between them.
fn beside(pane: Rect, left: Rect, frame: &mut Frame<'_>, look: &Look<'_>) -> Rect {
    let inner = layout::inside(pane);
    if left.height == 0 || left.right() != pane.x || pane.width < 3 {
        return inner;
    }
    divider(frame, inner, look);
    let tee = look.theme.glyphs.tee_down;
    let style = look.theme.style(super::theme::Token::Border);
    frame.buffer_mut().set_string(pane.x, pane.y, tee, style);
    Rect { x: inner.x + 1, width: inner.width - 1, ..inner }
}
