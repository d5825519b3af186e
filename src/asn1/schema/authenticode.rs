//! What Microsoft signs: Authenticode and certificate trust lists (MS-OSHARED, MS-CAESO).

use crate::asn1::schema::algorithms::ALGORITHM_IDENTIFIER;
use crate::asn1::schema::attributes::ATTRIBUTE_SET;
use crate::asn1::schema::base::{ANY, INTEGER, OBJECT_IDENTIFIER, OCTET_STRING};
use crate::asn1::schema::model::{Kind, Type, field, optional};
use crate::asn1::schema::x509::{EXTENSIONS, TIME};

/// SpcIndirectDataContent
pub static INDIRECT_DATA: Type = Type::new(
    "SpcIndirectDataContent",
    "MS-OSHARED 2.3.2.4.3.1",
    Kind::Sequence(&[field("data", &ATTRIBUTE_VALUE), field("messageDigest", &DIGEST_INFO)]),
);

static ATTRIBUTE_VALUE: Type = Type::new(
    "SpcAttributeTypeAndOptionalValue",
    "MS-OSHARED 2.3.2.4.3.1",
    Kind::Sequence(&[field("type", &OBJECT_IDENTIFIER), optional("value", &ANY)]),
);

/// DigestInfo
pub static DIGEST_INFO: Type = Type::new(
    "DigestInfo",
    "RFC 8017 9.2",
    Kind::Sequence(&[
        field("digestAlgorithm", &ALGORITHM_IDENTIFIER),
        field("digest", &OCTET_STRING),
    ]),
);

/// CertificateTrustList
pub static CERTIFICATE_TRUST_LIST: Type = Type::new(
    "CertificateTrustList",
    "MS-CAESO",
    Kind::Sequence(&[
        optional("version", &INTEGER),
        field("subjectUsage", &USAGES),
        optional("listIdentifier", &OCTET_STRING),
        optional("sequenceNumber", &INTEGER),
        field("ctlThisUpdate", &TIME),
        optional("ctlNextUpdate", &TIME),
        field("subjectAlgorithm", &ALGORITHM_IDENTIFIER),
        optional("trustedSubjects", &SUBJECTS),
        optional("ctlExtensions", &EXTENSIONS).explicit(0),
    ]),
);

static USAGES: Type = Type::new("SubjectUsage", "MS-CAESO", Kind::SequenceOf(&OBJECT_IDENTIFIER));

static SUBJECTS: Type = Type::new("TrustedSubjects", "MS-CAESO", Kind::SequenceOf(&SUBJECT));

static SUBJECT: Type = Type::new(
    "TrustedSubject",
    "MS-CAESO",
    Kind::Sequence(&[
        field("subjectIdentifier", &OCTET_STRING),
        optional("subjectAttributes", &ATTRIBUTE_SET),
    ]),
);
