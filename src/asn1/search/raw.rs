//! Where in the raw octets a text can begin at all: the walk leaps over what lies before.

use memchr::{memchr2_iter, memmem};

use super::query::Text;
use crate::asn1::names;

/// With more names than this that contain the text, a plain walk is as fast.
const MAX_NAMES: usize = 16;
/// Octets that are looked at in one go, so that a search in gigabytes can be cancelled.
const WINDOW: usize = 16 << 20;

/// Lower bounds for the places of matches, one stream for the text itself and one for each
/// object identifier whose name contains it.
#[derive(Debug)]
pub struct Ahead {
    streams: Vec<Stream>,
}

#[derive(Debug)]
struct Stream {
    what: What,
    /// No match begins in this stretch.
    free: std::ops::Range<usize>,
}

#[derive(Debug)]
enum What {
    /// ASCII text in lower case, and the index of the character that is looked for.
    Text(Vec<u8>, usize),
    /// The encoded identifier.
    Oid(Box<memmem::Finder<'static>>),
}

impl Ahead {
    /// `None` when the text can match in forms that do not stand in the octets as they are:
    /// numbers, times, letters beyond ASCII, names from the user's file.
    pub fn new(text: &Text, anchor: usize) -> Option<Self> {
        let lower = text.lower.as_str();
        let converted = text.integer.is_some()
            || text.digits.is_some()
            || lower.bytes().all(|c| b"0123456789-:.tz ".contains(&c));
        if converted || !lower.is_ascii() || names::has_own() {
            return None;
        }
        let mut streams = vec![What::Text(lower.as_bytes().to_vec(), anchor)];
        for (contents, entry) in names::all() {
            let is_in = |name: &str| name.to_lowercase().contains(lower);
            if is_in(entry.name) || entry.short.is_some_and(is_in) {
                let length = u8::try_from(contents.len()).ok().filter(|n| *n < 0x80)?;
                // The last of the header and the contents: the length may have any form.
                let encoded = [&[length], contents].concat();
                streams.push(What::Oid(Box::new(memmem::Finder::new(&encoded).into_owned())));
            }
            if streams.len() > MAX_NAMES {
                return None;
            }
        }
        let streams = streams.into_iter().map(|what| Stream { what, free: 0..0 }).collect();
        Some(Self { streams })
    }

    /// A place at or behind `from` and not behind `limit`, before which no match begins; the
    /// octets of a match may begin as many places later as it likes.
    pub fn next(&mut self, object: &[u8], from: usize, limit: usize) -> usize {
        let limit = limit.min(from.saturating_add(WINDOW));
        let places = self.streams.iter_mut().map(|stream| {
            if !(stream.free.start..=stream.free.end).contains(&from) || stream.free.end <= from {
                stream.free = from..stream.what.next(object, from, limit);
            }
            stream.free.end
        });
        places.min().unwrap_or(limit)
    }
}

impl What {
    fn next(&self, object: &[u8], from: usize, limit: usize) -> usize {
        let found = match self {
            Self::Text(lower, anchor) => {
                let reach = limit.saturating_add(4 * lower.len()).min(object.len());
                let char = lower[*anchor];
                let part = object.get(from..reach).unwrap_or_default();
                // The widest characters begin farthest before the one that was found.
                memchr2_iter(char, char.to_ascii_uppercase(), part)
                    .find(|at| {
                        [1, 2, 4].iter().any(|width| is_at(part, *at, lower, *anchor, *width))
                    })
                    .map(|at| from + at.saturating_sub(4 * anchor + 3))
            }
            Self::Oid(finder) => {
                let reach = limit.saturating_add(finder.needle().len()).min(object.len());
                // The tag stands before the length, in an odd header a little farther.
                let found = finder.find(object.get(from..reach).unwrap_or_default());
                found.map(|at| from + at.saturating_sub(8))
            }
        };
        found.unwrap_or(limit).clamp(from, limit.max(from))
    }
}

/// True when `lower` stands in characters of `width` octets, its character `anchor` ending at
/// `at`.
fn is_at(part: &[u8], at: usize, lower: &[u8], anchor: usize, width: usize) -> bool {
    let Some(start) = (at + 1).checked_sub((anchor + 1) * width) else {
        // It began before this part: that cannot be ruled out from here.
        return false;
    };
    part.get(start..start + lower.len() * width).is_some_and(|found| {
        found
            .chunks_exact(width)
            .zip(lower)
            .all(|(c, l)| c.last().is_some_and(|c| c.eq_ignore_ascii_case(l)))
    })
}
