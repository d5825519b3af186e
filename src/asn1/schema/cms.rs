//! CMS and PKCS #7: ContentInfo and the content types (RFC 5652, 2315, 5083, 8933).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, SIGNATURES};
use crate::asn1::schema::attributes::{ATTRIBUTE_SET, SIGNED_ATTRIBUTES};
use crate::asn1::schema::base::{
    ANY, BIT_STRING, GENERALIZED_TIME, INTEGER, OBJECT_IDENTIFIER, OCTET_STRING, OPEN, SEQUENCE,
};
use crate::asn1::schema::crl::CRL;
use crate::asn1::schema::model::{Kind, Rules, Set, Table, Type, entries, field, optional};
use crate::asn1::schema::names::NAME;
use crate::asn1::schema::ocsp::OCSP_RESPONSE;
use crate::asn1::schema::x509::{CERTIFICATE, SERIAL_NUMBER};

/// ContentInfo
pub static CONTENT_INFO: Type = Type::new(
    "ContentInfo",
    "RFC 5652 3",
    Kind::Sequence(&[
        field("contentType", &OBJECT_IDENTIFIER).selects(&CONTENTS),
        // OPTIONAL in PKCS #7 (RFC 2315 7), and OpenSSL leaves it out so.
        optional("content", &OPEN).explicit(0),
    ]),
)
.encoded(Rules::Ber);

/// Content types of CMS.
pub static CONTENTS: Table = Table::new(entries! {
    "1.2.840.113549.1.7.1" "data" &OCTET_STRING;
    "1.2.840.113549.1.7.2" "signedData" &SIGNED_DATA;
    "1.2.840.113549.1.7.3" "envelopedData" &ENVELOPED_DATA;
    "1.2.840.113549.1.7.5" "digestedData" &DIGESTED_DATA;
    "1.2.840.113549.1.7.6" "encryptedData" &ENCRYPTED_DATA;
    "1.2.840.113549.1.9.16.1.2" "authenticatedData" &AUTHENTICATED_DATA;
    "1.2.840.113549.1.9.16.1.9" "compressedData" &COMPRESSED_DATA;
    "1.2.840.113549.1.9.16.1.23" "authEnvelopedData" &AUTH_ENVELOPED_DATA;
});

/// CMSVersion
pub static CMS_VERSION: Type = Type::new(
    "CMSVersion",
    "RFC 5652 10.2.5",
    Kind::Integer(&[(0, "v0"), (1, "v1"), (2, "v2"), (3, "v3"), (4, "v4"), (5, "v5")]),
);

/// SignedData
pub static SIGNED_DATA: Type = Type::new(
    "SignedData",
    "RFC 5652 5.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("digestAlgorithms", &DIGEST_ALGORITHMS),
        field("encapContentInfo", &ENCAP_CONTENT_INFO),
        optional("certificates", &CERTIFICATE_SET).implicit(0),
        optional("crls", &REVOCATION_INFOS).implicit(1),
        field("signerInfos", &SIGNER_INFOS),
    ]),
);

static DIGEST_ALGORITHMS: Type =
    Type::new("DigestAlgorithmIdentifiers", "RFC 5652 5.1", Kind::SetOf(&ALGORITHM_IDENTIFIER));

static ENCAP_CONTENT_INFO: Type = Type::new(
    "EncapsulatedContentInfo",
    "RFC 5652 5.2",
    Kind::Sequence(&[
        field("eContentType", &OBJECT_IDENTIFIER).selects_from(Set::Contents),
        optional("eContent", &E_CONTENT).explicit(0),
    ]),
);

/// An OCTET STRING; PKCS #7 has the value itself there (RFC 5652 5.2.1).
static E_CONTENT: Type = Type::new(
    "CHOICE",
    "RFC 5652 5.2",
    Kind::Choice(&[field("", &E_CONTENT_OCTETS), field("", &OPEN)]),
);

static E_CONTENT_OCTETS: Type =
    Type::new("OCTET STRING", "RFC 5652 5.2", Kind::OctetString("", &OPEN));

static CERTIFICATE_SET: Type =
    Type::new("CertificateSet", "RFC 5652 10.2.3", Kind::SetOf(&CERTIFICATE_CHOICES));

static CERTIFICATE_CHOICES: Type = Type::new(
    "CertificateChoices",
    "RFC 5652 10.2.2",
    Kind::Choice(&[
        field("certificate", &CERTIFICATE),
        field("extendedCertificate", &SEQUENCE).implicit(0),
        field("v1AttrCert", &SEQUENCE).implicit(1),
        field("v2AttrCert", &SEQUENCE).implicit(2),
        field("other", &OTHER_CERTIFICATE).implicit(3),
    ]),
);

static OTHER_CERTIFICATE: Type = Type::new(
    "OtherCertificateFormat",
    "RFC 5652 10.2.2",
    Kind::Sequence(&[field("otherCertFormat", &OBJECT_IDENTIFIER), field("otherCert", &ANY)]),
);

static REVOCATION_INFOS: Type =
    Type::new("RevocationInfoChoices", "RFC 5652 10.2.1", Kind::SetOf(&REVOCATION_INFO));

static REVOCATION_INFO: Type = Type::new(
    "RevocationInfoChoice",
    "RFC 5652 10.2.1",
    Kind::Choice(&[field("crl", &CRL), field("other", &OTHER_REVOCATION_INFO).implicit(1)]),
);

static OTHER_REVOCATION_INFO: Type = Type::new(
    "OtherRevocationInfoFormat",
    "RFC 5652 10.2.1",
    Kind::Sequence(&[
        field("otherRevInfoFormat", &OBJECT_IDENTIFIER).selects(&REVOCATION_FORMATS),
        field("otherRevInfo", &OPEN),
    ]),
);

static REVOCATION_FORMATS: Table = Table::new(entries! {
    "1.3.6.1.5.5.7.16.2" "ocspResponse" &OCSP_RESPONSE;
});

static SIGNER_INFOS: Type = Type::new("SignerInfos", "RFC 5652 5.1", Kind::SetOf(&SIGNER_INFO));

/// SignerInfo
pub static SIGNER_INFO: Type = Type::new(
    "SignerInfo",
    "RFC 5652 5.3",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("sid", &SIGNER_IDENTIFIER),
        field("digestAlgorithm", &ALGORITHM_IDENTIFIER),
        optional("signedAttrs", &SIGNED_ATTRIBUTES).implicit(0),
        field("signatureAlgorithm", &ALGORITHM_IDENTIFIER).selects_inside(&SIGNATURES),
        field("signature", &SIGNATURE_OCTETS),
        optional("unsignedAttrs", &ATTRIBUTE_SET).implicit(1).from("RFC 5652 5.3"),
    ]),
);

static SIGNATURE_OCTETS: Type =
    Type::new("SignatureValue", "RFC 5652 5.3", Kind::OctetString("", &OPEN));

static SIGNER_IDENTIFIER: Type = Type::new(
    "SignerIdentifier",
    "RFC 5652 5.3",
    Kind::Choice(&[
        field("issuerAndSerialNumber", &ISSUER_AND_SERIAL),
        field("subjectKeyIdentifier", &OCTET_STRING).implicit(0),
    ]),
);

/// IssuerAndSerialNumber
pub static ISSUER_AND_SERIAL: Type = Type::new(
    "IssuerAndSerialNumber",
    "RFC 5652 10.2.4",
    Kind::Sequence(&[field("issuer", &NAME), field("serialNumber", &SERIAL_NUMBER)]),
);

/// EnvelopedData
pub static ENVELOPED_DATA: Type = Type::new(
    "EnvelopedData",
    "RFC 5652 6.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        optional("originatorInfo", &ORIGINATOR_INFO).implicit(0),
        field("recipientInfos", &RECIPIENT_INFOS),
        field("encryptedContentInfo", &ENCRYPTED_CONTENT_INFO),
        optional("unprotectedAttrs", &ATTRIBUTE_SET).implicit(1),
    ]),
);

static ORIGINATOR_INFO: Type = Type::new(
    "OriginatorInfo",
    "RFC 5652 6.1",
    Kind::Sequence(&[
        optional("certs", &CERTIFICATE_SET).implicit(0),
        optional("crls", &REVOCATION_INFOS).implicit(1),
    ]),
);

static RECIPIENT_INFOS: Type =
    Type::new("RecipientInfos", "RFC 5652 6.1", Kind::SetOf(&RECIPIENT_INFO));

static RECIPIENT_INFO: Type = Type::new(
    "RecipientInfo",
    "RFC 5652 6.2",
    Kind::Choice(&[
        field("ktri", &KEY_TRANS).from("RFC 5652 6.2.1"),
        field("kari", &KEY_AGREE).implicit(1),
        field("kekri", &KEK).implicit(2),
        field("pwri", &PASSWORD).implicit(3),
        field("ori", &OTHER_RECIPIENT).implicit(4),
    ]),
);

static KEY_TRANS: Type = Type::new(
    "KeyTransRecipientInfo",
    "RFC 5652 6.2.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("rid", &SIGNER_IDENTIFIER),
        field("keyEncryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encryptedKey", &OCTET_STRING),
    ]),
);

static KEY_AGREE: Type = Type::new(
    "KeyAgreeRecipientInfo",
    "RFC 5652 6.2.2",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("originator", &ORIGINATOR).explicit(0),
        optional("ukm", &OCTET_STRING).explicit(1),
        field("keyEncryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("recipientEncryptedKeys", &RECIPIENT_KEYS),
    ]),
);

static ORIGINATOR: Type = Type::new(
    "OriginatorIdentifierOrKey",
    "RFC 5652 6.2.2",
    Kind::Choice(&[
        field("issuerAndSerialNumber", &ISSUER_AND_SERIAL),
        field("subjectKeyIdentifier", &OCTET_STRING).implicit(0),
        field("originatorKey", &ORIGINATOR_KEY).implicit(1),
    ]),
);

static ORIGINATOR_KEY: Type = Type::new(
    "OriginatorPublicKey",
    "RFC 5652 6.2.2",
    Kind::Sequence(&[field("algorithm", &ALGORITHM_IDENTIFIER), field("publicKey", &BIT_STRING)]),
);

static RECIPIENT_KEYS: Type =
    Type::new("RecipientEncryptedKeys", "RFC 5652 6.2.2", Kind::SequenceOf(&RECIPIENT_KEY));

static RECIPIENT_KEY: Type = Type::new(
    "RecipientEncryptedKey",
    "RFC 5652 6.2.2",
    Kind::Sequence(&[field("rid", &KEY_AGREE_RECIPIENT), field("encryptedKey", &OCTET_STRING)]),
);

static KEY_AGREE_RECIPIENT: Type = Type::new(
    "KeyAgreeRecipientIdentifier",
    "RFC 5652 6.2.2",
    Kind::Choice(&[
        field("issuerAndSerialNumber", &ISSUER_AND_SERIAL),
        field("rKeyId", &RECIPIENT_KEY_ID).implicit(0),
    ]),
);

static RECIPIENT_KEY_ID: Type = Type::new(
    "RecipientKeyIdentifier",
    "RFC 5652 6.2.2",
    Kind::Sequence(&[
        field("subjectKeyIdentifier", &OCTET_STRING),
        optional("date", &GENERALIZED_TIME),
        optional("other", &OTHER_KEY_ATTRIBUTE),
    ]),
);

static KEK: Type = Type::new(
    "KEKRecipientInfo",
    "RFC 5652 6.2.3",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("kekid", &KEK_ID),
        field("keyEncryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encryptedKey", &OCTET_STRING),
    ]),
);

static KEK_ID: Type = Type::new(
    "KEKIdentifier",
    "RFC 5652 6.2.3",
    Kind::Sequence(&[
        field("keyIdentifier", &OCTET_STRING),
        optional("date", &GENERALIZED_TIME),
        optional("other", &OTHER_KEY_ATTRIBUTE),
    ]),
);

static OTHER_KEY_ATTRIBUTE: Type = Type::new(
    "OtherKeyAttribute",
    "RFC 5652 10.2.7",
    Kind::Sequence(&[field("keyAttrId", &OBJECT_IDENTIFIER), optional("keyAttr", &ANY)]),
);

static PASSWORD: Type = Type::new(
    "PasswordRecipientInfo",
    "RFC 5652 6.2.4",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        optional("keyDerivationAlgorithm", &ALGORITHM_IDENTIFIER).implicit(0),
        field("keyEncryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encryptedKey", &OCTET_STRING),
    ]),
);

static OTHER_RECIPIENT: Type = Type::new(
    "OtherRecipientInfo",
    "RFC 5652 6.2.5",
    Kind::Sequence(&[
        field("oriType", &OBJECT_IDENTIFIER).selects(&OTHER_RECIPIENTS),
        field("oriValue", &OPEN),
    ]),
);

static OTHER_RECIPIENTS: Table = Table::new(entries! {
    "1.2.840.113549.1.9.16.13.3" "kemri" &KEM_RECIPIENT;
});

static KEM_RECIPIENT: Type = Type::new(
    "KEMRecipientInfo",
    "RFC 9629 3",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("rid", &SIGNER_IDENTIFIER),
        field("kem", &ALGORITHM_IDENTIFIER),
        field("kemct", &OCTET_STRING),
        field("kdf", &ALGORITHM_IDENTIFIER),
        field("kekLength", &INTEGER),
        optional("ukm", &OCTET_STRING).explicit(0),
        field("wrap", &ALGORITHM_IDENTIFIER),
        field("encryptedKey", &OCTET_STRING),
    ]),
);

/// EncryptedContentInfo
pub static ENCRYPTED_CONTENT_INFO: Type = Type::new(
    "EncryptedContentInfo",
    "RFC 5652 6.1",
    Kind::Sequence(&[
        field("contentType", &OBJECT_IDENTIFIER),
        field("contentEncryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        optional("encryptedContent", &OCTET_STRING).implicit(0),
    ]),
);

static DIGESTED_DATA: Type = Type::new(
    "DigestedData",
    "RFC 5652 7",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("digestAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encapContentInfo", &ENCAP_CONTENT_INFO),
        field("digest", &OCTET_STRING),
    ]),
);

/// EncryptedData
pub static ENCRYPTED_DATA: Type = Type::new(
    "EncryptedData",
    "RFC 5652 8",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("encryptedContentInfo", &ENCRYPTED_CONTENT_INFO),
        optional("unprotectedAttrs", &ATTRIBUTE_SET).implicit(1),
    ]),
);

static AUTHENTICATED_DATA: Type = Type::new(
    "AuthenticatedData",
    "RFC 5652 9.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        optional("originatorInfo", &ORIGINATOR_INFO).implicit(0),
        field("recipientInfos", &RECIPIENT_INFOS),
        field("macAlgorithm", &ALGORITHM_IDENTIFIER),
        optional("digestAlgorithm", &ALGORITHM_IDENTIFIER).implicit(1),
        field("encapContentInfo", &ENCAP_CONTENT_INFO),
        optional("authAttrs", &SIGNED_ATTRIBUTES).implicit(2).from("RFC 5652 9.1"),
        field("mac", &OCTET_STRING),
        optional("unauthAttrs", &ATTRIBUTE_SET).implicit(3).from("RFC 5652 9.1"),
    ]),
);

static AUTH_ENVELOPED_DATA: Type = Type::new(
    "AuthEnvelopedData",
    "RFC 5083 2.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        optional("originatorInfo", &ORIGINATOR_INFO).implicit(0),
        field("recipientInfos", &RECIPIENT_INFOS),
        field("authEncryptedContentInfo", &ENCRYPTED_CONTENT_INFO),
        optional("authAttrs", &SIGNED_ATTRIBUTES).implicit(1).from("RFC 5083 2.1"),
        field("mac", &OCTET_STRING),
        optional("unauthAttrs", &ATTRIBUTE_SET).implicit(2).from("RFC 5083 2.1"),
    ]),
);

static COMPRESSED_DATA: Type = Type::new(
    "CompressedData",
    "RFC 3274 1.1",
    Kind::Sequence(&[
        field("version", &CMS_VERSION),
        field("compressionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encapContentInfo", &ENCAP_CONTENT_INFO),
    ]),
);
