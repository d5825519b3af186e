//! Attribute types of names: labels, string types, upper bounds.

use crate::asn1::tag::octet;

/// Which string types an attribute allows (RFC 5280 A.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// DirectoryString: Teletex, Printable, Universal, UTF8, BMP.
    Directory,
    /// PrintableString.
    Printable,
    /// PrintableString of two characters.
    Country,
    /// IA5String.
    Ia5,
    /// Anything: the standards differ or have changed.
    Any,
}

/// What is known of an attribute type.
#[derive(Debug)]
pub struct AttributeType {
    /// The contents octets of its identifier.
    pub oid: &'static [u8],
    /// The label that stands for it in the text of a name, with the `=`.
    pub label: &'static str,
    /// The greatest number of characters, 0 where there is no bound.
    pub upper_bound: usize,
    strings: Strings,
}

impl AttributeType {
    /// True when a value with the identifier octet `tag` is allowed.
    #[must_use]
    pub fn allows(&self, tag: u8) -> bool {
        match self.strings {
            Strings::Directory => matches!(
                tag,
                octet::TELETEX_STRING
                    | octet::PRINTABLE_STRING
                    | octet::UNIVERSAL_STRING
                    | octet::UTF8_STRING
                    | octet::BMP_STRING
            ),
            Strings::Printable | Strings::Country => tag == octet::PRINTABLE_STRING,
            Strings::Ia5 => tag == octet::IA5_STRING,
            Strings::Any => true,
        }
    }

    /// True for the two-letter codes of countries.
    #[must_use]
    pub fn is_country(&self) -> bool {
        self.strings == Strings::Country
    }

    /// True when every value is a string with at least one character.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.strings != Strings::Any
    }
}

const fn of(
    oid: &'static [u8],
    label: &'static str,
    strings: Strings,
    upper_bound: usize,
) -> AttributeType {
    AttributeType { oid, label, upper_bound, strings }
}

use Strings::{Any, Country, Directory, Ia5, Printable};

/// 2.5.4.n: most attributes of most names.
static X520: [AttributeType; 22] = [
    of(b"\x55\x04\x03", "CN=", Directory, 64),
    of(b"\x55\x04\x04", "SN=", Directory, 32_768),
    of(b"\x55\x04\x05", "serialNumber=", Printable, 64),
    of(b"\x55\x04\x06", "C=", Country, 2),
    of(b"\x55\x04\x07", "L=", Directory, 128),
    of(b"\x55\x04\x08", "ST=", Directory, 128),
    of(b"\x55\x04\x09", "STREET=", Directory, 128),
    of(b"\x55\x04\x0a", "O=", Directory, 64),
    of(b"\x55\x04\x0b", "OU=", Directory, 64),
    of(b"\x55\x04\x0c", "title=", Directory, 64),
    of(b"\x55\x04\x0d", "description=", Directory, 1024),
    of(b"\x55\x04\x0f", "businessCategory=", Directory, 128),
    of(b"\x55\x04\x11", "postalCode=", Directory, 40),
    of(b"\x55\x04\x14", "telephoneNumber=", Printable, 32),
    of(b"\x55\x04\x29", "name=", Directory, 32_768),
    of(b"\x55\x04\x2a", "givenName=", Directory, 32_768),
    of(b"\x55\x04\x2b", "initials=", Directory, 32_768),
    of(b"\x55\x04\x2c", "generationQualifier=", Directory, 32_768),
    of(b"\x55\x04\x2d", "x500UniqueIdentifier=", Any, 0),
    of(b"\x55\x04\x2e", "dnQualifier=", Printable, 0),
    of(b"\x55\x04\x41", "pseudonym=", Directory, 128),
    of(b"\x55\x04\x61", "organizationIdentifier=", Directory, 0),
];

/// The rest: RFC 4519 and PKCS #9, and the CA/Browser Forum's three of EV certificates.
static OTHERS: [AttributeType; 7] = [
    of(b"\x09\x92\x26\x89\x93\xf2\x2c\x64\x01\x19", "DC=", Ia5, 0),
    of(b"\x09\x92\x26\x89\x93\xf2\x2c\x64\x01\x01", "UID=", Directory, 256),
    of(b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x01", "emailAddress=", Ia5, 255),
    of(b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x02", "unstructuredName=", Any, 0),
    of(b"\x2b\x06\x01\x04\x01\x82\x37\x3c\x02\x01\x01", "jurisdictionL=", Directory, 128),
    of(b"\x2b\x06\x01\x04\x01\x82\x37\x3c\x02\x01\x02", "jurisdictionST=", Directory, 128),
    of(b"\x2b\x06\x01\x04\x01\x82\x37\x3c\x02\x01\x03", "jurisdictionC=", Country, 2),
];

/// What is known of the attribute type with the contents octets `oid`.
///
/// The labels are those of RFC 4514 3 (CN, L, ST, O, OU, C, STREET, DC, UID), the LDAP names
/// of RFC 4519 and of its registry for the other common attributes of X.520 (with OpenSSL's
/// `SN` for a surname), `emailAddress` of PKCS #9, and OpenSSL's `jurisdictionC`, `..ST`, `..L`.
#[must_use]
pub fn lookup(oid: &[u8]) -> Option<&'static AttributeType> {
    if let [0x55, 0x04, last] = oid {
        return X520.iter().find(|t| t.oid[2] == *last);
    }
    OTHERS.iter().find(|t| t.oid == oid)
}

/// The attribute type with this label, without the `=`; ASCII case does not matter.
#[must_use]
pub fn by_label(label: &str) -> Option<&'static AttributeType> {
    let is = |kind: &AttributeType| {
        kind.label.strip_suffix('=').is_some_and(|known| known.eq_ignore_ascii_case(label))
    };
    X520.iter().chain(&OTHERS).find(|kind| is(kind))
}
