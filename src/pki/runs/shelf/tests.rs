use super::*;
use crate::metrics::Summary;
use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::runs::{begin, finish};
use crate::store::{Location, NewRun, Options, Writer};

fn run(batch: u64) -> Run {
    let times = [1_000_000, 1_100_000, 900_000];
    Run {
        id: String::new(),
        pipeline: "ca".to_owned(),
        started: 1_795_176_000,
        algorithm: "ed25519".to_owned(),
        backend: "aws-lc".to_owned(),
        batch,
        threads: 3,
        repetitions: 3,
        settings: [("durability".to_owned(), "full".to_owned())].into(),
        machine: Machine { cpu: "a cpu".to_owned(), cores: 4, ..Machine::default() },
        stages: ["cert_gen", "cert_verify"]
            .map(|name| StageResult {
                name: name.to_owned(),
                items: batch,
                wall_ns: Summary::of(&times),
                repetition_ns: times.to_vec(),
                histogram: vec![1, 2, 3],
                parts: vec![PartResult { name: "sign".to_owned(), ns: 7 }],
                ..StageResult::default()
            })
            .into(),
        outside: vec![PartResult { name: "ca_keygen".to_owned(), ns: 99 }],
    }
}

/// A store with the runs 1 and 2 finished, 3 interrupted, 4 finished.
fn store() -> (Location, Writer) {
    let location = Location::memory();
    let mut writer = Writer::open(&location, &Options::default()).unwrap();
    for (batch, ends) in [(64, true), (1024, true), (64, false), (64, true)] {
        let run = run(batch);
        let number = begin(&mut writer, &run).unwrap();
        if ends {
            finish(&mut writer, number, &run).unwrap();
        }
    }
    (location, writer)
}

#[test]
fn a_run_comes_back_as_it_was() {
    let (location, _writer) = store();
    let reader = Reader::open(&location).unwrap();
    let stored = Shelf::new(Some(&reader)).find(&RunId::Number(2), None).unwrap();
    assert_eq!(stored.state, State::Finished);
    assert_eq!(stored.run, Run { id: "2".to_owned(), ..run(1024) });
}

#[test]
fn runs_are_listed_newest_first() {
    let (location, _writer) = store();
    let reader = Reader::open(&location).unwrap();
    let shelf = Shelf::new(Some(&reader));
    let list = |filter: &RunFilter<'_>, limit| -> Vec<(String, State)> {
        let runs = shelf.list(filter, limit).unwrap();
        runs.into_iter().map(|stored| (stored.run.id, stored.state)).collect()
    };
    let all = list(&RunFilter::default(), 10);
    let ids: Vec<&str> = all.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["4", "3", "2", "1"]);
    assert_eq!(all[1].1, State::Interrupted);
    assert_eq!(list(&RunFilter::default(), 2).len(), 2);
    assert_eq!(list(&RunFilter { batch: Some(1024), ..RunFilter::default() }, 10).len(), 1);
    assert_eq!(list(&RunFilter { backend: Some("openssl"), ..RunFilter::default() }, 10).len(), 0);
}

#[test]
fn the_run_that_somebody_works_on_is_no_interrupted_one() {
    let (location, mut writer) = store();
    let number = begin(&mut writer, &run(64)).unwrap();
    let reader = Reader::open(&location).unwrap();
    let states = || -> Vec<State> {
        let runs = Shelf::new(Some(&reader)).list(&RunFilter::default(), 3).unwrap();
        runs.iter().map(|stored| stored.state).collect()
    };
    assert_eq!(states(), [State::Running, State::Finished, State::Interrupted]);
    drop(writer);
    assert_eq!(states(), [State::Interrupted, State::Finished, State::Interrupted]);
    let found = Shelf::new(Some(&reader)).find(&RunId::Number(number), None).unwrap();
    assert_eq!(found.state, State::Interrupted);
}

#[test]
fn runs_are_found_by_every_kind_of_id() {
    let (location, _writer) = store();
    let reader = Reader::open(&location).unwrap();
    let shelf = Shelf::new(Some(&reader));
    let find = |text: &str| {
        let found = shelf.find(&text.parse().unwrap(), None);
        found.map(|stored| stored.run.id).map_err(|error| error.to_string())
    };
    assert_eq!(find("#3").unwrap(), "3");
    assert_eq!(find("last").unwrap(), "4");
    assert_eq!(find("last-1").unwrap(), "2", "the interrupted one does not count");
    assert_eq!(find("last-2").unwrap(), "1");
    assert_eq!(find("last-3").unwrap_err(), "there are no 4 finished runs");
    assert_eq!(find("5").unwrap_err(), "there is no run 5");
    assert_eq!(find("ref:seed-nss-ed25519").unwrap(), "ref:seed-nss-ed25519-1024");
    assert!(find("ref:seed-nss").unwrap_err().contains("no reference ref:seed-nss;"));
}

#[test]
fn a_reference_takes_the_batch_of_the_other_side() {
    let (location, _writer) = store();
    let reader = Reader::open(&location).unwrap();
    let shelf = Shelf::new(Some(&reader));
    let pair = |a: &str, b: &str| {
        let (a, b) = shelf.pair(&a.parse().unwrap(), &b.parse().unwrap()).unwrap();
        (a.run.batch, b.run.batch)
    };
    let (seed, seed_64) = ("ref:seed-openssl-ed25519", "ref:seed-nss-ed25519-64");
    for (a, b, batches) in [
        (seed, "1", (64, 64)),
        ("1", seed, (64, 64)),
        ("2", seed, (1024, 1024)),
        (seed, seed, (1024, 1024)),
        (seed, seed_64, (64, 64)),
        (seed_64, seed, (64, 64)),
        (seed_64, "2", (64, 1024)),
    ] {
        assert_eq!(pair(a, b), batches, "{a} {b}");
    }
}

#[test]
fn without_a_store_there_are_the_references() {
    let shelf = Shelf::new(None);
    assert!(shelf.list(&RunFilter::default(), 10).unwrap().is_empty());
    assert!(matches!(shelf.find(&RunId::Number(1), None), Err(Error::NoRun(1))));
    assert!(matches!(shelf.find(&RunId::Last(0), None), Err(Error::NoLast(0))));
    shelf.find(&"ref:seed-openssl-rsa4096-64".parse().unwrap(), None).unwrap();
}

#[test]
fn what_does_not_read_is_told() {
    let location = Location::memory();
    let mut writer = Writer::open(&location, &Options::default()).unwrap();
    let (sound, machine) = (run(1), serde_json::to_string(&Machine::default()).unwrap());
    let new = NewRun {
        pipeline: "ca",
        started: 0,
        algorithm: "ed25519",
        backend: "aws-lc",
        batch: 1,
        threads: 1,
        settings: "[]",
        machine: &machine,
    };
    writer.begin_run(&new).unwrap();
    let number = begin(&mut writer, &sound).unwrap();
    finish(&mut writer, number, &sound).unwrap();
    let machineless = writer.begin_run(&NewRun { settings: "{}", machine: "7", ..new }).unwrap();
    writer.finish_run(machineless, 1, &[]).unwrap();
    let reader = Reader::open(&location).unwrap();
    let shelf = Shelf::new(Some(&reader));
    let error = shelf.find(&RunId::Number(1), None).unwrap_err().to_string();
    assert!(error.starts_with("run 1: settings that do not read: "), "{error}");
    shelf.find(&RunId::Number(2), None).unwrap();
    let listed = shelf.list(&RunFilter::default(), 9).unwrap();
    let states: Vec<State> = listed.iter().map(|stored| stored.state).collect();
    assert_eq!(states, [State::Broken, State::Finished, State::Broken]);
    assert_eq!(listed[0].run.id, "3");
    assert_eq!(shelf.last(0).unwrap(), Some(2), "the newest does not read");
    assert_eq!(shelf.last(1).unwrap(), None);
    assert_eq!(shelf.number(&RunId::Number(3)).unwrap(), 3, "it can be deleted");
    assert!(matches!(shelf.number(&RunId::Number(4)), Err(Error::NoRun(4))));
}

#[test]
fn references_name_known_algorithms() {
    for run in reference::all() {
        assert!(SignatureAlgorithm::by_id(&run.algorithm).is_some(), "{}", run.id);
    }
}
