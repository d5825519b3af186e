//! The program on a terminal: what a person sees at start, and that every way out gives the
//! terminal back as it was.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a harness fails as a test does")]

mod harness;

use harness::Session;

const WINDOW: (u16, u16) = (100, 30);
const F12: &str = "\u{1b}[24~";

fn start(words: &[&str]) -> Session {
    let mut session = Session::start(words, &[], WINDOW);
    session.wait_text("? keys");
    session
}

#[test]
fn it_starts_and_quits() {
    let mut session = start(&[]);
    let screen = session.parser.screen();
    assert!(screen.alternate_screen() && screen.bracketed_paste());
    assert!(session.text().starts_with(" pkiscope"), "{}", session.text());
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn help_lists_every_key_and_closes() {
    let mut session = start(&[]);
    session.send("?");
    session.wait_text("Everywhere");
    session.send("G");
    session.wait_text("Stop pkiscope and return to the shell");
    session.send("\u{1b}");
    session.wait("closed help", |screen| !screen.contents().contains("return to the shell"));
    session.send("\u{3}");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn the_prompt_runs_actions_by_name() {
    let mut session = start(&[]);
    session.send(":");
    session.wait_text("page-down");
    session.send("he\t");
    session.wait_text(": help");
    session.send("\r");
    session.wait_text("Everywhere");
    session.send("\u{1b}");
    session.wait("closed help", |screen| !screen.contents().contains("Everywhere"));
    session.send(":");
    session.wait_text(": ");
    session.send("quit\r");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn a_small_window_says_so_and_grows_again() {
    let mut session = start(&[]);
    session.resize(59, 30);
    session.wait_text("The window is 59 x 30.");
    session.resize(60, 16);
    session.wait_text("? keys");
    session.resize(200, 60);
    session.wait("a wide footer", |screen| {
        let row = screen.rows(0, 200).nth(59).unwrap_or_default();
        row.contains("? keys")
    });
    session.resize(40, 3);
    session.wait_text("pkiscope needs 60 x 16.");
    session.resize(1, 1);
    session.resize(100, 30);
    session.wait_text("? keys");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
}

#[test]
fn signals_give_the_terminal_back() {
    for (name, words) in [("TERM", "Terminated"), ("HUP", "Hangup"), ("INT", "Interrupt")] {
        let mut session = start(&[]);
        session.signal(name);
        let status = session.end();
        assert_eq!(status.signal(), Some(words), "{name}");
        session.assert_restored();
    }
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let mut session = Session::start(&[], &[("PKISCOPE_PANIC_ON_F12", "1")], WINDOW);
    session.wait_text("? keys");
    session.send(F12);
    assert_eq!(session.end().exit_code(), 4);
    session.assert_restored_but_for("pkiscope: internal error: asked for by");
}

#[test]
fn the_panic_key_is_for_tests_only() {
    let mut session = start(&[]);
    session.send(F12);
    session.send("?");
    session.wait_text("Everywhere");
    session.send("qq");
    assert_eq!(session.end().exit_code(), 0);
}

#[test]
fn colours_follow_the_environment() {
    let colours = |raw: &[u8]| {
        let text = String::from_utf8_lossy(raw).into_owned();
        (text.contains("\u{1b}[38;5;") || text.contains(";38;5;"), text.contains("38;2;"))
    };
    let cases = [
        (&[][..], (true, false)),
        (&[("COLORTERM", "truecolor")], (false, true)),
        (&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")], (false, false)),
    ];
    for (env, wanted) in cases {
        let mut session = Session::start(&[], env, WINDOW);
        session.wait_text("? keys");
        session.send("q");
        session.end();
        assert_eq!(colours(&session.raw), wanted, "{env:?}");
    }
}

#[test]
fn ascii_means_ascii() {
    let mut session = start(&["--ascii"]);
    session.send("?");
    session.wait_text("Everywhere");
    session.send("qq");
    session.end();
    assert!(session.raw.is_ascii());
}

#[test]
fn frames_are_synchronized() {
    let mut session = start(&[]);
    session.send("q");
    session.end();
    let text = String::from_utf8_lossy(&session.raw).into_owned();
    let count = |mark: &str| text.matches(mark).count();
    assert!(count("\u{1b}[?2026h") >= 1);
    // The restoration ends one more, for the case that it interrupts a frame.
    assert_eq!(count("\u{1b}[?2026l"), count("\u{1b}[?2026h") + 1);
}

#[test]
fn the_log_is_a_file_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log");
    let words = ["--log", path.to_str().unwrap()];
    let mut session = Session::start(&words, &[("PKISCOPE_LOG_FILTER", "debug")], WINDOW);
    session.wait_text("? keys");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
    assert!(std::fs::read_to_string(&path).unwrap().contains("begin"));
}
