//! What comes out of a container.

use std::fmt;

use zeroize::Zeroizing;

use crate::asn1::{Error, Rule, Span};
use crate::pki::attribute::Value;
use crate::pki::crypto;
use crate::pki::list::List;
use crate::pki::object::{Kind, classify};

/// An object that was in a container.
#[derive(Clone, PartialEq, Eq)]
pub struct Inner {
    /// What it is.
    pub kind: Kind,
    /// Where it was, as `signedData.certificates[2]` or `authSafe[0].bag[1]`.
    pub place: String,
    /// The name that the container gives it (friendlyName), as it was written there.
    pub label: Option<String>,
    /// The object. It may be a private key: it is overwritten when dropped.
    pub der: Zeroizing<Vec<u8>>,
    /// Where it stands in the container, when it stands there as it is.
    pub span: Option<Span>,
}

impl fmt::Debug for Inner {
    /// Without the octets, which may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner")
            .field("kind", &self.kind)
            .field("place", &self.place)
            .field("label", &self.label)
            .field("length", &self.der.len())
            .field("span", &self.span)
            .finish()
    }
}

/// Why something was not taken out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoteKind {
    /// It does not read.
    #[error(transparent)]
    Encoding(#[from] Error),
    /// It could not be decrypted, or its integrity not be checked.
    #[error(transparent)]
    Crypto(crypto::Error),
    /// No password gives the MAC of the container.
    #[error("the MAC fits no password")]
    Mac,
    /// It is encrypted to the holder of a private key.
    #[error("encrypted to a private key, not to a password")]
    ForRecipient,
    /// Bags in bags, deeper than is followed.
    #[error("bags are nested deeper than {0} levels")]
    TooDeep(usize),
    /// More objects than are taken out.
    #[error("{0} further objects are not taken out")]
    Omitted(u64),
    /// More notes than are kept.
    #[error("{0} further notes are left out")]
    NotesOmitted(u64),
}

impl From<crypto::Error> for NoteKind {
    fn from(error: crypto::Error) -> Self {
        match error {
            crypto::Error::Encoding(e) => Self::Encoding(e),
            other => Self::Crypto(other),
        }
    }
}

impl NoteKind {
    /// The rule behind it, where one is broken.
    #[must_use]
    pub fn rule(&self) -> Option<&'static Rule> {
        match self {
            Self::Encoding(e) => Some(e.rule),
            Self::Crypto(e) => e.rule(),
            _ => None,
        }
    }

    /// True when a password that was not given would help.
    #[must_use]
    pub const fn is_locked(&self) -> bool {
        matches!(self, Self::Mac | Self::Crypto(crypto::Error::WrongPassword))
    }
}

/// Something that was not taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Where it is; empty for the container as a whole.
    pub place: String,
    /// Why.
    pub kind: NoteKind,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        self.kind.fmt(f)
    }
}

/// All that came out of a container.
#[derive(Debug, Clone, Default)]
pub struct Unpacked {
    /// The objects, in the order of the container.
    pub objects: Vec<Inner>,
    /// What was not taken out, and why.
    pub notes: Vec<Note>,
}

/// Objects that are taken out of one container; two octets can be one.
const MOST_OBJECTS: usize = 1_000_000;
/// Notes that are kept for one container.
const MOST_NOTES: usize = 100;

/// Collects, within limits.
#[derive(Debug, Default)]
pub(super) struct Output {
    unpacked: Unpacked,
    objects_omitted: u64,
    notes_omitted: u64,
    spans: bool,
}

impl Output {
    /// Whether spans of objects mean something.
    pub(super) fn keep_spans(&mut self, keep: bool) {
        self.spans = keep;
    }

    pub(super) fn add(
        &mut self,
        kind: Kind,
        place: impl Into<String>,
        label: Option<String>,
        der: &[u8],
        span: Option<Span>,
    ) {
        if self.unpacked.objects.len() >= MOST_OBJECTS {
            self.objects_omitted += 1;
            return;
        }
        self.unpacked.objects.push(Inner {
            kind,
            place: place.into(),
            label,
            der: Zeroizing::new(der.to_vec()),
            span: span.filter(|_| self.spans),
        });
    }

    pub(super) fn note(&mut self, place: &str, kind: impl Into<NoteKind>) {
        if self.unpacked.notes.len() >= MOST_NOTES {
            self.notes_omitted += 1;
        } else {
            self.unpacked.notes.push(Note { place: place.to_owned(), kind: kind.into() });
        }
    }

    /// Adds the values of a list as they are; `label` says what PEM would call a value with
    /// this tag, if it has a kind.
    pub(super) fn list(
        &mut self,
        place: &str,
        values: List<'_, Value<'_>>,
        label: impl Fn(u8) -> Option<&'static str>,
    ) {
        for (i, value) in values.iter().enumerate() {
            match value {
                Ok(value) => {
                    let kind = match label(value.tlv().tag) {
                        Some(label) => classify(value.der(), Some(label)),
                        None => Kind::Der,
                    };
                    let span = Some(value.tlv().span());
                    self.add(kind, format!("{place}[{i}]"), None, value.der(), span);
                }
                Err(e) => self.note(&format!("{place}[{i}]"), e),
            }
        }
    }

    pub(super) fn finish(mut self) -> Unpacked {
        let mut last = |kind| self.unpacked.notes.push(Note { place: String::new(), kind });
        if self.notes_omitted > 0 {
            last(NoteKind::NotesOmitted(self.notes_omitted));
        }
        if self.objects_omitted > 0 {
            last(NoteKind::Omitted(self.objects_omitted));
        }
        self.unpacked
    }
}
