//! Those that read.

use std::sync::atomic::AtomicBool;

use rusqlite::{OptionalExtension as _, Row, Transaction, params};

use super::connection::{self, Reading};
use super::error::{Error, Reason};
use super::location::Location;
use super::rows::{Object, ObjectFilter, ObjectRow, RunFilter, RunRow, StageRow};
use super::schema;
use super::search::{Found, OBJECT, Wanted, bounds, count};

/// A connection that reads beside the writer.
///
/// Lists come in pages: memory holds no more than a page, and nothing in the store waits while
/// a page is looked at. A call sees one state of the database; a search that looks at many
/// objects goes on with a newer one from time to time, so that the log can be taken in.
#[derive(Debug)]
pub struct Reader {
    reading: Reading,
    location: Location,
}

impl Reader {
    /// Opens a database of the present schema, without making or changing one.
    ///
    /// # Errors
    /// There is none ([`Reason::Missing`]), it needs a writer first ([`Reason::Older`]), it is
    /// not ours, of a newer schema, damaged, or a writer has it for itself.
    pub fn open(location: &Location) -> Result<Self, Error> {
        Self::open_with(location, schema::STEPS)
    }

    pub(super) fn open_with(location: &Location, steps: &[&str]) -> Result<Self, Error> {
        let opened = match location {
            Location::File(path) => connection::read_file(path, steps),
            Location::Memory(memory) => connection::read_memory(memory, steps),
        };
        let reading = opened.map_err(|reason| reason.at(location))?;
        Ok(Self { reading, location: location.clone() })
    }

    /// Where the database is.
    #[must_use]
    pub const fn location(&self) -> &Location {
        &self.location
    }

    /// A page of runs, the newest first: at most `limit` of those before the run `before`.
    ///
    /// # Errors
    /// SQLite cannot read.
    pub fn runs(
        &self,
        filter: &RunFilter<'_>,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Vec<RunRow>, Error> {
        let RunFilter { pipeline, algorithm, backend, batch, finished } = *filter;
        let sql = format!(
            "SELECT {RUN} FROM runs
             WHERE (?1 IS NULL OR id < ?1)
               AND (?2 IS NULL OR pipeline = ?2) AND (?3 IS NULL OR algorithm = ?3)
               AND (?4 IS NULL OR backend = ?4) AND (?5 IS NULL OR batch = ?5)
               AND (?6 IS NULL OR (finished IS NOT NULL) = ?6)
             ORDER BY id DESC LIMIT ?7"
        );
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(&sql)?;
            let batch = batch.map(|batch| i64::try_from(batch).unwrap_or(i64::MAX));
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let values = params![before, pipeline, algorithm, backend, batch, finished, limit];
            let rows = statement.query_map(values, run_row)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// One run.
    ///
    /// # Errors
    /// SQLite cannot read.
    pub fn run(&self, id: i64) -> Result<Option<RunRow>, Error> {
        let sql = format!("SELECT {RUN} FROM runs WHERE id = ?1");
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(&sql)?;
            Ok(statement.query_row([id], run_row).optional()?)
        })
    }

    /// The stages of a run, in their order.
    ///
    /// # Errors
    /// SQLite cannot read.
    pub fn stages(&self, run: i64) -> Result<Vec<StageRow>, Error> {
        let sql = "SELECT name, items, result, histogram FROM stages WHERE run = ?1 ORDER BY id";
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(sql)?;
            let rows = statement.query_map([run], |row| {
                Ok(StageRow {
                    name: row.get(0)?,
                    items: count(row, 1)?,
                    result: row.get(2)?,
                    histogram: row.get(3)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// A page of objects in the order of their numbers: at most `limit` of those after `after`.
    ///
    /// # Errors
    /// SQLite cannot read, or the search was cancelled.
    pub fn objects(
        &self,
        filter: &ObjectFilter<'_>,
        after: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ObjectRow>, Error> {
        let mut found = Vec::new();
        if limit > 0 {
            self.search(filter, after, |row| {
                found.push(row.object()?);
                Ok(found.len() < limit)
            })?;
        }
        Ok(found)
    }

    /// How many objects there are.
    ///
    /// # Errors
    /// SQLite cannot read, or the search was cancelled.
    pub fn count(&self, filter: &ObjectFilter<'_>) -> Result<u64, Error> {
        if filter.serial.is_some() || filter.subject.is_some() {
            let mut number = 0;
            self.search(filter, None, |_| {
                number += 1;
                Ok(true)
            })?;
            return Ok(number);
        }
        let sql = "SELECT coalesce(sum(count), 0) FROM batches
            WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR kind = ?2)";
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(sql)?;
            Ok(statement.query_row(params![filter.run, filter.kind], |row| count(row, 0))?)
        })
    }

    /// One object with its octets.
    ///
    /// # Errors
    /// SQLite cannot read.
    pub fn object(&self, id: i64) -> Result<Option<Object>, Error> {
        let sql = format!(
            "SELECT {OBJECT}, run, kind, der
             FROM objects JOIN batches ON first = batch WHERE id = ?1"
        );
        self.read(|transaction| {
            let mut statement = transaction.prepare_cached(&sql)?;
            let mut rows = statement.query([id])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let (run, kind): (i64, String) = (row.get(5)?, row.get(6)?);
            let der = row.get(7)?;
            Ok(Some(Object { row: Found { row, run, kind: &kind }.object()?, der }))
        })
    }

    /// The objects whose digest begins with `prefix` in hex, at most `limit`; all objects are
    /// looked at.
    ///
    /// # Errors
    /// SQLite cannot read, or the search was cancelled.
    pub fn objects_by_sha256(
        &self,
        prefix: &str,
        limit: usize,
        cancel: Option<&AtomicBool>,
    ) -> Result<Vec<ObjectRow>, Error> {
        let Some((low, high)) = bounds(prefix).filter(|_| limit > 0) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        self.search(&ObjectFilter { cancel, ..ObjectFilter::default() }, None, |row| {
            if (low..=high).contains(&row.sha256()?) {
                found.push(row.object()?);
            }
            Ok(found.len() < limit)
        })?;
        Ok(found)
    }

    /// Goes over the objects that `filter` lets through while `each` returns true.
    fn search(
        &self,
        filter: &ObjectFilter<'_>,
        after: Option<i64>,
        mut each: impl FnMut(&Found<'_, '_>) -> Result<bool, Reason>,
    ) -> Result<(), Error> {
        let wanted = Wanted::new(filter);
        let mut after = Some(after.unwrap_or(0));
        while let Some(from) = after {
            after = self.read(|transaction| wanted.search(transaction, from, &mut each))?;
        }
        Ok(())
    }

    /// Work on one state of the database.
    fn read<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Reason>,
    ) -> Result<T, Error> {
        // No other transaction can be open: each ends with the call that began it.
        let transaction = self.reading.connection.unchecked_transaction().map_err(Reason::from);
        transaction
            .and_then(|transaction| work(&transaction))
            .map_err(|reason| reason.at(&self.location))
    }
}

/// The columns of [`run_row`].
const RUN: &str = "id, pipeline, started, finished, algorithm, backend, batch, threads, \
                   repetitions, settings, machine";

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        id: row.get(0)?,
        pipeline: row.get(1)?,
        started: row.get(2)?,
        finished: row.get(3)?,
        algorithm: row.get(4)?,
        backend: row.get(5)?,
        batch: count(row, 6)?,
        threads: row.get(7)?,
        repetitions: row.get(8)?,
        settings: row.get(9)?,
        machine: row.get(10)?,
    })
}
