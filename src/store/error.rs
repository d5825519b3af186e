//! What can go wrong with a database.

use std::fmt;
use std::io;

use rusqlite::ErrorCode;

use super::holder::Holder;

/// The word for a database in memory.
pub(super) const MEMORY: &str = ":memory:";

/// What went wrong with a database: one sentence that begins with its place.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct Error {
    /// The path of the database, or that it is in memory.
    pub place: String,
    /// Why.
    pub reason: Reason,
}

/// Why something did not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// There is no file, or an empty one.
    #[error("there is no database yet")]
    Missing,
    /// The folder of the file does not exist.
    #[error("the folder for the database does not exist")]
    NoFolder,
    /// A folder, device or the like.
    #[error("is {0}, not a database file")]
    Special(&'static str),
    /// Another writer has it.
    #[error("the database is in use by {0}")]
    Held(Holder),
    /// Another connection has it locked; who is not known.
    #[error("the database is locked, another program reads or writes it")]
    Locked,
    /// Not an SQLite file.
    #[error("this is no SQLite database")]
    NotDatabase,
    /// An SQLite file that pkiscope did not make.
    #[error("this database belongs to another program")]
    Foreign,
    /// A schema of a later pkiscope.
    #[error(
        "a newer pkiscope made this database: its schema is {found}, this program knows {known}"
    )]
    Newer {
        /// The schema that it has.
        found: i32,
        /// The latest that is known here.
        known: i32,
    },
    /// A schema of an earlier pkiscope, which a reader cannot migrate.
    #[error(
        "an older pkiscope made this database: its schema is {found}, a writer migrates it to \
         {known}"
    )]
    Older {
        /// The schema that it has.
        found: i32,
        /// The latest that is known here.
        known: i32,
    },
    /// The file is damaged.
    #[error("the database is damaged ({0})")]
    Corrupt(String),
    /// No room for more.
    #[error("the disk is full, nothing of this was stored")]
    Full,
    /// The system takes no more octets; SQLite does not say why.
    #[error(
        "the database cannot be written: the disk is full, a quota or a limit on file sizes is \
         reached, or the disk fails ({0})"
    )]
    Write(String),
    /// The file or its folder cannot be written.
    #[error("the database cannot be written, the file or its folder is read-only")]
    ReadOnly,
    /// SQLite cannot open the file or one that goes with it.
    #[error("the database or a file that goes with it cannot be opened")]
    Unopenable,
    /// What the system says.
    #[error("{}", system_text(.0))]
    Io(#[from] io::Error),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// No such object.
    #[error("there is no object {0}")]
    NoObject(i64),
    /// No such run, or one that is finished already.
    #[error("there is no unfinished run {0}")]
    NoRun(i64),
    /// A number that SQLite's 64-bit integers cannot hold.
    #[error("{0} is too large a number for the database")]
    TooLarge(u64),
    /// Anything else that SQLite says.
    #[error("SQLite says: {0}")]
    Sqlite(String),
}

impl Reason {
    /// As the reason of an error at `place`, a location.
    #[must_use]
    pub fn at(self, place: &impl fmt::Display) -> Error {
        let place = match place.to_string() {
            memory if memory == MEMORY => "the database in memory".to_owned(),
            path => path,
        };
        Error { place, reason: self }
    }
}

/// The system's message without Rust's ` (os error N)`.
fn system_text(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// What SQLite's input and output errors are about when something was to be written:
/// `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE` and `_SHMSIZE`.
const WRITING: [i32; 5] = [778, 1034, 1290, 1546, 4874];

impl From<rusqlite::Error> for Reason {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error as E;
        let (code, extended) = match &error {
            E::SqliteFailure(code, _) | E::SqlInputError { error: code, .. } => {
                (code.code, code.extended_code)
            }
            // A value of a type that no version of the schema has.
            E::FromSqlConversionFailure(..)
            | E::IntegralValueOutOfRange(..)
            | E::InvalidColumnType(..)
            | E::Utf8Error(..) => return Self::Corrupt(error.to_string()),
            _ => return Self::Sqlite(error.to_string()),
        };
        match code {
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed => Self::Locked,
            ErrorCode::NotADatabase => Self::NotDatabase,
            ErrorCode::DatabaseCorrupt => Self::Corrupt(error.to_string()),
            ErrorCode::DiskFull => Self::Full,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::ReadOnly,
            ErrorCode::SystemIoFailure if WRITING.contains(&extended) => {
                Self::Write(error.to_string())
            }
            ErrorCode::CannotOpen => Self::Unopenable,
            ErrorCode::OperationInterrupted => Self::Cancelled,
            _ => Self::Sqlite(error.to_string()),
        }
    }
}

impl From<rustix::io::Errno> for Reason {
    fn from(errno: rustix::io::Errno) -> Self {
        use rustix::io::Errno;
        match errno {
            Errno::NOSPC | Errno::DQUOT => Self::Full,
            Errno::ROFS | Errno::ACCESS | Errno::PERM => Self::ReadOnly,
            errno => Self::Io(errno.into()),
        }
    }
}
