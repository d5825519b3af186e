//! The way back from [`super::der_ascii`], for the tests and the fuzz targets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "never in the program")]

use super::ascii::{identifier, is_usually_constructed};
use crate::asn1::value::oid;
use crate::asn1::{Class, Tag};

enum Length {
    Shortest,
    LongForm(usize),
    Indefinite,
}

/// The octets that `text` stands for.
///
/// # Panics
/// On what it does not understand.
#[must_use]
pub fn assemble(text: &str) -> Vec<u8> {
    // Contents of the open braces, with the tag and length form they get.
    let mut stack: Vec<(Tag, Length, Vec<u8>)> = Vec::new();
    let mut top = Vec::new();
    let mut tag = None;
    let mut length = Length::Shortest;
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        let out = stack.last_mut().map_or(&mut top, |(_, _, out)| out);
        match first {
            '#' => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            '{' => {
                let form = std::mem::replace(&mut length, Length::Shortest);
                stack.push((tag.take().expect("a tag before the brace"), form, Vec::new()));
                rest = &rest[1..];
            }
            '}' => {
                let (tag, form, contents) = stack.pop().expect("an open brace");
                let out = stack.last_mut().map_or(&mut top, |(_, _, out)| out);
                finish(out, tag, &form, &contents);
                rest = &rest[1..];
            }
            '`' => {
                let end = rest[1..].find('`').unwrap() + 1;
                out.extend(data_encoding::HEXLOWER.decode(&rest.as_bytes()[1..end]).unwrap());
                rest = &rest[end + 1..];
            }
            '"' => rest = string(&rest[1..], 1, out),
            'u' if rest.starts_with("u\"") => rest = string(&rest[2..], 2, out),
            'U' if rest.starts_with("U\"") => rest = string(&rest[2..], 4, out),
            'b' if rest.starts_with("b`") => {
                let end = rest[2..].find('`').unwrap() + 2;
                bits(&rest[2..end], out);
                rest = &rest[end + 1..];
            }
            '[' => {
                let end = rest.find(']').unwrap();
                tag = Some(bracket(&rest[1..end]));
                rest = &rest[end + 1..];
            }
            _ => {
                let end = rest.find([' ', '\n', '{']).unwrap_or(rest.len());
                word(&rest[..end], out, &mut tag, &mut length);
                rest = &rest[end..];
            }
        }
    }
    assert!(stack.is_empty() && tag.is_none());
    top
}

fn word(word: &str, out: &mut Vec<u8>, tag: &mut Option<Tag>, length: &mut Length) {
    let universal = |n: &u64| {
        Tag::universal(*n).type_name().is_some_and(|t| t.replace([' ', '-'], "_") == word)
    };
    if word == "TRUE" {
        out.push(0xff);
    } else if word == "FALSE" {
        out.push(0);
    } else if word == "indefinite" {
        *length = Length::Indefinite;
    } else if let Some(count) = word.strip_prefix("long-form:") {
        *length = Length::LongForm(count.parse().unwrap());
    } else if let Some(relative) = word.strip_prefix('.') {
        out.extend(oid::encode_relative(relative).unwrap());
    } else if word.contains('.') {
        out.extend(oid::encode(word).unwrap());
    } else if let Ok(number) = word.parse::<i64>() {
        let octets = number.to_be_bytes();
        let spare = |w: &[u8]| matches!(w, [0, 0..=0x7f] | [0xff, 0x80..=0xff]);
        out.extend(&octets[octets.windows(2).take_while(|w| spare(w)).count()..]);
    } else {
        let number = (1..64).find(universal).unwrap_or_else(|| panic!("what is `{word}`?"));
        *tag = Some(Tag { constructed: is_usually_constructed(number), ..Tag::universal(number) });
    }
}

fn bracket(text: &str) -> Tag {
    let mut tag = Tag { class: Class::Context, constructed: true, number: 0 };
    for word in text.split(' ') {
        match word {
            "UNIVERSAL" => tag.class = Class::Universal,
            "APPLICATION" => tag.class = Class::Application,
            "PRIVATE" => tag.class = Class::Private,
            "PRIMITIVE" => tag.constructed = false,
            number => tag.number = number.parse().unwrap(),
        }
    }
    tag
}

fn finish(out: &mut Vec<u8>, tag: Tag, form: &Length, contents: &[u8]) {
    out.extend(identifier(tag));
    let size = contents.len().to_be_bytes();
    match form {
        Length::Indefinite => out.push(0x80),
        Length::LongForm(count) => {
            out.push(0x80 | u8::try_from(*count).unwrap());
            out.extend(std::iter::repeat_n(0, count.saturating_sub(size.len())));
            out.extend(&size[size.len().saturating_sub(*count)..]);
        }
        Length::Shortest if contents.len() < 0x80 => out.push(size[size.len() - 1]),
        Length::Shortest => {
            let octets = &size[size.iter().take_while(|b| **b == 0).count()..];
            out.push(0x80 | u8::try_from(octets.len()).unwrap());
            out.extend(octets);
        }
    }
    out.extend_from_slice(contents);
    if matches!(form, Length::Indefinite) {
        out.extend([0, 0]);
    }
}

/// A string up to its closing quote; what follows it.
fn string<'t>(text: &'t str, width: usize, out: &mut Vec<u8>) -> &'t str {
    let mut chars = text.char_indices();
    let put = |c: char, out: &mut Vec<u8>| match width {
        1 => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
        2 => out.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|u| u.to_be_bytes())),
        _ => out.extend(u32::from(c).to_be_bytes()),
    };
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return &text[at + 1..],
            '\\' => match chars.next().unwrap().1 {
                'n' => put('\n', out),
                'x' => {
                    out.push(u8::from_str_radix(&text[at + 2..at + 4], 16).unwrap());
                    chars.nth(1);
                }
                'u' => {
                    let end = at + text[at..].find('}').unwrap();
                    let number = u32::from_str_radix(&text[at + 3..end], 16).unwrap();
                    put(char::from_u32(number).unwrap(), out);
                    chars.nth(end - at - 2);
                }
                c => put(c, out),
            },
            c => put(c, out),
        }
    }
    panic!("a string without an end");
}

fn bits(text: &str, out: &mut Vec<u8>) {
    let count = text.len().div_ceil(8);
    out.push(u8::try_from(count * 8 - text.len()).unwrap());
    for octet in text.as_bytes().chunks(8) {
        let bit = |(i, c): (usize, &u8)| u8::from(*c == b'1') << (7 - i);
        out.push(octet.iter().enumerate().map(bit).sum());
    }
}
