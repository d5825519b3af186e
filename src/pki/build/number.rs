//! What the number of an object makes: its serial number, and the text in its names.

use std::fmt;

/// How the number of a certificate becomes its serial number (RFC 5280 4.1.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SerialPolicy {
    /// The number itself.
    Sequential,
    /// 16 octets, made of the seed and the number by arithmetic: they look random and are the
    /// same in every run.
    Random {
        /// What makes them others in another run.
        seed: u64,
    },
}

impl SerialPolicy {
    /// The serial number of object `number`; positive unless `number` is 0 and sequential.
    #[must_use]
    #[inline]
    pub fn serial(self, number: u64) -> Serial {
        match self {
            Self::Sequential => {
                // One bit more than the number has is its sign.
                let len = (u64::BITS - number.leading_zeros()) / 8 + 1;
                let (high, low) = match u64::BITS.checked_sub(8 * len) {
                    Some(shift) => (number << shift, 0),
                    None => (number >> 8, number << 56),
                };
                Serial::new(high, low, len as usize)
            }
            Self::Random { seed } => {
                // The first octet is 40 to 7f: positive, and no octet can be left out.
                Serial::new(mixed(seed, number, 1) >> 2 | 1 << 62, mixed(seed, number, 2), 16)
            }
        }
    }
}

/// The contents octets of a serial number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Serial {
    /// Its octets, and zeros behind them.
    octets: [u8; 16],
    len: usize,
}

impl Serial {
    /// The first `len` octets of these two numbers.
    #[inline]
    fn new(high: u64, low: u64, len: usize) -> Self {
        let octets = u128::from(high) << 64 | u128::from(low);
        Self { octets: octets.to_be_bytes(), len }
    }

    /// The contents octets of the INTEGER.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets[..self.len]
    }

    /// The contents octets and zeros behind them.
    #[inline]
    pub(super) const fn padded(&self) -> &[u8; 16] {
        &self.octets
    }
}

impl fmt::Debug for Serial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Serial({})", crate::pki::show::Hex(self.as_bytes()))
    }
}

/// A number in decimal digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digits {
    text: [u8; 20],
    start: usize,
}

impl Digits {
    /// No digits at all.
    pub(super) const NONE: Self = Self { text: [0; 20], start: 20 };

    pub(super) fn of(mut number: u64) -> Self {
        let mut text = [0; 20];
        let mut start = text.len();
        loop {
            start -= 1;
            text[start] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                return Self { text, start };
            }
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.text[self.start..]
    }
}

/// Octets of [`random_text`].
pub(super) const RANDOM_OCTETS: usize = 8;

/// Lower-case letters and digits that `seed` and `number` make: 40 bits.
pub(super) fn random_text(seed: u64, number: u64) -> [u8; RANDOM_OCTETS] {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let bits = mixed(seed, number, 0);
    std::array::from_fn(|i| LETTERS[(bits >> (5 * i) & 31) as usize])
}

/// 64 bits of `seed`, `number` and what they are for; each number gives others (SplitMix64).
const fn mixed(seed: u64, number: u64, purpose: u64) -> u64 {
    const fn finish(mut z: u64) -> u64 {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    let start = finish(seed.wrapping_add(purpose << 56));
    finish(start.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::asn1::value::integer;

    const CORNERS: [u64; 12] =
        [1, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, i64::MAX as u64, 1 << 63, u64::MAX];

    #[test]
    fn serials_are_minimal_and_positive() {
        for number in CORNERS {
            for policy in [SerialPolicy::Sequential, SerialPolicy::Random { seed: number }] {
                let serial = policy.serial(number);
                assert_eq!(integer::check(serial.as_bytes(), 0), None, "{policy:?} {number}");
                assert!(serial.as_bytes()[0] < 0x80 && serial.as_bytes() != [0]);
                assert_eq!(serial, policy.serial(number));
            }
            let octets = SerialPolicy::Sequential.serial(number);
            let value = octets.as_bytes().iter().fold(0_u128, |n, b| n << 8 | u128::from(*b));
            assert_eq!(value, u128::from(number));
        }
        assert_eq!(SerialPolicy::Sequential.serial(128).as_bytes(), [0, 128]);
        assert_eq!(SerialPolicy::Sequential.serial(u64::MAX).as_bytes().len(), 9);
        assert_eq!(SerialPolicy::Random { seed: 0 }.serial(1).as_bytes().len(), 16);
    }

    #[test]
    fn numbers_and_seeds_make_other_serials_and_texts() {
        let mut seen = HashSet::new();
        for seed in 0..20 {
            for number in 0..1_000 {
                let serial = SerialPolicy::Random { seed }.serial(number);
                assert!(seen.insert(serial.as_bytes().to_vec()));
            }
        }
        let texts: HashSet<_> = (0..10_000).map(|number| random_text(7, number)).collect();
        assert!(texts.len() > 9_990, "{}", texts.len());
        assert!(texts.iter().flatten().all(u8::is_ascii_alphanumeric));
        assert_ne!(random_text(1, 1), random_text(2, 1));
    }

    #[test]
    fn digits_are_those_of_the_number() {
        for number in CORNERS.into_iter().chain([0, 9, 10, 99, 100]) {
            assert_eq!(Digits::of(number).as_bytes(), number.to_string().as_bytes());
        }
    }
}
