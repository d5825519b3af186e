//! Identifier octets (X.690 8.1.2).

use std::fmt;

/// The class of a tag (X.690 8.1.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 00: the types of X.680 itself.
    Universal,
    /// 01
    Application,
    /// 10: meaning given by the enclosing type.
    Context,
    /// 11
    Private,
}

/// A tag: class, primitive or constructed, number (X.690 8.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Class of the tag.
    pub class: Class,
    /// Bit 6 of the first identifier octet: the contents are values themselves.
    pub constructed: bool,
    /// Tag number, of at most 64 bits.
    pub number: u64,
}

/// First identifier octets of the universal types in DER, as a [`crate::asn1::Reader`] takes them.
pub mod octet {
    /// BOOLEAN
    pub const BOOLEAN: u8 = 0x01;
    /// INTEGER
    pub const INTEGER: u8 = 0x02;
    /// BIT STRING, primitive
    pub const BIT_STRING: u8 = 0x03;
    /// OCTET STRING, primitive
    pub const OCTET_STRING: u8 = 0x04;
    /// NULL
    pub const NULL: u8 = 0x05;
    /// OBJECT IDENTIFIER
    pub const OID: u8 = 0x06;
    /// ENUMERATED
    pub const ENUMERATED: u8 = 0x0a;
    /// UTF8String
    pub const UTF8_STRING: u8 = 0x0c;
    /// RELATIVE-OID
    pub const RELATIVE_OID: u8 = 0x0d;
    /// NumericString
    pub const NUMERIC_STRING: u8 = 0x12;
    /// PrintableString
    pub const PRINTABLE_STRING: u8 = 0x13;
    /// TeletexString, also called T61String
    pub const TELETEX_STRING: u8 = 0x14;
    /// IA5String
    pub const IA5_STRING: u8 = 0x16;
    /// UTCTime
    pub const UTC_TIME: u8 = 0x17;
    /// GeneralizedTime
    pub const GENERALIZED_TIME: u8 = 0x18;
    /// VisibleString
    pub const VISIBLE_STRING: u8 = 0x1a;
    /// UniversalString
    pub const UNIVERSAL_STRING: u8 = 0x1c;
    /// BMPString
    pub const BMP_STRING: u8 = 0x1e;
    /// SEQUENCE and SEQUENCE OF
    pub const SEQUENCE: u8 = 0x30;
    /// SET and SET OF
    pub const SET: u8 = 0x31;

    /// Context-specific, primitive: `[n] IMPLICIT` of a primitive type, n < 31.
    #[must_use]
    pub const fn context(n: u8) -> u8 {
        0x80 | n
    }

    /// Context-specific, constructed: `[n] EXPLICIT`, or IMPLICIT of a constructed type, n < 31.
    #[must_use]
    pub const fn context_constructed(n: u8) -> u8 {
        0xa0 | n
    }
}

/// Numbers of the universal tags (X.680 8.6).
pub mod universal {
    #![allow(missing_docs, reason = "the constants are the standard's own type names")]
    pub const END_OF_CONTENTS: u64 = 0;
    pub const BOOLEAN: u64 = 1;
    pub const INTEGER: u64 = 2;
    pub const BIT_STRING: u64 = 3;
    pub const OCTET_STRING: u64 = 4;
    pub const NULL: u64 = 5;
    pub const OBJECT_IDENTIFIER: u64 = 6;
    pub const OBJECT_DESCRIPTOR: u64 = 7;
    pub const EXTERNAL: u64 = 8;
    pub const REAL: u64 = 9;
    pub const ENUMERATED: u64 = 10;
    pub const EMBEDDED_PDV: u64 = 11;
    pub const UTF8_STRING: u64 = 12;
    pub const RELATIVE_OID: u64 = 13;
    pub const TIME: u64 = 14;
    pub const SEQUENCE: u64 = 16;
    pub const SET: u64 = 17;
    pub const NUMERIC_STRING: u64 = 18;
    pub const PRINTABLE_STRING: u64 = 19;
    pub const TELETEX_STRING: u64 = 20;
    pub const VIDEOTEX_STRING: u64 = 21;
    pub const IA5_STRING: u64 = 22;
    pub const UTC_TIME: u64 = 23;
    pub const GENERALIZED_TIME: u64 = 24;
    pub const GRAPHIC_STRING: u64 = 25;
    pub const VISIBLE_STRING: u64 = 26;
    pub const GENERAL_STRING: u64 = 27;
    pub const UNIVERSAL_STRING: u64 = 28;
    pub const CHARACTER_STRING: u64 = 29;
    pub const BMP_STRING: u64 = 30;
}

impl Tag {
    /// A primitive universal tag.
    #[must_use]
    pub const fn universal(number: u64) -> Self {
        Self { class: Class::Universal, constructed: false, number }
    }

    /// True for the universal tag `number`, primitive or constructed.
    #[must_use]
    pub fn is_universal(self, number: u64) -> bool {
        self.class == Class::Universal && self.number == number
    }

    /// True for the context-specific tag `number`, primitive or constructed.
    #[must_use]
    pub fn is_context(self, number: u64) -> bool {
        self.class == Class::Context && self.number == number
    }

    /// The one identifier octet of this tag, where it needs only one (number < 31).
    #[must_use]
    pub fn octet(self) -> Option<u8> {
        let number = u8::try_from(self.number).ok().filter(|n| *n < 31)?;
        Some((self.class as u8) << 6 | u8::from(self.constructed) << 5 | number)
    }

    /// The name of a universal type as X.680 writes it, `None` for other classes and
    /// reserved numbers.
    #[must_use]
    pub fn type_name(self) -> Option<&'static str> {
        if self.class != Class::Universal {
            return None;
        }
        Some(match self.number {
            0 => "END-OF-CONTENTS",
            1 => "BOOLEAN",
            2 => "INTEGER",
            3 => "BIT STRING",
            4 => "OCTET STRING",
            5 => "NULL",
            6 => "OBJECT IDENTIFIER",
            7 => "ObjectDescriptor",
            8 => "EXTERNAL",
            9 => "REAL",
            10 => "ENUMERATED",
            11 => "EMBEDDED PDV",
            12 => "UTF8String",
            13 => "RELATIVE-OID",
            14 => "TIME",
            16 => "SEQUENCE",
            17 => "SET",
            18 => "NumericString",
            19 => "PrintableString",
            20 => "TeletexString",
            21 => "VideotexString",
            22 => "IA5String",
            23 => "UTCTime",
            24 => "GeneralizedTime",
            25 => "GraphicString",
            26 => "VisibleString",
            27 => "GeneralString",
            28 => "UniversalString",
            29 => "CHARACTER STRING",
            30 => "BMPString",
            31 => "DATE",
            32 => "TIME-OF-DAY",
            33 => "DATE-TIME",
            34 => "DURATION",
            35 => "OID-IRI",
            36 => "RELATIVE-OID-IRI",
            _ => return None,
        })
    }
}

impl fmt::Display for Tag {
    /// `SEQUENCE`, `[0]`, `[APPLICATION 3]`, `[PRIVATE 7]`, `[UNIVERSAL 99]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.type_name() {
            return f.pad(name);
        }
        let n = self.number;
        let text = match self.class {
            Class::Universal => format!("[UNIVERSAL {n}]"),
            Class::Application => format!("[APPLICATION {n}]"),
            Class::Context => format!("[{n}]"),
            Class::Private => format!("[PRIVATE {n}]"),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_print_as_the_standard_writes_them() {
        assert_eq!(Tag::universal(universal::SEQUENCE).to_string(), "SEQUENCE");
        let context = Tag { class: Class::Context, constructed: true, number: 3 };
        assert_eq!(context.to_string(), "[3]");
        assert_eq!(context.octet(), Some(0xa3));
        assert_eq!(Tag { number: 31, ..context }.octet(), None);
        assert_eq!(Tag::universal(99).to_string(), "[UNIVERSAL 99]");
    }
}
