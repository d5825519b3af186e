//! The bench: all screens, and what stands around them: header, footer, help, prompt, notes.

use std::collections::HashMap;
use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::text::Line;

use super::action::{Action, Context, TABLE};
use super::bars::{self, Tab};
use super::event::{
    Consumed, Cx, Effect, JobEvent, JobId, JobKind, JobReport, Level, Look, Msg, Note, Now, Opened,
    Outbox, Screen,
};
use super::help::Help;
use super::keymap::{Keymap, Lookup, Press, Sequence};
use super::prompt::{Outcome, Prompt, PromptKind};
use super::theme::Theme;

/// The smallest window that screens are drawn on, in columns and rows.
pub const SMALLEST: (u16, u16) = (60, 16);

/// How long a note stays.
const NOTE_STAYS: Duration = Duration::from_secs(6);

/// Two presses within this time on the same cell are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// The state of everything on screen.
pub struct Bench {
    screens: Vec<Place>,
    current: usize,
    /// The screen that opened an object in the browser: Esc comes back to it.
    asker: Option<usize>,
    keymap: Keymap,
    theme: Theme,
    size: (u16, u16),
    pending: Sequence,
    prompt: Option<Prompt>,
    help: Option<Help>,
    note: Option<(Note, Duration)>,
    outbox: Outbox,
    /// The newest job of each kind and the screen that started it.
    jobs: HashMap<JobKind, (JobId, usize)>,
    click: Option<(MouseButton, u16, u16, Duration)>,
    dirty: bool,
}

/// A screen and whether it was ever shown.
struct Place {
    screen: Box<dyn Screen>,
    started: bool,
}

impl Bench {
    /// A bench of `screens`, the first of them on top, in a window of `size` columns and rows.
    #[must_use]
    pub fn new(
        screens: Vec<Box<dyn Screen>>,
        keymap: Keymap,
        theme: Theme,
        size: (u16, u16),
    ) -> Self {
        let place = |screen| Place { screen, started: false };
        Self {
            screens: screens.into_iter().map(place).collect(),
            current: 0,
            asker: None,
            keymap,
            theme,
            size,
            pending: Vec::new(),
            prompt: None,
            help: None,
            note: None,
            outbox: Outbox::default(),
            jobs: HashMap::new(),
            click: None,
            dirty: true,
        }
    }

    /// With the screen that `action` shows on top at the beginning.
    #[must_use]
    pub fn with_first(mut self, action: Action) -> Self {
        self.current = self.shown_by(action).unwrap_or(self.current);
        self
    }

    /// Lets the screen on top begin; the others begin when they are shown first.
    pub fn start(&mut self, now: Now) -> Vec<Effect> {
        self.show(self.current, now);
        self.effects(now)
    }

    /// What stays on the terminal after leaving.
    #[must_use]
    pub fn farewell(&self) -> Option<String> {
        let texts: Vec<String> =
            self.screens.iter().filter_map(|place| place.screen.farewell()).collect();
        let text = texts.join("\n");
        let text = if self.theme.is_ascii() {
            text.replace('…', self.theme.glyphs.ellipsis).replace('µ', "u")
        } else {
            text
        };
        (!text.is_empty()).then_some(text)
    }

    /// Takes a message in; what comes out is for the runtime to do.
    pub fn update(&mut self, msg: Msg, now: Now) -> Vec<Effect> {
        let consumed = match msg {
            // A release tells nothing that the press did not.
            Msg::Key(key) if key.kind == KeyEventKind::Release => Consumed::No,
            Msg::Key(key) => self.key(&key, now),
            Msg::Mouse(mouse) => self.mouse(mouse, now),
            Msg::Resize(columns, rows) => {
                self.size = (columns, rows);
                for index in 0..self.screens.len() {
                    self.with_screen(index, now, |screen, cx| screen.resized(cx));
                }
                Consumed::Yes
            }
            Msg::Paste(text) => self.paste(&text, now),
            Msg::Job(event) => self.job(event, now),
            Msg::Note(note) => {
                self.outbox.note = Some(note);
                Consumed::Yes
            }
            Msg::Tick => self.tick(now),
        };
        self.dirty |= consumed == Consumed::Yes;
        self.effects(now)
    }

    /// Whether something that is drawn may have changed since the last call.
    pub fn take_dirty(&mut self) -> bool {
        std::mem::take(&mut self.dirty)
    }

    /// When [`Msg::Tick`] is needed next, in time since the start.
    #[must_use]
    pub fn wake_at(&self) -> Option<Duration> {
        let note = self.note.as_ref().map(|(_, until)| *until);
        let screen = self.current_screen().and_then(Screen::wake_at);
        [note, screen].into_iter().flatten().min()
    }

    /// The area between the header and the footer.
    fn body(&self) -> Rect {
        body_of(Rect::new(0, 0, self.size.0, self.size.1))
    }

    fn context(&self) -> Context {
        self.current_screen().map_or(Context::Global, Screen::context)
    }

    fn current_screen(&self) -> Option<&dyn Screen> {
        self.screens.get(self.current).map(|place| place.screen.as_ref())
    }

    /// The screen that an action shows.
    fn shown_by(&self, action: Action) -> Option<usize> {
        self.screens.iter().position(|place| place.screen.shown_by() == action)
    }

    /// Puts a screen on top.
    fn show(&mut self, index: usize, now: Now) {
        self.current = index;
        self.begin(index, now);
        self.with_screen(index, now, |screen, cx| screen.shown(cx));
    }

    /// Lets a screen begin, once.
    fn begin(&mut self, index: usize, now: Now) {
        if let Some(place) = self.screens.get_mut(index)
            && !std::mem::replace(&mut place.started, true)
        {
            self.with_screen(index, now, |screen, cx| screen.start(cx));
        }
    }

    /// A person goes to a screen: from there Esc leads nowhere.
    fn go_to(&mut self, index: usize, now: Now) -> Consumed {
        self.asker = None;
        if index != self.current {
            self.show(index, now);
        }
        Consumed::Yes
    }

    /// Shows objects that the screen on top wants opened.
    fn open(&mut self, objects: Vec<Opened>, now: Now) {
        let Some(browser) = self.shown_by(Action::ShowBrowse) else { return };
        self.begin(browser, now);
        self.with_screen(browser, now, |screen, cx| screen.open(objects, cx));
        if browser != self.current {
            self.asker = Some(self.current);
            self.show(browser, now);
        }
        self.dirty = true;
    }

    fn with_screen<T>(
        &mut self,
        index: usize,
        now: Now,
        run: impl FnOnce(&mut dyn Screen, &mut Cx<'_>) -> T,
    ) -> Option<T> {
        let area = self.body();
        let place = self.screens.get_mut(index)?;
        let mut cx = Cx::new(now, area, &mut self.outbox);
        let out = run(place.screen.as_mut(), &mut cx);
        for (kind, id) in self.outbox.started.drain(..) {
            match id {
                Some(id) => self.jobs.insert(kind, (id, index)),
                None => self.jobs.remove(&kind),
            };
        }
        let objects = std::mem::take(&mut self.outbox.open);
        // Whoever went to another screen meanwhile is not called away from it.
        if !objects.is_empty() && index == self.current {
            self.open(objects, now);
        }
        Some(out)
    }

    fn with_current<T>(
        &mut self,
        now: Now,
        run: impl FnOnce(&mut dyn Screen, &mut Cx<'_>) -> T,
    ) -> Option<T> {
        self.with_screen(self.current, now, run)
    }

    /// Takes what the screens asked for.
    fn effects(&mut self, now: Now) -> Vec<Effect> {
        if let Some(note) = self.outbox.note.take() {
            self.note = Some((note, now.since + NOTE_STAYS));
            self.dirty = true;
        }
        if let Some(prompt) = self.outbox.prompt.take() {
            self.prompt = Some(prompt);
            self.dirty = true;
        }
        self.outbox.take_effects()
    }

    fn key(&mut self, key: &KeyEvent, now: Now) -> Consumed {
        if self.prompt.is_some() {
            return self.prompt_key(key, now);
        }
        // A key is an answer to a note: it has been read.
        let cleared = if self.note.take().is_some() { Consumed::Yes } else { Consumed::No };
        if self.help.is_none() && self.pending.is_empty() {
            let used = self.with_current(now, |screen, cx| screen.key(key, cx));
            if used == Some(Consumed::Yes) {
                return Consumed::Yes;
            }
        }
        let Some(press) = Press::from_event(key) else { return cleared };
        self.pending.push(press);
        match self.keymap.lookup(self.context(), &self.pending) {
            Lookup::Run(action) => {
                let shown = self.pending.len() > 1;
                self.pending.clear();
                let used = self.run(action, now);
                if shown || used == Consumed::Yes { Consumed::Yes } else { cleared }
            }
            Lookup::Pending => Consumed::Yes,
            Lookup::None => {
                let popup = self.pending.len() > 1;
                self.pending.clear();
                if popup { Consumed::Yes } else { cleared }
            }
        }
    }

    /// Runs an action: the bench's own, then the help's, then the screen's.
    fn run(&mut self, action: Action, now: Now) -> Consumed {
        let (context, area) = (self.context(), self.body());
        if let Some(help) = &mut self.help {
            if matches!(action, Action::Cancel | Action::Help | Action::Quit) {
                self.help = None;
                return Consumed::Yes;
            }
            return help.action(action, context, area);
        }
        match action {
            Action::Suspend => self.outbox.effects.push(Effect::Suspend),
            Action::Redraw => self.outbox.effects.push(Effect::Redraw),
            Action::Help => self.help = Some(Help::default()),
            Action::Command => self.prompt = Some(command_prompt(context)),
            _ => {
                if let Some(index) = self.shown_by(action) {
                    return self.go_to(index, now);
                }
                let used = self.with_current(now, |screen, cx| screen.action(action, cx));
                return match (used, action) {
                    (Some(Consumed::Yes), _) => Consumed::Yes,
                    (_, Action::Quit) => {
                        self.outbox.effects.push(Effect::Quit);
                        Consumed::Yes
                    }
                    (_, Action::Cancel) => self.go_back(now),
                    _ => Consumed::No,
                };
            }
        }
        Consumed::Yes
    }

    /// Nothing on the screen is there to close: back to the screen that opened it.
    fn go_back(&mut self, now: Now) -> Consumed {
        let Some(asker) = self.asker else { return Consumed::No };
        self.go_to(asker, now)
    }

    fn prompt_key(&mut self, key: &KeyEvent, now: Now) -> Consumed {
        let Some(prompt) = &mut self.prompt else { return Consumed::No };
        let outcome = prompt.key(key);
        self.prompt_outcome(&outcome, now)
    }

    fn prompt_outcome(&mut self, outcome: &Outcome, now: Now) -> Consumed {
        let Some(mut prompt) = self.prompt.take() else { return Consumed::No };
        let kind = prompt.kind();
        match outcome {
            Outcome::Kept => self.prompt = Some(prompt),
            Outcome::Typed => {
                self.with_current(now, |screen, cx| screen.typed(kind, prompt.text(), cx));
                self.prompt = Some(prompt);
            }
            Outcome::Dismissed => {
                self.with_current(now, |screen, cx| screen.dismissed(kind, cx));
            }
            Outcome::Submitted => {
                if let Err(message) = self.submit(kind, &prompt, now) {
                    prompt.refuse(message);
                    self.prompt = Some(prompt);
                }
            }
        }
        Consumed::Yes
    }

    fn submit(&mut self, kind: PromptKind, prompt: &Prompt, now: Now) -> Result<(), String> {
        let text = prompt.text();
        if kind == PromptKind::Command {
            let context = self.context();
            let name = text.trim();
            if name.is_empty() {
                return Ok(());
            }
            if let Some(action) = Action::by_id(name).filter(|action| works(*action, context)) {
                self.run(action, now);
                return Ok(());
            }
        }
        self.with_current(now, |screen, cx| screen.submit(kind, text, cx)).unwrap_or(Ok(()))
    }

    fn paste(&mut self, text: &str, now: Now) -> Consumed {
        let Some(prompt) = &mut self.prompt else { return Consumed::No };
        let outcome = prompt.paste(text);
        self.prompt_outcome(&outcome, now)
    }

    fn mouse(&mut self, mouse: MouseEvent, now: Now) -> Consumed {
        // No screen shows anything under a pointer that only moves.
        let moves = mouse.kind == MouseEventKind::Moved;
        if moves || self.prompt.is_some() || self.too_small() {
            return Consumed::No;
        }
        if self.help.is_some() {
            let action = match mouse.kind {
                MouseEventKind::ScrollUp => Action::Up,
                MouseEventKind::ScrollDown => Action::Down,
                MouseEventKind::Down(_) => Action::Cancel,
                _ => return Consumed::No,
            };
            return self.run(action, now);
        }
        let mut clicks = 0;
        if let MouseEventKind::Down(button) = mouse.kind {
            clicks = self.clicks(button, mouse, now);
            if !self.pending.is_empty() {
                self.pending.clear();
                return Consumed::Yes;
            }
            if mouse.row == 0 {
                let Some(index) = bars::tab_at(&self.tabs(), mouse.column) else {
                    return Consumed::No;
                };
                return self.go_to(index, now);
            }
        }
        self.with_current(now, |screen, cx| screen.mouse(&mouse, clicks, cx))
            .unwrap_or(Consumed::No)
    }

    /// 2 for the second press of a double click, otherwise 1.
    fn clicks(&mut self, button: MouseButton, mouse: MouseEvent, now: Now) -> u8 {
        let (column, row) = (mouse.column, mouse.row);
        let double = self.click.is_some_and(|(before, x, y, at)| {
            (before, x, y) == (button, column, row) && now.since.saturating_sub(at) <= DOUBLE_CLICK
        });
        // A third press begins anew.
        self.click = (!double).then_some((button, column, row, now.since));
        if double { 2 } else { 1 }
    }

    fn job(&mut self, event: JobEvent, now: Now) -> Consumed {
        let Some(&(id, screen)) = self.jobs.get(&event.kind) else { return Consumed::No };
        if id != event.id {
            return Consumed::No;
        }
        if !matches!(event.report, JobReport::Part(_)) {
            self.jobs.remove(&event.kind);
        }
        if let JobReport::Failed(reason) = &event.report {
            let text = format!("{} failed: {reason}", event.kind.0);
            self.outbox.note = Some(Note { level: Level::Bad, text });
        }
        let used = self.with_screen(screen, now, |screen, cx| screen.job(event, cx));
        // What changes on a screen that is not shown needs no frame.
        if screen == self.current { used.unwrap_or(Consumed::No) } else { Consumed::No }
    }

    fn tick(&mut self, now: Now) -> Consumed {
        let mut consumed = Consumed::No;
        if self.note.as_ref().is_some_and(|(_, until)| now.since >= *until) {
            self.note = None;
            consumed = Consumed::Yes;
        }
        let due = self.current_screen().and_then(Screen::wake_at);
        if due.is_some_and(|due| now.since >= due)
            && self.with_current(now, |screen, cx| screen.tick(cx)) == Some(Consumed::Yes)
        {
            consumed = Consumed::Yes;
        }
        consumed
    }

    fn too_small(&self) -> bool {
        self.size.0 < SMALLEST.0 || self.size.1 < SMALLEST.1
    }

    fn tabs(&self) -> Vec<Tab> {
        let context = self.context();
        let key = |action| self.keymap.keys(context, action).into_iter().next().unwrap_or_default();
        let screens = self.screens.iter().enumerate();
        screens
            .map(|(index, place)| Tab {
                key: key(place.screen.shown_by()),
                name: place.screen.context().title(),
                active: index == self.current,
            })
            .collect()
    }

    /// Draws everything.
    pub fn draw(&self, frame: &mut Frame<'_>, now: Now) {
        let area = frame.area();
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            too_small(frame, area);
            return;
        }
        let look = Look { theme: &self.theme, keymap: &self.keymap, now };
        let (top, body, bottom) = (row(area, 0), body_of(area), row(area, area.height - 1));
        let screen = self.current_screen();
        let titles = screen.map(|screen| [screen.title(), screen.short_title()]);
        let titles = titles.as_ref().map(<[String; 2]>::as_slice).unwrap_or_default();
        bars::header(frame, top, &self.tabs(), titles, &self.theme);
        if let Some(screen) = screen {
            screen.draw(frame, body, &look);
        }
        if let Some(help) = &self.help {
            help.draw(frame, body, self.context(), &look);
        }
        if !self.pending.is_empty() {
            self.draw_pending(frame, body);
        }
        match &self.prompt {
            Some(prompt) => prompt.draw(frame, bottom, &self.theme),
            None => self.draw_footer(frame, bottom, &look),
        }
        if self.theme.is_ascii() {
            self.write_in_ascii(frame);
        }
    }

    /// Some texts come from where no theme is known.
    fn write_in_ascii(&self, frame: &mut Frame<'_>) {
        for cell in &mut frame.buffer_mut().content {
            match cell.symbol() {
                "…" => cell.set_symbol(self.theme.glyphs.ellipsis),
                "µ" => cell.set_symbol("u"),
                "·" => cell.set_symbol(self.theme.glyphs.dot),
                "●" => cell.set_symbol(self.theme.glyphs.bar_mark),
                "×" => cell.set_symbol("x"),
                _ => cell,
            };
        }
    }

    fn draw_footer(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let mut actions = match self.current_screen() {
            Some(screen) if self.help.is_none() => screen.hints(),
            _ => vec![Action::Cancel, Action::PageDown, Action::PageUp],
        };
        if !actions.contains(&Action::Help) {
            actions.insert(0, Action::Help);
        }
        let context = self.context();
        let hints: Vec<(String, &str)> =
            actions.into_iter().filter_map(|action| self.keymap.hint(context, action)).collect();
        let note = self.note.as_ref().map(|(note, _)| note);
        bars::footer(frame, area, &hints, note, look);
    }

    fn draw_pending(&self, frame: &mut Frame<'_>, area: Rect) {
        let pressed: String = self.pending.iter().map(Press::to_string).collect();
        let following: Vec<(String, &str)> = self
            .keymap
            .following(self.context(), &self.pending)
            .into_iter()
            .map(|(keys, action)| (keys, action.entry().doc))
            .collect();
        bars::pending(frame, area, &pressed, &following, &self.theme);
    }
}

/// Whether an action can be run while a screen of this context is shown.
fn works(action: Action, context: Context) -> bool {
    let home = action.entry().context;
    home == context || home == Context::Global
}

fn command_prompt(context: Context) -> Prompt {
    let names = TABLE
        .iter()
        .filter(|entry| works(entry.action, context))
        .map(|entry| entry.id.to_owned())
        .collect();
    Prompt::new(PromptKind::Command, ": ").with_candidates(names)
}

fn row(area: Rect, index: u16) -> Rect {
    Rect { y: area.y + index, height: 1, ..area }
}

fn body_of(area: Rect) -> Rect {
    Rect { y: area.y + 1, height: area.height.saturating_sub(2), ..area }
}

fn too_small(frame: &mut Frame<'_>, area: Rect) {
    let lines = [
        format!("The window is {} x {}.", area.width, area.height),
        format!("pkiscope needs {} x {}.", SMALLEST.0, SMALLEST.1),
    ];
    let top = area.height.saturating_sub(2) / 2;
    for (index, line) in (top..area.height).zip(lines) {
        let fits = line.len() <= usize::from(area.width);
        // A centred line that does not fit would lose its beginning.
        let alignment = if fits { Alignment::Center } else { Alignment::Left };
        frame.render_widget(Line::raw(line).alignment(alignment), row(area, index));
    }
}

#[cfg(test)]
mod tests;
