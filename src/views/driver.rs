//! Screens driven by keys, on a window in memory, with the jobs run on the spot; for tests.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};

use super::bench::Bench;
use super::event::{Effect, JobContext, JobEvent, JobKind, JobReport, Msg, Now, Screen};
use super::keymap::Keymap;
use super::snapshot;
use super::theme::Theme;

/// The smaller window of the snapshots.
pub const SMALL: (u16, u16) = (80, 24);

/// The larger window of the snapshots.
pub const LARGE: (u16, u16) = (200, 60);

/// 2026-11-20 12:00 UTC.
pub const NOW: Now = Now { unix: 1_795_176_000, since: Duration::from_secs(5) };

/// The bench with screens on it, and what it wants of the world.
pub struct Driver {
    /// The bench.
    pub bench: Bench,
    /// Columns and rows.
    pub window: (u16, u16),
    /// The time, [`NOW`] at first.
    pub now: Now,
    /// Effects that were not carried out.
    pub left: Vec<Effect>,
    /// Jobs of this kind begin and do not end until [`Self::release`].
    pub hold: Option<JobKind>,
    held: Vec<JobEvent>,
}

impl Driver {
    /// A bench of `screens`, the first of them on top.
    pub fn new(screens: Vec<Box<dyn Screen>>, window: (u16, u16), theme: Theme) -> Self {
        let bench = Bench::new(screens, Keymap::default(), theme, window);
        let (left, held) = (Vec::new(), Vec::new());
        let mut driver = Self { bench, window, now: NOW, left, hold: None, held };
        let effects = driver.bench.start(NOW);
        driver.carry_out(effects);
        driver
    }

    /// Runs jobs where they stand; other effects are kept for the test.
    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            let Effect::Start(job) = effect else {
                self.left.push(effect);
                continue;
            };
            let (kind, id) = (job.kind, job.id);
            let (parts, received) = mpsc::channel();
            let context = JobContext::new(
                Arc::new(AtomicBool::new(false)),
                Box::new(move |payload| parts.send(payload).unwrap()),
            );
            let last = (job.work)(&context);
            drop(context);
            let parts = received.into_iter().map(JobReport::Part);
            for report in parts.chain([JobReport::Done(last)]) {
                let event = JobEvent { kind, id, report };
                if self.hold == Some(kind) && matches!(event.report, JobReport::Done(_)) {
                    self.held.push(event);
                } else {
                    self.send(Msg::Job(event));
                }
            }
        }
    }

    /// Lets the held jobs end.
    pub fn release(&mut self) {
        for event in std::mem::take(&mut self.held) {
            self.send(Msg::Job(event));
        }
    }

    /// Gives the bench a message and carries out what it wants.
    pub fn send(&mut self, msg: Msg) {
        let effects = self.bench.update(msg, self.now);
        self.carry_out(effects);
    }

    /// Lets time pass; the bench is woken once, if it asked to be.
    pub fn pass(&mut self, time: Duration) {
        self.now.since += time;
        self.now.unix += i64::try_from(time.as_secs()).unwrap();
        if self.bench.wake_at().is_some_and(|due| due <= self.now.since) {
            self.send(Msg::Tick);
        }
    }

    /// Types each character; `\r` is Enter, `\x1b` is Esc, `\t` is Tab.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for c in keys.chars() {
            let code = match c {
                '\r' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            };
            self.key(code);
        }
        self
    }

    /// Presses a key.
    pub fn key(&mut self, code: KeyCode) {
        self.send(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Does something with the mouse.
    pub fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// The window with its styles, for a snapshot.
    pub fn screen(&self) -> String {
        snapshot::screen(self.window, |frame| self.bench.draw(frame, self.now))
    }

    /// The rows of the window without the styles.
    pub fn rows(&self) -> Vec<String> {
        let rows = self.window.1.into();
        self.screen().lines().take(rows).map(str::to_owned).collect()
    }

    /// Whether some row has this text.
    pub fn has(&self, text: &str) -> bool {
        self.rows().iter().any(|row| row.contains(text))
    }

    /// Fails with the rows when none has this text.
    #[track_caller]
    pub fn assert_has(&self, text: &str) {
        assert!(self.has(text), "no {text:?} on\n{}", self.rows().join("\n"));
    }

    /// The text that was copied last.
    pub fn copied(&mut self) -> Option<String> {
        match self.left.pop() {
            Some(Effect::Copy { text, .. }) => Some(text),
            _ => None,
        }
    }
}
