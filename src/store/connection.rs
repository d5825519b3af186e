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
/// How long a reader waits for a lock, which others hold for moments only.
const READER_WAIT: Duration = Duration::from_millis(1500);

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
    let (path, exists) = real(path)?;
    if !exists && !options.create {
        return Err(Reason::Missing);
    }
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
    // Until it is known to be ours, closing it must not touch it either.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.busy_timeout(options.wait)?;
    if options.exclusive {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    }
    match schema::state(&connection)? {
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
    settings(&connection, options)?;
    schema::migrate(&mut connection, steps)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
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
    connection.busy_timeout(READER_WAIT)?;
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

/// Opens a file to read.
pub(super) fn read_file(path: &Path, steps: &[&str]) -> Result<Connection, Reason> {
    let (path, exists) = real(path)?;
    if !exists {
        return Err(Reason::Missing);
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(&path, flags)?;
    match look(connection, steps) {
        // The files that go with a write-ahead log cannot be made. Where there is no log yet,
        // nothing is pending, and the file can be read as it is.
        Err(Reason::ReadOnly | Reason::Unopenable) if has_no_log(&path) => {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            look(Connection::open_with_flags(unchanging(&path), flags)?, steps)
        }
        Err(Reason::Locked) => Err(holder(&path).map_or(Reason::Locked, Reason::Held)),
        other => other,
    }
}

/// Opens a database in memory to read.
pub(super) fn read_memory(memory: &Memory, steps: &[&str]) -> Result<Connection, Reason> {
    if !memory.exists() {
        return Err(Reason::Missing);
    }
    let connection = Connection::open_with_flags(memory.uri(), OpenFlags::default())?;
    connection.pragma_update(None, "query_only", true)?;
    look(connection, steps)
}

/// A connection that reads, if it finds a database of the present schema.
fn look(connection: Connection, steps: &[&str]) -> Result<Connection, Reason> {
    connection.busy_timeout(READER_WAIT)?;
    let known = schema::latest(steps);
    match schema::state(&connection)? {
        State::Empty => Err(Reason::Missing),
        State::Version(found) if found > known => Err(Reason::Newer { found, known }),
        State::Version(found) if found < known => Err(Reason::Older { found, known }),
        State::Version(_) => {
            connection.pragma_update(None, "trusted_schema", false)?;
            Ok(connection)
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
