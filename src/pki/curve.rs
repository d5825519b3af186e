//! Named elliptic curves: size of the group's order and of a field element.
//!
//! Sources: SEC 2 v2 (and v1 for the retired ones), X9.62, RFC 5639, GB/T 32918.5, the French
//! ANSSI notice of 2011.

/// A curve: contents octets of its identifier, bits of the order of its base point, octets of
/// a field element.
struct Curve(&'static [u8], u16, u16);

const SEC: &[u8] = b"\x2b\x81\x04\x00";
const X962: &[u8] = b"\x2a\x86\x48\xce\x3d\x03\x01";
const BRAINPOOL: &[u8] = b"\x2b\x24\x03\x03\x02\x08\x01\x01";

/// Curves outside the three arcs.
static OTHERS: [Curve; 2] = [
    Curve(b"\x2a\x81\x1c\xcf\x55\x01\x82\x2d", 256, 32), // sm2p256v1
    Curve(b"\x2a\x81\x7a\x01\x81\x5f\x65\x82\x00\x01", 256, 32), // FRP256v1
];

/// Order bits and field octets of the curve with the identifier `oid`.
#[allow(clippy::match_same_arms, reason = "a line a curve, in the order of the registry")]
fn sizes(oid: &[u8]) -> Option<(u16, u16)> {
    let (&last, arc) = oid.split_last()?;
    let bits = match (arc, last) {
        (SEC, 1) => return Some((163, 21)),
        (SEC, 2) => return Some((162, 21)),
        (SEC, 3) => return Some((238, 30)),
        (SEC, 4 | 5) => return Some((113, 15)),
        (SEC, 6) => 112,
        (SEC, 7) => return Some((110, 14)),
        (SEC, 8 | 9 | 30) => return Some((161, 20)),
        (SEC, 10) => 256,
        (SEC, 15) => return Some((163, 21)),
        (SEC, 16) => return Some((281, 36)),
        (SEC, 17) => return Some((282, 36)),
        (SEC, 22 | 23) => return Some((131, 17)),
        (SEC, 24 | 25) => return Some((193, 25)),
        (SEC, 26) => return Some((232, 30)),
        (SEC, 27) => return Some((233, 30)),
        (SEC, 28) => 128,
        (SEC, 29) => return Some((126, 16)),
        (SEC, 31) => 192,
        (SEC, 32) => return Some((225, 28)),
        (SEC, 33) => 224,
        (SEC, 34) => 384,
        (SEC, 35) => 521,
        (SEC, 36) => return Some((407, 52)),
        (SEC, 37) => return Some((409, 52)),
        (SEC, 38 | 39) => return Some((570, 72)),
        (X962, 1..=3) => 192,
        (X962, 4..=6) => 239,
        (X962, 7) => 256,
        (BRAINPOOL, 1 | 2) => 160,
        (BRAINPOOL, 3 | 4) => 192,
        (BRAINPOOL, 5 | 6) => 224,
        (BRAINPOOL, 7 | 8) => 256,
        (BRAINPOOL, 9 | 10) => 320,
        (BRAINPOOL, 11 | 12) => 384,
        (BRAINPOOL, 13 | 14) => 512,
        _ => return OTHERS.iter().find(|c| c.0 == oid).map(|c| (c.1, c.2)),
    };
    Some((bits, bits.div_ceil(8)))
}

/// Bits of the order of the curve's base point, which OpenSSL calls the size of its keys.
#[must_use]
pub fn bits(oid: &[u8]) -> Option<u64> {
    sizes(oid).map(|(bits, _)| u64::from(bits))
}

/// Octets of one coordinate of a point.
#[must_use]
pub fn field_octets(oid: &[u8]) -> Option<usize> {
    sizes(oid).map(|(_, octets)| usize::from(octets))
}
