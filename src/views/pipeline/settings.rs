//! What to run and how, as it can be chosen on the screen.

use std::time::Duration;

use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::pipeline::DEFAULT_SIZES;

/// What to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PipelineSettings {
    /// Items of each batch, in the order in which they run.
    pub sizes: Vec<u64>,
    /// The CA's key.
    pub ca_algorithm: SignatureAlgorithm,
    /// The subscribers' keys; `None` for the CA's algorithm.
    pub key_algorithm: Option<SignatureAlgorithm>,
    /// The crypto backend, by its name.
    pub backend: &'static str,
    /// One key pair for all subscribers, made outside the timing, instead of one for each.
    pub shared_keys: bool,
    /// A committed row survives the loss of power, not only the end of the program.
    pub full_durability: bool,
    /// Workers.
    pub threads: usize,
    /// Each size is repeated until this time is over; `None` for one repetition.
    pub min_time: Option<Duration>,
    /// What names and serials grow from.
    pub seed: u64,
}

impl PipelineSettings {
    /// Powers of two up to 1,024 with ECDSA on P-256.
    #[must_use]
    pub fn new(backend: &'static str, threads: usize) -> Self {
        Self {
            sizes: DEFAULT_SIZES.to_vec(),
            ca_algorithm: SignatureAlgorithm::EcdsaP256,
            key_algorithm: None,
            backend,
            shared_keys: false,
            full_durability: true,
            threads: threads.max(1),
            min_time: None,
            seed: 0,
        }
    }

    /// The algorithm of the subscribers' keys.
    #[must_use]
    pub fn subscribers(&self) -> SignatureAlgorithm {
        self.key_algorithm.unwrap_or(self.ca_algorithm)
    }
}

/// A crypto backend that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackendChoice {
    /// Its name.
    pub id: &'static str,
    /// Its library with the version.
    pub version: String,
    /// What it can sign with.
    pub algorithms: Vec<SignatureAlgorithm>,
}

/// Why these settings cannot run with `backends`; one sentence.
#[must_use]
pub fn objection(settings: &PipelineSettings, backends: &[BackendChoice]) -> Option<String> {
    let Some(backend) = backends.iter().find(|backend| backend.id == settings.backend) else {
        return Some(format!("there is no backend {} here", settings.backend));
    };
    [settings.ca_algorithm, settings.subscribers()]
        .into_iter()
        .find(|algorithm| !backend.algorithms.contains(algorithm))
        .map(|algorithm| format!("{} ({}) has no {algorithm}", backend.id, backend.version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_that_lacks_an_algorithm_is_named() {
        let backends = [BackendChoice {
            id: "some",
            version: "Some 1.2".into(),
            algorithms: vec![SignatureAlgorithm::EcdsaP256, SignatureAlgorithm::MlDsa65],
        }];
        let mut settings = PipelineSettings::new("some", 0);
        assert_eq!((objection(&settings, &backends), settings.threads), (None, 1));
        settings.key_algorithm = Some(SignatureAlgorithm::Rsa2048);
        assert_eq!(
            objection(&settings, &backends).as_deref(),
            Some("some (Some 1.2) has no rsa2048")
        );
        settings.backend = "other";
        assert!(objection(&settings, &backends).is_some());
    }
}
