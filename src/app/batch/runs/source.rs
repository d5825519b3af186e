//! Where `runs` finds runs: the database that is configured, and the references.

use crate::app::config::{Config, Origin};
use crate::app::database;
use crate::app::exit::{Exit, Stop};
use crate::asn1::value::time::Time;
use crate::pki::runs::{Error, RunId, Shelf, Stored};
use crate::store::{Location, Reader, Reason};

/// Ends the program with a line and an exit code.
pub fn stop(exit: Exit, message: impl Into<String>) -> anyhow::Error {
    Stop { exit, message: message.into() }.into()
}

/// Why a run cannot be had, with its exit code.
#[must_use]
pub fn unfound(error: Error) -> anyhow::Error {
    match error {
        // Its reason says how the program ends.
        Error::Store(error) => error.into(),
        error => stop(Exit::Input, error.to_string()),
    }
}

/// The database that is configured.
pub struct Source<'a> {
    config: &'a Config,
}

impl<'a> Source<'a> {
    /// What `config` says.
    pub const fn new(config: &'a Config) -> Self {
        Self { config }
    }

    /// Where the database is.
    pub fn location(&self) -> Location {
        Location::parse(&self.config.db.value)
    }

    /// The database; none when nothing was ever stored and nobody named a file.
    pub fn reader(&self) -> anyhow::Result<Option<Reader>> {
        let usual = self.config.db.origin == Origin::Default
            || matches!(self.location(), Location::Memory(_));
        match database::reader(self.config) {
            Ok(reader) => Ok(Some(reader)),
            Err(error) if usual && is_missing(&error.reason) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The runs of these ids, with their stages. References need no database.
    pub fn find(&self, ids: &[RunId]) -> anyhow::Result<Vec<Stored>> {
        let reader = self.reader_for(ids.iter())?;
        let runs = Shelf::new(reader.as_ref());
        ids.iter().map(|id| runs.find(id, None).map_err(unfound)).collect()
    }

    /// The numbers of the stored runs of these ids, each once; they need not read.
    pub fn numbers(&self, ids: &[RunId]) -> anyhow::Result<Vec<i64>> {
        let reader = self.reader_for(ids.iter())?;
        let runs = Shelf::new(reader.as_ref());
        let mut numbers = Vec::new();
        for id in ids {
            let number = runs.number(id).map_err(unfound)?;
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        Ok(numbers)
    }

    /// The two runs of a comparison.
    pub fn pair(&self, a: &RunId, b: &RunId) -> anyhow::Result<(Stored, Stored)> {
        let reader = self.reader_for([a, b].into_iter())?;
        Shelf::new(reader.as_ref()).pair(a, b).map_err(unfound)
    }

    fn reader_for<'i>(
        &self,
        mut ids: impl Iterator<Item = &'i RunId>,
    ) -> anyhow::Result<Option<Reader>> {
        let stored = ids.any(|id| !matches!(id, RunId::Reference(_)));
        if stored { self.reader() } else { Ok(None) }
    }
}

const fn is_missing(reason: &Reason) -> bool {
    matches!(reason, Reason::Missing | Reason::NoFolder)
}

/// A time in seconds since 1970-01-01 UTC, as `2026-11-20 08:12:03Z`.
pub fn when(seconds: i64) -> String {
    Time::from_unix(seconds)
        .map_or_else(|| seconds.to_string(), |time| time.to_string().replace('T', " "))
}
