//! Runs the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of its own, gone with the value.
pub struct Scratch {
    pub folder: tempfile::TempDir,
    db: String,
}

impl Scratch {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("test.db").to_str().unwrap().to_owned();
        Self { folder, db }
    }

    /// The path of the database.
    pub fn db(&self) -> &str {
        &self.db
    }

    pub fn file(&self, name: impl AsRef<Path>, octets: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, octets).unwrap();
        path
    }
}

/// The program, with no configuration of the machine's user.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pkiscope"));
    command
        .env_clear()
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_STATE_HOME", "/nonexistent");
    command.stdin(Stdio::null());
    command
}

/// `pkiscope --batch pipeline` with these arguments.
pub fn pipeline(arguments: &[&str]) -> Output {
    program().args(["--batch", "pipeline"]).args(arguments).output().unwrap()
}

pub fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

/// One JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
