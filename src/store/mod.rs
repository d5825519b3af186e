//! The store: one SQLite database of what pkiscope makes and measures.
//!
//! It knows rows and blobs, not X.509: objects are octets with the digest, subject and serial
//! number that their maker gives, runs and stage results are JSON texts and histograms.
//!
//! One process at a time has a [`Writer`], held by a lock file beside the database that a
//! killed process cannot leave locked. Any number of [`Reader`]s work beside it with
//! connections of their own, unless the writer asked to be alone ([`Options::exclusive`]).
//!
//! What a writer's function has returned is in the write-ahead log: it is there after a crash
//! of the program, and with [`Durability::Full`] after a power loss.
//!
//! Never open the database file by other means than SQLite while a connection of this process
//! is open: closing such a handle drops SQLite's locks (POSIX advisory locks belong to the
//! process).

mod arena;
mod batches;
mod connection;
mod error;
mod holder;
mod location;
mod lock;
mod reader;
mod rows;
mod schema;
mod search;
#[cfg(test)]
mod tests;
mod writer;

pub use arena::Arena;
pub use connection::{Durability, Options};
pub use error::{Error, Reason};
pub use holder::Holder;
pub use location::{Location, Memory};
pub use reader::Reader;
pub use rows::{
    NewObject, NewRun, NewStage, Object, ObjectFilter, ObjectRow, RunFilter, RunRow, StageRow,
};
pub use writer::Writer;

/// The version of SQLite that is built in.
#[must_use]
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}
