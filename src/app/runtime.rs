//! The event loop.
//!
//! The thread that runs it owns the terminal. It waits in one place for input, reports of
//! jobs, signals and the time of the next frame; takes in everything that is there, then draws
//! at most once. When nothing changed it draws nothing.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};
use crossterm::event::{Event, KeyCode, KeyEvent, poll, read};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::jobs::Jobs;
use super::terminal::{self, Terminal};
use crate::asn1::text::visible;
use crate::views::bench::Bench;
use crate::views::event::{Effect, JobEvent, Level, Msg, Note, Now, Octets};

/// The shortest time between two frames: 30 a second.
const FRAME: Duration = Duration::from_nanos(33_333_333);

/// How long leaving waits for jobs to end in order.
const LEAVE: Duration = Duration::from_secs(2);

/// Messages that are taken in before a frame is considered, so that a flood of them cannot
/// keep the screen from being drawn.
const DRAIN: usize = 4096;

/// Reports of jobs that may wait; a job that is faster than the screen waits in turn.
const REPORTS: usize = 256;

/// When the next frame may be drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct FrameGate {
    last: Option<Duration>,
    wanted: bool,
}

impl FrameGate {
    /// Something changed.
    pub fn want(&mut self) {
        self.wanted = true;
    }

    /// Whether to draw now; if so, the frame counts as drawn.
    pub fn pass(&mut self, now: Duration) -> bool {
        let due = self.due().is_some_and(|due| now >= due);
        if due {
            self.wanted = false;
            self.last = Some(now);
        }
        due
    }

    /// When the wanted frame may be drawn; `None` when none is wanted.
    #[must_use]
    pub fn due(&self) -> Option<Duration> {
        self.wanted.then(|| self.last.map_or(Duration::ZERO, |last| last + FRAME))
    }
}

/// A test sets this variable to see that a panic gives the terminal back: F12 panics then.
const PANIC_KEY: &str = "PKISCOPE_PANIC_ON_F12";

/// The clock of the program.
#[derive(Debug, Clone, Copy)]
struct Clock {
    start: Instant,
}

impl Clock {
    fn now(self) -> Now {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Now { unix: i64::try_from(unix).unwrap_or(i64::MAX), since: self.start.elapsed() }
    }
}

/// How the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The person left.
    Quit,
    /// This signal asks to end; the terminal is given back already.
    Signal(i32),
}

/// Everything the loop waits for and works with.
struct Runtime {
    bench: Bench,
    terminal: Terminal,
    clock: Clock,
    gate: FrameGate,
    jobs: Jobs,
    saves: Vec<JoinHandle<()>>,
    notes: Sender<Note>,
    ended: Option<Ended>,
    panics: bool,
}

/// Opens the terminal and runs until the person leaves or a signal comes. `bench` makes the
/// screens for a window of columns and rows.
///
/// # Errors
/// The terminal cannot be taken, read or written.
pub fn run(bench: impl FnOnce((u16, u16)) -> Bench) -> anyhow::Result<Ended> {
    let signals = watch_signals().context("signals")?;
    let terminal = Terminal::take().context("terminal")?;
    // Before the size is asked for: from here on a change of it is told.
    let input = read_input().context("input")?;
    let (reports, job_events) = bounded(REPORTS);
    let (notes, saved) = unbounded();
    let mut runtime = Runtime {
        bench: bench(terminal.size().context("terminal")?),
        terminal,
        clock: Clock { start: Instant::now() },
        gate: FrameGate::default(),
        jobs: Jobs::new(reports),
        saves: Vec::new(),
        notes,
        ended: None,
        panics: std::env::var_os(PANIC_KEY).is_some(),
    };
    let sources = Sources { input, job_events, saved, signals };
    let ended = runtime.run(&sources);
    // With nobody to take them, reports hold up no job.
    drop(sources);
    drop(runtime.terminal);
    if !runtime.jobs.end(LEAVE) {
        tracing::warn!("left while a job still works");
    }
    if matches!(ended, Ok(Ended::Quit))
        && let Some(text) = runtime.bench.farewell()
    {
        // A terminal that is gone needs no summary.
        let _ = writeln!(io::stdout(), "{}", text.trim_end());
    }
    // A file that is being written is finished first.
    for save in runtime.saves {
        if save.join().is_err() {
            tracing::error!("a save ended in a panic");
        }
    }
    ended
}

/// Where messages come from.
struct Sources {
    input: Receiver<io::Result<Event>>,
    job_events: Receiver<JobEvent>,
    saved: Receiver<Note>,
    signals: Receiver<i32>,
}

/// What arrived.
enum Arrival {
    Input(io::Result<Event>),
    Job(JobEvent),
    Note(Note),
    Signal(i32),
    Time,
}

impl Sources {
    /// Waits for the next thing, at most for `timeout`.
    fn wait(&self, timeout: Option<Duration>) -> Arrival {
        let time = timeout.map_or_else(never, after);
        select! {
            recv(self.signals) -> signal => signal.map_or(Arrival::Signal(SIGTERM), Arrival::Signal),
            recv(self.input) -> event => Arrival::Input(event.unwrap_or_else(|_| Err(closed()))),
            recv(self.job_events) -> event => event.map_or(Arrival::Time, Arrival::Job),
            recv(self.saved) -> note => note.map_or(Arrival::Time, Arrival::Note),
            recv(time) -> _ => Arrival::Time,
        }
    }

    /// The next thing that is there already.
    fn poll(&self) -> Option<Arrival> {
        if let Ok(signal) = self.signals.try_recv() {
            return Some(Arrival::Signal(signal));
        }
        if let Ok(event) = self.input.try_recv() {
            return Some(Arrival::Input(event));
        }
        if let Ok(event) = self.job_events.try_recv() {
            return Some(Arrival::Job(event));
        }
        self.saved.try_recv().ok().map(Arrival::Note)
    }
}

fn closed() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")
}

impl Runtime {
    fn run(&mut self, sources: &Sources) -> anyhow::Result<Ended> {
        let effects = self.bench.start(self.clock.now());
        self.carry_out(effects)?;
        loop {
            if self.bench.take_dirty() {
                self.gate.want();
            }
            if let Some(ended) = self.ended {
                return Ok(ended);
            }
            let now = self.clock.now();
            if self.gate.pass(now.since) {
                let bench = &self.bench;
                self.terminal.draw(|frame| bench.draw(frame, now)).context("terminal")?;
            }
            let until = [self.gate.due(), self.bench.wake_at()].into_iter().flatten().min();
            let timeout = until.map(|until| until.saturating_sub(self.clock.now().since));
            let mut arrival = Some(sources.wait(timeout));
            for _ in 0..DRAIN {
                let Some(next) = arrival else { break };
                self.take_in(next)?;
                arrival = if self.ended.is_some() { None } else { sources.poll() };
            }
        }
    }

    fn take_in(&mut self, arrival: Arrival) -> anyhow::Result<()> {
        let msg = match arrival {
            Arrival::Input(event) => match event.context("terminal")? {
                Event::Key(key) => {
                    self.panic_if_asked(key);
                    Msg::Key(key)
                }
                Event::Mouse(mouse) => Msg::Mouse(mouse),
                Event::Resize(columns, rows) => Msg::Resize(columns, rows),
                Event::Paste(text) => Msg::Paste(text),
                Event::FocusGained | Event::FocusLost => return Ok(()),
            },
            Arrival::Job(event) => Msg::Job(event),
            Arrival::Note(note) => Msg::Note(note),
            Arrival::Signal(SIGTSTP) => return self.suspend(),
            Arrival::Signal(SIGCONT) => return self.redraw(),
            Arrival::Signal(signal) => {
                self.ended = Some(Ended::Signal(signal));
                return Ok(());
            }
            Arrival::Time => Msg::Tick,
        };
        let effects = self.bench.update(msg, self.clock.now());
        self.carry_out(effects)
    }

    fn panic_if_asked(&self, key: KeyEvent) {
        assert!(!self.panics || key.code != KeyCode::F(12), "asked for by {PANIC_KEY}");
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> anyhow::Result<()> {
        let mut effects = std::collections::VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Quit => self.ended = Some(Ended::Quit),
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.redraw()?,
                Effect::Copy { what, text } => {
                    self.terminal.copy(&text).context("terminal")?;
                    let text = format!("copied {what}");
                    effects.extend(self.note(Level::Info, text));
                }
                Effect::Save { path, octets } => effects.extend(self.save(path, octets)),
                Effect::Start(job) => {
                    tracing::debug!(?job, "start");
                    if let Err(event) = self.jobs.start(job) {
                        effects.extend(self.bench.update(Msg::Job(event), self.clock.now()));
                    }
                }
                Effect::Cancel(kind) => self.jobs.cancel(kind),
            }
        }
        Ok(())
    }

    fn note(&mut self, level: Level, text: String) -> Vec<Effect> {
        self.bench.update(Msg::Note(Note { level, text }), self.clock.now())
    }

    fn suspend(&mut self) -> anyhow::Result<()> {
        self.terminal.suspend().context("terminal")?;
        self.resized()
    }

    fn redraw(&mut self) -> anyhow::Result<()> {
        self.terminal.clear().context("terminal")?;
        self.resized()
    }

    /// The window may have changed while nobody listened.
    fn resized(&mut self) -> anyhow::Result<()> {
        let (columns, rows) = self.terminal.size().context("terminal")?;
        self.gate.want();
        let effects = self.bench.update(Msg::Resize(columns, rows), self.clock.now());
        self.carry_out(effects)
    }

    /// Writes a file on a thread of its own; disks can be slow.
    fn save(&mut self, path: PathBuf, octets: Octets) -> Vec<Effect> {
        self.saves.retain(|save| !save.is_finished());
        let notes = self.notes.clone();
        let body = move || {
            // Nobody reads the note when the program ends.
            let _ = notes.send(save_file(&path, (*octets.0).as_ref()));
        };
        match thread::Builder::new().name("save".to_owned()).spawn(body) {
            Ok(handle) => {
                self.saves.push(handle);
                Vec::new()
            }
            Err(error) => self.note(Level::Bad, format!("no thread to save with: {error}")),
        }
    }
}

/// Writes a new file and says how it went. A file that cannot be written whole is removed.
fn save_file(path: &Path, octets: &[u8]) -> Note {
    let name = visible(&path.display().to_string()).into_owned();
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| {
        file.write_all(octets).inspect_err(|_| {
            // What could not be written whole is of no use; the first error is the one to tell.
            let _ = std::fs::remove_file(path);
        })
    });
    match written {
        Ok(()) => {
            Note { level: Level::Info, text: format!("saved {} octets to {name}", octets.len()) }
        }
        Err(error) => Note { level: Level::Bad, text: format!("{name}: {error}") },
    }
}

/// Reads the terminal on a thread of its own, which ends with the program.
fn read_input() -> io::Result<Receiver<io::Result<Event>>> {
    // Makes the reader listen for SIGWINCH now, not when its thread comes to it.
    poll(Duration::ZERO)?;
    let (sender, receiver) = bounded(1024);
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let event = read();
            let last = event.is_err();
            if sender.send(event).is_err() || last {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// Listens for signals on a thread of its own.
///
/// The loop gets the first one and ends in order. When a second one that asks to end comes
/// before that, the loop is stuck: the thread gives the terminal back and ends the program.
fn watch_signals() -> io::Result<Receiver<i32>> {
    let (sender, receiver) = unbounded();
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut asked = false;
        for signal in signals.forever() {
            let ends = !matches!(signal, SIGTSTP | SIGCONT);
            if (asked && ends) || sender.send(signal).is_err() {
                terminal::restore();
                // It returns only when the signal cannot be raised.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            asked |= ends;
        }
    })?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn no_frame_unless_something_changed() {
        let mut gate = FrameGate::default();
        assert_eq!(gate.due(), None);
        assert!(!gate.pass(ms(0)) && !gate.pass(ms(60_000)));
        gate.want();
        assert!(gate.pass(ms(60_000)), "the first change is drawn at once");
        assert!(!gate.pass(ms(120_000)));
        assert_eq!(gate.due(), None);
    }

    #[test]
    fn thirty_frames_a_second_at_most() {
        let mut gate = FrameGate::default();
        let mut frames = 0;
        for millis in 0..10_000 {
            gate.want();
            frames += u32::from(gate.pass(ms(millis)));
        }
        assert!((290..=301).contains(&frames), "{frames}");
    }

    #[test]
    fn a_change_waits_for_its_time_and_no_longer() {
        let mut gate = FrameGate::default();
        gate.want();
        assert!(gate.pass(ms(100)));
        gate.want();
        assert!(!gate.pass(ms(120)));
        let due = gate.due().unwrap();
        assert!(due <= ms(134), "{due:?}");
        assert!(gate.pass(due));
    }

    #[test]
    fn a_save_never_overwrites() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a\u{1b}[31m.der");
        let note = save_file(&path, &[1, 2, 3]);
        assert_eq!(note.level, Level::Info);
        assert!(note.text.starts_with("saved 3 octets to "), "{}", note.text);
        assert!(!note.text.contains('\u{1b}'));
        let note = save_file(&path, &[4]);
        assert_eq!(note.level, Level::Bad);
        assert_eq!(std::fs::read(&path).unwrap(), [1, 2, 3]);
        let note = save_file(&dir.path().join("no").join("such"), &[4]);
        assert_eq!(note.level, Level::Bad);
    }
}
