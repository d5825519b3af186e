//! The tables hold together, and the names are the ones that the standards assign.

use std::collections::HashMap;

use super::table::{FAMILIES, LABELS};
use super::{Names, Problem, all, by_name, encode, lookup};

fn contents(dotted: &str) -> Vec<u8> {
    let mut out = Vec::new();
    encode::dotted(dotted, &mut out).unwrap();
    out
}

fn rows() -> impl Iterator<Item = (String, &'static str)> {
    FAMILIES.iter().flat_map(|part| part.iter()).flat_map(|family| {
        family.names.iter().map(|(below, name)| {
            let dotted = if below.is_empty() {
                family.arc.to_owned()
            } else {
                format!("{}.{below}", family.arc)
            };
            (dotted, *name)
        })
    })
}

#[test]
fn no_identifier_stands_twice() {
    let mut seen = HashMap::new();
    for (dotted, name) in rows() {
        if let Some(other) = seen.insert(dotted.clone(), name) {
            panic!("{dotted} is {other} and {name}");
        }
    }
}

#[test]
fn every_row_is_found_by_its_octets() {
    let mut count = 0;
    for (dotted, name) in rows() {
        assert_eq!(lookup(&contents(&dotted)).map(|e| e.name), Some(name), "{dotted}");
        count += 1;
    }
    assert_eq!(all().count(), count);
}

#[test]
fn families_are_sorted_and_names_are_words() {
    for family in FAMILIES.iter().flat_map(|part| part.iter()) {
        assert!(!family.source.is_empty(), "{}", family.arc);
        let numbers = |below: &str| -> Vec<u64> {
            below.split('.').filter(|p| !p.is_empty()).map(|p| p.parse().unwrap()).collect()
        };
        assert!(family.names.is_sorted_by_key(|(below, _)| numbers(below)), "{}", family.arc);
        for (_, name) in family.names {
            assert!(!name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic()), "{name:?}");
        }
    }
}

#[test]
fn every_label_has_its_row() {
    for (dotted, label) in LABELS {
        let entry = lookup(&contents(dotted));
        assert_eq!(entry.and_then(|e| e.short), Some(*label), "{dotted}");
        assert_eq!(by_name(label), Some(contents(dotted).as_slice()), "{label}");
    }
}

#[test]
fn octets_follow_x690_8_19() {
    assert_eq!(contents("2.5.29.15"), [0x55, 0x1d, 0x0f]);
    assert_eq!(contents("1.2.840.113549"), [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]);
    assert_eq!(contents("2.999.3"), [0x88, 0x37, 0x03]);
    assert_eq!(contents("0.0"), [0x00]);
    let uuid = contents("2.25.340282366920938463463374607431768211455");
    assert_eq!(uuid.len(), 1 + 19);
    assert_eq!(uuid[1..3], [0x83, 0xff]);
}

#[test]
fn names_are_found_in_any_case_and_with_the_prefix_of_their_module() {
    let key_usage = contents("2.5.29.15");
    for name in ["keyUsage", "KEYUSAGE", "id-ce-keyUsage"] {
        assert_eq!(by_name(name), Some(key_usage.as_slice()), "{name}");
    }
    assert_eq!(by_name("CN"), Some(contents("2.5.4.3").as_slice()));
    assert_eq!(by_name("noSuchName"), None);
    assert_eq!(by_name(""), None);
}

#[test]
fn unknown_and_oversized_contents_have_no_name() {
    for contents in [&[][..], &[0x55], &[0x80], &[0x55, 0x1d, 0x8f], &[0xff; 100_000]] {
        assert_eq!(lookup(contents), None);
    }
}

#[test]
fn a_user_file_wins_over_the_table() {
    let names = Names::load_user(
        "# ours\n\n2.5.4.3 shownName SN1 # comment\n 1.3.6.1.4.1.32473.9\tlocalThing\r\n",
    )
    .unwrap();
    assert_eq!(names.len(), 2);
    let cn = names.lookup(&contents("2.5.4.3")).unwrap();
    assert_eq!((cn.name, cn.short), ("shownName", Some("SN1")));
    let local = names.lookup(&contents("1.3.6.1.4.1.32473.9")).unwrap();
    assert_eq!((local.name, local.short), ("localThing", None));
    assert_eq!(names.lookup(&contents("2.5.29.15")).map(|e| e.name), Some("keyUsage"));
    assert_eq!(names.by_own_name("LOCALTHING"), Some(&*contents("1.3.6.1.4.1.32473.9")));
}

#[test]
fn a_bad_user_line_is_named() {
    let problem = |text: &str| {
        let error = Names::load_user(text).unwrap_err();
        (error.line, error.problem)
    };
    use encode::DottedError::{BadRoot, NotANumber, TooBig, TooShort};
    assert_eq!(problem("1.2 a\n1 b"), (2, Problem::Identifier(TooShort)));
    assert_eq!(problem("1.2. a"), (1, Problem::Identifier(NotANumber)));
    assert_eq!(problem("1.02 a"), (1, Problem::Identifier(NotANumber)));
    assert_eq!(problem("1.+2 a"), (1, Problem::Identifier(NotANumber)));
    assert_eq!(problem("3.1 a"), (1, Problem::Identifier(BadRoot)));
    assert_eq!(problem("1.40 a"), (1, Problem::Identifier(BadRoot)));
    let big = format!("1.2.{} a", "9".repeat(40));
    assert_eq!(problem(&big), (1, Problem::Identifier(TooBig)));
    let edge = format!("2.{} a", u128::MAX);
    assert_eq!(problem(&edge), (1, Problem::Identifier(TooBig)));
    assert_eq!(problem("\n\n1.2.3"), (3, Problem::NoName));
    assert_eq!(problem("1.2.3 # name"), (1, Problem::NoName));
    assert_eq!(problem("1.2.3 a b c"), (1, Problem::TooMany));
    assert_eq!(problem("1.2.3 a\u{202e}b"), (1, Problem::BadName));
    assert_eq!(problem("1.2.3 a\u{1b}[2J"), (1, Problem::BadName));
    assert_eq!(problem("1.2.3 a 1x"), (1, Problem::BadLabel));
    assert_eq!(problem("1.2.3 a C,N"), (1, Problem::BadLabel));
    assert_eq!(problem("1.2.3 a\n1.2.3 b"), (2, Problem::Again(1)));
    let shown = Names::load_user("x y").unwrap_err().to_string();
    assert_eq!(shown, "line 1: an object identifier is decimal numbers with dots between them");
}
