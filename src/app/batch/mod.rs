//! Batch: commands without a screen.

use super::cli::{Cli, Command};
use super::config::Config;
use super::exit::Exit;

/// Runs a command: data to standard output, progress to standard error.
///
/// # Errors
/// What is a fault of the machine, as a full disk. Input that cannot be read or decoded is
/// reported in the output and by the exit code instead. A closed pipe may come as its
/// `io::Error`: the caller ends quietly on it.
pub fn run(command: &Command, cli: &Cli, config: &Config) -> anyhow::Result<Exit> {
    let _ = (cli, config);
    anyhow::bail!("{} has no batch form", command.id())
}
