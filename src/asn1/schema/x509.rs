//! Certificates, requests' common parts, public keys (RFC 5280 4.1).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, SIGNATURES};
use crate::asn1::schema::base::{
    BIT_STRING, BOOLEAN, GENERALIZED_TIME, OBJECT_IDENTIFIER, OPEN, UTC_TIME,
};
use crate::asn1::schema::keys::PUBLIC_KEYS;
use crate::asn1::schema::model::{Kind, Rules, Set, Type, field, optional};
use crate::asn1::schema::names::NAME;
use crate::asn1::tag::universal;

/// Contents octets of FALSE.
pub(super) const FALSE: &[u8] = &[0];
/// Contents octets of INTEGER 0.
pub(super) const ZERO: &[u8] = &[0];

/// Certificate
pub static CERTIFICATE: Type = Type::new(
    "Certificate",
    "RFC 5280 4.1",
    Kind::Sequence(&[
        field("tbsCertificate", &TBS_CERTIFICATE),
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER)
            .from("RFC 5280 4.1.1.2")
            .selects_inside(&SIGNATURES),
        field("signatureValue", &SIGNATURE_VALUE).from("RFC 5280 4.1.1.3"),
    ]),
)
.encoded(Rules::Der);

/// The BIT STRING of a signature, which holds a value for some algorithms.
pub static SIGNATURE_VALUE: Type =
    Type::new("BIT STRING", "RFC 5280 4.1.1.3", Kind::BitString("", &OPEN));

/// TBSCertificate
pub static TBS_CERTIFICATE: Type = Type::new(
    "TBSCertificate",
    "RFC 5280 4.1.1.1",
    Kind::Sequence(&[
        field("version", &VERSION).explicit(0).default(ZERO),
        field("serialNumber", &SERIAL_NUMBER),
        field("signature", &ALGORITHM_IDENTIFIER).from("RFC 5280 4.1.2.3"),
        field("issuer", &NAME).from("RFC 5280 4.1.2.4"),
        field("validity", &VALIDITY),
        field("subject", &NAME).from("RFC 5280 4.1.2.6"),
        field("subjectPublicKeyInfo", &SPKI).from("RFC 5280 4.1.2.7"),
        optional("issuerUniqueID", &BIT_STRING).implicit(1).from("RFC 5280 4.1.2.8"),
        optional("subjectUniqueID", &BIT_STRING).implicit(2).from("RFC 5280 4.1.2.8"),
        optional("extensions", &EXTENSIONS).explicit(3).from("RFC 5280 4.1.2.9"),
    ]),
)
.encoded(Rules::Der);

/// Version of certificates and CRLs.
pub static VERSION: Type =
    Type::new("Version", "RFC 5280 4.1.2.1", Kind::Integer(&[(0, "v1"), (1, "v2"), (2, "v3")]));

/// CertificateSerialNumber
pub static SERIAL_NUMBER: Type =
    Type::new("CertificateSerialNumber", "RFC 5280 4.1.2.2", Kind::Plain(universal::INTEGER));

/// Validity
pub static VALIDITY: Type = Type::new(
    "Validity",
    "RFC 5280 4.1.2.5",
    Kind::Sequence(&[
        field("notBefore", &TIME).from("RFC 5280 4.1.2.5.1"),
        field("notAfter", &TIME).from("RFC 5280 4.1.2.5.1"),
    ]),
);

/// Time
pub static TIME: Type = Type::new(
    "Time",
    "RFC 5280 4.1.2.5",
    Kind::Choice(&[
        field("utcTime", &UTC_TIME).from("RFC 5280 4.1.2.5.1"),
        field("generalTime", &GENERALIZED_TIME).from("RFC 5280 4.1.2.5.2"),
    ]),
);

/// SubjectPublicKeyInfo
pub static SPKI: Type = Type::new(
    "SubjectPublicKeyInfo",
    "RFC 5280 4.1.2.7",
    Kind::Sequence(&[
        field("algorithm", &ALGORITHM_IDENTIFIER).selects_inside(&PUBLIC_KEYS),
        field("subjectPublicKey", &PUBLIC_KEY_BITS),
    ]),
)
.encoded(Rules::Der);

static PUBLIC_KEY_BITS: Type =
    Type::new("BIT STRING", "RFC 5280 4.1.2.7", Kind::BitString("", &OPEN));

/// Extensions
pub static EXTENSIONS: Type =
    Type::new("Extensions", "RFC 5280 4.1.2.9", Kind::SequenceOf(&EXTENSION));

/// Extension, of certificates, CRLs and OCSP messages alike.
pub static EXTENSION: Type = Type::new(
    "Extension",
    "RFC 5280 4.2",
    Kind::Sequence(&[
        field("extnID", &OBJECT_IDENTIFIER).selects_from(Set::Extensions),
        field("critical", &BOOLEAN).default(FALSE),
        field("extnValue", &EXTENSION_VALUE),
    ]),
);

static EXTENSION_VALUE: Type =
    Type::new("OCTET STRING", "RFC 5280 4.2", Kind::OctetString("", &OPEN));
