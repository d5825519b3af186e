//! BIT STRING (X.690 8.6, 11.2).

use crate::asn1::Error;
use crate::rule;

rule! {
    BIT_STRING_EMPTY, "bit-string-empty", "X.690 8.6.2",
        "a BIT STRING needs an octet that counts its unused bits";
    BIT_STRING_UNUSED, "bit-string-unused", "X.690 8.6.2.2",
        "the count of unused bits of a BIT STRING is above 7";
    BIT_STRING_NO_BITS, "bit-string-no-bits", "X.690 8.6.2.3",
        "a BIT STRING without bits cannot have unused ones";
    BIT_STRING_PADDING, "bit-string-padding", "X.690 11.2.1",
        "the unused bits of a BIT STRING are not zero";
    NAMED_BITS_TRAILING, "named-bits-trailing", "X.690 11.2.2",
        "a BIT STRING with named bits ends in zero bits";
}

/// A primitive BIT STRING: whole octets, of which the last has `unused` bits to ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitString<'a> {
    /// Bits of the last octet that do not count, 0 to 7.
    pub unused: u8,
    /// The octets with the bits, the first bit in the top bit of the first octet.
    pub bytes: &'a [u8],
}

impl<'a> BitString<'a> {
    /// Reads the contents octets that start at offset `at`.
    ///
    /// Unused bits that are not zero are accepted here; [`check`] reports them.
    ///
    /// # Errors
    /// No octet at all, a count above 7, or a count without bits.
    pub fn parse(content: &'a [u8], at: u32) -> Result<Self, Error> {
        let rule = match content {
            [] => &BIT_STRING_EMPTY,
            [unused, ..] if *unused > 7 => &BIT_STRING_UNUSED,
            [1..=7] => &BIT_STRING_NO_BITS,
            [unused, bytes @ ..] => return Ok(Self { unused: *unused, bytes }),
        };
        Err(Error::new(at, rule))
    }

    /// Number of bits.
    #[must_use]
    pub const fn len(&self) -> u64 {
        (self.bytes.len() as u64 * 8).saturating_sub(self.unused as u64)
    }

    /// True without any bit.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bit `n`, counted from the first; false beyond the end.
    #[must_use]
    pub fn bit(&self, n: u64) -> bool {
        n < self.len()
            && usize::try_from(n / 8)
                .ok()
                .and_then(|i| self.bytes.get(i))
                .is_some_and(|b| b & (0x80 >> (n % 8)) != 0)
    }

    /// The numbers of the bits that are set, ascending.
    pub fn iter_set(&self) -> impl Iterator<Item = u64> + use<'a> {
        let len = self.len();
        (0_u64..)
            .step_by(8)
            .zip(self.bytes)
            .flat_map(|(base, octet)| {
                (0_u64..8).filter(move |i| octet & (0x80 >> i) != 0).map(move |i| base + i)
            })
            .take_while(move |n| *n < len)
    }

    /// The octets when every bit of them counts, as keys and signatures must be.
    #[must_use]
    pub fn whole_octets(&self) -> Option<&'a [u8]> {
        (self.unused == 0).then_some(self.bytes)
    }
}

/// What is wrong with the contents octets of a BIT STRING that starts at `at`.
#[must_use]
pub fn check(content: &[u8], at: u32) -> Option<Error> {
    match BitString::parse(content, at) {
        Err(e) => Some(e),
        Ok(BitString { unused, bytes }) => bytes
            .last()
            .filter(|last| *last & !(0xff << unused) != 0)
            .map(|_| Error::new(last_octet(content, at), &BIT_STRING_PADDING)),
    }
}

/// As [`check`], and the last bit must be one, as DER wants where the bits have names.
#[must_use]
pub fn check_named(content: &[u8], at: u32) -> Option<Error> {
    check(content, at).or_else(|| {
        let bits = BitString::parse(content, at).ok()?;
        let ends_in_zero = !bits.is_empty() && !bits.bit(bits.len() - 1);
        ends_in_zero.then(|| Error::new(last_octet(content, at), &NAMED_BITS_TRAILING))
    })
}

fn last_octet(content: &[u8], at: u32) -> u32 {
    at.saturating_add(u32::try_from(content.len().saturating_sub(1)).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_counted_from_the_top() {
        // X.690 8.6.4.2: '0A3B5F291CD'H
        let content = [0x04, 0x0a, 0x3b, 0x5f, 0x29, 0x1c, 0xd0];
        let bits = BitString::parse(&content, 0).unwrap();
        assert_eq!(bits.len(), 44);
        assert!(!bits.bit(0) && bits.bit(4) && bits.bit(6) && bits.bit(43) && !bits.bit(44));
        assert_eq!(bits.iter_set().count(), 22);
        assert!(bits.iter_set().all(|n| bits.bit(n)));
        assert_eq!(bits.whole_octets(), None);
        assert_eq!(check(&content, 0), None);
    }

    #[test]
    fn each_rule_has_its_offset() {
        let rule = |content: &[u8]| check_named(content, 10).map(|e| (e.rule.id, e.offset));
        assert_eq!(rule(&[]), Some(("bit-string-empty", 10)));
        assert_eq!(rule(&[8, 0]), Some(("bit-string-unused", 10)));
        assert_eq!(rule(&[1]), Some(("bit-string-no-bits", 10)));
        assert_eq!(rule(&[0]), None);
        assert_eq!(rule(&[3, 0xff, 0xfc]), Some(("bit-string-padding", 12)));
        assert_eq!(rule(&[0, 0x06]), Some(("named-bits-trailing", 11)));
        assert_eq!(rule(&[1, 0x06]), None);
        assert_eq!(rule(&[0, 0x80, 0x00]), Some(("named-bits-trailing", 12)));
        assert_eq!(check(&[0, 0x06], 0), None);
    }

    #[test]
    fn padding_bits_are_not_set_bits() {
        let bits = BitString { unused: 4, bytes: &[0x1f] };
        assert_eq!(bits.iter_set().collect::<Vec<_>>(), [3]);
    }
}
