//! Tests that every octet of a string must pass.

/// True when `good` holds for every octet.
///
/// Blocks are tested without an early exit, so that the compiler can test many octets at a
/// time; the last block overlaps the one before it. `good` should be arithmetic on the octet.
#[inline]
pub(in crate::asn1) fn all(bytes: &[u8], good: impl Fn(u8) -> bool + Copy) -> bool {
    match (bytes.last_chunk::<16>(), bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(last), _, _) => {
            bytes.as_chunks::<16>().0.iter().all(|block| block_is(block, good))
                && block_is(last, good)
        }
        (None, Some(first), Some(last)) => block_is(first, good) & block_is(last, good),
        _ => bytes.iter().all(|b| good(*b)),
    }
}

#[inline]
fn block_is<const N: usize>(block: &[u8; N], good: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(true, |all, b| all & good(*b))
}

/// True when `octet` is in `first..first + count`, in one subtraction and one comparison.
#[inline]
pub(in crate::asn1) const fn among(octet: u8, first: u8, count: u8) -> bool {
    octet.wrapping_sub(first) < count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_octet_is_left_out() {
        for len in 0..70 {
            let mut bytes = vec![b'a'; len];
            assert!(all(&bytes, |b| among(b, b'a', 26)));
            for i in 0..len {
                for bad in [b'a' - 1, b'z' + 1, 0, 0xff] {
                    bytes[i] = bad;
                    assert!(!all(&bytes, |b| among(b, b'a', 26)), "{len} {i}");
                }
                bytes[i] = b'z';
            }
        }
    }
}
