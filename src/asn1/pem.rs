//! PEM blocks in text (RFC 7468, read laxly; headers as in RFC 1421).
//!
//! A block begins at `-----BEGIN label-----`, wherever it stands in its line, and ends behind
//! the next `-----END label-----`. The next BEGIN ends it too: then its END line is missing.

pub mod base64;

use std::fmt;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem, memrchr};

use crate::rule;

rule! {
    PEM_END_MISSING, "pem-end-missing", "RFC 7468 2", "a BEGIN line has no END line";
    PEM_BEGIN_MISSING, "pem-begin-missing", "RFC 7468 2", "an END line has no BEGIN line";
    PEM_END_LINE, "pem-end-line", "RFC 7468 3", "the END line does not end with five dashes";
    PEM_LABEL, "pem-label-mismatch", "RFC 7468 2", "the labels of the BEGIN and END lines differ";
    PEM_EMPTY, "pem-empty", "RFC 7468 3", "nothing stands between the BEGIN and the END line";
    PEM_ENCRYPTED, "pem-encrypted", "RFC 1421 4.6.1.1", "the block is encrypted, as its headers say";
    PEM_FOREIGN, "pem-foreign", "RFC 7468 4", "a block with this label does not hold DER";
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// The longest label that is taken for one, in octets.
const MAX_LABEL: usize = 128;
/// How many headers are kept, and how many octets of a header line.
const MAX_HEADERS: usize = 32;
const MAX_HEADER_LINE: usize = 1024;

/// One block as it stands in the text. Ranges count from the first octet of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// From the first dash of the BEGIN line to the end of the END line, its newline included.
    pub range: Range<usize>,
    /// The label of the BEGIN line.
    pub label: Range<usize>,
    /// What stands between the two lines: headers and base64 text.
    pub body: Range<usize>,
    /// The END line, if there is one.
    pub end: Option<EndLine>,
}

/// An END line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndLine {
    /// Its label.
    pub label: Range<usize>,
    /// True when the dashes behind the label are there.
    pub closed: bool,
}

/// Finds blocks, in time linear in the text however the lines are set.
///
/// It remembers the next BEGIN and END line, so the same instance must see the same text, at
/// positions that do not go back.
#[derive(Debug, Clone, Default)]
pub struct Scanner {
    begin: Ahead,
    end: Ahead,
}

/// The answer to "where is the next one", as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
enum Ahead {
    #[default]
    Unknown,
    At(usize),
    None,
}

impl Scanner {
    /// The first BEGIN line at or behind `from`.
    pub fn begin(&mut self, text: &[u8], from: usize) -> Option<usize> {
        self.begin.next(from, |mut from| {
            loop {
                let at = from + memmem::find(text.get(from..)?, BEGIN)?;
                if label_at(text, at + BEGIN.len()).is_some() {
                    return Some(at);
                }
                from = at + BEGIN.len();
            }
        })
    }

    /// The first END line at or behind `from`.
    pub fn end(&mut self, text: &[u8], from: usize) -> Option<usize> {
        self.end.next(from, |from| Some(from + memmem::find(text.get(from..)?, END)?))
    }

    /// The block whose BEGIN line is at `at`; `None` when there is no such line.
    pub fn block(&mut self, text: &[u8], at: usize) -> Option<Block> {
        if !text.get(at..)?.starts_with(BEGIN) {
            return None;
        }
        let label = label_at(text, at + BEGIN.len())?;
        let body = label.end + DASHES.len();
        let begin = self.begin(text, body).unwrap_or(text.len());
        match self.end(text, body) {
            Some(end) if end < begin => {
                let (line, after) = end_line(text, end, begin);
                Some(Block { range: at..after, label, body: body..end, end: Some(line) })
            }
            _ => {
                let cut = cut_end_line(text, body, begin);
                Some(Block { range: at..begin, label, body: body..cut, end: None })
            }
        }
    }
}

impl Ahead {
    fn next(&mut self, from: usize, find: impl FnOnce(usize) -> Option<usize>) -> Option<usize> {
        match *self {
            Self::At(at) if at >= from => Some(at),
            Self::None => None,
            _ => {
                let found = find(from);
                *self = found.map_or(Self::None, Self::At);
                found
            }
        }
    }
}

/// The label from `from` to the dashes that close it on the same line.
fn label_at(text: &[u8], from: usize) -> Option<Range<usize>> {
    let line = text.get(from..)?;
    let line = &line[..line.len().min(MAX_LABEL + DASHES.len())];
    let line = &line[..memchr2(b'\n', b'\r', line).unwrap_or(line.len())];
    Some(from..from + memmem::find(line, DASHES)?)
}

/// The END line at `at`, and where what follows it begins (at most `limit`).
fn end_line(text: &[u8], at: usize, limit: usize) -> (EndLine, usize) {
    let from = at + END.len();
    if let Some(label) = label_at(text, from) {
        let mut after = label.end + DASHES.len();
        let blank = text[after..].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
        match &text[after + blank..] {
            [b'\r', b'\n', ..] => after += blank + 2,
            [b'\r' | b'\n', ..] => after += blank + 1,
            [] => after += blank,
            _ => {}
        }
        return (EndLine { label, closed: true }, after.min(limit));
    }
    let rest = &text[from.min(limit)..limit];
    let line = &rest[..memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())];
    let trimmed = line.trim_ascii_end();
    let label = trimmed.iter().rposition(|c| *c != b'-').map_or(0, |i| i + 1);
    let mut after = from.min(limit) + line.len();
    if text[after..limit].starts_with(b"\r\n") {
        after += 2;
    } else if after < limit {
        after += 1;
    }
    (EndLine { label: from..from + label, closed: false }, after)
}

/// The end of a body without an END line: before the line that began to be one.
fn cut_end_line(text: &[u8], body: usize, limit: usize) -> usize {
    let rest = &text[body..limit];
    let line = memrchr(b'\n', rest.trim_ascii_end()).map_or(0, |i| i + 1);
    if rest[line..].trim_ascii_start().starts_with(b"-") { body + line } else { limit }
}

/// The headers at the start of a body (RFC 1421 4.4), and where the base64 text begins.
///
/// Names and values are as they stand; at most 32 headers of at most 1,024 octets are kept.
#[must_use]
pub fn headers(text: &[u8], body: Range<usize>) -> (Vec<(String, String)>, usize) {
    let mut found = Vec::new();
    let mut at = body.start;
    let blank = text[at..body.end].iter().take_while(|c| c.is_ascii_whitespace()).count();
    let mut rest = at + blank;
    while rest < body.end {
        let line = line_at(text, rest, body.end);
        let trimmed = line.trim_ascii();
        // A blank line ends the headers; so does a line that cannot be one.
        let Some(colon) = memchr(b':', trimmed) else { break };
        if !matches!(trimmed.get(colon + 1), None | Some(b' ' | b'\t')) {
            break;
        }
        if found.len() < MAX_HEADERS && line.len() <= MAX_HEADER_LINE {
            let text = |part: &[u8]| String::from_utf8_lossy(part.trim_ascii()).into_owned();
            found.push((text(&trimmed[..colon]), text(&trimmed[colon + 1..])));
        }
        rest += line.len();
        at = rest;
        rest += usize::from(rest < body.end);
    }
    (found, at)
}

/// The line at `from`, without its newline.
fn line_at(text: &[u8], from: usize, limit: usize) -> &[u8] {
    let rest = &text[from.min(limit)..limit];
    &rest[..memchr(b'\n', rest).unwrap_or(rest.len())]
}

/// True for labels of formats that only look like PEM of DER: OpenSSH and OpenPGP.
#[must_use]
pub fn is_foreign(label: &[u8]) -> bool {
    label == b"OPENSSH PRIVATE KEY" || label.starts_with(b"PGP ") || label.starts_with(b"SSH2 ")
}

/// Writes `der` as one block with lines of 64 characters (RFC 7468 3).
///
/// Characters that a label cannot have become `?`, so that the block reads back.
///
/// # Errors
/// What `out` reports.
pub fn write(out: &mut impl fmt::Write, label: &str, der: &[u8]) -> fmt::Result {
    let label: String = label
        .chars()
        .take(MAX_LABEL)
        .map(|c| if c == ' ' || (c.is_ascii_graphic() && c != '-') { c } else { '?' })
        .collect();
    writeln!(out, "-----BEGIN {label}-----")?;
    write_base64(out, der)?;
    writeln!(out, "-----END {label}-----")
}

/// Writes `octets` as base64 text in lines of 64 characters.
///
/// # Errors
/// What `out` reports.
pub fn write_base64(out: &mut impl fmt::Write, octets: &[u8]) -> fmt::Result {
    let mut line = [0_u8; 64];
    for part in octets.chunks(48) {
        let text = &mut line[..part.len().div_ceil(3) * 4];
        data_encoding::BASE64.encode_mut(part, text);
        out.write_str(std::str::from_utf8(text).unwrap_or_default())?;
        out.write_char('\n')?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<Block> {
        let text = text.as_bytes();
        let mut scanner = Scanner::default();
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(begin) = scanner.begin(text, at) {
            let block = scanner.block(text, begin).unwrap();
            assert!(block.range.end > at);
            at = block.range.end;
            found.push(block);
        }
        found
    }

    #[test]
    fn finds_blocks_and_what_is_wrong_with_them() {
        let text = "x -----BEGIN A B-----\r\nAAAA\r\n-----END A B----- \r\ny\n\
                    -----BEGIN C-----\nBBBB\n-----BEGIN D-----\nCCCC\n-----END C-----\n\
                    -----BEGIN -----\n-----END -----,-----BEGIN E-----\nDDDD\n-----EN";
        let found = blocks(text);
        let show: Vec<_> = found
            .iter()
            .map(|b| {
                let end = b.end.as_ref().map(|e| (&text[e.label.clone()], e.closed));
                (&text[b.label.clone()], text[b.body.clone()].trim(), end)
            })
            .collect();
        assert_eq!(
            show,
            [
                ("A B", "AAAA", Some(("A B", true))),
                ("C", "BBBB", None),
                ("D", "CCCC", Some(("C", true))),
                ("", "", Some(("", true))),
                ("E", "DDDD", None),
            ]
        );
        assert_eq!(&text[found[0].range.end..][..2], "y\n");
        assert_eq!(&text[found[3].range.end..][..1], ",");
        assert_eq!(found[4].range.end, text.len());
    }

    #[test]
    fn an_end_line_may_be_cut() {
        for tail in ["-----END CERT", "-----END CERT--", "-----END CERT--\n", "-----END CERT  \r\n"]
        {
            let text = format!("-----BEGIN CERT-----\nAAAA\n{tail}");
            let found = blocks(&text);
            let end = found[0].end.clone().unwrap();
            assert_eq!((&text[end.label], end.closed), ("CERT", false), "{tail:?}");
            assert_eq!(found[0].range.end, text.len());
        }
    }

    #[test]
    fn a_begin_line_must_be_closed() {
        assert_eq!(blocks("-----BEGIN A\n-----").len(), 0);
        assert_eq!(blocks(&format!("-----BEGIN {}-----", "A".repeat(129))).len(), 0);
        assert_eq!(blocks("------BEGIN A------").len(), 1);
    }

    #[test]
    fn headers_stand_before_the_text() {
        let text = b"\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,00\r\n\r\nAAAA\n";
        let (found, at) = headers(text, 0..text.len());
        assert_eq!(found[0], ("Proc-Type".into(), "4,ENCRYPTED".into()));
        assert_eq!(found[1], ("DEK-Info".into(), "AES-128-CBC,00".into()));
        assert_eq!(text[at..].trim_ascii(), b"AAAA");
        assert_eq!(headers(b"\nAAAA\nB:\n", 0..9), (vec![], 0));
        let many = "a: b\n".repeat(1000);
        assert_eq!(headers(many.as_bytes(), 0..many.len()).0.len(), MAX_HEADERS);
    }

    #[test]
    fn hostile_lines_take_linear_time() {
        // Any quadratic step here would take minutes.
        assert_eq!(blocks(&"-".repeat(5 << 20)).len(), 0);
        assert_eq!(blocks(&"-----BEGIN A-----\n".repeat(200_000)).len(), 200_000);
        assert_eq!(blocks(&"-----BEGIN ".repeat(500_000)).len(), 250_000);
        assert_eq!(blocks(&"-----BEGIN A ".repeat(400_000)).len(), 200_000);
        assert_eq!(blocks(&format!("-----BEGIN A-----{}", "-----END".repeat(500_000))).len(), 1);
        let text = format!("{}{}", "-----END A-----\n".repeat(100_000), "-----BEGIN A-----\n");
        assert_eq!(blocks(&text.repeat(2)).len(), 2);
    }

    #[test]
    fn writes_what_it_reads() {
        let mut text = String::new();
        write(&mut text, "X-Y\u{1b}", &[7; 49]).unwrap();
        let lines: Vec<_> = text.lines().map(str::len).collect();
        assert_eq!(lines, [20, 64, 4, 18]);
        assert!(text.starts_with("-----BEGIN X?Y?-----\n"));
        assert_eq!(blocks(&text).len(), 1);
    }
}
