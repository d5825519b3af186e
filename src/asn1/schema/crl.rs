//! Certificate revocation lists (RFC 5280 5).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, SIGNATURES};
use crate::asn1::schema::base::BOOLEAN;
use crate::asn1::schema::extensions::{DISTRIBUTION_POINT_NAME, REASON_FLAGS};
use crate::asn1::schema::model::{Kind, Rules, Type, field, optional};
use crate::asn1::schema::names::NAME;
use crate::asn1::schema::x509::{EXTENSIONS, FALSE, SERIAL_NUMBER, SIGNATURE_VALUE, TIME, VERSION};
use crate::asn1::tag::universal;

/// CertificateList
pub static CRL: Type = Type::new(
    "CertificateList",
    "RFC 5280 5.1",
    Kind::Sequence(&[
        field("tbsCertList", &TBS_CERT_LIST),
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER)
            .from("RFC 5280 5.1.1.2")
            .selects_inside(&SIGNATURES),
        field("signatureValue", &SIGNATURE_VALUE).from("RFC 5280 5.1.1.3"),
    ]),
)
.encoded(Rules::Der);

/// TBSCertList
pub static TBS_CERT_LIST: Type = Type::new(
    "TBSCertList",
    "RFC 5280 5.1.1.1",
    Kind::Sequence(&[
        optional("version", &VERSION).from("RFC 5280 5.1.2.1"),
        field("signature", &ALGORITHM_IDENTIFIER).from("RFC 5280 5.1.2.2"),
        field("issuer", &NAME).from("RFC 5280 5.1.2.3"),
        field("thisUpdate", &TIME).from("RFC 5280 5.1.2.4"),
        optional("nextUpdate", &TIME).from("RFC 5280 5.1.2.5"),
        optional("revokedCertificates", &REVOKED_CERTIFICATES),
        optional("crlExtensions", &EXTENSIONS).explicit(0).from("RFC 5280 5.1.2.7"),
    ]),
);

static REVOKED_CERTIFICATES: Type =
    Type::new("SEQUENCE OF", "RFC 5280 5.1.2.6", Kind::SequenceOf(&REVOKED_CERTIFICATE));

static REVOKED_CERTIFICATE: Type = Type::new(
    "RevokedCertificate",
    "RFC 5280 5.1.2.6",
    Kind::Sequence(&[
        field("userCertificate", &SERIAL_NUMBER).from("RFC 5280 5.1.2.6"),
        field("revocationDate", &TIME).from("RFC 5280 5.1.2.6"),
        optional("crlEntryExtensions", &EXTENSIONS).from("RFC 5280 5.3"),
    ]),
);

/// CRLReason
pub static CRL_REASON: Type = Type::new(
    "CRLReason",
    "RFC 5280 5.3.1",
    Kind::Enumerated(&[
        (0, "unspecified"),
        (1, "keyCompromise"),
        (2, "cACompromise"),
        (3, "affiliationChanged"),
        (4, "superseded"),
        (5, "cessationOfOperation"),
        (6, "certificateHold"),
        (8, "removeFromCRL"),
        (9, "privilegeWithdrawn"),
        (10, "aACompromise"),
    ]),
);

pub(super) static CRL_NUMBER: Type =
    Type::new("CRLNumber", "RFC 5280 5.2.3", Kind::Plain(universal::INTEGER));
pub(super) static BASE_CRL_NUMBER: Type =
    Type::new("BaseCRLNumber", "RFC 5280 5.2.4", Kind::Plain(universal::INTEGER));
pub(super) static INVALIDITY_DATE: Type =
    Type::new("InvalidityDate", "RFC 5280 5.3.2", Kind::Plain(universal::GENERALIZED_TIME));
pub(super) static CERTIFICATE_ISSUER: Type = Type::new(
    "CertificateIssuer",
    "RFC 5280 5.3.3",
    Kind::SequenceOf(&crate::asn1::schema::names::GENERAL_NAME),
);

pub(super) static ISSUING_DISTRIBUTION_POINT: Type = Type::new(
    "IssuingDistributionPoint",
    "RFC 5280 5.2.5",
    Kind::Sequence(&[
        optional("distributionPoint", &DISTRIBUTION_POINT_NAME).explicit(0),
        field("onlyContainsUserCerts", &BOOLEAN).implicit(1).default(FALSE),
        field("onlyContainsCACerts", &BOOLEAN).implicit(2).default(FALSE),
        optional("onlySomeReasons", &REASON_FLAGS).implicit(3),
        field("indirectCRL", &BOOLEAN).implicit(4).default(FALSE),
        field("onlyContainsAttributeCerts", &BOOLEAN).implicit(5).default(FALSE),
    ]),
);
