//! What the screen of runs needs of the program around it, as closures that jobs call.

use std::sync::Arc;

use crate::metrics::compare::Comparison;
use crate::pki::runs::Stored;

/// All stored runs without their stages, the newest first; the error is one sentence.
pub type List = Arc<dyn Fn() -> Result<Vec<Stored>, String> + Send + Sync>;

/// The run of this id with its stages; the error is one sentence.
pub type Load = Arc<dyn Fn(&str) -> Result<Stored, String> + Send + Sync>;

/// The two runs of a comparison, A and B, with their stages; the error is one sentence.
pub type LoadPair = Arc<dyn Fn(&str, &str) -> Result<(Stored, Stored), String> + Send + Sync>;

/// Deletes the run of this number with its objects; the error is one sentence.
pub type Delete = Arc<dyn Fn(i64) -> Result<(), String> + Send + Sync>;

/// Writes what is exported in a form; called on the thread that draws.
pub type Export = Arc<dyn Fn(&Exported<'_>, Form) -> Vec<u8> + Send + Sync>;

/// What the screen works with.
#[derive(Clone)]
pub struct Sources {
    /// Lists runs.
    pub list: List,
    /// Gets a run.
    pub load: Load,
    /// Gets two runs.
    pub pair: LoadPair,
    /// Deletes a run.
    pub delete: Delete,
    /// Writes results.
    pub export: Export,
    /// Where runs are stored; safe to show.
    pub store: String,
}

/// What is shown first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum First {
    /// The list.
    #[default]
    List,
    /// A run, by any id that [`Sources::load`] knows.
    Details(String),
    /// A and B, by any ids that [`Sources::pair`] knows.
    Comparison(String, String),
}

/// What is exported.
#[derive(Debug, Clone, Copy)]
pub enum Exported<'a> {
    /// A run.
    Run(&'a Stored),
    /// Two runs side by side.
    Pair(&'a Pair),
}

/// Two runs and how they compare.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The run to compare with.
    pub a: Stored,
    /// The run that is judged.
    pub b: Stored,
    /// How they compare.
    pub comparison: Comparison,
}

/// The form of an exported file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// What `--batch runs --format json` prints.
    Json,
    /// Comma-separated values.
    Csv,
    /// A Markdown table.
    Markdown,
}

impl Form {
    /// The form of a file by the end of its name.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (stem, end) = path.rsplit_once('.')?;
        match end.to_ascii_lowercase().as_str() {
            _ if stem.is_empty() => None,
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }
}
