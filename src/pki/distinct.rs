//! Octet strings seen before, without a heap for the few that real objects have.

use std::collections::HashSet;

/// How many are remembered before the heap is used.
const INLINE: usize = 12;

/// A set that only grows.
#[derive(Debug, Default)]
pub struct Distinct<'a> {
    few: [&'a [u8]; INLINE],
    len: usize,
    many: HashSet<&'a [u8]>,
}

impl<'a> Distinct<'a> {
    /// Adds `octets`; false when they were there before.
    pub fn insert(&mut self, octets: &'a [u8]) -> bool {
        if self.few[..self.len].contains(&octets) {
            return false;
        }
        if let Some(slot) = self.few.get_mut(self.len) {
            *slot = octets;
            self.len += 1;
            return true;
        }
        self.many.insert(octets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_string_is_new_once() {
        let strings: Vec<[u8; 2]> = (0..1000_u16).map(u16::to_be_bytes).collect();
        let mut seen = Distinct::default();
        assert!(strings.iter().all(|s| seen.insert(s)));
        assert!(!strings.iter().any(|s| seen.insert(s)));
        assert!(seen.insert(&[]) && !seen.insert(&[]));
    }
}
