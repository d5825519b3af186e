//! How small values are written in records.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::asn1::value::integer::Integer;
use crate::asn1::value::oid::Oid;
use crate::asn1::{Error, names};

/// Octets as lower-case hexadecimal without separators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut buffer = [0_u8; 128];
        for chunk in self.0.chunks(buffer.len() / 2) {
            for (pair, octet) in buffer.chunks_exact_mut(2).zip(chunk) {
                pair[0] = DIGITS[usize::from(octet >> 4)];
                pair[1] = DIGITS[usize::from(octet & 15)];
            }
            let text = std::str::from_utf8(&buffer[..2 * chunk.len()]).map_err(|_| fmt::Error)?;
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An INTEGER in decimal, as a string: a CRL number has up to 160 bits, and a hostile one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'a>(pub &'a [u8]);

impl Decimal<'_> {
    /// Digits that are written before the rest is left out.
    const DIGITS: usize = 1000;
}

impl fmt::Display for Decimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Integer(self.0).to_decimal(Self::DIGITS))
    }
}

impl Serialize for Decimal<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An object identifier as `{"oid": "2.5.29.15", "name": "keyUsage"}`; the name is null when
/// it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OidName<'a>(pub Oid<'a>);

impl OidName<'_> {
    /// The name of this identifier in the table of names.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        names::lookup(self.0.0).map(|entry| entry.name)
    }
}

impl fmt::Display for OidName<'_> {
    /// The name, or the arcs where there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => self.0.fmt(f),
        }
    }
}

impl Serialize for OidName<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            oid: Dotted<'a>,
            name: Option<&'static str>,
        }
        Record { oid: Dotted(self.0), name: self.name() }.serialize(serializer)
    }
}

/// An object identifier as its arcs, `2.5.29.15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dotted<'a>(pub Oid<'a>);

impl Serialize for Dotted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// An error as `{"offset": 17, "rule": "truncated", "message": ".."}`.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorRecord {
    /// Octets from the first octet of the object.
    pub offset: u32,
    /// The id of the rule.
    pub rule: &'static str,
    /// The rule's text and source.
    pub message: String,
}

impl From<Error> for ErrorRecord {
    fn from(error: Error) -> Self {
        Self { offset: error.offset, rule: error.rule.id, message: error.rule.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_of_any_length() {
        assert_eq!(Hex(&[]).to_string(), "");
        assert_eq!(Hex(&[0x00, 0x1f, 0xa0]).to_string(), "001fa0");
        assert_eq!(Hex(&[0xab; 200]).to_string(), "ab".repeat(200));
    }
}
