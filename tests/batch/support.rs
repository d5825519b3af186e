//! Runs `inspect` and `tree`, in this process and as a program.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use pkiscope::app::batch::{self, Options};
use pkiscope::app::cli::Format;
use pkiscope::app::exit::Exit;
use pkiscope::app::input::{Bytes, Source};
use serde_json::Value;

/// A file in a folder of its own, gone with the value.
pub struct Scratch(pub tempfile::TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn file(&self, name: impl AsRef<Path>, octets: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, octets).unwrap();
        path
    }
}

pub fn options(format: Format) -> Options {
    Options { format, ..Options::default() }
}

/// `inspect` in this process.
pub fn inspect(octets: &[u8], options: &Options) -> (Exit, String) {
    let source = Source::new("input", Bytes::Owned(octets.to_vec()));
    let mut out = Vec::new();
    let exit = batch::inspect([Ok(source)], options, &mut out).unwrap();
    (exit, String::from_utf8(out).unwrap())
}

/// `tree` in this process.
pub fn tree(octets: &[u8], format: Format) -> (Exit, String) {
    let source = Source::new("input", Bytes::Owned(octets.to_vec()));
    let mut out = Vec::new();
    let exit = batch::tree(Ok(source), &options(format), &mut out).unwrap();
    (exit, String::from_utf8(out).unwrap())
}

/// The records of `inspect`.
pub fn records(octets: &[u8]) -> (Exit, Vec<Value>) {
    let (exit, text) = inspect(octets, &options(Format::Ndjson));
    (exit, lines(&text))
}

/// One JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The samples of `fixtures/samples` with their names.
pub fn samples() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples");
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    all.sort();
    assert!(all.len() > 40);
    all
}

pub fn sample(name: &str) -> Vec<u8> {
    let all = samples();
    all.into_iter().find(|(sample, _)| sample == name).unwrap().1
}

/// The program, away from the configuration and the state of whoever runs the test.
pub fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pkiscope"));
    command.env_clear().env("HOME", home).env("XDG_CONFIG_HOME", home).arg("--batch");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program with `input` on its standard input.
pub fn with_input(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // Who does not read all of it ends the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Nothing that a terminal would obey or hide, but line ends.
pub fn assert_clean(text: &str, what: &str) {
    let bad =
        text.chars().find(|c| *c != '\n' && *c != '\r' && pkiscope::asn1::text::is_hidden(*c));
    assert_eq!(bad, None, "{what}");
    assert!(!text.replace("\r\n", "\n").contains('\r'), "{what}");
}
