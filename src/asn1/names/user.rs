//! A user's own names: a text file of `1.2.3.4 name [label]` lines.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use super::entry::Entry;
use super::index::BUILT_IN;
use crate::asn1::value::oid;

/// Names from a user's own file, in front of the built-in ones.
///
/// One identifier a line: the dotted identifier, its name, and for an attribute type the
/// label to use in the text form of names. Blanks separate; `#` starts a comment at the start
/// of a line or after a blank.
#[derive(Debug, Clone, Default)]
pub struct Names {
    own: HashMap<Box<[u8]>, Own>,
}

#[derive(Debug, Clone)]
struct Own {
    line: usize,
    name: Box<str>,
    short: Option<Box<str>>,
}

/// A line of the user's file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct NamesError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The first word is no object identifier.
    #[error("{0}")]
    Identifier(#[from] oid::TextError),
    /// The identifier stands alone.
    #[error("a name must follow the object identifier")]
    NoName,
    /// More than an identifier, a name and a label.
    #[error("a line holds an object identifier, a name and perhaps a label, and nothing else")]
    TooMany,
    /// A name would not be shown as it was written.
    #[error("a name holds letters, digits and ASCII punctuation only")]
    BadName,
    /// A label would not be readable in the text form of a name.
    #[error("a label is a letter, then letters, digits and hyphens (RFC 4512 1.4)")]
    BadLabel,
    /// The identifier was named before.
    #[error("line {0} names the same object identifier")]
    Again(usize),
}

impl Names {
    /// Reads the text of a user's file.
    ///
    /// # Errors
    /// The first line that cannot be used, with what is wrong with it.
    pub fn load_user(text: &str) -> Result<Self, NamesError> {
        let mut names = Self::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, content) in (1..).zip(text.lines()) {
            names.add(line, content).map_err(|problem| NamesError { line, problem })?;
        }
        Ok(names)
    }

    fn add(&mut self, line: usize, content: &str) -> Result<(), Problem> {
        let mut words = content.split_whitespace().take_while(|word| !word.starts_with('#'));
        let Some(dotted) = words.next() else { return Ok(()) };
        let contents = oid::encode(dotted)?;
        let name = words.next().ok_or(Problem::NoName)?;
        let short = words.next();
        if words.next().is_some() {
            return Err(Problem::TooMany);
        }
        if !name.chars().all(|c| c.is_alphanumeric() || c.is_ascii_punctuation()) {
            return Err(Problem::BadName);
        }
        if !short.is_none_or(is_descriptor) {
            return Err(Problem::BadLabel);
        }
        match self.own.entry(contents.into_boxed_slice()) {
            Slot::Occupied(before) => Err(Problem::Again(before.get().line)),
            Slot::Vacant(free) => {
                free.insert(Own { line, name: name.into(), short: short.map(Into::into) });
                Ok(())
            }
        }
    }

    /// How many identifiers the file names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.own.len()
    }

    /// Whether the file names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.own.is_empty()
    }

    /// The name of the identifier with these contents octets: the user's, else the built-in.
    #[must_use]
    pub fn lookup(&self, contents: &[u8]) -> Option<Entry<'_>> {
        self.own(contents).or_else(|| BUILT_IN.lookup(contents))
    }

    pub(super) fn own(&self, contents: &[u8]) -> Option<Entry<'_>> {
        let Own { name, short, .. } = self.own.get(contents)?;
        Some(Entry { name, short: short.as_deref(), source: "" })
    }

    pub(super) fn by_own_name(&self, name: &str) -> Option<&[u8]> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        self.own
            .iter()
            .filter(|(_, own)| is(&own.name) || own.short.as_deref().is_some_and(is))
            .min_by_key(|(_, own)| own.line)
            .map(|(contents, _)| &**contents)
    }
}

/// `descr` of RFC 4512 1.4: what may stand for an attribute type in RFC 4514 text.
fn is_descriptor(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
