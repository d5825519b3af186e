//! Runs from the store, and references.

use serde::Serialize;

use super::error::Error;
use super::id::RunId;
use super::save::OUTSIDE;
use crate::metrics::{Machine, PartResult, Run, StageResult, reference};
use crate::store::{Reader, RunFilter, RunRow};

/// Runs that are read at once.
const PAGE: usize = 500;

/// What became of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It was measured to its end.
    Finished,
    /// Somebody works on it: it is the newest, and there is a writer.
    Running,
    /// It never ended: it has no figures.
    Interrupted,
    /// What the store has of it does not read; it can be deleted.
    Broken,
    /// It is a published reference.
    Published,
}

impl State {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Broken => "broken",
            Self::Published => "published",
        }
    }
}

/// A run and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// The run; in lists it has no stages.
    pub run: Run,
    /// What became of it.
    pub state: State,
}

/// Where runs are found: a store, if there is one, and the references.
#[derive(Debug, Clone, Copy)]
pub struct Shelf<'a> {
    reader: Option<&'a Reader>,
}

impl<'a> Shelf<'a> {
    /// A shelf of the runs in a store.
    #[must_use]
    pub const fn new(reader: Option<&'a Reader>) -> Self {
        Self { reader }
    }

    /// The runs that pass `filter`, the newest first, without their stages. One that does not
    /// read is [`State::Broken`], with no settings and no machine.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn list(self, filter: &RunFilter<'_>, limit: usize) -> Result<Vec<Stored>, Error> {
        let Some(reader) = self.reader else { return Ok(Vec::new()) };
        let running = running(reader)?;
        let mut out: Vec<Stored> = Vec::new();
        let mut before = None;
        while out.len() < limit {
            let rows = reader.runs(filter, before, PAGE.min(limit - out.len()))?;
            before = rows.last().map(|row| row.id);
            if rows.is_empty() {
                break;
            }
            out.extend(rows.iter().map(|row| {
                head(row, running)
                    .unwrap_or_else(|_| Stored { run: columns(row), state: State::Broken })
            }));
        }
        Ok(out)
    }

    /// The run that `id` names, with its stages. `batch` tells which of a reference's batch
    /// sizes is meant where the id does not.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn find(self, id: &RunId, batch: Option<u64>) -> Result<Stored, Error> {
        match id {
            RunId::Reference(name) => reference::find(name, batch)
                .map(|run| Stored { run, state: State::Published })
                .ok_or_else(|| Error::NoReference(name.clone())),
            RunId::Number(number) => self.load(*number)?.ok_or(Error::NoRun(*number)),
            RunId::Last(back) => {
                let number = self.last(*back)?.ok_or(Error::NoLast(*back))?;
                self.load(number)?.ok_or(Error::NoLast(*back))
            }
        }
    }

    /// The two runs of a comparison. A reference without a batch takes that of the other side.
    ///
    /// # Errors
    /// As for [`Self::find`].
    pub fn pair(self, a: &RunId, b: &RunId) -> Result<(Stored, Stored), Error> {
        if has_batch(a) {
            let a = self.find(a, None)?;
            let b = self.find(b, Some(a.run.batch))?;
            return Ok((a, b));
        }
        let b = self.find(b, None)?;
        let a = self.find(a, Some(b.run.batch))?;
        Ok((a, b))
    }

    /// The number of the stored run that `id` names, whether it reads or not.
    ///
    /// # Errors
    /// There is none, or the store cannot be read.
    pub fn number(self, id: &RunId) -> Result<i64, Error> {
        match id {
            RunId::Reference(name) => Err(Error::NoReference(name.clone())),
            RunId::Last(back) => self.last(*back)?.ok_or(Error::NoLast(*back)),
            RunId::Number(number) => {
                let row = self.reader.map(|reader| reader.run(*number)).transpose()?.flatten();
                row.map(|row| row.id).ok_or(Error::NoRun(*number))
            }
        }
    }

    /// The number of the finished run that is so many before the newest, among those that read.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn last(self, back: u64) -> Result<Option<i64>, Error> {
        let filter = RunFilter { finished: Some(true), ..RunFilter::default() };
        let Some(reader) = self.reader else { return Ok(None) };
        let (mut before, mut left) = (None, back);
        loop {
            let rows = reader.runs(&filter, before, PAGE)?;
            for row in rows.iter().filter(|row| head(row, None).is_ok()) {
                if left == 0 {
                    return Ok(Some(row.id));
                }
                left -= 1;
            }
            let Some(last) = rows.last() else { return Ok(None) };
            before = Some(last.id);
        }
    }

    fn load(self, number: i64) -> Result<Option<Stored>, Error> {
        let Some(reader) = self.reader else { return Ok(None) };
        let Some(row) = reader.run(number)? else { return Ok(None) };
        let mut stored = head(&row, running(reader)?)?;
        for stage in reader.stages(number)? {
            let broken = |reason: serde_json::Error| Error::Broken {
                run: number,
                what: "stages",
                reason: reason.to_string(),
            };
            if stage.name.starts_with(OUTSIDE) {
                let part: PartResult = serde_json::from_str(&stage.result).map_err(broken)?;
                stored.run.outside.push(part);
            } else {
                let result: StageResult = serde_json::from_str(&stage.result).map_err(broken)?;
                stored.run.stages.push(StageResult { histogram: stage.histogram, ..result });
            }
        }
        Ok(Some(stored))
    }
}

/// Whether an id means one batch size, whatever the other side is.
fn has_batch(id: &RunId) -> bool {
    let RunId::Reference(name) = id else { return true };
    let batch = |other| reference::find(name, Some(other)).map(|run| run.batch);
    batch(64) == batch(1024)
}

/// The run that somebody works on: a writer makes one after the other.
fn running(reader: &Reader) -> Result<Option<i64>, Error> {
    if reader.location().holder().is_none() {
        return Ok(None);
    }
    let newest = reader.runs(&RunFilter::default(), None, 1)?;
    Ok(newest.first().filter(|row| row.finished.is_none()).map(|row| row.id))
}

/// What the store's columns say of a run.
fn columns(row: &RunRow) -> Run {
    Run {
        id: row.id.to_string(),
        pipeline: row.pipeline.clone(),
        started: row.started,
        algorithm: row.algorithm.clone(),
        backend: row.backend.clone(),
        batch: row.batch,
        threads: row.threads,
        repetitions: row.repetitions,
        settings: std::iter::empty().collect(),
        machine: Machine::default(),
        stages: Vec::new(),
        outside: Vec::new(),
    }
}

/// A run without its stages.
fn head(row: &RunRow, running: Option<i64>) -> Result<Stored, Error> {
    let broken = |what| {
        move |reason: serde_json::Error| Error::Broken {
            run: row.id,
            what,
            reason: reason.to_string(),
        }
    };
    let run = Run {
        settings: serde_json::from_str(&row.settings).map_err(broken("settings"))?,
        machine: serde_json::from_str(&row.machine).map_err(broken("facts of the machine"))?,
        ..columns(row)
    };
    let state = match row.finished {
        Some(_) => State::Finished,
        None if running == Some(row.id) => State::Running,
        None => State::Interrupted,
    };
    Ok(Stored { run, state })
}

#[cfg(test)]
mod tests;
