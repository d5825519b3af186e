//! What runs are called in text.

use super::source::when;
use crate::metrics::figures::grouped;
use crate::metrics::{Run, reference};

/// What names a run in one line.
pub fn title(run: &Run) -> String {
    let times = match run.repetitions {
        1 => "once".to_owned(),
        n => format!("{} times", grouped(n.into())),
    };
    let threads = if run.threads == 1 { "thread" } else { "threads" };
    format!(
        "{}  {}  {}  {}  {}  batch {}  {times}  {} {threads}",
        name(run),
        when(run.started),
        run.pipeline,
        run.algorithm,
        run.backend,
        grouped(run.batch.into()),
        run.threads,
    )
}

/// The number of a stored run as `#41`, the name of a reference.
pub fn name(run: &Run) -> String {
    if reference::is_reference(&run.id) { run.id.clone() } else { format!("#{}", run.id) }
}
