//! The table of default keys as Markdown, for the README.

use std::fmt::Write as _;

use super::action::TABLE;
use super::keymap;

/// One row an action: its keys, what it does, its name for key maps and the `:` prompt.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::from("| Keys | Does | Name |\n|---|---|---|\n");
    for entry in TABLE {
        let keys: Vec<String> =
            entry.keys.iter().map(|keys| format!("`{}`", keymap::show(keys))).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| {} | {} | `{}` |", keys.join(" "), entry.doc, entry.id);
    }
    out
}
