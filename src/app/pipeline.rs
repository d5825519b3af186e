//! The CA pipeline, from its flags to a run: for batch and for the screen.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use data_encoding::HEXLOWER;

use super::exit::{Exit, Stop};
use super::input;
use crate::metrics::{Machine, machine};
use crate::pki::build::Profile;
use crate::pki::crypto::{self, Backend, SignatureAlgorithm, backends};
use crate::pki::pipeline::{self, DEFAULT_SIZES, Settings, SubscriberKeys};
use crate::store::{self, Durability};
use crate::views::pipeline::PipelineSettings;

/// Workers that can be asked for.
pub const MOST_THREADS: usize = 1024;

/// What the screen runs when nothing else is asked for: long enough to look at.
const SCREEN_SIZE: u64 = 1024;
const SCREEN_TIME: Duration = Duration::from_secs(60);

/// What the pipeline runs.
#[derive(Debug, Clone, Args)]
pub struct PipelineArgs {
    /// Batch sizes, measured one after the other: by default 1,2,4,...,1024, on the screen 1024
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = pipeline::batch_size)]
    pub sizes: Vec<u64>,

    /// Algorithm of the CA's key: ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, ml-dsa-44,
    /// ml-dsa-65, ml-dsa-87, rsa2048, rsa3072, rsa4096, rsa-pss-2048, rsa-pss-3072, rsa-pss-4096
    #[arg(long, value_name = "ALGORITHM", default_value_t = SignatureAlgorithm::EcdsaP256)]
    pub ca_key_algo: SignatureAlgorithm,

    /// Algorithm of the subscribers' keys; otherwise that of the CA
    #[arg(long, value_name = "ALGORITHM")]
    pub key_algo: Option<SignatureAlgorithm>,

    /// Crypto backend: native-ossl, openssl or aws-lc
    #[arg(long, value_name = "NAME", default_value = "native-ossl", value_parser = backend)]
    pub backend: &'static str,

    /// fresh makes a key pair for each certificate inside `cert_gen`, shared one for all before
    #[arg(long, value_name = "WHICH", default_value_t)]
    pub subscriber_keys: SubscriberKeys,

    /// Repeat each batch size until this much time was measured, as 20s or 500ms; by default once,
    /// on the screen for a minute
    #[arg(long, value_name = "TIME", value_parser = min_time)]
    pub min_time: Option<Duration>,

    /// Makes names and random serial numbers; keys are random in any case
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// TOML file that says what certificates look like
    #[arg(long, value_name = "PATH")]
    pub profile: Option<PathBuf>,

    /// What a stored row survives: full a loss of power, normal a crash of the program
    #[arg(long, value_name = "WHICH", default_value = "full", value_parser = durability)]
    pub durability: Durability,
}

fn backend(name: &str) -> Result<&'static str, String> {
    backends::by_id(name).map(Backend::id).ok_or_else(|| {
        let names: Vec<&str> = backends::ALL.iter().map(|backend| backend.id()).collect();
        format!("there are {}", names.join(", "))
    })
}

fn durability(id: &str) -> Result<Durability, String> {
    Durability::by_id(id).ok_or_else(|| "there are full and normal".to_owned())
}

fn min_time(text: &str) -> Result<Duration, String> {
    pipeline::parse_time(text)?.ok_or_else(|| "a time is more than nothing: 20s".to_owned())
}

impl Default for PipelineArgs {
    fn default() -> Self {
        Self {
            sizes: Vec::new(),
            ca_key_algo: SignatureAlgorithm::EcdsaP256,
            key_algo: None,
            backend: backends::ALL[0].id(),
            subscriber_keys: SubscriberKeys::default(),
            min_time: None,
            seed: 0,
            profile: None,
            durability: Durability::default(),
        }
    }
}

impl PipelineArgs {
    /// The settings that the flags ask for.
    ///
    /// # Errors
    /// A profile that cannot be read, or more threads than there can be.
    pub fn settings(&self, threads: usize, allocator: &str) -> Result<Settings, Stop> {
        if threads > MOST_THREADS {
            let message = format!("--threads {threads} is more than {MOST_THREADS}");
            return Err(Stop { exit: Exit::Usage, message });
        }
        let (profile, profile_name) = self.profile()?;
        Ok(Settings {
            sizes: match self.sizes.as_slice() {
                [] => DEFAULT_SIZES.to_vec(),
                sizes => sizes.to_vec(),
            },
            ca_algorithm: self.ca_key_algo,
            key_algorithm: self.key_algo.unwrap_or(self.ca_key_algo),
            backend: self.backend,
            subscriber_keys: self.subscriber_keys,
            threads,
            min_time: self.min_time,
            seed: self.seed,
            profile,
            profile_name,
            durability: self.durability,
            machine: facts(allocator),
        })
    }

    /// What the screen proposes.
    #[must_use]
    pub fn proposal(&self, threads: usize) -> PipelineSettings {
        PipelineSettings {
            sizes: if self.sizes.is_empty() { vec![SCREEN_SIZE] } else { self.sizes.clone() },
            ca_algorithm: self.ca_key_algo,
            key_algorithm: self.key_algo,
            shared_keys: self.subscriber_keys == SubscriberKeys::Shared,
            full_durability: self.durability == Durability::Full,
            // Sizes that somebody asks for are run as asked.
            min_time: self.min_time.or(self.sizes.is_empty().then_some(SCREEN_TIME)),
            seed: self.seed,
            ..PipelineSettings::new(self.backend, threads)
        }
    }

    /// What certificates look like, and its name in the results.
    ///
    /// # Errors
    /// The file cannot be read, or is no profile.
    pub fn profile(&self) -> Result<(Arc<Profile>, String), Stop> {
        let Some(path) = &self.profile else {
            return Ok((Arc::new(Profile::builtin()), "built-in".to_owned()));
        };
        let stop = |error: String| Stop {
            exit: Exit::Usage,
            message: format!("{}: {error}", input::display(path)),
        };
        let text = std::fs::read_to_string(path).map_err(|error| stop(error.to_string()))?;
        let profile = Profile::from_toml(&text).map_err(|error| stop(error.to_string()))?;
        let digest = crypto::sha256(text.as_bytes());
        Ok((Arc::new(profile), format!("sha256:{}", HEXLOWER.encode(&digest[..8]))))
    }
}

/// Facts about the machine and the libraries.
#[must_use]
pub fn facts(allocator: &str) -> Machine {
    let versions = crypto::versions();
    let slow = "OpenSSL was built without its 64-bit code for P-384 and P-521: they are slow";
    Machine {
        allocator: allocator.to_owned(),
        openssl: versions.openssl,
        aws_lc: Some(versions.aws_lc),
        sqlite: store::sqlite_version().to_owned(),
        warnings: if versions.slow_curves { vec![slow.to_owned()] } else { Vec::new() },
        ..machine::facts()
    }
}

/// The time in seconds since 1970-01-01 UTC.
#[must_use]
pub fn clock() -> i64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    i64::try_from(time).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_name_the_libraries() {
        let facts = facts("system");
        assert!(facts.openssl.contains("3."), "{}", facts.openssl);
        assert!(facts.sqlite.starts_with("3."), "{}", facts.sqlite);
        assert_eq!(facts.allocator, "system");
    }
}
