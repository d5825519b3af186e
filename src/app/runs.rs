//! The flags of `runs`.

use clap::{Args, Subcommand, ValueEnum};

use crate::metrics::compare::THRESHOLD;
use crate::pki::runs::RunId;

/// What to do with stored runs.
#[derive(Debug, Clone, Subcommand)]
pub enum RunsCommand {
    /// List stored runs, the newest first
    List(ListArgs),
    /// Show runs with their stages, machine and settings
    Show {
        /// Runs: 41, #41, last, last-1, or a reference as ref:seed-openssl-ecdsa-p256
        #[arg(value_name = "ID", required = true)]
        ids: Vec<RunId>,
    },
    /// Compare two runs stage by stage: B/A with a 95 % confidence interval and a verdict
    Compare {
        /// The run to compare with
        #[arg(value_name = "A")]
        a: RunId,
        /// The run that is judged
        #[arg(value_name = "B")]
        b: RunId,
        /// End with exit code 1 when a stage of B is worse by more than this, as 5%
        #[arg(long, value_name = "PERCENT", value_parser = percent)]
        fail_above: Option<f64>,
    },
    /// Write all figures of runs: one table for CSV, the seed's tables for Markdown
    Export {
        /// Runs, as for show
        #[arg(value_name = "ID", required = true)]
        ids: Vec<RunId>,
    },
    /// Delete runs with their objects
    Delete {
        /// Runs: 41, #41, last, last-1
        #[arg(value_name = "ID", required = true)]
        ids: Vec<RunId>,
    },
}

impl RunsCommand {
    /// Its word on the command line.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::List(_) => "list",
            Self::Show { .. } => "show",
            Self::Compare { .. } => "compare",
            Self::Export { .. } => "export",
            Self::Delete { .. } => "delete",
        }
    }

    /// Whether it needs `--batch`: what it does is no screen's to show.
    #[must_use]
    pub const fn needs_batch(&self) -> bool {
        matches!(self, Self::Export { .. } | Self::Delete { .. })
    }
}

/// Which runs to list.
#[derive(Debug, Clone, Default, Args)]
pub struct ListArgs {
    /// Only runs of this pipeline, as ca
    #[arg(long, value_name = "NAME")]
    pub pipeline: Option<String>,

    /// Only runs with a CA key of this algorithm, as ml-dsa-65
    #[arg(long, value_name = "NAME")]
    pub algorithm: Option<String>,

    /// Only runs with this crypto backend
    #[arg(long, value_name = "NAME")]
    pub backend: Option<String>,

    /// Only runs of this batch size
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,

    /// Only finished or only interrupted runs
    #[arg(long, value_enum, value_name = "WHICH")]
    pub state: Option<Ended>,

    /// At most so many
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// The published references instead of the stored runs
    #[arg(long)]
    pub references: bool,
}

/// How runs ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ended {
    /// Measured to the end.
    Finished,
    /// Without an end.
    Interrupted,
}

/// Reads `5%` or `5` as 0.05; a limit that no verdict can reach is refused.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    let value = number.parse::<f64>().ok().filter(|value| (0.0..=100_000.0).contains(value));
    let value = value.ok_or_else(|| "a number of per cent is needed, as 5%".to_owned())? / 100.0;
    if value < THRESHOLD {
        let least = THRESHOLD * 100.0;
        return Err(format!(
            "stages within {least} % of each other are the same; take {least}% or more"
        ));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_in_per_cent() {
        for (text, value) in [("5%", 0.05), ("5", 0.05), ("2 %", 0.02), ("2.5%", 0.025)] {
            assert_eq!(percent(text), Ok(value), "{text}");
        }
        for none in ["", "%", "-5%", "x", "NaN", "1e9"] {
            assert!(percent(none).is_err(), "{none}");
        }
        for low in ["0", "1%", "1.99"] {
            assert!(percent(low).unwrap_err().contains("take 2% or more"), "{low}");
        }
    }
}
