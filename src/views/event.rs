//! Messages in, effects out, and what a screen is.
//!
//! `update(&mut State, Msg) -> Vec<Effect>` does no input or output: the runtime carries the
//! effects out and answers with messages. The clock comes in with each message.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::action::{Action, Context};
use super::keymap::Keymap;
use super::prompt::{Prompt, PromptKind};
use super::theme::Theme;

/// Text of more octets than this is not copied: its base64 form must fit in the 100,000 octets
/// that common terminals accept in one OSC 52 sequence.
pub const COPY_LIMIT: usize = 74_994;

/// The time, injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Now {
    /// Seconds since 1970-01-01 UTC, for what is shown.
    pub unix: i64,
    /// Since the program began, for what moves or expires.
    pub since: Duration,
}

/// What happened.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The window has this many columns and rows.
    Resize(u16, u16),
    /// Text was pasted.
    Paste(String),
    /// A job reports.
    Job(JobEvent),
    /// The runtime says how an effect went.
    Note(Note),
    /// The time that [`super::bench::Bench::wake_at`] asked for has come.
    Tick,
}

/// What the runtime has to do.
#[derive(Debug)]
pub enum Effect {
    /// Leave.
    Quit,
    /// Stop the process as the shell's job control does.
    Suspend,
    /// Clear the terminal and draw all cells.
    Redraw,
    /// Put text on the clipboard with OSC 52; `what` names it in the answer.
    Copy {
        /// What it is, as `hex of serialNumber`.
        what: String,
        /// The text.
        text: String,
    },
    /// Write octets to a new file.
    Save {
        /// Where; an existing file is not overwritten.
        path: PathBuf,
        /// What.
        octets: Octets,
    },
    /// Start a job; an older one of the same kind is cancelled.
    Start(Job),
    /// Cancel the job of this kind.
    Cancel(JobKind),
}

/// Octets that somebody owns: a `Vec`, or a part of a mapped file.
pub struct Octets(pub Box<dyn AsRef<[u8]> + Send>);

impl std::fmt::Debug for Octets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} octets", (*self.0).as_ref().len())
    }
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Something was done.
    Info,
    /// Something was not done.
    Warn,
    /// Something failed.
    Bad,
}

/// A line for the footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// One sentence without a full stop, without control characters.
    pub text: String,
}

/// One kind of background work; one job of a kind runs at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JobKind(pub &'static str);

/// A job's number, so that reports of a replaced one are known as stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// The work of a job. What it returns becomes [`JobReport::Done`].
pub type Work = Box<dyn FnOnce(&JobContext) -> Payload + Send>;

/// Work to start.
pub struct Job {
    /// Its kind.
    pub kind: JobKind,
    /// Its number.
    pub id: JobId,
    /// What it does, on a thread of its own.
    pub work: Work,
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({} {})", self.kind.0, self.id.0)
    }
}

/// What a job hands over; the screen that started it knows the type.
pub struct Payload(Box<dyn Any + Send>);

impl Payload {
    /// Wraps a value.
    #[must_use]
    pub fn new<T: Any + Send>(value: T) -> Self {
        Self(Box::new(value))
    }

    /// Takes the value out.
    ///
    /// # Errors
    /// Gives the payload back when it holds another type.
    pub fn take<T: Any>(self) -> Result<T, Self> {
        self.0.downcast().map(|value| *value).map_err(Self)
    }
}

impl std::fmt::Debug for Payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Payload")
    }
}

/// A report of a job.
#[derive(Debug)]
pub struct JobEvent {
    /// The job's kind.
    pub kind: JobKind,
    /// The job's number.
    pub id: JobId,
    /// What it says.
    pub report: JobReport,
}

/// What a job says.
#[derive(Debug)]
pub enum JobReport {
    /// A part of the result; more comes.
    Part(Payload),
    /// The last report: all is done.
    Done(Payload),
    /// The last report: it panicked or could not start.
    Failed(String),
}

/// What a running job may use.
pub struct JobContext {
    cancel: Arc<AtomicBool>,
    report: Box<dyn Fn(Payload) + Send>,
}

impl JobContext {
    /// A context that reports parts to `report`.
    #[must_use]
    pub fn new(cancel: Arc<AtomicBool>, report: Box<dyn Fn(Payload) + Send>) -> Self {
        Self { cancel, report }
    }

    /// Whether nobody waits for the result any more. A job asks often and returns early.
    #[must_use]
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The flag behind [`Self::cancelled`], for functions that take one.
    #[must_use]
    pub fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Reports a part of the result.
    pub fn part<T: Any + Send>(&self, value: T) {
        (self.report)(Payload::new(value));
    }
}

/// Whether a component used an event. A used event leads to a new frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consumed {
    /// Yes.
    Yes,
    /// No: the next one may have it.
    No,
}

/// What a screen may use while it handles an event.
#[derive(Debug)]
pub struct Cx<'a> {
    /// The time.
    pub now: Now,
    /// The area that the screen draws on: the window without the top and the bottom line.
    pub area: Rect,
    pub(super) out: &'a mut Outbox,
}

/// An object that one screen hands to the browser.
#[derive(Debug, Clone)]
pub struct Opened {
    /// What it is, as `certificate 17 of run 41`; made visible already.
    pub title: String,
    /// Its octets, DER or not.
    pub octets: Arc<[u8]>,
}

/// What screens asked for while they handled an event.
#[derive(Debug, Default)]
pub struct Outbox {
    pub(super) effects: Vec<Effect>,
    pub(super) note: Option<Note>,
    pub(super) prompt: Option<Prompt>,
    pub(super) open: Vec<Opened>,
    pub(super) jobs: u64,
    pub(super) started: Vec<(JobKind, Option<JobId>)>,
}

impl<'a> Cx<'a> {
    /// A context; for the bench and for tests of screens.
    #[must_use]
    pub fn new(now: Now, area: Rect, out: &'a mut Outbox) -> Self {
        Self { now, area, out }
    }

    /// Shows a line in the footer for some seconds.
    pub fn say(&mut self, level: Level, text: impl Into<String>) {
        self.out.note = Some(Note { level, text: text.into() });
    }

    /// Shows a line that says that something was done.
    pub fn info(&mut self, text: impl Into<String>) {
        self.say(Level::Info, text);
    }

    /// Shows a line that says why nothing was done.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Level::Warn, text);
    }

    /// Asks for a line of text; the answer goes to [`Screen::submit`].
    pub fn prompt(&mut self, prompt: Prompt) {
        self.out.prompt = Some(prompt);
    }

    /// Copies text, or says that it is too large. `what` names it, as `hex of serialNumber`.
    pub fn copy(&mut self, what: impl Into<String>, text: impl Into<String>) {
        let (what, text) = (what.into(), text.into());
        if text.len() > COPY_LIMIT {
            self.warn(format!(
                "{what}: {} octets are more than a terminal's clipboard takes; save it instead",
                text.len()
            ));
        } else {
            self.out.effects.push(Effect::Copy { what, text });
        }
    }

    /// Writes octets to a new file.
    pub fn save(&mut self, path: impl Into<PathBuf>, octets: impl AsRef<[u8]> + Send + 'static) {
        let octets = Octets(Box::new(octets));
        self.out.effects.push(Effect::Save { path: path.into(), octets });
    }

    /// Opens objects in the browser and shows the first of them. Esc there comes back to this
    /// screen.
    pub fn open(&mut self, objects: Vec<Opened>) {
        self.out.open = objects;
    }

    /// Starts a job in the background. It replaces the job of the same kind, whose reports
    /// never arrive from then on.
    pub fn start(
        &mut self,
        kind: JobKind,
        work: impl FnOnce(&JobContext) -> Payload + Send + 'static,
    ) -> JobId {
        self.out.jobs += 1;
        let id = JobId(self.out.jobs);
        self.out.started.push((kind, Some(id)));
        self.out.effects.push(Effect::Start(Job { kind, id, work: Box::new(work) }));
        id
    }

    /// Cancels the job of a kind; its reports never arrive from then on.
    pub fn cancel(&mut self, kind: JobKind) {
        self.out.started.push((kind, None));
        self.out.effects.push(Effect::Cancel(kind));
    }

    /// Any other effect.
    pub fn effect(&mut self, effect: Effect) {
        self.out.effects.push(effect);
    }
}

impl Outbox {
    /// The effects so far, for tests of screens.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Takes the effects, for tests that run jobs themselves.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The objects to open in the browser.
    #[must_use]
    pub fn opened(&self) -> &[Opened] {
        &self.open
    }

    /// The footer line that was asked for.
    #[must_use]
    pub fn note(&self) -> Option<&Note> {
        self.note.as_ref()
    }
}

/// What a screen draws with.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// Colours and glyphs.
    pub theme: &'a Theme,
    /// The keys, for hints.
    pub keymap: &'a Keymap,
    /// The time.
    pub now: Now,
}

/// A screen: its state, its actions, its drawing.
///
/// The order for a key: an open help or prompt takes it, then [`Screen::key`] (a popup of the
/// screen's own), then the key map makes an action of it for [`Screen::action`]. To leave and
/// to go back are the bench's to do when the screen does not consume them: a popup closes first.
///
/// A screen that is not shown is not ticked and not drawn; the reports of its jobs arrive.
pub trait Screen {
    /// Its context of the key map.
    fn context(&self) -> Context;

    /// The action that shows it: its id and keys name it in the header.
    fn shown_by(&self) -> Action;

    /// What is open, for the right end of the header, as `mozilla-roots  37/118`; made visible
    /// already.
    fn title(&self) -> String;

    /// The title for a window where [`Screen::title`] does not fit.
    fn short_title(&self) -> String {
        self.title()
    }

    /// The most useful keys here, best first; the footer shows the first that fit.
    fn hints(&self) -> Vec<Action>;

    /// It is shown for the first time, or has to open objects; for jobs that load what is shown.
    fn start(&mut self, _cx: &mut Cx<'_>) {}

    /// It is shown, the first time after [`Screen::start`], and again after another screen was.
    fn shown(&mut self, _cx: &mut Cx<'_>) {}

    /// Another screen hands over objects; for the browser.
    fn open(&mut self, _objects: Vec<Opened>, _cx: &mut Cx<'_>) {}

    /// A raw key before the key map, for a popup of the screen's own.
    fn key(&mut self, _key: &KeyEvent, _cx: &mut Cx<'_>) -> Consumed {
        Consumed::No
    }

    /// An action that a key or the `:` prompt asked for.
    fn action(&mut self, action: Action, cx: &mut Cx<'_>) -> Consumed;

    /// The mouse, in coordinates of the window; `clicks` is 2 for the second press of a double
    /// click.
    fn mouse(&mut self, _mouse: &MouseEvent, _clicks: u8, _cx: &mut Cx<'_>) -> Consumed {
        Consumed::No
    }

    /// The answer to a prompt. What the `:` prompt cannot find among the actions comes as
    /// [`PromptKind::Command`].
    ///
    /// # Errors
    /// One sentence without a full stop; the prompt stays open with it.
    fn submit(&mut self, kind: PromptKind, text: &str, cx: &mut Cx<'_>) -> Result<(), String>;

    /// The text of an open prompt changed; for search as you type.
    fn typed(&mut self, _kind: PromptKind, _text: &str, _cx: &mut Cx<'_>) {}

    /// A prompt was closed without an answer.
    fn dismissed(&mut self, _kind: PromptKind, _cx: &mut Cx<'_>) {}

    /// A job of this screen reports. Stale reports do not arrive.
    fn job(&mut self, _event: JobEvent, _cx: &mut Cx<'_>) -> Consumed {
        Consumed::No
    }

    /// The window changed its size; `cx.area` is the new one.
    fn resized(&mut self, _cx: &mut Cx<'_>) {}

    /// When [`Screen::tick`] wants to be called next, in time since the start; for a busy sign.
    fn wake_at(&self) -> Option<Duration> {
        None
    }

    /// The time of [`Screen::wake_at`] has come.
    fn tick(&mut self, _cx: &mut Cx<'_>) -> Consumed {
        Consumed::No
    }

    /// What stays on the terminal after leaving: lines of safe text, as a summary of results.
    fn farewell(&self) -> Option<String> {
        None
    }

    /// Draws on `area`.
    fn draw(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>);
}
