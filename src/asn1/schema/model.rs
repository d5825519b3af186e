//! What a schema is made of: types, fields, and the tables that resolve open types.
//!
//! The statics of the sibling modules mirror the ASN.1 modules of the standards. They say how
//! a value is built, which is enough to name every node and to find what is missing; they do
//! not hold the constraints on sizes and ranges, which belong to the typed views.

use std::fmt;
use std::sync::OnceLock;

use crate::asn1::schema::oid::Oid;
use crate::asn1::tag::universal;
use crate::asn1::{Class, Tag};

/// An ASN.1 type.
pub struct Type {
    /// The name that the standard gives it, as `BasicConstraints`, or that of X.680.
    pub name: &'static str,
    /// Where it is defined, as `RFC 5280 4.2.1.9`; empty for the types of X.680.
    pub source: &'static str,
    /// How it is built.
    pub kind: Kind,
    /// Which encoding rules its standard asks for.
    pub rules: Rules,
}

/// The encoding rules that a standard prescribes for the values of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Those of the enclosing value; DER for the outermost.
    Inherit,
    /// DER, whatever stands around it: what is signed or hashed.
    Der,
    /// BER will do, as for most of CMS and PKCS #12.
    Ber,
}

/// How a type is built.
pub enum Kind {
    /// Anything: nothing is known.
    Any,
    /// A universal type by its tag number; SEQUENCE and SET are [`Kind::Sequence`] and others.
    Plain(u64),
    /// INTEGER with named numbers.
    Integer(&'static [(i64, &'static str)]),
    /// ENUMERATED.
    Enumerated(&'static [(i64, &'static str)]),
    /// BIT STRING with named bits: the name of bit n is element n.
    Bits(&'static [&'static str]),
    /// SEQUENCE.
    Sequence(&'static [Field]),
    /// SET.
    Set(&'static [Field]),
    /// SEQUENCE OF.
    SequenceOf(&'static Type),
    /// SET OF.
    SetOf(&'static Type),
    /// CHOICE: the first alternative whose tag fits.
    Choice(&'static [Field]),
    /// OCTET STRING whose contents are one value of this type, called by this name; an empty
    /// name is that of the open type's entry.
    OctetString(&'static str, &'static Type),
    /// BIT STRING whose contents are one value, as for [`Kind::OctetString`].
    BitString(&'static str, &'static Type),
    /// The type that an object identifier beside it (or around it) selects.
    Open,
}

/// A component of a SEQUENCE or SET, or an alternative of a CHOICE.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name in the standard.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static Type,
    /// The clause that explains it; empty for that of the type.
    pub source: &'static str,
    /// Its context-specific tag, if it has one.
    pub tagging: Tagging,
    /// True when it may be absent (OPTIONAL or DEFAULT).
    pub optional: bool,
    /// Contents octets (of the value itself, inside an EXPLICIT tag) of its DEFAULT.
    pub default: Option<&'static [u8]>,
    /// Whether it selects the open types beside it.
    pub key: Key,
}

/// The tag of a field (X.680 31.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tagging {
    /// None: the type's own tag.
    Plain,
    /// `[n] IMPLICIT`: takes the place of the type's own tag.
    Implicit(u64),
    /// `[n] EXPLICIT`: a value around the value.
    Explicit(u64),
}

/// Whether a field selects the open types of its siblings.
#[derive(Debug, Clone, Copy)]
pub enum Key {
    /// It does not.
    None,
    /// It is the object identifier itself.
    Own(Source),
    /// The object identifier is its first child, as in an AlgorithmIdentifier.
    Inner(Source),
}

/// Where the meanings of an open type stand.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// In this table.
    Table(&'static Table),
    /// In the table of a set, see `schema::open`.
    Set(Set),
}

/// Open types that hold values of modules above their own, and these hold them again: a
/// certificate has extensions, one of which has attributes, one of which has a certificate.
/// Their tables stand above all modules, so that no two modules use each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// What extnValue holds.
    Extensions,
    /// What the values of an Attribute are.
    Attributes,
    /// What the eContent of a SignedData holds.
    Contents,
}

/// An open type's meaning for one object identifier.
#[derive(Debug)]
pub struct Entry {
    /// The object identifier.
    pub oid: Oid,
    /// What a value of it is called, as `basicConstraints`.
    pub name: &'static str,
    /// Its type.
    pub ty: &'static Type,
}

/// What an open type can be: the information object set of X.681.
pub struct Table {
    entries: &'static [Entry],
    /// Positions in `entries` in the order of their octets, made at the first question.
    order: OnceLock<Box<[u16]>>,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table of {}", self.entries.len())
    }
}

impl Table {
    /// A table of these entries.
    #[must_use]
    pub const fn new(entries: &'static [Entry]) -> Self {
        Self { entries, order: OnceLock::new() }
    }

    /// All entries, as they were written.
    #[must_use]
    pub fn entries(&self) -> &'static [Entry] {
        self.entries
    }

    /// The entry of the object identifier with these contents octets.
    #[must_use]
    pub fn get(&self, oid: &[u8]) -> Option<&'static Entry> {
        let octets = |i: u16| self.entries[usize::from(i)].oid.octets();
        let order = self.order.get_or_init(|| {
            let mut order: Box<[u16]> = (0_u16..).take(self.entries.len()).collect();
            order.sort_by_key(|&i| octets(i));
            order
        });
        let found = order.binary_search_by(|&i| octets(i).cmp(oid)).ok()?;
        order.get(found).and_then(|&i| self.entries.get(usize::from(i)))
    }
}

impl Kind {
    /// True for an open type.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }
}

impl fmt::Debug for Type {
    /// The name alone: the types refer to each other in circles.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Type {
    /// A type with a name, its source and its build.
    #[must_use]
    pub const fn new(name: &'static str, source: &'static str, kind: Kind) -> Self {
        Self { name, source, kind, rules: Rules::Inherit }
    }

    /// The same type with encoding rules of its own.
    #[must_use]
    pub const fn encoded(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The universal tag number of its values; `None` for CHOICE, ANY and open types.
    #[must_use]
    pub fn universal(&self) -> Option<u64> {
        Some(match self.kind {
            Kind::Any | Kind::Open | Kind::Choice(_) => return None,
            Kind::Plain(number) => number,
            Kind::Integer(_) => universal::INTEGER,
            Kind::Enumerated(_) => universal::ENUMERATED,
            Kind::Bits(_) | Kind::BitString(..) => universal::BIT_STRING,
            Kind::OctetString(..) => universal::OCTET_STRING,
            Kind::Sequence(_) | Kind::SequenceOf(_) => universal::SEQUENCE,
            Kind::Set(_) | Kind::SetOf(_) => universal::SET,
        })
    }

    /// True when a value with this tag can be of this type.
    #[must_use]
    pub fn accepts(&self, tag: Tag) -> bool {
        match self.kind {
            Kind::Any | Kind::Open => true,
            Kind::Choice(alternatives) => alternatives.iter().any(|a| a.accepts(tag)),
            _ => tag.class == Class::Universal && self.universal() == Some(tag.number),
        }
    }

    /// The name of a number of an INTEGER or ENUMERATED with named numbers.
    #[must_use]
    pub fn number_name(&self, number: i64) -> Option<&'static str> {
        match self.kind {
            Kind::Integer(names) | Kind::Enumerated(names) => {
                names.iter().find(|(n, _)| *n == number).map(|(_, name)| *name)
            }
            _ => None,
        }
    }

    /// The names of the bits of a BIT STRING with named bits; empty for all other types.
    #[must_use]
    pub fn bit_names(&self) -> &'static [&'static str] {
        if let Kind::Bits(names) = self.kind { names } else { &[] }
    }

    /// The components of a SEQUENCE or SET, or the alternatives of a CHOICE.
    #[must_use]
    pub fn fields(&self) -> &'static [Field] {
        match self.kind {
            Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => fields,
            _ => &[],
        }
    }

    /// The type of the elements of a SEQUENCE OF or SET OF.
    #[must_use]
    pub fn element(&self) -> Option<&'static Type> {
        match self.kind {
            Kind::SequenceOf(element) | Kind::SetOf(element) => Some(element),
            _ => None,
        }
    }
}

/// A mandatory field with its type's own tag.
#[must_use]
pub const fn field(name: &'static str, ty: &'static Type) -> Field {
    Field {
        name,
        ty,
        source: "",
        tagging: Tagging::Plain,
        optional: false,
        default: None,
        key: Key::None,
    }
}

/// An OPTIONAL field with its type's own tag.
#[must_use]
pub const fn optional(name: &'static str, ty: &'static Type) -> Field {
    let mut field = field(name, ty);
    field.optional = true;
    field
}

impl Field {
    /// The clause that explains it.
    #[must_use]
    pub const fn from(mut self, source: &'static str) -> Self {
        self.source = source;
        self
    }

    /// `[n] IMPLICIT`.
    #[must_use]
    pub const fn implicit(mut self, number: u64) -> Self {
        self.tagging = Tagging::Implicit(number);
        self
    }

    /// `[n] EXPLICIT`.
    #[must_use]
    pub const fn explicit(mut self, number: u64) -> Self {
        self.tagging = Tagging::Explicit(number);
        self
    }

    /// DEFAULT, given by the contents octets of its encoding.
    #[must_use]
    pub const fn default(mut self, contents: &'static [u8]) -> Self {
        self.default = Some(contents);
        self.optional = true;
        self
    }

    /// It is the object identifier that selects open types from `table`.
    #[must_use]
    pub const fn selects(mut self, table: &'static Table) -> Self {
        self.key = Key::Own(Source::Table(table));
        self
    }

    /// It is the object identifier that selects open types from the table of `set`.
    #[must_use]
    pub const fn selects_from(mut self, set: Set) -> Self {
        self.key = Key::Own(Source::Set(set));
        self
    }

    /// Its first child is the object identifier that selects open types from `table`.
    #[must_use]
    pub const fn selects_inside(mut self, table: &'static Table) -> Self {
        self.key = Key::Inner(Source::Table(table));
        self
    }

    /// True when a value with this tag can be this field.
    #[must_use]
    pub fn accepts(&self, tag: Tag) -> bool {
        match self.tagging {
            Tagging::Plain => self.ty.accepts(tag),
            Tagging::Implicit(n) | Tagging::Explicit(n) => tag.is_context(n),
        }
    }
}

/// The entries of a table: object identifier, name, type.
macro_rules! entries {
    ($($oid:literal $name:literal $ty:expr;)+) => {
        &[$(crate::asn1::schema::model::Entry {
            oid: crate::asn1::schema::oid::oid($oid),
            name: $name,
            ty: $ty,
        },)+]
    };
}
pub(super) use entries;
