//! Where values of indefinite length end.

use std::collections::HashMap;

use crate::asn1::Header;

/// Where a value of indefinite length ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Offset after the end-of-contents octets, or the end of the enclosing value.
    pub at: u32,
    /// False when the end-of-contents octets are missing.
    pub closed: bool,
}

/// Ends of the indefinite values of one object, found for a whole nest in one pass.
#[derive(Debug, Default)]
pub struct Ends {
    known: HashMap<u32, End>,
}

impl Ends {
    /// The end of the indefinite value with this header; `within` ends where the enclosing
    /// value ends.
    pub fn find(&mut self, within: &[u8], header: &Header) -> End {
        if let Some(end) = self.known.get(&header.start) {
            return *end;
        }
        let limit = u32::try_from(within.len()).unwrap_or(u32::MAX);
        let mut open = vec![header.start];
        let mut at = header.content;
        while !open.is_empty() {
            let next = if at < limit { Header::read_clamped(within, at).ok() } else { None };
            match next {
                None => {
                    let end = End { at: limit, closed: false };
                    self.known.extend(open.drain(..).map(|start| (start, end)));
                }
                Some((h, _)) if h.is_end_of_contents() => {
                    at = h.content;
                    if let Some(start) = open.pop() {
                        self.known.insert(start, End { at, closed: true });
                    }
                }
                Some((h, _)) => {
                    at = h.end().unwrap_or_else(|| {
                        open.push(h.start);
                        h.content
                    });
                }
            }
        }
        self.known.get(&header.start).copied().unwrap_or(End { at: limit, closed: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_nest_are_found_in_one_pass() {
        let mut ber = [0x30, 0x80].repeat(3);
        ber.extend_from_slice(&[0; 6]);
        let mut ends = Ends::default();
        let first = Header::read(&ber, 0).unwrap();
        assert_eq!(ends.find(&ber, &first), End { at: 12, closed: true });
        assert_eq!(ends.known.len(), 3);
    }
}
