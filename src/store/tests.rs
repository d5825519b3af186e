//! Rows go in and come out, in files and in memory.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::*;

/// An object whose octets tell which it is.
struct Made {
    der: Vec<u8>,
    sha256: [u8; 32],
    subject: String,
    serial: Vec<u8>,
}

impl Made {
    fn new(number: u32) -> Self {
        let mut rng = fastrand::Rng::with_seed(number.into());
        let mut der = vec![0; rng.usize(1..2000)];
        rng.fill(&mut der);
        let mut sha256 = [0; 32];
        rng.fill(&mut sha256);
        let serial = number.to_be_bytes().to_vec();
        Self { der, sha256, subject: format!("CN=Device-{number:04},O=Ünit"), serial }
    }

    fn row(&self) -> NewObject<'_> {
        NewObject {
            der: &self.der,
            sha256: self.sha256,
            subject: Some(&self.subject),
            serial: Some(&self.serial),
        }
    }
}

fn made(numbers: std::ops::Range<u32>) -> Vec<Made> {
    numbers.map(Made::new).collect()
}

const RUN: NewRun<'static> = NewRun {
    pipeline: "ca",
    started: 1_700_000_000,
    algorithm: "ecdsa-p256",
    backend: "native-ossl",
    batch: 8,
    threads: 2,
    settings: "{}",
    machine: "{}",
};

fn now() -> Options {
    Options { wait: Duration::ZERO, ..Options::default() }
}

/// The places that all must work alike.
fn places() -> (tempfile::TempDir, [Location; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = Location::File(folder.path().join("a.db"));
    (folder, [file, Location::memory()])
}

#[test]
fn objects_come_back_as_they_went_in() {
    let (_folder, places) = places();
    for place in places {
        let mut writer = Writer::open(&place, &now()).unwrap();
        let run = writer.begin_run(&RUN).unwrap();
        let made = made(0..50);
        writer.rehearse_objects(run, "crl", made.iter().map(Made::row)).unwrap();
        let ids = writer.insert_objects(run, "certificate", made.iter().map(Made::row)).unwrap();
        assert_eq!(ids, 1..=50);
        let more = writer.insert_objects(run, "crl", [made[3].row()]).unwrap();
        assert_eq!(more, 51..=51);
        let none = writer.insert_objects(run, "csr", []).unwrap();
        assert!(none.is_empty());
        let mut arena = Arena::new();
        writer.read_objects(ids.clone(), &mut arena).unwrap();
        assert!(arena.iter().eq(made.iter().map(|made| made.der.as_slice())));
        let error = writer.read_objects(40..=52, &mut arena).unwrap_err();
        assert!(matches!(error.reason, Reason::NoObject(52)), "{error}");

        let reader = Reader::open(&place).unwrap();
        for (id, made) in ids.zip(&made) {
            let object = reader.object(id).unwrap().unwrap();
            let row = ObjectRow {
                id,
                kind: "certificate".to_owned(),
                run,
                sha256: made.sha256,
                size: made.der.len() as u64,
                subject: Some(made.subject.clone()),
                serial: Some(made.serial.clone()),
            };
            assert_eq!(object, Object { row, der: made.der.clone() });
        }
        assert_eq!(reader.object(52).unwrap(), None);
    }
}

#[test]
fn lists_come_in_pages_and_by_filter() {
    let (_folder, places) = places();
    for place in places {
        let mut writer = Writer::open(&place, &now()).unwrap();
        let runs = [writer.begin_run(&RUN).unwrap(), writer.begin_run(&RUN).unwrap()];
        let made = made(0..20);
        for (kind, run, range) in [
            ("certificate", 0, 0..8),
            ("crl", 0, 8..9),
            ("certificate", 1, 9..15),
            ("crl", 1, 15..16),
            ("certificate", 0, 16..20),
        ] {
            let rows = made[range].iter().map(Made::row);
            writer.insert_objects(runs[run], kind, rows).unwrap();
        }
        let reader = Reader::open(&place).unwrap();
        let all = |filter: &ObjectFilter<'_>| {
            for limit in [1, 2, 3, 7, 100] {
                let mut ids = Vec::new();
                loop {
                    let page = reader.objects(filter, ids.last().copied(), limit).unwrap();
                    assert!(page.len() <= limit);
                    if page.is_empty() {
                        break;
                    }
                    ids.extend(page.iter().map(|row| row.id));
                }
                assert_eq!(ids.len() as u64, reader.count(filter).unwrap());
                if limit == 100 {
                    return ids;
                }
            }
            unreachable!()
        };
        let none = ObjectFilter::default();
        assert_eq!(all(&none), (1..=20).collect::<Vec<_>>());
        let crl = ObjectFilter { kind: Some("crl"), ..none };
        assert_eq!(all(&crl), [9, 16]);
        let one = ObjectFilter { run: Some(runs[0]), kind: Some("certificate"), ..none };
        assert_eq!(all(&one), [1, 2, 3, 4, 5, 6, 7, 8, 17, 18, 19, 20]);
        assert_eq!(all(&ObjectFilter { serial: Some(&[10]), ..none }), [11]);
        assert_eq!(all(&ObjectFilter { serial: Some(&[0, 0, 10]), ..none }), [11]);
        assert_eq!(all(&ObjectFilter { subject: Some("device-001"), ..none }).len(), 10);
        assert_eq!(all(&ObjectFilter { subject: Some("ü"), ..one }).len(), 12);
        assert_eq!(all(&ObjectFilter { kind: Some("csr"), ..none }), [0_i64; 0]);

        let digest = data_encoding::HEXLOWER.encode(&made[4].sha256);
        for prefix in [&digest[..7], &digest[..8], &digest, &digest.to_uppercase()] {
            let found = reader.objects_by_sha256(prefix, 9, None).unwrap();
            assert_eq!(found.iter().map(|row| row.id).collect::<Vec<_>>(), [5], "{prefix}");
        }
        assert_eq!(reader.objects_by_sha256("", 3, None).unwrap().len(), 3);
        for wrong in ["x", &format!("{digest}0")] {
            assert_eq!(reader.objects_by_sha256(wrong, 9, None).unwrap(), []);
        }

        let cancel = AtomicBool::new(true);
        let filter = ObjectFilter { cancel: Some(&cancel), subject: Some("nobody"), ..none };
        let error = reader.objects(&filter, None, 10).unwrap_err();
        assert!(matches!(error.reason, Reason::Cancelled), "{error}");
    }
}

#[test]
fn runs_have_stages_and_an_end() {
    let (_folder, places) = places();
    for place in places {
        let mut writer = Writer::open(&place, &now()).unwrap();
        let reader = Reader::open(&place).unwrap();
        let ids: Vec<i64> =
            [8, 16, 8].map(|batch| writer.begin_run(&NewRun { batch, ..RUN }).unwrap()).to_vec();
        let stages = ["cert_gen", "ocsp_sign"].map(|name| NewStage {
            name,
            items: 8,
            result: "{\"wall_ns\":1}",
            histogram: name.as_bytes(),
        });
        writer.finish_run(ids[1], 3, &stages).unwrap();
        for id in [ids[1], 99] {
            let error = writer.finish_run(id, 3, &stages).unwrap_err();
            assert!(matches!(error.reason, Reason::NoRun(run) if run == id), "{error}");
        }
        assert_eq!(reader.stages(ids[0]).unwrap(), []);
        let found = reader.stages(ids[1]).unwrap();
        for (found, stage) in found.iter().zip(&stages) {
            assert_eq!(found.name, stage.name);
            assert_eq!((found.items, &*found.result), (stage.items, stage.result));
            assert_eq!(found.histogram, stage.histogram);
        }
        let run = reader.run(ids[1]).unwrap().unwrap();
        assert_eq!((run.repetitions, run.batch, run.started), (3, 16, RUN.started));
        assert!(run.finished.is_some_and(|finished| finished > RUN.started));
        assert_eq!(reader.run(ids[0]).unwrap().unwrap().finished, None);

        let list = |filter: &RunFilter<'_>, before| {
            let rows = reader.runs(filter, before, 2).unwrap();
            rows.iter().map(|row| row.id).collect::<Vec<_>>()
        };
        let none = RunFilter::default();
        assert_eq!(list(&none, None), [ids[2], ids[1]]);
        assert_eq!(list(&none, Some(ids[1])), [ids[0]]);
        assert_eq!(list(&RunFilter { batch: Some(8), ..none }, None), [ids[2], ids[0]]);
        assert_eq!(list(&RunFilter { finished: Some(true), ..none }, None), [ids[1]]);
        assert_eq!(list(&RunFilter { finished: Some(false), ..none }, None), [ids[2], ids[0]]);
        assert_eq!(list(&RunFilter { algorithm: Some("rsa2048"), ..none }, None), [0_i64; 0]);
        let ours = RunFilter { pipeline: Some("ca"), backend: Some("native-ossl"), ..none };
        assert_eq!(list(&ours, None).len(), 2);
    }
}

#[test]
fn deleted_numbers_do_not_come_back() {
    let (_folder, places) = places();
    for place in places {
        let mut writer = Writer::open(&place, &now()).unwrap();
        let reader = Reader::open(&place).unwrap();
        let made = made(0..10);
        let store = |writer: &mut Writer, run| {
            writer.insert_objects(run, "certificate", made.iter().map(Made::row)).unwrap()
        };
        let count = || reader.count(&ObjectFilter::default()).unwrap();
        let [one, two] = [(); 2].map(|()| writer.begin_run(&RUN).unwrap());
        for run in [one, two, one] {
            store(&mut writer, run);
        }
        writer.delete_objects(8..=13).unwrap();
        assert_eq!(count(), 24);
        assert_eq!(
            reader.count(&ObjectFilter { run: Some(two), ..ObjectFilter::default() }).unwrap(),
            7
        );
        let rows = reader.objects(&ObjectFilter::default(), Some(6), 3).unwrap();
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [7, 14, 15]);
        assert!(writer.delete_run(one).unwrap());
        assert!(!writer.delete_run(one).unwrap());
        assert_eq!(count(), 7);
        assert!(writer.delete_run(two).unwrap());
        assert_eq!(count(), 0);
        assert_eq!(reader.objects(&ObjectFilter::default(), None, 9).unwrap(), []);
        let three = writer.begin_run(&RUN).unwrap();
        assert_eq!(three, two + 1);
        assert_eq!(store(&mut writer, three), 31..=40);
        writer.delete_objects(31..=40).unwrap();
        writer.delete_objects(1..=i64::MAX).unwrap();
        assert_eq!(store(&mut writer, three), 41..=50);
        assert_eq!(count(), 10);
    }
}

#[test]
fn objects_need_a_run() {
    let (_folder, places) = places();
    for place in places {
        let mut writer = Writer::open(&place, &now()).unwrap();
        let made = made(0..3);
        let error = writer.insert_objects(7, "crl", made.iter().map(Made::row)).unwrap_err();
        assert!(matches!(error.reason, Reason::NoRun(7)), "{error}");
        assert_eq!(Reader::open(&place).unwrap().count(&ObjectFilter::default()).unwrap(), 0);
        let run = writer.begin_run(&RUN).unwrap();
        assert_eq!(writer.insert_objects(run, "crl", [made[0].row()]).unwrap(), 1..=1);
    }
}

#[test]
fn memory_lives_as_long_as_its_location() {
    let place = Location::memory();
    assert!(matches!(Reader::open(&place).unwrap_err().reason, Reason::Missing));
    let none = Writer::open(&place, &Options { create: false, ..now() }).unwrap_err();
    assert!(matches!(none.reason, Reason::Missing));
    let mut writer = Writer::open(&place, &now()).unwrap();
    let error = Writer::open(&place, &now()).unwrap_err();
    assert!(matches!(error.reason, Reason::Held(_)), "{error}");
    assert!(place.holder().is_some());
    let run = writer.begin_run(&RUN).unwrap();
    drop(writer);
    assert_eq!(place.holder(), None);
    let reader = Reader::open(&place.clone()).unwrap();
    assert!(reader.run(run).unwrap().is_some());
    let mut writer = Writer::open(&place, &Options { create: false, ..now() }).unwrap();
    assert!(writer.delete_run(run).unwrap());
    assert!(reader.run(run).unwrap().is_none());
    assert!(matches!(Reader::open(&Location::memory()).unwrap_err().reason, Reason::Missing));
}
