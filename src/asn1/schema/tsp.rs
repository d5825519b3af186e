//! Time stamps (RFC 3161).

use crate::asn1::schema::algorithms::ALGORITHM_IDENTIFIER;
use crate::asn1::schema::base::{
    BOOLEAN, GENERALIZED_TIME, INTEGER, OBJECT_IDENTIFIER, OCTET_STRING, UTF8_STRING,
};
use crate::asn1::schema::cms::CONTENT_INFO;
use crate::asn1::schema::model::{Kind, Rules, Type, field, optional};
use crate::asn1::schema::names::GENERAL_NAME;
use crate::asn1::schema::x509::{EXTENSIONS, FALSE};

/// TimeStampReq
pub static TIME_STAMP_REQ: Type = Type::new(
    "TimeStampReq",
    "RFC 3161 2.4.1",
    Kind::Sequence(&[
        field("version", &VERSION),
        field("messageImprint", &MESSAGE_IMPRINT),
        optional("reqPolicy", &OBJECT_IDENTIFIER),
        optional("nonce", &INTEGER),
        field("certReq", &BOOLEAN).default(FALSE),
        optional("extensions", &EXTENSIONS).implicit(0),
    ]),
);

static VERSION: Type = Type::new("INTEGER", "RFC 3161 2.4.1", Kind::Integer(&[(1, "v1")]));

static MESSAGE_IMPRINT: Type = Type::new(
    "MessageImprint",
    "RFC 3161 2.4.1",
    Kind::Sequence(&[
        field("hashAlgorithm", &ALGORITHM_IDENTIFIER),
        field("hashedMessage", &OCTET_STRING),
    ]),
);

/// TimeStampResp
pub static TIME_STAMP_RESP: Type = Type::new(
    "TimeStampResp",
    "RFC 3161 2.4.2",
    Kind::Sequence(&[field("status", &PKI_STATUS_INFO), optional("timeStampToken", &CONTENT_INFO)]),
);

/// PKIStatusInfo
pub static PKI_STATUS_INFO: Type = Type::new(
    "PKIStatusInfo",
    "RFC 4210 5.2.3",
    Kind::Sequence(&[
        field("status", &PKI_STATUS),
        optional("statusString", &PKI_FREE_TEXT),
        optional("failInfo", &PKI_FAILURE_INFO),
    ]),
);

static PKI_STATUS: Type = Type::new(
    "PKIStatus",
    "RFC 4210 5.2.3",
    Kind::Integer(&[
        (0, "accepted"),
        (1, "grantedWithMods"),
        (2, "rejection"),
        (3, "waiting"),
        (4, "revocationWarning"),
        (5, "revocationNotification"),
        (6, "keyUpdateWarning"),
    ]),
);

static PKI_FREE_TEXT: Type =
    Type::new("PKIFreeText", "RFC 4210 5.1.1", Kind::SequenceOf(&UTF8_STRING));

static PKI_FAILURE_INFO: Type = Type::new(
    "PKIFailureInfo",
    "RFC 4210 5.2.3",
    Kind::Bits(&[
        "badAlg",
        "badMessageCheck",
        "badRequest",
        "badTime",
        "badCertId",
        "badDataFormat",
        "wrongAuthority",
        "incorrectData",
        "missingTimeStamp",
        "badPOP",
        "certRevoked",
        "certConfirmed",
        "wrongIntegrity",
        "badRecipientNonce",
        "timeNotAvailable",
        "unacceptedPolicy",
        "unacceptedExtension",
        "addInfoNotAvailable",
        "badSenderNonce",
        "badCertTemplate",
        "signerNotTrusted",
        "transactionIdInUse",
        "unsupportedVersion",
        "notAuthorized",
        "systemUnavail",
        "systemFailure",
        "duplicateCertReq",
    ]),
);

/// TSTInfo
pub static TST_INFO: Type = Type::new(
    "TSTInfo",
    "RFC 3161 2.4.2",
    Kind::Sequence(&[
        field("version", &VERSION),
        field("policy", &OBJECT_IDENTIFIER),
        field("messageImprint", &MESSAGE_IMPRINT),
        field("serialNumber", &INTEGER),
        field("genTime", &GENERALIZED_TIME),
        optional("accuracy", &ACCURACY),
        field("ordering", &BOOLEAN).default(FALSE),
        optional("nonce", &INTEGER),
        optional("tsa", &GENERAL_NAME).explicit(0),
        optional("extensions", &EXTENSIONS).implicit(1),
    ]),
)
.encoded(Rules::Der);

static ACCURACY: Type = Type::new(
    "Accuracy",
    "RFC 3161 2.4.2",
    Kind::Sequence(&[
        optional("seconds", &INTEGER),
        optional("millis", &INTEGER).implicit(0),
        optional("micros", &INTEGER).implicit(1),
    ]),
);
