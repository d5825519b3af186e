//! The README tells what is true: its table of keys is the action table.

use std::error::Error;
use std::{env, fs};

const BEGIN: &str = "test readme -->\n";
const END: &str = "<!-- end of keys -->";

/// Fails when the table is out of date; with `UPDATE_README` set, writes it instead.
#[test]
fn the_table_of_keys_is_the_action_table() -> Result<(), Box<dyn Error>> {
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
