//! Findings collected from one object, bounded in number.

use crate::asn1::{Error, Finding, Rule};
use crate::rule;

rule! {
    FINDINGS_OMITTED, "findings-omitted", "pkiscope",
        "there may be more findings than are listed";
}

/// A list of findings that stops growing at a limit and then only counts.
///
/// A CRL of two million faulty entries must not become two million findings.
#[derive(Debug, Clone)]
pub struct Findings {
    list: Vec<Finding>,
    limit: usize,
    omitted: u64,
}

impl Default for Findings {
    fn default() -> Self {
        Self::with_limit(Self::LIMIT)
    }
}

impl Findings {
    /// How many findings are kept unless asked otherwise.
    pub const LIMIT: usize = 1000;

    /// An empty list that keeps at most `limit` findings. Nothing is allocated yet.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { list: Vec::new(), limit, omitted: 0 }
    }

    /// Adds a finding, or counts it when the list is full.
    pub fn push(&mut self, finding: impl Into<Finding>) {
        if self.list.len() < self.limit {
            self.list.push(finding.into());
        } else {
            self.omitted += 1;
        }
    }

    /// Adds `rule` broken at `offset`.
    pub fn add(&mut self, offset: u32, rule: &'static Rule) {
        self.push(Error::new(offset, rule));
    }

    /// Adds what a check found, if it found something.
    pub fn check(&mut self, error: Option<Error>) {
        if let Some(error) = error {
            self.push(error);
        }
    }

    /// Adds the error of a failed reading and gives the value of a successful one.
    pub fn ok<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        result.map_err(|e| self.push(e)).ok()
    }

    /// How many findings there were, listed or only counted.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.list.len() as u64 + self.omitted
    }

    /// True when further findings would only be counted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= self.limit
    }

    /// True when nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.omitted == 0
    }

    /// The findings by offset, each rule once at an offset; the last one says how many were
    /// left out.
    #[must_use]
    pub fn into_list(mut self) -> Vec<Finding> {
        // A check that saw a full list may have stopped, so that what is counted is not all.
        let full = self.is_full();
        self.list.sort_by_key(|f| (f.offset, f.rule.id));
        self.list.dedup_by_key(|f| (f.offset, f.rule.id));
        if full {
            let offset = self.list.last().map_or(0, |f| f.offset);
            let detail = format!("{} at least", self.omitted);
            self.list.push(Finding::with(offset, &FINDINGS_OMITTED, detail));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::header::TRUNCATED;

    #[test]
    fn sorts_drops_doubles_and_counts_the_rest() {
        let mut f = Findings::with_limit(3);
        for offset in [9, 3, 3, 7, 8] {
            f.add(offset, &TRUNCATED);
        }
        assert!(f.is_full());
        let list = f.into_list();
        assert_eq!(list.iter().map(|f| f.offset).collect::<Vec<_>>(), [3, 9, 9]);
        assert_eq!(list[2].message(), "there may be more findings than are listed: 2 at least");
    }
}
