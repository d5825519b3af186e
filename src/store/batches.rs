//! Batches: the index of the objects by run and kind.

use rusqlite::{OptionalExtension as _, Transaction, params};

use super::error::Reason;

/// The number that the next object gets.
pub(super) fn next(transaction: &Transaction<'_>) -> Result<i64, Reason> {
    let sql = "SELECT last FROM batches ORDER BY first DESC LIMIT 1";
    let mut statement = transaction.prepare_cached(sql)?;
    let last: Option<i64> = statement.query_row([], |row| row.get(0)).optional()?;
    Ok(last.unwrap_or(0).saturating_add(1))
}

/// Adds the batch of the objects `first..=last`, if its run exists.
pub(super) fn add(
    transaction: &Transaction<'_>,
    (first, last): (i64, i64),
    run: i64,
    kind: &str,
) -> Result<(), Reason> {
    // What keeps the last number of deleted objects has done its work.
    let sql = "DELETE FROM batches WHERE first = (SELECT max(first) FROM batches) AND count = 0";
    transaction.prepare_cached(sql)?.execute([])?;
    let sql = "INSERT INTO batches (first, last, count, run, kind)
        SELECT ?1, ?2, ?3, id, ?4 FROM runs WHERE id = ?5";
    let mut statement = transaction.prepare_cached(sql)?;
    match statement.execute(params![first, last, last - first + 1, kind, run])? {
        0 => Err(Reason::NoRun(run)),
        _ => Ok(()),
    }
}

/// Deletes the objects `first..=last`.
pub(super) fn delete(transaction: &Transaction<'_>, first: i64, last: i64) -> Result<(), Reason> {
    // Batches do not overlap: those that have a part in it are in a row.
    let sql = "SELECT first, last FROM batches
        WHERE first BETWEEN coalesce((SELECT max(first) FROM batches WHERE first <= ?1), 0) AND ?2
            AND last >= ?1 AND count > 0
        ORDER BY first";
    let mut statement = transaction.prepare_cached(sql)?;
    let mut delete =
        transaction.prepare_cached("DELETE FROM objects WHERE id BETWEEN ?1 AND ?2")?;
    let mut shrink =
        transaction.prepare_cached("UPDATE batches SET count = count - ?2 WHERE first = ?1")?;
    let mut rows = statement.query([first, last])?;
    while let Some(row) = rows.next()? {
        let (from, to): (i64, i64) = (row.get(0)?, row.get(1)?);
        let gone = delete.execute([from.max(first), to.min(last)])?;
        shrink.execute(params![from, i64::try_from(gone).unwrap_or(i64::MAX)])?;
    }
    clean(transaction)
}

/// Deletes the objects of a run.
pub(super) fn delete_run(transaction: &Transaction<'_>, run: i64) -> Result<(), Reason> {
    let mut batches = transaction
        .prepare_cached("SELECT first, last FROM batches WHERE run = ?1 AND count > 0")?;
    let mut delete =
        transaction.prepare_cached("DELETE FROM objects WHERE id BETWEEN ?1 AND ?2")?;
    let mut rows = batches.query([run])?;
    while let Some(row) = rows.next()? {
        delete.execute([row.get::<_, i64>(0)?, row.get::<_, i64>(1)?])?;
    }
    let mut empty = transaction.prepare_cached("UPDATE batches SET count = 0 WHERE run = ?1")?;
    empty.execute([run])?;
    clean(transaction)
}

/// Deletes batches without objects, but not the latest.
fn clean(transaction: &Transaction<'_>) -> Result<(), Reason> {
    let sql = "DELETE FROM batches
        WHERE count = 0 AND first < (SELECT max(first) FROM batches)";
    transaction.prepare_cached(sql)?.execute([])?;
    Ok(())
}
