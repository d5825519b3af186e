//! The program in a pseudo-terminal, and the terminal's screen as it stands.
//!
//! Nothing sleeps: every wait reads the terminal until a condition holds, with one deadline
//! that only a failing test reaches.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Longer than the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What stands on the terminal before the program begins.
const BEFORE: &str = "$ echo before\r\nbefore\r\n$ pkiscope\r\n";

/// A running program.
pub struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    octets: Receiver<Vec<u8>>,
    /// The terminal.
    pub parser: vt100::Parser,
    /// Everything the program wrote.
    pub raw: Vec<u8>,
    before: Terminal,
    _home: tempfile::TempDir,
}

/// What must be the same before and after.
#[derive(Debug, PartialEq, Eq)]
pub struct Terminal {
    screen: String,
    modes: String,
    settings: String,
}

impl Session {
    /// Starts the program in a window of `columns` and `rows`, with an environment of its own.
    pub fn start(words: &[&str], env: &[(&str, &str)], (columns, rows): (u16, u16)) -> Self {
        let home = tempfile::tempdir().unwrap();
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_pkiscope"));
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("HOME", home.path());
        for (name, value) in env {
            command.env(name, value);
        }
        command.args(words);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        let mut parser = vt100::Parser::new(some(rows), some(columns), 0);
        parser.process(BEFORE.as_bytes());
        let before = Terminal::of(&parser, pair.master.as_ref());
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (sender, octets) = channel();
        thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            // A pseudo-terminal whose program has gone reports an error, not an end.
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let master = pair.master;
        Self { child, master, writer, octets, parser, raw: Vec::new(), before, _home: home }
    }

    /// Types.
    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Reads until `holds`, which `what` describes.
    pub fn wait(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self.parser.screen()) {
            match self.octets.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(octets) => self.take_in(&octets),
                Err(RecvTimeoutError::Timeout) => panic!("no {what} on:\n{}", self.text()),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program ended without {what}; on screen:\n{}", self.text())
                }
            }
        }
    }

    /// As [`Self::wait`], and tells the program to continue whenever it is silent.
    pub fn wait_continuing(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self.parser.screen()) {
            assert!(Instant::now() < deadline, "no {what} on:\n{}", self.text());
            match self.octets.recv_timeout(Duration::from_millis(50)) {
                Ok(octets) => self.take_in(&octets),
                Err(_) => self.signal("CONT"),
            }
        }
    }

    /// Reads until `text` is on the screen.
    pub fn wait_text(&mut self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Changes the size of the window.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(some(rows), some(columns));
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).unwrap();
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        let flag = format!("-{name}");
        let status = std::process::Command::new("kill").args([&flag, &pid]).status().unwrap();
        assert!(status.success());
    }

    /// Reads until the program has ended.
    pub fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.octets.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(octets) => self.take_in(&octets),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap(),
                Err(RecvTimeoutError::Timeout) => panic!("no end; on screen:\n{}", self.text()),
            }
        }
    }

    /// Fails unless the terminal is as it was before the program, byte for byte.
    pub fn assert_restored(&self) {
        assert_eq!(Terminal::of(&self.parser, self.master.as_ref()), self.before);
    }

    /// Fails unless the terminal is as it was before, but for lines written since.
    pub fn assert_restored_but_for(&self, said: &str) {
        let after = Terminal::of(&self.parser, self.master.as_ref());
        assert_eq!((&after.modes, &after.settings), (&self.before.modes, &self.before.settings));
        let text = self.text();
        assert!(text.starts_with("$ echo before\nbefore\n$ pkiscope\n"), "{text}");
        assert!(text.contains(said), "{text}");
    }

    fn take_in(&mut self, octets: &[u8]) {
        self.parser.process(octets);
        self.raw.extend_from_slice(octets);
    }
}

impl Terminal {
    fn of(parser: &vt100::Parser, master: &dyn MasterPty) -> Self {
        let screen = parser.screen();
        Self {
            screen: format!("{}{}", screen.contents_formatted(), screen.cursor_state_formatted()),
            modes: format!(
                "{}{} alternate {}",
                screen.input_mode_formatted().escape_debug(),
                screen.attributes_formatted().escape_debug(),
                screen.alternate_screen()
            ),
            settings: format!("{:?}", master.get_termios()),
        }
    }
}

fn some(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap()
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
