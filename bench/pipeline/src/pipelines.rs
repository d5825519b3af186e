//! The whole pipeline with each backend, the backends taking turns: the table of the README.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use pkiscope::metrics::{Live, Run, machine};
use pkiscope::pki::build::Profile;
use pkiscope::pki::crypto::{SignatureAlgorithm as Algorithm, backends};
use pkiscope::pki::pipeline::{self, Context, Settings, SubscriberKeys};
use pkiscope::store::{Durability, Location, Options, Writer};

/// Batch sizes of the table.
const SIZES: [u64; 2] = [64, 1024];
/// Stages of the table.
const STAGES: [&str; 4] = ["cert_gen", "cert_verify", "ocsp_sign", "ocsp_verify"];

/// Prints the table of the algorithms whose names contain `only`, from so many rounds.
pub fn run(rounds: usize, only: &str) -> Result<()> {
    println!(
        "\nCPU time of an item in µs, median of {rounds} rounds in which the backends take turns"
    );
    println!(
        "(RSA: one key pair for all subscribers, as making one takes thousands of times as long)\n"
    );
    let names = backends::ALL.map(|backend| format!(" {} |", backend.id()));
    println!("| algorithm | batch | stage |{}", names.concat());
    println!("|---|---|---|---|---|---|");
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.id().contains(only)) {
        let mut runs: Vec<Vec<Run>> = vec![Vec::new(); backends::ALL.len()];
        for _ in 0..rounds {
            for (runs, backend) in runs.iter_mut().zip(backends::ALL) {
                runs.extend(one(algorithm, backend.id())?);
            }
        }
        for size in SIZES {
            for stage in STAGES {
                let cells: Vec<String> = runs
                    .iter()
                    .map(|runs| median(runs, size, stage).map(|us| format!(" {us:.1} |")))
                    .collect::<Result<_>>()?;
                println!("| {algorithm} | {size} | `{stage}` |{}", cells.concat());
            }
        }
    }
    Ok(())
}

fn one(algorithm: Algorithm, backend: &'static str) -> Result<Vec<Run>> {
    let slow = algorithm.rsa_bits().is_some();
    let settings = Settings {
        sizes: SIZES.to_vec(),
        ca_algorithm: algorithm,
        key_algorithm: algorithm,
        backend,
        subscriber_keys: if slow { SubscriberKeys::Shared } else { SubscriberKeys::Fresh },
        threads: machine::cores() as usize,
        min_time: None,
        seed: 0,
        profile: Arc::new(Profile::builtin()),
        profile_name: "built-in".to_owned(),
        durability: Durability::Full,
        machine: machine::facts(),
    };
    let mut store = Writer::open(&Location::parse(":memory:"), &Options::default())?;
    let (live, cancel) = (Live::new(settings.threads), AtomicBool::new(false));
    let mut context =
        Context { live: &live, cancel: &cancel, clock: &|| 1_800_000_000, finished: &mut |_| {} };
    Ok(pipeline::run(&settings, &mut store, &mut context)?)
}

/// The median CPU time of an item in µs.
#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
fn median(runs: &[Run], size: u64, stage: &str) -> Result<f64> {
    let of_size = runs.iter().filter(|run| run.batch == size);
    let mut times: Vec<f64> = of_size
        .flat_map(|run| &run.stages)
        .filter(|result| result.name == stage && result.errors == 0)
        .map(|result| result.cpu_ns as f64 / 1e3 / result.items as f64)
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().context("a stage is missing")
}
