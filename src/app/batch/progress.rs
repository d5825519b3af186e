//! The bar on standard error, for work that takes long.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Work that takes less shows no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the sign of life moves.
const TICK: Duration = Duration::from_millis(120);

/// Tells how far the work is, when somebody looks: standard error is a terminal, and standard
/// output, where the data goes, is none.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Dropped when the work is done: who waits to show the bar then knows.
    _working: Option<Sender<()>>,
}

impl Progress {
    /// A bar that shows itself when the work takes long; `written` counts the octets of the
    /// output, which is the sign of life in the middle of one large object.
    #[must_use]
    pub fn new(written: Arc<AtomicU64>) -> Self {
        if !io::stderr().is_terminal() || io::stdout().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::hidden().with_style(style(written));
        let (working, done) = bounded::<()>(0);
        let shown = bar.clone();
        thread::spawn(move || {
            if done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                show(&shown);
            }
        });
        Self { bar, _working: Some(working) }
    }

    /// Never shows anything.
    #[must_use]
    pub fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), _working: None }
    }

    /// Says that octet `done` of `total` of the source `name` is reached.
    pub fn at(&self, name: &str, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        if done == 0 {
            self.bar.set_message(name.to_owned());
        }
    }

    /// Does something that writes to the terminal itself.
    pub fn aside<T>(&self, f: impl FnOnce() -> T) -> T {
        self.bar.suspend(f)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn style(written: Arc<AtomicU64>) -> ProgressStyle {
    let template = "{spinner} {elapsed} [{bar:24}] {bytes} of {total_bytes}, \
                    {written} written  {wide_msg}";
    let style = ProgressStyle::with_template(template);
    let count = move |_: &ProgressState, out: &mut dyn fmt::Write| {
        // A bar that cannot be drawn is no bar.
        let _ = write!(out, "{}", HumanBytes(written.load(Ordering::Relaxed)));
    };
    style
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("written", count)
        .progress_chars("=> ")
        .tick_chars("|/-\\ ")
}

fn show(bar: &ProgressBar) {
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.enable_steady_tick(TICK);
    // A signal ends the program as ever, but not in the middle of the bar's line.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP])
        && let Some(signal) = signals.forever().next()
    {
        bar.finish_and_clear();
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
}

/// Counts what is written.
#[derive(Debug)]
pub struct Counted<W> {
    inner: W,
    written: Arc<AtomicU64>,
}

impl<W: Write> Counted<W> {
    /// Adds to `written` what goes to `inner`.
    pub const fn new(inner: W, written: Arc<AtomicU64>) -> Self {
        Self { inner, written }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(octets)?;
        self.written.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_looks_during_a_test() {
        for progress in [Progress::new(Arc::default()), Progress::hidden()] {
            progress.at("x", 1, 2);
            assert!(progress.bar.is_hidden());
            assert_eq!(progress.aside(|| 7), 7);
        }
    }

    #[test]
    fn the_bar_tells_how_far_the_work_is() {
        use indicatif::TermLike;
        use std::sync::Mutex;

        #[derive(Debug, Clone, Default)]
        struct Screen(Arc<Mutex<String>>);
        impl TermLike for Screen {
            fn width(&self) -> u16 {
                120
            }
            fn move_cursor_up(&self, _: usize) -> io::Result<()> {
                Ok(())
            }
            fn move_cursor_down(&self, _: usize) -> io::Result<()> {
                Ok(())
            }
            fn move_cursor_right(&self, _: usize) -> io::Result<()> {
                Ok(())
            }
            fn move_cursor_left(&self, _: usize) -> io::Result<()> {
                Ok(())
            }
            fn write_line(&self, text: &str) -> io::Result<()> {
                self.write_str(text)
            }
            fn write_str(&self, text: &str) -> io::Result<()> {
                self.0.lock().unwrap().push_str(text);
                Ok(())
            }
            fn clear_line(&self) -> io::Result<()> {
                Ok(())
            }
            fn flush(&self) -> io::Result<()> {
                Ok(())
            }
        }

        let screen = Screen::default();
        let written = Arc::<AtomicU64>::default();
        let mut out = Counted::new(Vec::new(), Arc::clone(&written));
        out.write_all(&[0; 2048]).unwrap();
        let bar = ProgressBar::hidden().with_style(style(written));
        let progress = Progress { bar, _working: None };
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        progress.bar.set_draw_target(target);
        progress.at("roots.pem", 0, 4096);
        progress.at("roots.pem", 1024, 4096);
        progress.bar.tick();
        let shown = screen.0.lock().unwrap().clone();
        for part in ["roots.pem", "of 4.00 KiB", "2.00 KiB written"] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }
}
