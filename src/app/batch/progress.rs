//! The bar on standard error, for work that takes long.

use std::io::{self, IsTerminal as _};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Work that takes less shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// Tells how far the work is, when somebody looks: standard error is a terminal, and standard
/// output, where the data goes, is none.
#[derive(Debug, Clone)]
pub struct Progress {
    started: Instant,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Nothing is shown yet.
    #[must_use]
    pub fn new() -> Self {
        let watched = io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self { started: Instant::now(), watched, bar: None }
    }

    /// Never shows anything.
    #[must_use]
    pub fn hidden() -> Self {
        Self { started: Instant::now(), watched: false, bar: None }
    }

    /// Says that octet `done` of `total` of the source `name` is reached.
    pub fn at(&mut self, name: &str, done: u64, total: u64) {
        if !self.watched || (self.bar.is_none() && self.started.elapsed() < PATIENCE) {
            return;
        }
        let bar = self.bar.get_or_insert_with(start);
        bar.set_length(total);
        bar.set_position(done);
        bar.set_message(name.to_owned());
    }

    /// Does something that writes to the terminal itself.
    pub fn aside<T>(&self, f: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(f),
            None => f(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn start() -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{spinner} {elapsed} [{bar:24}] {bytes} of {total_bytes}  {wide_msg}",
    );
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(TICK);
    // A signal ends the program as ever, but not in the middle of the bar's line.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        let shown = bar.clone();
        thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                shown.finish_and_clear();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_looks_during_a_test() {
        for mut progress in [Progress::new(), Progress::hidden()] {
            progress.at("x", 1, 2);
            assert!(progress.bar.is_none());
            assert_eq!(progress.aside(|| 7), 7);
        }
    }
}
