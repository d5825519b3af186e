//! The terminal: taken with a guard, given back on every way out.
//!
//! Each step of the restoration is tried, whatever the others did. The guard, the panic hook
//! and the signal thread may all come to it; the first one does it.

use std::io::{self, BufWriter, Stdout, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crossterm::clipboard::CopyToClipboard;
use crossterm::cursor::Show;
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::{ResetColor, force_color_output};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Frame;
use ratatui::Terminal as Ratatui;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;

use super::jobs::panic_text;

/// Octets of a frame that are gathered before they are written. A whole 200 x 60 frame in
/// colour is about 100 KB.
const FRAME_OCTETS: usize = 1 << 17;

/// Whether the terminal is ours and has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it gives it back.
pub struct Terminal {
    screen: Ratatui<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Terminal {
    /// Takes the terminal: raw mode, alternate screen, mouse, bracketed paste.
    ///
    /// # Errors
    /// There is no terminal, or it cannot be written.
    pub fn take() -> io::Result<Self> {
        // With NO_COLOR set, crossterm writes an empty colour sequence, which resets bold and
        // reverse too; the monochrome palette has no colours to write.
        force_color_output(true);
        enter()?;
        let out = BufWriter::with_capacity(FRAME_OCTETS, io::stdout());
        match Ratatui::new(CrosstermBackend::new(out)) {
            Ok(screen) => Ok(Self { screen }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// The terminal does not say.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        self.screen.size().map(|size| (size.width, size.height))
    }

    /// Draws a frame in one synchronized update.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        self.screen.draw(draw)?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)
    }

    /// Forgets what is on the terminal, so that the next frame writes every cell.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn clear(&mut self) -> io::Result<()> {
        // ratatui's own `clear` asks the terminal for the cursor, and the answer would go to
        // the thread that reads the input.
        let size = self.screen.size()?;
        self.screen.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Puts text on the clipboard with OSC 52. Whether the terminal does it is not known.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        execute!(self.screen.backend_mut(), CopyToClipboard::to_clipboard_from(text))
    }

    /// Gives the terminal back, stops the process as Ctrl-Z does in the shell, and takes the
    /// terminal again when the process goes on.
    ///
    /// # Errors
    /// The terminal cannot be taken again.
    pub fn suspend(&mut self) -> io::Result<()> {
        restore();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter()?;
        self.clear()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        restore();
    }
}

fn enter() -> io::Result<()> {
    TAKEN.store(true, Ordering::SeqCst);
    let taken = enable_raw_mode().and_then(|()| {
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste)
    });
    if taken.is_err() {
        restore();
    }
    taken
}

/// Gives the terminal back if it is ours. Safe to call from any thread and more than once.
pub fn restore() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // A step that fails must not keep the others from being tried, and there is nobody left
    // to tell.
    let _ = queue!(out, EndSynchronizedUpdate);
    let _ = queue!(out, DisableBracketedPaste);
    let _ = queue!(out, DisableMouseCapture);
    let _ = queue!(out, ResetColor);
    let _ = queue!(out, LeaveAlternateScreen);
    let _ = queue!(out, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// From now on a panic on this thread gives the terminal back and is told in one line; one on
/// another thread becomes a failed job and is only logged.
pub fn hook_panics() {
    let ui: ThreadId = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let text = panic_text(info.payload());
        tracing::error!(%place, "panic: {text}");
        if thread::current().id() == ui {
            restore();
            // Standard error may be gone as well.
            let _ = writeln!(io::stderr(), "pkiscope: internal error: {text} at {place}");
        }
    }));
}
