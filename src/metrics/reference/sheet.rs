//! A published table, and its columns as runs.

use std::collections::BTreeMap;

use crate::metrics::run::{Machine, Run, StageResult};
use crate::metrics::summary::Summary;

/// What every id of a reference begins with.
pub const PREFIX: &str = "ref:";

/// The setting that says whether a subscriber's key pair is made inside `cert_gen`.
pub const SUBSCRIBER_KEYS: &str = "subscriber_keys";

/// What stands where a publication does not name a version.
pub const NOT_PUBLISHED: &str = "not published";

/// The backends of a sheet, in its order.
pub const BACKENDS: [&str; 2] = ["openssl", "nss"];

/// The batch sizes of a sheet, in its order.
pub const BATCHES: [u64; 2] = [64, 1024];

/// A published table.
#[derive(Debug)]
pub struct Sheet {
    /// What its ids begin with, as `seed`.
    pub prefix: &'static str,
    /// The pipeline.
    pub pipeline: &'static str,
    /// The algorithm of the CA key.
    pub algorithm: &'static str,
    /// When each backend was measured.
    pub started: [i64; 2],
    /// Whether `cert_gen` makes the subscribers' keys.
    pub fresh_keys: bool,
    /// How the program called OpenSSL.
    pub wrapper: &'static str,
    /// The stages.
    pub rows: &'static [Row],
}

/// A line of a table.
#[derive(Debug)]
pub struct Row {
    /// The stage.
    pub name: &'static str,
    /// One item, whatever the batch.
    pub single: bool,
    /// Milliseconds and thousands of items a second, as printed; by backend, then by batch.
    pub figures: [(&'static str, &'static str); 4],
}

impl Sheet {
    /// The id of the runs of a backend, without their batch.
    #[must_use]
    pub fn name(&self, backend: usize) -> String {
        format!("{PREFIX}{}-{}-{}", self.prefix, BACKENDS[backend], self.algorithm)
    }

    /// The run of a column; `None` when a figure of the table does not read, which a test
    /// excludes.
    #[must_use]
    pub fn run(&self, backend: usize, column: usize) -> Option<Run> {
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
            outside: Vec::new(),
        })
    }
}

/// The machine of the seed's tables.
fn machine(nss: bool) -> Machine {
    let unknown = || NOT_PUBLISHED.to_owned();
    Machine {
        cpu: "i7-12800H (12th Gen Intel, Lenovo ThinkPad P1 Gen 5, 64 GB)".to_owned(),
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
