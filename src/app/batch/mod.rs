//! Batch: commands without a screen.

mod figures;
mod inspect;
pub mod json;
mod passwords;
mod pipeline;
mod progress;
mod record;
pub mod runs;
mod sink;
mod store;
mod store_get;
mod table;
pub mod text;
mod tree;

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::cli::{Cli, Command, Format};
use super::config::Config;
use super::database;
use super::exit::Exit;
use super::input::{self, Failure, Place};
use super::password::{self, Password};
use super::store::StoreCommand;
use crate::metrics::machine;
use crate::pki::record::FindingRecord;
use crate::rule;

pub use inspect::inspect;
pub use pipeline::pipeline_document;
use progress::{Counted, Progress};
pub use store::store_list;
pub use store_get::store_get;
pub use tree::tree;

/// Octets that are collected before they are written.
const BUFFER: usize = 1 << 16;

rule! {
    UNREADABLE, "source-unreadable", "pkiscope", "the source cannot be opened";
}

/// How a command works.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The form of the output.
    pub format: Format,
    /// The password that the user gave.
    pub password: Option<Password>,
    /// A person may be asked for passwords and shown a bar, if there is a terminal.
    pub interactive: bool,
    /// Counts the octets that are written, for the bar.
    pub written: Arc<AtomicU64>,
}

impl Options {
    fn progress(&self) -> Progress {
        if self.interactive { Progress::new(Arc::clone(&self.written)) } else { Progress::hidden() }
    }
}

/// Why a source could not be opened, as the error of a record.
fn unreadable(failure: &Failure) -> FindingRecord {
    let message = failure.reason.to_string();
    FindingRecord { rule: UNREADABLE.id, offset: 0, path: None, message }
}

/// Runs a command: data to standard output, progress to standard error.
///
/// # Errors
/// What is a fault of the machine, as a full disk. Input that cannot be read or decoded is
/// reported in the output and by the exit code instead. A closed pipe may come as its
/// `io::Error`: the caller ends quietly on it.
pub fn run(command: &Command, cli: &Cli, config: &Config, allocator: &str) -> anyhow::Result<Exit> {
    let password = password::given(&cli.flags)?;
    let written = Arc::<AtomicU64>::default();
    let counted = Counted::new(io::stdout().lock(), Arc::clone(&written));
    let mut out = BufWriter::with_capacity(BUFFER, counted);
    let options = Options { format: config.format, password, interactive: true, written };
    let exit = match command {
        Command::Inspect { files } => {
            let places = input::places(files.iter().cloned().map(PathBuf::into_os_string));
            inspect(places.map(|place| place?.open()), &options, &mut out)?
        }
        Command::Tree { file } => {
            let is_stdin = file.as_os_str() == "-";
            let place = if is_stdin { Place::Stdin } else { Place::Named(file.clone()) };
            tree(place.open(), &options, &mut out)?
        }
        Command::Pipeline(args) => {
            let threads =
                config.threads.value.map_or_else(|| machine::cores() as usize, usize::from);
            let settings = args.settings(threads, allocator)?;
            let location = database::to_write(config)?;
            let progress = options.progress();
            pipeline::pipeline(&settings, &location, config.format, &progress, &mut out)?
        }
        Command::Store { command } => {
            let reader = database::reader(config)?;
            match command {
                StoreCommand::List(wanted) => store_list(&reader, wanted, config.format, &mut out)?,
                StoreCommand::Get(wanted) => store_get(&reader, wanted, &mut out)?,
            }
        }
        // Without a word it is a screen's, which the command line sees to.
        Command::Runs { command: None } => Exit::Usage,
        Command::Runs { command: Some(command) } => runs::runs(command, config, &mut out)?,
    };
    out.flush()?;
    Ok(exit)
}
