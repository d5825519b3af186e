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

/// Sizes that can be asked for at once on the screen.
const MOST_SIZES: usize = 64;

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
    /// Names the profile in the results: `built-in`, or a part of the digest of its text.
    pub profile_name: String,
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
            ("profile", self.profile_name.clone()),
            ("seed", self.seed.to_string()),
            ("durability", self.durability.as_str().to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}

/// Reads a batch size, as `1024` or `1_024`.
///
/// # Errors
/// One sentence without a full stop.
pub fn batch_size(text: &str) -> Result<u64, String> {
    let size = text.trim().replace('_', "").parse();
    size.ok()
        .filter(|size| (1..=LARGEST_BATCH).contains(size))
        .ok_or_else(|| format!("a size is a number from 1 to {LARGEST_BATCH}, not {text:?}"))
}

/// Reads sizes as people type them: numbers with commas or spaces between.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn parse_sizes(text: &str) -> Result<Vec<u64>, String> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let sizes: Vec<u64> = words.map(batch_size).collect::<Result<_, _>>()?;
    match sizes.len() {
        0 => Err("sizes are numbers with commas between: 1,64,1024".to_owned()),
        n if n > MOST_SIZES => Err(format!("at most {MOST_SIZES} sizes run at once")),
        _ => Ok(sizes),
    }
}

/// Reads a time as people type it: `20s`, `1.5s`, `300ms`, `2m`; empty or `0` for none.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn parse_time(text: &str) -> Result<Option<Duration>, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(char::is_alphabetic).trim_end();
    let unit = match text[digits.len()..].trim() {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        _ => return Err("a time is a number with ms, s or m: 20s".to_owned()),
    };
    if text.is_empty() || digits == "0" {
        return Ok(None);
    }
    let seconds = digits.parse::<f64>().ok().map(|n| n * unit);
    match seconds {
        Some(seconds) if seconds > 0.0 && seconds <= 86_400.0 => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        _ => Err("a time is more than nothing and at most a day: 20s".to_owned()),
    }
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

    #[test]
    fn sizes_as_typed() {
        assert_eq!(parse_sizes("1,64 1_024,,"), Ok(vec![1, 64, 1024]));
        for wrong in ["", " ,", "0", "1,x", "-3", "10000001", "1.5", "99999999999999999999"] {
            assert!(parse_sizes(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_sizes(&"1,".repeat(65)).is_err());
    }

    #[test]
    fn times_as_typed() {
        let seconds = |text| parse_time(text).map(|time| time.map(|time| time.as_secs_f64()));
        assert_eq!(seconds("20s"), Ok(Some(20.0)));
        assert_eq!(seconds(" 1.5 "), Ok(Some(1.5)));
        assert_eq!(seconds("2 m"), Ok(Some(120.0)));
        assert_eq!(parse_time("300ms"), Ok(Some(Duration::from_millis(300))));
        assert_eq!((parse_time(""), parse_time("0")), (Ok(None), Ok(None)));
        for wrong in ["x", "s", "-1s", "inf", "nan", "1e99", "2h", "1 2s", "0.0s"] {
            assert!(parse_time(wrong).is_err(), "{wrong:?}");
        }
    }
}
