//! The CA pipeline as a program: every algorithm and backend, what it stores, and what it says
//! when it cannot.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod crash;
mod objects;
mod support;

use jsonschema::Validator;
use pkiscope::pki::crypto::SignatureAlgorithm;
use serde_json::Value;

use support::{Scratch, lines, pipeline, text};

const SCHEMA: &str = include_str!("../../fixtures/schema/pipeline.json");
const BACKENDS: [&str; 3] = ["native-ossl", "openssl", "aws-lc"];

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Every stage of every run is there, took time and failed nowhere.
fn check_runs(runs: &[Value], sizes: &[u64], what: &str) {
    let batches: Vec<u64> = runs.iter().map(|run| run["batch"].as_u64().unwrap()).collect();
    assert_eq!(batches, sizes, "{what}");
    for run in runs {
        let stages = run["stages"].as_array().unwrap();
        assert_eq!(stages.len(), 15, "{what}");
        for stage in stages {
            assert_eq!(stage["errors"], 0, "{what}: {stage}");
            assert!(stage["wall_ns"]["mean"].as_u64().unwrap() > 0, "{what}: {stage}");
            let single = ["ca_self_sign", "crl_build", "crl_sign", "db_insert_crl", "crl_verify"];
            let name = stage["name"].as_str().unwrap();
            let one = single.contains(&name) || name == "db_read_crl";
            let items = if one { 1 } else { run["batch"].as_u64().unwrap() };
            assert_eq!(stage["items"].as_u64().unwrap(), items, "{what}: {name}");
        }
    }
}

#[test]
fn every_algorithm_runs_on_every_backend() {
    let validator = validator();
    for algorithm in SignatureAlgorithm::ALL {
        for backend in BACKENDS {
            // RSA keys take long to make: one for all subscribers is enough there.
            let slow = algorithm.rsa_bits().is_some();
            let (sizes, keys) = if slow { ("2", "shared") } else { ("1,3,64", "fresh") };
            let output = pipeline(&[
                "--db=:memory:",
                "--format=json",
                "--ca-key-algo",
                algorithm.id(),
                "--backend",
                backend,
                "--sizes",
                sizes,
                "--subscriber-keys",
                keys,
            ]);
            let what = format!("{algorithm} {backend}: {}", text(&output.stderr));
            assert!(output.status.success(), "{what}");
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            let errors: Vec<String> =
                validator.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{what}: {errors:#?}");
            let sizes: Vec<u64> = sizes.split(',').map(|size| size.parse().unwrap()).collect();
            check_runs(document["runs"].as_array().unwrap(), &sizes, &what);
        }
    }
}

#[test]
fn the_schema_is_strict() {
    let output = pipeline(&["--db=:memory:", "--format=json", "--sizes=1"]);
    let good: Value = serde_json::from_slice(&output.stdout).unwrap();
    let validator = validator();
    assert!(validator.is_valid(&good));
    let changes = [
        ("/runs/0/stages/1/name", Value::from("cert_make")),
        ("/runs/0/stages/1/wall_ns", Value::Null),
        ("/runs/0/algorithm", Value::from("rsa1024")),
        ("/settings/durability", Value::from("off")),
        ("/machine/cores", Value::from(0)),
        ("/schema", Value::from("pkiscope.pipeline/2")),
    ];
    for (pointer, value) in changes {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&bad), "{pointer}");
    }
    let mut short = good;
    short["runs"][0]["stages"].as_array_mut().unwrap().pop();
    assert!(!validator.is_valid(&short));
}

#[test]
fn all_formats_tell_the_same_runs() {
    let run = |format: &str| {
        let output = pipeline(&["--db=:memory:", "--sizes=2,4", "--format", format]);
        assert!(output.status.success(), "{format}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let runs = lines(&run("ndjson"));
    check_runs(&runs, &[2, 4], "ndjson");
    for format in ["text", "csv", "markdown"] {
        let shown = run(format);
        for stage in ["ca_self_sign", "cert_gen", "db_read_ocsp"] {
            // Markdown escapes the underscore.
            let found = shown.replace('\\', "");
            assert!(found.contains(stage), "{format} has no {stage}:\n{shown}");
        }
    }
    assert_eq!(run("csv").lines().count(), 1 + 2 * 15);
}

#[test]
fn min_time_repeats_and_keeps_the_last_rows() {
    let scratch = Scratch::new();
    let output = pipeline(&[
        "--db",
        scratch.db(),
        "--sizes=8",
        "--min-time=60ms",
        "--format=ndjson",
        "--threads=2",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let run = &lines(&text(&output.stdout))[0];
    let repetitions = run["repetitions"].as_u64().unwrap();
    assert!(repetitions > 1, "{repetitions}");
    let gen_stage = &run["stages"][1];
    assert_eq!(gen_stage["repetition_ns"].as_array().unwrap().len() as u64, repetitions);
    let wall: u64 = run["stages"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|stage| stage["repetition_ns"].as_array().unwrap())
        .map(|ns| ns.as_u64().unwrap())
        .sum();
    assert!(wall >= 60_000_000, "{wall}");
    assert_eq!(objects::count(&scratch, "certificate"), 8 + 1);
    assert_eq!(objects::count(&scratch, "ocsp-response"), 8);
}

#[test]
fn different_keys_for_ca_and_subscribers() {
    let scratch = Scratch::new();
    let output = pipeline(&[
        "--db",
        scratch.db(),
        "--sizes=3",
        "--ca-key-algo=ml-dsa-44",
        "--key-algo=ecdsa-p384",
        "--backend=openssl",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let certificates = objects::all(&scratch, "certificate");
    let last = pkiscope::pki::certificate::Certificate::parse(&certificates[3].der).unwrap();
    assert_eq!(last.public_key().bits(), Some(384));
    assert_eq!(last.signature().len(), SignatureAlgorithm::MlDsa44.max_signature_len());
}

#[test]
fn wrong_command_lines_say_what_there_is() {
    let cases: [(&[&str], &str); 9] = [
        (&["--ca-key-algo=rsa1024"], "ecdsa-p256"),
        (&["--key-algo=x"], "ml-dsa-87"),
        (&["--backend=gnutls"], "native-ossl, openssl, aws-lc"),
        (&["--sizes=0"], "1048576"),
        (&["--sizes=1,two"], "1048576"),
        (&["--min-time=-1s"], "time"),
        (&["--durability=off"], "full"),
        (&["--subscriber-keys=none"], "shared"),
        (&["--profile=/no/such/file"], "/no/such/file"),
    ];
    for (arguments, says) in cases {
        let output = pipeline(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(says), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_profile_that_is_wrong_names_the_line() {
    let scratch = Scratch::new();
    let profile = scratch.file("profile.toml", b"[certificate]\nvalidity_days = \"long\"\n");
    let output = pipeline(&["--db=:memory:", "--sizes=1", "--profile", profile.to_str().unwrap()]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("profile.toml") && stderr.contains("line 2"), "{stderr}");
}
