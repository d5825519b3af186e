//! The README tells what is true: its table of keys is the action table, and its commands work.

use std::error::Error;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

const BEGIN: &str = "test readme -->\n";
const END: &str = "<!-- end of keys -->";

/// Two tests may write it.
static README: Mutex<()> = Mutex::new(());

/// Fails when the table is out of date; with `UPDATE_README` set, writes it instead.
#[test]
fn the_table_of_keys_is_the_action_table() -> Result<(), Box<dyn Error>> {
    let _alone = README.lock().unwrap_or_else(PoisonError::into_inner);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path)?;
    let begin = readme.find(BEGIN).ok_or("the README has no begin of keys")? + BEGIN.len();
    let end = readme.find(END).ok_or("the README has no end of keys")?;
    let table = pkiscope::views::key_table::markdown();
    if env::var_os("UPDATE_README").is_some() {
        fs::write(path, [&readme[..begin], "\n", &table, "\n", &readme[end..]].concat())?;
        return Ok(());
    }
    assert_eq!(readme[begin..end].trim(), table.trim(), "run with UPDATE_README=1 to mend it");
    Ok(())
}

/// The screens of the README are those of the snapshots that they name; with `UPDATE_README`
/// set, they are written.
#[test]
fn the_screens_are_the_snapshots() -> Result<(), Box<dyn Error>> {
    const FENCE: &str = "```text\n";
    let _alone = README.lock().unwrap_or_else(PoisonError::into_inner);
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/README.md");
    let readme = fs::read_to_string(&path)?;
    let mut parts = readme.split("<!-- snapshot: ");
    let mut updated = parts.next().unwrap_or_default().to_owned();
    let mut screens = 0;
    for part in parts {
        let (name, rest) = part.split_once(" -->").ok_or("a snapshot without an end")?;
        let (between, rest) = rest.split_once(FENCE).ok_or("no screen after its name")?;
        let (_, rest) = rest.split_once("```").ok_or("a screen without an end")?;
        let snapshot = fs::read_to_string(format!("{root}/{name}"))?;
        let lines = snapshot.lines().filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
        let screen: String = lines.flat_map(|line| [line.trim_end(), "\n"]).collect();
        assert!(screen.lines().count() >= 24, "{name} is no screen");
        write!(updated, "<!-- snapshot: {name} -->{between}{FENCE}{screen}```{rest}")?;
        screens += 1;
    }
    assert!(screens > 0, "no screens");
    if env::var_os("UPDATE_README").is_some() {
        fs::write(path, updated)?;
        return Ok(());
    }
    assert_eq!(readme, updated, "run with UPDATE_README=1 to mend it");
    Ok(())
}

/// Each command line of the README has output, and ends well.
#[test]
fn the_commands_work() -> Result<(), Box<dyn Error>> {
    let root = env!("CARGO_MANIFEST_DIR");
    let readme = fs::read_to_string(format!("{root}/README.md"))?;
    let lines: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("$ pkiscope ")).collect();
    assert!(lines.len() > 5, "{lines:?}");
    for line in lines {
        let output = Command::new(env!("CARGO_BIN_EXE_pkiscope"))
            .args(line.split(' '))
            .current_dir(root)
            .stdin(Stdio::null())
            .output()?;
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        assert!(!output.stdout.is_empty(), "{line}: {output:?}");
    }
    Ok(())
}
