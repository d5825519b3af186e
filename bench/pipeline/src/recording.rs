//! What recording costs beside the cheapest work that is recorded.

use std::time::Duration;

use anyhow::{Context as _, Result};
use pkiscope::metrics::{Meter, Recorder, StageInfo};
use pkiscope::pki::build::{Authority, OcspTemplate, Profile};
use pkiscope::pki::crypto::{SignatureAlgorithm as Algorithm, backends};

use crate::race::{Contestant, race};

static STAGES: [StageInfo; 1] =
    [StageInfo { name: "stage", parts: &["a", "b", "c"], parallel: true, objects: None }];
/// Items of a worker's share at a batch of 1,024 on four cores.
const SHARE: u64 = 256;
/// What a goal of one per cent allows.
const MOST: f64 = 0.01;

/// Prints the costs; whether all are within one per cent.
pub fn run(seconds: Duration) -> Result<bool> {
    let meter = Meter::new(&STAGES, 1);
    let mut recorder = meter.slots()[0].recorder(0);
    let mut with_parts = meter.slots()[0].recorder(0);
    let aws_lc = backends::by_id("aws-lc").context("there is aws-lc")?;
    let algorithm = Algorithm::Ed25519;
    let key = aws_lc.key_generator(algorithm)?.generate()?;
    let mut signer = key.signer()?;
    let mut octets = Vec::new();
    key.public_octets(&mut octets)?;
    let profile = Profile::builtin();
    let authority = Authority::new(&profile, algorithm, &octets);
    let template = OcspTemplate::new(&profile, &authority, profile.serials(0), 1_800_000_000)?;
    let mut signature = vec![0; algorithm.max_signature_len()];
    let (mut bare, mut recorded) = (Vec::new(), Vec::new());
    let share = |out: &mut Vec<u8>| {
        out.clear();
        for number in 1..=SHARE {
            std::hint::black_box(template.tbs(number, out));
        }
    };
    let times = race(
        vec![
            Contestant::new("an item", move || {
                recorder.item();
                Ok(())
            }),
            Contestant::new("an item of three parts", move || {
                parts(&mut with_parts);
                Ok(())
            }),
            Contestant::new("the cheapest signature: Ed25519 by aws-lc", move || {
                signer.sign(&[0x5a; 300], &mut signature)?;
                Ok(())
            }),
            Contestant::new("ocsp_build, a share of 256", || {
                share(&mut bare);
                Ok(())
            }),
            Contestant::new("the same, recorded", || {
                let mut recorder = meter.slots()[0].recorder(0);
                share(&mut recorded);
                recorder.items(SHARE);
                Ok(())
            }),
        ],
        seconds,
    )?;
    println!("\nrecording, µs of thread CPU time\n\n| what | median |\n|---|---|");
    for time in &times {
        println!("| {} | {:.4} |", time.name, time.median);
    }
    let [item, parts, sign, bare, recorded] = [0, 1, 2, 3, 4].map(|at| times[at].median);
    let costs = [item / sign, parts / sign, recorded / bare - 1.0];
    println!(
        "\nof the cheapest item {:.2} %, with parts {:.2} %, of ocsp_build {:.2} %",
        costs[0] * 100.0,
        costs[1] * 100.0,
        costs[2] * 100.0
    );
    Ok(costs.iter().all(|cost| *cost <= MOST))
}

/// An item as `cert_gen` records it.
fn parts(recorder: &mut Recorder<'_>) {
    recorder.part(0);
    recorder.part(1);
    recorder.part(2);
    recorder.item_at_mark();
}
