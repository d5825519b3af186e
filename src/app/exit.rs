//! Exit codes.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::asn1::text::visible;

/// How the program ends, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Fine,
    /// It worked, and it found something: a verification failed, a figure regressed.
    Findings,
    /// The command line or the configuration is wrong.
    Usage,
    /// Input cannot be read or decoded.
    Input,
    /// A fault of pkiscope or of the machine.
    Internal,
}

impl Exit {
    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Internal => 4,
        }
    }
}

/// A reason to end with an exit code of its own, in one line for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Stop {
    /// The exit code.
    pub exit: Exit,
    /// Why, one sentence without a full stop.
    pub message: String,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// One line on standard error, without control characters.
#[must_use]
pub fn complain(message: &str, exit: Exit) -> Exit {
    // Standard error may be closed; the exit code tells then.
    let _ = writeln!(io::stderr(), "pkiscope: {}", visible(message));
    exit
}
