//! Octets with holes: an encoding that is made once and filled in for each object.
//!
//! Objects of one template whose variable parts have the same lengths differ in nothing else
//! than these parts: all lengths and all constant octets are equal. So a template is drawn
//! once for each combination of lengths that its numbers can have, of which there are a few
//! dozen up to 2^64, and an object is a copy with its holes filled.

use std::borrow::Cow;

use super::backward::Backward;
use super::number::{Digits, RANDOM_OCTETS, Serial, SerialPolicy, random_text};
use crate::pki::crypto::sha256;

/// Octets of a key identifier.
pub(super) const KEY_ID_OCTETS: usize = 20;

/// A key identifier: the leftmost 160 bits of SHA-256 of the contents of `subjectPublicKey`
/// (RFC 7093 2, method 1).
pub(super) fn key_identifier(public_octets: &[u8]) -> [u8; KEY_ID_OCTETS] {
    let mut identifier = [0; KEY_ID_OCTETS];
    identifier.copy_from_slice(&sha256(public_octets)[..KEY_ID_OCTETS]);
    identifier
}

/// What goes into a hole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hole {
    /// The contents octets of the serial number.
    Serial,
    /// The number in decimal digits.
    Number,
    /// [`random_text`].
    Random,
    /// The octets of the public key.
    Key,
    /// The key identifier of the public key.
    KeyId,
}

/// The lengths of what goes into the holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sizes {
    serial: usize,
    number: usize,
    key: usize,
}

impl Sizes {
    const fn of(self, hole: Hole) -> usize {
        match hole {
            Hole::Serial => self.serial,
            Hole::Number => self.number,
            Hole::Random => RANDOM_OCTETS,
            Hole::Key => self.key,
            Hole::KeyId => KEY_ID_OCTETS,
        }
    }
}

/// A stencil that is being drawn.
#[derive(Debug)]
pub(super) struct Sketch {
    octets: Vec<u8>,
    holes: Vec<(usize, Hole)>,
    sizes: Sizes,
}

impl Sketch {
    /// Octets that are the same in every object.
    pub(super) fn raw(&mut self, octets: &[u8]) {
        self.octets.extend_from_slice(octets);
    }

    /// Room for a part that is another in every object.
    pub(super) fn hole(&mut self, hole: Hole) {
        self.holes.push((self.octets.len(), hole));
        self.octets.resize(self.octets.len() + self.sizes.of(hole), 0);
    }

    /// A value whose contents `body` draws.
    pub(super) fn constructed(&mut self, tag: u8, body: impl FnOnce(&mut Self)) {
        let (start, first) = (self.octets.len(), self.holes.len());
        body(self);
        let mut header = Backward::new();
        header.header(tag, self.octets.len() - start);
        let header = header.as_bytes();
        self.octets.splice(start..start, header.iter().copied());
        for (at, _) in &mut self.holes[first..] {
            *at += header.len();
        }
    }
}

/// What draws the objects of a template.
pub(super) trait Drawing {
    /// Draws an object.
    fn draw(&self, sketch: &mut Sketch);
}

/// An encoding with holes.
#[derive(Debug, Clone)]
struct Stencil {
    octets: Vec<u8>,
    holes: Vec<(usize, Hole)>,
}

impl Stencil {
    fn new(drawing: &impl Drawing, sizes: Sizes) -> Self {
        let mut sketch = Sketch { octets: Vec::new(), holes: Vec::new(), sizes };
        drawing.draw(&mut sketch);
        Self { octets: sketch.octets, holes: sketch.holes }
    }

    fn has(&self, hole: Hole) -> bool {
        self.holes.iter().any(|(_, known)| *known == hole)
    }
}

/// A drawing and its stencils for all lengths that numbers make.
#[derive(Debug, Clone)]
pub(super) struct Stencils<D> {
    drawing: D,
    serials: SerialPolicy,
    seed: u64,
    /// Octets of the keys that the stencils are made for.
    key: usize,
    has_number: bool,
    has_random: bool,
    /// One for each sum of the lengths of serial number and digits: with growing numbers both
    /// grow, and never both at once.
    list: Vec<Stencil>,
    /// The smallest of these sums.
    first: usize,
}

impl<D: Drawing> Stencils<D> {
    /// Draws the stencils for every number from 1 on and keys of `key` octets.
    pub(super) fn new(drawing: D, serials: SerialPolicy, seed: u64, key: usize) -> Self {
        let mut list = Vec::new();
        let (mut has_number, mut has_random, mut first) = (false, false, 0);
        let mut next = Some(1);
        while let Some(number) = next {
            let (serial, digits) = (serials.serial(number), Digits::of(number));
            let sizes =
                Sizes { serial: serial.as_bytes().len(), number: digits.as_bytes().len(), key };
            let stencil = Stencil::new(&drawing, sizes);
            if list.is_empty() {
                has_number = stencil.has(Hole::Number);
                has_random = stencil.has(Hole::Random);
                first = sizes.serial + if has_number { sizes.number } else { 0 };
            }
            list.push(stencil);
            // The next number with more digits, or with a longer serial number.
            let longer = u32::try_from(sizes.number).ok().filter(|_| has_number);
            let longer = longer.and_then(|digits| 10_u64.checked_pow(digits));
            let larger = (serials == SerialPolicy::Sequential).then_some(sizes.serial * 8 - 1);
            let larger = larger.and_then(|bits| 1_u64.checked_shl(u32::try_from(bits).ok()?));
            next = match (longer, larger) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        Self { drawing, serials, seed, key, has_number, has_random, list, first }
    }

    /// Object `number`, with this public key where one has a place in it.
    pub(super) fn object<'a>(&'a self, number: u64, key: &'a [u8]) -> Object<'a> {
        let serial = self.serials.serial(number);
        let digits = if self.has_number { Digits::of(number) } else { Digits::NONE };
        let (serial_len, number_len) = (serial.as_bytes().len(), digits.as_bytes().len());
        let known = self.list.get(serial_len + number_len - self.first);
        let stencil = known.filter(|_| key.len() == self.key).map_or_else(
            // Another length of key than usual, as of RSA with an unusual exponent.
            || {
                let sizes = Sizes { serial: serial_len, number: number_len, key: key.len() };
                Cow::Owned(Stencil::new(&self.drawing, sizes))
            },
            Cow::Borrowed,
        );
        let random = if self.has_random { random_text(self.seed, number) } else { [0; _] };
        Object { stencil, serial, digits, random, key }
    }
}

/// An object that is about to be written.
#[derive(Debug)]
pub(super) struct Object<'a> {
    stencil: Cow<'a, Stencil>,
    serial: Serial,
    digits: Digits,
    random: [u8; RANDOM_OCTETS],
    key: &'a [u8],
}

impl Object<'_> {
    /// Octets of the object.
    pub(super) fn len(&self) -> usize {
        self.stencil.octets.len()
    }

    /// Appends the object.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.stencil.octets);
        let object = &mut out[start..];
        for &(at, hole) in &self.stencil.holes {
            let mut put = |part: &[u8]| object[at..at + part.len()].copy_from_slice(part);
            match hole {
                Hole::Serial => put(self.serial.as_bytes()),
                Hole::Number => put(self.digits.as_bytes()),
                Hole::Random => put(&self.random),
                Hole::Key => put(self.key),
                Hole::KeyId => put(&key_identifier(self.key)),
            }
        }
    }
}
