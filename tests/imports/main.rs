//! The import rule of ARCHITECTURE.md: which folder of `src` may use which, who may name which
//! library, and that nothing goes round in a circle.

mod cases;
mod graph;
mod names;
mod rules;
mod scan;

use std::error::Error;
use std::fs;
use std::path::Path;

/// A file of `src`: its path below `src` with `/` between the parts, and its text.
type Source = (String, String);

#[test]
fn the_source_keeps_the_import_rule() -> Result<(), Box<dyn Error>> {
    let mut sources = Vec::new();
    read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources)?;
    assert!(sources.len() > 50, "only {} source files were found", sources.len());
    let breaches = breaches(&sources)?;
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
    Ok(())
}

/// Every breach in `sources`, a line each, sorted.
fn breaches(sources: &[Source]) -> Result<Vec<String>, Box<dyn Error>> {
    let modules = scan::modules(sources)?;
    let edges = names::resolve(&modules);
    let mut found = rules::breaches(&edges);
    found.extend(graph::circles(&edges));
    found.sort();
    found.dedup();
    Ok(found)
}

fn read_folder(
    folder: &Path,
    prefix: &str,
    sources: &mut Vec<Source>,
) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), sources)?;
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            sources.push((path, fs::read_to_string(entry.path())?));
        }
    }
    Ok(())
}
