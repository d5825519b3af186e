//! What the workers make: octets in arenas, found again by number.

/// What one worker made: one arena, no allocation an object.
#[derive(Debug, Default)]
pub struct Sheaf {
    /// The objects one after the other, with what was between them while they were made.
    pub octets: Vec<u8>,
    /// Number, start and end of each object.
    pub places: Vec<(usize, usize, usize)>,
}

impl Sheaf {
    /// Notes that the object with this number stands there.
    pub fn add(&mut self, number: usize, place: std::ops::Range<usize>) {
        self.places.push((number, place.start, place.end));
    }

    /// Forgets the objects and has the system give the memory for so many octets now.
    pub fn warm(&mut self, octets: usize, objects: usize) {
        self.octets.resize(octets.max(self.octets.len()), 0);
        self.places.reserve(objects);
        self.clear();
    }

    /// Forgets the objects and keeps the memory.
    fn clear(&mut self) {
        self.octets.clear();
        self.places.clear();
    }
}

/// What all workers made in a stage, in the order of the numbers.
#[derive(Debug, Default)]
pub struct Products {
    sheaves: Vec<Sheaf>,
    /// Sheaf, start and end by number.
    order: Vec<(usize, usize, usize)>,
}

impl Products {
    /// Takes the sheaves of all workers, which together hold the numbers 0 to `count`.
    pub fn gather(&mut self, count: usize, sheaves: impl IntoIterator<Item = Sheaf>) {
        self.sheaves.clear();
        self.sheaves.extend(sheaves);
        self.order.clear();
        self.order.resize(count, (0, 0, 0));
        for (index, sheaf) in self.sheaves.iter().enumerate() {
            for &(number, start, end) in &sheaf.places {
                if let Some(place) = self.order.get_mut(number) {
                    *place = (index, start, end);
                }
            }
        }
    }

    /// A sheaf with the memory of an old one.
    pub fn recycle(&mut self) -> Sheaf {
        let mut sheaf = self.sheaves.pop().unwrap_or_default();
        sheaf.clear();
        sheaf
    }

    /// Octets of all objects together.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.iter().map(<[u8]>::len).sum()
    }

    /// Has the system give memory for `count` objects like these: to each sheaf for more than
    /// its share, as no worker knows how much it will make.
    pub fn warm(&mut self, count: usize) {
        let (made, octets) = (self.count().max(1), self.octets());
        let room = |total: usize, sheaves: usize| total / made * count * 3 / (2 * sheaves) + 4096;
        let sheaves = self.sheaves.len().max(1);
        for sheaf in &mut self.sheaves {
            sheaf.warm(room(octets, sheaves), room(made, sheaves));
        }
        self.order.reserve(count);
    }

    /// How many objects there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The object with this number; empty when nobody made it.
    #[must_use]
    pub fn get(&self, number: usize) -> &[u8] {
        let found = self.order.get(number);
        found
            .and_then(|&(sheaf, start, end)| self.sheaves.get(sheaf)?.octets.get(start..end))
            .unwrap_or_default()
    }

    /// All objects in the order of their numbers.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.count()).map(|number| self.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_come_back_in_order() {
        let mut products = Products::default();
        for _ in 0..2 {
            let (mut one, mut two) = (products.recycle(), products.recycle());
            one.octets.extend(b"ac");
            one.add(0, 0..1);
            one.add(2, 1..2);
            two.octets.extend(b"b");
            two.add(1, 0..1);
            products.gather(4, [one, two]);
            assert_eq!(products.iter().collect::<Vec<_>>(), [&b"a"[..], b"b", b"c", b""]);
            assert_eq!((products.count(), products.get(9)), (4, &b""[..]));
        }
    }
}
