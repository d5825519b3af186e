//! Many octet strings in one piece of memory.

/// Octet strings one after the other; cleared and filled again, it keeps its memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arena {
    octets: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
}

impl Arena {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self { octets: Vec::new(), ends: Vec::new() }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// True when there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The one of that number, from 0; none has no octets.
    #[must_use]
    pub fn get(&self, index: usize) -> &[u8] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.octets[start..end]
    }

    /// All in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Takes out all, keeping the memory.
    pub fn clear(&mut self) {
        self.octets.clear();
        self.ends.clear();
    }

    /// Takes out all, and has the system give the memory for so many octets now.
    pub fn warm(&mut self, octets: usize) {
        self.clear();
        self.octets.resize(octets, 0);
        self.octets.clear();
    }

    /// Adds one.
    pub fn push(&mut self, octets: &[u8]) {
        self.octets.extend_from_slice(octets);
        self.ends.push(self.octets.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_in_comes_out() {
        let mut arena = Arena::new();
        for _ in 0..2 {
            arena.clear();
            assert!(arena.is_empty());
            for octets in [&b"one"[..], b"", b"three"] {
                arena.push(octets);
            }
            assert_eq!(arena.len(), 3);
            assert!(arena.iter().eq([&b"one"[..], b"", b"three"]));
            assert_eq!(arena.get(2), b"three");
            assert_eq!(arena.get(3), b"");
        }
    }
}
