//! Objects written as text: what is decoded, and where it stands in the text.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;

use super::entry::{Encoding, Fault};
use super::hex;
use super::split::{begins_object, declared_length};
use crate::asn1::Rule;
use crate::asn1::pem::base64::{self, Form, Locator};
use crate::asn1::pem::{self, Block};

/// A fault at a position in the text.
pub type TextFault = (usize, &'static Rule, Option<String>);

/// Octets that are looked at to tell one kind of text from another.
const SAMPLE: usize = 512;

/// A source, and the same as text of one octet a character.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    pub source: &'a [u8],
    /// The text when the source is UTF-16; characters beyond ASCII are 0x80 in it.
    wide: Option<Vec<u8>>,
}

impl<'a> Input<'a> {
    pub fn new(source: &'a [u8]) -> Self {
        Self { source, wide: wide(source) }
    }

    pub fn is_wide(&self) -> bool {
        self.wide.is_some()
    }

    pub fn text(&self) -> &[u8] {
        self.wide.as_deref().unwrap_or(self.source)
    }

    /// The octet of the source for a position in the text. The end of UTF-16 text takes the
    /// odd octet there with it.
    pub fn place(&self, at: usize) -> u64 {
        let at = match &self.wide {
            Some(text) if at < text.len() => at * 2,
            Some(_) => self.source.len(),
            None => at,
        };
        at as u64
    }

    /// Offset and length in the source of a range of the text.
    pub fn range(&self, start: usize, end: usize) -> (u64, u64) {
        let (start, end) = (self.place(start), self.place(end));
        (start, end.saturating_sub(start))
    }

    pub fn fault(&self, (at, rule, detail): TextFault) -> Fault {
        Fault { offset: self.place(at), rule, detail }
    }

    /// The end of the byte order mark, if the text begins with one and does not end there.
    pub fn byte_order_mark(&self) -> Option<usize> {
        let mark: &[u8] = if self.is_wide() { &[0x80] } else { &[0xef, 0xbb, 0xbf] };
        let text = self.text();
        (text.len() > mark.len() && text.starts_with(mark)).then_some(mark.len())
    }
}

/// The characters of UTF-16 text, one octet each; `None` when the source is something else.
///
/// Without a byte order mark it must hold a BEGIN line to be taken for UTF-16: short DER
/// values can look the same.
fn wide(source: &[u8]) -> Option<Vec<u8>> {
    let little = match source {
        [0xff, 0xfe, ..] => true,
        [0xfe, 0xff, ..] => false,
        [0, first, 0, second, ..] | [first, 0, second, 0, ..]
            if is_text(*first) && is_text(*second) =>
        {
            let little = source[1] == 0;
            let begin: Vec<u8> = b"-----BEGIN ".iter().flat_map(|c| [*c, 0]).collect();
            let begin = if little { &begin[..] } else { &begin[..begin.len() - 1] };
            memmem::find(source, begin)?;
            little
        }
        _ => return None,
    };
    let units = source.as_chunks::<2>().0;
    let narrow = |unit: &[u8; 2]| {
        let unit = if little { u16::from_le_bytes(*unit) } else { u16::from_be_bytes(*unit) };
        u8::try_from(unit).ok().filter(u8::is_ascii).unwrap_or(0x80)
    };
    Some(units.iter().map(narrow).collect())
}

/// True for ASCII characters that text has: printable ones, white space, ESC of colours.
pub fn is_text(c: u8) -> bool {
    matches!(c, b' '..=b'~' | b'\t'..=b'\r' | 0x1b)
}

/// True when `window` is UTF-8, as far as its last character is whole.
pub fn is_utf8(window: &[u8]) -> bool {
    match std::str::from_utf8(window) {
        Ok(_) => true,
        Err(e) => e.error_len().is_none(),
    }
}

/// A decoded text, from which entries are taken.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Where it stands in the text, PEM with its BEGIN and END lines.
    pub range: Range<usize>,
    /// The encoded text itself.
    body: Range<usize>,
    pub encoding: Encoding,
    pub label: Option<String>,
    pub headers: Vec<(String, String)>,
    pub octets: Vec<u8>,
    /// Octets already listed.
    pub within: usize,
    /// True when the octets are not to be read as values.
    pub whole: bool,
    /// Why the octets end where they end.
    pub error: Option<TextFault>,
    pub notes: Vec<TextFault>,
    finder: Finder,
}

#[derive(Debug, Clone, Copy)]
enum Finder {
    Base64(Locator),
    Hex(hex::Cursor),
}

impl Opened {
    /// The place in the text where octet `octet` begins. The first octet takes the BEGIN line
    /// with it, the end of the octets the END line. To be asked in rising order.
    pub fn locate(&mut self, text: &[u8], octet: usize) -> usize {
        if octet == 0 {
            return self.range.start;
        }
        if octet >= self.octets.len() {
            return self.range.end;
        }
        let body = &text[self.body.clone()];
        self.body.start
            + match &mut self.finder {
                Finder::Base64(locator) => locator.find(body, octet),
                Finder::Hex(cursor) => cursor.find(body, octet),
            }
    }
}

/// The result of a decoding that can be cancelled.
pub enum Decoded {
    Done(Box<Opened>),
    Cancelled,
}

/// Decodes a PEM block.
pub fn open_block(text: &[u8], block: Block, cancel: Option<&AtomicBool>) -> Decoded {
    let label = &text[block.label.clone()];
    let (headers, start) = pem::headers(text, block.body.clone());
    let body = start..block.body.end;
    let mut opened = Opened {
        range: block.range,
        body: body.clone(),
        encoding: Encoding::Pem,
        label: Some(String::from_utf8_lossy(label).into_owned()),
        headers,
        octets: Vec::new(),
        within: 0,
        whole: false,
        error: None,
        notes: Vec::new(),
        finder: Finder::Base64(Locator::new(Form::Pem)),
    };
    let begin = opened.range.start;
    if pem::is_foreign(label) {
        opened.error = Some((begin, &pem::PEM_FOREIGN, None));
        opened.whole = true;
        return Decoded::Done(Box::new(opened));
    }
    let outcome = base64::decode(&text[body.clone()], Form::Pem, cancel, &mut opened.octets);
    if outcome.cancelled {
        return Decoded::Cancelled;
    }
    let at = |(at, rule)| character_fault(text, body.start + at, rule);
    opened.error = outcome.error.map(at);
    opened.notes.extend(outcome.note.map(at));
    match &block.end {
        None => {
            opened.notes.extend(opened.error.take());
            opened.error = Some((begin, &pem::PEM_END_MISSING, None));
        }
        Some(end) => {
            let end_label = &text[end.label.clone()];
            if !end.closed {
                opened.notes.push((end.label.start, &pem::PEM_END_LINE, None));
            } else if end_label != label {
                let detail = format!("{} and {}", label.escape_ascii(), end_label.escape_ascii());
                opened.notes.push((end.label.start, &pem::PEM_LABEL, Some(detail)));
            }
        }
    }
    if opened.octets.is_empty() && opened.error.is_none() {
        opened.error = Some((begin, &pem::PEM_EMPTY, None));
    }
    let encrypted = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("Proc-Type") && value.to_ascii_uppercase().contains("ENCRYPTED")
    };
    if opened.headers.iter().any(encrypted) {
        opened.whole = true;
        opened.error = opened.error.take().or(Some((begin, &pem::PEM_ENCRYPTED, None)));
    }
    Decoded::Done(Box::new(opened))
}

/// A fault that shows the character it stands at.
fn character_fault(text: &[u8], at: usize, rule: &'static Rule) -> TextFault {
    let shown = *rule == base64::BASE64_CHARACTER || *rule == hex::HEX_DIGIT;
    let c = text.get(at).filter(|c| shown && c.is_ascii());
    (at, rule, c.map(|c| format!("{:?}", char::from(*c))))
}

/// Decodes the text from `at` on as hexadecimal or base64 text; `None` when it is neither.
pub fn open_bare(text: &[u8], at: usize, cancel: Option<&AtomicBool>) -> Option<Decoded> {
    let body = &text[at..];
    let form = hex::form(body);
    let mut opened = Opened {
        range: at..text.len(),
        body: at..text.len(),
        encoding: Encoding::Hex,
        label: None,
        headers: Vec::new(),
        octets: Vec::new(),
        within: 0,
        whole: false,
        error: None,
        notes: Vec::new(),
        finder: Finder::Hex(hex::Cursor::new(form)),
    };
    if is_hex(body, form) {
        let mut cursor = hex::Cursor::new(form);
        while let Some(item) = cursor.next(body) {
            match item {
                Ok((octet, _)) => opened.octets.push(octet),
                Err((offset, rule)) => {
                    opened.error = Some(character_fault(text, at + offset, rule));
                }
            }
            if opened.octets.len().is_multiple_of(1 << 20)
                && cancel.is_some_and(|c| c.load(Ordering::Relaxed))
            {
                return Some(Decoded::Cancelled);
            }
        }
    } else if is_base64(body) {
        opened.encoding = Encoding::Base64;
        opened.finder = Finder::Base64(Locator::new(Form::Bare));
        let outcome = base64::decode(body, Form::Bare, cancel, &mut opened.octets);
        if outcome.cancelled {
            return Some(Decoded::Cancelled);
        }
        let place = |(offset, rule)| character_fault(text, at + offset, rule);
        opened.error = outcome.error.map(place);
        opened.notes.extend(outcome.note.map(place));
    } else {
        return None;
    }
    Some(Decoded::Done(Box::new(opened)))
}

/// True when the text begins with at least two octets of hexadecimal text and goes on so; or
/// breaks off after what is clearly the start of an object.
fn is_hex(body: &[u8], form: hex::Form) -> bool {
    let mut cursor = hex::Cursor::new(form);
    let mut octets = Vec::new();
    while octets.len() < SAMPLE / 8 {
        match cursor.next(body) {
            Some(Ok((octet, _))) => octets.push(octet),
            Some(Err(_)) => return octets.len() >= 8 && begins_object(&octets),
            None => return octets.len() >= 2,
        }
    }
    true
}

/// True when the text begins with base64 of what can be an object.
fn is_base64(body: &[u8]) -> bool {
    let mut octets = Vec::new();
    let sample = &body[..body.len().min(SAMPLE)];
    let outcome = base64::decode(sample, Form::Bare, None, &mut octets);
    if begins_object(&octets) {
        return outcome.error.is_none() || sample.len() < body.len() || octets.len() >= 12;
    }
    // Words are base64 too. What is no SEQUENCE must fill the text exactly.
    let cut = sample.len() < body.len();
    if outcome.error.is_some_and(|(_, rule)| !cut || *rule == base64::BASE64_CHARACTER) {
        return false;
    }
    let is_digit = |c: &&u8| !c.is_ascii_whitespace() && **c != b'=';
    let total = body.iter().filter(is_digit).count() as u64 * 3 / 4;
    declared_length(&octets) == Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_narrowed_with_its_places() {
        let utf16 = |text: &str, little: bool| -> Vec<u8> {
            let octets = |u: u16| if little { u.to_le_bytes() } else { u.to_be_bytes() };
            text.encode_utf16().flat_map(octets).collect()
        };
        for little in [true, false] {
            let source = utf16("\u{feff}ab\u{20ac}", little);
            let input = Input::new(&source);
            assert_eq!(input.text(), b"\x80ab\x80");
            assert_eq!(input.byte_order_mark(), Some(1));
            assert_eq!(input.range(1, 3), (2, 4));
            let source = utf16("x -----BEGIN A-----", little);
            assert_eq!(Input::new(&source).text(), b"x -----BEGIN A-----");
        }
        let odd = [0xff, 0xfe, b'a', 0, 7];
        assert_eq!(Input::new(&odd).range(1, 2), (2, 3));
        assert!(!Input::new(&[0x30, 0, 0x30, 0, 0x30, 0]).is_wide());
    }

    #[test]
    fn words_are_not_base64() {
        for text in ["hello world", "The quick brown fox", "Certificate", "no", "# comment", "-"] {
            assert!(open_bare(text.as_bytes(), 0, None).is_none(), "{text}");
        }
    }
}
