//! Text of foreign origin made safe to show.
//!
//! What comes out has no character that steers a terminal, hides itself, or turns the
//! direction of its neighbours; nor does a combining mark stand first or in a pile. Such a
//! character becomes `\n`, `\r`, `\t`, `\0`, `\xNN` (below U+0080) or `\u{NNNN}`. A backslash
//! of the input stays as it is: the escapes are for the eye, not for reading back; use the
//! octets where that matters.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use crate::asn1::scan::{self, among};

/// A letter may carry so many combining marks; more pile up over other lines.
const MAX_MARKS: usize = 4;

/// `text` with every character that must not reach a terminal as a visible escape.
///
/// Borrows when there is none, which printable ASCII shows at the speed of a scan.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    match first_hidden(text) {
        None => Cow::Borrowed(text),
        Some(at) => {
            let mut out = String::with_capacity(text.len() + 16);
            out.push_str(&text[..at]);
            push_visible(&mut out, text, at);
            Cow::Owned(out)
        }
    }
}

/// As [`visible`], appended to `out`.
pub fn visible_into(out: &mut String, text: &str) {
    let at = first_hidden(text).unwrap_or(text.len());
    out.push_str(&text[..at]);
    push_visible(out, text, at);
}

/// Octets as text: UTF-8 as [`visible`] shows it, octets that are none as `\xNN`.
#[must_use]
pub fn visible_bytes(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return visible(text);
    }
    let mut out = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        visible_into(&mut out, chunk.valid());
        for octet in chunk.invalid() {
            let _ = write!(out, "\\x{octet:02x}");
        }
    }
    Cow::Owned(out)
}

/// Where the first character stands that [`visible`] changes.
fn first_hidden(text: &str) -> Option<usize> {
    if scan::all(text.as_bytes(), |b| among(b, b' ', 95)) {
        return None;
    }
    let plain = text.bytes().take_while(|b| among(*b, b' ', 95)).count();
    let mut marks = if plain == 0 { Marks::START } else { Marks(0) };
    text[plain..]
        .char_indices()
        .find(|(_, c)| marks.piles_up(*c) || is_hidden(*c))
        .map(|(at, _)| plain + at)
}

/// Appends `text` from `at` on; the marks are counted from the last base character before it.
fn push_visible(out: &mut String, text: &str, at: usize) {
    let mut marks = if at == 0 { Marks::START } else { Marks(0) };
    for c in text[..at].chars().rev().take_while(|c| is_mark(*c)) {
        marks.piles_up(c);
    }
    for c in text[at..].chars() {
        if marks.piles_up(c) || is_hidden(c) {
            push_escape(out, c);
        } else {
            out.push(c);
        }
    }
}

fn push_escape(out: &mut String, c: char) {
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        '\0' => write!(out, "\\0"),
        '\0'..='\x7f' => write!(out, "\\x{:02x}", u32::from(c)),
        _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
    };
}

/// Counts combining marks in a row.
struct Marks(usize);

impl Marks {
    /// Before the first character, where a mark would land on what stands to the left.
    const START: Self = Self(MAX_MARKS);

    /// True when `c` is one combining mark too many.
    fn piles_up(&mut self, c: char) -> bool {
        self.0 = if is_mark(c) { self.0 + 1 } else { 0 };
        self.0 > MAX_MARKS
    }
}

/// A character that takes no cell of its own: a combining mark of any script.
fn is_mark(c: char) -> bool {
    c >= '\u{300}' && !is_common_letter(c) && c.width() == Some(0)
}

/// True for a character that never goes to a terminal as it is.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    // The ideographic space is blank, but names need it as others need U+0020.
    !matches!(c, ' '..='~' | '\u{3000}')
        && !is_common_letter(c)
        && (is_ignorable(c) || (is_unprintable(c) && c.width() != Some(0)))
}

/// Blocks without a gap or a surprise, so that most text of the world needs no table.
const fn is_common_letter(c: char) -> bool {
    matches!(c,
        // Latin, Greek letters, Cyrillic.
        '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' | '\u{3a3}'..='\u{482}'
        // Kana, ideographs, Hangul.
        | '\u{3041}'..='\u{3096}' | '\u{309b}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}')
}

/// Controls, spaces and separators of other widths, private use and what Unicode has not
/// assigned, by the standard library's own table. Combining marks are in it, too.
fn is_unprintable(c: char) -> bool {
    let mut escape = c.escape_debug();
    escape.next() == Some('\\') && escape.next().is_some_and(|e| !matches!(e, '\\' | '"' | '\''))
}

/// Characters of no width that are no combining marks: by their number, so that no table of a
/// library decides about them.
const fn is_ignorable(c: char) -> bool {
    match c {
        // C0, DEL and C1 controls, soft hyphen.
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{ad}'
        // Combining grapheme joiner, Arabic letter mark, Syriac abbreviation mark.
        | '\u{34f}' | '\u{61c}' | '\u{70f}'
        // Hangul fillers, Khmer inherent vowels.
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        // Mongolian variation selectors and vowel separator.
        | '\u{180b}'..='\u{180f}'
        // Zero-width space and joiners, direction marks, line and paragraph separators,
        // embeddings and overrides.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        // Braille without a dot, Khitan filler.
        | '\u{2800}' | '\u{16fe4}'
        // Word joiner, invisible operators, isolates, deprecated format characters.
        | '\u{2060}'..='\u{206f}'
        // Hangul filler, private use, variation selectors, byte order mark, half-width filler.
        | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        // Noncharacters, unassigned default-ignorables, interlinear annotation.
        | '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffb}'
        // Controls of hieroglyphs, shorthand and music.
        | '\u{13430}'..='\u{13440}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        // Tags, variation selectors and the rest of plane 14, private use planes.
        | '\u{e0000}'..='\u{e0fff}' | '\u{f0000}'..='\u{10ffff}' => true,
        // The last two characters of every plane are noncharacters.
        _ => (c as u32) & 0xfffe == 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_text_is_borrowed() {
        for text in ["", "plain ~ ASCII \\ text", "Société Générale", "日本語", "e\u{301}", "😀"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(t) if t == text), "{text}");
        }
    }

    #[test]
    fn controls_become_escapes() {
        assert_eq!(visible("a\n\r\t\0b"), "a\\n\\r\\t\\0b");
        assert_eq!(visible("\u{1b}[31mred\u{7f}"), "\\x1b[31mred\\x7f");
        assert_eq!(visible("\u{9b}2J"), "\\u{9b}2J");
        assert_eq!(visible("invoice\u{202e}fdp.exe"), "invoice\\u{202e}fdp.exe");
    }

    #[test]
    fn nothing_hidden_is_left() {
        for code in 0..=0x10_ffff {
            let Some(c) = char::from_u32(code) else { continue };
            let text = format!("ä{c}b");
            let shown = visible(&text);
            assert!(!shown.chars().any(is_hidden), "U+{code:04X}");
            assert!(!shown.chars().any(char::is_control), "U+{code:04X}");
        }
        for code in [
            0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0x200b, 0x200d, 0x2060, 0xfeff,
            0x2028, 0x2029, 0xad, 0xfff9, 0xfffb, 0xe0001, 0xe007f, 0xfe0f, 0xe0100, 0xe000,
            0xffff, 0x1_fffe, 0xfdd0, 0x3164, 0xa0, 0x2003, 0x2800, 0x378, 0x5_0000,
        ] {
            assert!(is_hidden(char::from_u32(code).unwrap()), "U+{code:04X}");
        }
        for c in ['\u{fffd}', '\u{300}', '\u{3000}', '\\', '"', '\'', 'ا', 'ि', 'া', '한'] {
            assert!(!is_hidden(c), "{c:?}");
        }
    }

    #[test]
    fn the_short_cut_takes_nothing_away() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32).filter(|c| is_common_letter(*c)) {
            assert!(!is_ignorable(c) && !is_unprintable(c) && c.width() != Some(0), "{c:?}");
        }
    }

    #[test]
    fn piled_marks_are_cut() {
        let zalgo = format!("a{}b", "\u{301}".repeat(1000));
        let shown = visible(&zalgo);
        assert_eq!(shown.matches('\u{301}').count(), MAX_MARKS);
        assert_eq!(shown.matches("\\u{301}").count(), 1000 - MAX_MARKS);
        assert!(shown.ends_with('b'));
        assert_eq!(visible("\u{301}a\u{301}"), "\\u{301}a\u{301}");
        assert_eq!(visible("ä\u{301}\n\u{301}"), "ä\u{301}\\n\u{301}");
    }

    #[test]
    fn octets_that_are_no_text() {
        assert_eq!(visible_bytes(b"ok"), "ok");
        assert_eq!(visible_bytes(b"a\xff\x1b\xc3\xa9\xc3"), "a\\xff\\x1bé\\xc3");
    }
}
