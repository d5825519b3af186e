//! REAL (X.690 8.5, 11.3).

use std::fmt;

use super::Integer;
use crate::asn1::Error;
use crate::rule;

rule! {
    REAL_FORMAT, "real-format", "X.690 8.5", "the contents octets are no REAL";
    REAL_TRUNCATED, "real-truncated", "X.690 8.5.7", "the REAL ends inside its exponent";
    REAL_RESERVED, "real-reserved", "X.690 8.5.7, 8.5.9", "the REAL has a reserved form";
    REAL_BASE, "real-base", "X.690 11.3.1", "a binary REAL is not to the base 2 without scaling";
    REAL_MANTISSA, "real-mantissa", "X.690 11.3.1",
        "the mantissa of a binary REAL is neither odd nor in the fewest octets";
    REAL_EXPONENT, "real-exponent", "X.690 8.5.7.4, 11.3.1",
        "the exponent of a REAL is not in the fewest octets";
    REAL_DECIMAL, "real-decimal", "X.690 11.3.2", "a decimal REAL is not in the form NR3 of DER";
}

/// A REAL as its octets state it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Real<'a> {
    /// Plus zero, no octets (8.5.2).
    Zero,
    /// Minus zero.
    MinusZero,
    /// PLUS-INFINITY
    Infinity,
    /// MINUS-INFINITY
    MinusInfinity,
    /// NOT-A-NUMBER
    NotANumber,
    /// ± mantissa × 2^exponent, base and scaling factor worked in (8.5.7).
    Binary {
        /// The sign.
        negative: bool,
        /// The mantissa, most significant octet first, not negative.
        mantissa: &'a [u8],
        /// Power of two.
        exponent: i64,
    },
    /// ISO 6093 text (8.5.8).
    Decimal(&'a str),
}

/// The largest exponent that is read, in octets; the standard allows 255.
const MAX_EXPONENT_OCTETS: usize = 6;

/// Fields of a binary REAL before base and scaling are worked in.
struct Binary<'a> {
    first: u8,
    exponent: &'a [u8],
    long_form: bool,
    mantissa: &'a [u8],
}

fn binary(content: &[u8], at: u32) -> Result<Binary<'_>, Error> {
    let truncated = Error::new(at, &REAL_TRUNCATED);
    let (&first, rest) = content.split_first().ok_or(truncated)?;
    let (count, rest, long_form) = match first & 0x03 {
        3 => {
            let (&count, rest) = rest.split_first().ok_or(truncated)?;
            (usize::from(count), rest, true)
        }
        short => (usize::from(short) + 1, rest, false),
    };
    let (exponent, mantissa) = rest.split_at_checked(count).ok_or(truncated)?;
    if exponent.is_empty() || exponent.len() > MAX_EXPONENT_OCTETS || first & 0x30 == 0x30 {
        return Err(Error::new(at, &REAL_RESERVED));
    }
    Ok(Binary { first, exponent, long_form, mantissa })
}

/// Reads the contents octets of a REAL that start at offset `at`.
///
/// # Errors
/// Reserved forms, a cut exponent, an exponent above 48 bits, decimal text that is no number.
pub fn parse(content: &[u8], at: u32) -> Result<Real<'_>, Error> {
    let Some(&first) = content.first() else { return Ok(Real::Zero) };
    match first {
        0x80.. => {
            let b = binary(content, at)?;
            let base_bits = match first >> 4 & 0x03 {
                0 => 1,
                1 => 3,
                _ => 4,
            };
            let exponent = Integer(b.exponent).to_i64().unwrap_or(0);
            Ok(Real::Binary {
                negative: first & 0x40 != 0,
                mantissa: b.mantissa,
                exponent: exponent * base_bits + i64::from(first >> 2 & 0x03),
            })
        }
        0x40..=0x43 if content.len() > 1 => Err(Error::new(at, &REAL_FORMAT)),
        0x40 => Ok(Real::Infinity),
        0x41 => Ok(Real::MinusInfinity),
        0x42 => Ok(Real::NotANumber),
        0x43 => Ok(Real::MinusZero),
        0x01..=0x03 => {
            let text = std::str::from_utf8(&content[1..]).ok().filter(|t| is_number(t));
            text.map(Real::Decimal).ok_or(Error::new(at, &REAL_FORMAT))
        }
        _ => Err(Error::new(at, &REAL_RESERVED)),
    }
}

/// Spaces, sign, digits with at most one mark, an exponent (ISO 6093 NR1 to NR3).
fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(' ');
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['E', 'e']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    let exponent_is_number = exponent.is_none_or(|e| {
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        !e.is_empty() && digits(e)
    });
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent_is_number
}

/// The first rule that the contents octets of a REAL break, those of DER included.
#[must_use]
pub fn check(content: &[u8], at: u32) -> Option<Error> {
    let real = match parse(content, at) {
        Err(e) => return Some(e),
        Ok(real) => real,
    };
    let rule = match real {
        Real::Binary { .. } => {
            let b = binary(content, at).ok()?;
            let short_enough = b.exponent.len() <= 3;
            if b.first & 0x3c != 0 {
                &REAL_BASE
            } else if !is_minimal(b.exponent) || (b.long_form && short_enough) {
                &REAL_EXPONENT
            } else if b.mantissa.first().is_none_or(|first| *first == 0)
                || b.mantissa.last().is_none_or(|last| last & 1 == 0)
            {
                &REAL_MANTISSA
            } else {
                return None;
            }
        }
        Real::Decimal(text) if content.first() != Some(&0x03) || !is_der_decimal(text) => {
            &REAL_DECIMAL
        }
        _ => return None,
    };
    Some(Error::new(at, rule))
}

fn is_minimal(exponent: &[u8]) -> bool {
    super::integer::check(exponent, 0).is_none()
}

/// NR3 of X.690 11.3.2: `-12.E3` with no zeros at the edges, `.`, no `+` but in `E+0`.
fn is_der_decimal(text: &str) -> bool {
    let body = text.strip_prefix('-').unwrap_or(text);
    let Some((mantissa, exponent)) = body.split_once(".E") else { return false };
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let power = exponent.strip_prefix('-').unwrap_or(exponent);
    let exponent_good = exponent == "+0" || (digits(power) && !power.starts_with('0'));
    digits(mantissa) && !mantissa.starts_with('0') && !mantissa.ends_with('0') && exponent_good
}

impl Real<'_> {
    /// The nearest `f64`, when the mantissa has at most 64 bits and the exponent is in range.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "the nearest value is what is asked for")]
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Self::Zero => Some(0.0),
            Self::MinusZero => Some(-0.0),
            Self::Infinity => Some(f64::INFINITY),
            Self::MinusInfinity => Some(f64::NEG_INFINITY),
            Self::NotANumber => Some(f64::NAN),
            Self::Decimal(text) => text.trim_start_matches(' ').replace(',', ".").parse().ok(),
            Self::Binary { negative, mantissa, exponent } => {
                let magnitude = unsigned_u64(mantissa)? as f64;
                let power =
                    i32::try_from(*exponent).ok().filter(|e| (-1_000..=1_000).contains(e))?;
                let value = magnitude * 2_f64.powi(power);
                Some(if *negative { -value } else { value }).filter(|v| v.is_finite())
            }
        }
    }
}

fn unsigned_u64(octets: &[u8]) -> Option<u64> {
    let zeros = octets.iter().take_while(|b| **b == 0).count();
    let octets = &octets[zeros..];
    (octets.len() <= 8).then(|| octets.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
}

impl fmt::Display for Real<'_> {
    /// A decimal number where it is short, else `0xMANTISSA × 2^EXPONENT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("0"),
            Self::MinusZero => f.write_str("-0"),
            Self::Infinity => f.write_str("PLUS-INFINITY"),
            Self::MinusInfinity => f.write_str("MINUS-INFINITY"),
            Self::NotANumber => f.write_str("NOT-A-NUMBER"),
            Self::Decimal(text) => f.write_str(text.trim_start_matches(' ')),
            Self::Binary { negative, mantissa, exponent } => {
                if let Some(value) = self.to_f64()
                    && (value == 0.0 || (1e-6..1e15).contains(&value.abs()))
                {
                    return write!(f, "{value}");
                }
                let sign = if *negative { "-" } else { "" };
                let shown = &mantissa[..mantissa.len().min(32)];
                let more = if shown.len() < mantissa.len() { "…" } else { "" };
                let hex = data_encoding::HEXLOWER.encode(shown);
                write!(f, "{sign}0x{hex}{more} × 2^{exponent}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &[u8]) -> String {
        match parse(content, 0) {
            Ok(real) => real.to_string(),
            Err(e) => e.rule.id.to_owned(),
        }
    }

    fn rule(content: &[u8]) -> Option<&'static str> {
        check(content, 0).map(|e| e.rule.id)
    }

    #[test]
    fn special_values() {
        assert_eq!(text(&[]), "0");
        assert_eq!(text(&[0x40]), "PLUS-INFINITY");
        assert_eq!(text(&[0x41]), "MINUS-INFINITY");
        assert_eq!(text(&[0x42]), "NOT-A-NUMBER");
        assert_eq!(text(&[0x43]), "-0");
        assert_eq!(text(&[0x44]), "real-reserved");
        assert_eq!(text(&[0x40, 0]), "real-format");
    }

    #[test]
    fn binary_values() {
        assert_eq!(text(&[0x80, 0xff, 0x01]), "0.5");
        assert_eq!(text(&[0xc0, 0x00, 0x03]), "-3");
        assert_eq!(text(&[0x80, 0x01, 0x05]), "10");
        // Base 16 and scaling: 1 × 2^2 × 16^1
        assert_eq!(text(&[0xa8, 0x01, 0x01]), "64");
        // Base 8, exponent of two octets, then counted by an octet
        assert_eq!(text(&[0x91, 0x00, 0x01, 0x01]), "8");
        assert_eq!(text(&[0x83, 0x01, 0xfe, 0x01]), "0.25");
        assert_eq!(text(&[0x81, 0x7f, 0xff, 0x01]), "0x01 × 2^32767");
        assert_eq!(text(&[0x80]), "real-truncated");
        assert_eq!(text(&[0x83]), "real-truncated");
        assert_eq!(text(&[0x83, 0x00]), "real-reserved");
        assert_eq!(text(&[0xb0, 0, 1]), "real-reserved");
    }

    #[test]
    fn decimal_values() {
        assert_eq!(text(b"\x03-12.E3"), "-12.E3");
        assert_eq!(text(b"\x01  +15"), "+15");
        assert_eq!(text(b"\x02,5"), ",5");
        assert_eq!(text(b"\x03\x1b[2J"), "real-format");
        assert_eq!(text(b"\x03"), "real-format");
        assert_eq!(parse(b"\x03-12.E3", 0).unwrap().to_f64(), Some(-12_000.0));
    }

    #[test]
    fn der_takes_one_form() {
        assert_eq!(rule(&[0x80, 0xff, 0x01]), None);
        assert_eq!(rule(&[0x80, 0x00, 0x02]), Some("real-mantissa"));
        assert_eq!(rule(&[0x80, 0x00, 0x00, 0x01]), Some("real-mantissa"));
        assert_eq!(rule(&[0x81, 0x00, 0x01, 0x01]), Some("real-exponent"));
        assert_eq!(rule(&[0x83, 0x01, 0x01, 0x01]), Some("real-exponent"));
        assert_eq!(rule(&[0xa0, 0x01, 0x01]), Some("real-base"));
        assert_eq!(rule(b"\x0315.E-1"), None);
        assert_eq!(rule(b"\x033.E+0"), None);
        assert_eq!(rule(b"\x0330.E0"), Some("real-decimal"));
        assert_eq!(rule(b"\x01\x31"), Some("real-decimal"));
    }
}
