//! What the actions do to the state.

use super::layout::{self, Pane};
use super::sources::{Exported, Form};
use super::{Runs, Side, list, words};
use crate::pki::runs::State;
use crate::views::action::Action;
use crate::views::event::{Consumed, Cx};
use crate::views::prompt::{Prompt, PromptKind};

impl Runs {
    pub(super) fn act(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let page = self.page();
        match action {
            Action::Up => self.step(-1),
            Action::Down => self.step(1),
            Action::PageUp => self.step(-page),
            Action::PageDown => self.step(page),
            Action::HalfPageUp => self.step(-(page / 2).max(1)),
            Action::HalfPageDown => self.step((page / 2).max(1)),
            Action::First => self.step(i64::MIN),
            Action::Last => self.step(i64::MAX),
            Action::NextPane | Action::PreviousPane => self.turn(),
            Action::Enter | Action::RunDetails => self.open(cx),
            Action::MarkA => self.mark(true, cx),
            Action::MarkB => self.mark(false, cx),
            Action::CompareRuns => self.show_comparison(cx),
            Action::ExportRun => self.ask_path(cx),
            Action::DeleteRun => self.ask_delete(cx),
            Action::ReloadRuns => self.reload(cx),
            Action::Cancel if self.focus == Pane::Side => self.close(),
            _ => return Consumed::No,
        }
        Consumed::Yes
    }

    fn page(&self) -> i64 {
        let rows = match self.focus {
            Pane::List => list::height(layout::inside(self.panes.list)),
            Pane::Side => u64::from(layout::inside(self.panes.side).height.saturating_sub(6)),
        };
        i64::try_from(rows.max(2) - 1).unwrap_or(1)
    }

    /// Moves by so many rows in the pane with the focus.
    pub(super) fn step(&mut self, by: i64) {
        let moved =
            |from: u64, rows: u64| from.saturating_add_signed(by).min(rows.saturating_sub(1));
        match self.focus {
            Pane::List => self.row = moved(self.row, self.entries.len() as u64),
            Pane::Side => self.side_row = moved(self.side_row, self.side_rows()),
        }
    }

    fn turn(&mut self) {
        self.focus = if self.focus == Pane::List { Pane::Side } else { Pane::List };
    }

    /// Back to the list; the comparison takes the place of the details.
    fn close(&mut self) {
        self.side = Side::Comparison;
        self.side_row = 0;
        self.focus = Pane::List;
    }

    /// Shows the run under the cursor in detail.
    pub(super) fn open(&mut self, cx: &mut Cx<'_>) {
        if let Some(id) = self.current().map(|stored| stored.run.id.clone()) {
            self.load(id, cx);
        }
    }

    /// Makes the run under the cursor A or B.
    fn mark(&mut self, is_a: bool, cx: &mut Cx<'_>) {
        let Some(stored) = self.current() else { return };
        if stored.state == State::Running {
            return cx.warn(format!("{} is not finished", words::name(&stored.run)));
        }
        if stored.state == State::Interrupted {
            return cx
                .warn(format!("{} was interrupted: it has no figures", words::name(&stored.run)));
        }
        if stored.state == State::Broken {
            return cx.warn(format!("{} is broken: it does not read", words::name(&stored.run)));
        }
        let id = Some(stored.run.id.clone());
        self.chosen = true;
        *(if is_a { &mut self.a } else { &mut self.b }) = id;
        self.pair = None;
        self.side = Side::Comparison;
        self.side_row = 0;
        self.compare(cx);
    }

    fn show_comparison(&mut self, cx: &mut Cx<'_>) {
        if self.a.is_none() || self.b.is_none() {
            return cx.warn(self.invitation());
        }
        if self.side != Side::Comparison {
            self.side = Side::Comparison;
            self.side_row = 0;
        }
        self.focus = Pane::Side;
        self.compare(cx);
    }

    fn ask_delete(&mut self, cx: &mut Cx<'_>) {
        if self.focus != Pane::List {
            return cx.warn("choose the run in the list");
        }
        let Some(stored) = self.current() else { return };
        match stored.run.id.parse() {
            Ok(number) if stored.state != State::Published => self.confirm = Some(number),
            _ => cx.warn("a published reference is built in"),
        }
    }

    /// Asks where to save what the pane with the focus shows.
    fn ask_path(&mut self, cx: &mut Cx<'_>) {
        let name = match (self.focus, &self.side, &self.pair) {
            (Pane::Side, Side::Comparison, Some(Ok(pair))) => {
                format!("runs-{}-{}.md", file_name(&pair.a.run.id), file_name(&pair.b.run.id))
            }
            (Pane::Side, Side::Details(stored), _) => {
                format!("run-{}.json", file_name(&stored.run.id))
            }
            (Pane::List, ..) => return self.open_to_export(cx),
            (Pane::Side, ..) => return cx.warn("there is nothing to save"),
        };
        let prompt = Prompt::new(PromptKind::Save, "save as .json, .csv or .md: ");
        cx.prompt(prompt.with_text(name));
    }

    /// A run of the list has to be read before it is saved.
    fn open_to_export(&mut self, cx: &mut Cx<'_>) {
        self.open(cx);
        cx.info("the run opens; e saves it");
    }

    /// Saves what the pane with the focus shows.
    pub(super) fn export(&mut self, path: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let path = path.trim();
        let form = Form::of(path).ok_or("the name must end in .json, .csv or .md")?;
        let exported = match (&self.side, &self.pair) {
            (Side::Details(stored), _) => Exported::Run(stored),
            (Side::Comparison, Some(Ok(pair))) => Exported::Pair(pair),
            (Side::Comparison, _) => return Err("there is nothing to save".to_owned()),
        };
        cx.save(path, (self.sources.export)(&exported, form));
        Ok(())
    }

    /// Chooses the run of this number or name in the list.
    pub(super) fn go_to(&mut self, text: &str) -> Result<(), String> {
        let wanted = text.trim().trim_start_matches('#');
        let row = self.entries.iter().position(|stored| stored.run.id == wanted);
        let row = row.ok_or_else(|| format!("no run is called {wanted:?}"))?;
        self.row = row as u64;
        self.focus = Pane::List;
        Ok(())
    }
}

/// An id in the name of a file.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
}
