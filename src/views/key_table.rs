//! The table of default keys as Markdown, for the README.

use std::fmt::Write as _;

use super::action::{Context, TABLE};
use super::keymap;

/// One table a screen and one row an action: its keys, what it does, its name for key maps and
/// the `:` prompt.
#[must_use]
pub fn markdown() -> String {
    let mut out = String::new();
    for context in Context::ALL {
        // Writing to a String cannot fail.
        let _ = write!(out, "{}:\n\n| Keys | Does | Name |\n|---|---|---|\n", context.title());
        for entry in TABLE.iter().filter(|entry| entry.context == context) {
            let keys: Vec<String> =
                entry.keys.iter().map(|keys| format!("`{}`", keymap::show(keys))).collect();
            let _ = writeln!(out, "| {} | {} | `{}` |", keys.join(" "), entry.doc, entry.id);
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}
