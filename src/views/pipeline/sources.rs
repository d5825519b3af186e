//! What the pipeline screen needs of the program around it: work and data, as closures.

use std::sync::Arc;

use super::settings::{BackendChoice, PipelineSettings};
use crate::metrics::live::Live;
use crate::metrics::{Run, StageInfo};
use crate::views::event::{JobContext, Payload};

/// Runs the pipeline and returns when it is over or cancelled.
///
/// Each batch size that is finished and stored is reported as a part of type [`Run`]; the last
/// payload is a `Result<(), String>` with one sentence that says what stopped it. A pipeline
/// that was cancelled ends with `Ok`.
pub type Launch = Arc<dyn Fn(PipelineSettings, Arc<Live>, &JobContext) -> Payload + Send + Sync>;

/// Objects of a run, oldest first; the error is one sentence.
pub type Objects = Arc<dyn Fn(&ObjectQuery) -> Result<Vec<ObjectRow>, String> + Send + Sync>;

/// The octets of the object with this number; the error is one sentence.
pub type Octets = Arc<dyn Fn(i64) -> Result<Arc<[u8]>, String> + Send + Sync>;

/// What to show beside a point.
pub type Compare = Arc<dyn Fn(&Question) -> Beside + Send + Sync>;

/// The JSON that `--batch pipeline --format json` prints for these runs.
pub type Export = Arc<dyn Fn(&[Run]) -> Vec<u8> + Send + Sync>;

/// What the screen works with. Closures are called by jobs, never on the thread that draws;
/// [`Self::export`] alone is called on it.
#[derive(Clone)]
pub struct Sources {
    /// Runs the pipeline.
    pub launch: Launch,
    /// Lists objects.
    pub objects: Objects,
    /// Gets an object.
    pub octets: Octets,
    /// Finds what to compare with.
    pub compare: Compare,
    /// Writes results.
    pub export: Export,
    /// The crypto backends, the default one first.
    pub backends: Vec<BackendChoice>,
    /// The stages, for the time before the first run.
    pub stages: &'static [StageInfo],
    /// Where objects and runs are stored; safe to show.
    pub store: String,
}

/// Which objects to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectQuery {
    /// Of this run; `None` for the newest.
    pub run: Option<i64>,
    /// Of this kind, as `certificate`.
    pub kind: &'static str,
    /// Only those with a greater number.
    pub after: Option<i64>,
    /// As many at most.
    pub limit: usize,
}

/// An object in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its number in the store.
    pub id: i64,
    /// Its subject or another name, made visible already; may be empty.
    pub subject: String,
    /// Its serial number in hexadecimal; may be empty.
    pub serial: String,
    /// Its length in octets.
    pub size: u64,
}

/// A point of the pipeline, to look for others like it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What runs.
    pub settings: PipelineSettings,
    /// Items in the batch.
    pub batch: u64,
    /// Runs of now, which are no runs from before.
    pub except: Vec<i64>,
}

/// What there is to compare a point with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Beside {
    /// Published figures.
    pub reference: Option<Run>,
    /// The newest stored run of the same point, from before.
    pub last: Option<Run>,
}
