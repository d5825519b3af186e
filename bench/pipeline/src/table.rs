//! All algorithms of all backends: a key pair, a signature, a verification.

use std::time::Duration;

use anyhow::Result;
use pkiscope::metrics::machine::thread_cpu_time;
use pkiscope::pki::crypto::{Backend, SignatureAlgorithm as Algorithm, backends};

use crate::ours::Ours;
use crate::race::{Contestant, race};

/// As long as the signed part of a certificate.
const MESSAGE: [u8; 500] = [0x5a; 500];
/// Keys of RSA, whose making takes any time: so many are averaged.
const RSA_KEYS: u32 = 12;

/// Prints the table of the algorithms whose names contain `only`.
pub fn run(seconds: Duration, only: &str) -> Result<()> {
    println!("\nmean µs of thread CPU time: key pair and its octets / sign / verify\n");
    let names = backends::ALL.map(|backend| format!("{} ({})", backend.id(), backend.version()));
    println!("| algorithm | {} |", names.join(" | "));
    println!("|---|---|---|---|");
    for algorithm in Algorithm::ALL {
        if !algorithm.id().contains(only) {
            continue;
        }
        let key = Ours::fresh_key(algorithm)?;
        let keygen = keygen(algorithm, seconds)?;
        let sign = sign(algorithm, &key, seconds)?;
        let verify = verify(algorithm, &key, seconds)?;
        let cells = (0..3).map(|i| {
            let [keygen, sign, verify] = [keygen[i], sign[i], verify[i]].map(figures);
            format!("{keygen} / {sign} / {verify}")
        });
        println!("| {algorithm} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}

/// Three significant digits.
fn figures(us: f64) -> String {
    match us {
        us if us < 10.0 => format!("{us:.2}"),
        us if us < 100.0 => format!("{us:.1}"),
        us => format!("{us:.0}"),
    }
}

fn means(contestants: Vec<Contestant<'_>>, seconds: Duration) -> Result<Vec<f64>> {
    Ok(race(contestants, seconds)?.into_iter().map(|time| time.mean).collect())
}

fn keygen(algorithm: Algorithm, seconds: Duration) -> Result<Vec<f64>> {
    let one = |backend: &dyn Backend| -> Result<f64> {
        let mut generator = backend.key_generator(algorithm)?;
        let start = thread_cpu_time();
        for _ in 0..RSA_KEYS {
            generator.generate()?;
        }
        Ok((thread_cpu_time() - start).as_secs_f64() * 1e6 / f64::from(RSA_KEYS))
    };
    if algorithm.rsa_bits().is_some() {
        return backends::ALL.into_iter().map(one).collect();
    }
    let mut contestants = Vec::new();
    for backend in backends::ALL {
        let mut generator = backend.key_generator(algorithm)?;
        let mut octets = Vec::new();
        contestants.push(Contestant::new(backend.id(), move || {
            octets.clear();
            Ok(generator.generate()?.public_octets(&mut octets)?)
        }));
    }
    means(contestants, seconds)
}

fn sign(algorithm: Algorithm, key: &[u8], seconds: Duration) -> Result<Vec<f64>> {
    let mut contestants = Vec::new();
    for backend in backends::ALL {
        let mut signer = backend.import_private(algorithm, key)?.signer()?;
        let mut signature = vec![0; algorithm.max_signature_len()];
        contestants.push(Contestant::new(backend.id(), move || {
            signer.sign(&MESSAGE, &mut signature)?;
            Ok(())
        }));
    }
    means(contestants, seconds)
}

fn verify(algorithm: Algorithm, key: &[u8], seconds: Duration) -> Result<Vec<f64>> {
    let mut contestants = Vec::new();
    for backend in backends::ALL {
        let private = backend.import_private(algorithm, key)?;
        let mut octets = Vec::new();
        private.public_octets(&mut octets)?;
        let public = backend.import_public(algorithm, &algorithm.spki(&octets))?;
        let mut verifier = public.verifier()?;
        let mut signature = vec![0; algorithm.max_signature_len()];
        let length = private.signer()?.sign(&MESSAGE, &mut signature)?;
        signature.truncate(length);
        contestants.push(Contestant::new(backend.id(), move || {
            anyhow::ensure!(verifier.verify(&MESSAGE, &signature)?, "the signature is wrong");
            Ok(())
        }));
    }
    means(contestants, seconds)
}
