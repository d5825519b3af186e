//! Octets written from the last to the first: lengths are known when they are needed.

use crate::asn1::tag::octet;

/// A few headers and the fixed octets between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Backward {
    octets: [u8; Self::ROOM],
    start: usize,
}

impl Backward {
    /// What nine headers of ten octets take.
    const ROOM: usize = 90;

    pub(super) const fn new() -> Self {
        Self { octets: [0; Self::ROOM], start: Self::ROOM }
    }

    /// Puts `octets` in front; what has no room is left out.
    pub(super) fn raw(&mut self, octets: &[u8]) {
        if let Some(start) = self.start.checked_sub(octets.len()) {
            self.octets[start..self.start].copy_from_slice(octets);
            self.start = start;
        }
    }

    /// Puts a header in front, for a value that ends `after` octets behind what is here
    /// (X.690 8.1.3).
    pub(super) fn header(&mut self, tag: u8, after: usize) {
        let mut length = self.as_bytes().len() + after;
        if length < 0x80 {
            self.octet(length);
        } else {
            let mut count = 0x80;
            while length > 0 {
                self.octet(length);
                length >>= 8;
                count += 1;
            }
            self.octet(count);
        }
        self.octet(tag.into());
    }

    /// Puts the lowest octet of `value` in front.
    const fn octet(&mut self, value: usize) {
        if let Some(start) = self.start.checked_sub(1) {
            self.octets[start] = value.to_le_bytes()[0];
            self.start = start;
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.octets[self.start..]
    }
}

/// The header of a BIT STRING of `octets` whole octets, with the count of unused bits.
pub(super) fn bit_string(octets: usize) -> Backward {
    let mut header = Backward::new();
    header.raw(&[0]);
    header.header(octet::BIT_STRING, octets);
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::writer::Writer;

    #[test]
    fn headers_are_those_of_the_writer() {
        for size in [0, 1, 125, 126, 127, 128, 250, 255, 256, 65_530, 65_536, 1 << 24] {
            let content = vec![7; size];
            let mut w = Writer::new();
            w.sequence(|w| {
                w.null();
                w.explicit(3, |w| w.raw(&content));
            });
            let mut header = Backward::new();
            header.header(octet::context_constructed(3), size);
            header.raw(&[5, 0]);
            header.header(octet::SEQUENCE, size);
            assert_eq!([header.as_bytes(), &content].concat(), w.as_bytes());
            w.clear();
            w.bit_string(&content);
            assert_eq!([bit_string(size).as_bytes(), &content].concat(), w.as_bytes());
        }
    }
}
