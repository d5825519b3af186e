//! `runs` as a program: what it prints, what it deletes, how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod support;

use serde_json::Value;

use crate::support::{Home, lines, validator};

const REFERENCE: &str = "ref:seed-openssl-ecdsa-p256";

#[test]
fn every_command_fits_its_schema_in_every_format() {
    let home = Home::with_runs();
    for (schema, words) in [
        ("runs-list", &["list"][..]),
        ("runs-list", &["list", "--references", "--algorithm", "rsa4096"]),
        ("runs-show", &["show", "1", "#3", REFERENCE]),
        ("runs-export", &["export", "last", "ref:seed-nss-ml-dsa-65-64"]),
        ("runs-compare", &["compare", "1", "2"]),
        ("runs-compare", &["compare", REFERENCE, "3"]),
        ("runs-compare", &["compare", "2", "1", "--fail-above", "900%"]),
    ] {
        let validator = validator(schema);
        let (code, json, stderr) = home.runs(words, "json");
        assert_eq!((code, stderr.as_str()), (0, ""), "{words:?}");
        let value: Value = serde_json::from_str(&json).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{words:?}: {errors:#?}");
        let list = value.get("runs").or(value.get("stages")).unwrap().as_array().unwrap();
        let (_, ndjson, _) = home.runs(words, "ndjson");
        assert_eq!(&lines(&ndjson), list, "{words:?}");
        let (_, csv, _) = home.runs(words, "csv");
        let columns = csv.lines().next().unwrap().split(',').count();
        assert!(csv.lines().count() > 1 && columns > 4, "{csv}");
        assert!(csv.contains("\r\n"));
        let (_, markdown, _) = home.runs(words, "markdown");
        assert!(markdown.starts_with('|') || markdown.starts_with("## Results: "), "{markdown}");
        let (code, text, _) = home.runs(words, "text");
        assert_eq!(code, 0);
        assert!(text.lines().count() > 3 && !text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn runs_are_listed_with_filters() {
    let home = Home::with_runs();
    let ids = |words: &[&str]| -> Vec<String> {
        let (code, out, _) = home.runs(&[&["list"], words].concat(), "ndjson");
        assert_eq!(code, 0);
        lines(&out).iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&[]), ["5", "4", "3", "2", "1"]);
    assert_eq!(ids(&["--state", "interrupted"]), ["4"]);
    assert_eq!(ids(&["--backend", "aws-lc"]), ["2"]);
    assert_eq!(ids(&["--size", "64", "--limit", "2"]), ["4", "2"]);
    assert_eq!(ids(&["--algorithm", "rsa2048"]), [""; 0]);
    assert_eq!(ids(&["--references", "--size", "64", "--backend", "nss"]).len(), 7);
    let (_, text, _) = home.runs(&["list"], "text");
    assert!(text.contains("interrupted") && text.contains("28 published references"), "{text}");
}

#[test]
fn a_comparison_says_which_is_better_and_ends_accordingly() {
    let home = Home::with_runs();
    let (code, text, _) = home.runs(&["compare", "1", "2", "--fail-above", "5%"], "text");
    assert_eq!(code, 0, "{text}");
    let row = |text: &str, stage: &str| {
        text.lines().find(|line| line.starts_with(stage)).unwrap().to_owned()
    };
    assert!(row(&text, "cert_gen").ends_with("better"), "{text}");
    assert!(row(&text, "cert_verify").ends_with("same"), "{text}");
    assert!(text.contains("worse by more than 5 %: none"));
    assert!(row(&text, "backend").contains("aws-lc"), "{text}");
    let (code, json, _) = home.runs(&["compare", "2", "1", "--fail-above", "5%"], "json");
    assert_eq!(code, 1);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["gate"]["failed"], serde_json::json!(["cert_gen"]));
    let (code, ..) = home.runs(&["compare", "2", "1", "--fail-above", "400%"], "text");
    assert_eq!(code, 0);
    let (code, ..) = home.runs(&["compare", "2", "1"], "text");
    assert_eq!(code, 0, "without a limit it is a report");
}

#[test]
fn what_cannot_be_judged_is_no_success() {
    let home = Home::with_runs();
    // Run 3 has another batch, run 5 one repetition.
    for (a, b, reason) in [("1", "3", "batches of 64 and 1,024"), ("3", "5", "one repetition in B")]
    {
        let (code, text, stderr) = home.runs(&["compare", a, b], "text");
        assert_eq!((code, stderr.as_str()), (0, ""), "{text}");
        assert!(text.contains(&format!("not comparable: {reason}")), "{text}");
        let (code, _, stderr) = home.runs(&["compare", a, b, "--fail-above", "5%"], "text");
        assert_eq!(code, 3);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains("no stage can be compared") && stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn what_fails_or_is_missing_is_beyond_every_limit() {
    let home = Home::with_runs();
    // Run 6 is run 1 with a failed item, run 7 is run 1 without a stage.
    home.add("native-ossl", 64, 4_000_000, 20, &|run| run.stages[0].errors = 1);
    home.add("native-ossl", 64, 4_000_000, 20, &|run| run.stages.truncate(1));
    for (b, stage) in [("6", "cert_gen"), ("7", "cert_verify")] {
        let (code, json, _) = home.runs(&["compare", "1", b, "--fail-above", "900%"], "json");
        assert_eq!(code, 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["gate"]["failed"], serde_json::json!([stage]));
        assert!(validator("runs-compare").is_valid(&value), "{json}");
        let (code, text, _) = home.runs(&["compare", "1", b, "--fail-above", "900%"], "text");
        assert_eq!(code, 1);
        let says = format!("worse by more than 900 %: none\nfailed or missing in B: {stage}\n");
        assert!(text.ends_with(&says), "{text}");
        let (code, ..) = home.runs(&["compare", b, "1", "--fail-above", "5%"], "text");
        assert_eq!(code, 0, "what is in order again is no fault of B");
    }
}

#[test]
fn the_table_is_that_of_the_seed() {
    let home = Home::new();
    let ids = [format!("{REFERENCE}-64"), format!("{REFERENCE}-1024")];
    let (code, table, _) = home.runs(&["export", &ids[0], &ids[1]], "markdown");
    assert_eq!(code, 0, "references need no database");
    let row = table.lines().find(|line| line.contains("ocsp_sign")).unwrap();
    assert_eq!(row, "| `ocsp_sign` | 0.326 ms | 196.5 | 2.65 ms | 386.5 |  |");
    assert!(table.contains("i7-12800H"));
}

#[test]
fn runs_are_deleted_all_or_none() {
    let home = Home::with_runs();
    let count = || lines(&home.runs(&["list"], "ndjson").1).len();
    let (code, _, stderr) = home.runs(&["delete", "1", "99"], "text");
    assert_eq!((code, count()), (3, 5));
    assert!(stderr.contains("there is no run 99"), "{stderr}");
    let (code, _, stderr) = home.runs(&["delete", "1", REFERENCE], "text");
    assert_eq!((code, count()), (2, 5));
    assert!(stderr.contains("built in"), "{stderr}");
    let (code, json, _) = home.runs(&["delete", "1", "#4", "1"], "json");
    assert_eq!((code, count()), (0, 3));
    let value: Value = serde_json::from_str(&json).unwrap();
    assert!(validator("runs-delete").is_valid(&value));
    assert_eq!(value["runs"], serde_json::json!([{"id": "1"}, {"id": "4"}]));
    let (code, text, _) = home.runs(&["delete", "last"], "text");
    assert_eq!((code, text.as_str(), count()), (0, "deleted #5\n", 2));
}

#[test]
fn a_broken_run_is_listed_and_can_be_deleted() {
    let home = Home::with_runs();
    home.add_broken();
    let (code, json, _) = home.runs(&["list"], "json");
    assert_eq!(code, 0);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert!(validator("runs-list").is_valid(&value), "{json}");
    assert_eq!(value["runs"][0]["state"], "broken");
    assert_eq!(value["runs"].as_array().unwrap().len(), 6);
    let (code, text, _) = home.runs(&["show", "last"], "text");
    assert_eq!(code, 0, "the last one that reads: {text}");
    let (code, _, stderr) = home.runs(&["show", "6"], "text");
    assert_eq!(code, 3);
    assert!(stderr.contains("run 6: settings that do not read"), "{stderr}");
    let (code, text, _) = home.runs(&["delete", "6"], "text");
    assert_eq!((code, text.as_str()), (0, "deleted #6\n"));
    assert_eq!(lines(&home.runs(&["list"], "ndjson").1).len(), 5);
}

#[test]
fn faults_are_one_line_and_a_code() {
    let home = Home::with_runs();
    for (words, code, says) in [
        (&["show", "77"][..], 3, "there is no run 77"),
        (&["show", "last-9"], 3, "there are no 10 finished runs"),
        (&["show", "ref:nothing"], 3, "there is no reference ref:nothing"),
        (&["show", "x"], 2, "names no run"),
        (&["show"], 2, "<ID>"),
        (&["compare", "1"], 2, "<B>"),
        (&["compare", "1", "2", "--fail-above", "x"], 2, "per cent"),
        (&["compare", "1", "2", "--fail-above", "1%"], 2, "take 2% or more"),
        (&[], 2, "--batch runs needs one of list"),
        (&["list", "--db", "/nowhere/x.db"], 3, "/nowhere/x.db"),
    ] {
        let (found, out, stderr) = home.runs(words, "text");
        assert_eq!(found, code, "{words:?}: {stderr}");
        assert!(out.is_empty(), "{words:?}: {out}");
        assert_eq!(stderr.lines().count(), 1, "{words:?}: {stderr}");
        assert!(stderr.contains(says), "{words:?}: {stderr}");
    }
}

#[test]
fn nothing_stored_is_no_fault() {
    let home = Home::new();
    let (code, out, stderr) = home.runs(&["list"], "json");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&out).unwrap();
    assert!(validator("runs-list").is_valid(&value));
    assert!(home.runs(&["list"], "text").1.starts_with("no runs\n"));
    let (code, _, stderr) = home.runs(&["show", "last"], "text");
    assert_eq!(code, 3);
    assert!(stderr.contains("there is no finished run"), "{stderr}");
    assert!(std::fs::read_dir(home.path()).unwrap().next().is_none(), "nothing was made");
}

#[test]
fn what_writes_needs_batch() {
    let home = Home::with_runs();
    for command in ["delete", "export"] {
        let output = home.program().args(["runs", command, "1"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("needs --batch"), "{stderr}");
    }
}
