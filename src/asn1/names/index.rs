//! The hash index over the built-in families.

use std::sync::LazyLock;

use super::entry::Entry;
use super::table::{FAMILIES, LABELS};
use crate::asn1::value::oid;

/// Built when the first name is asked for.
pub(super) static BUILT_IN: LazyLock<Index> = LazyLock::new(Index::build);

/// Slots are a power of two, and at least twice as many as rows so that runs stay short.
pub(super) const SLOTS: usize = 1 << 13;

struct Row {
    start: u32,
    end: u32,
    entry: Entry<'static>,
}

/// An open-addressing table from contents octets to rows.
pub(super) struct Index {
    /// The contents octets of all rows, one after the other.
    octets: Vec<u8>,
    rows: Vec<Row>,
    /// Row number plus one; zero is an empty slot.
    slots: Vec<u16>,
    /// No identifier in the table is longer; longer ones are not even hashed.
    longest: usize,
}

impl Index {
    fn build() -> Self {
        let count = FAMILIES.iter().flat_map(|part| part.iter()).map(|f| f.names.len()).sum();
        let mut index = Self {
            octets: Vec::with_capacity(count * 12),
            rows: Vec::with_capacity(count),
            slots: vec![0; SLOTS],
            longest: 0,
        };
        let mut arc = Vec::new();
        let mut one = Vec::new();
        for family in FAMILIES.iter().flat_map(|part| part.iter()) {
            arc.clear();
            // Rows that do not encode are left out here and fail a test.
            if oid::encode_into(family.arc, &mut arc).is_err() {
                continue;
            }
            for (below, name) in family.names {
                one.clear();
                one.extend_from_slice(&arc);
                if below.is_empty() || oid::encode_relative_into(below, &mut one).is_ok() {
                    index.insert(&one, Entry { name, short: None, source: family.source });
                }
            }
        }
        for (dotted, label) in LABELS {
            one.clear();
            if oid::encode_into(dotted, &mut one).is_ok()
                && let Some(row) = index.find(&one)
            {
                index.rows[row].entry.short = Some(label);
            }
        }
        index
    }

    /// The first row of an identifier stays; tests hold that there is no second.
    fn insert(&mut self, contents: &[u8], entry: Entry<'static>) {
        let start = self.octets.len();
        // One slot stays empty, so that every probe ends.
        let (Ok(number), Ok(from), Ok(end)) = (
            u16::try_from(self.rows.len() + 1),
            u32::try_from(start),
            u32::try_from(start + contents.len()),
        ) else {
            return;
        };
        if usize::from(number) >= SLOTS {
            return;
        }
        let mut slot = hash(contents);
        while let Some(row) = self.row_in(slot) {
            if self.contents(row) == contents {
                return;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = number;
        self.octets.extend_from_slice(contents);
        self.rows.push(Row { start: from, end, entry });
        self.longest = self.longest.max(contents.len());
    }

    fn row_in(&self, slot: usize) -> Option<usize> {
        usize::from(self.slots[slot]).checked_sub(1)
    }

    fn contents(&self, row: usize) -> &[u8] {
        let Row { start, end, .. } = self.rows[row];
        &self.octets[start as usize..end as usize]
    }

    fn find(&self, contents: &[u8]) -> Option<usize> {
        if contents.len() > self.longest {
            return None;
        }
        let mut slot = hash(contents);
        loop {
            let row = self.row_in(slot)?;
            if self.contents(row) == contents {
                return Some(row);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    pub(super) fn lookup(&self, contents: &[u8]) -> Option<Entry<'static>> {
        self.find(contents).map(|row| self.rows[row].entry)
    }

    pub(super) fn by_name(&self, name: &str) -> Option<&[u8]> {
        let first = |same: &dyn Fn(&str) -> bool| {
            self.all()
                .find(|(_, e)| same(e.name) || e.short.is_some_and(same))
                .map(|(contents, _)| contents)
        };
        let bare = name.strip_prefix("id-").unwrap_or(name);
        let tail = bare.split_once('-').map(|(_, tail)| tail).filter(|_| bare != name);
        first(&|known| known == name)
            .or_else(|| first(&|known| is(known, name)))
            .or_else(|| {
                let stem = |known: &str| known.strip_prefix("id-").is_some_and(|s| is(s, bare));
                first(&|known| is(known, bare) || stem(known))
            })
            .or_else(|| first(&|known| tail.is_some_and(|tail| is(known, tail))))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&[u8], Entry<'static>)> {
        self.rows.iter().enumerate().map(|(row, r)| (self.contents(row), r.entry))
    }
}

fn is(known: &str, asked: &str) -> bool {
    known.eq_ignore_ascii_case(asked)
}

/// FNV-1a, folded to a slot. The table is fixed, so no input can lengthen its runs.
fn hash(contents: &[u8]) -> usize {
    let full =
        contents.iter().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(*b)).wrapping_mul(0x0100_0193));
    ((full >> 16) ^ full) as usize % SLOTS
}
