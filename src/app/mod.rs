//! Composition: command line, configuration, runtime, batch.

pub mod batch;
pub mod cli;
pub mod config;
pub mod database;
pub mod exit;
pub mod input;
pub mod jobs;
pub mod log;
pub mod open;
pub mod password;
pub mod pipeline;
pub mod print;
pub mod runs;
pub mod runs_screen;
pub mod runtime;
pub mod samples;
mod screens;
pub mod store;
pub mod terminal;

use std::io::{self, IsTerminal as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Parser as _;

use self::cli::{Cli, Command};
use self::config::{Config, Origin, Surroundings};
use self::exit::{Exit, Stop, complain};
use self::runtime::Ended;
use crate::asn1::names::{self, Names};
use crate::metrics::machine;
use crate::store::Location;
use crate::views::action::Action;
use crate::views::bench::Bench;
use crate::views::browse::Browse;
use crate::views::event::Screen;
use crate::views::pipeline::Pipeline;
use crate::views::runs::{First, Runs};
use crate::views::theme::Theme;

/// Runs the program and returns its exit code. `allocator` names the binary's allocator, a fact
/// that measurements are stored with.
#[must_use]
pub fn main(allocator: &'static str) -> ExitCode {
    terminal::hook_panics();
    // Nothing of what the panic interrupted is used afterwards; the hook has told it.
    let exit = catch_unwind(AssertUnwindSafe(|| run(allocator))).unwrap_or(Exit::Internal);
    exit.into()
}

fn run(allocator: &'static str) -> Exit {
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
                let _ = complain(&fault.to_string(), Exit::Usage);
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
    if let Some(path) = &config.oids.value
        && let Err(error) = install_names(path)
    {
        return complain(&format!("{error:#}"), Exit::Usage);
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), batch = cli.batch, "begin");
    let exit = match &cli.command {
        Some(command) if cli.batch => batch::run(command, &cli, &config, allocator),
        _ => screen(&cli, &config, allocator),
    };
    exit.unwrap_or_else(|error| ended_by(&error))
}

/// Makes the user's own names of object identifiers known.
fn install_names(path: &Path) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path).with_context(|| input::display(path))?;
    let names = Names::load_user(&text).with_context(|| input::display(path))?;
    // Nothing was installed before: this runs once.
    let _ = names::install(names);
    Ok(())
}

/// Runs the screens.
fn screen(cli: &Cli, config: &Config, allocator: &'static str) -> anyhow::Result<Exit> {
    if !io::stdout().is_terminal() {
        let text = "standard output is no terminal; --batch inspect FILE... works without one";
        return Ok(complain(text, Exit::Usage));
    }
    let theme = Theme::new(config.theme.value, config.ascii.value);
    let keymap = config.keymap.clone();
    let password = match password::given(&cli.flags) {
        Ok(password) => password,
        Err(error) => return Ok(complain(&format!("{error:#}"), Exit::Usage)),
    };
    let files = cli.inputs().iter().map(|path| path.clone().into_os_string()).collect();
    let browse = Browse::new(open::load(files, password), Some(Arc::new(open::unlock)));
    let (args, first) = match &cli.command {
        Some(Command::Pipeline(args)) => (args.clone(), Action::ShowPipeline),
        Some(Command::Runs { .. }) => (Box::default(), Action::ShowRuns),
        _ => (Box::default(), Action::ShowBrowse),
    };
    let shown = match &cli.command {
        Some(Command::Runs { command }) => runs_screen::first(command.as_ref()),
        _ => First::default(),
    };
    // One core stays free for the screen.
    let spare = (machine::cores() as usize).saturating_sub(1).max(1);
    let threads = config.threads.value.map_or(spare, usize::from).min(pipeline::MOST_THREADS);
    let location = Location::parse(&config.db.value);
    let sources = screens::pipeline_sources(config.clone(), &location, args.profile()?, allocator);
    let pipeline = Pipeline::new(sources, args.proposal(threads));
    let pipeline = if first == Action::ShowPipeline { pipeline.at_once() } else { pipeline };
    let usual = config.db.origin == Origin::Default;
    let runs = Runs::new(runs_screen::sources(&location, usual), shown);
    let ended = runtime::run(|size| {
        let screens: Vec<Box<dyn Screen>> =
            vec![Box::new(browse), Box::new(pipeline), Box::new(runs)];
        Bench::new(screens, keymap, theme, size).with_first(first)
    })?;
    if let Ended::Signal(signal) = ended {
        // So that the shell sees what ended the program; it returns only when that fails.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    Ok(Exit::Fine)
}

/// The exit for an error that stopped everything. A closed pipe ends the program quietly:
/// whoever reads has enough.
fn ended_by(error: &anyhow::Error) -> Exit {
    let closed = error.chain().any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        kind == Some(io::ErrorKind::BrokenPipe)
    });
    if closed {
        return Exit::Fine;
    }
    let stop = error.downcast_ref().map(|stop: &Stop| stop.exit);
    let database = || error.chain().find_map(|cause| cause.downcast_ref()).map(database::exit);
    complain(&format!("{error:#}"), stop.or_else(database).unwrap_or(Exit::Internal))
}
