//! Base64 as it is found (RFC 4648): with line breaks, without padding, in either alphabet.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::asn1::Rule;
use crate::rule;

rule! {
    BASE64_CHARACTER, "base64-character", "RFC 4648 3.3", "a character outside the base64 alphabet";
    BASE64_PADDING, "base64-padding", "RFC 4648 3.2", "the padding of base64 text is wrong";
    BASE64_LENGTH, "base64-length", "RFC 4648 4", "base64 text ends with a single character of a group";
    BASE64_BITS, "base64-bits", "RFC 4648 3.5", "the unused bits at the end of base64 text are not zero";
}

/// Which characters stand for 62 and 63, and what may follow padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `+` and `/`; padding ends the text (RFC 7468 3).
    Pem,
    /// `+` or `-`, `/` or `_`; a new run may follow padding, and padding may be missing.
    Bare,
}

/// How a decoding went. Offsets count from the first octet of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcome {
    /// What stopped it; the octets decoded up to there are good.
    pub error: Option<(usize, &'static Rule)>,
    /// What is wrong but did not stop it; only the first of them.
    pub note: Option<(usize, &'static Rule)>,
    /// True when it stopped because it was cancelled.
    pub cancelled: bool,
}

const SPACE: u8 = 64;
const PAD: u8 = 65;
const ESCAPE: u8 = 66;
const BAD: u8 = 255;

static PEM: [u8; 256] = table(Form::Pem);
static BARE: [u8; 256] = table(Form::Bare);

/// Text that is decoded between two looks at the cancel flag.
const CHUNK: usize = 1 << 20;

const fn table(form: Form) -> [u8; 256] {
    let mut table = [BAD; 256];
    let mut i = 0_u8;
    while i < 26 {
        table[(b'A' + i) as usize] = i;
        table[(b'a' + i) as usize] = i + 26;
        i += 1;
    }
    i = 0;
    while i < 10 {
        table[(b'0' + i) as usize] = i + 52;
        i += 1;
    }
    table[b'+' as usize] = 62;
    table[b'/' as usize] = 63;
    if matches!(form, Form::Bare) {
        table[b'-' as usize] = 62;
        table[b'_' as usize] = 63;
    }
    table[b' ' as usize] = SPACE;
    i = 9;
    while i <= 13 {
        table[i as usize] = SPACE;
        i += 1;
    }
    table[b'=' as usize] = PAD;
    table[b'\\' as usize] = ESCAPE;
    table
}

const fn table_of(form: Form) -> &'static [u8; 256] {
    match form {
        Form::Pem => &PEM,
        Form::Bare => &BARE,
    }
}

/// True for `\n`, `\r` and `\t` spelled as two characters: PEM inside JSON or a shell string.
fn is_escaped_space(text: &[u8], at: usize) -> bool {
    matches!(text.get(at + 1), Some(b'n' | b'r' | b't'))
}

/// Decodes `text` to the end of `out`. White space is skipped.
///
/// Nothing is lost on an error: what was decoded before it stays in `out`.
pub fn decode(text: &[u8], form: Form, cancel: Option<&AtomicBool>, out: &mut Vec<u8>) -> Outcome {
    let table = table_of(form);
    let mut result = Outcome::default();
    let mut group = Group::default();
    let mut owed = 0;
    let mut padded = false;
    let mut i = 0;
    let mut look = 0;
    while i < text.len() {
        if i >= look {
            look = i + CHUNK;
            out.reserve(text.len().min(look).saturating_sub(i) / 4 * 3 + 3);
            if cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
                result.cancelled = true;
                return result;
            }
        }
        if group.count == 0 && !padded {
            let end = text.len().min(look);
            i += decode_groups(&text[i..end], table, out);
            if i >= end {
                continue;
            }
        }
        match table[usize::from(text[i])] {
            value @ 0..=63 => {
                if padded {
                    if form == Form::Pem {
                        result.error = Some((i, &BASE64_PADDING));
                        return result;
                    }
                    if owed > 0 {
                        result.note.get_or_insert((i, &BASE64_PADDING));
                    }
                    padded = false;
                    owed = 0;
                }
                group.push(value, out);
            }
            SPACE => {}
            PAD if padded && owed > 0 => owed -= 1,
            PAD if !padded && group.count >= 2 => {
                owed = 3 - group.count;
                padded = true;
                if !group.flush(out) {
                    result.note.get_or_insert((i, &BASE64_BITS));
                }
            }
            PAD => {
                result.error = Some((i, &BASE64_PADDING));
                return result;
            }
            ESCAPE if is_escaped_space(text, i) => i += 1,
            _ => {
                group.flush(out);
                result.error = Some((i, &BASE64_CHARACTER));
                return result;
            }
        }
        i += 1;
    }
    let last = text.len().saturating_sub(1);
    match group.count {
        0 if owed > 0 => result.note = result.note.or(Some((last, &BASE64_PADDING))),
        0 => {}
        1 => result.error = Some((last, &BASE64_LENGTH)),
        _ => {
            if !group.flush(out) {
                result.note.get_or_insert((last, &BASE64_BITS));
            }
            if form == Form::Pem {
                result.note.get_or_insert((last, &BASE64_PADDING));
            }
        }
    }
    result
}

/// Whole groups of four characters without anything between them; how many octets of text.
fn decode_groups(text: &[u8], table: &[u8; 256], out: &mut Vec<u8>) -> usize {
    let mut used = 0;
    for four in text.as_chunks::<4>().0 {
        let [a, b, c, d] = four.map(|x| table[usize::from(x)]);
        if (a | b | c | d) >= 64 {
            break;
        }
        out.extend_from_slice(&[a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
        used += 4;
    }
    used
}

/// Characters that do not make a whole group of four yet.
#[derive(Default)]
struct Group {
    bits: u32,
    count: u8,
}

impl Group {
    fn push(&mut self, value: u8, out: &mut Vec<u8>) {
        self.bits = self.bits << 6 | u32::from(value);
        self.count += 1;
        if self.count == 4 {
            out.extend_from_slice(&self.bits.to_be_bytes()[1..]);
            *self = Self::default();
        }
    }

    /// Ends a short group; false when the bits left over are not zero.
    fn flush(&mut self, out: &mut Vec<u8>) -> bool {
        let octets = (self.bits << (6 * (4 - u32::from(self.count.min(4))))).to_be_bytes();
        let whole = usize::from(self.count.saturating_sub(1));
        out.extend_from_slice(&octets[1..=whole]);
        let clean = octets[1 + whole..].iter().all(|b| *b == 0);
        *self = Self::default();
        clean || whole == 0
    }
}

/// Finds the character where a decoded octet begins, for octets asked in rising order.
///
/// All the questions about one text together take time linear in it.
#[derive(Debug, Clone, Copy)]
pub struct Locator {
    form: Form,
    at: usize,
    /// Octets before the present run.
    before: usize,
    /// Characters of the present run before `at`, and the place of the last of them.
    count: usize,
    last: usize,
}

impl Locator {
    /// A locator at the start of a text.
    #[must_use]
    pub const fn new(form: Form) -> Self {
        Self { form, at: 0, before: 0, count: 0, last: 0 }
    }

    /// Where in `text` the character stands that holds the first bit of octet `octet`;
    /// the end of the text when there is no such octet.
    pub fn find(&mut self, text: &[u8], octet: usize) -> usize {
        let table = table_of(self.form);
        while let Some(&c) = text.get(self.at) {
            match table[usize::from(c)] {
                0..=63 => {
                    // Every character but the first of a group completes an octet, which
                    // began in the character before.
                    let within = self.count % 4;
                    if within > 0 && self.before + self.count / 4 * 3 + within > octet {
                        return self.last;
                    }
                    self.last = self.at;
                    self.count += 1;
                }
                PAD => {
                    self.before += self.count * 6 / 8;
                    self.count = 0;
                }
                ESCAPE if is_escaped_space(text, self.at) => self.at += 1,
                _ => {}
            }
            self.at += 1;
        }
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::{BASE64, BASE64URL_NOPAD};
    use proptest::prelude::*;

    fn run(text: &str, form: Form) -> (Vec<u8>, Option<(usize, &'static str)>) {
        let mut out = Vec::new();
        let outcome = decode(text.as_bytes(), form, None, &mut out);
        (out, outcome.error.or(outcome.note).map(|(at, rule)| (at, rule.id)))
    }

    #[test]
    fn known_vectors() {
        for (text, octets) in
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), (" Zm\n9vYg= =\n", "foob")]
        {
            assert_eq!(run(text, Form::Pem), (octets.into(), None), "{text}");
        }
        assert_eq!(run("Zm9v\\nYmFy\\r\\n", Form::Pem), ("foobar".into(), None));
        assert_eq!(run("-_-_", Form::Bare), (vec![0xfb, 0xff, 0xbf], None));
        assert_eq!(run("Zg==Zm8=Zm9v", Form::Bare), ("ffofoo".into(), None));
    }

    #[test]
    fn errors_name_the_character() {
        assert_eq!(run("Zm9v%m9v", Form::Pem), ("foo".into(), Some((4, "base64-character"))));
        assert_eq!(run("Zm9vZm%v", Form::Pem), ("foof".into(), Some((6, "base64-character"))));
        assert_eq!(run("Zm-v", Form::Pem).1, Some((2, "base64-character")));
        assert_eq!(run("Zg==Zg==", Form::Pem), ("f".into(), Some((4, "base64-padding"))));
        assert_eq!(run("Zm9v=", Form::Pem), ("foo".into(), Some((4, "base64-padding"))));
        assert_eq!(run("Zm9vZ", Form::Pem), ("foo".into(), Some((4, "base64-length"))));
        assert_eq!(run("Zg", Form::Pem), ("f".into(), Some((1, "base64-padding"))));
        assert_eq!(run("Zg=", Form::Pem), ("f".into(), Some((2, "base64-padding"))));
        assert_eq!(run("Zg", Form::Bare), ("f".into(), None));
        assert_eq!(run("Zh==", Form::Pem), ("f".into(), Some((2, "base64-bits"))));
    }

    #[test]
    fn cancelling_stops_it() {
        let mut out = Vec::new();
        let outcome = decode(b"Zm9v", Form::Pem, Some(&AtomicBool::new(true)), &mut out);
        assert!(outcome.cancelled && out.is_empty());
    }

    proptest! {
        #[test]
        fn agrees_with_the_encoder(octets: Vec<u8>, width in 1_usize..80) {
            let text = BASE64.encode(&octets);
            let lines: Vec<_> = text.as_bytes().chunks(width).map(<[u8]>::to_vec).collect();
            let text = lines.join(&b"\r\n"[..]);
            let mut out = Vec::new();
            let outcome = decode(&text, Form::Pem, None, &mut out);
            prop_assert_eq!(outcome, Outcome::default());
            prop_assert_eq!(&out, &octets);
            let text = BASE64URL_NOPAD.encode(&octets);
            out.clear();
            prop_assert_eq!(decode(text.as_bytes(), Form::Bare, None, &mut out), Outcome::default());
            prop_assert_eq!(&out, &octets);
        }

        #[test]
        fn locates_octets(octets: Vec<u8>, more: Vec<u8>) {
            let mut text = BASE64.encode(&octets);
            text.push('\n');
            text.push_str(&BASE64.encode(&more));
            let all = [octets, more].concat();
            let mut locator = Locator::new(Form::Bare);
            for (i, octet) in all.iter().enumerate() {
                let at = locator.find(text.as_bytes(), i);
                // Cutting the text after the next character decodes exactly up to this octet.
                let mut out = Vec::new();
                decode(&text.as_bytes()[..=at], Form::Bare, None, &mut out);
                prop_assert!(out.len() <= i);
                out.clear();
                let next = text.as_bytes()[at + 1..].iter().position(|c| *c != b'\n').unwrap();
                decode(&text.as_bytes()[..at + 2 + next], Form::Bare, None, &mut out);
                prop_assert_eq!(out.last(), Some(octet));
                prop_assert_eq!(out.len(), i + 1);
            }
        }

        #[test]
        fn never_panics(text: Vec<u8>) {
            let mut out = Vec::new();
            decode(&text, Form::Bare, None, &mut out);
            decode(&text, Form::Pem, None, &mut out);
            Locator::new(Form::Bare).find(&text, 5);
        }
    }
}
