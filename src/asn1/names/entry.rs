//! What a lookup gives.

/// What is known about an object identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The identifier's usual name, as `keyUsage`. Never empty, no blanks, no controls.
    pub name: &'a str,
    /// The label of an attribute type in the text form of a name, as `CN` (RFC 4514 3).
    pub short: Option<&'a str>,
    /// The document or registry that assigns the identifier; empty for a user's own names.
    pub source: &'a str,
}
