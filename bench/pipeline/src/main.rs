//! Holds pkiscope's pipeline against the crypto libraries alone and against `synta-certificate`,
//! and prints the ratios: see the README of this folder.

mod floor;
mod goals;
mod ours;
mod peer;
mod pipelines;
mod race;
mod recording;
mod table;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use pkiscope::metrics::machine;
use pkiscope::pki::crypto;

/// As pkiscope's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: pkiscope-bench [COMMAND] [--seconds N] [--rounds N] [--only TEXT]
  goals      the races of the stages
  table      all algorithms of all backends
  pipelines  the whole pipeline with each backend
  recording  what recording costs (without a command: all of them)
  --seconds  CPU seconds of a race (default 12; a quarter of it in the table, four times
             as much where ML-DSA signs)
  --rounds   of the pipelines (default 5)
  --only     races and algorithms whose name contains this";

fn main() -> Result<ExitCode> {
    let (mut what, mut seconds, mut rounds, mut only) = (None, 12.0, 5, String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().context(USAGE);
        match argument.as_str() {
            "goals" | "table" | "pipelines" | "recording" => what = Some(argument),
            "--seconds" => seconds = value()?.parse().context(USAGE)?,
            "--rounds" => rounds = value()?.parse::<usize>().context(USAGE)?.max(1),
            "--only" => only = value()?,
            _ => bail!(USAGE),
        }
    }
    let seconds = Duration::try_from_secs_f64(seconds).context(USAGE)?;
    let (facts, versions) = (machine::facts(), crypto::versions());
    println!("{}, {} cores, {}", facts.cpu, facts.cores, facts.os);
    println!(
        "pkiscope {}, {}, {}, mimalloc{}",
        facts.version,
        versions.openssl,
        versions.aws_lc,
        if versions.slow_curves { ", slow P-384 and P-521" } else { "" }
    );
    let wanted = |name: &str| what.as_deref().is_none_or(|what| what == name);
    let mut met = true;
    if wanted("table") {
        table::run(seconds / 4, &only)?;
    }
    if wanted("pipelines") {
        pipelines::run(rounds, &only)?;
    }
    if wanted("recording") {
        met &= recording::run(seconds)?;
    }
    if wanted("goals") {
        met &= goals::run(seconds, &only)?;
    }
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
