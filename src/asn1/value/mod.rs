//! Values of the universal types: the meaning of contents octets, and what DER demands of them.
//!
//! Every type has a `check` that finds the first broken rule, and a reader that makes the best
//! of what is there. Offsets in errors are `at`, where the contents octets stand in the object,
//! plus the position in them.

pub mod bits;
pub mod integer;
pub mod oid;
pub mod real;
mod show;
pub mod string;
pub mod time;

pub use bits::BitString;
pub use integer::Integer;
pub use oid::{Oid, RelativeOid};
pub use show::show;
pub use time::Time;

use crate::asn1::Error;
use crate::asn1::tag::universal as u;
use crate::rule;

rule! {
    BOOLEAN_LENGTH, "boolean-length", "X.690 8.2.1", "a BOOLEAN has exactly one contents octet";
    BOOLEAN_VALUE, "boolean-value", "X.690 11.1", "TRUE is not encoded as ff";
    NULL_LENGTH, "null-length", "X.690 8.8.2", "NULL has contents octets";
}

/// Reads a BOOLEAN; any octet but zero is true (X.690 8.2.2), [`check_boolean`] is for DER.
///
/// # Errors
/// [`BOOLEAN_LENGTH`].
pub fn boolean(content: &[u8], at: u32) -> Result<bool, Error> {
    match content {
        [octet] => Ok(*octet != 0),
        _ => Err(Error::new(at, &BOOLEAN_LENGTH)),
    }
}

/// What is wrong with the contents octets of a BOOLEAN.
#[must_use]
pub fn check_boolean(content: &[u8], at: u32) -> Option<Error> {
    match content {
        [0x00 | 0xff] => None,
        [_] => Some(Error::new(at, &BOOLEAN_VALUE)),
        _ => Some(Error::new(at, &BOOLEAN_LENGTH)),
    }
}

/// What is wrong with the contents octets of a NULL: that there are any.
#[must_use]
pub fn check_null(content: &[u8], at: u32) -> Option<Error> {
    (!content.is_empty()).then_some(Error::new(at, &NULL_LENGTH))
}

/// The first DER rule that a primitive value of the universal type `number` breaks.
///
/// Types without a rule for their contents (OCTET STRING, unknown numbers) never break one.
/// The rule on named bits (X.690 11.2.2) needs a schema: [`bits::check_named`].
#[must_use]
pub fn check(number: u64, content: &[u8], at: u32) -> Option<Error> {
    match number {
        u::BOOLEAN => check_boolean(content, at),
        u::INTEGER | u::ENUMERATED => integer::check(content, at),
        u::BIT_STRING => bits::check(content, at),
        u::NULL => check_null(content, at),
        u::OBJECT_IDENTIFIER => oid::check(content, at),
        u::RELATIVE_OID => oid::check_relative(content, at),
        u::REAL => real::check(content, at),
        u::UTC_TIME => time::read_utc(content, at).map_or_else(Some, |r| r.der),
        u::GENERALIZED_TIME => time::read_generalized(content, at).map_or_else(Some, |r| r.der),
        _ => string::check(number, content, at),
    }
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_and_nulls() {
        let rule = |number, content: &[u8]| check(number, content, 3).map(|e| e.rule.id);
        assert_eq!(rule(u::BOOLEAN, &[0xff]), None);
        assert_eq!(rule(u::BOOLEAN, &[0x01]), Some("boolean-value"));
        assert_eq!(rule(u::BOOLEAN, &[]), Some("boolean-length"));
        assert_eq!(rule(u::NULL, &[]), None);
        assert_eq!(rule(u::NULL, &[0]), Some("null-length"));
        assert_eq!(boolean(&[1], 0), Ok(true));
        assert_eq!(boolean(&[0], 0), Ok(false));
        assert!(boolean(&[0, 0], 0).is_err());
    }
}
