//! The pipeline screen: stages, times, workers, live.
//!
//! [`Pipeline`] is its state. A run works on threads of its own and leaves pictures of itself in
//! a mailbox ([`crate::metrics::live`]); this screen takes the newest one ten times a second
//! while it is shown. `actions` and `run` change the state; `table`, `status`, `histogram`,
//! `trend`, `beside`, `objects`, `popup` and `idle` draw a part each.

mod actions;
mod beside;
mod figures;
mod histogram;
mod idle;
mod layout;
mod objects;
mod popup;
mod run;
mod settings;
mod sources;
mod status;
mod summary;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod trend;
mod work;

pub use self::settings::{BackendChoice, PipelineSettings, objection};
pub use self::sources::{
    Beside, Compare, Export, Launch, ObjectQuery, ObjectRow, Objects, Octets, Question, Sources,
};

use std::time::Duration;

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;

use self::beside::Comparison;
use self::layout::Areas;
use self::objects::ObjectList;
use self::popup::Popup;
use self::status::Status;
use self::table::Rows;
use self::work::Work;
use super::action::{Action, Context};
use super::event::{Consumed, Cx, JobEvent, Look, Screen};
use super::prompt::PromptKind;
use super::widgets::grouped;

/// Time between two looks at a run.
const SAMPLE: Duration = Duration::from_millis(100);

/// Rows that one turn of the mouse wheel moves.
const WHEEL: isize = 3;

/// The pipeline screen.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Pipeline {
    sources: Sources,
    /// What is chosen for the next run.
    settings: PipelineSettings,
    work: Option<Work>,
    /// The chosen stage, and the first one on the screen.
    chosen: usize,
    top: usize,
    /// When the view was frozen.
    frozen: Option<Duration>,
    /// Figures of the last seconds instead of the whole point.
    windowed: bool,
    /// Counts on a logarithmic scale.
    log: bool,
    /// A narrow window shows what is compared with instead of the histogram.
    aside: bool,
    /// A run starts when the screen does.
    at_once: bool,
    objects: Option<ObjectList>,
    /// How many lists there were: the number of the newest.
    lists: u64,
    popup: Option<Popup>,
    /// How often the mark of the running stage has moved.
    step: usize,
    /// When to look again.
    next: Duration,
    /// The time of the last look.
    now: Duration,
    area: Rect,
    areas: Areas,
}

impl Pipeline {
    /// A screen that has run nothing yet; `settings` are chosen at first.
    #[must_use]
    pub fn new(sources: Sources, settings: PipelineSettings) -> Self {
        Self {
            sources,
            settings,
            work: None,
            chosen: 0,
            top: 0,
            frozen: None,
            windowed: false,
            log: true,
            aside: false,
            at_once: false,
            objects: None,
            lists: 0,
            popup: None,
            step: 0,
            next: Duration::ZERO,
            now: Duration::ZERO,
            area: Rect::default(),
            areas: Areas::default(),
        }
    }

    /// A screen that starts a run as soon as it is shown first.
    #[must_use]
    pub fn at_once(self) -> Self {
        Self { at_once: true, ..self }
    }

    /// How many stages there are to choose from.
    fn stages(&self) -> usize {
        let figures = self.work.as_ref().and_then(|work| work.figures.as_ref());
        figures.map_or(0, |figures| figures.stages.len())
    }

    /// Whether there is something to compare with.
    fn compares(&self) -> bool {
        let beside = self.work.as_ref().map(|work| &work.beside);
        beside.is_some_and(|beside| beside.reference.is_some() || beside.last.is_some())
    }

    fn areas(&self, area: Rect) -> Areas {
        layout::areas(area, self.stages(), self.compares(), self.aside)
    }

    /// Places the parts and scrolls the cursor into the window.
    fn settle(&mut self, cx: &mut Cx<'_>) {
        self.area = cx.area;
        self.now = cx.now.since;
        self.areas = self.areas(cx.area);
        self.chosen = self.chosen.min(self.stages().saturating_sub(1));
        let height = usize::from(self.areas.table.height.saturating_sub(table::HEAD)).max(1);
        let lowest = (self.chosen + 1).saturating_sub(height);
        self.top = self.top.clamp(lowest, self.chosen.max(lowest));
        if let Some(list) = &mut self.objects {
            list.settle(usize::from(cx.area.height.saturating_sub(objects::HEAD)));
        }
        self.load_objects(cx);
    }

    /// What runs, how far it is; `short` for a narrow header.
    fn title_of(&self, short: bool) -> String {
        let dot = " · ";
        let settings = self.work.as_ref().map_or(&self.settings, |work| &work.settings);
        let mut parts = Vec::new();
        if let Some(frozen) = self.frozen {
            let age = self.now.saturating_sub(frozen).as_secs();
            parts.push(format!("FROZEN {} s ago", grouped(age)));
        }
        let Some(work) = &self.work else {
            parts.push("not started".to_owned());
            parts.push(algorithms(settings));
            parts.push(settings.backend.to_owned());
            return parts.join(dot);
        };
        let mark = work.state();
        let first = format!("{mark} {}", algorithms(settings));
        if mark == "●" {
            parts.push(if self.frozen.is_some() { algorithms(settings) } else { first });
        } else {
            parts.push(mark.to_owned());
            parts.push(algorithms(settings));
        }
        parts.push(settings.backend.to_owned());
        if let Some(figures) = &work.figures {
            let snapshot = &figures.snapshot;
            let (batch, repetition) = (grouped(snapshot.batch), snapshot.repetition);
            let (point, points) = snapshot.point;
            if short {
                parts.push(format!("{batch} × {repetition}"));
            } else {
                let of = if points > 1 {
                    format!(" ({} of {points})", point.saturating_add(1))
                } else {
                    String::new()
                };
                parts.push(format!("batch {batch}{of}"));
                parts.push(match repetition {
                    0 => "warm-up".to_owned(),
                    n => format!("rep {}", grouped(n.into())),
                });
            }
        }
        parts.join(dot)
    }

    fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect, work: &Work, look: &Look<'_>) {
        let Some(figures) = &work.figures else {
            return idle::draw_preparing(frame, area, work.end.as_ref(), look);
        };
        let areas = self.areas(area);
        let step = work.goes_on().then_some(self.step);
        let rows = Rows { chosen: self.chosen, top: self.top, step };
        table::draw(frame, areas.table, figures, rows, look);
        let outcome = work.outcome(&self.sources.store);
        let end = work.end.as_ref().map(|end| (outcome.as_str(), end.token()));
        let status = Status { figures, chosen: self.chosen, end };
        status::draw(frame, areas.status, &status, look);
        let Some(stage) = figures.snapshot.stages.get(self.chosen) else { return };
        let own = figures.stages.get(self.chosen);
        histogram::draw(frame, areas.histogram, stage.info.name, own, self.log, look);
        trend::draw(frame, areas.trend, stage, look);
        let comparison = Comparison { beside: &work.beside, figures, chosen: self.chosen };
        beside::draw(frame, areas.beside, &comparison, look);
    }
}

fn algorithms(settings: &PipelineSettings) -> String {
    match settings.key_algorithm.filter(|own| *own != settings.ca_algorithm) {
        Some(own) => format!("{}/{own}", settings.ca_algorithm),
        None => settings.ca_algorithm.to_string(),
    }
}

impl Screen for Pipeline {
    fn context(&self) -> Context {
        Context::Pipeline
    }

    fn shown_by(&self) -> Action {
        Action::ShowPipeline
    }

    fn title(&self) -> String {
        self.title_of(false)
    }

    fn short_title(&self) -> String {
        self.title_of(true)
    }

    fn hints(&self) -> Vec<Action> {
        if self.popup.is_some() {
            return vec![Action::Enter, Action::StartRun, Action::Cancel];
        }
        if self.objects.is_some() {
            return vec![Action::Enter, Action::Cancel, Action::Last];
        }
        match &self.work {
            None => vec![
                Action::StartRun,
                Action::Settings,
                Action::ChooseAlgorithm,
                Action::ChooseSizes,
            ],
            Some(work) if work.goes_on() => {
                vec![Action::Pause, Action::Freeze, Action::Enter, Action::MoreWorkers]
            }
            Some(_) => vec![Action::StartRun, Action::Settings, Action::Enter, Action::Export],
        }
    }

    fn start(&mut self, cx: &mut Cx<'_>) {
        if self.at_once {
            self.start_run(cx);
        }
    }

    fn shown(&mut self, cx: &mut Cx<'_>) {
        self.refresh_unless_frozen(cx);
        self.settle(cx);
    }

    fn action(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed {
        let consumed = self.act(action, cx);
        self.settle(cx);
        consumed
    }

    fn mouse(&mut self, mouse: &MouseEvent, clicks: u8, cx: &mut Cx<'_>) -> Consumed {
        let used = match mouse.kind {
            MouseEventKind::ScrollDown => {
                self.wheel(WHEEL);
                true
            }
            MouseEventKind::ScrollUp => {
                self.wheel(-WHEEL);
                true
            }
            MouseEventKind::Down(MouseButton::Left) => {
                self.click((mouse.column, mouse.row), clicks, cx)
            }
            _ => false,
        };
        self.settle(cx);
        if used { Consumed::Yes } else { Consumed::No }
    }

    fn submit(&mut self, kind: PromptKind, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        match kind {
            PromptKind::Setting => self.typed_setting(text),
            PromptKind::Save => self.export(text.trim(), cx),
            PromptKind::Command => Err("no action is called so; Tab completes".to_owned()),
            _ => Ok(()),
        }
    }

    fn job(&mut self, event: JobEvent, cx: &mut Cx<'_>) -> Consumed {
        let consumed = self.report(event, cx);
        self.settle(cx);
        consumed
    }

    fn resized(&mut self, cx: &mut Cx<'_>) {
        self.settle(cx);
    }

    fn wake_at(&self) -> Option<Duration> {
        if let Some(frozen) = self.frozen {
            // When the age in the title changes.
            let age = self.now.saturating_sub(frozen).as_secs();
            return Some(frozen + Duration::from_secs(age + 1));
        }
        self.work.as_ref().filter(|work| work.goes_on()).map(|_| self.next)
    }

    fn tick(&mut self, cx: &mut Cx<'_>) -> Consumed {
        let consumed = if self.frozen.is_some() { Consumed::Yes } else { self.refresh(cx) };
        self.settle(cx);
        consumed
    }

    fn farewell(&self) -> Option<String> {
        summary::text(self.work.as_ref()?, &self.sources.store)
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        match (&self.objects, &self.work) {
            (Some(list), _) => list.draw(frame, area, look),
            (None, Some(work)) => self.draw_panel(frame, area, work, look),
            (None, None) => idle::draw(frame, area, &self.settings, &self.sources, look),
        }
        if let Some(popup) = self.popup {
            let later = self.work.as_ref().is_some_and(Work::goes_on);
            popup.draw(frame, area, &self.settings, &self.sources.backends, later, look);
        }
    }
}

impl Pipeline {
    fn wheel(&mut self, by: isize) {
        match &mut self.popup {
            Some(popup) => popup.step(by.signum()),
            None => self.step_by(by),
        }
    }

    fn click(&mut self, (column, row): (u16, u16), clicks: u8, cx: &mut Cx<'_>) -> bool {
        if let Some(popup) = &mut self.popup {
            let found = popup.choose_at(cx.area, column, row);
            if found && clicks == 2 {
                self.act(Action::Enter, cx);
            }
            return found;
        }
        let top = cx.area.y + objects::HEAD;
        let found = if let Some(list) = &mut self.objects {
            row >= top && list.choose_line(usize::from(row - top))
        } else {
            self.areas.table.contains((column, row).into()) && self.choose_line(row)
        };
        if found && clicks == 2 {
            self.enter(cx);
        }
        found
    }
}
