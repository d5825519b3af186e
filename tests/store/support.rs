//! Rows that tell whether they are whole, and processes that write them.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use pkiscope::store::{Location, NewObject, NewRun, Object, Options, Reader, Writer};

pub const RUN: NewRun<'static> = NewRun {
    pipeline: "ca",
    started: 1_700_000_000,
    algorithm: "ecdsa-p256",
    backend: "native-ossl",
    batch: 8,
    threads: 2,
    settings: "{}",
    machine: r#"{"cpu":"","cores":1,"os":"","allocator":"","version":"","openssl":"","sqlite":""}"#,
};

/// An object that is made from its number.
pub struct Made {
    pub der: Vec<u8>,
    pub sha256: [u8; 32],
    pub subject: String,
    pub serial: [u8; 8],
}

impl Made {
    pub fn new(number: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(number);
        let mut der = vec![0; rng.usize(1..1500)];
        rng.fill(&mut der);
        let sha256 = pkiscope::pki::crypto::sha256(&der);
        Self { der, sha256, subject: format!("CN=device {number}"), serial: number.to_be_bytes() }
    }

    pub fn row(&self) -> NewObject<'_> {
        NewObject {
            der: &self.der,
            sha256: self.sha256,
            subject: Some(&self.subject),
            serial: Some(&self.serial),
        }
    }

    /// The number of a stored object, which must be as it was made.
    pub fn check(object: &Object) -> u64 {
        let serial = object.row.serial.as_deref().unwrap();
        let number = u64::from_be_bytes(serial.try_into().unwrap());
        let made = Self::new(number);
        assert_eq!(object.der, made.der, "object {}", object.row.id);
        assert_eq!(object.row.sha256, made.sha256);
        assert_eq!(object.row.subject.as_ref(), Some(&made.subject));
        number
    }
}

/// Stores the objects of the numbers.
pub fn store(
    writer: &mut Writer,
    run: i64,
    kind: &str,
    numbers: std::ops::Range<u64>,
) -> Result<std::ops::RangeInclusive<i64>, pkiscope::store::Error> {
    let made: Vec<Made> = numbers.map(Made::new).collect();
    writer.insert_objects(run, kind, made.iter().map(Made::row))
}

/// A folder with the place for a database.
pub struct Home {
    pub folder: tempfile::TempDir,
    pub path: PathBuf,
}

impl Home {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Self { folder, path }
    }

    pub fn place(&self) -> Location {
        Location::File(self.path.clone())
    }

    pub fn writer(&self) -> Writer {
        Writer::open(&self.place(), &Options::default()).unwrap()
    }

    pub fn reader(&self) -> Reader {
        Reader::open(&self.place()).unwrap()
    }
}

/// What SQLite says of the whole file; alone, it needs no room beside the file.
pub fn integrity(path: &Path, alone: bool) -> String {
    let connection = rusqlite::Connection::open(path).unwrap();
    if alone {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
    }
    connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

/// The command that runs one of the helpers in `child`.
pub fn child(role: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    as_child(&mut command, role, path);
    command
}

/// What makes this test program a helper.
pub fn as_child(command: &mut Command, role: &str, path: &Path) {
    command
        .args(["--exact", &format!("child::{role}"), "--ignored", "--nocapture"])
        .arg("--test-threads=1")
        .env("PKISCOPE_TEST_DATABASE", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
}

/// A helper that was started, and what it says.
pub struct Running {
    pub child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next thing that it says, as words; `None` when it has ended.
    pub fn says(&mut self) -> Option<Vec<String>> {
        // The harness around the helper writes lines of its own.
        let line = self
            .lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("> ").map(|(_, said)| said.to_owned()))?;
        Some(line.split(' ').map(str::to_owned).collect())
    }

    /// Ends it at once, wherever it is.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
