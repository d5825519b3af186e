//! Every rule that an encoding can break is declared once, named well and has its source.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic, in its helpers too")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One entry of a `rule!` block.
struct Declared {
    id: String,
    source: String,
    text: String,
    file: PathBuf,
}

/// All Rust files below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The string literals of `block`, with escaped line ends and quotes resolved.
fn literals(block: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = block.lines().filter(|l| !l.trim_start().starts_with("//")).fold(
        String::new(),
        |mut all, line| {
            all.push_str(line);
            all.push('\n');
            all
        },
    );
    while let Some(start) = rest.find('"') {
        let mut literal = String::new();
        let mut chars = rest[start + 1..].char_indices();
        let end = loop {
            match chars.next() {
                Some((_, '\\')) => literal.extend(chars.next().map(|(_, c)| c)),
                Some((i, '"')) => break start + 1 + i,
                Some((_, c)) => literal.push(c),
                None => panic!("a literal without an end: {rest}"),
            }
        };
        found.push(literal);
        rest = rest[end + 1..].to_owned();
    }
    found
}

fn declared() -> Vec<Declared> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut rules = Vec::new();
    for file in sources(&root) {
        let text = fs::read_to_string(&file).unwrap();
        for block in text.split("\nrule! {\n").skip(1) {
            let block = block.split("\n}").next().unwrap();
            let literals = literals(block);
            assert_eq!(literals.len() % 3, 0, "{}: {literals:?}", file.display());
            rules.extend(literals.chunks(3).map(|rule| Declared {
                id: rule[0].clone(),
                source: rule[1].clone(),
                text: rule[2].clone(),
                file: file.clone(),
            }));
        }
    }
    rules
}

#[test]
fn no_two_rules_have_the_same_name() {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    let rules = declared();
    assert!(rules.len() > 40, "only {} rules found", rules.len());
    for rule in rules {
        if let Some(before) = seen.insert(rule.id.clone(), rule.file.clone()) {
            panic!("{} in {} and in {}", rule.id, before.display(), rule.file.display());
        }
    }
}

#[test]
fn rules_are_well_written() {
    for Declared { id, source, text, file } in declared() {
        let place = format!("{id} in {}", file.display());
        let kebab = id.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        });
        assert!(kebab, "{place}: not in kebab-case");
        // A clause of a standard, a draft as a whole, a format that only OpenSSL defines, or a
        // limit of our own.
        let known =
            ["X.", "RFC ", "FIPS ", "SEC ", "PKCS ", "draft-", "CA/", "OpenSSL ", "pkiscope"];
        assert!(known.iter().any(|k| source.starts_with(k)), "{place}: the source '{source}'");
        assert!(text.len() > 10 && !text.ends_with('.'), "{place}: '{text}'");
    }
}
