//! `runs`: lists, shows, compares, exports and deletes what was measured.

mod compare;
mod delete;
mod list;
mod name;
mod show;
mod source;

use std::io::{self, Write};

use self::source::Source;
pub use self::source::unfound;
use crate::app::cli::Format;
use crate::app::config::Config;
use crate::app::exit::Exit;
use crate::app::runs::RunsCommand;
use crate::metrics::Run;
use crate::metrics::compare::Comparison;
use crate::pki::runs::Stored;

/// Carries out one of the commands.
///
/// # Errors
/// A run that is not there, a database that cannot be read, an output that cannot be written.
pub fn runs(command: &RunsCommand, config: &Config, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let source = Source::new(config);
    let format = config.format;
    match command {
        RunsCommand::List(args) => list::list(args, &source, format, out),
        RunsCommand::Show { ids } => show::show(ids, &source, format, out),
        RunsCommand::Export { ids } => show::export(ids, &source, format, out),
        RunsCommand::Compare { a, b, fail_above } => {
            compare::compare((a, b), *fail_above, &source, format, out)
        }
        RunsCommand::Delete { ids } => delete::delete(ids, &source, format, out),
    }
}

/// Writes a run as `runs export` does.
///
/// # Errors
/// When the writer fails.
pub fn export_run(run: &Stored, format: Format, out: &mut dyn Write) -> io::Result<()> {
    show::write(std::slice::from_ref(run), show::EXPORT, format, out)
}

/// Writes a comparison as `runs compare` does.
///
/// # Errors
/// When the writer fails.
pub fn export_comparison(
    (a, b): (&Run, &Run),
    comparison: &Comparison,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    compare::write(a, b, comparison, None, format, out)
}
