//! Lists of values that are decoded while they are walked.

use std::marker::PhantomData;

use serde::{Serialize, Serializer};

use crate::asn1::tag::octet;
use crate::asn1::{Error, Reader, Span};
use crate::pki::show::ErrorRecord;

/// A value that is read from the cursor of the enclosing value.
pub trait Decode<'a>: Sized {
    /// Reads one value and moves the cursor behind it.
    ///
    /// # Errors
    /// The rule that the encoding breaks, and where.
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error>;
}

/// The contents octets of a `SEQUENCE OF` or `SET OF`, read element by element on demand.
///
/// Two million revoked certificates take as much memory here as none.
#[derive(Debug)]
pub struct List<'a, T> {
    start: u32,
    contents: Reader<'a>,
    item: PhantomData<fn() -> T>,
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for List<'_, T> {}

impl<'a, T: Decode<'a>> List<'a, T> {
    /// The elements that `contents` stands before.
    #[must_use]
    pub fn new(contents: Reader<'a>) -> Self {
        Self { start: contents.offset(), contents, item: PhantomData }
    }

    /// Reads the header of a list that has the identifier octet `tag`.
    ///
    /// # Errors
    /// When the next value has another tag.
    pub fn enter(reader: &mut Reader<'a>, tag: u8) -> Result<Self, Error> {
        let start = reader.offset();
        Ok(Self { start, contents: reader.enter(tag)?, item: PhantomData })
    }

    /// As [`List::enter`] for a span that was read before; no elements when it was not.
    #[must_use]
    pub fn within(object: &'a [u8], span: Span, tag: u8) -> Self {
        let mut reader = Reader::within(object, span);
        Self::enter(&mut reader, tag)
            .unwrap_or_else(|_| Self::new(Reader::within(object, Span::default())))
    }

    /// Reads the header of a `SEQUENCE OF`.
    ///
    /// # Errors
    /// When the next value is no SEQUENCE.
    pub fn sequence(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Self::enter(reader, octet::SEQUENCE)
    }

    /// The elements in order. After an error there is nothing more.
    #[must_use]
    pub const fn iter(&self) -> Items<'a, T> {
        Items { reader: self.contents, failed: false, item: PhantomData }
    }

    /// Walks the whole list.
    ///
    /// # Errors
    /// That of the first element that does not read.
    pub fn validate(&self) -> Result<(), Error> {
        self.iter().try_for_each(|item| item.map(drop))
    }

    /// True when there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// Offset of the list: of its tag, or of its first element where the tag was not read.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.start
    }

    /// The contents octets.
    #[must_use]
    pub const fn contents(&self) -> Reader<'a> {
        self.contents
    }
}

impl<'a, T: Decode<'a>> IntoIterator for &List<'a, T> {
    type Item = Result<T, Error>;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Items<'a, T> {
        self.iter()
    }
}

impl<'a, T: Decode<'a> + Serialize> Serialize for List<'a, T> {
    /// A list; an element that does not read is `{"error": ..}` and the last.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Item::from))
    }
}

/// The iterator of a [`List`].
#[derive(Debug)]
pub struct Items<'a, T> {
    reader: Reader<'a>,
    failed: bool,
    item: PhantomData<fn() -> T>,
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self { reader: self.reader, failed: self.failed, item: PhantomData }
    }
}

impl<'a, T: Decode<'a>> Iterator for Items<'a, T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.reader.is_empty() {
            return None;
        }
        let item = T::decode(&mut self.reader);
        self.failed = item.is_err();
        Some(item)
    }
}

/// A value or the error in its place, as they are serialised.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Item<T> {
    /// It reads.
    Value(T),
    /// It does not.
    Broken {
        /// Why not.
        error: ErrorRecord,
    },
}

impl<T> From<Result<T, Error>> for Item<T> {
    fn from(result: Result<T, Error>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Broken { error: error.into() },
        }
    }
}
