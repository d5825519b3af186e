//! Octets written as hexadecimal text: plain digits or a dump with offsets.

use memchr::{memchr, memmem};

use crate::asn1::Rule;
use crate::rule;

rule! {
    HEX_DIGIT, "hex-digit", "RFC 4648 8", "a character that is no hexadecimal digit";
    HEX_PAIR, "hex-pair", "RFC 4648 8", "a hexadecimal digit without its second half";
    HEX_OFFSET, "hex-dump-offset", "pkiscope", "the lines of the dump do not follow each other";
}

/// How the digits are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Pairs of digits, with spaces, commas, colons, dashes, `0x` or `\x` between them.
    Plain,
    /// Lines of an offset, octets and perhaps the same as text: `xxd`, `hexdump -C`, `od -tx1`.
    Dump,
}

/// The form that `text` has if it is hexadecimal text.
pub fn form(text: &[u8]) -> Form {
    let text = text.trim_ascii_start();
    let zeros = text.iter().take(17).take_while(|c| **c == b'0').count();
    match text.get(zeros) {
        Some(b':' | b' ' | b'\t') if (4..=16).contains(&zeros) => Form::Dump,
        _ => Form::Plain,
    }
}

/// A place between the octets of a text.
///
/// Every call must see the same text. After an error nothing more comes.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    form: Form,
    at: usize,
    /// End of the digits of the present line of a dump.
    line_end: usize,
    /// Octets so far.
    count: usize,
    failed: bool,
}

/// An octet and the place of its first digit, or the place of what cannot be read.
pub type Item = Result<(u8, usize), (usize, &'static Rule)>;

impl Cursor {
    /// The start of a text in `form`.
    pub const fn new(form: Form) -> Self {
        Self { form, at: 0, line_end: 0, count: 0, failed: false }
    }

    /// The next octet, `None` at the end.
    pub fn next(&mut self, text: &[u8]) -> Option<Item> {
        if self.failed {
            return None;
        }
        let item = match self.form {
            Form::Plain => self.plain(text),
            Form::Dump => self.dump(text),
        };
        self.failed = matches!(item, Some(Err(_)));
        item
    }

    /// The place of the first digit of octet `octet`, the end of the text when there is no
    /// such octet. Asked in rising order, all answers together take linear time.
    pub fn find(&mut self, text: &[u8], octet: usize) -> usize {
        loop {
            let before = *self;
            match self.next(text) {
                Some(Ok((_, at))) if before.count >= octet => {
                    *self = before;
                    return at;
                }
                Some(Ok(_)) => {}
                _ => return text.len(),
            }
        }
    }

    fn plain(&mut self, text: &[u8]) -> Option<Item> {
        loop {
            match (*text.get(self.at)?, text.get(self.at + 1)) {
                (b'0' | b'\\', Some(b'x' | b'X')) | (b'\\', Some(b'n' | b'r' | b't')) => {
                    self.at += 2;
                }
                (
                    b' ' | b'\t'..=b'\r' | b':' | b',' | b';' | b'-' | b'{' | b'}' | b'"' | b'\'',
                    _,
                ) => self.at += 1,
                _ => return Some(self.pair(text)),
            }
        }
    }

    fn dump(&mut self, text: &[u8]) -> Option<Item> {
        loop {
            if self.at < self.line_end {
                match text[self.at] {
                    b' ' | b'\t' => self.at += 1,
                    _ => return Some(self.pair(&text[..self.line_end])),
                }
                continue;
            }
            // Behind the digits: the rest of the line is the same octets as characters.
            if self.line_end > 0 {
                let rest = &text[self.line_end..];
                self.at = self.line_end + memchr(b'\n', rest).map_or(rest.len(), |i| i + 1);
            }
            let blank = text[self.at..].iter().take_while(|c| c.is_ascii_whitespace());
            self.at += blank.count();
            if self.at >= text.len() {
                return None;
            }
            if let Err(error) = self.line(text) {
                return Some(Err(error));
            }
        }
    }

    /// Reads the offset of the line at `at`, and finds where its octets end.
    fn line(&mut self, text: &[u8]) -> Result<(), (usize, &'static Rule)> {
        let start = self.at;
        let rest = &text[start..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let line = line.trim_ascii_end();
        let digits = line.iter().take_while(|c| c.is_ascii_hexdigit()).count();
        let offset = std::str::from_utf8(&line[..digits]).unwrap_or_default();
        let is_here = |radix| usize::from_str_radix(offset, radix) == Ok(self.count);
        if !is_here(16) && !is_here(8) {
            return Err((start, &HEX_OFFSET));
        }
        let colon = line.get(digits) == Some(&b':');
        let from = digits + usize::from(colon);
        let body = &line[from..];
        let lead = body.iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
        let octets = &body[lead..];
        let length = match memchr(b'|', octets) {
            // The middle of a `hexdump -C` line has two spaces, that of `xxd` none.
            Some(bar) if !colon => bar,
            _ => {
                let gap: &[u8] = if colon { b"  " } else { b"   " };
                memmem::find(octets, gap).unwrap_or(octets.len())
            }
        };
        self.at = start + from + lead;
        self.line_end = self.at + length;
        Ok(())
    }

    /// The pair of digits at `at`; `text` ends where they must end.
    fn pair(&mut self, text: &[u8]) -> Item {
        let at = self.at;
        let high = digit(text[at]).ok_or((at, &HEX_DIGIT))?;
        let low = text.get(at + 1).copied().and_then(digit).ok_or((at, &HEX_PAIR))?;
        self.at += 2;
        self.count += 1;
        Ok((high << 4 | low, at))
    }
}

fn digit(c: u8) -> Option<u8> {
    match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        b'A'..=b'F' => Some(c - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (Vec<u8>, Option<(usize, &'static str)>) {
        let mut out = Vec::new();
        let mut cursor = Cursor::new(form(text.as_bytes()));
        while let Some(item) = cursor.next(text.as_bytes()) {
            match item {
                Ok((octet, _)) => out.push(octet),
                Err((at, rule)) => return (out, Some((at, rule.id))),
            }
        }
        (out, None)
    }

    #[test]
    fn plain_digits_in_many_settings() {
        for text in [
            "30820a",
            " 30 82\r\n0A\n",
            "30:82:0A",
            "30-82-0A",
            "0x30, 0x82, 0x0a",
            "{0x30,0x82,0x0a};",
            "\"\\x30\\x82\\x0a\"",
            "0x30820a",
        ] {
            assert_eq!(read(text), (vec![0x30, 0x82, 0x0a], None), "{text}");
        }
        assert_eq!(read("30 8"), (vec![0x30], Some((3, "hex-pair"))));
        assert_eq!(read("30 8 2"), (vec![0x30], Some((3, "hex-pair"))));
        assert_eq!(read("30 g2"), (vec![0x30], Some((3, "hex-digit"))));
    }

    #[test]
    fn dumps_of_the_usual_tools() {
        let octets: Vec<u8> = (0x30..0x44).collect();
        let xxd = "00000000: 3031 3233 3435 3637 3839 3a3b 3c3d 3e3f  01234567|9 de <=>?\n\
                   00000010: 4041 4243                                @ABC\n";
        let hexdump = "00000000  30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f  |01 45|..|\n\
                       00000010  40 41 42 43                                       |@ABC|\n\
                       00000014\n";
        let od = "0000000 30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f\n\
                  0000020 40 41 42 43\n0000024\n";
        let certutil = "0000\t30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f   0123 de\r\n\
                        0010\t40 41 42 43   @ABC\r\n";
        for text in [xxd, hexdump, od, certutil] {
            assert_eq!(read(text), (octets.clone(), None), "{text}");
        }
        let squeezed = "00000000  30 31  |01|\n*\n00000020  30\n";
        assert_eq!(read(squeezed), (vec![0x30, 0x31], Some((22, "hex-dump-offset"))));
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9a-f :|x\\n\\\\g\\t]{0,200}") {
            for form in [Form::Plain, Form::Dump] {
                let mut cursor = Cursor::new(form);
                while cursor.next(text.as_bytes()).is_some() {}
            }
        }

        #[test]
        fn places_are_those_of_the_digits(octets: Vec<u8>) {
            let pairs: Vec<_> = octets.iter().map(|b| format!("{b:02x}, ")).collect();
            let text = pairs.concat();
            let mut cursor = Cursor::new(Form::Plain);
            let mut finder = cursor;
            for (i, octet) in octets.iter().enumerate() {
                prop_assert_eq!(cursor.next(text.as_bytes()), Some(Ok((*octet, i * 4))));
                prop_assert_eq!(finder.find(text.as_bytes(), i), i * 4);
            }
            prop_assert_eq!(cursor.next(text.as_bytes()), None);
        }
    }
}
