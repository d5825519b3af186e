//! One line of text for the contents octets of a primitive value.

use crate::asn1::tag::universal as u;
use crate::asn1::text::visible;

use super::{BitString, Integer, Oid, RelativeOid, boolean, real, string, time};

/// BIT STRINGs up to this size are shown as zeros and ones: flags, not keys.
const MAX_BINARY: u64 = 32;

/// The meaning of a primitive value of the universal type `number` as one line that is safe
/// for a terminal; octets that mean nothing to the type are shown in hex.
///
/// At most `limit` characters or octets of the value are shown, with `…` for the rest; the
/// work is bounded by `limit`, too, except for one pass over the octets of an INTEGER.
#[must_use]
pub fn show(number: u64, content: &[u8], limit: usize) -> String {
    let plain = match number {
        u::BOOLEAN => boolean(content, 0).ok().map(|b| if b { "TRUE" } else { "FALSE" }.to_owned()),
        u::INTEGER | u::ENUMERATED if !content.is_empty() => {
            Some(Integer(content).to_decimal(limit))
        }
        u::BIT_STRING => show_bits(content, limit),
        u::NULL if content.is_empty() => Some(String::new()),
        u::OBJECT_IDENTIFIER if !content.is_empty() => Some(Oid(content).to_string()),
        u::RELATIVE_OID if !content.is_empty() => Some(RelativeOid(content).to_string()),
        u::REAL => real::parse(content, 0).ok().map(|r| show_text(&r.to_string(), limit)),
        u::UTC_TIME => Some(
            time::read_utc(content, 0)
                .map_or_else(|_| show_string(number, content, limit), |r| r.time.to_string()),
        ),
        u::GENERALIZED_TIME => Some(
            time::read_generalized(content, 0)
                .map_or_else(|_| show_string(number, content, limit), |r| r.time.to_string()),
        ),
        _ if string::is_string(number) => Some(show_string(number, content, limit)),
        _ => None,
    };
    plain.unwrap_or_else(|| show_hex(content, limit))
}

fn show_bits(content: &[u8], limit: usize) -> Option<String> {
    let bits = BitString::parse(content, 0).ok()?;
    Some(match bits.len() {
        n @ 0..=MAX_BINARY => (0..n).map(|i| if bits.bit(i) { '1' } else { '0' }).collect(),
        _ => show_hex(bits.bytes, limit),
    })
}

fn show_string(number: u64, content: &[u8], limit: usize) -> String {
    // No character of any type takes more than four octets, so the cut is never seen.
    let cut = &content[..content.len().min(limit.saturating_mul(4).saturating_add(4))];
    let mut text = show_text(&string::decode(number, cut).text, limit);
    if cut.len() < content.len() && !text.ends_with('…') {
        text.push('…');
    }
    text
}

fn show_text(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => visible(text).into_owned(),
        Some((end, _)) => {
            let mut shown = visible(&text[..end]).into_owned();
            shown.push('…');
            shown
        }
    }
}

fn show_hex(content: &[u8], limit: usize) -> String {
    let shown = &content[..content.len().min(limit)];
    let mut text = data_encoding::HEXLOWER.encode(shown);
    if shown.len() < content.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_each_type() {
        for (number, content, text) in [
            (u::BOOLEAN, &b"\xff"[..], "TRUE"),
            (u::BOOLEAN, b"\x00", "FALSE"),
            (u::BOOLEAN, b"", ""),
            (u::BOOLEAN, b"\x01\x02", "0102"),
            (u::INTEGER, b"\xff", "-1"),
            (u::ENUMERATED, b"\x05", "5"),
            (u::BIT_STRING, b"\x05\xa0", "101"),
            (u::BIT_STRING, b"\x00\x01\x02\x03\x04\x05", "0102030405"),
            (u::BIT_STRING, b"\x09\xa0", "09a0"),
            (u::OCTET_STRING, b"\x01\x02", "0102"),
            (u::NULL, b"", ""),
            (u::OBJECT_IDENTIFIER, b"\x55\x1d\x0f", "2.5.29.15"),
            (u::RELATIVE_OID, b"\x03\x02", "3.2"),
            (u::REAL, b"\x80\xff\x01", "0.5"),
            (u::UTF8_STRING, b"a\nb", "a\\nb"),
            (u::BMP_STRING, b"\x00A\x20\x2e", "A\\u{202e}"),
            (u::UTC_TIME, b"240229235959Z", "2024-02-29T23:59:59Z"),
            (u::UTC_TIME, b"24\x1b", "24\\x1b"),
            (u::GENERALIZED_TIME, b"20240229235959Z", "2024-02-29T23:59:59Z"),
            (99, b"\x1b", "1b"),
        ] {
            assert_eq!(show(number, content, 64), text);
        }
    }

    #[test]
    fn long_values_are_cut() {
        let long = vec![b'1'; 5_000_000];
        for number in 0..40 {
            let shown = show(number, &long, 20).chars().count();
            assert!(shown <= 4_200, "{number}: {shown}");
        }
        assert_eq!(show(u::UTF8_STRING, "ääää".as_bytes(), 3), "äää…");
        assert_eq!(show(u::UTF8_STRING, "ääää".as_bytes(), 4), "ääää");
        assert_eq!(show(u::UTF8_STRING, "😀".repeat(9).as_bytes(), 1), "😀…");
        assert_eq!(show(u::OCTET_STRING, &[1, 2, 3], 2), "0102…");
    }
}
