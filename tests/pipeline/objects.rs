//! What the pipeline stores is real: it decodes without a finding, and OpenSSL takes it.

use std::collections::BTreeSet;

use openssl::x509::{X509, X509Crl};
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crypto::sha256;
use pkiscope::store::{Location, Object, ObjectFilter, Reader};

use crate::support::{Scratch, pipeline, program, text};

fn reader(scratch: &Scratch) -> Reader {
    Reader::open(&Location::File(scratch.db().into())).unwrap()
}

fn filter(kind: &str) -> ObjectFilter<'_> {
    ObjectFilter { kind: Some(kind), ..ObjectFilter::default() }
}

/// How many objects of a kind are stored.
pub fn count(scratch: &Scratch, kind: &str) -> u64 {
    reader(scratch).count(&filter(kind)).unwrap()
}

/// All objects of a kind.
pub fn all(scratch: &Scratch, kind: &str) -> Vec<Object> {
    let reader = reader(scratch);
    let rows = reader.objects(&filter(kind), None, 10_000).unwrap();
    rows.iter().map(|row| reader.object(row.id).unwrap().unwrap()).collect()
}

#[test]
fn stored_objects_are_real() {
    for algorithm in ["ecdsa-p256", "ecdsa-p521", "ed25519", "ml-dsa-65", "rsa2048", "rsa-pss-2048"]
    {
        let scratch = Scratch::new();
        let keys = if algorithm.starts_with("rsa") { "shared" } else { "fresh" };
        let output = pipeline(&[
            "--db",
            scratch.db(),
            "--sizes=5",
            "--ca-key-algo",
            algorithm,
            "--subscriber-keys",
            keys,
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let certificates = all(&scratch, "certificate");
        assert_eq!(certificates.len(), 1 + 5, "{algorithm}");
        for object in &certificates {
            assert_eq!(object.row.sha256, sha256(&object.der));
            assert_eq!(object.row.size, object.der.len() as u64);
            let serial = Certificate::parse(&object.der).unwrap().serial();
            assert_eq!(object.row.serial.as_deref(), Some(serial));
        }
        let parsed: Vec<X509> =
            certificates.iter().map(|object| X509::from_der(&object.der).unwrap()).collect();
        let ca_key = parsed[0].public_key().unwrap();
        for certificate in &parsed {
            assert!(certificate.verify(&ca_key).unwrap(), "{algorithm}");
        }
        let lists = all(&scratch, "crl");
        assert_eq!(lists.len(), 1);
        let list = X509Crl::from_der(&lists[0].der).unwrap();
        assert!(list.verify(&ca_key).unwrap());
        assert_eq!(list.get_revoked().unwrap().len(), 5);
        let folder = scratch.folder.path();
        for (index, object) in
            certificates.iter().chain(&lists).chain(&all(&scratch, "ocsp-response")).enumerate()
        {
            std::fs::write(folder.join(format!("{index}.der")), &object.der).unwrap();
        }
        std::fs::remove_file(scratch.db()).unwrap();
        let inspected =
            program().args(["--batch", "inspect", "--format=json"]).arg(folder).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&inspected.stdout).unwrap();
        let records: Vec<_> = document["records"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|record| record["source"]["path"].as_str().unwrap().contains(".der"))
            .collect();
        assert_eq!(records.len(), 1 + 5 + 1 + 5);
        for record in records {
            let findings = record.get("findings").and_then(|list| list.as_array());
            assert!(findings.is_none_or(Vec::is_empty), "{algorithm}: {record}");
            assert!(record.get("error").is_none_or(serde_json::Value::is_null), "{record}");
        }
    }
}

#[test]
fn names_and_serials_come_from_the_seed() {
    let scratch = Scratch::new();
    let profile = scratch.file("p.toml", b"serial = \"random\"\n");
    let names = |seed: &str| {
        let scratch = Scratch::new();
        let output = pipeline(&[
            "--db",
            scratch.db(),
            "--sizes=20",
            "--seed",
            seed,
            "--profile",
            profile.to_str().unwrap(),
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rows = all(&scratch, "certificate").into_iter().skip(1);
        rows.map(|object| (object.row.subject.unwrap(), object.row.serial.unwrap()))
            .collect::<BTreeSet<_>>()
    };
    let first = names("7");
    assert_eq!(first.len(), 20);
    assert_eq!(first, names("7"));
    assert!(first.is_disjoint(&names("8")));
}
