//! Published figures, built in as runs of one repetition.
//!
//! A sheet is a table as it was printed: milliseconds and thousands of items a second, OpenSSL
//! and NSS, at a batch of 64 and of 1024. Each of its four columns is a run.

mod seed_table;
mod sheet;

use self::sheet::{BACKENDS, BATCHES, Sheet};
pub use self::sheet::{NOT_PUBLISHED, PREFIX, SUBSCRIBER_KEYS};
use super::run::Run;

/// The batch of a reference that was named without one, when nothing else asks for another.
const USUAL_BATCH: u64 = 1024;

/// The sheets of all pipelines.
fn sheets() -> impl Iterator<Item = &'static Sheet> {
    seed_table::SHEETS.iter()
}

/// All references, each with its batch in its id.
#[must_use]
pub fn all() -> Vec<Run> {
    let columns = || (0..BACKENDS.len()).flat_map(|b| (0..BATCHES.len()).map(move |n| (b, n)));
    sheets().flat_map(|sheet| columns().filter_map(|(b, n)| sheet.run(b, n))).collect()
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
