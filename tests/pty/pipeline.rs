//! The pipeline screen with real work behind it.

use crate::harness::Session;

const WINDOW: (u16, u16) = (80, 24);

fn start(words: &[&str]) -> Session {
    let mut all = vec!["pipeline", "--threads", "2"];
    all.extend(words);
    Session::start(&all, &[], WINDOW)
}

#[test]
fn what_it_made_opens_in_the_browser() {
    let mut session = start(&["--sizes", "4,8"]);
    session.wait_text("done in");
    session.send("j\r");
    session.wait_text("cert_gen: certificates of run 2");
    session.wait_text("CN=");
    session.send("j\r");
    session.wait_text("tbsCertificate");
    session.send("\u{1b}");
    session.wait_text("row 2 of 9");
    session.send("\u{1b}");
    session.wait_text("items/s");
    // It starts again from inside, with the same settings.
    session.send("s");
    session.wait_text("stored as runs 3 to 4");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored_but_for("stored as runs 3 to 4");
    session.assert_restored_but_for("cert_verify");
}

#[test]
fn leaving_ends_the_work_and_leaves_the_figures() {
    let mut session = start(&["--sizes", "64", "--min-time", "10m", "--ca-key-algo", "ml-dsa-44"]);
    session.wait_text("64 × ");
    session.send(" ");
    session.wait_text("PAUSED");
    session.send(" f");
    session.wait_text("FROZEN");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored_but_for("left while it ran; no size was finished");
}

#[test]
fn a_database_that_cannot_be_made_is_told() {
    let mut session = start(&["--db", "/nonexistent/folder/x.db"]);
    session.wait_text("the folder for the database does not exist");
    session.send("q");
    assert_eq!(session.end().exit_code(), 0);
    session.assert_restored();
}
