//! What is measured: stages, worker-local shards, histograms, trends, snapshots, the machine.
//!
//! Nothing here knows what the stages do; pipelines of any kind record into it.

pub mod bootstrap;
pub mod columns;
pub mod compare;
pub mod figures;
pub mod live;
pub mod machine;
pub mod meter;
pub mod reference;
pub mod repetitions;
pub mod run;
pub mod shard;
pub mod snapshot;
pub mod summary;
pub mod table;
pub mod trend;

pub use live::{Live, Sampler};
pub use meter::{Meter, StageTime};
pub use run::{Machine, PartResult, Run, StageResult};
pub use shard::Recorder;
pub use snapshot::{Phase, Snapshot, StageInfo, StageSnapshot, StageState, Trend, WorkerSnapshot};
pub use summary::Summary;
