//! The DER writer (X.690 8 to 11).
//!
//! Values are written front to back. A constructed value gets one length octet at first; what
//! turns out longer is remembered, and when the outermost value closes, all octets move to
//! their final place in one pass from the back. So every octet moves at most once, whatever
//! the depth, and a writer that is used again allocates nothing.

use crate::asn1::tag::octet;
use crate::asn1::value::string;
use crate::asn1::value::time::Time;
use crate::asn1::value::{BitString, Integer, Oid};
use crate::asn1::{Header, Rule};

/// A constructed value whose length needs more than one octet, or which is still open.
#[derive(Debug, Clone, Copy)]
struct Pending {
    /// Position of the one length octet in the buffer.
    at: usize,
    /// Final number of contents octets.
    length: usize,
}

/// Writes DER into a buffer that can be used again.
#[derive(Debug, Default)]
pub struct Writer {
    out: Vec<u8>,
    pending: Vec<Pending>,
    /// Length octets that are still missing in `out`.
    missing: usize,
    open: usize,
    retag: Option<u8>,
}

impl Writer {
    /// An empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A writer that uses the memory of `buffer`, whose octets are forgotten.
    #[must_use]
    pub fn with_buffer(mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        Self { out: buffer, ..Self::default() }
    }

    /// Forgets what was written and keeps the memory.
    pub fn clear(&mut self) {
        self.out.clear();
        self.pending.clear();
        self.missing = 0;
        self.open = 0;
        self.retag = None;
    }

    /// The octets of the finished values. Not meant to be called inside of an open one.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    /// The buffer with the finished values.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// The next value written gets the tag `[n] IMPLICIT`, n < 31 (X.690 8.14.4).
    pub fn implicit(&mut self, n: u8) -> &mut Self {
        self.retag = Some(n);
        self
    }

    fn tag(&mut self, tag: u8) {
        let tag = match self.retag.take() {
            Some(n) => octet::context(n & 0x1f) | (tag & 0x20),
            None => tag,
        };
        self.out.push(tag);
    }

    /// A primitive value with these contents octets.
    pub fn primitive(&mut self, tag: u8, content: &[u8]) {
        self.tag(tag);
        push_length(&mut self.out, content.len());
        self.out.extend_from_slice(content);
    }

    /// Octets that are DER already, as they are; a pending `implicit` does not touch them.
    pub fn raw(&mut self, der: &[u8]) {
        self.out.extend_from_slice(der);
    }

    /// A constructed value whose contents `body` writes.
    pub fn constructed<T>(&mut self, tag: u8, body: impl FnOnce(&mut Self) -> T) -> T {
        let open = self.start(tag);
        let result = body(self);
        self.end(open);
        result
    }

    /// A SEQUENCE.
    pub fn sequence<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.constructed(octet::SEQUENCE, body)
    }

    /// A SET whose elements `body` writes in the order of their tags (X.690 10.3).
    pub fn set<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.constructed(octet::SET, body)
    }

    /// `[n] EXPLICIT`, n < 31.
    pub fn explicit<T>(&mut self, n: u8, body: impl FnOnce(&mut Self) -> T) -> T {
        self.constructed(octet::context_constructed(n & 0x1f), body)
    }

    /// A SET OF: the elements that `body` writes are sorted by their octets (X.690 11.6).
    pub fn set_of<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let open = self.start(octet::SET);
        let result = body(self);
        // The order counts on final octets, so the lengths inside are settled first.
        self.settle(open.index + 1);
        self.missing = open.missing;
        sort_elements(&mut self.out, open.at + 1);
        self.end(open);
        result
    }

    /// An OCTET STRING that holds the values which `body` writes, as extnValue does.
    pub fn octet_string_of<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.constructed(octet::OCTET_STRING, body)
    }

    /// A BIT STRING that holds the values which `body` writes, as subjectPublicKey does.
    pub fn bit_string_of<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.constructed(octet::BIT_STRING, |w| {
            w.out.push(0);
            body(w)
        })
    }

    /// A BOOLEAN (X.690 11.1).
    pub fn boolean(&mut self, value: bool) {
        self.primitive(octet::BOOLEAN, &[if value { 0xff } else { 0x00 }]);
    }

    /// An INTEGER.
    pub fn integer(&mut self, value: i128) {
        self.number(octet::INTEGER, value);
    }

    /// An ENUMERATED.
    pub fn enumerated(&mut self, value: i128) {
        self.number(octet::ENUMERATED, value);
    }

    fn number(&mut self, tag: u8, value: i128) {
        let octets = value.to_be_bytes();
        let spare = match value {
            0.. => value.leading_zeros(),
            _ => value.leading_ones(),
        };
        // One bit of the spare ones stays as the sign.
        let skip = (spare.saturating_sub(1) / 8) as usize;
        self.primitive(tag, &octets[skip..]);
    }

    /// An INTEGER from its contents octets, padding dropped.
    pub fn integer_octets(&mut self, value: Integer<'_>) {
        match value.significant() {
            [] => self.primitive(octet::INTEGER, &[0]),
            octets => self.primitive(octet::INTEGER, octets),
        }
    }

    /// An INTEGER that is not negative, from its magnitude, most significant octet first.
    pub fn unsigned(&mut self, magnitude: &[u8]) {
        let zeros = magnitude.iter().take_while(|b| **b == 0).count();
        let magnitude = &magnitude[zeros..];
        let sign = magnitude.first().is_none_or(|b| b & 0x80 != 0);
        self.tag(octet::INTEGER);
        push_length(&mut self.out, magnitude.len() + usize::from(sign));
        if sign {
            self.out.push(0);
        }
        self.out.extend_from_slice(magnitude);
    }

    /// NULL
    pub fn null(&mut self) {
        self.primitive(octet::NULL, &[]);
    }

    /// An OBJECT IDENTIFIER.
    pub fn oid(&mut self, oid: Oid<'_>) {
        self.primitive(octet::OID, oid.0);
    }

    /// An OCTET STRING.
    pub fn octet_string(&mut self, octets: &[u8]) {
        self.primitive(octet::OCTET_STRING, octets);
    }

    /// A BIT STRING of whole octets.
    pub fn bit_string(&mut self, octets: &[u8]) {
        self.bits(BitString { unused: 0, bytes: octets });
    }

    /// A BIT STRING; unused bits are written as zero (X.690 11.2.1).
    pub fn bits(&mut self, bits: BitString<'_>) {
        let unused = if bits.bytes.is_empty() { 0 } else { bits.unused.min(7) };
        self.tag(octet::BIT_STRING);
        push_length(&mut self.out, bits.bytes.len() + 1);
        self.out.push(unused);
        self.out.extend_from_slice(bits.bytes);
        if unused > 0
            && let Some(last) = self.out.last_mut()
        {
            *last &= 0xff << unused;
        }
    }

    /// A BIT STRING with named bits, bit n of `bits` being the bit with number n; trailing
    /// zeros are dropped (X.690 11.2.2).
    pub fn named_bits(&mut self, bits: u64) {
        let octets = bits.reverse_bits().to_be_bytes();
        let length = (u64::BITS - bits.leading_zeros()).div_ceil(8);
        let unused = length * 8 - (u64::BITS - bits.leading_zeros());
        let mut content = [0; 9];
        content[0] = u8::try_from(unused).unwrap_or(0);
        content[1..].copy_from_slice(&octets);
        self.primitive(octet::BIT_STRING, &content[..=length as usize]);
    }

    /// A UTF8String.
    pub fn utf8(&mut self, text: &str) {
        self.primitive(octet::UTF8_STRING, text.as_bytes());
    }

    /// A string of one of the one-octet types (PrintableString, IA5String, NumericString,
    /// VisibleString) or a UTF8String, by its identifier octet.
    ///
    /// # Errors
    /// The rule that `text` breaks; nothing is written then.
    pub fn string(&mut self, tag: u8, text: &str) -> Result<(), &'static Rule> {
        if let Some(e) = string::check(u64::from(tag), text.as_bytes(), 0) {
            self.retag = None;
            return Err(e.rule);
        }
        self.primitive(tag, text.as_bytes());
        Ok(())
    }

    /// A BMPString; characters outside of the basic plane become surrogates, as PKCS #12 has
    /// it (RFC 7292 B.1), though X.680 does not.
    pub fn bmp(&mut self, text: &str) {
        let length = text.encode_utf16().count() * 2;
        self.tag(octet::BMP_STRING);
        push_length(&mut self.out, length);
        self.out.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    }

    /// A DirectoryString as RFC 5280 4.1.2.4 prefers it: PrintableString where the
    /// characters allow it, else UTF8String.
    pub fn directory_string(&mut self, text: &str) {
        if self.string(octet::PRINTABLE_STRING, text).is_err() {
            self.utf8(text);
        }
    }

    /// A Time of RFC 5280 4.1.2.5: UTCTime from 1950 up to 2049, else GeneralizedTime; to the
    /// second, in UTC. A leap second is written as the second after it.
    pub fn time(&mut self, time: &Time) {
        // A moment that is not in UTC can leave the years 0 to 9999; it stays where it is then.
        let utc = Time::from_unix(time.unix_seconds()).unwrap_or(*time);
        if utc.fits_utc_time() {
            let mut text = [0; 13];
            push_digits(&utc, &mut text[..12], 2);
            text[12] = b'Z';
            self.primitive(octet::UTC_TIME, &text);
        } else {
            self.generalized_time(&utc);
        }
    }

    /// A GeneralizedTime to the second, in UTC.
    pub fn generalized_time(&mut self, time: &Time) {
        let utc = Time::from_unix(time.unix_seconds()).unwrap_or(*time);
        let mut text = [0; 15];
        push_digits(&utc, &mut text[..14], 4);
        text[14] = b'Z';
        self.primitive(octet::GENERALIZED_TIME, &text);
    }

    fn start(&mut self, tag: u8) -> Open {
        self.tag(tag);
        let open = Open { at: self.out.len(), index: self.pending.len(), missing: self.missing };
        self.pending.push(Pending { at: open.at, length: 0 });
        self.out.push(0);
        self.open += 1;
        open
    }

    fn end(&mut self, open: Open) {
        let length = self.out.len() - (open.at + 1) + (self.missing - open.missing);
        if length < 0x80 {
            // A short value has only short ones in it, so this entry is the last.
            self.pending.truncate(open.index);
            self.out[open.at] = short(length);
        } else {
            self.pending[open.index].length = length;
            self.missing += long_length_octets(length);
        }
        self.open = self.open.saturating_sub(1);
        if self.open == 0 {
            self.settle(0);
            self.missing = 0;
        }
    }

    /// Moves octets to their final places for the pending lengths from `first` on, which all
    /// belong to closed values, and writes these lengths.
    fn settle(&mut self, first: usize) {
        let grow: usize = self.pending[first..].iter().map(|p| long_length_octets(p.length)).sum();
        let mut from_end = self.out.len();
        self.out.resize(from_end + grow, 0);
        let mut to_end = self.out.len();
        for p in self.pending[first..].iter().rev() {
            let moved = from_end - (p.at + 1);
            self.out.copy_within(p.at + 1..from_end, to_end - moved);
            to_end -= moved;
            from_end = p.at;
            let octets = p.length.to_be_bytes();
            let count = long_length_octets(p.length);
            self.out[to_end - count..to_end].copy_from_slice(&octets[octets.len() - count..]);
            to_end -= count + 1;
            self.out[to_end] = 0x80 | short(count);
        }
        self.pending.truncate(first);
    }
}

/// A constructed value that is being written.
#[derive(Debug, Clone, Copy)]
struct Open {
    at: usize,
    index: usize,
    missing: usize,
}

/// Sorts the values in `out[start..]` by their octets; what is no DER is left as it is.
fn sort_elements(out: &mut [u8], start: usize) {
    let Some(content) = out.get(start..) else { return };
    let mut elements = Vec::new();
    let mut at = 0_u32;
    while (at as usize) < content.len() {
        let Some(end) = Header::read(content, at).ok().and_then(|h| h.end()) else { return };
        elements.push(at as usize..end as usize);
        at = end;
    }
    if elements.is_sorted_by(|a, b| content[a.clone()] <= content[b.clone()]) {
        return;
    }
    // No encoding is the start of another, so the padding with zeros of 11.6 never matters.
    elements.sort_by(|a, b| content[a.clone()].cmp(&content[b.clone()]));
    let sorted: Vec<u8> = elements.into_iter().flat_map(|e| &content[e]).copied().collect();
    out[start..].copy_from_slice(&sorted);
}

/// Length octets after the first one (X.690 8.1.3.5), 0 for the short form.
fn long_length_octets(length: usize) -> usize {
    if length < 0x80 { 0 } else { (usize::BITS - length.leading_zeros()).div_ceil(8) as usize }
}

#[allow(clippy::cast_possible_truncation, reason = "callers pass less than 128")]
const fn short(n: usize) -> u8 {
    n as u8
}

fn push_length(out: &mut Vec<u8>, length: usize) {
    let count = long_length_octets(length);
    if count == 0 {
        out.push(short(length));
    } else {
        out.push(0x80 | short(count));
        let octets = length.to_be_bytes();
        out.extend_from_slice(&octets[octets.len() - count..]);
    }
}

fn push_digits(time: &Time, text: &mut [u8], year_digits: usize) {
    let clock = [time.month, time.day, time.hour, time.minute, time.second];
    let century = (time.year / 100 % 100) as u8;
    let year = (time.year % 100) as u8;
    let fields = [century, year].into_iter().skip(2 - year_digits / 2).chain(clock);
    for (pair, n) in text.chunks_exact_mut(2).zip(fields) {
        pair.copy_from_slice(&[b'0' + n / 10, b'0' + n % 10]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Reader;
    use crate::asn1::value::oid;

    fn written(body: impl FnOnce(&mut Writer)) -> Vec<u8> {
        let mut w = Writer::new();
        body(&mut w);
        w.into_bytes()
    }

    #[test]
    fn known_octets() {
        // X.690 8.2.2, 8.3, 8.6.4.2, 8.8.2, 8.9.2, 8.19.5
        assert_eq!(written(|w| w.boolean(true)), [1, 1, 0xff]);
        assert_eq!(written(Writer::null), [5, 0]);
        assert_eq!(written(|w| w.integer(0)), [2, 1, 0]);
        assert_eq!(written(|w| w.integer(127)), [2, 1, 0x7f]);
        assert_eq!(written(|w| w.integer(128)), [2, 2, 0, 0x80]);
        assert_eq!(written(|w| w.integer(256)), [2, 2, 1, 0]);
        assert_eq!(written(|w| w.integer(-128)), [2, 1, 0x80]);
        assert_eq!(written(|w| w.integer(-129)), [2, 2, 0xff, 0x7f]);
        assert_eq!(written(|w| w.enumerated(6)), [10, 1, 6]);
        assert_eq!(written(|w| w.unsigned(&[0, 0, 0x80])), [2, 2, 0, 0x80]);
        assert_eq!(written(|w| w.unsigned(&[])), [2, 1, 0]);
        assert_eq!(written(|w| w.integer_octets(Integer(&[0, 0, 5]))), [2, 1, 5]);
        let bits = BitString { unused: 4, bytes: &[0x0a, 0x3b, 0x5f, 0x29, 0x1c, 0xdf] };
        assert_eq!(written(|w| w.bits(bits)), [3, 7, 4, 0x0a, 0x3b, 0x5f, 0x29, 0x1c, 0xd0]);
        let oid = oid::encode("2.999.3").unwrap();
        assert_eq!(written(|w| w.oid(Oid(&oid))), [6, 3, 0x88, 0x37, 3]);
        let sequence = written(|w| {
            w.sequence(|w| {
                w.string(octet::IA5_STRING, "Smith").unwrap();
                w.boolean(true);
            });
        });
        assert_eq!(sequence, [0x30, 0x0a, 0x16, 5, b'S', b'm', b'i', b't', b'h', 1, 1, 0xff]);
    }

    #[test]
    fn named_bits_end_in_a_one() {
        // keyUsage keyCertSign (5) and cRLSign (6), digitalSignature (0), decipherOnly (8)
        assert_eq!(written(|w| w.named_bits(0b110_0000)), [3, 2, 1, 0x06]);
        assert_eq!(written(|w| w.named_bits(1)), [3, 2, 7, 0x80]);
        assert_eq!(written(|w| w.named_bits(1 << 8)), [3, 3, 7, 0x00, 0x80]);
        assert_eq!(written(|w| w.named_bits(0)), [3, 1, 0]);
        assert_eq!(written(|w| w.named_bits(1 << 63)), [3, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn tags_replaced_and_added() {
        // X.690 8.14: Type1 to Type5 of "Jones"
        let jones = |w: &mut Writer| w.string(octet::VISIBLE_STRING, "Jones").unwrap();
        assert_eq!(written(jones)[..2], [0x1a, 5]);
        let explicit = written(|w| w.explicit(2, jones));
        assert_eq!(explicit[..4], [0xa2, 7, 0x1a, 5]);
        let implicit = written(|w| {
            w.implicit(2).string(octet::VISIBLE_STRING, "Jones").unwrap();
        });
        assert_eq!(implicit[..2], [0x82, 5]);
        let constructed = written(|w| w.implicit(1).sequence(|w| w.integer(1)));
        assert_eq!(constructed, [0xa1, 3, 2, 1, 1]);
    }

    #[test]
    fn times_take_the_type_of_their_year() {
        let time = |seconds| {
            let der = written(|w| w.time(&Time::from_unix(seconds).unwrap()));
            (der[0], String::from_utf8(der[2..].to_vec()).unwrap())
        };
        assert_eq!(time(0), (octet::UTC_TIME, "700101000000Z".into()));
        assert_eq!(time(2_524_607_999), (octet::UTC_TIME, "491231235959Z".into()));
        assert_eq!(time(2_524_608_000), (octet::GENERALIZED_TIME, "20500101000000Z".into()));
        assert_eq!(time(-631_152_000), (octet::UTC_TIME, "500101000000Z".into()));
        assert_eq!(time(-631_152_001), (octet::GENERALIZED_TIME, "19491231235959Z".into()));
        assert_eq!(time(253_402_300_799), (octet::GENERALIZED_TIME, "99991231235959Z".into()));
    }

    #[test]
    fn a_set_of_is_sorted() {
        let der = written(|w| {
            w.set_of(|w| {
                w.octet_string(&[7; 300]);
                w.sequence(|w| w.octet_string(&[1; 200]));
                w.integer(5);
                w.integer(-1);
                w.integer(5);
            });
        });
        let mut r = Reader::new(&der).enter(octet::SET).unwrap();
        let mut last: &[u8] = &[];
        let mut count = 0;
        while !r.is_empty() {
            let element = r.any().unwrap().span().of(&der);
            assert!(last <= element);
            last = element;
            count += 1;
        }
        assert_eq!(count, 5);
    }

    #[test]
    fn lengths_of_all_forms_inside_each_other() {
        for size in [0, 120, 122, 123, 124, 125, 126, 127, 128, 250, 255, 256, 65_530, 65_536] {
            let der = written(|w| {
                w.sequence(|w| {
                    w.integer(1);
                    w.explicit(0, |w| w.octet_string_of(|w| w.octet_string(&vec![0xaa; size])));
                    w.sequence(|w| w.set_of(|w| w.utf8(&"x".repeat(size))));
                    w.bit_string_of(|w| w.integer(2));
                });
            });
            let (_, mut r) = Reader::single(&der, octet::SEQUENCE).unwrap();
            r.expect(octet::INTEGER).unwrap();
            let mut inner = r.enter(octet::context_constructed(0)).unwrap();
            let mut inner = inner.enter(octet::OCTET_STRING).unwrap();
            let octets = inner.expect(octet::OCTET_STRING).unwrap();
            assert_eq!(octets.contents().of(&der), vec![0xaa; size]);
            inner.finish().unwrap();
            let mut set = r.enter(octet::SEQUENCE).unwrap().enter(octet::SET).unwrap();
            let text = set.expect(octet::UTF8_STRING).unwrap();
            assert_eq!(text.contents().len() as usize, size);
            let bits = r.expect(octet::BIT_STRING).unwrap();
            assert_eq!(bits.contents().of(&der), [0, 2, 1, 2]);
            r.finish().unwrap();
        }
    }

    #[test]
    fn deep_nesting_is_settled_once() {
        let mut w = Writer::new();
        let opens: Vec<Open> = (0..100_000).map(|_| w.start(octet::SEQUENCE)).collect();
        w.null();
        for open in opens.into_iter().rev() {
            w.end(open);
        }
        let der = w.into_bytes();
        let mut at = 0;
        for _ in 0..100_000 {
            let h = Header::read(&der, at).unwrap();
            assert!(!h.is_flawed() && h.end() == Some(u32::try_from(der.len()).unwrap()));
            at = h.content;
        }
        assert_eq!(der[at as usize..], [5, 0]);
    }

    #[test]
    fn a_used_writer_starts_clean() {
        let mut w = Writer::with_buffer(vec![1, 2, 3]);
        w.sequence(|w| w.octet_string(&[0; 500]));
        let first = w.as_bytes().to_vec();
        w.clear();
        w.sequence(|w| w.octet_string(&[0; 500]));
        assert_eq!(w.as_bytes(), first);
    }

    #[test]
    fn text_that_a_type_does_not_have_is_refused() {
        let mut w = Writer::new();
        assert_eq!(
            w.string(octet::PRINTABLE_STRING, "a@b").unwrap_err().id,
            "printable-string-charset"
        );
        assert!(w.as_bytes().is_empty());
        w.directory_string("a@b");
        assert_eq!(w.as_bytes(), [0x0c, 3, b'a', b'@', b'b']);
        w.clear();
        w.bmp("A");
        assert_eq!(w.as_bytes(), [0x1e, 2, 0, b'A']);
    }
}
