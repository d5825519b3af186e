//! Opening a database: its place, who may, what it is, and how SQLite works with it.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::Reason;
use super::holder::Holder;
use super::location::{Hold, Memory};
use super::lock::{Lock, beside, holder};
use super::schema::{self, State};

/// Octets a page; what is stored is larger than SQLite's usual page.
const PAGE: u32 = 16_384;
/// The write-ahead log goes into the database when it has so many pages.
const CHECKPOINT_PAGES: u32 = 4096;
/// Memory for pages, in KiB: a batch of 1,024 large certificates fits.
const CACHE: u32 = 16_384;
/// Statements that stay prepared.
const STATEMENTS: usize = 32;
/// How long a connection waits for a lock that others hold for moments only.
const WAIT: Duration = Duration::from_millis(1500);

/// What a committed row survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power loss.
    #[default]
    Full,
    /// A crash of the program.
    Normal,
}

impl Durability {
    /// The word on the command line and in results.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Normal => "normal",
        }
    }

    /// The one with this word.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        [Self::Full, Self::Normal].into_iter().find(|durability| durability.as_str() == id)
    }
}

/// How a writer opens a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What a committed row survives.
    pub durability: Durability,
    /// Nobody may read beside the writer; that is quicker.
    pub exclusive: bool,
    /// A database that does not exist is made.
    pub create: bool,
    /// How long to wait for another writer to end.
    pub wait: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let wait = Duration::from_secs(2);
        Self { durability: Durability::Full, exclusive: false, create: true, wait }
    }
}

/// The right to write, until it is dropped.
#[derive(Debug)]
#[expect(dead_code, reason = "only held")]
pub(super) enum Right {
    File(Lock),
    Memory(Hold),
}

/// Opens a file to write.
pub(super) fn write_file(
    path: &Path,
    options: &Options,
    steps: &[&str],
) -> Result<(Connection, Right), Reason> {
    let path = match real(path) {
        Ok((_, false)) | Err(Reason::NoFolder) if !options.create => return Err(Reason::Missing),
        real => real?.0,
    };
    let lock = Lock::acquire(&path, options.wait)?;
    let made = create(&path, options.create)?;
    let opened = open_to_write(&path, options, steps);
    if opened.is_err() && made {
        for suffix in ["", "-wal", "-shm"] {
            // What is not there needs no removal.
            let _ = fs::remove_file(beside(&path, suffix));
        }
    }
    Ok((opened?, Right::File(lock)))
}

fn open_to_write(path: &Path, options: &Options, steps: &[&str]) -> Result<Connection, Reason> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    keep_log(&connection, true)?;
    let ready = make_ready(&mut connection, options, steps);
    // A database that is not ours is closed as it was found.
    if ready.is_ok() || has_no_log(path) {
        keep_log(&connection, false)?;
    }
    ready.map(|()| connection)
}

/// Looks at what was opened, and makes it ready only if it is ours.
fn make_ready(
    connection: &mut Connection,
    options: &Options,
    steps: &[&str],
) -> Result<(), Reason> {
    connection.busy_timeout(options.wait.max(WAIT))?;
    if options.exclusive {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    }
    match schema::state(connection)? {
        State::Empty => connection.pragma_update(None, "page_size", PAGE)?,
        State::Version(found) if found > schema::latest(steps) => {
            return Err(Reason::Newer { found, known: schema::latest(steps) });
        }
        State::Version(_) => {}
    }
    if connection.is_readonly("main")? {
        return Err(Reason::ReadOnly);
    }
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(Reason::Sqlite(format!("no write-ahead log here, only '{mode}'")));
    }
    settings(connection, options)?;
    schema::migrate(connection, steps)
}

/// Whether the last connection to be closed leaves the write-ahead log as it is; else it
/// brings it into the database and removes it.
fn keep_log(connection: &Connection, keep: bool) -> Result<(), Reason> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)?;
    Ok(())
}

/// Opens a database in memory to write.
pub(super) fn write_memory(
    memory: &Memory,
    options: &Options,
    steps: &[&str],
) -> Result<(Connection, Right), Reason> {
    if !memory.exists() && !options.create {
        return Err(Reason::Missing);
    }
    let hold = memory.hold(options.wait).ok_or_else(|| Reason::Held(Holder::here()))?;
    let mut connection = Connection::open_with_flags(memory.uri(), OpenFlags::default())?;
    connection.busy_timeout(options.wait.max(WAIT))?;
    connection.pragma_update(None, "page_size", PAGE)?;
    connection.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(()))?;
    settings(&connection, options)?;
    schema::migrate(&mut connection, steps)?;
    memory.keep(|| Connection::open_with_flags(memory.uri(), OpenFlags::default()))?;
    Ok((connection, Right::Memory(hold)))
}

fn settings(connection: &Connection, options: &Options) -> Result<(), Reason> {
    let synchronous = match options.durability {
        Durability::Full => "FULL",
        Durability::Normal => "NORMAL",
    };
    connection.execute_batch(&format!(
        "PRAGMA synchronous = {synchronous};
         PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
         PRAGMA cache_size = -{CACHE};
         PRAGMA foreign_keys = ON;
         PRAGMA trusted_schema = OFF;"
    ))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

/// A connection that only reads.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) connection: Connection,
    /// The file that it reads, unless its folder is read-only too.
    path: Option<PathBuf>,
}

impl Drop for Reading {
    fn drop(&mut self) {
        // Octets of others stay where they are; without any, the files beside the database go.
        if self.path.as_ref().is_some_and(|path| has_no_log(path)) {
            let _ = keep_log(&self.connection, false);
        }
    }
}

/// Opens a file to read.
pub(super) fn read_file(path: &Path, steps: &[&str]) -> Result<Reading, Reason> {
    let path = match real(path) {
        Ok((_, false)) | Err(Reason::NoFolder) => return Err(Reason::Missing),
        real => real?.0,
    };
    let open = |alone: bool| -> Result<Reading, Reason> {
        // Reading needs SQLite's files beside the database, which a connection for reading only
        // would leave behind. What makes this one read only is `query_only`.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        keep_log(&connection, true)?;
        if alone {
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        }
        look(Reading { connection, path: Some(path.clone()) }, steps)
    };
    match open(false) {
        // No room for the list of the log's pages. Alone, it can be in memory.
        Err(Reason::Write(_)) => open(true),
        // Those files cannot be made. Where there is no log, nothing is pending, and the
        // database can be read as it is.
        Err(Reason::ReadOnly | Reason::Unopenable) if has_no_log(&path) => {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(unchanging(&path), flags)?;
            look(Reading { connection, path: None }, steps)
        }
        Err(Reason::Locked) => Err(holder(&path).map_or(Reason::Locked, Reason::Held)),
        other => other,
    }
}

/// Opens a database in memory to read.
pub(super) fn read_memory(memory: &Memory, steps: &[&str]) -> Result<Reading, Reason> {
    if !memory.exists() {
        return Err(Reason::Missing);
    }
    let connection = Connection::open_with_flags(memory.uri(), OpenFlags::default())?;
    look(Reading { connection, path: None }, steps)
}

/// A connection that reads, if it finds a database of the present schema.
fn look(reading: Reading, steps: &[&str]) -> Result<Reading, Reason> {
    let connection = &reading.connection;
    connection.busy_timeout(WAIT)?;
    connection.pragma_update(None, "query_only", true)?;
    let known = schema::latest(steps);
    match schema::state(connection)? {
        State::Empty => Err(Reason::Missing),
        State::Version(found) if found > known => Err(Reason::Newer { found, known }),
        State::Version(found) if found < known => Err(Reason::Older { found, known }),
        State::Version(_) => {
            connection.pragma_update(None, "trusted_schema", false)?;
            Ok(reading)
        }
    }
}

/// The path without links, and whether there is a file.
fn real(path: &Path) -> Result<(PathBuf, bool), Reason> {
    match fs::canonicalize(path) {
        Ok(real) => {
            special(&real)?;
            Ok((real, true))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let Some(name) = path.file_name() else { return Err(Reason::Special("a folder")) };
            if fs::symlink_metadata(path).is_ok() {
                return Err(Reason::Special("a link that leads nowhere"));
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            let folder = fs::canonicalize(folder).map_err(|_| Reason::NoFolder)?;
            Ok((folder.join(name), false))
        }
        Err(error) => Err(error.into()),
    }
}

/// An error for what is no regular file.
fn special(path: &Path) -> Result<(), Reason> {
    let kind = fs::metadata(path)?.file_type();
    match () {
        () if kind.is_file() => Ok(()),
        () if kind.is_dir() => Err(Reason::Special("a folder")),
        () if kind.is_fifo() => Err(Reason::Special("a pipe")),
        () if kind.is_socket() => Err(Reason::Special("a socket")),
        () => Err(Reason::Special("a device")),
    }
}

/// Makes an empty file that only its owner can read; whether there was none.
fn create(path: &Path, allowed: bool) -> Result<bool, Reason> {
    if !allowed {
        return Ok(false);
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(true),
        // It is not opened: see the head of the store about locks.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(match rustix::io::Errno::from_io_error(&error) {
            Some(errno) => errno.into(),
            None => error.into(),
        }),
    }
}

fn has_no_log(path: &Path) -> bool {
    !fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// The URI by which SQLite reads a file without locks and without files beside it.
fn unchanging(path: &Path) -> String {
    let mut uri = String::from("file:");
    for &octet in path.as_os_str().as_bytes() {
        if octet.is_ascii_alphanumeric() || b"/-._".contains(&octet) {
            uri.push(octet.into());
        } else {
            // Writing to a String does not fail.
            let _ = write!(uri, "%{octet:02x}");
        }
    }
    uri.push_str("?immutable=1");
    uri
}

#[cfg(test)]
mod tests;
