//! BIT STRINGs with named bits.

use serde::{Serialize, Serializer};

use crate::asn1::value::bits::{self, BitString};
use crate::asn1::{Error, Reader, Tlv};
use crate::pki::findings::Findings;

/// The set bits of a BIT STRING and what they are called.
#[derive(Debug, Clone, Copy)]
pub struct Flags<'a> {
    bits: BitString<'a>,
    content: &'a [u8],
    tlv: Tlv,
    names: &'static [&'static str],
}

/// Bits after the named ones that are still listed, by number. No standard has this many.
const MOST_BITS: usize = 256;

impl<'a> Flags<'a> {
    /// Reads a BIT STRING with the identifier octet `tag`, whose bit `n` is called `names[n]`.
    ///
    /// # Errors
    /// When the next value is no BIT STRING, or has no octet that counts unused bits.
    pub fn read(
        reader: &mut Reader<'a>,
        tag: u8,
        names: &'static [&'static str],
    ) -> Result<Self, Error> {
        let tlv = reader.expect(tag)?;
        let content = tlv.contents().of(reader.object());
        Ok(Self { bits: BitString::parse(content, tlv.content)?, content, tlv, names })
    }

    /// True when bit `n` is set.
    #[must_use]
    pub fn bit(&self, n: u64) -> bool {
        self.bits.bit(n)
    }

    /// True when no bit is set.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.bits.iter_set().next().is_none()
    }

    /// Offset of the BIT STRING.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.tlv.start
    }

    /// Checks unused bits, padding and trailing zero bits.
    pub fn violations(&self, findings: &mut Findings) {
        findings.check(bits::check_named(self.content, self.tlv.content));
    }

    /// The names of the set bits; `bit 9` for one without a name.
    pub fn names(&self) -> impl Iterator<Item = String> + use<'a> {
        let names = self.names;
        self.bits.iter_set().take(MOST_BITS).map(move |n| {
            let name = usize::try_from(n).ok().and_then(|n| names.get(n));
            name.map_or_else(|| format!("bit {n}"), |name| (*name).to_owned())
        })
    }
}

impl Serialize for Flags<'_> {
    /// The list of names.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}
