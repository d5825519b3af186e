//! What several targets assert of whatever they are given.

use std::fmt;

use pkiscope::app::batch::{json, text};
use pkiscope::asn1::export::{assemble::assemble, der_ascii, tree_text};
use pkiscope::asn1::schema::Type;
use pkiscope::asn1::text::is_hidden;
use pkiscope::asn1::{Finding, Findings, Span};
use pkiscope::pki::crypto::Effort;
use pkiscope::pki::object::{Form, Kind};
use pkiscope::pki::record::Subject;
use pkiscope::pki::report::Report;
use pkiscope::pki::summary::summary;
use pkiscope::pki::unpack::{PasswordSource, Passwords, Unpacked, unpack_with};
use pkiscope::pki::view::View;

/// Iterations that key derivation may cost: the fuzzer should spend its time on parsers.
const ITERATIONS: u64 = 300;

/// Longer texts do not fit one line of a card.
const LONGEST_FACT: usize = 400;

/// Octets of an object as an offset.
pub fn size(object: &[u8]) -> u32 {
    u32::try_from(object.len()).expect("fuzz inputs are short")
}

/// Nothing that a terminal would obey, nothing that nobody sees.
pub fn assert_quiet(text: &str) {
    let hidden = text.chars().find(|c| *c != '\n' && is_hidden(*c));
    assert_eq!(hidden, None, "in {text:?}");
}

/// The text that an export writes, which must be safe to show.
pub fn written(export: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    export(&mut out).expect("a String takes everything");
    assert_quiet(&out);
    out
}

/// A span lies in its object.
pub fn assert_inside(span: Span, object: &[u8]) {
    assert!(span.start <= span.end && span.end <= size(object), "{span:?}");
}

/// Findings are in order, inside the object, safe to show and not without bound.
pub fn assert_findings(list: &[Finding], object: &[u8]) {
    assert!(list.len() <= Findings::LIMIT + 1);
    assert!(list.is_sorted_by_key(|finding| finding.offset), "{list:?}");
    for finding in list {
        assert!(finding.offset <= size(object), "{finding:?}");
        assert_quiet(&finding.message());
    }
}

/// The exports that read the object: der-ascii gives the octets back, the tree is safe.
pub fn exports(object: &[u8], ty: &'static Type, nested: bool) {
    let ascii = written(|out| der_ascii(out, object, nested));
    assert_eq!(assemble(&ascii), object, "{ascii}");
    written(|out| tree_text(out, object, ty, nested, 60));
}

/// Reads `octets` as an object of type `form`, writes all that is said of it, and checks that
/// it holds together.
pub fn described(octets: &[u8], form: Form) {
    if let Ok(view) = View::parse(octets, form) {
        assert_findings(&view.violations(), octets);
        if let Some(error) = view.incomplete() {
            assert!(error.offset <= size(octets), "{error:?}");
        }
    }
    let report = Report::new(octets, form);
    if let Some(error) = report.error() {
        assert!(error.offset <= size(octets), "{error:?}");
    }
    assert_findings(&report.findings(None), octets);

    let subject = Subject::new(octets, form);
    let error = subject.error();
    let record = subject.record(subject.findings(error.as_ref()));
    let mut out = Vec::new();
    json::write_line(&mut out, &record).expect("a record is JSON");
    let line = std::str::from_utf8(&out).expect("JSON is UTF-8");
    assert_quiet(line);
    assert_eq!(line.find('\n'), Some(line.len() - 1), "one record, one line");
    serde_json::from_str::<serde_json::Value>(line).expect("a record is valid JSON");
    out.clear();
    text::write(&mut out, &record).expect("a record is text");
    assert_quiet(std::str::from_utf8(&out).expect("text is UTF-8"));

    let summary = summary(octets, form);
    for text in
        summary.facts.iter().chain([&summary.title]).chain(summary.details.iter().map(|d| &d.1))
    {
        assert_quiet(text);
        assert!(text.chars().count() <= LONGEST_FACT && !text.contains('\n'), "{text:?}");
    }
    exports(octets, form.schema(), true);
}

/// Takes a container apart with known passwords and little patience.
pub fn unpacked(octets: &[u8], kind: Kind) -> Unpacked {
    let mut passwords = Passwords::new([pkiscope::pki::unpack::Password::text("pkiscope")]);
    unpacked_with(octets, kind, &mut passwords)
}

fn unpacked_with(octets: &[u8], kind: Kind, passwords: &mut dyn PasswordSource) -> Unpacked {
    let unpacked = unpack_with(octets, kind, passwords, Effort::new(ITERATIONS));
    for object in &unpacked.objects {
        if let Some(span) = object.span {
            assert_inside(span, octets);
            assert_eq!(span.of(octets), object.der.as_slice(), "{}", object.place);
        }
        assert_quiet(&object.place);
        let form = Form::of(&object.der, None);
        if let Ok(view) = View::parse(&object.der, form) {
            assert_findings(&view.violations(), &object.der);
        }
    }
    unpacked
}
