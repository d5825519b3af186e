//! Online certificate status (RFC 6960).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, SIGNATURES};
use crate::asn1::schema::base::{
    GENERALIZED_TIME, IA5_STRING, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING, OPEN,
};
use crate::asn1::schema::crl::CRL_REASON;
use crate::asn1::schema::extensions::AUTHORITY_INFO_ACCESS;
use crate::asn1::schema::model::{Kind, Rules, Table, Type, entries, field, optional};
use crate::asn1::schema::names::{GENERAL_NAME, NAME};
use crate::asn1::schema::x509::{CERTIFICATE, EXTENSIONS, SERIAL_NUMBER, SIGNATURE_VALUE, ZERO};

/// OCSPRequest
pub static OCSP_REQUEST: Type = Type::new(
    "OCSPRequest",
    "RFC 6960 4.1.1",
    Kind::Sequence(&[
        field("tbsRequest", &TBS_REQUEST),
        optional("optionalSignature", &SIGNATURE).explicit(0),
    ]),
);

static TBS_REQUEST: Type = Type::new(
    "TBSRequest",
    "RFC 6960 4.1.1",
    Kind::Sequence(&[
        field("version", &VERSION).explicit(0).default(ZERO),
        optional("requestorName", &GENERAL_NAME).explicit(1),
        field("requestList", &REQUEST_LIST),
        optional("requestExtensions", &EXTENSIONS).explicit(2),
    ]),
)
.encoded(Rules::Der);

static VERSION: Type = Type::new("Version", "RFC 6960 4.1.1", Kind::Integer(&[(0, "v1")]));

static REQUEST_LIST: Type = Type::new("SEQUENCE OF", "RFC 6960 4.1.1", Kind::SequenceOf(&REQUEST));

static REQUEST: Type = Type::new(
    "Request",
    "RFC 6960 4.1.1",
    Kind::Sequence(&[
        field("reqCert", &CERT_ID),
        optional("singleRequestExtensions", &EXTENSIONS).explicit(0),
    ]),
);

static SIGNATURE: Type = Type::new(
    "Signature",
    "RFC 6960 4.1.1",
    Kind::Sequence(&[
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER).selects_inside(&SIGNATURES),
        field("signature", &SIGNATURE_VALUE).from("RFC 6960 4.1.1"),
        optional("certs", &CERTIFICATES).explicit(0),
    ]),
);

static CERTIFICATES: Type =
    Type::new("SEQUENCE OF", "RFC 6960 4.1.1", Kind::SequenceOf(&CERTIFICATE));

/// CertID
pub static CERT_ID: Type = Type::new(
    "CertID",
    "RFC 6960 4.1.1",
    Kind::Sequence(&[
        field("hashAlgorithm", &ALGORITHM_IDENTIFIER),
        field("issuerNameHash", &OCTET_STRING),
        field("issuerKeyHash", &OCTET_STRING),
        field("serialNumber", &SERIAL_NUMBER),
    ]),
);

/// OCSPResponse
pub static OCSP_RESPONSE: Type = Type::new(
    "OCSPResponse",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("responseStatus", &RESPONSE_STATUS),
        optional("responseBytes", &RESPONSE_BYTES).explicit(0),
    ]),
);

static RESPONSE_STATUS: Type = Type::new(
    "OCSPResponseStatus",
    "RFC 6960 4.2.1",
    Kind::Enumerated(&[
        (0, "successful"),
        (1, "malformedRequest"),
        (2, "internalError"),
        (3, "tryLater"),
        (5, "sigRequired"),
        (6, "unauthorized"),
    ]),
);

static RESPONSE_BYTES: Type = Type::new(
    "ResponseBytes",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("responseType", &OBJECT_IDENTIFIER).selects(&RESPONSES),
        field("response", &RESPONSE),
    ]),
);

static RESPONSE: Type = Type::new("OCTET STRING", "RFC 6960 4.2.1", Kind::OctetString("", &OPEN));

static RESPONSES: Table = Table::new(entries! {
    "1.3.6.1.5.5.7.48.1.1" "basicOCSPResponse" &BASIC_OCSP_RESPONSE;
});

/// BasicOCSPResponse
pub static BASIC_OCSP_RESPONSE: Type = Type::new(
    "BasicOCSPResponse",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("tbsResponseData", &RESPONSE_DATA),
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER).selects_inside(&SIGNATURES),
        field("signature", &SIGNATURE_VALUE).from("RFC 6960 4.2.1"),
        optional("certs", &CERTIFICATES).explicit(0),
    ]),
)
.encoded(Rules::Der);

static RESPONSE_DATA: Type = Type::new(
    "ResponseData",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("version", &VERSION).explicit(0).default(ZERO),
        field("responderID", &RESPONDER_ID),
        field("producedAt", &GENERALIZED_TIME).from("RFC 6960 4.2.2.1"),
        field("responses", &SINGLE_RESPONSES),
        optional("responseExtensions", &EXTENSIONS).explicit(1),
    ]),
);

static RESPONDER_ID: Type = Type::new(
    "ResponderID",
    "RFC 6960 4.2.1",
    Kind::Choice(&[field("byName", &NAME).explicit(1), field("byKey", &OCTET_STRING).explicit(2)]),
);

static SINGLE_RESPONSES: Type =
    Type::new("SEQUENCE OF", "RFC 6960 4.2.1", Kind::SequenceOf(&SINGLE_RESPONSE));

static SINGLE_RESPONSE: Type = Type::new(
    "SingleResponse",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("certID", &CERT_ID),
        field("certStatus", &CERT_STATUS),
        field("thisUpdate", &GENERALIZED_TIME).from("RFC 6960 4.2.2.1"),
        optional("nextUpdate", &GENERALIZED_TIME).explicit(0).from("RFC 6960 4.2.2.1"),
        optional("singleExtensions", &EXTENSIONS).explicit(1),
    ]),
);

static CERT_STATUS: Type = Type::new(
    "CertStatus",
    "RFC 6960 4.2.1",
    Kind::Choice(&[
        field("good", &NULL).implicit(0),
        field("revoked", &REVOKED_INFO).implicit(1),
        field("unknown", &NULL).implicit(2),
    ]),
);

static REVOKED_INFO: Type = Type::new(
    "RevokedInfo",
    "RFC 6960 4.2.1",
    Kind::Sequence(&[
        field("revocationTime", &GENERALIZED_TIME),
        optional("revocationReason", &CRL_REASON).explicit(0),
    ]),
);

pub(super) static CRL_ID: Type = Type::new(
    "CrlID",
    "RFC 6960 4.4.2",
    Kind::Sequence(&[
        optional("crlUrl", &IA5_STRING).explicit(0),
        optional("crlNum", &INTEGER).explicit(1),
        optional("crlTime", &GENERALIZED_TIME).explicit(2),
    ]),
);

pub(super) static SERVICE_LOCATOR: Type = Type::new(
    "ServiceLocator",
    "RFC 6960 4.4.6",
    Kind::Sequence(&[field("issuer", &NAME), optional("locator", &AUTHORITY_INFO_ACCESS)]),
);

pub(super) static PREFERRED_SIGNATURE_ALGORITHMS: Type = Type::new(
    "PreferredSignatureAlgorithms",
    "RFC 6960 4.4.7.1",
    Kind::SequenceOf(&PREFERRED_SIGNATURE_ALGORITHM),
);

static PREFERRED_SIGNATURE_ALGORITHM: Type = Type::new(
    "PreferredSignatureAlgorithm",
    "RFC 6960 4.4.7.1",
    Kind::Sequence(&[
        field("sigIdentifier", &ALGORITHM_IDENTIFIER),
        optional("certIdentifier", &ALGORITHM_IDENTIFIER),
    ]),
);
