//! The pipeline screen: stages, times, workers, live.

mod settings;
mod sources;

pub use self::settings::{BackendChoice, PipelineSettings, objection, parse_sizes, parse_time};
pub use self::sources::{
    Beside, Compare, Export, Launch, ObjectQuery, ObjectRow, Objects, Octets, Question, Sources,
};
