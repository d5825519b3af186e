//! Small fields that many structures have: OIDs, numbers, booleans, texts.

use std::borrow::Cow;

use crate::asn1::tag::octet;
use crate::asn1::value::integer::{self, Integer};
use crate::asn1::value::oid::Oid;
use crate::asn1::value::{self, string};
use crate::asn1::{Error, Reader, Tlv};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::show::{Decimal, Hex, OidName};

pub use crate::asn1::check::DEFAULT_ENCODED;

impl<'a> Decode<'a> for OidName<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::OID)?;
        Ok(OidName(Oid(tlv.contents().of(reader.object()))))
    }
}

impl<'a> Decode<'a> for Decimal<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Decimal(integer_with(reader, octet::INTEGER)?.1))
    }
}

impl<'a> Decode<'a> for Hex<'a> {
    /// Any value, with tag and length.
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.any()?;
        Ok(Hex(tlv.span().of(reader.object())))
    }
}

/// Reads an INTEGER that has the identifier octet `tag`: where it stands, contents octets.
///
/// # Errors
/// When the next value has another tag or no contents octets.
pub fn integer_with<'a>(reader: &mut Reader<'a>, tag: u8) -> Result<(Tlv, &'a [u8]), Error> {
    let tlv = reader.expect(tag)?;
    let content = tlv.contents().of(reader.object());
    if content.is_empty() {
        return Err(Error::new(tlv.content, &integer::INTEGER_EMPTY));
    }
    Ok((tlv, content))
}

/// The next value as an optional INTEGER with the identifier octet `tag`.
///
/// # Errors
/// As [`integer_with`].
pub fn optional_integer<'a>(
    reader: &mut Reader<'a>,
    tag: u8,
) -> Result<Option<(Tlv, &'a [u8])>, Error> {
    if reader.peek() == Some(tag) { integer_with(reader, tag).map(Some) } else { Ok(None) }
}

/// A non-negative number of at most 64 bits, `None` for every other.
#[must_use]
pub fn small(content: &[u8]) -> Option<u64> {
    Integer(content).to_u64()
}

/// A `BOOLEAN DEFAULT FALSE`: its value, and where it is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DefaultFalse {
    /// The value; any octet but 00 is true.
    pub value: bool,
    tlv: Option<Tlv>,
}

impl DefaultFalse {
    /// Reads an optional BOOLEAN that has the identifier octet `tag`.
    ///
    /// # Errors
    /// When a BOOLEAN is there and has not exactly one contents octet.
    pub fn read(reader: &mut Reader<'_>, tag: u8) -> Result<Self, Error> {
        let Some(tlv) = reader.optional(tag)? else { return Ok(Self::default()) };
        let value = value::boolean(tlv.contents().of(reader.object()), tlv.content)?;
        Ok(Self { value, tlv: Some(tlv) })
    }

    /// Checks that TRUE is ff and FALSE absent; `object` is what it was read from.
    pub fn violations(&self, object: &[u8], findings: &mut Findings) {
        if let Some(tlv) = self.tlv {
            findings.check(value::check_boolean(tlv.contents().of(object), tlv.content));
            if !self.value {
                findings.add(tlv.start, &DEFAULT_ENCODED);
            }
        }
    }
}

/// Reads a string that has the identifier octet `tag` as the universal string type `number`.
///
/// # Errors
/// When the next value has another tag.
pub fn text_with<'a>(reader: &mut Reader<'a>, tag: u8, number: u64) -> Result<Cow<'a, str>, Error> {
    let tlv = reader.expect(tag)?;
    Ok(string::decode(number, tlv.contents().of(reader.object())).text)
}

/// True for the identifier octets of the universal character strings in primitive form.
#[must_use]
pub const fn is_string(tag: u8) -> bool {
    tag < 0x1f && string::is_string(tag as u64)
}
