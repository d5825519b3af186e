//! The types of X.680 by themselves.

use crate::asn1::schema::model::{Kind, Type};
use crate::asn1::tag::universal as u;

/// Nothing is known of the value.
pub static ANY: Type = Type::new("ANY", "", Kind::Any);
/// The type that an object identifier selects.
pub static OPEN: Type = Type::new("ANY DEFINED BY", "", Kind::Open);

macro_rules! plain {
    ($($name:ident $text:literal $number:expr;)+) => {
        $(
            #[doc = concat!("`", $text, "`")]
            pub static $name: Type = Type::new($text, "", Kind::Plain($number));
        )+
    };
}

plain! {
    BOOLEAN "BOOLEAN" u::BOOLEAN;
    INTEGER "INTEGER" u::INTEGER;
    BIT_STRING "BIT STRING" u::BIT_STRING;
    OCTET_STRING "OCTET STRING" u::OCTET_STRING;
    NULL "NULL" u::NULL;
    OBJECT_IDENTIFIER "OBJECT IDENTIFIER" u::OBJECT_IDENTIFIER;
    ENUMERATED "ENUMERATED" u::ENUMERATED;
    UTF8_STRING "UTF8String" u::UTF8_STRING;
    RELATIVE_OID "RELATIVE-OID" u::RELATIVE_OID;
    NUMERIC_STRING "NumericString" u::NUMERIC_STRING;
    PRINTABLE_STRING "PrintableString" u::PRINTABLE_STRING;
    TELETEX_STRING "TeletexString" u::TELETEX_STRING;
    IA5_STRING "IA5String" u::IA5_STRING;
    UTC_TIME "UTCTime" u::UTC_TIME;
    GENERALIZED_TIME "GeneralizedTime" u::GENERALIZED_TIME;
    VISIBLE_STRING "VisibleString" u::VISIBLE_STRING;
    UNIVERSAL_STRING "UniversalString" u::UNIVERSAL_STRING;
    BMP_STRING "BMPString" u::BMP_STRING;
}

/// SEQUENCE whose components are not described.
pub static SEQUENCE: Type = Type::new("SEQUENCE", "", Kind::SequenceOf(&ANY));
