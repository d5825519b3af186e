//! kill -9 in the middle of a run: the store stays whole and keeps what was acknowledged.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use pkiscope::store::{Location, Reader};

use crate::objects;
use crate::support::{Scratch, pipeline, program, text};

/// How often the program is killed, each time at another moment; `PKISCOPE_KILLS` says another
/// number, as 200.
const KILLS: usize = 12;

fn kills() -> usize {
    std::env::var("PKISCOPE_KILLS").map_or(KILLS, |kills| kills.parse().unwrap())
}

#[test]
fn killed_runs_lose_nothing_that_was_acknowledged() {
    let scratch = Scratch::new();
    let mut random = fastrand::Rng::with_seed(3);
    let mut acknowledged: Vec<i64> = Vec::new();
    for _ in 0..kills() {
        let mut child = program()
            .args(["--batch", "pipeline", "--format=ndjson", "--sizes"])
            .arg(["16"; 400].join(","))
            .args(["--db", scratch.db()])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        // The next point is somewhere in its work when the signal comes.
        for line in out.lines().take(random.usize(0..6)) {
            let run: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
            acknowledged.push(run["id"].as_str().unwrap().parse().unwrap());
        }
        // Somewhere in the stages of the next point.
        for turn in 0..random.u32(0..200_000) {
            std::hint::black_box(turn);
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(integrity(scratch.db()), "ok");
    let reader = Reader::open(&Location::File(scratch.db().into())).unwrap();
    for id in &acknowledged {
        assert!(reader.run(*id).unwrap().is_some_and(|run| run.finished.is_some()), "run {id}");
        let of_run = pkiscope::store::ObjectFilter { run: Some(*id), ..Default::default() };
        assert_eq!(reader.count(&of_run).unwrap(), 1 + 16 + 1 + 16, "run {id}");
    }
    drop(reader);
    // It goes on as if nothing had happened.
    let output = pipeline(&["--db", scratch.db(), "--sizes=4"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(objects::count(&scratch, "crl") > acknowledged.len() as u64);
}

/// What SQLite's own check says.
fn integrity(path: &str) -> String {
    let database = rusqlite::Connection::open(path).unwrap();
    database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_second_process_says_who_has_the_database() {
    let scratch = Scratch::new();
    let mut child = program()
        .args(["--batch", "pipeline", "--format=ndjson", "--sizes"])
        .arg(vec!["64"; 5_000].join(","))
        .args(["--db", scratch.db()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.starts_with('{'), "{line}");
    // Somebody reads on, or the pipe would fill and the first process wait.
    let reading = std::thread::spawn(move || out.lines().count());
    let output = pipeline(&["--db", scratch.db(), "--sizes=1"]);
    let stderr = text(&output.stderr);
    let pid = child.id().to_string();
    child.kill().unwrap();
    child.wait().unwrap();
    reading.join().unwrap();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains(&pid) && stderr.contains("test.db"), "{stderr}");
}

#[test]
fn a_signal_ends_the_run_and_what_was_measured_is_written() {
    use std::os::unix::process::ExitStatusExt as _;
    let scratch = Scratch::new();
    let mut child = program()
        .args(["--batch", "pipeline", "--format=json", "--sizes"])
        .arg(vec!["64"; 5_000].join(","))
        .args(["--db", scratch.db()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Until some points are stored, as the size of the database tells.
    while std::fs::metadata(scratch.db()).map_or(0, |file| file.len()) < 1 << 20 {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let mut written = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut written).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    let document: serde_json::Value = serde_json::from_str(&written).unwrap();
    assert!(!document["runs"].as_array().unwrap().is_empty());
}

#[test]
fn a_place_that_cannot_be_written_is_a_clear_line() {
    for place in ["/proc/no.db", "/dev/null/no.db"] {
        let output = pipeline(&["--db", place, "--sizes=1"]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains(place) && stderr.lines().count() == 1, "{stderr}");
    }
}
