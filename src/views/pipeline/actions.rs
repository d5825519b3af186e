//! What the actions do to the state.

use super::Pipeline;
use super::popup::{Field, Popup};
use super::table;
use crate::views::action::Action;
use crate::views::event::{Consumed, Cx};
use crate::views::prompt::{Prompt, PromptKind};

impl Pipeline {
    pub(super) fn act(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        if self.popup.is_some()
            && let Some(consumed) = self.act_in_popup(action, cx)
        {
            return consumed;
        }
        if let Some(by) = self.steps(action) {
            self.step_by(by);
            return Consumed::Yes;
        }
        match action {
            Action::Enter => self.enter(cx),
            Action::Cancel | Action::Quit => return self.close(action),
            Action::NextPane | Action::PreviousPane => {
                self.aside ^= true;
                if !self.compares() {
                    cx.info("there is nothing to compare with yet");
                }
            }
            Action::StartRun => self.start_run(cx),
            Action::RestartRun => self.restart(cx),
            Action::StopRun => {
                if !self.stop_run(cx) {
                    cx.warn("nothing runs that could stop");
                }
            }
            Action::Pause => {
                self.pause(cx);
                self.refresh_unless_frozen(cx);
            }
            Action::Freeze => self.freeze(cx),
            Action::MoreWorkers => self.change_workers(1, cx),
            Action::FewerWorkers => self.change_workers(-1, cx),
            Action::LogScale => self.log ^= true,
            Action::Window => self.toggle_window(cx),
            Action::Settings => self.popup = Some(Popup::default()),
            Action::ChooseAlgorithm => self.popup = Some(Popup::at(Field::Algorithm)),
            Action::ChooseBackend => self.popup = Some(Popup::at(Field::Backend)),
            Action::ChooseSizes => {
                self.popup = Some(Popup::at(Field::Sizes));
                self.ask(Field::Sizes, cx);
            }
            Action::Export => self.ask_where(cx),
            _ => return Consumed::No,
        }
        Consumed::Yes
    }

    /// `None` for what the popup leaves to the panel.
    fn act_in_popup(&mut self, action: Action, cx: &mut Cx<'_>) -> Option<Consumed> {
        let popup = self.popup.as_mut()?;
        let field = popup.field();
        match action {
            Action::Up => popup.step(-1),
            Action::Down => popup.step(1),
            Action::First => popup.step(isize::MIN),
            Action::Last => popup.step(isize::MAX),
            Action::Left => field.turn(&mut self.settings, &self.sources.backends, false),
            Action::Enter if field.question().is_some() => self.ask(field, cx),
            Action::Right | Action::Enter => {
                field.turn(&mut self.settings, &self.sources.backends, true);
            }
            Action::Settings => self.popup = None,
            _ => return None,
        }
        Some(Consumed::Yes)
    }

    /// By how many rows an action moves.
    fn steps(&self, action: Action) -> Option<isize> {
        let area = if self.objects.is_some() { self.area } else { self.areas.table };
        let lines = area.height.saturating_sub(1);
        let page = isize::try_from(lines.saturating_sub(1).max(1)).unwrap_or(1);
        Some(match action {
            Action::Up => -1,
            Action::Down => 1,
            Action::PageUp => -page,
            Action::PageDown => page,
            Action::HalfPageUp => -(page / 2).max(1),
            Action::HalfPageDown => (page / 2).max(1),
            Action::First => isize::MIN,
            Action::Last => isize::MAX,
            _ => return None,
        })
    }

    /// Moves in what is on top.
    pub(super) fn step_by(&mut self, by: isize) {
        if let Some(list) = &mut self.objects {
            return list.step(by);
        }
        let last = self.stages().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }

    pub(super) fn enter(&mut self, cx: &mut Cx<'_>) {
        if self.objects.is_some() {
            self.open_object(cx);
        } else if self.work.is_some() {
            self.list_objects(cx);
        } else {
            self.start_run(cx);
        }
    }

    /// Closes what is on top. To leave is not consumed when only the panel is there.
    fn close(&mut self, action: Action) -> Consumed {
        if self.popup.take().is_some() {
            return Consumed::Yes;
        }
        if action == Action::Cancel && self.objects.take().is_some() {
            return Consumed::Yes;
        }
        Consumed::No
    }

    fn freeze(&mut self, cx: &mut Cx<'_>) {
        if self.frozen.take().is_some() {
            self.refresh(cx);
        } else if self.work.as_ref().is_some_and(|work| work.figures.is_some()) {
            self.frozen = Some(cx.now.since);
        } else {
            cx.warn("there is nothing to freeze yet");
        }
    }

    pub(super) fn refresh_unless_frozen(&mut self, cx: &mut Cx<'_>) {
        if self.frozen.is_none() {
            self.refresh(cx);
        }
    }

    fn toggle_window(&mut self, cx: &mut Cx<'_>) {
        self.windowed ^= true;
        if let Some(work) = &mut self.work {
            work.rework(self.windowed);
        }
        let words = if self.windowed { "the last 10 seconds" } else { "all repetitions" };
        cx.info(format!("times of {words}"));
    }

    fn ask(&mut self, field: Field, cx: &mut Cx<'_>) {
        if let Some(question) = field.question() {
            let prompt = Prompt::new(PromptKind::Setting, question);
            cx.prompt(prompt.with_text(field.typed(&self.settings)));
        }
    }

    /// Takes what was typed for the chosen setting.
    pub(super) fn typed_setting(&mut self, text: &str) -> Result<(), String> {
        match self.popup {
            Some(popup) => popup.field().take(&mut self.settings, text),
            None => Ok(()),
        }
    }

    fn ask_where(&self, cx: &mut Cx<'_>) {
        let Some(work) = self.work.as_ref().filter(|work| !work.results.is_empty()) else {
            return cx.warn("no batch size is finished yet");
        };
        let name =
            format!("pipeline-{}-{}.json", work.settings.ca_algorithm, work.settings.backend);
        cx.prompt(Prompt::new(PromptKind::Save, "save the results to ").with_text(name));
    }

    /// Saves the results to a new file.
    pub(super) fn export(&self, path: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        if path.is_empty() {
            return Err("a file needs a name".to_owned());
        }
        let results = self.work.as_ref().map(|work| work.results.as_slice()).unwrap_or_default();
        cx.save(path, (self.sources.export)(results));
        Ok(())
    }

    /// Chooses the stage in a line of the table.
    pub(super) fn choose_line(&mut self, row: u16) -> bool {
        let line = usize::from(row.saturating_sub(self.areas.table.y + table::HEAD));
        let index = self.top + line;
        let found = row >= self.areas.table.y + table::HEAD && index < self.stages();
        if found {
            self.chosen = index;
        }
        found
    }
}
