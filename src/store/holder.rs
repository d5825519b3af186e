//! Who has a database for writing.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

/// Who has the right to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holder {
    /// The number of the process, if it is known.
    pub process: Option<u32>,
    /// When it took the lock, in seconds since 1970-01-01 UTC.
    pub since: Option<i64>,
}

impl Holder {
    /// This process, now.
    pub(super) fn here() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let since = i64::try_from(now.as_secs()).ok();
        Self { process: Some(std::process::id()), since }
    }

    /// What a lock file says.
    pub(super) fn parse(text: &str) -> Self {
        let mut words = text.split_ascii_whitespace();
        let process = words.next().and_then(|word| word.parse().ok());
        let since = words.next().and_then(|word| word.parse().ok());
        Self { process, since }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(own) if own == std::process::id() => write!(f, "this process ({own})")?,
            Some(process) => write!(f, "process {process}")?,
            None => f.write_str("another process")?,
        }
        match self.since.and_then(|since| Timestamp::from_second(since).ok()) {
            Some(since) => write!(f, " since {since}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_known_is_another() {
        assert_eq!(Holder::parse("").to_string(), "another process");
        assert_eq!(Holder::parse("x y").to_string(), "another process");
        let text = Holder::parse("4000000000 1700000000").to_string();
        assert_eq!(text, "process 4000000000 since 2023-11-14T22:13:20Z");
    }
}
