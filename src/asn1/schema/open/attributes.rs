//! Values of attributes, by object identifier (RFC 2985, 5652 11).

use crate::asn1::schema::algorithms::ALGORITHM_IDENTIFIER;
use crate::asn1::schema::base::{
    ANY, BIT_STRING, BMP_STRING, GENERALIZED_TIME, IA5_STRING, INTEGER, OBJECT_IDENTIFIER,
    OCTET_STRING, UTF8_STRING,
};
use crate::asn1::schema::cms;
use crate::asn1::schema::crl::CRL;
use crate::asn1::schema::extensions::{KEY_USAGE, POLICY_INFORMATION};
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};
use crate::asn1::schema::names::{ATTRIBUTE_STRING, GENERAL_NAMES};
use crate::asn1::schema::ocsp::OCSP_RESPONSE;
use crate::asn1::schema::x509::{EXTENSIONS, SERIAL_NUMBER, TIME};

/// Attributes whose values are known.
pub(super) static ATTRIBUTES: Table = Table::new(entries! {
    "1.2.840.113549.1.9.1" "emailAddress" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.2" "unstructuredName" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.3" "contentType" &OBJECT_IDENTIFIER;
    "1.2.840.113549.1.9.4" "messageDigest" &OCTET_STRING;
    "1.2.840.113549.1.9.5" "signingTime" &TIME;
    "1.2.840.113549.1.9.6" "countersignature" &cms::SIGNER_INFO;
    "1.2.840.113549.1.9.7" "challengePassword" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.8" "unstructuredAddress" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.14" "extensionRequest" &EXTENSIONS;
    "1.2.840.113549.1.9.15" "sMIMECapabilities" &SMIME_CAPABILITIES;
    "1.2.840.113549.1.9.20" "friendlyName" &BMP_STRING;
    "1.2.840.113549.1.9.21" "localKeyId" &OCTET_STRING;
    "1.2.840.113549.1.9.52" "cmsAlgorithmProtect" &ALGORITHM_PROTECTION;
    "1.2.840.113549.1.9.16.2.1" "receiptRequest" &ANY;
    "1.2.840.113549.1.9.16.2.4" "contentHint" &ANY;
    "1.2.840.113549.1.9.16.2.11" "encrypKeyPref" &KEY_PREFERENCE;
    "1.2.840.113549.1.9.16.2.12" "signingCertificate" &SIGNING_CERTIFICATE;
    "1.2.840.113549.1.9.16.2.14" "timeStampToken" &cms::CONTENT_INFO;
    "1.2.840.113549.1.9.16.2.15" "sigPolicyId" &ANY;
    "1.2.840.113549.1.9.16.2.17" "signerLocation" &ANY;
    "1.2.840.113549.1.9.16.2.47" "signingCertificateV2" &SIGNING_CERTIFICATE_V2;
    "1.2.840.113583.1.1.8" "adobeRevocationInfoArchival" &ADOBE_REVOCATION;
    "1.3.6.1.4.1.311.2.1.14" "certExtensions" &EXTENSIONS;
    "1.3.6.1.4.1.311.13.2.2" "enrolmentCSP" &ENROLMENT_CSP;
    "1.3.6.1.4.1.311.13.2.3" "osVersion" &IA5_STRING;
    "1.3.6.1.4.1.311.21.20" "clientInformation" &CLIENT_INFORMATION;
    "1.3.6.1.4.1.311.17.1" "localKeyProvider" &BMP_STRING;
    "1.3.6.1.4.1.311.2.1.12" "spcSpOpusInfo" &ANY;
    "1.3.6.1.4.1.311.2.1.11" "spcStatementType" &OIDS;
    "1.3.6.1.4.1.311.3.3.1" "rfc3161CounterSignature" &cms::CONTENT_INFO;
    "1.3.6.1.4.1.311.2.4.1" "nestedSignature" &cms::CONTENT_INFO;
    "2.16.840.1.113730.3.1.216" "userPKCS12" &ANY;
    "2.5.4.3" "commonName" &ATTRIBUTE_STRING;
    "2.5.4.5" "serialNumber" &ATTRIBUTE_STRING;
    "2.5.4.6" "countryName" &ATTRIBUTE_STRING;
    "2.5.4.7" "localityName" &ATTRIBUTE_STRING;
    "2.5.4.8" "stateOrProvinceName" &ATTRIBUTE_STRING;
    "2.5.4.10" "organizationName" &ATTRIBUTE_STRING;
    "2.5.4.11" "organizationalUnitName" &ATTRIBUTE_STRING;
    "2.5.4.12" "title" &ATTRIBUTE_STRING;
    "2.5.29.15" "keyUsage" &KEY_USAGE;
    "1.3.6.1.5.5.7.9.1" "dateOfBirth" &GENERALIZED_TIME;
    "1.3.6.1.5.5.7.9.2" "placeOfBirth" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.3" "gender" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.4" "countryOfCitizenship" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.5" "countryOfResidence" &ATTRIBUTE_STRING;
});

static OIDS: Type = Type::new("SEQUENCE OF", "", Kind::SequenceOf(&OBJECT_IDENTIFIER));

static SMIME_CAPABILITIES: Type =
    Type::new("SMIMECapabilities", "RFC 8551 2.5.2", Kind::SequenceOf(&SMIME_CAPABILITY));

static SMIME_CAPABILITY: Type = Type::new(
    "SMIMECapability",
    "RFC 8551 2.5.2",
    Kind::Sequence(&[field("capabilityID", &OBJECT_IDENTIFIER), optional("parameters", &ANY)]),
);

static ALGORITHM_PROTECTION: Type = Type::new(
    "CMSAlgorithmProtection",
    "RFC 6211 2",
    Kind::Sequence(&[
        field("digestAlgorithm", &ALGORITHM_IDENTIFIER),
        optional("signatureAlgorithm", &ALGORITHM_IDENTIFIER).implicit(1),
        optional("macAlgorithm", &ALGORITHM_IDENTIFIER).implicit(2),
    ]),
);

static KEY_PREFERENCE: Type = Type::new(
    "SMIMEEncryptionKeyPreference",
    "RFC 8551 2.5.3",
    Kind::Choice(&[
        field("issuerAndSerialNumber", &cms::ISSUER_AND_SERIAL).implicit(0),
        field("receipentKeyId", &ANY).implicit(1),
        field("subjectAltKeyIdentifier", &OCTET_STRING).implicit(2),
    ]),
);

static SIGNING_CERTIFICATE: Type = Type::new(
    "SigningCertificate",
    "RFC 2634 5.4",
    Kind::Sequence(&[field("certs", &ESS_CERT_IDS), optional("policies", &POLICIES)]),
);

static ESS_CERT_IDS: Type =
    Type::new("SEQUENCE OF", "RFC 2634 5.4", Kind::SequenceOf(&ESS_CERT_ID));

static ESS_CERT_ID: Type = Type::new(
    "ESSCertID",
    "RFC 2634 5.4.1",
    Kind::Sequence(&[field("certHash", &OCTET_STRING), optional("issuerSerial", &ISSUER_SERIAL)]),
);

/// SigningCertificateV2
static SIGNING_CERTIFICATE_V2: Type = Type::new(
    "SigningCertificateV2",
    "RFC 5035 3",
    Kind::Sequence(&[field("certs", &ESS_CERT_IDS_V2), optional("policies", &POLICIES)]),
);

static ESS_CERT_IDS_V2: Type =
    Type::new("SEQUENCE OF", "RFC 5035 3", Kind::SequenceOf(&ESS_CERT_ID_V2));

static ESS_CERT_ID_V2: Type = Type::new(
    "ESSCertIDv2",
    "RFC 5035 4",
    Kind::Sequence(&[
        field("hashAlgorithm", &ALGORITHM_IDENTIFIER).default(SHA256),
        field("certHash", &OCTET_STRING),
        optional("issuerSerial", &ISSUER_SERIAL),
    ]),
);

/// Contents octets of AlgorithmIdentifier { sha256 }, without parameters.
const SHA256: &[u8] = &[0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01];

static ISSUER_SERIAL: Type = Type::new(
    "IssuerSerial",
    "RFC 5035 4",
    Kind::Sequence(&[field("issuer", &GENERAL_NAMES), field("serialNumber", &SERIAL_NUMBER)]),
);

static POLICIES: Type =
    Type::new("SEQUENCE OF", "RFC 5035 3", Kind::SequenceOf(&POLICY_INFORMATION));

static ADOBE_REVOCATION: Type = Type::new(
    "RevocationInfoArchival",
    "ISO 32000-2 12.8.3.3.2",
    Kind::Sequence(&[
        optional("crl", &CRLS).explicit(0),
        optional("ocsp", &OCSPS).explicit(1),
        optional("otherRevInfo", &ANY).explicit(2),
    ]),
);

static CRLS: Type = Type::new("SEQUENCE OF", "", Kind::SequenceOf(&CRL));
static OCSPS: Type = Type::new("SEQUENCE OF", "", Kind::SequenceOf(&OCSP_RESPONSE));

static ENROLMENT_CSP: Type = Type::new(
    "CSPProvider",
    "MS-WCCE 2.2.2.7.2",
    Kind::Sequence(&[
        field("keySpec", &INTEGER),
        field("cspName", &BMP_STRING),
        field("signature", &BIT_STRING),
    ]),
);

static CLIENT_INFORMATION: Type = Type::new(
    "RequestClientInfo",
    "MS-WCCE 2.2.2.7.4",
    Kind::Sequence(&[
        field("clientId", &INTEGER),
        field("machineName", &UTF8_STRING),
        field("userName", &UTF8_STRING),
        field("processName", &UTF8_STRING),
    ]),
);
