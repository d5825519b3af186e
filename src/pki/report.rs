//! All that is wrong with one object: its encoding, and what the standard of its type says.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::asn1::check::{self, CONTAINED_VALUE, Limits, NOT_DER};
use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::walk::TOO_DEEP;
use crate::asn1::{Error, Finding, Walker, ber, nav};
use crate::pki::findings::{FINDINGS_OMITTED, Findings};
use crate::pki::object::Form;
use crate::pki::view::View;

/// Findings of a converted object whose offsets are worked out; each costs a walk.
const MOST_TRANSLATED: usize = 100;

/// What is wrong with an object of type `form`, in order of offset, each rule once an offset.
///
/// The typed view checks what its standard says, the generic check the encoding of all that
/// the object holds. BER is read by the view too; offsets are those of the object as it is. A
/// `cancel` flag that becomes true ends it early.
#[must_use]
pub fn findings(object: &[u8], form: Form, cancel: Option<&AtomicBool>) -> Vec<Finding> {
    Report::new(object, form).findings(cancel)
}

/// An object, and how it is read: as it is, or converted from BER.
#[derive(Debug)]
pub struct Report<'a> {
    octets: &'a [u8],
    der: Cow<'a, [u8]>,
    form: Form,
    error: Option<Error>,
}

impl<'a> Report<'a> {
    /// Reads `octets` as what `form` says; what is BER is converted for the strict views.
    #[must_use]
    pub fn new(octets: &'a [u8], form: Form) -> Self {
        let mut report = Self { octets, der: Cow::Borrowed(octets), form, error: None };
        if let Err(error) = View::parse(octets, form) {
            report.error = Some(error);
            if let Ok(Cow::Owned(der)) = ber::to_der(octets) {
                report.error = View::parse(&der, form).err();
                report.der = Cow::Owned(der);
                report.error = report.error.map(|error| report.translated(error));
            }
        }
        report
    }

    /// The octets that the view reads: those of the object, or converted ones.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// True when it is BER and the view reads converted octets.
    #[must_use]
    pub const fn is_converted(&self) -> bool {
        matches!(self.der, Cow::Owned(_))
    }

    /// The typed view.
    #[must_use]
    pub fn view(&self) -> Option<View<'_>> {
        View::parse(&self.der, self.form).ok()
    }

    /// What stops the reading of the object, so that not all of it is shown: a broken header or
    /// length anywhere outside of strings, a shape that is not that of the type, a list that
    /// breaks off. `None` when all of it reads, with whatever findings.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        let broken = Walker::new(self.octets, false).filter_map(|node| node.error);
        // What is nested too deep is shown closed; a finding says so.
        let broken = broken.into_iter().find(|error| *error.rule != TOO_DEEP);
        let stopped = || self.view()?.incomplete().map(|error| self.translated(error));
        broken.or(self.error).or_else(stopped)
    }

    /// See [`findings`].
    #[must_use]
    pub fn findings(&self, cancel: Option<&AtomicBool>) -> Vec<Finding> {
        let typed = self.view().map(|view| view.violations()).unwrap_or_default();
        let typed = self.translate_all(typed);
        if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return typed;
        }
        let encoding = check::check(self.octets, self.form.schema(), Limits::default());
        merge(typed, encoding)
    }

    /// The same field in the object as it is, by its path; the whole object where that fails.
    fn translated(&self, error: Error) -> Error {
        if !self.is_converted() {
            return error;
        }
        let path = nav::path(&self.der, self.form.schema(), error.offset);
        let offset = nav::resolve(self.octets, self.form.schema(), &path).unwrap_or(0);
        Error::new(offset, error.rule)
    }

    fn translate_all(&self, mut list: Vec<Finding>) -> Vec<Finding> {
        if !self.is_converted() {
            return list;
        }
        for (i, finding) in list.iter_mut().enumerate() {
            finding.offset = if i < MOST_TRANSLATED {
                self.translated(Error::new(finding.offset, finding.rule)).offset
            } else {
                0
            };
        }
        list
    }
}

/// How far behind the start of a string the fault in it can be told: its header, and the octet
/// that counts unused bits.
const HEADER: u32 = 6;

/// True when `finding` of the generic check says in general what a typed view says better.
fn is_told(finding: &Finding, typed: &[Finding]) -> bool {
    let reach = match finding.rule {
        rule if *rule == UNEXPECTED_TAG || *rule == NOT_DER => 0,
        rule if *rule == CONTAINED_VALUE => HEADER,
        _ => return false,
    };
    let reach = finding.offset..=finding.offset.saturating_add(reach);
    typed.iter().any(|other| other.rule != finding.rule && reach.contains(&other.offset))
}

/// Both lists as one, with one limit.
fn merge(mut typed: Vec<Finding>, mut encoding: Vec<Finding>) -> Vec<Finding> {
    encoding.retain(|finding| !is_told(finding, &typed));
    typed.extend(encoding);
    let mut omitted = 0;
    typed.retain(|finding| {
        let is_count = *finding.rule == FINDINGS_OMITTED;
        if is_count {
            let count = finding.detail.as_deref().and_then(|text| text.parse::<u64>().ok());
            omitted += count.unwrap_or(0);
        }
        !is_count
    });
    typed.sort_by_key(|finding| (finding.offset, finding.rule.id));
    // Of two that say the same, the one with more words stays.
    typed.dedup_by(|b, a| {
        let same = a.offset == b.offset && a.rule.id == b.rule.id;
        if same && a.detail.is_none() {
            a.detail = b.detail.take();
        }
        same
    });
    omitted += typed.len().saturating_sub(Findings::LIMIT) as u64;
    typed.truncate(Findings::LIMIT);
    if omitted > 0 {
        let offset = typed.last().map_or(0, |finding| finding.offset);
        typed.push(Finding::with(offset, &FINDINGS_OMITTED, omitted.to_string()));
    }
    typed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::header::TRUNCATED;
    use crate::pki::testing::sample;

    #[test]
    fn lists_are_merged_once_and_within_the_limit() {
        let list = |from: u32, to| (from..to).map(|at| Finding::new(at, &TRUNCATED)).collect();
        let both: Vec<Finding> = merge(list(0, 20), list(10, 30));
        assert_eq!(both.len(), 30);
        let mut many: Vec<Finding> = list(0, 900);
        many.push(Finding::with(899, &FINDINGS_OMITTED, "7"));
        let both = merge(many, list(500, 1500));
        assert_eq!(both.len(), Findings::LIMIT + 1);
        assert_eq!(both[Findings::LIMIT].detail.as_deref(), Some("507"));
    }

    #[test]
    fn one_fault_has_one_finding() {
        let typed = [Finding::new(20, &TRUNCATED)];
        for (offset, rule, told) in [
            (20, &UNEXPECTED_TAG, true),
            (19, &UNEXPECTED_TAG, false),
            (16, &CONTAINED_VALUE, true),
            (13, &CONTAINED_VALUE, false),
            (20, &TRUNCATED, false),
        ] {
            assert_eq!(is_told(&Finding::new(offset, rule), &typed), told, "{offset} {}", rule.id);
        }
    }

    #[test]
    fn ber_is_read_and_offsets_are_its_own() {
        let ber = sample!("pkcs7-indefinite.p7b");
        let report = Report::new(ber, Form::ContentInfo);
        assert!(matches!(report.view(), Some(View::Pkcs7(_))));
        assert_eq!(report.error(), None);
        assert_ne!(report.der(), ber);
    }

    #[test]
    fn what_stops_the_reading_is_told_from_what_is_wrong() {
        let findings = sample!("certificate-findings.der");
        let report = Report::new(findings, Form::Certificate);
        assert_eq!(report.error(), None);
        assert!(report.findings(None).len() > 5);
        let cut = &findings[..findings.len() - 1];
        let error = Report::new(cut, Form::Certificate).error().unwrap();
        assert_eq!((error.offset, error.rule.id), (1, "length-beyond-end"));
    }
}
