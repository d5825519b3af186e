//! Object identifiers as constants: text at the place of use, contents octets in the program.

/// Contents octets of an OBJECT IDENTIFIER known at compile time (X.690 8.19).
#[derive(Clone, Copy)]
pub struct Oid {
    octets: [u8; MAX],
    len: u8,
}

/// The longest object identifier of the schema, in octets.
const MAX: usize = 23;

impl Oid {
    /// The contents octets.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets[..usize::from(self.len)]
    }
}

impl std::fmt::Debug for Oid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02x?}", self.octets())
    }
}

/// The object identifier written in `dotted`, as `2.5.29.15`.
///
/// For constants only: text that is no object identifier stops the compiler.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "masked to seven bits, or at most MAX")]
#[allow(clippy::panic, reason = "evaluated by the compiler only, on text of this program")]
pub const fn oid(dotted: &str) -> Oid {
    let text = dotted.as_bytes();
    let mut octets = [0; MAX];
    let mut len = 0;
    let mut i = 0;
    let mut arcs = 0;
    let mut first = 0;
    while i < text.len() {
        let mut arc: u64 = 0;
        let start = i;
        while i < text.len() && text[i] != b'.' {
            assert!(text[i].is_ascii_digit(), "an arc has digits only");
            arc = arc * 10 + (text[i] - b'0') as u64;
            i += 1;
        }
        assert!(i > start, "an arc has at least one digit");
        i += 1;
        arcs += 1;
        if arcs == 1 {
            assert!(arc <= 2, "the first arc is 0, 1 or 2");
            first = arc;
            continue;
        }
        if arcs == 2 {
            assert!(first == 2 || arc < 40, "the second arc is below 40");
            arc += first * 40;
        }
        let groups = if arc == 0 { 1 } else { (64 - arc.leading_zeros()).div_ceil(7) };
        let mut group = groups;
        while group > 0 {
            group -= 1;
            let more = if group > 0 { 0x80 } else { 0 };
            octets[len] = (arc >> (group * 7)) as u8 & 0x7f | more;
            len += 1;
        }
    }
    assert!(arcs >= 2, "an object identifier has two arcs at least");
    Oid { octets, len: len as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_encoded_in_base_128() {
        assert_eq!(oid("2.5.29.15").octets(), [0x55, 0x1d, 0x0f]);
        assert_eq!(oid("1.2.840.113549.1.1.11").octets(), [42, 134, 72, 134, 247, 13, 1, 1, 11]);
        assert_eq!(oid("2.999").octets(), [0x88, 0x37]);
        assert_eq!(oid("0.0").octets(), [0]);
    }
}
