//! Finds the objects in octets of unknown form.
//!
//! The input is DER or BER, several values one after the other, PEM with any text around the
//! blocks, bare base64, or hexadecimal text; text may be UTF-16. [`Objects`] goes through it
//! once and lists what it finds. The entries lie one behind the other and cover the input to
//! the last octet: what cannot be read is an entry with a reason, beside what can.
//!
//! How text is told from binary: text has no control octets except white space in its first
//! part. DER nearly always has one there (the tags of INTEGER, OBJECT IDENTIFIER and the
//! strings are control characters); where it has none, a reading as PEM, hexadecimal or base64
//! text goes first, and only what fits none of these is tried as one value.

mod entry;
mod hex;
mod split;
mod text;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::asn1::Header;
use crate::asn1::reader::TRAILING;
use crate::rule;

pub use entry::{Encoding, Fault};
pub use split::MAX_OBJECT;

use super::pem;
use split::{Kind, Piece, piece};
use text::{Decoded, Input, Opened};

rule! {
    EMPTY, "empty-input", "X.690 8.1.1", "the input is empty";
    NO_OBJECT, "no-object", "X.690 8.1.1", "this is neither DER, BER, PEM, base64 nor hexadecimal text";
}

/// One entry of the list of what a source holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'a> {
    /// Where it begins in the source, in octets.
    pub offset: u64,
    /// How many octets of the source it takes (of PEM: of the text, with both lines).
    pub length: u64,
    /// How it is written.
    pub encoding: Encoding,
    /// The label of the BEGIN line, as it stands: not safe for a terminal.
    pub label: Option<String>,
    /// The headers of a PEM block (RFC 1421 4.4), as they stand; only the first entry of a
    /// block has them.
    pub headers: Vec<(String, String)>,
    /// The object, of at most 4 GiB - 1 octets: one value, or as much of it as there is when
    /// `error` says that it is cut short. Empty when there is nothing to open.
    pub der: Cow<'a, [u8]>,
    /// Why this entry is no whole object. An encrypted PEM block has its ciphertext in `der`.
    pub error: Option<Fault>,
    /// What is wrong with the text around a whole object.
    pub notes: Vec<Fault>,
    /// Finds this entry again.
    pub mark: Mark,
}

impl Found<'_> {
    /// True for the text around PEM blocks: nobody needs to list it.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.encoding == Encoding::Text && self.error.is_none()
    }

    /// The same with its own copy of the octets.
    #[must_use]
    pub fn into_owned(self) -> Found<'static> {
        Found { der: Cow::Owned(self.der.into_owned()), ..self }
    }
}

/// Where an entry begins, for [`open`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark {
    /// Position in the text (for UTF-16: in code units).
    at: usize,
    /// Octets before it in the decoded block.
    within: usize,
    state: State,
}

/// What the entries so far say about those to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct State {
    /// Something other than a byte order mark came before.
    started: bool,
    /// A PEM block came before.
    pem: bool,
    /// The entry before is binary.
    binary: bool,
}

/// The entries of a source, found one at a time.
///
/// All the work is done in `next`: nothing is decoded before it is asked for, and a block is
/// forgotten when the next one is opened. All entries together take time linear in the source.
#[derive(Debug, Clone)]
pub struct Objects<'a> {
    input: Input<'a>,
    at: usize,
    state: State,
    scanner: pem::Scanner,
    opened: Option<Box<Opened>>,
    cancel: Option<&'a AtomicBool>,
    done: bool,
}

/// The entries of `source`.
#[must_use]
pub fn objects(source: &[u8]) -> Objects<'_> {
    Objects {
        input: Input::new(source),
        at: 0,
        state: State::default(),
        scanner: pem::Scanner::default(),
        opened: None,
        cancel: None,
        done: false,
    }
}

/// The entry that has this mark, decoded again; `None` when the source has changed.
#[must_use]
pub fn open(source: &[u8], mark: Mark) -> Option<Found<'_>> {
    let mut objects = objects(source);
    objects.at = mark.at;
    objects.state = mark.state;
    objects.find(|found| found.mark.within >= mark.within).filter(|found| found.mark == mark)
}

/// What stands at the present place.
enum Step {
    Binary,
    /// Text around PEM blocks.
    Around(usize),
    /// Text in which nothing can be found.
    Nothing(usize),
    /// A byte order mark.
    ByteOrder(usize),
    Opened(Box<Opened>),
    Cancelled,
}

impl<'a> Objects<'a> {
    /// Ends early, in the middle of an entry too, when the flag is set.
    #[must_use]
    pub fn cancelled_by(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// How far into the source the entries so far reach, in octets.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.input.place(self.at)
    }

    /// An entry without an object.
    fn blank(&self, start: usize, end: usize, encoding: Encoding) -> Found<'a> {
        let (offset, length) = self.input.range(start, end);
        Found {
            offset,
            length,
            encoding,
            label: None,
            headers: Vec::new(),
            der: Cow::Borrowed(&[]),
            error: None,
            notes: Vec::new(),
            mark: Mark { at: start, within: 0, state: self.state },
        }
    }

    fn step(&mut self) -> Step {
        let at = self.at;
        let text = self.input.text();
        if at == 0
            && let Some(end) = self.input.byte_order_mark()
        {
            return Step::ByteOrder(end);
        }
        if !self.input.is_wide() && is_binary(text, at, &mut self.scanner) {
            return Step::Binary;
        }
        if let Some(block) = self.scanner.block(text, at) {
            return match text::open_block(text, block, self.cancel) {
                Decoded::Done(opened) => Step::Opened(opened),
                Decoded::Cancelled => Step::Cancelled,
            };
        }
        if let Some(begin) = self.scanner.begin(text, at) {
            return if self.state.binary { Step::Nothing(begin) } else { Step::Around(begin) };
        }
        if self.state.binary {
            return Step::Nothing(text.len());
        }
        if self.state.pem || self.scanner.end(text, at).is_some() {
            return Step::Around(text.len());
        }
        match text::open_bare(text, at, self.cancel) {
            Some(Decoded::Done(opened)) => Step::Opened(opened),
            Some(Decoded::Cancelled) => Step::Cancelled,
            None if !self.input.is_wide() && split::is_one_value(&text[at..]) => Step::Binary,
            None => Step::Nothing(text.len()),
        }
    }

    /// The binary value or junk at the present place.
    fn binary(&mut self) -> Found<'a> {
        let at = self.at;
        let source = self.input.source;
        let mut piece = piece(source, at, !self.state.started);
        let padding = piece.fault.is_some_and(|(_, rule)| *rule == split::PADDING_ZEROS);
        if piece.kind == Kind::Junk && !padding {
            // PEM may stand behind junk.
            piece.end = self.scanner.begin(source, at).unwrap_or(piece.end);
        }
        let encoding = match piece.kind {
            Kind::Value { ber: false } => Encoding::Der,
            Kind::Value { ber: true } => Encoding::Ber,
            Kind::Junk => Encoding::Unknown,
        };
        let mut found = self.blank(at, piece.end, encoding);
        if piece.kind != Kind::Junk {
            found.der = Cow::Borrowed(&source[at..piece.end.min(at.saturating_add(MAX_OBJECT))]);
        }
        found.error = piece.fault.map(|(at, rule)| self.input.fault((at, rule, None)));
        self.pass(piece.end);
        self.state.binary = true;
        found
    }

    /// Text that is no block, up to `end`.
    fn text(&mut self, end: usize, encoding: Encoding) -> Found<'a> {
        let at = self.at;
        let mut found = self.blank(at, end, encoding);
        let fault = if encoding == Encoding::Text {
            let stray = self.scanner.end(self.input.text(), at).filter(|stray| *stray < end);
            stray.map(|at| (at, &pem::PEM_BEGIN_MISSING, None))
        } else if self.state.started {
            Some((at, &TRAILING, None))
        } else {
            Some((at, &NO_OBJECT, None))
        };
        found.error = fault.map(|fault| self.input.fault(fault));
        self.pass(end);
        found
    }

    fn pass(&mut self, end: usize) {
        self.at = end;
        self.state.started = true;
        self.state.binary = false;
    }

    /// The next entry of an opened block, `None` when all of it has been listed.
    fn next_in_block(&mut self) -> Option<Found<'a>> {
        let mut opened = self.opened.take()?;
        let text = self.input.text();
        let total = opened.octets.len();
        let within = opened.within;
        let piece = if opened.whole || total == 0 {
            Piece { end: total, kind: Kind::Value { ber: false }, fault: None }
        } else {
            piece(&opened.octets, within, within == 0)
        };
        let last = piece.end >= total;
        let start = opened.locate(text, within);
        let fault = piece.fault.map(|(octet, rule)| (opened.locate(text, octet), rule, None));
        let end = if last { opened.range.end } else { opened.locate(text, piece.end) };
        // What ended the octets too early says more than that a value is cut short by it.
        let fault = if last { opened.error.take().or(fault) } else { fault };
        let mut found = self.blank(start, end, opened.encoding);
        found.mark = Mark { at: opened.range.start, within, state: self.state };
        found.label.clone_from(&opened.label);
        found.headers = std::mem::take(&mut opened.headers);
        found.error = fault.map(|fault| self.input.fault(fault));
        found.notes = opened.notes.drain(..).map(|note| self.input.fault(note)).collect();
        let size = (piece.end - within).min(MAX_OBJECT);
        if piece.kind != Kind::Junk {
            found.der = Cow::Owned(if within == 0 && last {
                let mut octets = std::mem::take(&mut opened.octets);
                octets.truncate(size);
                octets
            } else {
                opened.octets[within..within + size].to_vec()
            });
        }
        if last {
            self.state.pem |= opened.encoding == Encoding::Pem;
            self.pass(opened.range.end);
        } else {
            opened.within = piece.end;
            self.opened = Some(opened);
        }
        Some(found)
    }
}

impl<'a> Iterator for Objects<'a> {
    type Item = Found<'a>;

    fn next(&mut self) -> Option<Found<'a>> {
        if self.done || self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return None;
        }
        if self.opened.is_some() {
            return self.next_in_block();
        }
        if self.at >= self.input.text().len() {
            self.done = true;
            return self.input.source.is_empty().then(|| Found {
                error: Some(self.input.fault((0, &EMPTY, None))),
                ..self.blank(0, 0, Encoding::Unknown)
            });
        }
        match self.step() {
            Step::Binary => Some(self.binary()),
            Step::Around(end) => Some(self.text(end, Encoding::Text)),
            Step::Nothing(end) => Some(self.text(end, Encoding::Unknown)),
            Step::ByteOrder(end) => {
                let found = self.blank(self.at, end, Encoding::Text);
                self.at = end;
                Some(found)
            }
            Step::Opened(opened) => {
                self.opened = Some(opened);
                self.next_in_block()
            }
            Step::Cancelled => {
                self.done = true;
                None
            }
        }
    }
}

/// True when the octets at `at` are binary rather than text.
fn is_binary(bytes: &[u8], at: usize, scanner: &mut pem::Scanner) -> bool {
    let rest = &bytes[at..];
    if let [0x30 | 0x31, 0x80..=0x84, ..] = rest {
        return true;
    }
    let window = &rest[..rest.len().min(512)];
    let text = rest.first().is_some_and(|c| text::is_text(*c));
    if window.iter().all(|c| text::is_text(*c) || *c >= 0x80) {
        let clamped = &rest[..rest.len().min(MAX_OBJECT)];
        !text
            && !text::is_utf8(window)
            && Header::read(clamped, 0).is_ok()
            && scanner.begin(bytes, at).is_none()
    } else {
        // Text with a few control characters is still text where a block follows.
        !text || matches!(rest[0], 0x30 | 0x31) || scanner.begin(bytes, at).is_none()
    }
}

#[cfg(test)]
mod tests;
