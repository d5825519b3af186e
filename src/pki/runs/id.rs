//! How a person names a run.

use std::fmt;
use std::str::FromStr;

use crate::metrics::reference;

/// How a person names a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RunId {
    /// By its number in the store: `41` or `#41`.
    Number(i64),
    /// So many finished runs before the newest: `last`, `last-1`.
    Last(u64),
    /// A published one: `ref:seed-openssl-ecdsa-p256`.
    Reference(String),
}

impl FromStr for RunId {
    type Err = String;

    /// Reads an id; the error is one sentence without a full stop.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = || text.strip_prefix('#').unwrap_or(text).parse().ok().filter(|n| *n > 0);
        let last = || match text.strip_prefix("last")? {
            "" => Some(0),
            back => back.strip_prefix('-').filter(|n| is_digits(n))?.parse().ok(),
        };
        let digits = is_digits(text.strip_prefix('#').unwrap_or(text));
        if reference::is_reference(text) {
            Ok(Self::Reference(text.to_owned()))
        } else if let Some(number) = number().filter(|_| digits) {
            Ok(Self::Number(number))
        } else if let Some(back) = last() {
            Ok(Self::Last(back))
        } else {
            Err(format!("{text:?} names no run; a run is 41, #41, last, last-1 or ref:NAME"))
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "#{number}"),
            Self::Last(0) => f.write_str("last"),
            Self::Last(back) => write!(f, "last-{back}"),
            Self::Reference(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_and_write() {
        for (text, id) in [
            ("41", RunId::Number(41)),
            ("#41", RunId::Number(41)),
            ("last", RunId::Last(0)),
            ("last-1", RunId::Last(1)),
            ("ref:seed-nss-ed25519", RunId::Reference("ref:seed-nss-ed25519".to_owned())),
        ] {
            assert_eq!(text.parse(), Ok(id.clone()));
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for none in [
            "",
            "#",
            "0",
            "-3",
            "+3",
            "##3",
            "last-",
            "last--1",
            "last-+1",
            "lasts",
            "x",
            " 3",
            "99999999999999999999",
        ] {
            let error = none.parse::<RunId>().unwrap_err();
            assert!(error.contains("names no run"), "{error}");
        }
    }
}
