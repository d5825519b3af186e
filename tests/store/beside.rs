//! Readers beside the writer, in one process.

use std::sync::atomic::{AtomicBool, Ordering};

use pkiscope::store::{Location, ObjectFilter, Options, Reader, Writer};

use crate::support::{Home, Made, RUN, store};

/// So many batches of so many objects.
const BATCHES: u64 = 60;
const SIZE: u64 = 7;

fn readers_see_whole_batches(place: &Location) {
    let mut writer = Writer::open(place, &Options::default()).unwrap();
    let run = writer.begin_run(&RUN).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let reader = Reader::open(place).unwrap();
                let none = ObjectFilter::default();
                let mut before = 0;
                while !done.load(Ordering::Acquire) {
                    let count = reader.count(&none).unwrap();
                    assert!(
                        count >= before && count.is_multiple_of(SIZE),
                        "{count} after {before}"
                    );
                    before = count;
                    let page = reader.objects(&none, None, 10_000).unwrap();
                    assert_eq!(page.len() as u64 % SIZE, 0);
                    if let Some(last) = page.last() {
                        Made::check(&reader.object(last.id).unwrap().unwrap());
                    }
                }
            });
        }
        for batch in 0..BATCHES {
            let numbers = batch * SIZE..(batch + 1) * SIZE;
            store(&mut writer, run, "certificate", numbers).unwrap();
            if batch % 10 == 9 {
                writer.checkpoint().unwrap();
            }
        }
        done.store(true, Ordering::Release);
    });
    let reader = Reader::open(place).unwrap();
    assert_eq!(reader.count(&ObjectFilter::default()).unwrap(), BATCHES * SIZE);
}

#[test]
fn in_a_file() {
    readers_see_whole_batches(&Home::new().place());
}

#[test]
fn in_memory() {
    readers_see_whole_batches(&Location::memory());
}

#[test]
fn a_long_search_goes_over_all() {
    let place = Location::memory();
    let mut writer = Writer::open(&place, &Options::default()).unwrap();
    let run = writer.begin_run(&RUN).unwrap();
    let made = Made::new(1);
    let row = pkiscope::store::NewObject { der: b"\x05\x00", ..made.row() };
    for count in [40_000, 5, 40_000] {
        writer.insert_objects(run, "der", std::iter::repeat_n(row, count)).unwrap();
    }
    let reader = Reader::open(&place).unwrap();
    let device = ObjectFilter { subject: Some("DEVICE 1"), ..ObjectFilter::default() };
    assert_eq!(reader.count(&device).unwrap(), 80_005);
    let page = reader.objects(&device, Some(39_999), 20_000).unwrap();
    assert!(page.iter().map(|row| row.id).eq(40_000..60_000));
    let nobody = ObjectFilter { subject: Some("nobody"), ..device };
    assert_eq!(reader.objects(&nobody, None, 1).unwrap(), []);
}

#[test]
fn a_reader_sees_nothing_or_a_whole_database_while_it_is_made() {
    use pkiscope::store::Reason;

    for _ in 0..20 {
        let home = Home::new();
        let place = home.place();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    match Reader::open(&place) {
                        Ok(reader) => assert!(reader.run(1).unwrap().is_none_or(|run| run.id == 1)),
                        Err(error) => assert!(matches!(error.reason, Reason::Missing), "{error}"),
                    }
                }
            });
            let mut writer = Writer::open(&place, &Options::default()).unwrap();
            writer.begin_run(&RUN).unwrap();
            drop(writer);
            done.store(true, Ordering::Release);
        });
        assert!(home.reader().run(1).unwrap().is_some());
    }
}
