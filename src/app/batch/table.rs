//! CSV (RFC 4180) and Markdown tables: the head of each record, a row each.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::asn1::text::visible;
use crate::metrics::table::markdown_text;

/// Which form of table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Comma-separated values with CRLF line ends (RFC 4180).
    Csv,
    /// A table of GitHub-flavoured Markdown.
    Markdown,
}

/// Writes the line of column names.
///
/// # Errors
/// When the writer fails.
pub fn head(out: &mut dyn Write, form: Form, columns: &[&str]) -> io::Result<()> {
    row(out, form, columns.iter().map(|c| Cow::Borrowed(*c)))?;
    match form {
        Form::Csv => Ok(()),
        Form::Markdown => writeln!(out, "|{}", "---|".repeat(columns.len())),
    }
}

/// Writes one row; control characters become visible escapes.
///
/// # Errors
/// When the writer fails.
pub fn row<'a>(
    out: &mut dyn Write,
    form: Form,
    cells: impl IntoIterator<Item = Cow<'a, str>>,
) -> io::Result<()> {
    for (column, cell) in cells.into_iter().enumerate() {
        let cell = visible(&cell);
        match form {
            Form::Csv if column > 0 => write!(out, ",{}", csv(&cell))?,
            Form::Csv => write!(out, "{}", csv(&cell))?,
            Form::Markdown if column > 0 => write!(out, " {} |", markdown_text(&cell))?,
            Form::Markdown => write!(out, "| {} |", markdown_text(&cell))?,
        }
    }
    out.write_all(if form == Form::Csv { b"\r\n" } else { b"\n" })
}

/// Quoted where RFC 4180 asks for it, and where a spreadsheet would take it for a formula.
fn csv(cell: &str) -> Cow<'_, str> {
    let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err();
    if !formula && !cell.contains(['"', ',', '\n', '\r']) {
        return Cow::Borrowed(cell);
    }
    let lead = if formula { "'" } else { "" };
    Cow::Owned(format!("\"{lead}{}\"", cell.replace('"', "\"\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(form: Form, cells: &[&str]) -> String {
        let mut out = Vec::new();
        row(&mut out, form, cells.iter().map(|c| Cow::Borrowed(*c))).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        assert_eq!(rows(Form::Csv, &["a", "b,c", "d\"e", "-1"]), "a,\"b,c\",\"d\"\"e\",-1\r\n");
        assert_eq!(rows(Form::Csv, &["=1+2", "@x"]), "\"'=1+2\",\"'@x\"\r\n");
    }

    #[test]
    fn markdown_escapes_its_signs() {
        assert_eq!(rows(Form::Markdown, &["a|b", "<c>"]), "| a\\|b | \\<c> |\n");
        assert!(!rows(Form::Markdown, &["x\ny\u{1b}"]).trim_end().contains(['\n', '\u{1b}']));
    }
}
