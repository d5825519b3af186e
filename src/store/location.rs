//! Where a database is.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use super::error::MEMORY;
use super::holder::Holder;
use super::lock;

/// Where a database is: a file, or the memory of this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// Memory; clones of the location mean the same database.
    Memory(Memory),
}

impl Location {
    /// What a user writes: a path, or `:memory:` for a new database in memory.
    #[must_use]
    pub fn parse(text: impl AsRef<Path>) -> Self {
        let path = text.as_ref();
        if path.as_os_str() == MEMORY { Self::memory() } else { Self::File(path.to_owned()) }
    }

    /// A new database in memory.
    #[must_use]
    pub fn memory() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self::Memory(Memory(Arc::new(Shared {
            uri: format!("file:/pkiscope-{number}?vfs=memdb"),
            held: Mutex::new(false),
            freed: Condvar::new(),
            keeper: Mutex::new(None),
        })))
    }

    /// Who writes to the database now, in this process or another.
    #[must_use]
    pub fn holder(&self) -> Option<Holder> {
        match self {
            Self::File(path) => lock::holder(&fs::canonicalize(path).ok()?),
            Self::Memory(memory) => memory.is_held().then(Holder::here),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Memory(_) => f.write_str(MEMORY),
        }
    }
}

/// A database in memory, which lives as long as a clone of this or a connection.
#[derive(Clone)]
pub struct Memory(Arc<Shared>);

struct Shared {
    /// The name under which the connections of this process find it.
    uri: String,
    /// There is a writer.
    held: Mutex<bool>,
    /// The writer is gone.
    freed: Condvar,
    /// A connection that keeps the database while nobody works with it.
    keeper: Mutex<Option<Connection>>,
}

impl Memory {
    /// What SQLite calls it.
    pub(super) fn uri(&self) -> &str {
        &self.0.uri
    }

    /// True when a writer has been there.
    pub(super) fn exists(&self) -> bool {
        self.0.keeper.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Keeps the database from now on.
    pub(super) fn keep(
        &self,
        open: impl FnOnce() -> rusqlite::Result<Connection>,
    ) -> rusqlite::Result<()> {
        let mut keeper = self.0.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        if keeper.is_none() {
            *keeper = Some(open()?);
        }
        Ok(())
    }

    /// Waits until no other writer has it; `None` when that takes too long.
    pub(super) fn hold(&self, wait: Duration) -> Option<Hold> {
        let held = self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut held, _) = self
            .0
            .freed
            .wait_timeout_while(held, wait, |held| *held)
            .unwrap_or_else(PoisonError::into_inner);
        if *held {
            return None;
        }
        *held = true;
        drop(held);
        Some(Hold(self.clone()))
    }

    /// True while there is a writer.
    pub(super) fn is_held(&self) -> bool {
        *self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Memory {}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Memory").field(&self.0.uri).finish()
    }
}

/// The right to write to a database in memory.
#[derive(Debug)]
pub(super) struct Hold(Memory);

impl Drop for Hold {
    fn drop(&mut self) {
        let shared = &self.0.0;
        *shared.held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        shared.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_memory_is_another() {
        let (one, two) = (Location::parse(":memory:"), Location::parse(":memory:"));
        assert_ne!(one, two);
        assert_eq!(one, one.clone());
        assert_eq!(one.to_string(), ":memory:");
        assert_eq!(Location::parse("a/b"), Location::File("a/b".into()));
    }
}
