//! Published figures, built in as runs of one repetition.
//!
//! A sheet is a table as it was printed: milliseconds and thousands of items a second, OpenSSL
//! and NSS, at a batch of 64 and of 1024. Each of its four columns is a run.

mod seed_table;

use std::collections::BTreeMap;

use super::run::{Machine, Run, StageResult};
use super::summary::Summary;

/// What every id of a reference begins with.
pub const PREFIX: &str = "ref:";

/// The setting that says whether a subscriber's key pair is made inside `cert_gen`.
pub const SUBSCRIBER_KEYS: &str = "subscriber_keys";

/// The backends of a sheet, in its order.
const BACKENDS: [&str; 2] = ["openssl", "nss"];

/// The batch sizes of a sheet, in its order.
const BATCHES: [u64; 2] = [64, 1024];

/// The batch of a reference that was named without one, when nothing else asks for another.
const USUAL_BATCH: u64 = 1024;

/// A published table.
#[derive(Debug)]
struct Sheet {
    /// What its ids begin with, as `seed`.
    prefix: &'static str,
    /// The pipeline.
    pipeline: &'static str,
    /// The algorithm of the CA key.
    algorithm: &'static str,
    /// When each backend was measured.
    started: [i64; 2],
    /// Whether `cert_gen` makes the subscribers' keys.
    fresh_keys: bool,
    /// How the program called OpenSSL.
    wrapper: &'static str,
    /// The stages.
    rows: &'static [Row],
}

/// A line of a table.
#[derive(Debug)]
struct Row {
    name: &'static str,
    /// One item, whatever the batch.
    single: bool,
    /// Milliseconds and thousands of items a second, as printed; by backend, then by batch.
    figures: [(&'static str, &'static str); 4],
}

/// The sheets of all pipelines.
fn sheets() -> impl Iterator<Item = &'static Sheet> {
    seed_table::SHEETS.iter()
}

/// All references, each with its batch in its id.
#[must_use]
pub fn all() -> Vec<Run> {
    let columns = (0..BACKENDS.len()).flat_map(|b| (0..BATCHES.len()).map(move |n| (b, n)));
    columns_of(columns.collect())
}

fn columns_of(columns: Vec<(usize, usize)>) -> Vec<Run> {
    sheets().flat_map(|sheet| columns.iter().filter_map(|(b, n)| sheet.run(*b, *n))).collect()
}

/// The names without a batch, as `ref:seed-openssl-ecdsa-p256`.
#[must_use]
pub fn names() -> Vec<String> {
    sheets().flat_map(|sheet| (0..BACKENDS.len()).map(|backend| sheet.name(backend))).collect()
}

/// The reference of this id. Where the id names no batch it is the one of `batch`, or of 1024
/// when there is none of that.
#[must_use]
pub fn find(id: &str, batch: Option<u64>) -> Option<Run> {
    let wanted = batch.filter(|batch| BATCHES.contains(batch)).unwrap_or(USUAL_BATCH);
    sheets().find_map(|sheet| {
        (0..BACKENDS.len()).find_map(|backend| {
            let rest = id.strip_prefix(&sheet.name(backend))?;
            let column = BATCHES.iter().position(|batch| match rest.strip_prefix('-') {
                Some(named) => named == batch.to_string(),
                None => rest.is_empty() && *batch == wanted,
            })?;
            sheet.run(backend, column)
        })
    })
}

/// Whether this is the id of a reference.
#[must_use]
pub fn is_reference(id: &str) -> bool {
    id.starts_with(PREFIX)
}

impl Sheet {
    fn name(&self, backend: usize) -> String {
        format!("{PREFIX}{}-{}-{}", self.prefix, BACKENDS[backend], self.algorithm)
    }

    /// The run of a column; `None` when a figure of the table does not read, which a test
    /// excludes.
    fn run(&self, backend: usize, column: usize) -> Option<Run> {
        let (batch, nss) = (BATCHES[column], BACKENDS[backend] == "nss");
        let keys = if self.fresh_keys { "fresh" } else { "shared" };
        let mut settings = vec![
            ("key_algorithm", self.algorithm),
            ("source", "x509bench of synta 0.1.8, as published"),
            (SUBSCRIBER_KEYS, keys),
            if nss { ("nss_import", "each") } else { ("binding", self.wrapper) },
        ];
        settings.sort_unstable();
        let settings: BTreeMap<String, String> =
            settings.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let stages: Option<Vec<StageResult>> =
            self.rows.iter().map(|row| row.stage(backend, column)).collect();
        Some(Run {
            id: format!("{}-{batch}", self.name(backend)),
            pipeline: self.pipeline.to_owned(),
            started: self.started[backend],
            algorithm: self.algorithm.to_owned(),
            backend: BACKENDS[backend].to_owned(),
            batch,
            threads: 16,
            repetitions: 1,
            settings,
            machine: machine(nss),
            stages: stages?,
        })
    }
}

/// The machine of the seed's tables.
fn machine(nss: bool) -> Machine {
    let unknown = || "not published".to_owned();
    Machine {
        cpu: "12th Gen Intel i7-12800H (Lenovo ThinkPad P1 Gen 5, 64 GB)".to_owned(),
        cores: 16,
        os: "Linux 6.15.8-200.fc42.x86_64".to_owned(),
        allocator: "mimalloc".to_owned(),
        version: "x509bench of synta 0.1.8".to_owned(),
        openssl: unknown(),
        nss: nss.then(unknown),
        sqlite: unknown(),
        ..Machine::default()
    }
}

impl Row {
    fn stage(&self, backend: usize, column: usize) -> Option<StageResult> {
        let items = if self.single { 1 } else { BATCHES[column] };
        let (time, rate) = self.figures[backend * BATCHES.len() + column];
        let time = Printed::parse(time)?;
        let rate = Printed::parse(rate)?;
        #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
        let count = items as f64;
        // Both figures are rounded: the true time lies where both allow it.
        let (low, high) = (time.low * 1e6, time.high * 1e6);
        let by_rate = |rate: f64| (count * 1e6 / rate).clamp(low, high);
        let (low, high) = (by_rate(rate.high), by_rate(rate.low));
        let mean = f64::midpoint(low, high);
        let mean_ns = rounded(mean);
        Some(StageResult {
            name: self.name.to_owned(),
            items,
            // The bounds say what the rounded figure may stand for.
            wall_ns: Summary {
                mean: mean_ns,
                min: rounded(low),
                p50: mean_ns,
                p90: mean_ns,
                p99: mean_ns,
                max: rounded(high),
            },
            items_per_second: (count * 1e9 / mean).clamp(rate.low * 1e3, rate.high * 1e3),
            repetition_ns: vec![mean_ns],
            ..StageResult::default()
        })
    }
}

/// A printed decimal number and what it may have been before it was rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Printed {
    low: f64,
    high: f64,
}

impl Printed {
    fn parse(text: &str) -> Option<Self> {
        let plain = text.replace(',', "");
        let value: f64 = plain.parse().ok()?;
        let places = plain.split_once('.').map_or(0, |(_, places)| places.len());
        let half = (0..places).fold(0.5, |half, _| half / 10.0);
        (value > half).then_some(Self { low: value - half, high: value + half })
    }
}

fn rounded(ns: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times of the table are positive and far below the limit"
    )]
    let whole = ns.round() as u64;
    whole
}

#[cfg(test)]
mod tests {
    use super::super::figures::grouped;
    use super::*;

    /// A number with as many decimal places as `like`.
    fn printed_like(value: f64, like: &str) -> String {
        let places = like.split_once('.').map_or(0, |(_, places)| places.len());
        let text = format!("{value:.places$}");
        let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
        format!("{}{rest}", grouped(whole.parse().unwrap()))
    }

    #[test]
    fn every_published_figure_comes_back() {
        let mut figures = 0;
        for sheet in sheets() {
            for (backend, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let run = sheet.run(backend, column).unwrap();
                assert_eq!(run.stages.len(), sheet.rows.len());
                for (row, stage) in sheet.rows.iter().zip(&run.stages) {
                    let (time, rate) = row.figures[2 * backend + column];
                    // Bounds are half-open; a hair inside them is what a figure rounds from.
                    #[expect(clippy::cast_precision_loss, reason = "small")]
                    let ms = stage.wall_ns.mean as f64 / 1e6;
                    let near = [ms, ms + 1e-6, ms - 1e-6];
                    let near = near.map(|ms| printed_like(ms, time));
                    assert!(near.contains(&time.to_owned()), "{} {}: {near:?}", run.id, row.name);
                    let per_second = stage.items_per_second / 1e3;
                    let near = [per_second, per_second * (1.0 + 1e-12), per_second * (1.0 - 1e-12)];
                    let near = near.map(|rate_k| printed_like(rate_k, rate));
                    assert!(near.contains(&rate.to_owned()), "{} {}: {near:?}", run.id, row.name);
                    let wall = &stage.wall_ns;
                    assert!(wall.min <= wall.mean && wall.mean <= wall.max, "{}", run.id);
                    figures += 1;
                }
            }
        }
        assert_eq!(figures, 7 * 4 * 15);
    }

    #[test]
    fn names_with_and_without_a_batch() {
        let id = |id: &str, batch| find(id, batch).map(|run| run.id);
        let base = "ref:seed-openssl-ecdsa-p256";
        assert_eq!(id(base, None).unwrap(), format!("{base}-1024"));
        assert_eq!(id(base, Some(64)).unwrap(), format!("{base}-64"));
        assert_eq!(id(base, Some(256)).unwrap(), format!("{base}-1024"));
        assert_eq!(id("ref:seed-openssl-ecdsa-p256-64", Some(1024)).unwrap(), format!("{base}-64"));
        assert_eq!(id("ref:seed-nss-ml-dsa-44", Some(64)).unwrap(), "ref:seed-nss-ml-dsa-44-64");
        for none in [
            "ref:seed-openssl-ecdsa-p256-65",
            "ref:seed-openssl-ecdsa-p256-",
            "ref:seed-openssl-ecdsa-p25",
            "seed-openssl-ecdsa-p256",
            "ref:",
        ] {
            assert_eq!(id(none, None), None, "{none}");
        }
    }

    #[test]
    fn all_have_names_of_their_own() {
        let runs = all();
        assert_eq!(runs.len(), 28);
        assert_eq!(names().len(), 14);
        for run in &runs {
            assert_eq!(find(&run.id, None).as_ref(), Some(run));
            assert!(is_reference(&run.id));
            assert!(run.machine.cpu.contains("i7-12800H"));
            assert_eq!((run.threads, run.repetitions), (16, 1));
        }
    }
}
