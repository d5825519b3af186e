//! INTEGER and ENUMERATED (X.690 8.3, 8.4), of any size.

use std::fmt::{self, Write as _};

use crate::asn1::Error;
use crate::rule;

rule! {
    INTEGER_EMPTY, "integer-empty", "X.690 8.3.1", "an INTEGER needs at least one contents octet";
    INTEGER_MINIMAL, "integer-minimal", "X.690 8.3.2",
        "the INTEGER is padded: its first nine bits are all the same";
}

/// The widest number that is shown in decimal, in bits; above it hex says more than digits.
pub const DECIMAL_BITS: u64 = 4_096;

/// More digits than this are never worked out: the conversion is quadratic.
const MAX_DIGITS: usize = 4_932;

/// What is wrong with the contents octets of an INTEGER that starts at `at`.
#[must_use]
#[inline]
pub fn check(content: &[u8], at: u32) -> Option<Error> {
    match content {
        [] => Some(Error::new(at, &INTEGER_EMPTY)),
        [0x00, 0x00..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => Some(Error::new(at, &INTEGER_MINIMAL)),
        _ => None,
    }
}

/// The contents octets of an INTEGER: two's complement, most significant octet first.
///
/// Padded octets are read as the number they mean; empty ones as zero. [`check`] tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer<'a>(pub &'a [u8]);

impl<'a> Integer<'a> {
    /// The number in `content`, which must be in its shortest form.
    ///
    /// # Errors
    /// What [`check`] finds.
    pub fn parse(content: &'a [u8], at: u32) -> Result<Self, Error> {
        check(content, at).map_or(Ok(Self(content)), Err)
    }

    /// The contents octets as they stand, padding included.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// True below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0.first().is_some_and(|b| b & 0x80 != 0)
    }

    /// True for zero, padded or not.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.iter().all(|b| *b == 0)
    }

    /// The contents octets without padding, sign octet included; empty for zero alone.
    pub(in crate::asn1) fn significant(self) -> &'a [u8] {
        let sign = if self.is_negative() { 0xff } else { 0x00 };
        let padding = self.0.iter().take_while(|b| **b == sign).count();
        // One sign octet stays where the next octet would otherwise change the sign.
        let first = self.0.get(padding).copied().unwrap_or(sign ^ 0x80);
        let keep_sign = padding > 0 && (first ^ sign) & 0x80 != 0;
        &self.0[padding - usize::from(keep_sign)..]
    }

    /// The octets of a number that is not negative, without leading zeros; `None` below zero.
    ///
    /// For zero the slice is empty.
    #[must_use]
    pub fn unsigned(self) -> Option<&'a [u8]> {
        if self.is_negative() {
            return None;
        }
        let zeros = self.0.iter().take_while(|b| **b == 0).count();
        Some(&self.0[zeros..])
    }

    /// Bits of the magnitude: 0 for 0, 1 for 1 and -1, 8 for 255 and -128.
    #[must_use]
    pub fn bit_len(self) -> u64 {
        if !self.is_negative() {
            return bits_of(self.unsigned().unwrap_or_default());
        }
        // |x| = !x + 1: as long as !x, or one bit longer when !x is all ones.
        let ones = self.0.iter().take_while(|b| **b == 0xff).count();
        let rest = &self.0[ones..];
        let Some((first, tail)) = rest.split_first() else { return 1 };
        let inverted = !first;
        let bits = tail.len() as u64 * 8 + u64::from(u8::BITS - inverted.leading_zeros());
        let all_ones = (inverted & inverted.wrapping_add(1)) == 0 && tail.iter().all(|b| *b == 0);
        bits + u64::from(all_ones)
    }

    /// The number, when it fits 128 bits with its sign.
    #[must_use]
    pub fn to_i128(self) -> Option<i128> {
        let bytes = self.significant();
        let skip = 16_usize.checked_sub(bytes.len())?;
        let mut buffer = [if self.is_negative() { 0xff } else { 0 }; 16];
        buffer[skip..].copy_from_slice(bytes);
        Some(i128::from_be_bytes(buffer))
    }

    /// The number, when it fits 64 bits with its sign.
    #[must_use]
    pub fn to_i64(self) -> Option<i64> {
        self.to_i128().and_then(|n| i64::try_from(n).ok())
    }

    /// The number, when it is neither negative nor wider than 64 bits.
    #[must_use]
    #[inline]
    pub fn to_u64(self) -> Option<u64> {
        if self.0.len() <= 8 && !self.is_negative() {
            return Some(self.0.iter().fold(0, |n, b| n << 8 | u64::from(*b)));
        }
        let bytes = self.unsigned()?;
        let skip = 8_usize.checked_sub(bytes.len())?;
        let mut buffer = [0; 8];
        buffer[skip..].copy_from_slice(bytes);
        Some(u64::from_be_bytes(buffer))
    }

    /// All decimal digits with a minus sign in front of a negative number, `None` when there
    /// are more than `max_digits` (at most 4,932 are ever worked out).
    #[must_use]
    pub fn decimal(self, max_digits: usize) -> Option<String> {
        if let Some(n) = self.to_i128() {
            let text = n.to_string();
            let digits = text.len() - usize::from(n < 0);
            return (digits <= max_digits).then_some(text);
        }
        let max_digits = max_digits.min(MAX_DIGITS);
        // 3 bits are less than a digit: a cheap test that keeps the quadratic part small.
        if self.bit_len() / 4 > max_digits as u64 {
            return None;
        }
        let negative = self.is_negative();
        let text = magnitude_decimal(&limbs(self.significant(), negative), negative);
        (text.len() - usize::from(negative) <= max_digits).then_some(text)
    }

    /// Decimal digits up to `max_digits`, else a short hex form with the size in bits.
    #[must_use]
    pub fn to_decimal(self, max_digits: usize) -> String {
        self.decimal(max_digits).unwrap_or_else(|| self.short_hex())
    }

    /// The contents octets in lower-case hex, all of them, as serial numbers are compared.
    #[must_use]
    pub fn to_hex(self) -> String {
        data_encoding::HEXLOWER.encode(self.0)
    }

    /// Appends what [`Integer::to_hex`] shows.
    pub fn push_hex(self, out: &mut String) {
        data_encoding::HEXLOWER.encode_append(self.0, out);
    }

    /// The first and the last octets in hex with the number of bits, never above 100 characters.
    #[must_use]
    pub fn short_hex(self) -> String {
        const EDGE: usize = 16;
        let hex = |bytes: &[u8]| data_encoding::HEXLOWER.encode(bytes);
        let mut text = String::from("0x");
        if self.0.len() <= 2 * EDGE {
            text.push_str(&hex(self.0));
        } else {
            text.push_str(&hex(&self.0[..EDGE]));
            text.push('…');
            text.push_str(&hex(&self.0[self.0.len() - EDGE..]));
        }
        let _ = write!(text, " ({} bits)", self.bit_len());
        text
    }
}

impl fmt::Display for Integer<'_> {
    /// Decimal up to [`DECIMAL_BITS`], above that the short hex form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(n) = self.to_i128() {
            return fmt::Display::fmt(&n, f);
        }
        let text = (self.bit_len() <= DECIMAL_BITS).then(|| self.decimal(MAX_DIGITS)).flatten();
        f.pad(&text.unwrap_or_else(|| self.short_hex()))
    }
}

/// Bits of an unsigned number without leading zero octets.
fn bits_of(magnitude: &[u8]) -> u64 {
    magnitude.first().map_or(0, |first| {
        (magnitude.len() as u64 - 1) * 8 + u64::from(u8::BITS - first.leading_zeros())
    })
}

/// The magnitude as 32-bit limbs, least significant first.
fn limbs(bytes: &[u8], negative: bool) -> Vec<u32> {
    let fill = if negative { 0xff } else { 0 };
    let mut carry = negative;
    bytes
        .rchunks(4)
        .map(|chunk| {
            let mut buffer = [fill; 4];
            buffer[4 - chunk.len()..].copy_from_slice(chunk);
            let limb = u32::from_be_bytes(buffer);
            if !negative {
                return limb;
            }
            let (limb, over) = (!limb).overflowing_add(u32::from(carry));
            carry = over;
            limb
        })
        .collect()
}

/// Schoolbook conversion nine digits at a time; quadratic, so callers bound the size.
pub(super) fn magnitude_decimal(limbs: &[u32], negative: bool) -> String {
    const CHUNK: u64 = 1_000_000_000;
    let mut limbs = limbs.to_vec();
    let mut groups = Vec::with_capacity(limbs.len() * 11 / 10 + 1);
    while let Some(top) = limbs.last() {
        if *top == 0 {
            limbs.pop();
            continue;
        }
        let mut rest = 0_u64;
        for limb in limbs.iter_mut().rev() {
            let n = rest << 32 | u64::from(*limb);
            *limb = low_word(n / CHUNK);
            rest = n % CHUNK;
        }
        groups.push(rest);
    }
    let mut text = String::with_capacity(groups.len() * 9 + 1);
    if negative {
        text.push('-');
    }
    let mut groups = groups.iter().rev();
    let _ = write!(text, "{}", groups.next().copied().unwrap_or(0));
    for group in groups {
        let _ = write!(text, "{group:09}");
    }
    text
}

/// The quotient of a number below 2^32 * CHUNK fits 32 bits.
#[allow(clippy::cast_possible_truncation, reason = "the callers divide before")]
const fn low_word(n: u64) -> u32 {
    n as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(content: &[u8]) -> Option<&'static str> {
        check(content, 7).map(|e| {
            assert_eq!(e.offset, 7);
            e.rule.id
        })
    }

    #[test]
    fn the_first_nine_bits_differ() {
        assert_eq!(rule(&[]), Some("integer-empty"));
        for good in [&[0][..], &[0xff], &[0, 0x80], &[0xff, 0x7f], &[0x7f, 0xff], &[0x80, 0]] {
            assert_eq!(rule(good), None, "{good:02x?}");
        }
        for bad in [&[0, 0][..], &[0, 0x7f], &[0xff, 0xff], &[0xff, 0x80, 0]] {
            assert_eq!(rule(bad), Some("integer-minimal"), "{bad:02x?}");
        }
    }

    #[test]
    fn small_numbers_are_read_with_their_sign() {
        for (bytes, n, bits) in [
            (&[0][..], 0, 0),
            (&[], 0, 0),
            (&[1], 1, 1),
            (&[0xff], -1, 1),
            (&[0x80], -128, 8),
            (&[0xff, 0x7f], -129, 8),
            (&[0xfe, 0xff], -257, 9),
            (&[0x80, 0, 0], -8_388_608, 24),
            (&[0, 0xff], 255, 8),
            (&[0, 0, 0, 1, 0], 256, 9),
            (&[0xff, 0xff, 0xff, 0x80, 0x00], -32_768, 16),
        ] {
            let i = Integer(bytes);
            assert_eq!(i.to_i128(), Some(n), "{bytes:02x?}");
            assert_eq!(i.bit_len(), bits, "{bytes:02x?}");
            assert_eq!(i.to_string(), n.to_string());
            assert_eq!(i.to_u64(), u64::try_from(n).ok());
        }
    }

    #[test]
    fn the_edges_of_the_machine_words() {
        let mut wide = [0xff; 17];
        wide[0] = 0;
        assert_eq!(Integer(&wide).to_i128(), None);
        assert_eq!(Integer(&wide).to_string(), u128::MAX.to_string());
        assert_eq!(Integer(&wide[..9]).to_u64(), Some(u64::MAX));
        assert_eq!(Integer(&wide[..10]).to_u64(), None);
        assert_eq!(Integer(&i128::MIN.to_be_bytes()).to_i128(), Some(i128::MIN));
    }

    #[test]
    fn large_numbers_in_decimal() {
        // 2^200 and -2^200, worked out with bc.
        let two_200 = "1606938044258990275541962092341162602522202993782792835301376";
        let mut bytes = [0; 26];
        bytes[0] = 1;
        assert_eq!(Integer(&bytes).to_string(), two_200);
        bytes[0] = 0xff;
        assert_eq!(Integer(&bytes).to_string(), format!("-{two_200}"));
        assert_eq!(Integer(&bytes).decimal(60), None);
        assert!(Integer(&bytes).decimal(61).is_some());
    }

    #[test]
    fn what_is_too_large_is_shown_short() {
        let bytes = vec![0x5a; 5_000_000];
        let text = Integer(&bytes).to_string();
        assert!(text.starts_with("0x5a5a") && text.ends_with("(39999999 bits)"), "{text}");
        assert!(text.chars().count() <= 100);
        assert_eq!(Integer(&bytes).decimal(usize::MAX), None);
        assert_eq!(Integer(&[0, 0xab]).to_hex(), "00ab");
    }
}
