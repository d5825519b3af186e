//! What the actions do to the state.

use super::layout::{self, Pane};
use super::place::{Place, parse};
use super::{Browse, View, jobs};
use crate::asn1::schema::types;
use crate::asn1::text::visible;
use crate::views::action::Action;
use crate::views::event::{Consumed, Cx};
use crate::views::prompt::{Prompt, PromptKind};

/// Rows that one action may open.
const OPEN_AT_ONCE: u64 = 200_000;

impl Browse {
    pub(super) fn act(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let page = i64::from(self.page());
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-page),
            Action::PageDown => self.step(page),
            Action::HalfPageUp => self.step(-(page / 2).max(1)),
            Action::HalfPageDown => self.step((page / 2).max(1)),
            Action::First => self.step(i64::MIN),
            Action::Last => self.step(i64::MAX),
            Action::Left => self.left(),
            Action::Right => self.right(),
            Action::Enter => self.enter(),
            Action::NextPane => self.focus_next(true),
            Action::PreviousPane => self.focus_next(false),
            Action::NextDocument => self.next_document(1),
            Action::PreviousDocument => self.next_document(-1),
            Action::Parent => self.parent(),
            Action::NextSibling => self.sibling(true),
            Action::PreviousSibling => self.sibling(false),
            Action::ExpandAll => self.expand_all(cx),
            Action::CollapseAll => self.collapse_all(),
            Action::Density => self.density = self.density.next(),
            Action::ToggleNested => self.toggle_nested(cx),
            Action::NextFinding => self.next_remark(true, cx),
            Action::PreviousFinding => self.next_remark(false, cx),
            Action::Back => self.history(View::go_back, "nothing to go back to", cx),
            Action::Forward => self.history(View::go_forward, "nothing to go forward to", cx),
            Action::Search => cx.prompt(Prompt::new(PromptKind::Search, "search ")),
            Action::NextHit => self.next_hit(true, cx),
            Action::PreviousHit => self.next_hit(false, cx),
            Action::Retype => Self::ask_type(cx),
            Action::Unlock => self.ask_password(cx),
            Action::Save => self.ask_path(cx),
            Action::Cancel => return self.cancel(cx),
            _ => return self.copy(action, cx),
        }
        Consumed::Yes
    }

    fn page(&self) -> u16 {
        let pane = match self.focus {
            Pane::Documents => self.panes.documents,
            Pane::Tree => self.panes.tree,
            Pane::Octets => self.panes.octets,
        };
        layout::inside(pane).height.max(1)
    }

    /// Moves by so many lines in the pane with the focus.
    pub(super) fn step(&mut self, by: i64) {
        let moved = |from: u64, last: u64| from.saturating_add_signed(by).min(last);
        let width = i64::from(layout::octets_per_line(self.panes.octets.width.saturating_sub(2)));
        match self.focus {
            Pane::Documents => {
                let last = self.documents.len().saturating_sub(1) as u64;
                let to = moved(self.current as u64, last);
                self.show(usize::try_from(to).unwrap_or(0));
            }
            Pane::Tree => {
                if let Some((document, view)) = self.view_mut() {
                    let to = moved(view.row, view.outline.rows().saturating_sub(1));
                    view.go_to_row(document, to);
                }
            }
            Pane::Octets => self.step_octets(by.saturating_mul(width)),
        }
    }

    fn step_octets(&mut self, by: i64) {
        if let Some((document, view)) = self.view_mut() {
            let last = (document.object().len() as u64).saturating_sub(1);
            let to = u64::from(view.octet).saturating_add_signed(by).min(last);
            if let Ok(octet) = u32::try_from(to) {
                view.go_to_octet(document, octet);
            }
        }
    }

    fn left(&mut self) {
        if self.focus == Pane::Octets {
            return self.step_octets(-1);
        }
        let Some((_, view)) = self.view_mut() else { return };
        let row = view.row;
        if !view.outline.close(row) {
            self.parent();
        }
    }

    fn right(&mut self) {
        if self.focus == Pane::Octets {
            return self.step_octets(1);
        }
        if let Some((document, view)) = self.view_mut()
            && !view.outline.open(document.object(), view.row)
            && view.chosen(document).is_some_and(|row| row.open)
        {
            view.go_to_row(document, view.row + 1);
        }
    }

    fn enter(&mut self) {
        match self.focus {
            Pane::Tree => self.toggle(),
            Pane::Documents | Pane::Octets => self.focus = Pane::Tree,
        }
    }

    pub(super) fn toggle(&mut self) {
        if let Some((document, view)) = self.view_mut() {
            let row = view.row;
            if !view.outline.close(row) {
                view.outline.open(document.object(), row);
            }
        }
    }

    fn focus_next(&mut self, forward: bool) {
        let order: &[Pane] = if self.documents.len() > 1 {
            &[Pane::Documents, Pane::Tree, Pane::Octets]
        } else {
            &[Pane::Tree, Pane::Octets]
        };
        let at = order.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        let by = if forward { 1 } else { order.len() - 1 };
        self.focus = order[(at + by) % order.len()];
    }

    fn next_document(&mut self, by: isize) {
        let count = self.documents.len();
        if count > 0 {
            let to = self.current.checked_add_signed(by).unwrap_or(count - 1);
            self.show(if to < count { to } else { 0 });
        }
    }

    fn parent(&mut self) {
        if let Some((document, view)) = self.view_mut()
            && let Some(parent) = view.outline.parent(view.row)
        {
            view.go_to_row(document, parent);
        }
    }

    fn sibling(&mut self, forward: bool) {
        let Some((document, view)) = self.view_mut() else { return };
        let Some(chosen) = view.chosen(document) else { return };
        let neighbour = if forward {
            Some(chosen.node.end)
        } else {
            // The octet in front of it belongs to the sibling before, unless that is a header.
            chosen.node.start.checked_sub(1)
        };
        let Some(octet) = neighbour else { return };
        let from = (view.row, view.octet);
        let depth = chosen.node.depth;
        if !view.go_to_octet(document, octet) {
            return;
        }
        while let Some(row) = view.chosen(document).filter(|row| row.node.depth > depth) {
            let Some(parent) = view.outline.parent(view.row) else { break };
            view.go_to_row(document, parent);
            if row.node.depth == depth {
                break;
            }
        }
        let landed = view.chosen(document).is_some_and(|row| row.node.depth == depth);
        if !landed {
            view.go_to_octet(document, from.1);
            view.row = from.0;
        }
    }

    fn expand_all(&mut self, cx: &mut Cx<'_>) {
        if let Some((document, view)) = self.view_mut()
            && !view.outline.open_below(document.object(), view.row, OPEN_AT_ONCE)
        {
            cx.warn(format!("opened {OPEN_AT_ONCE} rows, not all that is below"));
        }
    }

    fn collapse_all(&mut self) {
        if let Some((document, view)) = self.view_mut() {
            let row = view.row;
            if view.outline.close(row) {
                // Closing forgets what was open below.
                view.outline.open(document.object(), row);
            }
        }
    }

    fn toggle_nested(&mut self, cx: &mut Cx<'_>) {
        if let Some((document, view)) = self.view_mut() {
            let nested = !view.outline.is_nested();
            view.set_nested(document, nested);
            let word = if nested { "opened" } else { "left closed" };
            cx.info(format!("DER inside OCTET STRING and BIT STRING is {word}"));
        }
    }

    fn history(
        &mut self,
        go: impl FnOnce(&mut View, &super::Document) -> bool,
        nothing: &str,
        cx: &mut Cx<'_>,
    ) {
        if let Some((document, view)) = self.view_mut()
            && !go(view, document)
        {
            cx.warn(nothing);
        }
    }

    fn next_remark(&mut self, forward: bool, cx: &mut Cx<'_>) {
        let Some((document, view)) = self.view_mut() else { return };
        let Some(remarks) = &view.remarks else {
            return cx.info("still looking for findings");
        };
        let offsets: Vec<u32> = remarks.iter().map(|r| r.offset).collect();
        match jobs::neighbour(&offsets, view.octet, forward) {
            Some((index, offset, wrapped)) => {
                let remark = &remarks[index];
                let turn = if wrapped { ", from the other end" } else { "" };
                let text = format!(
                    "finding {} of {}{turn}: {} ({})",
                    index + 1,
                    remarks.len(),
                    remark.message,
                    remark.source
                );
                view.jump(document, offset);
                cx.info(text);
            }
            None => cx.info("no finding"),
        }
    }

    /// Goes to an offset: decimal, `0x` hexadecimal, or relative with `+` and `-`.
    pub(super) fn go_to(&mut self, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let Some((document, view)) = self.view_mut() else { return Err("nothing is open".into()) };
        let last = (document.object().len() as u64).saturating_sub(1);
        let octet = match parse(text)? {
            Place::At(octet) => octet,
            Place::By(by) => u64::from(view.octet).saturating_add_signed(by),
        };
        let fits = u32::try_from(octet).ok().filter(|_| octet <= last);
        let Some(octet) = fits else {
            return Err(format!("offset {octet} is beyond the last octet, {last}"));
        };
        view.jump(document, octet);
        cx.info(format!("at offset {octet} (0x{octet:x})"));
        Ok(())
    }

    fn ask_type(cx: &mut Cx<'_>) {
        let names = types::ALL.iter().map(|ty| ty.name.to_owned()).collect();
        let prompt = Prompt::new(PromptKind::Retype, "read as type (empty: as the schema says) ");
        cx.prompt(prompt.with_candidates(names));
    }

    pub(super) fn retype(&mut self, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let name = text.trim();
        let ty = match types::by_name(name) {
            Some(ty) => Some(ty),
            None if name.is_empty() => None,
            None => return Err(format!("no type is called {}; Tab completes", visible(name))),
        };
        if let Some((document, view)) = self.view_mut() {
            view.retype(document, ty);
            cx.info(
                ty.map_or("read as the schema says".into(), |ty| format!("read as {}", ty.name)),
            );
        }
        Ok(())
    }

    fn ask_password(&mut self, cx: &mut Cx<'_>) {
        if self.unlock.is_none() || self.document().is_none() {
            return cx.warn("nothing here takes a password");
        }
        cx.prompt(Prompt::new(PromptKind::Password, "password "));
    }

    fn cancel(&mut self, cx: &mut Cx<'_>) -> Consumed {
        if self.cancel_search(cx) {
            return Consumed::Yes;
        }
        if let Some((_, view)) = self.view_mut()
            && !view.hits.is_empty()
        {
            view.hits.clear();
            return Consumed::Yes;
        }
        if self.focus != Pane::Tree {
            self.focus = Pane::Tree;
            return Consumed::Yes;
        }
        Consumed::No
    }
}
