//! The log file. Nothing is logged to the terminal.

use std::fs::OpenOptions;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

/// The variable that chooses what is logged.
const FILTER: &str = "PKISCOPE_LOG_FILTER";

/// Appends what happens from now on to the file at `path`.
///
/// Each line is written at once: a crash loses none.
///
/// # Errors
/// The file cannot be opened, or the filter in the environment cannot be read.
pub fn start(path: &Path) -> anyhow::Result<()> {
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("log file {}", path.display()))?;
    let filter = match std::env::var(FILTER) {
        Ok(text) => EnvFilter::try_new(&text).with_context(|| format!("environment {FILTER}"))?,
        Err(_) => EnvFilter::new("info"),
    };
    let subscriber = tracing_subscriber::fmt()
        .with_writer(Mutex::new(file))
        .with_ansi(false)
        .with_env_filter(filter)
        .finish();
    tracing::subscriber::set_global_default(subscriber).context("log")?;
    Ok(())
}
