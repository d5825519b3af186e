//! How an entry is written, and what can be wrong with it.

use std::fmt;

use crate::asn1::Rule;

/// How an entry is written in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Binary; at least the header of the value is DER.
    Der,
    /// Binary, with a header that DER forbids (indefinite or overlong length).
    Ber,
    /// A block between BEGIN and END lines.
    Pem,
    /// Base64 text without such lines.
    Base64,
    /// Hexadecimal text.
    Hex,
    /// Text around PEM blocks. It holds no object and that is no fault.
    Text,
    /// Octets in which nothing was found.
    Unknown,
}

impl Encoding {
    /// A lower-case word for scripts and people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Der => "der",
            Self::Ber => "ber",
            Self::Pem => "pem",
            Self::Base64 => "base64",
            Self::Hex => "hex",
            Self::Text => "text",
            Self::Unknown => "unknown",
        }
    }
}

/// Something wrong with the source, above the octets of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Octets from the first octet of the source.
    pub offset: u64,
    /// The rule that is broken there.
    pub rule: &'static Rule,
    /// What was found, in printable ASCII.
    pub detail: Option<String>,
}

impl Fault {
    /// The message for people: the rule's text, then the detail.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}: {detail}", self.rule.text),
            None => self.rule.text.to_owned(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at offset {}: {} ({})", self.offset, self.message(), self.rule.source)
    }
}

impl std::error::Error for Fault {}
