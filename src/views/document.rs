//! Documents: the objects that were opened, and where they stand.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};
use std::path::PathBuf;
use std::sync::Arc;

use crate::asn1::sniff::{self, Encoding, Fault, Found, Mark};

/// Octets that several hold: a whole source, or a part of it.
#[derive(Clone)]
pub struct Octets {
    whole: Arc<dyn Deref<Target = [u8]> + Send + Sync>,
    range: Range<usize>,
}

impl Octets {
    /// All octets of `whole`.
    #[must_use]
    pub fn new(whole: Arc<dyn Deref<Target = [u8]> + Send + Sync>) -> Self {
        let range = 0..whole.len();
        Self { whole, range }
    }

    /// A part of them, cut where they end.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let place = |at: usize| self.range.start.saturating_add(at).min(self.range.end);
        let (start, end) = (place(range.start), place(range.end));
        Self { whole: Arc::clone(&self.whole), range: start..end.max(start) }
    }
}

impl From<Vec<u8>> for Octets {
    fn from(octets: Vec<u8>) -> Self {
        Self::new(Arc::new(octets))
    }
}

impl Deref for Octets {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // A `whole` that became shorter since then shows nothing.
        self.whole.get(self.range.clone()).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Octets {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Octets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} octets", self.len())
    }
}

/// What was opened: a file, a pipe, a sample.
#[derive(Debug)]
pub struct Source {
    /// Its name for people, safe for a terminal.
    pub name: String,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
    /// What it holds.
    pub octets: Octets,
}

/// One object of a source, or a part of it in which there is none.
///
/// It is small: octets that stand in a text are decoded when they are asked for, not kept.
#[derive(Debug, Clone)]
pub struct Document {
    /// Where it stands.
    pub source: Arc<Source>,
    /// Where it begins in the source, in octets.
    pub offset: u64,
    /// How many octets of the source it takes.
    pub length: u64,
    /// How it is written there.
    pub encoding: Encoding,
    /// The label of the PEM block, as it stands: not safe for a terminal.
    pub label: Option<String>,
    /// Why it is no whole object.
    pub fault: Option<Fault>,
    /// What is wrong with the text around it.
    pub notes: Vec<Fault>,
    place: Place,
}

/// How to come to the octets of an object.
#[derive(Debug, Clone)]
enum Place {
    /// They stand in the source as they are.
    Here(Range<usize>),
    /// They are decoded from the text.
    Text(Mark),
    /// They were made, as what is unpacked from a container.
    Made(Octets),
}

impl Document {
    /// An entry that [`sniff::objects`] found in `source`.
    #[must_use]
    pub fn found(source: &Arc<Source>, found: Found<'_>) -> Self {
        let start = usize::try_from(found.offset).unwrap_or(usize::MAX);
        let place = match &found.der {
            Cow::Borrowed(octets) => Place::Here(start..start.saturating_add(octets.len())),
            Cow::Owned(_) => Place::Text(found.mark),
        };
        Self {
            source: Arc::clone(source),
            offset: found.offset,
            length: found.length,
            encoding: found.encoding,
            label: found.label,
            fault: found.error,
            notes: found.notes,
            place,
        }
    }

    /// An object that was made from this document, as one unpacked from a container; it stands
    /// where the container stands.
    #[must_use]
    pub fn made(&self, octets: Vec<u8>, label: Option<String>) -> Self {
        let place = Place::Made(octets.into());
        Self { label, fault: None, notes: Vec::new(), place, ..self.clone() }
    }

    /// The octets of the object; as much of them as there is when it is broken.
    #[must_use]
    pub fn octets(&self) -> Octets {
        match &self.place {
            Place::Here(range) => self.source.octets.part(range.clone()),
            Place::Text(mark) => {
                let found = sniff::open(&self.source.octets, *mark);
                found.map(|found| found.der.into_owned()).unwrap_or_default().into()
            }
            Place::Made(octets) => octets.clone(),
        }
    }
}

/// What the job that opens documents hands over, part by part.
#[derive(Debug)]
pub enum Loaded {
    /// More documents, in their order.
    Documents(Vec<Document>),
    /// Something that could not be opened: one line, safe for a terminal.
    Failure(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(octets: &[u8]) -> Vec<Document> {
        let octets = Octets::from(octets.to_vec());
        let source = Arc::new(Source { name: "test".into(), path: None, octets });
        sniff::objects(&source.octets).map(|found| Document::found(&source, found)).collect()
    }

    #[test]
    fn binary_stays_where_it_is() {
        let found = documents(&[0x30, 0x00, 0x02, 0x01, 0x05]);
        let octets: Vec<Vec<u8>> = found.iter().map(|one| one.octets().to_vec()).collect();
        assert_eq!(octets, [vec![0x30, 0x00], vec![0x02, 0x01, 0x05]]);
        assert_eq!((found[1].offset, found[1].length), (2, 3));
        let made = found[1].made(vec![0x05, 0x00], None);
        assert_eq!((&*made.octets(), made.offset), (&[0x05, 0x00][..], 2));
    }

    #[test]
    fn text_is_decoded_again() {
        let text = "-----BEGIN X-----\nMAA=\n-----END X-----\n\
            -----BEGIN Y-----\nAgEFAgEG\n-----END Y-----\n";
        let found = documents(text.as_bytes());
        let octets: Vec<Vec<u8>> = found
            .iter()
            .filter(|one| one.label.is_some())
            .map(|one| one.octets().to_vec())
            .collect();
        assert_eq!(octets[0], [0x30, 0x00]);
        assert_eq!(octets[1..].concat(), [0x02, 0x01, 0x05, 0x02, 0x01, 0x06]);
    }

    #[test]
    fn parts_are_cut_at_the_end() {
        let whole = Octets::from(vec![0, 1, 2, 3, 4]);
        assert_eq!(&*whole.part(1..3), [1, 2]);
        assert_eq!(&*whole.part(1..4).part(1..9), [2, 3]);
        #[expect(clippy::reversed_empty_ranges, reason = "it must not panic")]
        let none = whole.part(4..2);
        assert!(none.is_empty() && whole.part(9..usize::MAX).is_empty());
    }
}
