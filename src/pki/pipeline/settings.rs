//! What to run.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::metrics::Machine;
use crate::pki::build::Profile;
use crate::pki::crypto::SignatureAlgorithm;
use crate::store::Durability;

/// The most items in a batch.
pub const LARGEST_BATCH: u64 = 1 << 20;

/// The sizes of the seed's tables.
pub const DEFAULT_SIZES: [u64; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// What to run, and where.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Batch sizes, measured one after the other.
    pub sizes: Vec<u64>,
    /// The algorithm of the CA key: what signs.
    pub ca_algorithm: SignatureAlgorithm,
    /// The algorithm of the subscribers' keys.
    pub key_algorithm: SignatureAlgorithm,
    /// The crypto backend, by its name.
    pub backend: &'static str,
    /// Where the subscribers' keys come from.
    pub subscriber_keys: SubscriberKeys,
    /// Workers.
    pub threads: usize,
    /// Each point is repeated until this much time was measured; otherwise it runs once.
    pub min_time: Option<Duration>,
    /// Makes names and serial numbers.
    pub seed: u64,
    /// What certificates look like.
    pub profile: Arc<Profile>,
    /// What a committed row survives; told in the results.
    pub durability: Durability,
    /// Where it runs; told in the results.
    pub machine: Machine,
}

/// Where the subscribers' keys come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SubscriberKeys {
    /// A key pair is made for each certificate, inside `cert_gen`.
    #[default]
    Fresh,
    /// One key pair for all, made before `cert_gen`.
    Shared,
}

impl SubscriberKeys {
    /// The name on the command line and in results.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Shared => "shared",
        }
    }
}

impl fmt::Display for SubscriberKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for SubscriberKeys {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "fresh" => Ok(Self::Fresh),
            "shared" => Ok(Self::Shared),
            _ => Err("there are fresh and shared".to_owned()),
        }
    }
}

impl Settings {
    /// The settings that stand in no field of a run of their own, by name.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let min_time = self.min_time.map_or(0.0, |time| time.as_secs_f64());
        [
            ("key_algorithm", self.key_algorithm.to_string()),
            ("subscriber_keys", self.subscriber_keys.to_string()),
            ("min_time_s", min_time.to_string()),
            ("seed", self.seed.to_string()),
            ("durability", self.durability.as_str().to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}

/// Reads a batch size.
///
/// # Errors
/// One sentence without a full stop.
pub fn batch_size(text: &str) -> Result<u64, String> {
    let size = text.trim().parse().ok().filter(|size| (1..=LARGEST_BATCH).contains(size));
    size.ok_or_else(|| format!("a batch has 1 to {LARGEST_BATCH} items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_bounds() {
        assert_eq!(batch_size(" 64 "), Ok(64));
        for text in ["0", "-1", "x", "", "1048577", "18446744073709551616"] {
            assert!(batch_size(text).is_err(), "{text}");
        }
    }
}
