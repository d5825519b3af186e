//! Certification requests (RFC 2986).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, SIGNATURES};
use crate::asn1::schema::attributes::ATTRIBUTE_SET;
use crate::asn1::schema::model::{Kind, Rules, Type, field};
use crate::asn1::schema::names::NAME;
use crate::asn1::schema::x509::{SIGNATURE_VALUE, SPKI};

/// CertificationRequest
pub static CSR: Type = Type::new(
    "CertificationRequest",
    "RFC 2986 4.2",
    Kind::Sequence(&[
        field("certificationRequestInfo", &REQUEST_INFO),
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER).selects_inside(&SIGNATURES),
        field("signature", &SIGNATURE_VALUE).from("RFC 2986 4.2"),
    ]),
)
.encoded(Rules::Der);

/// CertificationRequestInfo
pub static REQUEST_INFO: Type = Type::new(
    "CertificationRequestInfo",
    "RFC 2986 4.1",
    Kind::Sequence(&[
        field("version", &VERSION),
        field("subject", &NAME).from("RFC 2986 4.1"),
        field("subjectPKInfo", &SPKI).from("RFC 2986 4.1"),
        field("attributes", &ATTRIBUTE_SET).implicit(0),
    ]),
);

static VERSION: Type = Type::new("Version", "RFC 2986 4.1", Kind::Integer(&[(0, "v1")]));
