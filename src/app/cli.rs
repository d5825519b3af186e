//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::pipeline::PipelineArgs;
use super::runs::RunsCommand;
use super::store::StoreCommand;
use crate::views::theme::Palette;

/// An oscilloscope for PKI: browse DER, BER and PEM objects as a tree, octets and meaning.
///
/// Opens files, folders and standard input (`-`) in the terminal; without any it opens
/// embedded samples. With --batch it writes data to standard output instead.
#[derive(Debug, Clone, Parser)]
#[command(name = "pkiscope", version, max_term_width = 100, disable_help_subcommand = true)]
#[command(override_usage = "pkiscope [OPTIONS] [FILE]...
       pkiscope [OPTIONS] --batch inspect <FILE>...
       pkiscope [OPTIONS] --batch tree <FILE>
       pkiscope [OPTIONS] [--batch] pipeline [PIPELINE OPTIONS]
       pkiscope [OPTIONS] [--batch] runs list|show|compare|export|delete ...
       pkiscope [OPTIONS] --batch store list|get ...")]
#[command(after_help = "Exit codes: 0 fine, 1 findings, 2 usage, 3 input unreadable or not \
    decodable, 4 internal error.")]
pub struct Cli {
    /// What to do; without a command FILE... opens in the browser
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Files or folders to open; `-` is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write to standard output without a screen
    #[arg(long, global = true)]
    pub batch: bool,

    /// What every command takes
    #[command(flatten)]
    pub flags: Flags,
}

/// What to do.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Describe every object found in files, folders or standard input
    Inspect {
        /// Files or folders; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// List the nodes of the objects in a file
    Tree {
        /// A file; `-` is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Run a certification authority and measure its fifteen stages
    Pipeline(Box<PipelineArgs>),
    /// List, show, compare, export or delete measured runs
    Runs {
        /// What to do with them
        #[command(subcommand)]
        command: Option<RunsCommand>,
    },
    /// List the objects in the database, or get one
    #[command(arg_required_else_help = false)]
    Store {
        /// What to do with them
        #[command(subcommand)]
        command: StoreCommand,
    },
}

impl Command {
    /// Its word on the command line.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Inspect { .. } => "inspect",
            Self::Tree { .. } => "tree",
            Self::Pipeline(_) => "pipeline",
            Self::Runs { .. } => "runs",
            Self::Store { .. } => "store",
        }
    }

    /// The files it reads.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        match self {
            Self::Inspect { files } => files,
            Self::Tree { file } => std::slice::from_ref(file),
            Self::Pipeline(_) | Self::Runs { .. } | Self::Store { .. } => &[],
        }
    }
}

/// The form of batch output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// One JSON object a line.
    Ndjson,
    /// Comma-separated values.
    Csv,
    /// A Markdown table.
    Markdown,
}

impl Format {
    /// True for the formats that have a place for a summary: all but JSON.
    #[must_use]
    pub const fn has_summary(self) -> bool {
        matches!(self, Self::Text | Self::Csv | Self::Markdown)
    }
}

/// What every command takes.
#[derive(Debug, Clone, Default, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Flags {
    /// The form of batch output
    #[arg(long, global = true, value_enum, default_value_t)]
    pub format: Format,

    /// Password of encrypted objects; other users of the machine may see it, so prefer a file
    #[arg(long, global = true, value_name = "TEXT", conflicts_with = "password_file")]
    pub password: Option<String>,

    /// File whose first line is the password of encrypted objects
    #[arg(long, global = true, value_name = "PATH")]
    pub password_file: Option<PathBuf>,

    /// File of OID names, a line each: 1.2.3.4 name
    #[arg(long, global = true, value_name = "PATH")]
    pub oids: Option<PathBuf>,

    /// Database of what pkiscope makes and measures; :memory: keeps it in memory
    #[arg(long, global = true, value_name = "PATH")]
    pub db: Option<PathBuf>,

    /// Threads for work on many cores
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Configuration file, instead of pkiscope/config.toml in the XDG configuration directory
    #[arg(long, global = true, value_name = "PATH")]
    pub config: Option<PathBuf>,

    /// Colours: truecolor, 256, 16 or mono; otherwise what the terminal says
    #[arg(long, global = true, value_name = "NAME", value_parser = palette)]
    pub theme: Option<Palette>,

    /// No colours; also by NO_COLOR in the environment
    #[arg(long, global = true, conflicts_with = "theme")]
    pub no_color: bool,

    /// No characters beyond ASCII in lines and signs
    #[arg(long, global = true)]
    pub ascii: bool,

    /// Append a log to this file; PKISCOPE_LOG_FILTER chooses what, as debug or pkiscope=trace
    #[arg(long, global = true, value_name = "PATH")]
    pub log: Option<PathBuf>,

    /// Print the effective keys and leave
    #[arg(long, global = true)]
    pub print_keys: bool,

    /// Print the effective configuration, with the origin of each value, and leave
    #[arg(long, global = true)]
    pub print_config: bool,

    /// Print completions for a shell and leave
    #[arg(long, global = true, value_enum, value_name = "SHELL")]
    pub completions: Option<Shell>,

    /// Print the man page and leave
    #[arg(long, global = true)]
    pub man: bool,
}

fn palette(name: &str) -> Result<Palette, String> {
    Palette::by_id(name).ok_or_else(|| {
        let names: Vec<&str> = Palette::ALL.iter().map(|palette| palette.id()).collect();
        format!("there are {}", names.join(", "))
    })
}

impl Cli {
    /// What the parts of a command line cannot mean together.
    ///
    /// # Errors
    /// One sentence without a full stop.
    pub fn check(&self) -> Result<(), String> {
        if let (Some(command), [file, ..]) = (&self.command, self.files.as_slice()) {
            return Err(format!(
                "{} stands before the command {}; a file of that name is ./{}",
                file.display(),
                command.id(),
                command.id()
            ));
        }
        if !self.batch && matches!(self.command, Some(Command::Store { .. })) {
            return Err("store has no screen; it needs --batch".to_owned());
        }
        if let Some(Command::Runs { command }) = &self.command {
            match command {
                None if self.batch => {
                    let words = "list, show, compare, export or delete";
                    return Err(format!("--batch runs needs one of {words}"));
                }
                Some(command) if !self.batch && command.needs_batch() => {
                    return Err(format!("runs {} has no screen; it needs --batch", command.id()));
                }
                _ => {}
            }
        }
        if self.batch && self.command.is_none() {
            let text = "--batch needs a command: inspect, tree, pipeline, runs or store";
            return Err(text.to_owned());
        }
        Ok(())
    }

    /// The files to open.
    #[must_use]
    pub fn inputs(&self) -> &[PathBuf] {
        self.command.as_ref().map_or(&self.files, Command::files)
    }
}

/// A wrong command line in one line.
#[must_use]
pub fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let head = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = head.split_whitespace().collect();
    let line = words.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn parse(words: &[&str]) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(std::iter::once("pkiscope").chain(words.iter().copied()))
    }

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn words_and_flags_in_any_order() {
        let cli = parse(&["--batch", "inspect", "a.pem", "-", "--format", "json"]).unwrap();
        assert!(cli.batch && cli.check().is_ok());
        assert_eq!(cli.flags.format, Format::Json);
        assert_eq!(cli.inputs(), [PathBuf::from("a.pem"), PathBuf::from("-")]);
        let cli = parse(&["tree", "--batch", "--ascii", "x"]).unwrap();
        assert!(cli.batch && cli.flags.ascii);
        assert_eq!(cli.inputs(), [PathBuf::from("x")]);
        let cli = parse(&["a", "b"]).unwrap();
        assert!(!cli.batch && cli.check().is_ok());
        assert_eq!(cli.inputs().len(), 2);
        assert_eq!(parse(&[]).unwrap().inputs().len(), 0);
    }

    #[test]
    fn wrong_command_lines_are_one_line() {
        let cases: [&[&str]; 7] = [
            &["--no-such"],
            &["inspect"],
            &["tree", "a", "b"],
            &["--threads", "0"],
            &["--theme", "pink"],
            &["--format", "xml", "--batch", "tree", "x"],
            &["--password", "x", "--password-file", "y"],
        ];
        for case in cases {
            let error = parse(case).unwrap_err();
            let line = one_line(&error);
            assert!(error.use_stderr(), "{case:?}");
            assert!(!line.contains('\n') && line.len() > 10, "{line:?}");
        }
        assert!(one_line(&parse(&["inspect"]).unwrap_err()).contains("<FILE>"));
        assert!(parse(&["--batch", "x"]).unwrap().check().is_err());
        assert!(parse(&["x", "--ascii", "inspect", "y"]).unwrap().check().is_err());
    }

    #[test]
    fn a_file_may_be_called_as_a_command() {
        for words in [&["x", "inspect"][..], &["--", "inspect", "x"]] {
            let cli = parse(words).unwrap();
            assert!(cli.command.is_none() && cli.check().is_ok());
            assert_eq!(cli.files.len(), 2, "{words:?}");
        }
    }
}
