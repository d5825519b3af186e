//! What to run and how, as it can be chosen on the screen.

use std::time::Duration;

use crate::pki::crypto::SignatureAlgorithm;

/// The largest batch that can be asked for.
pub const LARGEST: u64 = 10_000_000;

/// Sizes that can be asked for at once.
const MOST_SIZES: usize = 64;

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
            sizes: powers(),
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

/// 1, 2, 4 and so on up to 1,024.
#[must_use]
pub fn powers() -> Vec<u64> {
    (0..=10).map(|power| 1 << power).collect()
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

/// Reads sizes as people type them: numbers with commas or spaces between.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn parse_sizes(text: &str) -> Result<Vec<u64>, String> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
    let sizes: Vec<u64> = words
        .map(|word| {
            let size = word.replace('_', "").parse::<u64>();
            size.ok()
                .filter(|size| (1..=LARGEST).contains(size))
                .ok_or_else(|| format!("a size is a number from 1 to {LARGEST}, not {word:?}"))
        })
        .collect::<Result<_, _>>()?;
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
    fn sizes_as_typed() {
        assert_eq!(parse_sizes("1,64 1_024,,"), Ok(vec![1, 64, 1024]));
        for wrong in ["", " ,", "0", "1,x", "-3", "10000001", "1.5", "99999999999999999999"] {
            assert!(parse_sizes(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_sizes(&"1,".repeat(65)).is_err());
        assert_eq!(powers().len(), 11);
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
