//! The schema, and the way from each version to the next.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::error::Reason;

/// Marks our databases: "pkis".
pub(super) const APPLICATION_ID: i32 = 0x706b_6973;

/// What makes version `n + 1` from version `n`; never changed, only added to.
pub(super) const STEPS: &[&str] = &[
    // 1. Objects come in batches: what one transaction stored, of one kind and by one run, with
    // numbers in a row. The table of batches is the index by run and kind: it is a thousand
    // times shorter, and adding a row to an index on `objects` costs a third of storing it.
    // The latest batch stays when its objects are deleted, so that no number is used twice.
    "CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        pipeline TEXT NOT NULL,
        started INTEGER NOT NULL,
        finished INTEGER,
        algorithm TEXT NOT NULL,
        backend TEXT NOT NULL,
        batch INTEGER NOT NULL,
        threads INTEGER NOT NULL,
        repetitions INTEGER NOT NULL DEFAULT 0,
        settings TEXT NOT NULL,
        machine TEXT NOT NULL
    ) STRICT;
    CREATE TABLE stages (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        items INTEGER NOT NULL,
        result TEXT NOT NULL,
        histogram BLOB NOT NULL
    ) STRICT;
    CREATE INDEX stages_by_run ON stages (run);
    CREATE TABLE batches (
        first INTEGER PRIMARY KEY,
        last INTEGER NOT NULL,
        count INTEGER NOT NULL,
        run INTEGER NOT NULL,
        kind TEXT NOT NULL
    ) STRICT;
    CREATE TABLE objects (
        id INTEGER PRIMARY KEY,
        batch INTEGER NOT NULL,
        sha256 BLOB NOT NULL,
        serial BLOB,
        subject TEXT,
        der BLOB NOT NULL
    ) STRICT;",
];

/// What a database is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing is in it.
    Empty,
    /// Ours, with this version of the schema.
    Version(i32),
}

/// Looks at a database without changing it.
pub(super) fn state(connection: &Connection) -> Result<State, Reason> {
    // One statement: a writer may be making the database right now.
    let sql = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_application_id, pragma_user_version";
    let facts: (i32, i32, i64) =
        connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    match facts {
        (APPLICATION_ID, version @ 1.., _) => Ok(State::Version(version)),
        (0, 0, 0) => Ok(State::Empty),
        _ => Err(Reason::Foreign),
    }
}

/// Makes an empty or older database one of the latest version, in one transaction.
pub(super) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), Reason> {
    let known = latest(steps);
    if state(connection)? == State::Version(known) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match state(&transaction)? {
        State::Empty => {
            transaction.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}"))?;
            take(&transaction, steps, 0)?;
        }
        State::Version(found) if found > known => return Err(Reason::Newer { found, known }),
        State::Version(found) => take(&transaction, steps, found)?,
    }
    transaction.commit()?;
    Ok(())
}

/// Takes the steps from version `from` on.
fn take(transaction: &Transaction<'_>, steps: &[&str], from: i32) -> Result<(), Reason> {
    let from = usize::try_from(from).unwrap_or_default();
    for step in steps.iter().skip(from) {
        transaction.execute_batch(step)?;
    }
    transaction.execute_batch(&format!("PRAGMA user_version = {}", latest(steps)))?;
    Ok(())
}

/// The version after all steps.
pub(super) fn latest(steps: &[&str]) -> i32 {
    i32::try_from(steps.len()).unwrap_or(i32::MAX)
}
