//! The type of attributes: of requests, keys, signatures, PKCS #12 bags and subjects (RFC 5652 5.3).

use crate::asn1::schema::base::{OBJECT_IDENTIFIER, OPEN};
use crate::asn1::schema::model::{Kind, Rules, Set, Type, field};

/// Attribute
pub static ATTRIBUTE: Type = Type::new(
    "Attribute",
    "RFC 5652 5.3",
    Kind::Sequence(&[
        field("type", &OBJECT_IDENTIFIER).selects_from(Set::Attributes),
        field("values", &ATTRIBUTE_VALUE_SET),
    ]),
);

static ATTRIBUTE_VALUE_SET: Type = Type::new("SET OF", "RFC 5652 5.3", Kind::SetOf(&OPEN));

/// SET OF Attribute
pub static ATTRIBUTE_SET: Type = Type::new("Attributes", "RFC 2986 4.1", Kind::SetOf(&ATTRIBUTE));

/// SET OF Attribute of which a signature is made: always DER (RFC 5652 5.3).
pub static SIGNED_ATTRIBUTES: Type =
    Type::new("SignedAttributes", "RFC 5652 5.3", Kind::SetOf(&ATTRIBUTE)).encoded(Rules::Der);

/// SEQUENCE OF Attribute
pub static ATTRIBUTES: Type =
    Type::new("SEQUENCE OF", "RFC 5280 4.2.1.8", Kind::SequenceOf(&ATTRIBUTE));
