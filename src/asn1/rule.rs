//! Rules, the errors that name a broken rule, and findings.

use std::fmt;

/// A rule of a standard that an encoding can break.
///
/// Rules are statics beside the code that checks them; two rules are the same when their
/// `id` is the same.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// A stable kebab-case name for scripts, as `integer-minimal`.
    pub id: &'static str,
    /// The clause, as `X.690 8.3.2` or `RFC 5280 4.1.2.2`.
    pub source: &'static str,
    /// One plain sentence without a full stop that says what is wrong.
    pub text: &'static str,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.source)
    }
}

/// Where reading broke, and on which rule. Small and `Copy`: messages are made when asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// Octets from the first octet of the object.
    pub offset: u32,
    /// The rule that is broken there.
    pub rule: &'static Rule,
}

impl Error {
    /// An error at `offset`.
    #[must_use]
    pub const fn new(offset: u32, rule: &'static Rule) -> Self {
        Self { offset, rule }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at offset {}: {}", self.offset, self.rule)
    }
}

impl std::error::Error for Error {}

/// Something that a standard forbids but that did not stop the reading.
///
/// The same shape as [`Error`]; the path to the node is worked out by whoever shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Octets from the first octet of the object.
    pub offset: u32,
    /// The rule that is broken there.
    pub rule: &'static Rule,
    /// What was found, where the rule's own text does not say enough.
    pub detail: Option<String>,
}

impl Finding {
    /// A finding whose rule says it all.
    #[must_use]
    pub const fn new(offset: u32, rule: &'static Rule) -> Self {
        Self { offset, rule, detail: None }
    }

    /// A finding with what was found in words.
    #[must_use]
    pub fn with(offset: u32, rule: &'static Rule, detail: impl Into<String>) -> Self {
        Self { offset, rule, detail: Some(detail.into()) }
    }

    /// The message for people: the rule's text, then the detail.
    #[must_use]
    pub fn message(&self) -> String {
        match &self.detail {
            Some(detail) => format!("{}: {detail}", self.rule.text),
            None => self.rule.text.to_owned(),
        }
    }
}

impl From<Error> for Finding {
    fn from(e: Error) -> Self {
        Self::new(e.offset, e.rule)
    }
}

/// Declares rules: `rule!(NAME, "id", "source", "text");`.
#[macro_export]
macro_rules! rule {
    ($($name:ident, $id:literal, $source:literal, $text:literal;)+) => {
        $(
            #[doc = concat!($text, " (", $source, ").")]
            pub static $name: $crate::asn1::Rule =
                $crate::asn1::Rule { id: $id, source: $source, text: $text };
        )+
    };
}
