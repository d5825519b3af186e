//! The one that writes.

use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::arena::Arena;
use super::batches;
use super::connection::{self, Options, Right};
use super::error::{Error, Reason};
use super::location::Location;
use super::rows::{NewObject, NewRun, NewStage};
use super::schema;

/// The one connection that writes to a database.
///
/// After an error nothing of the call is stored, what was stored before is, and the writer
/// can be used again.
#[derive(Debug)]
pub struct Writer {
    // Closed before the right is given back.
    connection: Connection,
    _right: Right,
    location: Location,
}

impl Writer {
    /// Opens a database, or makes one; one of an older schema is migrated.
    ///
    /// # Errors
    /// Another process writes to it, it is not ours, of a newer schema, damaged, or its place
    /// does not allow to write; then nothing was changed.
    pub fn open(location: &Location, options: &Options) -> Result<Self, Error> {
        Self::open_with(location, options, schema::STEPS)
    }

    pub(super) fn open_with(
        location: &Location,
        options: &Options,
        steps: &[&str],
    ) -> Result<Self, Error> {
        let opened = match location {
            Location::File(path) => connection::write_file(path, options, steps),
            Location::Memory(memory) => connection::write_memory(memory, options, steps),
        };
        let (connection, right) = opened.map_err(|reason| reason.at(location))?;
        Ok(Self { connection, _right: right, location: location.clone() })
    }

    /// Where the database is.
    #[must_use]
    pub const fn location(&self) -> &Location {
        &self.location
    }

    /// Stores a run that begins, and returns its number.
    ///
    /// # Errors
    /// SQLite cannot store it.
    pub fn begin_run(&mut self, run: &NewRun<'_>) -> Result<i64, Error> {
        let id = self.transact(|transaction| {
            let sql = "INSERT INTO runs
                (pipeline, started, algorithm, backend, batch, threads, settings, machine)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            transaction.prepare_cached(sql)?.execute(params![
                run.pipeline,
                run.started,
                run.algorithm,
                run.backend,
                whole(run.batch)?,
                run.threads,
                run.settings,
                run.machine,
            ])?;
            Ok(transaction.last_insert_rowid())
        })?;
        tracing::info!(run = id, "run begun");
        Ok(id)
    }

    /// Stores the results of a run. Before, it counts as interrupted when nobody works on it.
    ///
    /// # Errors
    /// There is no such run, it is finished already, or SQLite cannot store it.
    pub fn finish_run(
        &mut self,
        run: i64,
        repetitions: u32,
        stages: &[NewStage<'_>],
    ) -> Result<(), Error> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        self.transact(|transaction| {
            let sql = "UPDATE runs SET finished = ?2, repetitions = ?3
                WHERE id = ?1 AND finished IS NULL";
            let mut update = transaction.prepare_cached(sql)?;
            if update.execute(params![run, whole(now)?, repetitions])? == 0 {
                return Err(Reason::NoRun(run));
            }
            let sql = "INSERT INTO stages (run, name, items, result, histogram)
                VALUES (?1, ?2, ?3, ?4, ?5)";
            let mut insert = transaction.prepare_cached(sql)?;
            for stage in stages {
                let NewStage { name, items, result, histogram } = stage;
                insert.execute(params![run, name, whole(*items)?, result, histogram])?;
            }
            Ok(())
        })?;
        tracing::info!(run, "run finished");
        Ok(())
    }

    /// Stores objects in one transaction, and returns their numbers, which are in a row.
    ///
    /// # Errors
    /// There is no such run, or SQLite cannot store them; then none is stored.
    pub fn insert_objects<'a>(
        &mut self,
        run: i64,
        kind: &str,
        rows: impl IntoIterator<Item = NewObject<'a>>,
    ) -> Result<RangeInclusive<i64>, Error> {
        let ids = self.transact(|transaction| insert(transaction, run, kind, rows))?;
        tracing::info!(run, kind, first = ids.start(), last = ids.end(), "stored");
        Ok(ids)
    }

    /// Does the work of [`Self::insert_objects`] and takes it back.
    ///
    /// # Errors
    /// As there.
    pub fn rehearse_objects<'a>(
        &mut self,
        run: i64,
        kind: &str,
        rows: impl IntoIterator<Item = NewObject<'a>>,
    ) -> Result<(), Error> {
        let Self { connection, location, .. } = self;
        let rehearse = || -> Result<(), Reason> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            insert(&transaction, run, kind, rows)?;
            Ok(transaction.rollback()?)
        };
        rehearse().map_err(|reason| reason.at(location))
    }

    /// Reads the octets of objects into an arena, in place of what it held.
    ///
    /// # Errors
    /// One of them is not there, or SQLite cannot read them.
    pub fn read_objects(
        &mut self,
        ids: RangeInclusive<i64>,
        into: &mut Arena,
    ) -> Result<(), Error> {
        into.clear();
        let Self { connection, location, .. } = self;
        let read = || -> Result<(), Reason> {
            let transaction = connection.transaction()?;
            let sql = "SELECT id, der FROM objects WHERE id BETWEEN ?1 AND ?2 ORDER BY id";
            let mut statement = transaction.prepare_cached(sql)?;
            let mut rows = statement.query([ids.start(), ids.end()])?;
            for id in ids {
                let row = rows.next()?.ok_or(Reason::NoObject(id))?;
                if row.get::<_, i64>(0)? != id {
                    return Err(Reason::NoObject(id));
                }
                into.push(octets(row.get_ref(1)?)?);
            }
            Ok(())
        };
        read().map_err(|reason| reason.at(location))
    }

    /// Deletes objects; those that are not there are gone already.
    ///
    /// # Errors
    /// SQLite cannot write.
    pub fn delete_objects(&mut self, ids: RangeInclusive<i64>) -> Result<(), Error> {
        self.transact(|transaction| batches::delete(transaction, *ids.start(), *ids.end()))
    }

    /// Deletes a run with its stages and objects; whether there was one.
    ///
    /// # Errors
    /// SQLite cannot write.
    pub fn delete_run(&mut self, id: i64) -> Result<bool, Error> {
        let deleted = self.transact(|transaction| {
            batches::delete_run(transaction, id)?;
            let mut delete = transaction.prepare_cached("DELETE FROM runs WHERE id = ?1")?;
            Ok(delete.execute([id])? > 0)
        })?;
        tracing::info!(run = id, deleted, "run deleted");
        Ok(deleted)
    }

    /// Brings the write-ahead log into the database, as far as readers allow.
    ///
    /// # Errors
    /// SQLite cannot write.
    pub fn checkpoint(&mut self) -> Result<(), Error> {
        let sql = "PRAGMA wal_checkpoint(PASSIVE)";
        let done = self.connection.query_row(sql, [], |_| Ok(()));
        done.map_err(|error| Reason::from(error).at(&self.location))
    }

    /// One transaction: all of it, or nothing.
    fn transact<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Reason>,
    ) -> Result<T, Error> {
        let Self { connection, location, .. } = self;
        let whole = || -> Result<T, Reason> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        whole().map_err(|reason| reason.at(location))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // The last connection that closes does this; here it may be that readers remain.
        let _ = self.connection.busy_timeout(Duration::ZERO);
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}

fn insert<'a>(
    transaction: &Transaction<'_>,
    run: i64,
    kind: &str,
    rows: impl IntoIterator<Item = NewObject<'a>>,
) -> Result<RangeInclusive<i64>, Reason> {
    let first = batches::next(transaction)?;
    let sql = "INSERT INTO objects (id, batch, sha256, serial, subject, der)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut statement = transaction.prepare_cached(sql)?;
    statement.raw_bind_parameter(2, first)?;
    let mut next = first;
    for object in rows {
        statement.raw_bind_parameter(1, next)?;
        statement.raw_bind_parameter(3, &object.sha256[..])?;
        statement.raw_bind_parameter(4, object.serial)?;
        statement.raw_bind_parameter(5, object.subject)?;
        statement.raw_bind_parameter(6, object.der)?;
        statement.raw_execute()?;
        next += 1;
    }
    let last = next - 1;
    if last >= first {
        batches::add(transaction, (first, last), run, kind)?;
    }
    Ok(first..=last)
}

/// A number as SQLite has them.
fn whole(number: u64) -> Result<i64, Reason> {
    i64::try_from(number).map_err(|_| Reason::TooLarge(number))
}

/// A blob of a row, borrowed.
pub(super) fn octets(value: rusqlite::types::ValueRef<'_>) -> Result<&[u8], Reason> {
    value.as_blob().map_err(|error| Reason::Corrupt(error.to_string()))
}

#[cfg(test)]
mod tests;
