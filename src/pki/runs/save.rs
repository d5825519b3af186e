//! Runs into the store.

use crate::metrics::{PartResult, Run};
use crate::store::{Error, NewRun, NewStage, Writer};

/// What the name of a row begins with that is no stage but time outside of the stages.
pub const OUTSIDE: &str = "outside:";

/// Stores a run that begins, without its stages, and returns its number. Until [`finish`] it
/// counts as interrupted.
///
/// # Errors
/// The store cannot be written.
pub fn begin(store: &mut Writer, run: &Run) -> Result<i64, Error> {
    store.begin_run(&NewRun {
        pipeline: &run.pipeline,
        started: run.started,
        algorithm: &run.algorithm,
        backend: &run.backend,
        batch: run.batch,
        threads: run.threads,
        settings: &json(&run.settings),
        machine: &json(&run.machine),
    })
}

/// Stores the results of the run `number`.
///
/// # Errors
/// There is no such unfinished run, or the store cannot be written.
pub fn finish(store: &mut Writer, number: i64, run: &Run) -> Result<(), Error> {
    let results: Vec<String> = run.stages.iter().map(json).collect();
    let stages = run.stages.iter().zip(&results).map(|(stage, result)| NewStage {
        name: &stage.name,
        items: stage.items,
        result,
        histogram: &stage.histogram,
    });
    let named = |part: &PartResult| (format!("{OUTSIDE}{}", part.name), json(part));
    let outside: Vec<(String, String)> = run.outside.iter().map(named).collect();
    let outside =
        outside.iter().map(|(name, result)| NewStage { name, items: 0, result, histogram: &[] });
    let rows: Vec<NewStage<'_>> = stages.chain(outside).collect();
    store.finish_run(number, run.repetitions, &rows)
}

/// Texts and numbers under names: what serde_json can always write.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
