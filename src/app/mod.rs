//! Composition: command line, configuration, runtime, batch.

pub mod batch;
pub mod cli;
pub mod config;
pub mod exit;
pub mod input;
pub mod jobs;
pub mod log;
pub mod password;
pub mod print;
pub mod runtime;
pub mod samples;
pub mod terminal;

use std::io::{self, IsTerminal as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser as _;

use self::cli::Cli;
use self::config::{Config, Surroundings};
use self::exit::Exit;
use self::runtime::Ended;
use crate::asn1::text::visible;
use crate::views::bench::Bench;
use crate::views::theme::Theme;

/// Runs the program and returns its exit code.
#[must_use]
pub fn main() -> ExitCode {
    terminal::hook_panics();
    // Nothing of what the panic interrupted is used afterwards; the hook has told it.
    let exit = catch_unwind(AssertUnwindSafe(run)).unwrap_or(Exit::Internal);
    exit.into()
}

fn run() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return complain(&cli::one_line(&error), Exit::Usage),
        // Help and version; a closed pipe is no fault.
        Err(error) => {
            let _ = error.print();
            return Exit::Fine;
        }
    };
    if let Err(message) = cli.check() {
        return complain(&message, Exit::Usage);
    }
    let config = match Config::load(&cli, &Surroundings::of_process()) {
        Ok(config) => config,
        Err(faults) => {
            for fault in faults {
                complain(&fault.to_string(), Exit::Usage);
            }
            return Exit::Usage;
        }
    };
    match print::asked(&cli, &config, &mut io::stdout().lock()) {
        Ok(false) => {}
        Ok(true) => return Exit::Fine,
        Err(error) => return ended_by(&error.into()),
    }
    if let Some(path) = &config.log.value
        && let Err(error) = log::start(path)
    {
        return complain(&format!("{error:#}"), Exit::Usage);
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), batch = cli.batch, "begin");
    let exit = match &cli.command {
        Some(command) if cli.batch => batch::run(command, &cli, &config),
        _ => screen(&cli, &config),
    };
    exit.unwrap_or_else(|error| ended_by(&error))
}

/// Runs the screens.
fn screen(_cli: &Cli, config: &Config) -> anyhow::Result<Exit> {
    if !io::stdout().is_terminal() {
        let text = "standard output is no terminal; --batch inspect FILE... works without one";
        return Ok(complain(text, Exit::Usage));
    }
    let theme = Theme::new(config.theme.value, config.ascii.value);
    let keymap = config.keymap.clone();
    let ended = runtime::run(|size| Bench::new(Vec::new(), keymap, theme, size))?;
    if let Ended::Signal(signal) = ended {
        // So that the shell sees what ended the program; it returns only when that fails.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(Exit::Fine)
}

/// One line on standard error, without control characters.
fn complain(message: &str, exit: Exit) -> Exit {
    // Standard error may be closed; the exit code tells then.
    let _ = writeln!(io::stderr(), "pkiscope: {}", visible(message));
    exit
}

/// The exit for an error that stopped everything. A closed pipe ends the program quietly:
/// whoever reads has enough.
fn ended_by(error: &anyhow::Error) -> Exit {
    let closed = error.chain().any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        kind == Some(io::ErrorKind::BrokenPipe)
    });
    if closed { Exit::Fine } else { complain(&format!("{error:#}"), Exit::Internal) }
}
