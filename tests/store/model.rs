//! Whatever rows go in come out, and deleting deletes just that: against a plain list.

use std::collections::BTreeMap;

use pkiscope::store::{
    Arena, Location, NewObject, Object, ObjectFilter, ObjectRow, Options, Reader, Writer,
};
use proptest::prelude::*;

use crate::support::RUN;

type Row = (Vec<u8>, [u8; 32], Option<String>, Option<Vec<u8>>);

/// One thing to do.
#[derive(Debug, Clone)]
enum Step {
    /// Store objects of a kind by a run.
    Store(usize, usize, Vec<Row>),
    /// The same, taken back.
    Rehearse(usize, Vec<Row>),
    /// Delete a part of the numbers, in thousandths.
    Delete(u32, u32),
    /// Delete a run.
    DeleteRun(usize),
}

const KINDS: [&str; 3] = ["certificate", "crl", "ocsp-response"];

fn row() -> impl Strategy<Value = Row> {
    let octets = proptest::collection::vec(any::<u8>(), 0..40);
    // Larger than a page of SQLite, and than any inline payload.
    let large = (any::<u8>(), 15_000_usize..50_000).prop_map(|(octet, size)| vec![octet; size]);
    let der = prop_oneof![8 => octets.clone(), 1 => large];
    (der, any::<[u8; 32]>(), proptest::option::of(".{0,20}"), proptest::option::of(octets))
}

fn step() -> impl Strategy<Value = Step> {
    let rows = || proptest::collection::vec(row(), 0..8);
    prop_oneof![
        6 => (0_usize..3, 0_usize..3, rows()).prop_map(|(run, kind, rows)| Step::Store(run, kind, rows)),
        1 => (0_usize..3, rows()).prop_map(|(run, rows)| Step::Rehearse(run, rows)),
        2 => (0_u32..1100, 0_u32..500).prop_map(|(from, count)| Step::Delete(from, count)),
        1 => (0_usize..3).prop_map(Step::DeleteRun),
    ]
}

fn new(row: &Row) -> NewObject<'_> {
    let (der, sha256, subject, serial) = row;
    NewObject { der, sha256: *sha256, subject: subject.as_deref(), serial: serial.as_deref() }
}

fn object(id: i64, run: i64, kind: &str, row: &Row) -> Object {
    let (der, sha256, subject, serial) = row.clone();
    let size = der.len() as u64;
    let kind = kind.to_owned();
    Object { row: ObjectRow { id, kind, run, sha256, size, subject, serial }, der }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_store_is_a_list(steps in proptest::collection::vec(step(), 1..25)) {
        let place = Location::memory();
        let mut writer = Writer::open(&place, &Options::default()).unwrap();
        let reader = Reader::open(&place).unwrap();
        let mut runs: Vec<i64> = (0..3).map(|_| writer.begin_run(&RUN).unwrap()).collect();
        let mut model: BTreeMap<i64, Object> = BTreeMap::new();
        let mut next = 1;
        for step in steps {
            match step {
                Step::Store(run, kind, rows) => {
                    let (run, kind) = (runs[run], KINDS[kind]);
                    let ids = writer.insert_objects(run, kind, rows.iter().map(new)).unwrap();
                    prop_assert_eq!(*ids.start(), next);
                    prop_assert_eq!(ids.clone().count(), rows.len());
                    let mut arena = Arena::new();
                    writer.read_objects(ids.clone(), &mut arena).unwrap();
                    prop_assert!(arena.iter().eq(rows.iter().map(|row| row.0.as_slice())));
                    model.extend(ids.zip(&rows).map(|(id, row)| (id, object(id, run, kind, row))));
                    next += i64::try_from(rows.len()).unwrap();
                }
                Step::Rehearse(run, rows) => {
                    writer.rehearse_objects(runs[run], KINDS[0], rows.iter().map(new)).unwrap();
                }
                Step::Delete(from, count) => {
                    let from = next * i64::from(from) / 1000;
                    let to = from + next * i64::from(count) / 1000;
                    writer.delete_objects(from..=to).unwrap();
                    model.retain(|id, _| !(from..=to).contains(id));
                }
                Step::DeleteRun(run) => {
                    prop_assert!(writer.delete_run(runs[run]).unwrap());
                    model.retain(|_, object| object.row.run != runs[run]);
                    runs[run] = writer.begin_run(&RUN).unwrap();
                }
            }
        }
        for (run, kind) in runs.iter().map(|run| (Some(*run), None)).chain([
            (None, None),
            (None, Some(KINDS[1])),
            (Some(runs[0]), Some(KINDS[0])),
        ]) {
            let filter = ObjectFilter { run, kind, ..ObjectFilter::default() };
            let rows: Vec<&ObjectRow> = model
                .values()
                .map(|object| &object.row)
                .filter(|row| run.is_none_or(|run| row.run == run))
                .filter(|row| kind.is_none_or(|kind| row.kind == kind))
                .collect();
            prop_assert_eq!(reader.count(&filter).unwrap(), rows.len() as u64);
            let mut found = Vec::new();
            loop {
                let after = found.last().map(|row: &ObjectRow| row.id);
                let page = reader.objects(&filter, after, 3).unwrap();
                if page.is_empty() {
                    break;
                }
                found.extend(page);
            }
            prop_assert!(found.iter().eq(rows));
        }
        for id in 0..next + 2 {
            let found = reader.object(id).unwrap();
            prop_assert_eq!(found.as_ref(), model.get(&id));
        }
    }
}
