//! DER and schema checks over a whole object.
//!
//! One walk looks at every node: its header, the form of its encoding, its value, and what the
//! schema says of it. Where the schema knows nothing, the universal types are checked by
//! themselves. The rules of clauses 10 and 11 of X.690 are DER's own: in a value whose standard
//! is content with BER (CMS, PKCS #12) the first breach is noted as [`NOT_DER`], and no more.

use std::cmp::Ordering;

use crate::asn1::reader::{TRAILING, UNEXPECTED_TAG};
use crate::asn1::schema::{Field, Kind, Matcher, Place, Role, Rules, Type, root};
use crate::asn1::tag::universal as u;
use crate::asn1::value::{self, bits};
use crate::asn1::walk::{self, Node, Walker};
use crate::asn1::{Error, Finding, Findings, Header, Rule, Span, Tag};
use crate::rule;

rule! {
    MISSING_FIELD, "missing-field", "X.690 8.9.2", "a component that is not optional is missing";
    CONSTRUCTED_STRING, "constructed-string", "X.690 10.2",
        "DER forbids the constructed form of strings";
    MUST_BE_PRIMITIVE, "must-be-primitive", "X.690 8.2.1, 8.3.1, 8.8.1, 8.19.1",
        "a value of this type cannot be constructed";
    MUST_BE_CONSTRUCTED, "must-be-constructed", "X.690 8.9.1, 8.11.1, 8.14.3",
        "a value of this type must be constructed";
    CONTAINED_VALUE, "contained-value", "X.682 11.4",
        "the contents are not exactly one value of the type that belongs there";
    SET_ORDER, "set-order", "X.690 11.6", "the elements of a SET OF are not in the order of their encodings";
    DEFAULT_ENCODED, "default-encoded", "X.690 11.5", "a default value is encoded";
    RESERVED_TAG, "reserved-tag", "X.680 8.4", "the universal tag is reserved";
    NOT_DER, "not-der", "X.690 10, 11",
        "the value is BER and not DER, which its standard allows";
}

/// How much a check may report.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Findings that are listed; one more says how many there were beyond them.
    pub findings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { findings: Findings::LIMIT }
    }
}

/// All that is wrong with the encoding of `object`, whose outermost value is of type `ty`, by
/// offset.
///
/// Time is linear in the octets, memory in the limit. Missing components are not reported of a
/// value that could not be read to its end.
#[must_use]
pub fn check(object: &[u8], ty: &'static Type, limits: Limits) -> Vec<Finding> {
    let mut checker = Checker {
        object,
        findings: Findings::with_limit(limits.findings),
        open: Vec::new(),
        noted_ber: false,
    };
    let mut walker = Walker::new(object, false);
    let mut seen = false;
    while let Some(node) = walker.next() {
        while checker.open.len() > usize::from(node.depth) {
            checker.close();
        }
        if node.depth == 0 && seen {
            checker.findings.add(node.start, &TRAILING);
            break;
        }
        seen = true;
        if let Some(first) = checker.node(&node, ty) {
            walker.open_last(&node, first);
        }
    }
    while !checker.open.is_empty() {
        checker.close();
    }
    if !seen {
        checker.findings.add(0, &crate::asn1::header::TRUNCATED);
    }
    checker.findings.into_list()
}

/// A node whose children are being seen.
struct Level {
    matcher: Matcher,
    start: u32,
    rules: Rules,
    /// The child that was seen last.
    previous: Option<(Tag, Span)>,
    /// True for the universal type SET.
    is_set: bool,
    unordered: bool,
    /// True when something in it could not be read.
    broken: bool,
}

struct Checker<'a> {
    object: &'a [u8],
    findings: Findings,
    open: Vec<Level>,
    noted_ber: bool,
}

impl Checker<'_> {
    /// Checks one node. Gives the offset of the value that it holds where the schema says that
    /// it holds one and the walk would not go there by itself.
    fn node(&mut self, node: &Node, ty: &'static Type) -> Option<u32> {
        if let Some(error) = node.error {
            self.findings.push(error);
            self.open.iter_mut().rev().take_while(|l| !l.broken).for_each(|l| l.broken = true);
        }
        if matches!(node.kind, walk::Kind::Garbage | walk::Kind::EndOfContents) {
            return None;
        }
        let outer = self.open.last().map_or(Rules::Der, |level| level.rules);
        let place = self.place(node, ty);
        let rules = if place.ty.rules == Rules::Inherit { outer } else { place.ty.rules };
        if let Ok((header, _)) = Header::read_clamped(self.object, node.start) {
            header.flaws().for_each(|flaw| self.add(rules, flaw));
        }
        if place.mismatch {
            self.mismatch(node, &place);
        }
        self.form(node, &place, rules);
        self.set_order(node, outer);
        self.default(node, &place, rules);
        let mut level = Level {
            matcher: Matcher::new(&place, node),
            start: node.start,
            rules,
            previous: None,
            is_set: node.tag.is_universal(u::SET),
            unordered: false,
            broken: node.error.is_some(),
        };
        if node.has_children() {
            self.open.push(level);
        } else if node.kind == walk::Kind::Constructed {
            self.open.push(level);
            self.close();
        } else if place.contained().is_some() && node.error.is_none() && !node.tag.constructed {
            if let Some(first) = place.held(node, self.object) {
                level.is_set = false;
                self.open.push(level);
                return Some(first);
            }
            self.findings.add(node.start, &CONTAINED_VALUE);
        }
        None
    }

    fn place(&mut self, node: &Node, ty: &'static Type) -> Place {
        let Some(level) = self.open.last_mut() else { return root(ty) };
        let mut missing = Missing { first: None };
        let place = level.matcher.step_noting(node, self.object, |field| missing.note(field));
        if let Some(field) = missing.first
            && !place.mismatch
        {
            self.findings.push(Finding::with(node.start, &MISSING_FIELD, field.name));
        }
        place
    }

    /// Adds a breach, unless it is one of DER alone in a value that may be BER.
    fn add(&mut self, rules: Rules, error: Error) {
        if rules != Rules::Ber || !is_der_only(error.rule) {
            self.findings.push(error);
        } else if !self.noted_ber {
            self.noted_ber = true;
            self.findings.push(Finding::with(error.offset, &NOT_DER, error.rule.text));
        }
    }

    /// A node of another type than the schema wants, or one that it does not want at all.
    fn mismatch(&mut self, node: &Node, place: &Place) {
        if place.role == Role::Unknown {
            self.findings.push(Finding::with(node.start, &TRAILING, node.tag.to_string()));
            return;
        }
        let detail = match place.expected {
            Some(ty) => format!("{} is {} and not {}", place.label(), node.tag, ty.name),
            None => format!("{} is {}", place.label(), node.tag),
        };
        self.findings.push(Finding::with(node.start, &UNEXPECTED_TAG, detail));
    }

    /// Primitive or constructed, and the value itself.
    fn form(&mut self, node: &Node, place: &Place, rules: Rules) {
        if place.explicit && !node.tag.constructed {
            return self.findings.add(node.start, &MUST_BE_CONSTRUCTED);
        }
        let Some(number) = place.universal(node.tag).filter(|_| !place.explicit) else { return };
        let constructed = matches!(
            number,
            u::SEQUENCE | u::SET | u::EXTERNAL | u::EMBEDDED_PDV | u::CHARACTER_STRING
        );
        if number == u::END_OF_CONTENTS || number == 15 {
            return self.findings.add(node.start, &RESERVED_TAG);
        }
        if constructed || node.tag.constructed {
            let rule = match (constructed, node.tag.constructed) {
                (true, true) => return,
                (true, false) => &MUST_BE_CONSTRUCTED,
                _ if is_string(number) => &CONSTRUCTED_STRING,
                _ => &MUST_BE_PRIMITIVE,
            };
            return self.add(rules, Error::new(node.start, rule));
        }
        let content = node.contents().of(self.object);
        let broken = if matches!(place.ty.kind, Kind::Bits(_)) && place.role != Role::Segment {
            bits::check_named(content, node.content)
        } else {
            value::check(number, content, node.content)
        };
        if let Some(error) = broken
            && node.error.is_none()
        {
            self.add(rules, error);
        }
    }

    /// The order of a SET OF; of a SET of unknown type where two neighbours have one tag, which
    /// only a SET OF can have.
    fn set_order(&mut self, node: &Node, rules: Rules) {
        let Some(level) = self.open.last_mut() else { return };
        let previous = level.previous.replace((node.tag, node.span()));
        let Some((tag, span)) = previous.filter(|_| !level.unordered) else { return };
        let known = level.matcher.is_set_of();
        let told = known || (level.is_set && level.matcher.is_unknown() && tag == node.tag);
        if told && padded(span.of(self.object), node.span().of(self.object)) == Ordering::Greater {
            level.unordered = true;
            self.add(rules, Error::new(node.start, &SET_ORDER));
        }
    }

    fn default(&mut self, node: &Node, place: &Place, rules: Rules) {
        let Some(default) = place.field.and_then(|f| f.default).filter(|_| !place.mismatch) else {
            return;
        };
        let content = if place.explicit {
            let within = self.object.get(..node.end as usize).unwrap_or_default();
            match Header::read(within, node.content) {
                Ok(inner) => Span::new(inner.content, inner.end().unwrap_or(inner.content)),
                Err(_) => return,
            }
        } else {
            node.contents()
        };
        if content.of(self.object) == default && !content.is_empty() {
            self.add(rules, Error::new(node.start, &DEFAULT_ENCODED));
        }
    }

    fn close(&mut self) {
        let Some(level) = self.open.pop() else { return };
        if level.broken {
            return;
        }
        let missing: Vec<&str> = level.matcher.missing().map(|field| field.name).collect();
        if !missing.is_empty() {
            self.findings.push(Finding::with(level.start, &MISSING_FIELD, missing.join(", ")));
        }
        if level.matcher.lacks_inner() {
            self.findings.push(Finding::with(level.start, &MISSING_FIELD, "the tagged value"));
        }
    }
}

/// The first of the fields that a node skipped: the others follow from it.
struct Missing {
    first: Option<&'static Field>,
}

impl Missing {
    fn note(&mut self, field: &'static Field) {
        self.first.get_or_insert(field);
    }
}

/// True for the rules of X.690 that BER does not know: clauses 10 and 11.
fn is_der_only(rule: &Rule) -> bool {
    let clause = rule.source.strip_prefix("X.690 ").unwrap_or_default();
    clause.starts_with("10") || clause.starts_with("11")
}

/// True for the universal types that BER may encode in parts.
fn is_string(number: u64) -> bool {
    matches!(
        number,
        u::BIT_STRING | u::OCTET_STRING | u::OBJECT_DESCRIPTOR | u::UTF8_STRING | u::NUMERIC_STRING
            ..=u::UNIVERSAL_STRING | u::BMP_STRING
    )
}

/// Compares as X.690 11.6 wants: the shorter one goes on in zeros.
fn padded(a: &[u8], b: &[u8]) -> Ordering {
    let shared = a.len().min(b.len());
    let (head, tail) = (a[..shared].cmp(&b[..shared]), (&a[shared..], &b[shared..]));
    head.then_with(|| {
        let goes_on = |rest: &[u8]| rest.iter().any(|b| *b != 0);
        goes_on(tail.0).cmp(&goes_on(tail.1))
    })
}

#[cfg(test)]
mod tests;
