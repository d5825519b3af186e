//! The command line as a script sees it: exit codes, one clear line for what is wrong, and
//! nothing on the wrong stream.

#![expect(clippy::unwrap_used, reason = "a helper fails as a test does")]

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pkiscope"));
    command.args(words).env_clear().env("HOME", "/nonexistent").stdin(Stdio::null());
    command
}

fn run(words: &[&str]) -> Output {
    command(words).output().unwrap()
}

/// The one line on standard error of a run that ended with `code` and wrote nothing else.
fn complaint(output: &Output, code: i32) -> String {
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert!(output.stdout.is_empty(), "{line}");
    assert_eq!(line.matches('\n').count(), 1, "{line:?}");
    assert!(line.starts_with("pkiscope: ") && line.ends_with('\n'), "{line:?}");
    let text = line.trim_end_matches('\n').to_owned();
    assert!(!text.chars().any(char::is_control), "{text:?}");
    text
}

#[test]
fn no_terminal_is_a_usage_error() {
    for words in [&[][..], &["file.pem"], &["inspect", "file.pem"]] {
        let line = complaint(&run(words), 2);
        assert!(line.contains("no terminal") && line.contains("--batch"), "{line}");
    }
}

#[test]
fn wrong_command_lines_are_usage_errors() {
    for (words, part) in [
        (&["--nonsense"][..], "--nonsense"),
        (&["--batch"], "inspect"),
        (&["--batch", "file.pem"], "inspect"),
        (&["--batch", "inspect"], "<FILE>"),
        (&["--threads", "0"], "--threads"),
        (&["--theme", "pink"], "truecolor"),
        (&["--theme", "16", "--no-color"], "--no-color"),
        (&["--evil\u{1b}[31m\u{202e}"], "--evil"),
    ] {
        let line = complaint(&run(words), 2);
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn the_configuration_is_checked_before_anything_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    std::fs::write(&path, "ascii = true\n\n[keys.browse]\nfly = \"f\"\n").unwrap();
    let name = path.to_str().unwrap();
    let line = complaint(&run(&["--config", name, "--print-keys"]), 2);
    assert!(line.contains(&format!("{name}: line 4: ")) && line.contains("\"fly\""), "{line}");
    let line = complaint(&run(&["--config", "/nonexistent/c.toml", "--batch", "tree", "x"]), 2);
    assert!(line.contains("/nonexistent/c.toml"), "{line}");
    let output = command(&["--print-config"]).env("PKISCOPE_THREADS", "many").output().unwrap();
    assert!(complaint(&output, 2).contains("PKISCOPE_THREADS"));
    let line = complaint(&run(&["--log", "/nonexistent/log", "--batch", "tree", "x"]), 2);
    assert!(line.contains("/nonexistent/log"), "{line}");
}

#[test]
fn the_usual_configuration_file_is_found() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("pkiscope");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), "theme = \"mono\"\nthreads = 3\n").unwrap();
    let with = |dir: &Path, words: &[&str]| {
        let output = command(words).env("XDG_CONFIG_HOME", dir).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        String::from_utf8(output.stdout).unwrap()
    };
    let text = with(home.path(), &["--print-config", "--threads", "2"]);
    assert!(text.contains("theme = \"mono\"") && text.contains("# file, line 1"), "{text}");
    assert!(text.contains("threads = 2") && text.contains("# flag --threads"), "{text}");
    let text = with(Path::new("/nonexistent"), &["--print-config"]);
    assert!(text.contains("configuration file: none"), "{text}");
}

#[test]
fn what_is_asked_for_goes_to_standard_output() {
    for (words, part) in [
        (&["--help"][..], "Exit codes"),
        (&["-h"], "--batch"),
        (&["--version"], "pkiscope 0."),
        (&["--print-keys"], "[keys.browse]"),
        (&["--print-config"], "theme = "),
        (&["--man"], ".TH pkiscope 1"),
        (&["--completions", "bash"], "complete"),
        (&["--completions", "zsh"], "#compdef pkiscope"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(output.stderr.is_empty(), "{words:?}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(part), "{words:?}");
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    for words in [&["--help"][..], &["--print-keys"], &["--man"], &["--completions", "bash"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command(words).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
    }
}

#[test]
fn a_full_disk_is_told() {
    // Only Linux has a file that is always full.
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = command(&["--print-keys"]).stdout(full).output().unwrap();
    assert!(complaint(&output, 4).contains("pkiscope: "));
}
