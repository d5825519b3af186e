//! What goes wrong in the middle of a transaction leaves the store as it was.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::super::{ObjectFilter, Reader};
use super::*;

const RUN: NewRun<'static> = NewRun {
    pipeline: "ca",
    started: 1,
    algorithm: "ed25519",
    backend: "aws-lc",
    batch: 1,
    threads: 1,
    settings: "{}",
    machine: "{}",
};

const DER: [u8; 1000] = [7; 1000];
const ROW: NewObject<'static> =
    NewObject { der: &DER, sha256: [1; 32], subject: Some("CN=x"), serial: Some(&[1]) };

/// A writer with two objects, in a file and in memory.
fn writers() -> (tempfile::TempDir, [(Writer, i64); 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = Location::File(folder.path().join("a.db"));
    let writers = [file, Location::memory()].map(|place| {
        let mut writer = Writer::open(&place, &Options::default()).unwrap();
        let run = writer.begin_run(&RUN).unwrap();
        writer.insert_objects(run, "der", [ROW; 2]).unwrap();
        (writer, run)
    });
    (folder, writers)
}

fn count(writer: &Writer) -> u64 {
    let reader = Reader::open(writer.location()).unwrap();
    let count = reader.count(&ObjectFilter::default()).unwrap();
    assert_eq!(reader.objects(&ObjectFilter::default(), None, 1000).unwrap().len() as u64, count);
    count
}

#[test]
fn no_room_takes_back_the_batch_and_leaves_the_rest() {
    let (_folder, writers) = writers();
    for (mut writer, run) in writers {
        let pages = |writer: &Writer, pragma: &str| -> i64 {
            writer.connection.pragma_query_value(None, pragma, |row| row.get(0)).unwrap()
        };
        let most = pages(&writer, "page_count") + 2;
        writer
            .connection
            .pragma_update_and_check(None, "max_page_count", most, |_| Ok(()))
            .unwrap();
        for rehearsal in [false, true] {
            let rows = [ROW; 200];
            let error = if rehearsal {
                writer.rehearse_objects(run, "der", rows).unwrap_err()
            } else {
                writer.insert_objects(run, "der", rows).unwrap_err()
            };
            assert!(matches!(error.reason, Reason::Full), "{error:?}");
            let text = error.to_string();
            assert!(text.ends_with(": the disk is full, nothing of this was stored"), "{text}");
            assert_eq!(count(&writer), 2);
        }
        // What fits is stored, with the numbers that were not used.
        assert_eq!(writer.insert_objects(run, "der", [ROW; 3]).unwrap(), 3..=5);
        assert_eq!(count(&writer), 5);
        let most = most + 100;
        writer
            .connection
            .pragma_update_and_check(None, "max_page_count", most, |_| Ok(()))
            .unwrap();
        assert_eq!(writer.insert_objects(run, "der", [ROW; 200]).unwrap(), 6..=205);
        assert_eq!(count(&writer), 205);
    }
}

#[test]
fn a_panic_in_the_rows_takes_back_the_batch() {
    let (_folder, writers) = writers();
    for (mut writer, run) in writers {
        let rows = (0..10).map(|n| if n == 7 { panic!("on purpose") } else { ROW });
        let insert = || writer.insert_objects(run, "der", rows);
        catch_unwind(AssertUnwindSafe(insert)).unwrap_err();
        assert_eq!(count(&writer), 2);
        assert_eq!(writer.insert_objects(run, "der", [ROW]).unwrap(), 3..=3);
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let (_folder, writers) = writers();
    for (mut writer, run) in writers {
        let error = writer.begin_run(&NewRun { batch: u64::MAX, ..RUN }).unwrap_err();
        assert!(matches!(error.reason, Reason::TooLarge(u64::MAX)), "{error:?}");
        let stage = |items| NewStage { name: "x", items, result: "{}", histogram: &[] };
        writer.finish_run(run, 1, &[stage(1), stage(u64::MAX)]).unwrap_err();
        let reader = Reader::open(writer.location()).unwrap();
        assert_eq!(reader.stages(run).unwrap(), []);
        assert_eq!(reader.run(run).unwrap().unwrap().finished, None);
        writer.finish_run(run, 1, &[stage(1)]).unwrap();
        assert_eq!(reader.stages(run).unwrap().len(), 1);
        assert!(writer.delete_run(run).unwrap());
        assert_eq!(reader.stages(run).unwrap(), []);
    }
}

#[test]
fn a_checkpoint_takes_in_the_log_though_somebody_reads() {
    let (folder, [(mut writer, run), _]) = writers();
    let reader = Reader::open(writer.location()).unwrap();
    let size = || std::fs::metadata(folder.path().join("a.db")).unwrap().len();
    let before = size();
    writer.insert_objects(run, "der", std::iter::repeat_n(ROW, 500)).unwrap();
    assert_eq!(size(), before);
    writer.checkpoint().unwrap();
    assert!(size() > before + 500_000);
    assert!(reader.object(502).unwrap().is_some());
    drop(writer);
    // The log of a writer that is gone holds nothing, though a reader keeps its file.
    assert_eq!(std::fs::metadata(folder.path().join("a.db-wal")).unwrap().len(), 0);
}
