//! Exit codes for every class of input, and how the program behaves in a pipeline.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use pkiscope::app::batch::Options;
use pkiscope::app::cli::Format;
use pkiscope::app::exit::Exit;
use zeroize::Zeroizing;

use crate::support::{Scratch, inspect, lines, program, records, sample, tree, with_input};

#[test]
fn readable_objects_are_fine_and_broken_ones_are_not() {
    let good = sample("certificate-rsa-root.der");
    let findings = sample("certificate-findings.der");
    let two = [good.clone(), findings.clone()].concat();
    let cut = good[..good.len() - 1].to_vec();
    let after = [good.clone(), b"garbage".to_vec()].concat();
    let cases: [(&str, &[u8], Exit, usize); 8] = [
        ("good", &good, Exit::Fine, 1),
        ("findings", &findings, Exit::Fine, 1),
        ("two", &two, Exit::Fine, 2),
        ("cut", &cut, Exit::Input, 1),
        ("octets after it", &after, Exit::Input, 2),
        ("empty", b"", Exit::Input, 1),
        ("text", b"hello world\n", Exit::Input, 1),
        ("encrypted PEM", &sample("key-rsa-pkcs1-encrypted.pem"), Exit::Input, 1),
    ];
    for (name, octets, exit, count) in cases {
        let (code, list) = records(octets);
        assert_eq!((code, list.len()), (exit, count), "{name}");
        let broken = list.iter().filter(|record| record.get("error").is_some()).count();
        assert_eq!(broken > 0, exit == Exit::Input, "{name}");
        assert_eq!(tree(octets, Format::Ndjson).0, exit, "{name}");
    }
}

#[test]
fn a_broken_certificate_keeps_what_reads() {
    let good = sample("certificate-p256-server.der");
    let (_, whole) = records(&good);
    let (exit, cut) = records(&good[..good.len() - 100]);
    assert_eq!(exit, Exit::Input);
    assert_eq!(cut[0]["kind"], "certificate");
    assert_eq!(cut[0]["error"]["rule"], "length-beyond-end");
    assert_eq!(cut[0]["error"]["path"], "");
    for field in ["serial_number", "issuer", "subject", "not_after", "public_key"] {
        assert_eq!(cut[0][field], whole[0][field], "{field}");
    }
}

#[test]
fn what_is_locked_is_noted_and_a_wrong_password_is_a_fault() {
    let p12 = sample("pkcs12-pbes2.p12");
    let with = |password: Option<&str>| {
        let password = password.map(|text| Zeroizing::new(text.to_owned()));
        let options = Options { format: Format::Ndjson, password, ..Options::default() };
        let (exit, text) = inspect(&p12, &options);
        (exit, lines(&text))
    };
    let (exit, locked) = with(None);
    assert_eq!(exit, Exit::Fine);
    assert_eq!(locked[0]["notes"][0]["locked"], true);
    let (exit, refused) = with(Some("wrong"));
    assert_eq!(exit, Exit::Input);
    assert_eq!(refused.len(), locked.len());
    let (exit, open) = with(Some("pkiscope"));
    assert_eq!(exit, Exit::Fine);
    assert!(open.len() > locked.len());
    assert!(open[0].get("notes").is_none());
    for inner in &open[1..] {
        assert_eq!(inner["inside"]["index"], 0);
        assert!(inner["inside"]["place"].as_str().unwrap().starts_with("authSafe["));
    }
    assert!(open.iter().any(|record| record["type"] == "OneAsymmetricKey"));
}

#[test]
fn containers_are_followed_by_what_is_in_them() {
    for (name, kinds) in [
        (
            "pkcs7-certificates.p7b",
            &["pkcs7", "certificate", "certificate", "certificate", "crl"][..],
        ),
        ("pkcs7-indefinite.p7b", &["pkcs7", "certificate", "certificate", "certificate", "crl"]),
        ("ocsp-response-good.der", &["ocsp-response", "certificate"]),
        ("cms-signed-stream.ber", &["pkcs7", "certificate"]),
    ] {
        let octets = sample(name);
        let (exit, list) = records(&octets);
        assert_eq!(exit, Exit::Fine, "{name}");
        let found: Vec<&str> = list.iter().map(|record| record["kind"].as_str().unwrap()).collect();
        assert_eq!(found, kinds, "{name}");
        for (index, record) in list.iter().enumerate() {
            assert_eq!(record["index"], index, "{name}");
            let Some(offset) = record["offset"].as_u64().filter(|_| index > 0) else { continue };
            let start = usize::try_from(offset).unwrap();
            let (_, alone) = records(&octets[start..]);
            assert_eq!(alone[0]["sha256"], record["sha256"], "{name}");
        }
    }
}

#[test]
fn files_folders_and_standard_input_come_in_their_order() {
    let scratch = Scratch::new();
    let home = scratch.0.path();
    let one = scratch.file("one.der", &sample("certificate-v1.der"));
    std::fs::create_dir(home.join("folder")).unwrap();
    scratch.file("folder/b.pem", &sample("bundle.pem"));
    scratch.file("folder/a.txt", b"nothing here");
    let mut command = program(home);
    command.args(["inspect", "--format", "ndjson"]).arg(&one).arg("-");
    command.arg(home.join("folder")).arg(home.join("missing"));
    let output = with_input(command, &sample("crl-delta.der"));
    assert_eq!(output.status.code(), Some(3));
    let list = lines(std::str::from_utf8(&output.stdout).unwrap());
    let seen: Vec<(String, Option<&str>)> = list
        .iter()
        .map(|record| {
            let path = record["source"]["path"].as_str().unwrap();
            let name = Path::new(path).file_name().unwrap().to_str().unwrap().to_owned();
            (name, record["kind"].as_str())
        })
        .collect();
    let expected = [
        ("one.der", Some("certificate")),
        ("-", Some("crl")),
        ("a.txt", None),
        ("b.pem", Some("certificate")),
        ("b.pem", Some("certificate")),
        ("b.pem", Some("private-key")),
        ("b.pem", Some("certificate")),
        ("missing", None),
    ];
    let seen: Vec<_> = seen.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(seen, expected);
    assert_eq!(list[7]["error"]["rule"], "source-unreadable");
    assert_eq!(list[7]["offset"], serde_json::Value::Null);
}

#[test]
fn usage_errors_are_one_line() {
    let scratch = Scratch::new();
    for words in [
        &["inspect"][..],
        &["tree"],
        &["tree", "a", "b"],
        &["inspect", "--format", "xml", "a"],
        &["inspect", "--password", "a", "--password-file", "b", "c"],
        &["frobnicate", "a"],
    ] {
        let output = program(scratch.0.path()).args(words).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{words:?}");
        assert_eq!(stderr.lines().count(), 1, "{words:?}: {stderr}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let scratch = Scratch::new();
    let roots: Vec<u8> =
        webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().flat_map(|c| c.to_vec()).collect();
    let file = scratch.file("roots.der", &roots);
    for words in [&["inspect", "--format", "json"][..], &["tree"]] {
        let mut command = program(scratch.0.path());
        command.args(words).arg(&file).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(output.stderr.is_empty(), "{words:?}");
    }
}
