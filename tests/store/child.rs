//! Helpers that other tests start as processes of their own; alone they do nothing.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use pkiscope::store::{Durability, Error, Location, Options, Reader, Reason, Writer};

use crate::support::{Made, RUN, store};

fn place() -> Option<Location> {
    std::env::var_os("PKISCOPE_TEST_DATABASE").map(Location::parse)
}

/// Options by words in the environment.
fn options() -> Options {
    let words = std::env::var("PKISCOPE_TEST_OPTIONS").unwrap_or_default();
    let durability = if words.contains("normal") { Durability::Normal } else { Durability::Full };
    let exclusive = words.contains("exclusive");
    Options { durability, exclusive, wait: Duration::from_secs(30), ..Options::default() }
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // One write, so that a line is there or is not.
    out.write_all(format!("> {text}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// The number of objects in a batch.
pub fn size(number: u64) -> u64 {
    number % 5 + 1
}

/// Stores batches for ever and says which; each object is made from the number it gets.
#[test]
#[ignore = "a helper of the tests that kill it"]
fn write() {
    let Some(place) = place() else { return };
    let mut writer = Writer::open(&place, &options()).unwrap();
    let mut run = writer.begin_run(&RUN).unwrap();
    say(&format!("run {run}"));
    for batch in 0.. {
        // Numbers that no other process uses.
        let first = u64::try_from(run).unwrap() * 1000 + 10 * (batch % 10);
        let ids = store(&mut writer, run, "certificate", first..first + size(first / 10)).unwrap();
        say(&format!("stored {} {} {first}", ids.start(), ids.end()));
        if batch % 4 == 3 {
            writer.checkpoint().unwrap();
        }
        if batch % 10 == 9 {
            writer.finish_run(run, 1, &[]).unwrap();
            say(&format!("finished {run}"));
            run = writer.begin_run(&RUN).unwrap();
            say(&format!("run {run}"));
        }
    }
}

/// Holds a database until its standard input ends.
#[test]
#[ignore = "a helper of the tests with two processes"]
fn hold() {
    let Some(place) = place() else { return };
    let writer = Writer::open(&place, &options()).unwrap();
    say("held");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    drop(writer);
    say("gone");
}

/// Stores batches until there is no room, and says what remains.
#[test]
#[ignore = "a helper of the tests with full disks"]
fn fill() {
    let Some(place) = place() else { return };
    let mut writer = Writer::open(&place, &options()).unwrap();
    let run = writer.begin_run(&RUN).unwrap();
    let mut stored = 0;
    let mut fill = |writer: &mut Writer| -> Error {
        loop {
            match store(writer, run, "certificate", stored..stored + 200) {
                Ok(_) => stored += 200,
                Err(error) => return error,
            }
        }
    };
    let error = fill(&mut writer);
    say(&format!("error {error}"));
    assert!(matches!(error.reason, Reason::Full | Reason::Write(_)), "{error:?}");
    // A smaller one may find room; the writer is as good as before either way.
    let again = fill(&mut writer);
    assert!(matches!(again.reason, Reason::Full | Reason::Write(_)), "{again:?}");
    let count = |reader: &Reader| {
        for id in 1..=i64::try_from(stored).unwrap() {
            let object = reader.object(id).unwrap().unwrap();
            assert_eq!(Made::check(&object) + 1, u64::try_from(id).unwrap());
        }
        reader.count(&pkiscope::store::ObjectFilter::default()).unwrap()
    };
    let mut arena = pkiscope::store::Arena::new();
    writer.read_objects(1..=i64::try_from(stored).unwrap(), &mut arena).unwrap();
    if !options().exclusive {
        assert_eq!(count(&Reader::open(&place).unwrap()), stored);
    }
    drop(writer);
    say(&format!("after {}", count(&Reader::open(&place).unwrap())));
    let Location::File(path) = &place else { unreachable!() };
    say(&format!("integrity {}", crate::support::integrity(path, true)));
    say(&format!("stored {stored}"));
}
