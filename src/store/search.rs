//! The search for objects: batch by batch, row by row.

use std::sync::atomic::Ordering;

use rusqlite::{Row, Transaction, params};

use super::error::Reason;
use super::rows::{ObjectFilter, ObjectRow};

/// So many objects are looked at in one state of the database.
const STRETCH: u32 = 16_384;

/// What a search looks for.
pub(super) struct Wanted<'a> {
    filter: &'a ObjectFilter<'a>,
    /// In lower case.
    subject: Option<String>,
    /// Without the zeros that it begins with.
    serial: Option<&'a [u8]>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(filter: &'a ObjectFilter<'a>) -> Self {
        let subject = filter.subject.map(str::to_lowercase);
        Self { filter, subject, serial: filter.serial.map(number) }
    }

    /// Goes over objects after `after`; where to go on, if there may be more.
    pub(super) fn search(
        &self,
        transaction: &Transaction<'_>,
        after: i64,
        each: &mut impl FnMut(&Found<'_, '_>) -> Result<bool, Reason>,
    ) -> Result<Option<i64>, Reason> {
        // Batches do not overlap: only the first can begin before `after` and go beyond it.
        let batches = "SELECT first, last, run, kind FROM batches
            WHERE first >= coalesce((SELECT max(first) FROM batches WHERE first <= ?1), 0)
              AND last > ?1 AND count > 0
              AND (?2 IS NULL OR run = ?2) AND (?3 IS NULL OR kind = ?3)
            ORDER BY first";
        let objects =
            format!("SELECT {OBJECT} FROM objects WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        let mut batches = transaction.prepare_cached(batches)?;
        let mut objects = transaction.prepare_cached(&objects)?;
        let mut batches = batches.query(params![after, self.filter.run, self.filter.kind])?;
        let mut seen = 0;
        while let Some(batch) = batches.next()? {
            let (first, last): (i64, i64) = (batch.get(0)?, batch.get(1)?);
            let (run, kind): (i64, String) = (batch.get(2)?, batch.get(3)?);
            let mut objects = objects.query([first.max(after.saturating_add(1)), last])?;
            while let Some(row) = objects.next()? {
                if self.filter.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                    return Err(Reason::Cancelled);
                }
                let found = Found { row, run, kind: &kind };
                if self.matches(&found) && !each(&found)? {
                    return Ok(None);
                }
                seen += 1;
                if seen >= STRETCH {
                    return Ok(Some(row.get(0)?));
                }
            }
        }
        Ok(None)
    }

    fn matches(&self, found: &Found<'_, '_>) -> bool {
        self.serial.is_none_or(|serial| found.has_serial(serial))
            && self.subject.as_ref().is_none_or(|text| found.has_subject(text))
    }
}

/// The columns of [`Found`].
pub(super) const OBJECT: &str = "id, sha256, serial, subject, length(der)";

/// An object's row.
pub(super) struct Found<'a, 's> {
    pub(super) row: &'a Row<'s>,
    pub(super) run: i64,
    pub(super) kind: &'a str,
}

impl Found<'_, '_> {
    pub(super) fn sha256(&self) -> Result<[u8; 32], Reason> {
        Ok(self.row.get(1)?)
    }

    fn has_serial(&self, wanted: &[u8]) -> bool {
        let serial = self.row.get_ref(2).ok();
        serial.and_then(|value| value.as_blob().ok()).is_some_and(|serial| number(serial) == wanted)
    }

    /// `wanted` is in lower case.
    fn has_subject(&self, wanted: &str) -> bool {
        let subject = self.row.get_ref(3).ok();
        let subject = subject.and_then(|value| value.as_str().ok());
        subject.is_some_and(|subject| {
            subject.contains(wanted) || subject.to_lowercase().contains(wanted)
        })
    }

    pub(super) fn object(&self) -> Result<ObjectRow, Reason> {
        Ok(ObjectRow {
            id: self.row.get(0)?,
            kind: self.kind.to_owned(),
            run: self.run,
            sha256: self.sha256()?,
            size: count(self.row, 4)?,
            subject: self.row.get(3)?,
            serial: self.row.get(2)?,
        })
    }
}

/// The octets of a serial number without the zeros that it begins with.
fn number(serial: &[u8]) -> &[u8] {
    let zeros = serial.iter().take_while(|octet| **octet == 0).count();
    &serial[zeros..]
}

/// The smallest and the largest digest that begin with `prefix` in hex.
pub(super) fn bounds(prefix: &str) -> Option<([u8; 32], [u8; 32])> {
    let (mut low, mut high) = ([0; 32], [0xff; 32]);
    if prefix.len() > 64 {
        return None;
    }
    for (at, digit) in prefix.chars().enumerate() {
        let digit = u8::try_from(digit.to_digit(16)?).ok()?;
        let (shift, other) = if at % 2 == 0 { (4, 0x0f) } else { (0, 0xf0) };
        for bound in [&mut low, &mut high] {
            let octet = &mut bound[at / 2];
            *octet = (*octet & other) | (digit << shift);
        }
    }
    Some((low, high))
}

/// A number that is not negative.
pub(super) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}
