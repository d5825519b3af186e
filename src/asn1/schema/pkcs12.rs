//! PKCS #12 (RFC 7292).

use crate::asn1::schema::attributes::ATTRIBUTE_SET;
use crate::asn1::schema::authenticode::DIGEST_INFO;
use crate::asn1::schema::base::{IA5_STRING, INTEGER, OBJECT_IDENTIFIER, OCTET_STRING, OPEN};
use crate::asn1::schema::cms::{ENCRYPTED_DATA, ENVELOPED_DATA, SIGNED_DATA};
use crate::asn1::schema::crl::CRL;
use crate::asn1::schema::keys::{ENCRYPTED_PRIVATE_KEY_INFO, PRIVATE_KEY_INFO};
use crate::asn1::schema::model::{Kind, Rules, Table, Type, entries, field, optional};
use crate::asn1::schema::x509::CERTIFICATE;

/// PFX
pub static PFX: Type = Type::new(
    "PFX",
    "RFC 7292 4",
    Kind::Sequence(&[
        field("version", &VERSION),
        field("authSafe", &AUTH_SAFE),
        optional("macData", &MAC_DATA),
    ]),
)
.encoded(Rules::Ber);

static VERSION: Type = Type::new("INTEGER", "RFC 7292 4", Kind::Integer(&[(3, "v3")]));

static MAC_DATA: Type = Type::new(
    "MacData",
    "RFC 7292 4",
    Kind::Sequence(&[
        field("mac", &DIGEST_INFO),
        field("macSalt", &OCTET_STRING),
        field("iterations", &INTEGER).default(&[1]),
    ]),
);

/// The ContentInfo that holds the AuthenticatedSafe.
static AUTH_SAFE: Type = Type::new(
    "ContentInfo",
    "RFC 7292 4",
    Kind::Sequence(&[
        field("contentType", &OBJECT_IDENTIFIER).selects(&AUTH_SAFES),
        optional("content", &OPEN).explicit(0),
    ]),
);

static AUTH_SAFES: Table = Table::new(entries! {
    "1.2.840.113549.1.7.1" "data" &AUTHENTICATED_SAFE_OCTETS;
    "1.2.840.113549.1.7.2" "signedData" &SIGNED_DATA;
});

static AUTHENTICATED_SAFE_OCTETS: Type =
    Type::new("Data", "RFC 7292 4.1", Kind::OctetString("authenticatedSafe", &AUTHENTICATED_SAFE));

/// AuthenticatedSafe
pub static AUTHENTICATED_SAFE: Type =
    Type::new("AuthenticatedSafe", "RFC 7292 4.1", Kind::SequenceOf(&SAFE)).encoded(Rules::Ber);

/// A ContentInfo that holds SafeContents, plain or encrypted.
static SAFE: Type = Type::new(
    "ContentInfo",
    "RFC 7292 4.1",
    Kind::Sequence(&[
        field("contentType", &OBJECT_IDENTIFIER).selects(&SAFES),
        optional("content", &OPEN).explicit(0),
    ]),
);

static SAFES: Table = Table::new(entries! {
    "1.2.840.113549.1.7.1" "data" &SAFE_CONTENTS_OCTETS;
    "1.2.840.113549.1.7.3" "envelopedData" &ENVELOPED_DATA;
    "1.2.840.113549.1.7.6" "encryptedData" &ENCRYPTED_DATA;
});

static SAFE_CONTENTS_OCTETS: Type =
    Type::new("Data", "RFC 7292 4.2", Kind::OctetString("safeContents", &SAFE_CONTENTS));

/// SafeContents
pub static SAFE_CONTENTS: Type =
    Type::new("SafeContents", "RFC 7292 4.2", Kind::SequenceOf(&SAFE_BAG)).encoded(Rules::Ber);

static SAFE_BAG: Type = Type::new(
    "SafeBag",
    "RFC 7292 4.2",
    Kind::Sequence(&[
        field("bagId", &OBJECT_IDENTIFIER).selects(&BAGS),
        field("bagValue", &OPEN).explicit(0),
        optional("bagAttributes", &ATTRIBUTE_SET),
    ]),
);

static BAGS: Table = Table::new(entries! {
    "1.2.840.113549.1.12.10.1.1" "keyBag" &PRIVATE_KEY_INFO;
    "1.2.840.113549.1.12.10.1.2" "pkcs8ShroudedKeyBag" &ENCRYPTED_PRIVATE_KEY_INFO;
    "1.2.840.113549.1.12.10.1.3" "certBag" &CERT_BAG;
    "1.2.840.113549.1.12.10.1.4" "crlBag" &CRL_BAG;
    "1.2.840.113549.1.12.10.1.5" "secretBag" &SECRET_BAG;
    "1.2.840.113549.1.12.10.1.6" "safeContentsBag" &SAFE_CONTENTS;
});

static CERT_BAG: Type = Type::new(
    "CertBag",
    "RFC 7292 4.2.3",
    Kind::Sequence(&[
        field("certId", &OBJECT_IDENTIFIER).selects(&CERT_TYPES),
        field("certValue", &OPEN).explicit(0),
    ]),
);

static CERT_TYPES: Table = Table::new(entries! {
    "1.2.840.113549.1.9.22.1" "x509Certificate" &CERTIFICATE_OCTETS;
    "1.2.840.113549.1.9.22.2" "sdsiCertificate" &IA5_STRING;
});

static CERTIFICATE_OCTETS: Type =
    Type::new("OCTET STRING", "RFC 7292 4.2.3", Kind::OctetString("certificate", &CERTIFICATE));

static CRL_BAG: Type = Type::new(
    "CRLBag",
    "RFC 7292 4.2.4",
    Kind::Sequence(&[
        field("crlId", &OBJECT_IDENTIFIER).selects(&CRL_TYPES),
        field("crlValue", &OPEN).explicit(0),
    ]),
);

static CRL_TYPES: Table = Table::new(entries! {
    "1.2.840.113549.1.9.23.1" "x509CRL" &CRL_OCTETS;
});

static CRL_OCTETS: Type =
    Type::new("OCTET STRING", "RFC 7292 4.2.4", Kind::OctetString("crl", &CRL));

static SECRET_BAG: Type = Type::new(
    "SecretBag",
    "RFC 7292 4.2.5",
    Kind::Sequence(&[
        field("secretTypeId", &OBJECT_IDENTIFIER),
        field("secretValue", &crate::asn1::schema::base::ANY).explicit(0),
    ]),
);
