//! The password of encrypted objects: from a flag, a file, or a prompt.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::Path;

use anyhow::Context as _;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use zeroize::Zeroizing;

use super::cli::Flags;
use crate::asn1::text::visible;

/// The longest password, in octets.
const LONGEST: usize = 4096;

/// A password; its memory is cleared when it goes.
pub type Password = Zeroizing<String>;

/// The password of `--password` or `--password-file`, if one was given.
///
/// # Errors
/// The file cannot be read, or its first line is no UTF-8 or too long.
pub fn given(flags: &Flags) -> anyhow::Result<Option<Password>> {
    match (&flags.password, &flags.password_file) {
        (Some(text), _) => Ok(Some(Zeroizing::new(text.clone()))),
        (None, Some(path)) => {
            let read = first_line(path);
            read.with_context(|| format!("password file {}", path.display())).map(Some)
        }
        (None, None) => Ok(None),
    }
}

fn first_line(path: &Path) -> anyhow::Result<Password> {
    let mut octets = Zeroizing::new(Vec::with_capacity(LONGEST + 2));
    File::open(path)?.take(LONGEST as u64 + 2).read_to_end(&mut octets)?;
    let line = octets.split(|&octet| octet == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    anyhow::ensure!(line.len() <= LONGEST, "its first line is longer than {LONGEST} octets");
    let text = std::str::from_utf8(line).context("its first line is not UTF-8")?;
    Ok(Zeroizing::new(text.to_owned()))
}

/// Asks for a password on the terminal without showing it, for batch work.
///
/// `None` when there is no terminal to ask on, or when the person presses Esc or Ctrl-C.
///
/// # Errors
/// The terminal cannot be read or written.
pub fn ask(what: &str) -> io::Result<Option<Password>> {
    let mut terminal = io::stderr();
    if !terminal.is_terminal() {
        return Ok(None);
    }
    write!(terminal, "password of {}: ", visible(what))?;
    terminal.flush()?;
    enable_raw_mode()?;
    let typed = type_in();
    let restored = disable_raw_mode();
    writeln!(terminal)?;
    restored?;
    typed
}

fn type_in() -> io::Result<Option<Password>> {
    let mut text = Zeroizing::new(String::with_capacity(LONGEST));
    loop {
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Enter => return Ok(Some(text)),
            KeyCode::Esc => return Ok(None),
            KeyCode::Char('c' | 'd') if control => return Ok(None),
            KeyCode::Char('u') if control => text.clear(),
            KeyCode::Backspace => drop(text.pop()),
            // The capacity is never exceeded, so that no copy of it stays in memory.
            KeyCode::Char(c) if !control && text.len() + c.len_utf8() <= LONGEST => text.push(c),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(octets: &[u8]) -> (tempfile::TempDir, Flags) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("password");
        std::fs::write(&path, octets).unwrap();
        let flags = Flags { password_file: Some(path), ..Flags::default() };
        (dir, flags)
    }

    #[test]
    fn a_file_gives_its_first_line() {
        for (octets, wanted) in [
            (&b"secret\nmore"[..], "secret"),
            (b" spaces stay \r\n", " spaces stay "),
            ("pässwort".as_bytes(), "pässwort"),
            (b"", ""),
        ] {
            let (_dir, flags) = flags(octets);
            assert_eq!(given(&flags).unwrap().unwrap().as_str(), wanted);
        }
    }

    #[test]
    fn what_is_no_password_is_refused() {
        for octets in [&b"\xff\xfe\n"[..], &[b'a'; LONGEST + 1]] {
            let (_dir, flags) = flags(octets);
            assert!(given(&flags).is_err());
        }
        let flags = Flags { password_file: Some("/nonexistent/file".into()), ..Flags::default() };
        assert!(format!("{:#}", given(&flags).unwrap_err()).contains("/nonexistent/file"));
        assert!(given(&Flags::default()).unwrap().is_none());
    }
}
