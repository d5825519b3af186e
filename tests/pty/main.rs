//! The program on a terminal: what a person sees at start, and that every way out gives the
//! terminal back as it was.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a harness fails as a test does")]

mod harness;
mod pipeline;

use harness::Session;

const WINDOW: (u16, u16) = (100, 30);
const SERVER: &str = "fixtures/samples/certificate-p256-server.der";
/// Stands in the title of the help that is scrolled to its top.
const HELP: &str = " Keys  1";
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
fn two_runs_are_compared_on_their_screen() {
    let words = ["ref:seed-openssl-rsa2048-64", "ref:seed-nss-rsa2048-64"];
    let mut session = start(&["runs", "compare", words[0], words[1]]);
    session.wait_text("B compared with A");
    session.wait_text("two published figures");
    session.send("\u{1b}");
    session.wait_text("1 of 28");
    session.send("1");
    session.wait_text("Tree");
    session.send("4");
    session.wait_text("1 of 28");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn help_lists_every_key_and_closes() {
    let mut session = start(&[]);
    session.send("?");
    session.wait_text(HELP);
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
    session.wait_text("show-browse");
    session.send("he\t");
    session.wait_text(": help");
    session.send("\r");
    session.wait_text(HELP);
    session.send("\u{1b}");
    session.wait("closed help", |screen| !screen.contents().contains(HELP));
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
    session.wait_text(HELP);
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
    let root = "fixtures/samples/certificate-rsa-root.der";
    let mut session = start(&["--ascii", root]);
    session.wait_text("tbsCertificate");
    session.send("?");
    session.wait_text(HELP);
    session.send("qq");
    session.end();
    assert!(session.raw.is_ascii());
}

#[test]
fn frames_are_synchronized() {
    let mut session = start(&[]);
    // Draws everything again.
    session.send("\u{c}?");
    session.wait_text(HELP);
    session.send("qq");
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

/// Starts on a certificate and waits until it is shown.
fn server() -> Session {
    let mut session = start(&[SERVER]);
    session.wait_text("tbsCertificate");
    session
}

/// What the program put on the clipboard, one entry a copy.
fn copied(session: &Session) -> Vec<String> {
    let raw = String::from_utf8_lossy(&session.raw).into_owned();
    let parts = raw.split("\u{1b}]52;c;").skip(1);
    parts
        .map(|part| {
            let text = part.split(['\u{1b}', '\u{7}']).next().unwrap_or_default();
            let octets = data_encoding::BASE64.decode(text.as_bytes()).unwrap();
            String::from_utf8(octets).unwrap()
        })
        .collect()
}

#[test]
fn without_files_it_opens_mozillas_roots() {
    let mut session = start(&[]);
    session.wait_text("mozilla-roots");
    session.wait_text("tbsCertificate");
    session.send("]");
    session.wait_text("2/");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn a_search_goes_to_its_hit() {
    let mut session = server();
    session.send("/oid:2.5.29.15\r");
    session.wait_text("keyUsage");
    session.send("/no such text\r");
    session.wait("a note", |screen| {
        let row = screen.rows(0, WINDOW.0).nth(29).unwrap_or_default();
        row.contains("no such text") && !row.contains("search")
    });
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
}

#[test]
fn copies_go_through_osc_52() {
    let mut session = server();
    session.send("yh");
    session.wait_text("copied");
    session.send("yp");
    session.wait_text("copied PEM");
    session.send("q");
    session.end();
    let copied = copied(&session);
    let octets = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/samples/certificate-p256-server.der"
    ))
    .unwrap();
    let hex: String = copied[0].split_whitespace().collect();
    assert_eq!(hex, data_encoding::HEXLOWER.encode(&octets));
    assert!(copied[1].starts_with("-----BEGIN CERTIFICATE-----\n"), "{}", copied[1]);
    session.assert_restored();
}

#[test]
fn a_save_writes_a_file_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("saved.der");
    let mut session = server();
    // Ctrl-U clears the name that is offered.
    session.send(&format!("s\u{15}{}\r", path.display()));
    session.wait_text("saved 1");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    let source = std::fs::read(SERVER).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), source);
}

#[test]
fn the_selection_shows_without_colours() {
    let mut session = Session::start(&[SERVER], &[("NO_COLOR", "1")], WINDOW);
    let chosen = |name: &'static str| {
        move |screen: &vt100::Screen| {
            let rows: Vec<String> = screen.rows(0, WINDOW.0).collect();
            let found = rows.iter().enumerate().find_map(|(y, row)| {
                let x = row.find(name).map(|at| row[..at].chars().count())?;
                let cell = screen.cell(u16::try_from(y).ok()?, u16::try_from(x).ok()?)?;
                (y > 4).then(|| cell.inverse())
            });
            found == Some(true)
        }
    };
    session.wait("a reversed row", chosen("Certificate  3 elements"));
    session.send("j");
    session.wait("the next row reversed", chosen("tbsCertificate  8 elements"));
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}

#[test]
fn hostile_files_put_nothing_on_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("evil\u{1b}]0;title\u{7}\u{202e}.der");
    // A UTF8String that clears the screen and turns the text around.
    std::fs::write(&path, b"\x0c\x0b\x1b[2J\xe2\x80\xaeabcd").unwrap();
    let mut session = start(&[path.to_str().unwrap()]);
    session.wait_text("abcd");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
    let raw = String::from_utf8(session.raw.clone()).unwrap();
    assert!(!raw.contains("\u{1b}]0;") && !raw.contains('\u{202e}') && !raw.contains('\u{7}'));
    assert!(!raw.contains("\u{1b}[2Jab"));
}

#[test]
fn what_cannot_be_opened_is_listed_with_its_reason() {
    let mut session = start(&["/nonexistent/file.der", SERVER]);
    session.wait_text("No such file");
    session.send("]");
    session.wait_text("tbsCertificate");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
}

#[test]
fn the_mouse_chooses_and_opens() {
    let mut session = server();
    let find = |session: &Session, text: &str| {
        let rows: Vec<String> = session.parser.screen().rows(0, WINDOW.0).collect();
        rows.iter().position(|row| row.contains(text)).unwrap() + 1
    };
    let press = |session: &mut Session, row: usize| {
        session.send(&format!("\u{1b}[<0;20;{row}M\u{1b}[<0;20;{row}m"));
    };
    let row = find(&session, "serialNumber");
    press(&mut session, row);
    session.wait_text("tbsCertificate.serialNumber");
    let row = find(&session, "tbsCertificate  8");
    press(&mut session, row);
    press(&mut session, row);
    session.wait("a closed node", |screen| !screen.contents().contains("notBefore"));
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
}

#[test]
fn it_stops_as_the_shell_does_and_comes_back() {
    let mut session = server();
    session.send("\u{1a}");
    session.wait("the shell's screen", |screen| !screen.alternate_screen());
    // It stops a moment after it gave the terminal back: the signal is repeated until it is on.
    session.wait_continuing("its screen again", |screen| {
        screen.alternate_screen() && screen.contents().contains("tbsCertificate")
    });
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}
