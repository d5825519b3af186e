//! Composition: command line, configuration, runtime, batch.

pub mod batch;
pub mod cli;
pub mod config;
pub mod input;
pub mod jobs;
pub mod log;
pub mod runtime;
pub mod terminal;

use std::process::ExitCode;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
