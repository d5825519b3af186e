//! The table of runs that the seed's documents print: a row a stage, and for each run the mean
//! time of the stage at its batch and thousands of items a second.

use std::fmt::Write as _;

use super::columns;
use super::figures::{grouped, milliseconds, thousands};
use super::reference::{self, NOT_PUBLISHED};
use super::run::{Run, StageResult};

/// What stands where a run has no such stage.
const ABSENT: &str = "-";

/// The runs of one pipeline and algorithm as a table of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What the runs have in common, as `ml-dsa-65`.
    pub title: String,
    /// The names of the columns: operation, time and rate of each run, notes.
    pub columns: Vec<String>,
    /// The cells, as many a row as there are columns.
    pub rows: Vec<Vec<String>>,
    /// How and where the runs were measured, a sentence each.
    pub remarks: Vec<String>,
}

/// The sheets of `runs`, one for each pipeline and algorithm, in the order of their first run.
#[must_use]
pub fn sheets(runs: &[Run]) -> Vec<Sheet> {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        let group = groups.iter_mut().find(|group| {
            group.first().is_some_and(|first| {
                (&first.pipeline, &first.algorithm) == (&run.pipeline, &run.algorithm)
            })
        });
        match group {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.iter().map(|group| sheet(group)).collect()
}

/// The tables of `runs` as GitHub-flavoured Markdown; a heading each when there are several.
#[must_use]
pub fn markdown(runs: &[Run]) -> String {
    let sheets = sheets(runs);
    let mut out = String::new();
    for sheet in &sheets {
        if !out.is_empty() {
            out.push('\n');
        }
        if sheets.len() > 1 {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "## Results: {}\n", markdown_text(&sheet.title));
        }
        let names: Vec<String> = sheet.columns.iter().map(|name| markdown_text(name)).collect();
        let _ = writeln!(out, "| {} |", names.join(" | "));
        let _ = writeln!(out, "|{}", "---|".repeat(names.len()));
        for row in &sheet.rows {
            let mut cells = row.iter();
            let name = cells.next().map_or_else(String::new, |name| code(name));
            let cells: Vec<String> =
                std::iter::once(name).chain(cells.map(|cell| markdown_text(cell))).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        for remark in &sheet.remarks {
            let _ = writeln!(out, "\n{}", markdown_text(remark));
        }
    }
    out
}

/// The tables of `runs` as text in columns.
#[must_use]
pub fn text(runs: &[Run]) -> String {
    let sheets = sheets(runs);
    let mut out = String::new();
    for sheet in &sheets {
        if !out.is_empty() {
            out.push('\n');
        }
        if sheets.len() > 1 {
            let _ = writeln!(out, "{}\n", sheet.title);
        }
        let last = sheet.columns.len().saturating_sub(1);
        let rows: Vec<Vec<String>> =
            std::iter::once(&sheet.columns).chain(&sheet.rows).cloned().collect();
        for line in columns::lines(&rows, |column| column == 0 || column == last) {
            let _ = writeln!(out, "{line}");
        }
        for remark in &sheet.remarks {
            let _ = writeln!(out, "\n{remark}");
        }
    }
    out
}

fn sheet(runs: &[&Run]) -> Sheet {
    let mut names: Vec<&str> = Vec::new();
    for stage in runs.iter().flat_map(|run| &run.stages) {
        if !names.contains(&stage.name.as_str()) {
            names.push(&stage.name);
        }
    }
    let labels = labels(runs);
    let rate = || "Tput K/s".to_owned();
    let mut columns = vec!["Operation".to_owned()];
    columns.extend(labels.iter().flat_map(|label| [label.clone(), rate()]));
    columns.push("Notes".to_owned());
    let rows = names.iter().map(|name| {
        let stages: Vec<Option<&StageResult>> =
            runs.iter().map(|run| run.stages.iter().find(|stage| stage.name == *name)).collect();
        let mut row = vec![(*name).to_owned()];
        row.extend(stages.iter().flat_map(|stage| cells(*stage)));
        row.push(note(runs, &stages));
        row
    });
    Sheet {
        title: runs.first().map_or_else(String::new, |run| run.algorithm.clone()),
        rows: rows.collect(),
        columns,
        remarks: remarks(runs, &labels),
    }
}

fn cells(stage: Option<&StageResult>) -> [String; 2] {
    match stage {
        Some(stage) => [milliseconds(stage.wall_ns.mean), thousands(stage.items_per_second)],
        None => [ABSENT.to_owned(), ABSENT.to_owned()],
    }
}

/// One item a batch, and items that failed.
fn note(runs: &[&Run], stages: &[Option<&StageResult>]) -> String {
    let single = stages.iter().flatten().all(|stage| stage.items == 1);
    let errors: u64 = stages.iter().flatten().map(|stage| stage.errors).sum();
    let mut notes = Vec::new();
    if single && runs.iter().any(|run| run.batch > 1) {
        notes.push("1 a batch".to_owned());
    }
    if errors > 0 {
        notes.push(format!("{} failed", grouped(u128::from(errors))));
    }
    notes.join("; ")
}

/// Backend and batch of each run; with its number where that would not tell runs apart.
fn labels(runs: &[&Run]) -> Vec<String> {
    let plain = |run: &Run| {
        let published = if reference::is_reference(&run.id) { "ref " } else { "" };
        format!("{published}{} B{}", run.backend, run.batch)
    };
    let all: Vec<String> = runs.iter().map(|run| plain(run)).collect();
    let label = |(run, label): (&&Run, &String)| {
        let twice = all.iter().filter(|other| *other == label).count() > 1;
        if twice && !run.id.is_empty() { format!("{label} #{}", run.id) } else { label.clone() }
    };
    runs.iter().zip(&all).map(label).collect()
}

/// How and where: runs of one machine and as many threads share a sentence.
fn remarks(runs: &[&Run], labels: &[String]) -> Vec<String> {
    let mut places: Vec<(String, Vec<String>)> = Vec::new();
    for (run, label) in runs.iter().zip(labels) {
        let place = place(run);
        let often = match run.repetitions {
            1 => "once".to_owned(),
            n => format!("{} times", grouped(u128::from(n))),
        };
        let of = format!("{label} {often}");
        match places.iter_mut().find(|(known, _)| *known == place) {
            Some((_, list)) => list.push(of),
            None => places.push((place, vec![of])),
        }
    }
    places
        .into_iter()
        .map(|(place, list)| {
            format!("Mean wall-clock time; measured {}: {place}.", list.join(", "))
        })
        .collect()
}

fn place(run: &Run) -> String {
    let machine = &run.machine;
    let threads = if run.threads == 1 { "thread" } else { "threads" };
    let mut parts = vec![format!("{} {threads}", run.threads)];
    let mut fact = |name: &str, value: &str| {
        // A version may say itself what it is one of.
        let bare = value.starts_with(|c: char| c.is_ascii_digit());
        if !name.is_empty() && bare {
            parts.push(format!("{name} {value}"));
        } else if !value.is_empty() && value != NOT_PUBLISHED {
            parts.push(value.to_owned());
        }
    };
    fact("", &machine.cpu);
    fact("", &machine.os);
    fact("pkiscope", if reference::is_reference(&run.id) { "" } else { &machine.version });
    fact("", if reference::is_reference(&run.id) { &machine.version } else { "" });
    fact("OpenSSL", &machine.openssl);
    fact("AWS-LC", machine.aws_lc.as_deref().unwrap_or_default());
    fact("NSS", machine.nss.as_deref().unwrap_or_default());
    fact("SQLite", &machine.sqlite);
    for name in [reference::SUBSCRIBER_KEYS, "durability"] {
        if let Some(value) = run.settings.get(name) {
            parts.push(format!("{} {value}", name.replace('_', " ")));
        }
    }
    parts.join(", ")
}

/// A name as a code span, which knows no escapes; as text where it would leave the span.
fn code(name: &str) -> String {
    let plain = !name.is_empty() && !name.contains(['`', '|', '\\']);
    if plain && !name.contains(is_unseen) { format!("`{name}`") } else { markdown_text(name) }
}

/// Text of Markdown, in a cell too: what Markdown would take for its own is escaped, and no
/// line ends. A character that is not seen becomes a space.
#[must_use]
pub fn markdown_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' | '<' | '`' | '*' | '_' | '[' => out.extend(['\\', c]),
            c if is_unseen(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character controls a terminal or the order of text, or has no width.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed() -> Vec<Run> {
        [
            "openssl-ecdsa-p256-64",
            "openssl-ecdsa-p256-1024",
            "nss-ecdsa-p256-64",
            "nss-ecdsa-p256-1024",
        ]
        .iter()
        .filter_map(|name| reference::find(&format!("ref:seed-{name}"), None))
        .collect()
    }

    #[test]
    fn the_seed_prints_as_it_was_published() {
        let table = markdown(&seed());
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines[0],
            "| Operation | ref openssl B64 | Tput K/s | ref openssl B1024 | Tput K/s \
             | ref nss B64 | Tput K/s | ref nss B1024 | Tput K/s | Notes |"
        );
        assert_eq!(lines[1], "|---|---|---|---|---|---|---|---|---|---|");
        assert_eq!(
            lines[3],
            "| `cert_gen` | 0.789 ms | 81.1 | 10.31 ms | 99.3 | 1.86 ms | 34.5 | 25.27 ms | 40.5 |  |"
        );
        assert_eq!(
            lines[6],
            "| `db_read_certs` | 0.223 ms | 287.1 | 0.641 ms | 1,597 | 0.0683 ms | 937.0 \
             | 0.788 ms | 1,299 |  |"
        );
        assert!(lines[2].ends_with("| 1 a batch |"), "{}", lines[2]);
        assert_eq!(lines.len(), 2 + 15 + 2, "one remark: one machine");
        assert!(table.contains("16 threads, i7-12800H (12th Gen Intel"));
    }

    #[test]
    fn runs_are_told_apart() {
        let mut runs = seed();
        runs.truncate(1);
        let mut mine = runs[0].clone();
        mine.id = "7".to_owned();
        let mut again = mine.clone();
        again.id = "8".to_owned();
        again.stages.truncate(1);
        again.stages[0].errors = 2;
        let mut other = mine.clone();
        other.algorithm = "ml|dsa".to_owned();
        runs.extend([mine, again, other]);
        let sheets = sheets(&runs);
        assert_eq!(sheets.len(), 2);
        let columns: Vec<&str> = sheets[0].columns.iter().step_by(2).map(String::as_str).collect();
        assert_eq!(columns, ["Operation", "Tput K/s", "Tput K/s", "Tput K/s"]);
        assert_eq!(sheets[0].columns[1], "ref openssl B64");
        assert_eq!(sheets[0].columns[3], "openssl B64 #7");
        assert_eq!(sheets[0].columns[5], "openssl B64 #8");
        assert_eq!(sheets[0].rows[1][5..], ["-", "-", ""]);
        assert_eq!(sheets[0].rows[0][7], "1 a batch; 2 failed");
        let table = markdown(&runs);
        assert!(table.contains("## Results: ecdsa-p256\n\n| Operation"));
        assert!(table.contains("## Results: ml\\|dsa"));
        assert_eq!(markdown(&[]), "");
    }

    #[test]
    fn text_stands_in_columns() {
        let table = text(&seed());
        let mut lines = table.lines();
        let head = lines.next().unwrap();
        let end = head.find("ref openssl B64").unwrap() + "ref openssl B64".len();
        for line in lines.take(15) {
            assert!(line[..end].ends_with(" ms"), "{line}");
        }
    }

    #[test]
    fn cells_stay_in_their_table() {
        assert_eq!(markdown_text("a|b\n<c>_\u{1b}"), "a\\|b \\<c>\\_ ");
        assert_eq!(code("cert_gen"), "`cert_gen`");
        assert_eq!(code("a`b|c"), "a\\`b\\|c");
        assert_eq!(code(""), "");
    }

    #[test]
    fn nothing_unseen_gets_through() {
        let bad = "x\u{1b}[2J\r\n\u{9b}\u{202e}\u{200b}\u{2066}\u{feff}`y";
        let mut runs = seed();
        runs.truncate(2);
        runs[0].algorithm = bad.to_owned();
        for run in &mut runs {
            run.backend = bad.to_owned();
            run.machine.cpu = bad.to_owned();
            run.stages[0].name = bad.to_owned();
        }
        let table = markdown(&runs);
        assert!(!table.contains(|c| c != '\n' && is_unseen(c)), "{table:?}");
        assert_eq!(table.lines().filter(|line| line.starts_with("## Results: ")).count(), 2);
        assert_eq!(table.lines().filter(|line| line.starts_with("| x ")).count(), 2);
        assert!(!table.contains(" `y") && table.contains("\\`y"));
    }
}
