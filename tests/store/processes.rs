//! Two processes on one database.

use std::time::Duration;

use pkiscope::store::{ObjectFilter, Options, Reader, Reason, Writer};

use crate::support::{Home, RUN, Running, child};

fn holder(home: &Home, options: &str) -> Running {
    let mut command = child("hold", &home.path);
    command.env("PKISCOPE_TEST_OPTIONS", options);
    let mut running = Running::start(command);
    assert_eq!(running.says().unwrap(), ["held"]);
    running
}

fn at_once() -> Options {
    Options { wait: Duration::ZERO, ..Options::default() }
}

fn patient() -> Options {
    Options { wait: Duration::from_secs(60), ..Options::default() }
}

#[test]
fn the_second_writer_says_who_has_it() {
    let home = Home::new();
    let other = holder(&home, "");
    let error = Writer::open(&home.place(), &at_once()).unwrap_err();
    let process = other.child.id();
    let wanted =
        format!("{}: the database is in use by process {process} since ", home.path.display());
    assert!(error.to_string().starts_with(&wanted), "{error}");
    assert!(matches!(&error.reason, Reason::Held(who) if who.process == Some(process)));
    assert_eq!(home.place().holder().unwrap().process, Some(process));
    // Reading works beside it.
    assert_eq!(home.reader().count(&ObjectFilter::default()).unwrap(), 0);
}

#[test]
fn the_second_writer_waits_for_the_first() {
    let home = Home::new();
    let mut other = holder(&home, "");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| Writer::open(&home.place(), &patient()));
        drop(other.child.stdin.take());
        assert_eq!(other.says().unwrap(), ["gone"]);
        waiting.join().unwrap().unwrap().begin_run(&RUN).unwrap();
    });
}

#[test]
fn a_killed_writer_holds_nothing() {
    for options in ["", "exclusive"] {
        let home = Home::new();
        let mut other = holder(&home, options);
        other.kill();
        other.child.wait().unwrap();
        let lock = home.folder.path().join("a.db-lock");
        assert!(lock.exists());
        assert_eq!(home.place().holder(), None);
        let mut writer = Writer::open(&home.place(), &at_once()).unwrap();
        writer.begin_run(&RUN).unwrap();
        drop(writer);
        assert!(!lock.exists());
    }
}

#[test]
fn nobody_reads_beside_a_writer_that_is_alone() {
    let home = Home::new();
    drop(home.writer());
    let other = holder(&home, "exclusive");
    let error = Reader::open(&home.place()).unwrap_err();
    let wanted = format!("in use by process {} since ", other.child.id());
    assert!(error.to_string().contains(&wanted), "{error}");
    drop(other);
    home.reader();
}

#[test]
fn a_foreign_program_can_be_in_the_way() {
    let home = Home::new();
    let mut writer = Writer::open(&home.place(), &at_once()).unwrap();
    let run = writer.begin_run(&RUN).unwrap();
    let raw = rusqlite::Connection::open(&home.path).unwrap();
    raw.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = writer.begin_run(&RUN).unwrap_err();
    assert!(matches!(error.reason, Reason::Locked), "{error:?}");
    raw.execute_batch("COMMIT").unwrap();
    assert_eq!(writer.begin_run(&RUN).unwrap(), run + 1);
}
