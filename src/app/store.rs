//! The words after `store`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};

use crate::pki::object::Kind;
use crate::pki::runs::RunId;

/// The fewest digits of a digest that name an object.
const FEWEST_DIGITS: usize = 4;

/// What to do with stored objects.
#[derive(Debug, Clone, Subcommand)]
pub enum StoreCommand {
    /// List stored objects, the oldest first
    List(StoreList),
    /// Write a stored object as DER or PEM
    Get(StoreGet),
}

/// Which objects to list.
#[derive(Debug, Clone, Default, Args)]
pub struct StoreList {
    /// Only objects of this kind
    #[arg(long, value_parser = PossibleValuesParser::new(Kind::ALL.map(Kind::as_str)))]
    pub kind: Option<String>,

    /// Only objects that this run made
    #[arg(long, value_name = "ID", value_parser = stored_run)]
    pub run: Option<RunId>,

    /// Only objects with this serial number in hex
    #[arg(long, value_name = "HEX", value_parser = serial)]
    pub serial: Option<Serial>,

    /// Only objects with this text in the subject, whatever the case of its letters
    #[arg(long, value_name = "TEXT")]
    pub subject: Option<String>,

    /// At most so many objects
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Only objects after the one with this number
    #[arg(long, value_name = "ID")]
    pub after: Option<i64>,
}

/// Which object to get, and how.
#[derive(Debug, Clone, Args)]
pub struct StoreGet {
    /// Its number in the list, or the first digits of its SHA-256 digest in hex
    #[arg(value_name = "ID|SHA256", value_parser = which)]
    pub which: Which,

    /// The form of the object
    #[arg(long, value_enum, default_value_t)]
    pub form: Form,

    /// File to write to, instead of standard output
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
}

/// The octets of a serial number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serial(pub Vec<u8>);

/// An object that the user names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// By its number.
    Id(i64),
    /// By the first digits of its digest.
    Digest(String),
    /// By digits that are both; the number counts first.
    Either(i64, String),
}

/// How an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Form {
    /// As it is stored.
    #[default]
    Der,
    /// As text (RFC 7468).
    Pem,
}

/// Reads the id of a run that can have objects.
fn stored_run(text: &str) -> Result<RunId, String> {
    match text.parse()? {
        RunId::Reference(name) => {
            Err(format!("{name} is a published reference: it has no objects"))
        }
        id => Ok(id),
    }
}

/// Reads hex digits, with colons between the octets or without.
fn serial(text: &str) -> Result<Serial, String> {
    let mut digits: String = text.chars().filter(|c| *c != ':').collect();
    if digits.len() % 2 == 1 {
        digits.insert(0, '0');
    }
    match data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()) {
        Ok(octets) if !octets.is_empty() => Ok(Serial(octets)),
        _ => Err("a serial number is hex digits, as 3f or 01:3f".to_owned()),
    }
}

/// Reads a number or the first digits of a digest.
fn which(text: &str) -> Result<Which, String> {
    let hex = text.bytes().all(|b| b.is_ascii_hexdigit());
    let digest = (hex && (FEWEST_DIGITS..=64).contains(&text.len())).then(|| text.to_lowercase());
    let id = if hex { text.parse().ok() } else { None };
    match (id, digest) {
        (Some(id), None) => Ok(Which::Id(id)),
        (None, Some(digest)) => Ok(Which::Digest(digest)),
        (Some(id), Some(digest)) => Ok(Which::Either(id, digest)),
        (None, None) => Err(format!(
            "an object is its number or at least {FEWEST_DIGITS} digits of its SHA-256 digest"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_with_objects_are_stored_ones() {
        for (text, id) in [
            ("41", RunId::Number(41)),
            ("#41", RunId::Number(41)),
            ("last", RunId::Last(0)),
            ("last-1", RunId::Last(1)),
        ] {
            assert_eq!(stored_run(text), Ok(id));
        }
        assert!(stored_run("ref:seed-nss-ed25519").unwrap_err().contains("has no objects"));
        assert!(stored_run("one").unwrap_err().contains("names no run"));
    }

    #[test]
    fn serial_numbers_are_hex() {
        for (text, octets) in
            [("0", &[0][..]), ("3f", &[0x3f]), ("13F", &[1, 0x3f]), ("00:a0:0B", &[0, 0xa0, 0x0b])]
        {
            assert_eq!(serial(text), Ok(Serial(octets.to_vec())), "{text}");
        }
        for text in ["", ":", "0x3f", "-1", "g"] {
            assert!(serial(text).is_err(), "{text}");
        }
    }

    #[test]
    fn objects_have_numbers_and_digests() {
        assert_eq!(which("7"), Ok(Which::Id(7)));
        assert_eq!(which("1234"), Ok(Which::Either(1234, "1234".to_owned())));
        assert_eq!(which("12Ab"), Ok(Which::Digest("12ab".to_owned())));
        let whole = "9".repeat(64);
        assert_eq!(which(&whole), Ok(Which::Digest(whole.clone())));
        for text in ["", "abc", "-1", "+12", "xyzw", "sha256:12", &format!("{whole}9")] {
            assert!(which(text).is_err(), "{text}");
        }
    }
}
