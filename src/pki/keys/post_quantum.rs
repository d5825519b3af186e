//! Private keys of ML-DSA, ML-KEM and SLH-DSA (RFC 9881, RFC 9935, RFC 9909).

use crate::asn1::Reader;
use crate::asn1::tag::octet;
use crate::pki::algorithm::id;

/// Octets of a seed and of the expanded private key of a parameter set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Octets of the seed; 0 where the standard has no seed form.
    pub seed: usize,
    /// Octets of the expanded key.
    pub expanded: usize,
}

/// The sizes of the parameter set with the identifier `oid` (contents octets).
#[must_use]
pub fn sizes(oid: &[u8]) -> Option<Sizes> {
    let (&last, arc) = oid.split_last()?;
    let (seed, expanded) = match (arc, last) {
        (id::NIST_SIGNATURES, 17) => (32, 2560),
        (id::NIST_SIGNATURES, 18) => (32, 4032),
        (id::NIST_SIGNATURES, 19) => (32, 4896),
        // SLH-DSA: four values of n octets, 128, 192 or 256 bits.
        (id::NIST_SIGNATURES, 20 | 21 | 26 | 27) => (0, 64),
        (id::NIST_SIGNATURES, 22 | 23 | 28 | 29) => (0, 96),
        (id::NIST_SIGNATURES, 24 | 25 | 30 | 31) => (0, 128),
        (id::NIST_KEMS, 1) => (64, 1632),
        (id::NIST_KEMS, 2) => (64, 2400),
        (id::NIST_KEMS, 3) => (64, 3168),
        _ => return None,
    };
    Some(Sizes { seed, expanded })
}

/// Which of the forms a private key has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// The seed alone, `[0]`.
    Seed,
    /// The expanded key alone, an OCTET STRING.
    Expanded,
    /// Both, a SEQUENCE.
    Both,
    /// The octets of SLH-DSA, which has no structure around them.
    Raw,
    /// A seed without a tag, as drafts had it.
    RawSeed,
    /// An expanded key without a tag, as drafts had it.
    RawExpanded,
}

impl Format {
    /// The name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Expanded => "expanded",
            Self::Both => "both",
            Self::Raw => "raw",
            Self::RawSeed => "raw-seed",
            Self::RawExpanded => "raw-expanded",
        }
    }

    /// True for the forms of the standards, false for those of drafts.
    #[must_use]
    pub const fn is_standard(self) -> bool {
        !matches!(self, Self::RawSeed | Self::RawExpanded)
    }

    /// The form of the octets in a `privateKey` of the parameter set with these sizes; `None`
    /// when no form has this length.
    #[must_use]
    pub fn of(key: &[u8], sizes: Sizes) -> Option<Self> {
        if sizes.seed == 0 {
            return (key.len() == sizes.expanded).then_some(Self::Raw);
        }
        let one = |tag, length| {
            Reader::single(key, tag).is_ok_and(|(tlv, _)| tlv.contents().len() as usize == length)
        };
        if one(octet::context(0), sizes.seed) {
            Some(Self::Seed)
        } else if one(octet::OCTET_STRING, sizes.expanded) {
            Some(Self::Expanded)
        } else if is_both(key, sizes) {
            Some(Self::Both)
        } else if key.len() == sizes.seed {
            Some(Self::RawSeed)
        } else {
            (key.len() == sizes.expanded).then_some(Self::RawExpanded)
        }
    }
}

fn is_both(key: &[u8], sizes: Sizes) -> bool {
    let Ok((_, mut r)) = Reader::single(key, octet::SEQUENCE) else { return false };
    let mut next = || r.expect(octet::OCTET_STRING).map(|tlv| tlv.contents().len() as usize);
    next() == Ok(sizes.seed) && next() == Ok(sizes.expanded) && r.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::tlv;

    #[test]
    fn every_form_is_told_apart() {
        let ml_dsa = sizes(b"\x60\x86\x48\x01\x65\x03\x04\x03\x12").unwrap();
        let (seed, expanded) = ([7; 32], [9; 4032]);
        let both = tlv(0x30, &[tlv(4, &seed), tlv(4, &expanded)].concat());
        let cases = [
            (tlv(0x80, &seed), Some(Format::Seed)),
            (tlv(4, &expanded), Some(Format::Expanded)),
            (both.clone(), Some(Format::Both)),
            (seed.to_vec(), Some(Format::RawSeed)),
            (expanded.to_vec(), Some(Format::RawExpanded)),
            (both[..both.len() - 1].to_vec(), None),
            (tlv(4, &seed), None),
            (Vec::new(), None),
        ];
        for (key, format) in cases {
            assert_eq!(Format::of(&key, ml_dsa), format);
        }
        let slh_dsa = sizes(b"\x60\x86\x48\x01\x65\x03\x04\x03\x14").unwrap();
        assert_eq!(Format::of(&[1; 64], slh_dsa), Some(Format::Raw));
        assert_eq!(Format::of(&[1; 32], slh_dsa), None);
    }
}
