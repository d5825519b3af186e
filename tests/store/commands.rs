//! `store list` and `store get`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use jsonschema::Validator;
use pkiscope::asn1::text::is_hidden;
use pkiscope::pki::crypto::sha256;
use pkiscope::store::{NewObject, Options, Writer};
use serde_json::{Value, json};

use crate::support::{Home, RUN};

const SCHEMA: &str = include_str!("../../fixtures/schema/store-list.json");

/// The program, away from the configuration and the state of whoever runs the test.
fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pkiscope"));
    command.env_clear().env("HOME", home);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(home: &Home, words: &[&str]) -> Output {
    let mut command = program(home.folder.path());
    command.arg("--batch").arg("--db").arg(&home.path).arg("store").args(words);
    command.output().unwrap()
}

/// What a command that ended well wrote.
fn text(home: &Home, words: &[&str]) -> String {
    let output = run(home, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of a command that ended with `code`.
fn complaint(output: &Output, code: i32) -> String {
    let line = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert!(output.stdout.is_empty(), "{line}");
    assert!(line.starts_with("pkiscope: ") && line.matches('\n').count() == 1, "{line:?}");
    line.trim_end().to_owned()
}

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/samples");
    std::fs::read(folder.join(name)).unwrap()
}

/// A database of two runs; the last object has a hostile subject and the first one's octets.
fn filled() -> (Home, Vec<Vec<u8>>) {
    let home = Home::new();
    let mut writer = Writer::open(&home.place(), &Options::default()).unwrap();
    let ders: Vec<Vec<u8>> = [
        "certificate-v1.der",
        "certificate-p256-server.der",
        "crl-delta.der",
        "ocsp-response-good.der",
        "certificate-v1.der",
    ]
    .map(sample)
    .to_vec();
    let row = |at: usize, subject, serial| NewObject {
        der: &ders[at],
        sha256: sha256(&ders[at]),
        subject,
        serial,
    };
    let one = writer.begin_run(&RUN).unwrap();
    let certificates = [
        row(0, Some("CN=Erste,O=Ä"), Some(&[1_u8][..])),
        row(1, Some("CN=second"), Some(&[0, 0x8f])),
    ];
    writer.insert_objects(one, "certificate", certificates).unwrap();
    writer.insert_objects(one, "crl", [row(2, None, None)]).unwrap();
    let two = writer.begin_run(&RUN).unwrap();
    writer.insert_objects(two, "ocsp-response", [row(3, None, None)]).unwrap();
    let evil = "CN=\u{1b}[31m\u{202e}|\r\n=cmd()";
    writer.insert_objects(two, "certificate", [row(4, Some(evil), Some(&[1, 0]))]).unwrap();
    (home, ders)
}

fn ids(home: &Home, words: &[&str]) -> Vec<i64> {
    let words: Vec<&str> = ["list", "--format", "ndjson"].iter().chain(words).copied().collect();
    let text = text(home, &words);
    let elements = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    elements.map(|element| element["id"].as_i64().unwrap()).collect()
}

#[test]
fn filters_narrow_the_list() {
    let (home, _) = filled();
    for (words, expected) in [
        (&[][..], &[1, 2, 3, 4, 5][..]),
        (&["--kind", "certificate"], &[1, 2, 5]),
        (&["--kind", "csr"], &[]),
        (&["--run", "2"], &[4, 5]),
        (&["--run", "#2"], &[4, 5]),
        (&["--run", "7"], &[]),
        (&["--run", "1", "--kind", "crl"], &[3]),
        (&["--serial", "8F"], &[2]),
        (&["--serial", "00:8f"], &[2]),
        (&["--serial", "1"], &[1]),
        (&["--subject", "erste"], &[1]),
        (&["--subject", "cn=second"], &[2]),
        (&["--subject", "ä"], &[1]),
        (&["--subject", "%"], &[]),
        (&["--limit", "2"], &[1, 2]),
        (&["--limit", "0"], &[]),
        (&["--after", "3"], &[4, 5]),
        (&["--after", "1", "--limit", "1", "--kind", "certificate"], &[2]),
    ] {
        assert_eq!(ids(&home, words), expected, "{words:?}");
    }
}

#[test]
fn a_run_is_named_as_everywhere() {
    let (home, _) = filled();
    let list = |run| ids(&home, &["--run", run]);
    let output = run(&home, &["list", "--run", "last"]);
    assert!(complaint(&output, 3).contains("there is no finished run"));
    let mut writer = Writer::open(&home.place(), &Options::default()).unwrap();
    writer.finish_run(1, 1, &[]).unwrap();
    assert_eq!(list("last"), [1, 2, 3], "run 2 is not finished");
    writer.finish_run(2, 1, &[]).unwrap();
    assert_eq!(list("last"), [4, 5]);
    assert_eq!(list("last-1"), [1, 2, 3]);
    assert_eq!(list("#1"), [1, 2, 3]);
}

#[test]
fn more_than_a_page_is_listed() {
    let home = Home::new();
    let mut writer = home.writer();
    let run = writer.begin_run(&RUN).unwrap();
    let row = NewObject { der: b"\x05\x00", sha256: [7; 32], subject: None, serial: None };
    writer.insert_objects(run, "der", std::iter::repeat_n(row, 2500)).unwrap();
    assert_eq!(ids(&home, &[]), (1..=2500).collect::<Vec<_>>());
    assert_eq!(ids(&home, &["--limit", "1001"]).len(), 1001);
}

#[test]
fn all_formats_say_the_same() {
    let (home, ders) = filled();
    let document: Value =
        serde_json::from_str(&text(&home, &["list", "--format", "json"])).unwrap();
    let objects = document["objects"].as_array().unwrap();
    let lines: Vec<Value> = text(&home, &["list", "--format", "ndjson"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(&lines, objects);
    let digest = data_encoding::HEXLOWER.encode(&sha256(&ders[1]));
    assert_eq!(
        objects[1],
        json!({
            "id": 2, "kind": "certificate", "sha256": digest, "size": ders[1].len(),
            "subject": "CN=second", "serial_number": "008f", "run": 1,
        })
    );
    assert_eq!(
        (&objects[2]["subject"], &objects[2]["serial_number"]),
        (&Value::Null, &Value::Null)
    );
    let csv = text(&home, &["list", "--format", "csv"]);
    let rows: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(rows[0], "id,kind,sha256,size,subject,serial_number,run");
    assert_eq!(rows[2], format!("2,certificate,{digest},{},CN=second,008f,1", ders[1].len()));
    assert_eq!(rows.len(), 6);
    let markdown = text(&home, &["list", "--format", "markdown"]);
    assert_eq!(markdown.lines().count(), 7);
    let plain = text(&home, &["list"]);
    assert_eq!(plain.lines().count(), 6);
    for (line, object) in plain.lines().skip(1).zip(objects) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[0], object["id"].to_string());
        assert_eq!(words[1], object["kind"].as_str().unwrap());
        assert_eq!(words[4], &object["sha256"].as_str().unwrap()[..16]);
    }
    for text in [csv.replace('\r', ""), markdown, plain] {
        let bad = text.chars().find(|c| *c != '\n' && is_hidden(*c));
        assert_eq!(bad, None, "{text:?}");
    }
}

#[test]
fn the_json_is_what_the_schema_says() {
    let (home, _) = filled();
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    let validator: Validator = jsonschema::validator_for(&schema).unwrap();
    for words in [&["list", "--format", "json"][..], &["list", "--format", "json", "--run", "9"]] {
        let value: Value = serde_json::from_str(&text(&home, words)).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let good: Value = serde_json::from_str(&text(&home, &["list", "--format", "json"])).unwrap();
    for (pointer, value) in [
        ("/schema", json!("pkiscope.store-list/2")),
        ("/objects/0/id", json!(0)),
        ("/objects/0/kind", json!("certificates")),
        ("/objects/0/sha256", json!("00")),
        ("/objects/0/serial_number", json!("0A")),
        ("/objects/0/subject", json!({})),
        ("/objects/0/size", json!(-1)),
        ("/objects/0", json!({})),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&bad), "{pointer}");
    }
}

#[test]
fn objects_come_out_as_der_and_pem() {
    let (home, ders) = filled();
    for (id, der) in (1..).zip(&ders) {
        let id = id.to_string();
        assert_eq!(&run(&home, &["get", &id]).stdout, der);
        let digest = data_encoding::HEXLOWER.encode(&sha256(der));
        for prefix in [&digest[..], &digest[..12], &digest[..9].to_uppercase()] {
            assert_eq!(&run(&home, &["get", prefix]).stdout, der, "{prefix}");
        }
        let pem = text(&home, &["get", &id, "--form", "pem"]);
        let path = home.folder.path().join("out.der");
        let name = path.to_str().unwrap();
        assert_eq!(text(&home, &["get", &id, "--out", name]), "");
        assert_eq!(&std::fs::read(&path).unwrap(), der);
        std::fs::write(&path, &pem).unwrap();
        let output = program(home.folder.path())
            .args(["--batch", "inspect", "--format", "ndjson", name])
            .output()
            .unwrap();
        let first = String::from_utf8(output.stdout).unwrap();
        let record: Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
        assert_eq!(record["sha256"], digest);
        assert_eq!(record["source"]["encoding"], "pem");
    }
    assert!(text(&home, &["get", "3", "--form", "pem"]).starts_with("-----BEGIN X509 CRL-----\n"));
}

#[test]
fn what_is_not_there_is_told() {
    let (home, _) = filled();
    for (which, part) in [
        ("6", "no stored object has the number 6"),
        ("000000000000", "no stored object"),
        ("abcdef0123", "begins with abcdef0123"),
    ] {
        let line = complaint(&run(&home, &["get", which]), 3);
        assert!(line.contains(part), "{line}");
    }
    let line = complaint(&run(&home, &["get", "1", "--out", "/nonexistent/x"]), 4);
    assert!(line.contains("/nonexistent/x: "), "{line}");
}

#[test]
fn a_digest_that_means_two_is_told() {
    let home = Home::new();
    let mut writer = home.writer();
    let run_id = writer.begin_run(&RUN).unwrap();
    let rows = [1, 2, 3].map(|last| {
        let mut digest = [0xab; 32];
        digest[31] = last;
        NewObject { der: b"\x05\x00", sha256: digest, subject: None, serial: None }
    });
    writer.insert_objects(run_id, "der", rows).unwrap();
    let line = complaint(&run(&home, &["get", "abab"]), 3);
    assert!(line.contains("abab have the objects 1, 2, 3"), "{line}");
    let whole = format!("{}02", "ab".repeat(31));
    assert_eq!(run(&home, &["get", &whole]).stdout, b"\x05\x00");
}

#[test]
fn wrong_words_are_usage_errors() {
    let (home, _) = filled();
    for (words, part) in [
        (&["list", "--kind", "certificates"][..], "certificates"),
        (&["list", "--serial", "xyz"], "hex"),
        (&["list", "--run", "one"], "--run"),
        (&["list", "--run", "ref:seed-nss-ed25519"], "has no objects"),
        (&["get"], "<ID|SHA256>"),
        (&["get", "abc"], "4 digits"),
        (&["get", "1", "--form", "text"], "--form"),
        (&[], "store"),
    ] {
        let line = complaint(&run(&home, words), 2);
        assert!(line.contains(part), "{line}");
    }
    let output = program(home.folder.path()).args(["store", "list"]).output().unwrap();
    assert!(complaint(&output, 2).contains("--batch"));
}

#[test]
fn der_is_not_written_to_a_terminal() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read as _;

    let (home, _) = filled();
    let pair = native_pty_system().openpty(PtySize::default()).unwrap();
    for (form, code, part) in [("der", 2, "--form pem"), ("pem", 0, "-----END CERTIFICATE-----")] {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_pkiscope"));
        command.env_clear();
        command.env("HOME", home.folder.path());
        command.args(["--batch", "store", "get", "1", "--form", form, "--db"]);
        command.arg(&home.path);
        let mut child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let mut shown = String::new();
        let mut buffer = [0; 4096];
        while !shown.contains(part) {
            let count = reader.read(&mut buffer).unwrap();
            assert!(count > 0, "{shown}");
            shown.push_str(std::str::from_utf8(&buffer[..count]).unwrap());
        }
        assert_eq!(child.wait().unwrap().exit_code(), code, "{shown}");
        assert!(!shown.contains("\u{fffd}"));
    }
}

#[test]
fn no_database_is_a_clear_line_and_stays_none() {
    let home = Home::new();
    for words in [&["list"][..], &["get", "1"]] {
        let line = complaint(&run(&home, words), 3);
        let wanted = format!("pkiscope: {}: there is no database yet", home.path.display());
        assert_eq!(line, wanted);
    }
    // The usual place is not made either.
    let output = program(home.folder.path()).args(["--batch", "store", "list"]).output().unwrap();
    assert!(complaint(&output, 3).contains("pkiscope.db: there is no database yet"));
    let line = complaint(
        &program(home.folder.path())
            .args(["--batch", "--db", ":memory:", "store", "list"])
            .output()
            .unwrap(),
        3,
    );
    assert_eq!(line, "pkiscope: the database in memory: there is no database yet");
    assert_eq!(std::fs::read_dir(home.folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_no_database_of_ours_is_told() {
    let home = Home::new();
    std::fs::write(&home.path, "something else\n".repeat(100)).unwrap();
    assert!(complaint(&run(&home, &["list"]), 3).contains("this is no SQLite database"));
    std::fs::remove_file(&home.path).unwrap();
    let mut writer =
        Writer::open(&home.place(), &Options { exclusive: true, ..Options::default() }).unwrap();
    writer.begin_run(&RUN).unwrap();
    let line = complaint(&run(&home, &["list"]), 3);
    assert!(line.contains(&format!("in use by process {} since", std::process::id())), "{line}");
}

#[test]
fn a_closed_pipe_ends_the_list_quietly() {
    let (home, _) = filled();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = program(home.folder.path());
    command.arg("--batch").arg("--db").arg(&home.path).args(["store", "list"]).stdout(writer);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}
