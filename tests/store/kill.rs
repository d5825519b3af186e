//! kill -9 at any moment: what was acknowledged is there, and nothing is half there.

use std::collections::BTreeMap;

use pkiscope::store::{ObjectFilter, Options, Reader, Writer};

use crate::child::size;
use crate::support::{Home, Made, Running, child, integrity};

/// So many times a writing process is killed.
const KILLS: usize = 200;

/// What the processes said that is stored.
#[derive(Default)]
struct Told {
    /// The number that each object is made from.
    objects: BTreeMap<i64, u64>,
    /// The runs, and whether they are finished.
    runs: BTreeMap<i64, bool>,
}

impl Told {
    fn hear(&mut self, words: &[String]) {
        let number = |at: usize| words[at].parse::<i64>().unwrap();
        match words[0].as_str() {
            "run" => drop(self.runs.insert(number(1), false)),
            "finished" => drop(self.runs.insert(number(1), true)),
            _ => {
                let first: u64 = words[3].parse().unwrap();
                self.objects.extend((number(1)..=number(2)).zip(first..));
            }
        }
    }

    /// All of it is there; what is there beyond it is the batch that was not told any more.
    fn check(&self, reader: &Reader, since: i64) {
        let mut rows = Vec::new();
        while let Ok(page) = reader.objects(
            &ObjectFilter::default(),
            Some(rows.last().copied().unwrap_or(since)),
            500,
        ) {
            if page.is_empty() {
                break;
            }
            rows.extend(page.iter().map(|row| row.id));
        }
        let found: BTreeMap<i64, u64> = rows
            .into_iter()
            .map(|id| (id, Made::check(&reader.object(id).unwrap().unwrap())))
            .collect();
        for (id, number) in self.objects.range(since + 1..) {
            assert_eq!(found.get(id), Some(number), "object {id} was acknowledged");
        }
        let beyond: Vec<u64> = found
            .iter()
            .filter(|(id, _)| !self.objects.contains_key(id))
            .map(|(_, number)| *number)
            .collect();
        if let Some(first) = beyond.first() {
            let whole: Vec<u64> = (*first..first + size(first / 10)).collect();
            assert_eq!(beyond, whole, "a batch is stored as a whole");
        }
        for (id, finished) in &self.runs {
            let run = reader.run(*id).unwrap().unwrap();
            assert!(run.finished.is_some() || !finished, "run {id} was finished");
        }
    }
}

#[test]
fn what_was_acknowledged_survives() {
    let home = Home::new();
    let mut rng = fastrand::Rng::with_seed(3);
    let mut told = Told::default();
    for kill in 0..KILLS {
        let mut command = child("write", &home.path);
        let options = ["full", "normal", "full exclusive", "normal exclusive"][kill % 4];
        command.env("PKISCOPE_TEST_OPTIONS", options);
        let mut writer = Running::start(command);
        // Some are killed while they open the database.
        for _ in 0..rng.usize(0..15) {
            told.hear(&writer.says().unwrap());
        }
        // Then somewhere between here and the next batches.
        for _ in 0..rng.u32(0..100_000) {
            std::hint::spin_loop();
        }
        writer.kill();
        while let Some(words) = writer.says() {
            told.hear(&words);
        }
        drop(writer);
        if !home.path.exists() {
            assert!(told.objects.is_empty());
            continue;
        }
        // Whoever comes first finds the log as it was left: a reader, or a writer.
        if kill % 3 == 0 && !told.runs.is_empty() {
            drop(home.reader());
        }
        let options = Options { exclusive: kill % 2 == 0, ..Options::default() };
        drop(Writer::open(&home.place(), &options).unwrap());
        let reader = home.reader();
        let since = told.objects.keys().next_back().map_or(0, |last| last - 100);
        told.check(&reader, since);
        // What was stored but not told is known from here on.
        for row in reader.objects(&ObjectFilter::default(), Some(since), 1000).unwrap() {
            let number = u64::from_be_bytes(row.serial.unwrap().try_into().unwrap());
            told.objects.insert(row.id, number);
        }
        assert_eq!(integrity(&home.path, false), "ok");
    }
    told.check(&home.reader(), 0);
    assert!(told.objects.len() > KILLS && told.runs.len() > KILLS / 2);
    assert_eq!(home.reader().count(&ObjectFilter::default()).unwrap(), told.objects.len() as u64);
    let mut writer = home.writer();
    for run in told.runs.keys() {
        writer.delete_run(*run).unwrap();
    }
    drop(writer);
    assert_eq!(std::fs::read_dir(home.folder.path()).unwrap().count(), 1);
}
