//! What to search for, and how it is written.

use crate::asn1::value::oid::{self, TextError};
use crate::asn1::{Class, Header, Tag, names};

/// The longest query, in characters.
pub const MAX_QUERY: usize = 1024;

/// A search, ready to run.
///
/// | written | finds |
/// |---|---|
/// | `let's encrypt` | strings of any type that contain the text, upper or lower case; times, OIDs by number or name, INTEGERs by value or hexadecimal digits |
/// | `oid:2.5.29` | object identifiers at or below this one |
/// | `oid:keyUsage` | the identifier of this name, else all whose names contain the word |
/// | `tag:INTEGER`, `tag:[0]`, `tag:[APPLICATION 3]` | values with this tag |
/// | `tag:0x30` | values with exactly these identifier octets |
/// | `30 82 ?? 01`, `96:BC:EC` | these octets anywhere, `??` stands for any |
/// | `hex:3082`, `text:20 25` | says which of the two is meant |
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Text.
    Text(Text),
    /// Object identifiers.
    Oid(OidQuery),
    /// A tag.
    Tag(TagQuery),
    /// Octets; `None` is any octet. Never empty, never all `None`.
    Octets(Vec<Option<u8>>),
}

/// Text to search for, in all the forms that it can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// In lower case.
    pub lower: String,
    /// Contents octets of the INTEGER that the text is in decimal.
    pub integer: Option<Vec<u8>>,
    /// The octets that the text is in hexadecimal, from four digits on.
    pub digits: Option<Vec<u8>>,
}

/// Object identifiers to search for, as contents octets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OidQuery {
    /// The first arc alone: 0, 1 or 2.
    Root(u8),
    /// An identifier and all below it.
    Under(Vec<u8>),
    /// Any of these, sorted.
    AnyOf(Vec<Vec<u8>>),
}

/// A tag to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagQuery {
    /// Primitive or constructed.
    Number(Class, u64),
    /// Exactly this identifier.
    Exact(Tag),
}

/// What is wrong with a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// Nothing to search for.
    #[error("nothing to search for")]
    Empty,
    /// Longer than [`MAX_QUERY`].
    #[error("a query has at most {MAX_QUERY} characters")]
    TooLong,
    /// Neither a dotted identifier nor a known name.
    #[error("no object identifier is called `{0}`")]
    UnknownName(String),
    /// A dotted identifier that cannot be.
    #[error(transparent)]
    Oid(#[from] TextError),
    /// No type of this name, no tag in brackets, no identifier octets.
    #[error("`{0}` is no tag: write INTEGER, [0], [APPLICATION 3] or 0x30")]
    UnknownTag(String),
    /// Not two hexadecimal digits or `??`.
    #[error("`{0}` is not an octet: write two hexadecimal digits or ??")]
    NotAnOctet(String),
    /// Only `??`.
    #[error("a pattern needs at least one octet besides ??")]
    OnlyWildcards,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// What cannot be understood, for the prompt; the text in it is printable.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        if text.chars().count() > MAX_QUERY {
            return Err(QueryError::TooLong);
        }
        let (word, rest) = text.split_once(':').unwrap_or(("", text));
        let given = rest.trim();
        match word.trim().to_ascii_lowercase().as_str() {
            "text" => parse_text(rest),
            "oid" | "tag" if given.is_empty() => Err(QueryError::Empty),
            "oid" => parse_oid(given).map(Self::Oid),
            "tag" => parse_tag(given).map(Self::Tag),
            "hex" => parse_octets(given).map(Self::Octets),
            _ if is_octets(text) => parse_octets(text).map(Self::Octets),
            _ => parse_text(text),
        }
    }
}

fn parse_text(text: &str) -> Result<Query, QueryError> {
    if text.is_empty() {
        return Err(QueryError::Empty);
    }
    let integer = text.trim().parse::<i128>().ok().map(|n| {
        let octets = n.to_be_bytes();
        let needless = octets
            .windows(2)
            .take_while(|w| (w[0] == 0 && w[1] < 0x80) || (w[0] == 0xff && w[1] >= 0x80));
        octets[needless.count()..].to_vec()
    });
    let digits = text.trim().to_ascii_lowercase();
    let digits = (digits.len() >= 4).then_some(digits);
    let digits = digits.and_then(|d| data_encoding::HEXLOWER.decode(d.as_bytes()).ok());
    Ok(Query::Text(Text { lower: text.to_lowercase(), integer, digits }))
}

fn parse_oid(given: &str) -> Result<OidQuery, QueryError> {
    if given.bytes().all(|c| c.is_ascii_digit() || c == b'.') {
        let dotted = given.trim_end_matches('.');
        return match dotted {
            "0" => Ok(OidQuery::Root(0)),
            "1" => Ok(OidQuery::Root(1)),
            "2" => Ok(OidQuery::Root(2)),
            _ => Ok(OidQuery::Under(oid::encode(dotted)?)),
        };
    }
    if let Some(contents) = names::by_name(given) {
        return Ok(OidQuery::AnyOf(vec![contents.to_vec()]));
    }
    let lower = given.to_lowercase();
    let mut found: Vec<_> = names::all()
        .filter(|(_, entry)| entry.name.to_lowercase().contains(&lower))
        .map(|(contents, _)| contents.to_vec())
        .collect();
    found.sort_unstable();
    if found.is_empty() {
        return Err(QueryError::UnknownName(printable(given)));
    }
    Ok(OidQuery::AnyOf(found))
}

fn parse_tag(given: &str) -> Result<TagQuery, QueryError> {
    let unknown = || QueryError::UnknownTag(printable(given));
    if let Some(digits) = given.strip_prefix("0x").or_else(|| given.strip_prefix("0X")) {
        let mut octets =
            data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).map_err(|_| unknown())?;
        let size = octets.len();
        // With the length zero these octets are a header.
        octets.push(0);
        let header = Header::read(&octets, 0).map_err(|_| unknown())?;
        if header.length_at as usize != size {
            return Err(unknown());
        }
        return Ok(TagQuery::Exact(header.tag));
    }
    if let Some(inner) = given.strip_prefix('[').and_then(|g| g.strip_suffix(']')) {
        let mut words = inner.split_ascii_whitespace();
        let (class, number) = match (words.next(), words.next(), words.next()) {
            (Some(number), None, None) => (Class::Context, number),
            (Some(class), Some(number), None) => {
                let class = match class.to_ascii_uppercase().as_str() {
                    "UNIVERSAL" => Class::Universal,
                    "APPLICATION" => Class::Application,
                    "PRIVATE" => Class::Private,
                    "CONTEXT" => Class::Context,
                    _ => return Err(unknown()),
                };
                (class, number)
            }
            _ => return Err(unknown()),
        };
        return Ok(TagQuery::Number(class, number.parse().map_err(|_| unknown())?));
    }
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let wanted = match plain(given).as_str() {
        "oid" => "objectidentifier".to_owned(),
        "bool" => "boolean".to_owned(),
        "int" => "integer".to_owned(),
        "t61string" => "teletexstring".to_owned(),
        "eoc" => "endofcontents".to_owned(),
        "sequenceof" => "sequence".to_owned(),
        "setof" => "set".to_owned(),
        other => other.to_owned(),
    };
    (0..64)
        .find(|number| Tag::universal(*number).type_name().is_some_and(|n| plain(n) == wanted))
        .map(|number| TagQuery::Number(Class::Universal, number))
        .ok_or_else(unknown)
}

/// True for at least two octets with blanks or colons between them: anything else is text
/// unless `hex:` says otherwise.
fn is_octets(text: &str) -> bool {
    let mut count = 0;
    for part in text.split([' ', ':', '\t']).filter(|part| !part.is_empty()) {
        if part.len() != 2 || !(part == "??" || part.bytes().all(|c| c.is_ascii_hexdigit())) {
            return false;
        }
        count += 1;
    }
    count > 1
}

fn parse_octets(text: &str) -> Result<Vec<Option<u8>>, QueryError> {
    let mut pattern = Vec::new();
    for part in text.split([' ', ':', ',', '\t']).filter(|part| !part.is_empty()) {
        let part = part.strip_prefix("0x").unwrap_or(part);
        let mut chars = part.chars();
        while let Some(high) = chars.next() {
            let low = chars.next();
            if (high, low) == ('?', Some('?')) {
                pattern.push(None);
                continue;
            }
            let value = |c: char| c.to_digit(16).and_then(|d| u8::try_from(d).ok());
            let octet = value(high).zip(low.and_then(value)).map(|(h, l)| h << 4 | l);
            let shown = || [Some(high), low].into_iter().flatten().collect::<String>();
            let octet = octet.ok_or_else(|| QueryError::NotAnOctet(printable(&shown())))?;
            pattern.push(Some(octet));
        }
    }
    if pattern.is_empty() {
        return Err(QueryError::Empty);
    }
    if pattern.iter().all(Option::is_none) {
        return Err(QueryError::OnlyWildcards);
    }
    Ok(pattern)
}

fn printable(text: &str) -> String {
    crate::asn1::text::visible(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octets(text: &str) -> Vec<Option<u8>> {
        match Query::parse(text) {
            Ok(Query::Octets(pattern)) => pattern,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn tag(text: &str) -> TagQuery {
        match Query::parse(text) {
            Ok(Query::Tag(tag)) => tag,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn error(text: &str) -> String {
        Query::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn octets_need_two_pairs_or_the_word() {
        let pattern = [Some(0x30), Some(0x82), None, Some(1)];
        for text in ["30 82 ?? 01", "30:82:??:01", "hex:3082??01", "HEX: 0x30, 0x82,??,0x01"] {
            assert_eq!(octets(text), pattern, "{text}");
        }
        for text in ["3082", "be", "ab cde", "text:30 82", "http://x"] {
            assert!(matches!(Query::parse(text), Ok(Query::Text(_))), "{text}");
        }
        assert_eq!(error("hex:30 8"), "`8` is not an octet: write two hexadecimal digits or ??");
        assert_eq!(error("hex:30 ?1"), "`?1` is not an octet: write two hexadecimal digits or ??");
        assert_eq!(error("?? ??"), "a pattern needs at least one octet besides ??");
        assert_eq!(error(""), "nothing to search for");
        assert_eq!(error("hex:"), "nothing to search for");
        assert_eq!(error("oid:"), "nothing to search for");
        assert_eq!(error(&"x".repeat(2000)), "a query has at most 1024 characters");
    }

    #[test]
    fn tags_by_name_number_and_octets() {
        assert_eq!(tag("tag:INTEGER"), TagQuery::Number(Class::Universal, 2));
        assert_eq!(tag("tag: octet string"), TagQuery::Number(Class::Universal, 4));
        assert_eq!(tag("tag:Utf8String"), TagQuery::Number(Class::Universal, 12));
        assert_eq!(tag("tag:[0]"), TagQuery::Number(Class::Context, 0));
        assert_eq!(tag("tag:[application 3]"), TagQuery::Number(Class::Application, 3));
        let sequence = Tag { class: Class::Universal, constructed: true, number: 16 };
        assert_eq!(tag("tag:0x30"), TagQuery::Exact(sequence));
        let long = Tag { class: Class::Application, constructed: true, number: 33 };
        assert_eq!(tag("tag:0x7f21"), TagQuery::Exact(long));
        for text in ["tag:FLOAT", "tag:[x]", "tag:[]", "tag:0x7f", "tag:0x3000", "tag:\u{1b}["] {
            assert!(error(text).contains("is no tag"), "{text}");
            assert!(!error(text).contains(char::is_control));
        }
    }

    #[test]
    fn identifiers_by_number_and_name() {
        let under = |octets: &[u8]| Ok(Query::Oid(OidQuery::Under(octets.to_vec())));
        assert_eq!(Query::parse("oid:2.5.29"), under(&[0x55, 0x1d]));
        assert_eq!(Query::parse("oid:2.5.29."), under(&[0x55, 0x1d]));
        assert_eq!(Query::parse("oid:2"), Ok(Query::Oid(OidQuery::Root(2))));
        let named = Query::parse("oid:keyUsage");
        assert_eq!(named, Ok(Query::Oid(OidQuery::AnyOf(vec![vec![0x55, 0x1d, 0x0f]]))));
        let Ok(Query::Oid(OidQuery::AnyOf(many))) = Query::parse("oid:usage") else { panic!() };
        assert!(many.len() > 2 && many.is_sorted());
        assert_eq!(error("oid:nosuchname"), "no object identifier is called `nosuchname`");
        assert!(error("oid:3.1").starts_with("an object identifier starts with 0, 1 or 2"));
    }

    #[test]
    fn numbers_are_integers_too() {
        let Ok(Query::Text(text)) = Query::parse("65537") else { panic!() };
        assert_eq!(text.integer, Some(vec![1, 0, 1]));
        let Ok(Query::Text(text)) = Query::parse("-128") else { panic!() };
        assert_eq!(text.integer, Some(vec![0x80]));
        let Ok(Query::Text(text)) = Query::parse("8210CFb0") else { panic!() };
        assert_eq!(text.digits, Some(vec![0x82, 0x10, 0xcf, 0xb0]));
    }
}
