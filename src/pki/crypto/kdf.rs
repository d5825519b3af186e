//! Key derivation of PKCS #12 and of PKCS #5 version 1.5, which the library does not offer.

use zeroize::Zeroizing;

use super::effort::Effort;
use super::error::Error;
use super::openssl::Digest;

/// What the PKCS #12 derivation makes (RFC 7292 B.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// The key of a cipher.
    Key = 1,
    /// Its initialisation vector.
    Iv = 2,
    /// The key of the MAC.
    Mac = 3,
}

/// The derivation of RFC 7292 B.2: `length` octets from a password that
/// [`bmp_password`] made.
///
/// # Errors
/// What [`Effort::spend`] and [`Digest::iterate`] say.
pub fn pkcs12(
    digest: Digest,
    purpose: Purpose,
    (password, salt): (&[u8], &[u8]),
    iterations: u32,
    length: usize,
    effort: &mut Effort<'_>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let block = digest.block();
    effort.spend(u64::from(iterations), length.div_ceil(digest.size()) as u64)?;
    let diversifier = vec![purpose as u8; block];
    let fill = |text: &[u8], into: &mut Vec<u8>| {
        let want = text.len().next_multiple_of(block);
        into.extend(text.iter().copied().cycle().take(want));
    };
    let room = salt.len().next_multiple_of(block) + password.len().next_multiple_of(block);
    let mut mixed = Zeroizing::new(Vec::with_capacity(room));
    fill(salt, &mut mixed);
    fill(password, &mut mixed);
    let mut out = Zeroizing::new(Vec::with_capacity(length + digest.size()));
    while out.len() < length {
        let a = digest.iterate(&[&diversifier, &mixed], iterations, effort)?;
        out.extend_from_slice(&a);
        if out.len() < length {
            for part in mixed.chunks_mut(block) {
                add_one_more(part, &a);
            }
        }
    }
    out.truncate(length);
    Ok(out)
}

/// `block = block + a + 1` as big-endian numbers, `a` repeated to the block's length, the
/// carry out of the block dropped.
fn add_one_more(block: &mut [u8], a: &[u8]) {
    let mut carry = 1_u16;
    let repeated = (0..block.len()).rev().map(|i| a[i % a.len()]);
    for (octet, other) in block.iter_mut().rev().zip(repeated) {
        let sum = u16::from(*octet) + u16::from(other) + carry;
        *octet = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
}

/// PBKDF1 (RFC 8018 5.1): one digest of `password` and `salt`, hashed `iterations` times.
///
/// # Errors
/// What [`Effort::spend`] and [`Digest::iterate`] say.
pub fn pbkdf1(
    digest: Digest,
    (password, salt): (&[u8], &[u8]),
    iterations: u32,
    effort: &mut Effort<'_>,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    effort.spend(u64::from(iterations), 1)?;
    digest.iterate(&[password, salt], iterations, effort)
}

/// A password as PKCS #12 wants it (RFC 7292 B.1): a BMPString with a final NUL character.
/// `None` is the password that is not there, which some programs write as no octets at all.
///
/// Octets that are not UTF-8 are taken as ISO 8859-1, as other programs do; characters
/// beyond the BMP become surrogate pairs.
#[must_use]
pub fn bmp_password(password: Option<&[u8]>) -> Zeroizing<Vec<u8>> {
    let Some(octets) = password else {
        return Zeroizing::new(Vec::new());
    };
    let mut out = Zeroizing::new(Vec::with_capacity(2 * octets.len() + 2));
    if let Ok(text) = std::str::from_utf8(octets) {
        out.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    } else {
        out.extend(octets.iter().flat_map(|b| [0, *b]));
    }
    out.extend([0, 0]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(octets: &[u8]) -> String {
        data_encoding::HEXLOWER.encode(octets)
    }

    #[test]
    fn derives_what_other_programs_derive() {
        // Known answers that circulate between implementations for the password "smeg".
        let password = bmp_password(Some(b"smeg"));
        let salt = [0x0a, 0x58, 0xcf, 0x64, 0x53, 0x0d, 0x82, 0x3f];
        let mut effort = Effort::default();
        let mut derive = |purpose, n| {
            hex(&pkcs12(Digest::Sha1, purpose, (&password, &salt), 1, n, &mut effort).unwrap())
        };
        assert_eq!(derive(Purpose::Key, 24), "8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3");
        assert_eq!(derive(Purpose::Iv, 8), "79993dfe048d3b76");
    }

    #[test]
    fn passwords_become_bmp() {
        assert_eq!(bmp_password(None).len(), 0);
        assert_eq!(*bmp_password(Some(b"")), [0, 0]);
        assert_eq!(*bmp_password(Some("é".as_bytes())), [0, 0xe9, 0, 0]);
        assert_eq!(*bmp_password(Some(&[0xe9])), [0, 0xe9, 0, 0]);
        assert_eq!(*bmp_password(Some("😀".as_bytes())), [0xd8, 0x3d, 0xde, 0, 0, 0]);
    }

    #[test]
    fn too_many_rounds_are_refused_at_once() {
        let mut effort = Effort::default();
        let e = pkcs12(Digest::Sha1, Purpose::Mac, (&[], &[]), 1 << 31, 20, &mut effort);
        assert!(matches!(e, Err(Error::TooMuch { asked: 2_147_483_648, .. })));
    }
}
