//! The races of the pipeline's stages and the goals that they are held to.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crypto::SignatureAlgorithm as Algorithm;

use crate::floor::{AwsFloor, Floor};
use crate::ours::Ours;
use crate::peer::Peer;
use crate::race::{Contestant, Time, race};

/// `ours` needs at most so much of what `theirs` needs; without `most` the ratio is only shown.
struct Goal {
    ours: &'static str,
    theirs: &'static str,
    most: Option<f64>,
}

const fn goal(ours: &'static str, theirs: &'static str, most: f64) -> Goal {
    Goal { ours, theirs, most: Some(most) }
}

const fn shown(ours: &'static str, theirs: &'static str) -> Goal {
    Goal { ours, theirs, most: None }
}

const NATIVE: &str = "pkiscope, native-ossl";
const OPENSSL: &str = "pkiscope, openssl";
const AWS_LC: &str = "pkiscope, aws-lc";
const PEER: &str = "synta-certificate";
const PEER_PARTS: &str = "synta-certificate, parts given";
const FLOOR: &str = "OpenSSL alone";
const AWS_FLOOR: &str = "AWS-LC alone";

const ALGORITHMS: [Algorithm; 4] =
    [Algorithm::EcdsaP256, Algorithm::Ed25519, Algorithm::MlDsa44, Algorithm::MlDsa65];

/// All that runs a race about one algorithm; one key is everybody's.
struct Field {
    algorithm: Algorithm,
    ours: [Ours; 3],
    peer: Peer,
    floor: Floor,
    aws_floor: AwsFloor,
    /// Certificates of the authority, in the octets of all contestants.
    certificate: Vec<u8>,
    /// A ResponseData.
    response: Vec<u8>,
}

impl Field {
    fn new(algorithm: Algorithm) -> Result<Self> {
        let key = Ours::fresh_key(algorithm)?;
        let of = |backend| Ours::new(backend, algorithm, &key);
        let mut ours = [of("native-ossl")?, of("openssl")?, of("aws-lc")?];
        let certificate = ours[0].certificate_for_itself(1)?;
        let crl = of("native-ossl")?.crl()?.to_vec();
        let mut peer = Peer::new(algorithm, &key, &certificate, &crl)?;
        let response = ours[0].ocsp_tbs().to_vec();
        same_work(&mut of("native-ossl")?, &mut peer, &response)?;
        let spki = ours[0].spki.clone();
        Ok(Self {
            algorithm,
            peer,
            floor: Floor::new(algorithm, &key, &spki)?,
            aws_floor: AwsFloor::new(algorithm, &key, &spki)?,
            ours,
            certificate,
            response,
        })
    }
}

/// Both libraries must write the same octets, or the race would say nothing.
fn same_work(ours: &mut Ours, peer: &mut Peer, response: &[u8]) -> Result<()> {
    for number in [1, 127, 128, 1_024] {
        let mine = ours.certificate_for_itself(number)?;
        let theirs = peer.certificate_of(number, &ours.spki)?;
        let [mine, theirs] = [Certificate::parse(&mine)?, Certificate::parse(&theirs)?];
        ensure!(mine.tbs() == theirs.tbs(), "certificate {number} differs");
    }
    ensure!(peer.ocsp_tbs()? == response, "the OCSP responses differ");
    ensure!(peer.crl_tbs()? == ours.crl_tbs(), "the CRLs differ");
    Ok(())
}

/// Runs all races whose names contain `only`; false when a goal was missed.
pub fn run(seconds: Duration, only: &str) -> Result<bool> {
    println!("\nstage and algorithm, µs of thread CPU time for an item\n");
    println!("| stage | contestant | µs | against | ratio | goal | |");
    println!("|---|---|---|---|---|---|---|");
    let mut met = true;
    for algorithm in ALGORITHMS {
        let wanted = STAGES.iter().filter(|stage| {
            format!("{} {algorithm}", stage.name).contains(only)
                && (algorithm == Algorithm::EcdsaP256 || stage.every_algorithm)
        });
        let mut field = None;
        for stage in wanted {
            if field.is_none() {
                field = Some(Field::new(algorithm)?);
            }
            let field = field.as_mut().context("made above")?;
            // Signing with ML-DSA takes a random number of tries.
            let mean = stage.signs && !classic(algorithm);
            let seconds = if mean { 4 * seconds } else { seconds };
            let times = race((stage.contestants)(field)?, seconds)?;
            met &= report(stage.name, algorithm, &times, &(stage.goals)(algorithm), mean)?;
        }
    }
    Ok(met)
}

struct Stage {
    name: &'static str,
    /// Else only for the first: its work does not depend on the algorithm.
    every_algorithm: bool,
    signs: bool,
    contestants: fn(&mut Field) -> Result<Vec<Contestant<'_>>>,
    goals: fn(Algorithm) -> Vec<Goal>,
}

const STAGES: [Stage; 6] = [
    Stage {
        name: "cert_gen",
        every_algorithm: true,
        signs: true,
        contestants: |field| {
            let tbs = Certificate::parse(&field.certificate)?.tbs();
            let (floor, aws_floor) = (&mut field.floor, &mut field.aws_floor);
            let [native, openssl, aws_lc] = &mut field.ours;
            let peer = &mut field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || native.certificate().map(drop)),
                Contestant::new(OPENSSL, || openssl.certificate().map(drop)),
                Contestant::new(AWS_LC, || aws_lc.certificate().map(drop)),
                Contestant::new(PEER, || peer.certificate().map(drop)),
                Contestant::new(FLOOR, || floor.key().and_then(|()| floor.sign(tbs))),
                Contestant::new(AWS_FLOOR, || aws_floor.key().and_then(|()| aws_floor.sign(tbs))),
            ])
        },
        goals: |algorithm| {
            let (peer, aws_lc) = match algorithm {
                Algorithm::EcdsaP256 => (0.75, Some(0.65)),
                Algorithm::Ed25519 => (0.75, Some(0.30)),
                Algorithm::MlDsa65 => (1.00, Some(0.20)),
                _ => (1.00, None),
            };
            let mut goals = vec![goal(NATIVE, PEER, peer), goal(NATIVE, FLOOR, 1.05)];
            goals.extend(aws_lc.map(|most| goal(AWS_LC, PEER, most)));
            goals.extend([goal(OPENSSL, FLOOR, 1.05), goal(AWS_LC, AWS_FLOOR, 1.05)]);
            goals
        },
    },
    Stage {
        name: "cert_verify",
        every_algorithm: true,
        signs: false,
        contestants: |field| {
            let der = &field.certificate;
            let certificate = Certificate::parse(der)?;
            let (tbs, signature) = (certificate.tbs(), certificate.signature());
            let identifier = field.algorithm.signature_identifier();
            let (floor, aws_floor) = (&mut field.floor, &mut field.aws_floor);
            let [native, openssl, aws_lc] = &mut field.ours;
            let peer = &field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || native.verify(der)),
                Contestant::new(OPENSSL, || openssl.verify(der)),
                Contestant::new(AWS_LC, || aws_lc.verify(der)),
                Contestant::new(PEER, || peer.verify(der)),
                Contestant::new(PEER_PARTS, || peer.verify_parts(tbs, identifier, signature)),
                Contestant::new(FLOOR, || floor.verify(tbs, signature)),
                Contestant::new(AWS_FLOOR, || aws_floor.verify(tbs, signature)),
            ])
        },
        goals: |algorithm| {
            let peer = if classic(algorithm) { 0.96 } else { 1.00 };
            vec![
                goal(NATIVE, PEER, peer),
                shown(NATIVE, PEER_PARTS),
                goal(NATIVE, FLOOR, 1.02),
                goal(OPENSSL, FLOOR, 1.02),
                goal(AWS_LC, AWS_FLOOR, 1.02),
            ]
        },
    },
    Stage {
        name: "ocsp_sign",
        every_algorithm: true,
        signs: true,
        contestants: |field| {
            let tbs = &field.response;
            let (floor, aws_floor) = (&mut field.floor, &mut field.aws_floor);
            let [native, openssl, aws_lc] = &mut field.ours;
            let peer = &field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || native.ocsp_sign(tbs).map(drop)),
                Contestant::new(OPENSSL, || openssl.ocsp_sign(tbs).map(drop)),
                Contestant::new(AWS_LC, || aws_lc.ocsp_sign(tbs).map(drop)),
                Contestant::new(PEER, || peer.ocsp_sign(tbs).map(drop)),
                Contestant::new(FLOOR, || floor.sign(tbs)),
                Contestant::new(AWS_FLOOR, || aws_floor.sign(tbs)),
            ])
        },
        goals: |algorithm| {
            let peer = if algorithm == Algorithm::EcdsaP256 { 0.80 } else { 1.00 };
            vec![
                goal(NATIVE, PEER, peer),
                goal(NATIVE, FLOOR, 1.02),
                goal(OPENSSL, FLOOR, 1.02),
                goal(AWS_LC, AWS_FLOOR, 1.02),
            ]
        },
    },
    Stage {
        name: "ocsp_build",
        every_algorithm: false,
        signs: false,
        contestants: |field| {
            let [native, ..] = &mut field.ours;
            let peer = &mut field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || {
                    std::hint::black_box(native.ocsp_tbs());
                    Ok(())
                }),
                Contestant::new(PEER, || peer.ocsp_tbs().map(drop)),
            ])
        },
        goals: |_| vec![goal(NATIVE, PEER, 0.05)],
    },
    Stage {
        name: "crl_build",
        every_algorithm: false,
        signs: false,
        contestants: |field| {
            let [native, ..] = &mut field.ours;
            let peer = &field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || {
                    std::hint::black_box(native.crl_tbs());
                    Ok(())
                }),
                Contestant::new(PEER, || peer.crl_tbs().map(drop)),
            ])
        },
        goals: |_| vec![goal(NATIVE, PEER, 0.02)],
    },
    Stage {
        name: "crl_build + crl_sign",
        every_algorithm: false,
        signs: false,
        contestants: |field| {
            let [native, ..] = &mut field.ours;
            let peer = &field.peer;
            Ok(vec![
                Contestant::new(NATIVE, || native.crl().map(drop)),
                Contestant::new(PEER, || peer.crl().map(drop)),
            ])
        },
        goals: |_| vec![goal(NATIVE, PEER, 0.10)],
    },
];

const fn classic(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::EcdsaP256 | Algorithm::Ed25519)
}

/// A line for each contestant, and one for each goal. With `mean` means are compared, and a goal
/// is missed when the ratio is above it by more than twice its standard error.
fn report(
    stage: &str,
    algorithm: Algorithm,
    times: &[Time],
    goals: &[Goal],
    mean: bool,
) -> Result<bool> {
    let value = |time: &Time| if mean { time.mean } else { time.median };
    let of = |name| times.iter().find(|time| time.name == name).context("no such contestant");
    let mut all_met = true;
    for time in times {
        println!("| {stage} {algorithm} | {} | {:.3} | | | | |", time.name, value(time));
    }
    for goal in goals {
        let (ours, theirs) = (of(goal.ours)?, of(goal.theirs)?);
        let ratio = value(ours) / value(theirs);
        let mut error = 0.0;
        let mut shown = format!("{ratio:.3}");
        if mean {
            error = ratio * (ours.error / ours.mean).hypot(theirs.error / theirs.mean);
            shown += &format!(" ± {error:.3}");
        }
        let (limit, verdict) = match goal.most {
            None => (String::new(), ""),
            Some(most) if ratio - 2.0 * error <= most => (format!("≤ {most:.2}"), "met"),
            Some(most) => {
                all_met = false;
                (format!("≤ {most:.2}"), "missed")
            }
        };
        println!(
            "| {stage} {algorithm} | {} | | {} | {shown} | {limit} | {verdict} |",
            goal.ours, goal.theirs
        );
    }
    Ok(all_met)
}
