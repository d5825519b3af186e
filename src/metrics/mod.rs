//! What is measured: stages, worker-local shards, histograms, trends, snapshots, the machine.
//!
//! Nothing here knows what the stages do; pipelines of any kind record into it.

pub mod run;
pub mod snapshot;
pub mod summary;

pub use run::{Machine, PartResult, Run, StageResult};
pub use snapshot::{Phase, Snapshot, StageInfo, StageSnapshot, StageState, Trend, WorkerSnapshot};
pub use summary::Summary;
