//! The strict test for DER inside OCTET STRINGs and BIT STRINGs.
//!
//! A string opens when its whole content is exactly one value, strictly encoded, all the way
//! down. The test walks the content once: a string inside that does not open is a leaf, and
//! what was noted inside it is taken back, so that the whole is linear however deep it nests.

use crate::asn1::tag::{octet, universal};
use crate::asn1::{Class, Header, Reader, Span, Tag, Tlv};

/// The deepest level that is walked into. Values below it are one closed node, which can be
/// opened as an object of its own.
pub const MAX_DEPTH: u8 = 250;

/// The octets that could be one value inside the string with this tag and content, judged by
/// the first header alone.
#[must_use]
pub fn candidate(object: &[u8], tag: Tag, content: Span) -> Option<Span> {
    if tag.constructed || tag.class != Class::Universal {
        return None;
    }
    let inner = match tag.number {
        universal::OCTET_STRING => content,
        // Only a constructed value in a BIT STRING: short ones are flags more often than DER.
        universal::BIT_STRING => {
            let [0, first, ..] = content.of(object) else { return None };
            (first & 0x20 != 0).then_some(Span::new(content.start + 1, content.end))?
        }
        _ => return None,
    };
    let within = object.get(..inner.end as usize)?;
    if inner.len() < 2 {
        return None;
    }
    let first = Header::read(within, inner.start).ok()?;
    let whole = first.end() == Some(inner.end) && !first.is_flawed();
    (whole && first.tag.class == Class::Universal).then_some(inner)
}

struct Frame {
    limit: u32,
    /// For a string that is tried: how many strings were noted before it, and where it ends.
    string: Option<(usize, u32)>,
}

/// True when `span` is exactly one strict value; the offsets of the strings inside it that
/// open too are added to `opens`.
pub fn probe(object: &[u8], span: Span, opens: &mut Vec<u32>) -> bool {
    let Some(object) = object.get(..span.end as usize) else { return false };
    let mark = opens.len();
    let mut stack = vec![Frame { limit: span.end, string: Some((mark, span.end)) }];
    let mut at = span.start;
    while let Some(frame) = stack.last() {
        if at == frame.limit {
            stack.pop();
            continue;
        }
        let value = Reader::within(object, Span::new(at, frame.limit)).any().ok();
        let Some(value) = value.filter(|v| plausible(object, v) && stack.len() < DEPTH) else {
            // The innermost string that was tried is a leaf after all.
            loop {
                match stack.pop() {
                    Some(Frame { string: Some((noted, end)), .. }) => {
                        opens.truncate(noted);
                        at = end;
                        break;
                    }
                    Some(_) => {}
                    None => return false,
                }
            }
            if stack.is_empty() {
                return false;
            }
            continue;
        };
        if value.tag & 0x20 != 0 {
            stack.push(Frame { limit: value.end, string: None });
            at = value.content;
        } else if let Some(inner) = candidate(object, short(value.tag), value.contents()) {
            stack.push(Frame { limit: value.end, string: Some((opens.len(), value.end)) });
            opens.push(value.start);
            at = inner.start;
        } else {
            at = value.end;
        }
    }
    true
}

const DEPTH: usize = MAX_DEPTH as usize + 1;

fn short(octet: u8) -> Tag {
    Tag {
        class: if octet >> 6 == 0 { Class::Universal } else { Class::Context },
        constructed: octet & 0x20 != 0,
        number: u64::from(octet & 0x1f),
    }
}

/// False for a value that no DER encoder writes: random octets rarely pass.
fn plausible(object: &[u8], value: &Tlv) -> bool {
    let content = value.contents().of(object);
    match value.tag >> 6 {
        0 => {}
        2 => return true,
        _ => return false,
    }
    match value.tag {
        octet::BOOLEAN => matches!(content, [0 | 0xff]),
        octet::NULL => content.is_empty(),
        octet::INTEGER | octet::ENUMERATED => {
            !matches!(content, [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..])
        }
        octet::OID | octet::RELATIVE_OID => {
            content.first().is_some_and(|b| *b != 0x80) && content.last().is_some_and(|b| *b < 0x80)
        }
        octet::BIT_STRING => {
            content.first().is_some_and(|unused| *unused < 8 && (content.len() > 1 || *unused == 0))
        }
        octet::UTF8_STRING => std::str::from_utf8(content).is_ok(),
        octet::PRINTABLE_STRING
        | octet::NUMERIC_STRING
        | octet::IA5_STRING
        | octet::VISIBLE_STRING => content.is_ascii(),
        octet::UTC_TIME | octet::GENERALIZED_TIME => {
            content.len() >= 11
                && content.iter().all(|b| matches!(b, b'0'..=b'9' | b'Z' | b'+' | b'-' | b'.'))
        }
        octet::BMP_STRING => content.len().is_multiple_of(2),
        octet::UNIVERSAL_STRING => content.len().is_multiple_of(4),
        octet::SEQUENCE | octet::SET | octet::OCTET_STRING | octet::TELETEX_STRING => true,
        // Videotex, Graphic and GeneralString, ObjectDescriptor, REAL.
        0x15 | 0x19 | 0x1b | 0x07 | 0x09 => !content.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(content: &[u8]) -> Option<Vec<u32>> {
        let end = u32::try_from(content.len()).unwrap();
        let mut found = Vec::new();
        let span = candidate(content, Tag::universal(universal::OCTET_STRING), Span::new(0, end))?;
        probe(content, span, &mut found).then_some(found)
    }

    #[test]
    fn exactly_one_strict_value_opens() {
        assert_eq!(opens(&[0x30, 2, 0x05, 0]), Some(vec![]));
        assert_eq!(opens(&[0x30, 2, 0x05, 0, 0]), None, "octets after it");
        assert_eq!(opens(&[0x30, 3, 0x05, 0]), None, "cut short");
        assert_eq!(opens(&[0x30, 0x81, 2, 0x05, 0]), None, "long length");
        assert_eq!(opens(&[0x01, 1, 5]), None, "BOOLEAN 5");
        assert_eq!(opens(&[0x02, 2, 0, 5]), None, "padded INTEGER");
        assert_eq!(opens(&[0x80, 1, 5]), None, "context tag alone");
        assert_eq!(opens(&[0x5f]), None);
        assert_eq!(opens(&[]), None);
    }

    #[test]
    fn strings_inside_are_tried_and_taken_back() {
        // SEQUENCE { OCTET STRING { NULL }, OCTET STRING 05 00 00, OCTET STRING { OCTET STRING ff } }
        let der = [0x30, 15, 4, 2, 5, 0, 4, 3, 5, 0, 0, 4, 4, 4, 2, 0xff, 0xff];
        assert_eq!(opens(&der), Some(vec![2, 11]));
    }

    #[test]
    fn a_broken_inner_string_does_not_close_the_outer() {
        // The inner SEQUENCE has the right length but a broken INTEGER.
        let der = [0x30, 8, 4, 6, 0x30, 4, 4, 0, 2, 0];
        assert_eq!(opens(&der), Some(vec![]));
    }
}
