//! Single values of profiles, each checked where it is read.

use std::fmt;

use data_encoding::HEXLOWER_PERMISSIVE;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::text::read_as_text;
use crate::asn1::value::{Oid, oid};
use crate::asn1::writer::Writer;
use crate::asn1::{Reader, names};
use crate::pki::extension::Extensions;
use crate::pki::extension::key::{KEY_CERT_SIGN, KEY_USAGES};
use crate::pki::extension::revocation::reason_name;
use crate::pki::findings::Findings;
use crate::pki::list::List;

/// A whole number from `LEAST` to `MOST`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Whole<const LEAST: i64, const MOST: i64>(pub(super) i64);

impl<'de, const LEAST: i64, const MOST: i64> Deserialize<'de> for Whole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(Self(0))
    }
}

impl<const LEAST: i64, const MOST: i64> Visitor<'_> for Whole<LEAST, MOST> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self, E> {
        if (LEAST..=MOST).contains(&number) {
            Ok(Self(number))
        } else {
            Err(E::invalid_value(Unexpected::Signed(number), &self))
        }
    }
}

/// Days that something is valid: up to a hundred years.
pub(super) type Days = Whole<1, 36_525>;
/// Hours until the next of something: up to ten years.
pub(super) type Hours = Whole<1, 87_660>;
/// So many of a hundred.
pub(super) type Percent = Whole<0, 100>;
/// A `pathLenConstraint` (RFC 5280 4.2.1.9).
pub(super) type PathLength = Whole<0, 255>;

read_as_text!(KeyUsage, Identifier, Reason);

/// A bit of `KeyUsage` by its name (RFC 5280 4.2.1.3).
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyUsage(pub(super) u64);

impl TryFrom<&str> for KeyUsage {
    type Error = String;

    fn try_from(name: &str) -> Result<Self, String> {
        let bit = (0..).zip(KEY_USAGES).find(|(_, known)| **known == name).map(|(bit, _)| bit);
        match bit {
            Some(KEY_CERT_SIGN) => Err("keyCertSign is for the certificates of CAs".into()),
            Some(bit) => Ok(Self(1 << bit)),
            None => Err(format!("there are {}", KEY_USAGES.join(", "))),
        }
    }
}

/// An object identifier by its name or in dotted decimal.
#[derive(Debug, Clone)]
pub(super) struct Identifier(pub(super) Vec<u8>);

impl TryFrom<&str> for Identifier {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return oid::encode(text).map(Self).map_err(|error| error.to_string());
        }
        let known = names::by_name(text).map(|oid| Self(oid.to_vec()));
        known.ok_or_else(|| "no object identifier is known by this name".into())
    }
}

/// The code of a reason for revocation by its name (RFC 5280 5.3.1).
#[derive(Debug, Clone, Copy)]
pub(super) struct Reason(pub(super) u8);

impl TryFrom<&str> for Reason {
    type Error = String;

    fn try_from(name: &str) -> Result<Self, String> {
        // 8, removeFromCRL, is for delta CRLs alone.
        let codes = || (0..=10_u8).filter(|code| *code != 8);
        let name_of = |code: &u8| reason_name(u64::from(*code));
        codes().find(|code| name_of(code) == Some(name)).map(Self).ok_or_else(|| {
            let names: Vec<&str> = codes().filter_map(|code| name_of(&code)).collect();
            format!("there are {}", names.join(", "))
        })
    }
}

/// An extension of any kind, as an `Extension` in DER (RFC 5280 4.1).
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ExtensionText")]
pub(super) struct ExtraExtension(pub(super) Vec<u8>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExtensionText {
    oid: Identifier,
    #[serde(default)]
    critical: bool,
    /// The DER of the value in hexadecimal.
    value: String,
}

impl TryFrom<ExtensionText> for ExtraExtension {
    type Error = String;

    fn try_from(text: ExtensionText) -> Result<Self, String> {
        let digits: String = text.value.split_whitespace().collect();
        let value = HEXLOWER_PERMISSIVE
            .decode(digits.as_bytes())
            .map_err(|_| "value is the DER of the extension in hexadecimal digits")?;
        let mut w = Writer::new();
        w.sequence(|w| write_extension(w, &text.oid.0, text.critical, |w| w.raw(&value)));
        let mut findings = Findings::default();
        if let Some(list) = findings.ok(List::sequence(&mut Reader::new(w.as_bytes()))) {
            Extensions::violations(&list, &mut findings);
        }
        if let Some(finding) = findings.into_list().first() {
            return Err(finding.rule.to_string());
        }
        w.clear();
        write_extension(&mut w, &text.oid.0, text.critical, |w| w.raw(&value));
        Ok(Self(w.into_bytes()))
    }
}

/// Writes an `Extension` (RFC 5280 4.1).
pub(super) fn write_extension(
    w: &mut Writer,
    oid: &[u8],
    critical: bool,
    value: impl FnOnce(&mut Writer),
) {
    w.sequence(|w| {
        w.oid(Oid(oid));
        if critical {
            w.boolean(true);
        }
        w.octet_string_of(value);
    });
}
