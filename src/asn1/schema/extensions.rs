//! The types of extensions of certificates, CRLs and OCSP messages (RFC 5280 4.2, 5.2).

use crate::asn1::schema::algorithms::ALGORITHM_IDENTIFIER;
use crate::asn1::schema::base::{
    BIT_STRING, BMP_STRING, BOOLEAN, GENERALIZED_TIME, IA5_STRING, INTEGER, NULL,
    OBJECT_IDENTIFIER, OCTET_STRING, OPEN, UTF8_STRING, VISIBLE_STRING,
};
use crate::asn1::schema::model::{Kind, Rules, Table, Type, entries, field, optional};
use crate::asn1::schema::names::{DIRECTORY_STRING, GENERAL_NAME, GENERAL_NAMES, RDN};
use crate::asn1::schema::x509::{FALSE, SERIAL_NUMBER, ZERO};
use crate::asn1::tag::universal;

pub(super) static SUBJECT_KEY_IDENTIFIER: Type =
    Type::new("SubjectKeyIdentifier", "RFC 5280 4.2.1.2", Kind::Plain(universal::OCTET_STRING));

/// KeyIdentifier
pub static KEY_IDENTIFIER: Type =
    Type::new("KeyIdentifier", "RFC 5280 4.2.1.1", Kind::Plain(universal::OCTET_STRING));

/// AuthorityKeyIdentifier
pub static AUTHORITY_KEY_IDENTIFIER: Type = Type::new(
    "AuthorityKeyIdentifier",
    "RFC 5280 4.2.1.1",
    Kind::Sequence(&[
        optional("keyIdentifier", &KEY_IDENTIFIER).implicit(0),
        optional("authorityCertIssuer", &GENERAL_NAMES).implicit(1),
        optional("authorityCertSerialNumber", &SERIAL_NUMBER).implicit(2),
    ]),
);

/// KeyUsage
pub static KEY_USAGE: Type = Type::new(
    "KeyUsage",
    "RFC 5280 4.2.1.3",
    Kind::Bits(&[
        "digitalSignature",
        "nonRepudiation",
        "keyEncipherment",
        "dataEncipherment",
        "keyAgreement",
        "keyCertSign",
        "cRLSign",
        "encipherOnly",
        "decipherOnly",
    ]),
);

pub(super) static PRIVATE_KEY_USAGE_PERIOD: Type = Type::new(
    "PrivateKeyUsagePeriod",
    "RFC 3280 4.2.1.4",
    Kind::Sequence(&[
        optional("notBefore", &GENERALIZED_TIME).implicit(0),
        optional("notAfter", &GENERALIZED_TIME).implicit(1),
    ]),
);

/// CertificatePolicies
pub static CERTIFICATE_POLICIES: Type =
    Type::new("CertificatePolicies", "RFC 5280 4.2.1.4", Kind::SequenceOf(&POLICY_INFORMATION));

/// PolicyInformation
pub static POLICY_INFORMATION: Type = Type::new(
    "PolicyInformation",
    "RFC 5280 4.2.1.4",
    Kind::Sequence(&[
        field("policyIdentifier", &OBJECT_IDENTIFIER),
        optional("policyQualifiers", &POLICY_QUALIFIERS),
    ]),
);

static POLICY_QUALIFIERS: Type =
    Type::new("SEQUENCE OF", "RFC 5280 4.2.1.4", Kind::SequenceOf(&POLICY_QUALIFIER_INFO));

static POLICY_QUALIFIER_INFO: Type = Type::new(
    "PolicyQualifierInfo",
    "RFC 5280 4.2.1.4",
    Kind::Sequence(&[
        field("policyQualifierId", &OBJECT_IDENTIFIER).selects(&QUALIFIERS),
        field("qualifier", &OPEN),
    ]),
);

static QUALIFIERS: Table = Table::new(entries! {
    "1.3.6.1.5.5.7.2.1" "cPSuri" &CPS_URI;
    "1.3.6.1.5.5.7.2.2" "userNotice" &USER_NOTICE;
});

static CPS_URI: Type = Type::new("CPSuri", "RFC 5280 4.2.1.4", Kind::Plain(universal::IA5_STRING));

static USER_NOTICE: Type = Type::new(
    "UserNotice",
    "RFC 5280 4.2.1.4",
    Kind::Sequence(&[
        optional("noticeRef", &NOTICE_REFERENCE),
        optional("explicitText", &DISPLAY_TEXT),
    ]),
);

static NOTICE_REFERENCE: Type = Type::new(
    "NoticeReference",
    "RFC 5280 4.2.1.4",
    Kind::Sequence(&[field("organization", &DISPLAY_TEXT), field("noticeNumbers", &INTEGERS)]),
);

static INTEGERS: Type = Type::new("SEQUENCE OF", "RFC 5280 4.2.1.4", Kind::SequenceOf(&INTEGER));

static DISPLAY_TEXT: Type = Type::new(
    "DisplayText",
    "RFC 5280 4.2.1.4",
    Kind::Choice(&[
        field("ia5String", &IA5_STRING),
        field("visibleString", &VISIBLE_STRING),
        field("bmpString", &BMP_STRING),
        field("utf8String", &UTF8_STRING),
    ]),
);

pub(super) static POLICY_MAPPINGS: Type =
    Type::new("PolicyMappings", "RFC 5280 4.2.1.5", Kind::SequenceOf(&POLICY_MAPPING));

static POLICY_MAPPING: Type = Type::new(
    "PolicyMapping",
    "RFC 5280 4.2.1.5",
    Kind::Sequence(&[
        field("issuerDomainPolicy", &OBJECT_IDENTIFIER),
        field("subjectDomainPolicy", &OBJECT_IDENTIFIER),
    ]),
);

/// BasicConstraints
pub static BASIC_CONSTRAINTS: Type = Type::new(
    "BasicConstraints",
    "RFC 5280 4.2.1.9",
    Kind::Sequence(&[
        field("cA", &BOOLEAN).default(FALSE),
        optional("pathLenConstraint", &INTEGER),
    ]),
);

pub(super) static NAME_CONSTRAINTS: Type = Type::new(
    "NameConstraints",
    "RFC 5280 4.2.1.10",
    Kind::Sequence(&[
        optional("permittedSubtrees", &GENERAL_SUBTREES).implicit(0),
        optional("excludedSubtrees", &GENERAL_SUBTREES).implicit(1),
    ]),
);

static GENERAL_SUBTREES: Type =
    Type::new("GeneralSubtrees", "RFC 5280 4.2.1.10", Kind::SequenceOf(&GENERAL_SUBTREE));

static GENERAL_SUBTREE: Type = Type::new(
    "GeneralSubtree",
    "RFC 5280 4.2.1.10",
    Kind::Sequence(&[
        field("base", &GENERAL_NAME),
        field("minimum", &INTEGER).implicit(0).default(ZERO),
        optional("maximum", &INTEGER).implicit(1),
    ]),
);

pub(super) static POLICY_CONSTRAINTS: Type = Type::new(
    "PolicyConstraints",
    "RFC 5280 4.2.1.11",
    Kind::Sequence(&[
        optional("requireExplicitPolicy", &INTEGER).implicit(0),
        optional("inhibitPolicyMapping", &INTEGER).implicit(1),
    ]),
);

pub(super) static EXT_KEY_USAGE: Type =
    Type::new("ExtKeyUsageSyntax", "RFC 5280 4.2.1.12", Kind::SequenceOf(&OBJECT_IDENTIFIER));

pub(super) static OBJECT_IDENTIFIERS: Type =
    Type::new("SEQUENCE OF", "RFC 6960 4.4.3", Kind::SequenceOf(&OBJECT_IDENTIFIER));

pub(super) static CRL_DISTRIBUTION_POINTS: Type =
    Type::new("CRLDistributionPoints", "RFC 5280 4.2.1.13", Kind::SequenceOf(&DISTRIBUTION_POINT));

static DISTRIBUTION_POINT: Type = Type::new(
    "DistributionPoint",
    "RFC 5280 4.2.1.13",
    Kind::Sequence(&[
        optional("distributionPoint", &DISTRIBUTION_POINT_NAME).explicit(0),
        optional("reasons", &REASON_FLAGS).implicit(1),
        optional("cRLIssuer", &GENERAL_NAMES).implicit(2),
    ]),
);

/// DistributionPointName
pub static DISTRIBUTION_POINT_NAME: Type = Type::new(
    "DistributionPointName",
    "RFC 5280 4.2.1.13",
    Kind::Choice(&[
        field("fullName", &GENERAL_NAMES).implicit(0),
        field("nameRelativeToCRLIssuer", &RDN).implicit(1),
    ]),
);

/// ReasonFlags
pub static REASON_FLAGS: Type = Type::new(
    "ReasonFlags",
    "RFC 5280 4.2.1.13",
    Kind::Bits(&[
        "unused",
        "keyCompromise",
        "cACompromise",
        "affiliationChanged",
        "superseded",
        "cessationOfOperation",
        "certificateHold",
        "privilegeWithdrawn",
        "aACompromise",
    ]),
);

pub(super) static INHIBIT_ANY_POLICY: Type =
    Type::new("InhibitAnyPolicy", "RFC 5280 4.2.1.14", Kind::Plain(universal::INTEGER));

/// AuthorityInfoAccessSyntax
pub static AUTHORITY_INFO_ACCESS: Type = Type::new(
    "AuthorityInfoAccessSyntax",
    "RFC 5280 4.2.2.1",
    Kind::SequenceOf(&ACCESS_DESCRIPTION),
);

pub(super) static SUBJECT_INFO_ACCESS: Type =
    Type::new("SubjectInfoAccessSyntax", "RFC 5280 4.2.2.2", Kind::SequenceOf(&ACCESS_DESCRIPTION));

static ACCESS_DESCRIPTION: Type = Type::new(
    "AccessDescription",
    "RFC 5280 4.2.2.1",
    Kind::Sequence(&[
        field("accessMethod", &OBJECT_IDENTIFIER),
        field("accessLocation", &GENERAL_NAME),
    ]),
);

pub(super) static TLS_FEATURES: Type =
    Type::new("Features", "RFC 7633 4.1", Kind::SequenceOf(&TLS_FEATURE));

static TLS_FEATURE: Type = Type::new(
    "INTEGER",
    "RFC 7633 4.2.1",
    Kind::Integer(&[(5, "status_request"), (17, "status_request_v2")]),
);

pub(super) static ACME_IDENTIFIER: Type =
    Type::new("Authorization", "RFC 8737 3", Kind::Plain(universal::OCTET_STRING));

pub(super) static SCT_LIST: Type = Type::new(
    "SignedCertificateTimestampList",
    "RFC 6962 3.3",
    Kind::Plain(universal::OCTET_STRING),
);

pub(super) static MTC_CERTIFICATION_AUTHORITY: Type = Type::new(
    "MTCCertificationAuthority",
    "draft-ietf-plants-merkle-tree-certs-07",
    Kind::Sequence(&[
        field("sigAlg", &ALGORITHM_IDENTIFIER),
        field("minSerial", &INTEGER),
        field("maxSerial", &INTEGER),
    ]),
)
.encoded(Rules::Der);

// RFC 3779: addresses and AS numbers of the routing PKI.

pub(super) static IP_ADDR_BLOCKS: Type =
    Type::new("IPAddrBlocks", "RFC 3779 2.2.3.1", Kind::SequenceOf(&IP_ADDRESS_FAMILY));

static IP_ADDRESS_FAMILY: Type = Type::new(
    "IPAddressFamily",
    "RFC 3779 2.2.3.2",
    Kind::Sequence(&[
        field("addressFamily", &OCTET_STRING).from("RFC 3779 2.2.3.3"),
        field("ipAddressChoice", &IP_ADDRESS_CHOICE),
    ]),
);

static IP_ADDRESS_CHOICE: Type = Type::new(
    "IPAddressChoice",
    "RFC 3779 2.2.3.4",
    Kind::Choice(&[field("inherit", &NULL), field("addressesOrRanges", &IP_ADDRESSES_OR_RANGES)]),
);

static IP_ADDRESSES_OR_RANGES: Type =
    Type::new("SEQUENCE OF", "RFC 3779 2.2.3.6", Kind::SequenceOf(&IP_ADDRESS_OR_RANGE));

static IP_ADDRESS_OR_RANGE: Type = Type::new(
    "IPAddressOrRange",
    "RFC 3779 2.2.3.7",
    Kind::Choice(&[field("addressPrefix", &BIT_STRING), field("addressRange", &IP_ADDRESS_RANGE)]),
);

static IP_ADDRESS_RANGE: Type = Type::new(
    "IPAddressRange",
    "RFC 3779 2.2.3.9",
    Kind::Sequence(&[field("min", &BIT_STRING), field("max", &BIT_STRING)]),
);

pub(super) static AS_IDENTIFIERS: Type = Type::new(
    "ASIdentifiers",
    "RFC 3779 3.2.3.1",
    Kind::Sequence(&[
        optional("asnum", &AS_IDENTIFIER_CHOICE).explicit(0),
        optional("rdi", &AS_IDENTIFIER_CHOICE).explicit(1),
    ]),
);

static AS_IDENTIFIER_CHOICE: Type = Type::new(
    "ASIdentifierChoice",
    "RFC 3779 3.2.3.2",
    Kind::Choice(&[field("inherit", &NULL), field("asIdsOrRanges", &AS_IDS_OR_RANGES)]),
);

static AS_IDS_OR_RANGES: Type =
    Type::new("SEQUENCE OF", "RFC 3779 3.2.3.4", Kind::SequenceOf(&AS_ID_OR_RANGE));

static AS_ID_OR_RANGE: Type = Type::new(
    "ASIdOrRange",
    "RFC 3779 3.2.3.5",
    Kind::Choice(&[field("id", &INTEGER), field("range", &AS_RANGE)]),
);

static AS_RANGE: Type = Type::new(
    "ASRange",
    "RFC 3779 3.2.3.8",
    Kind::Sequence(&[field("min", &INTEGER), field("max", &INTEGER)]),
);

// Extensions of vendors.

pub(super) static MS_TEMPLATE_NAME: Type = Type::new(
    "EnrollCerttypeExtension",
    "MS-WCCE 2.2.2.7.7.1",
    Kind::Choice(&[field("", &BMP_STRING), field("", &DIRECTORY_STRING)]),
);

pub(super) static MS_CA_VERSION: Type =
    Type::new("CA Version", "MS-WCCE 2.2.2.7.5", Kind::Plain(universal::INTEGER));

pub(super) static MS_CERTIFICATE_TEMPLATE: Type = Type::new(
    "CertificateTemplateOID",
    "MS-WCCE 2.2.2.7.7.2",
    Kind::Sequence(&[
        field("templateID", &OBJECT_IDENTIFIER),
        optional("templateMajorVersion", &INTEGER),
        optional("templateMinorVersion", &INTEGER),
    ]),
);

pub(super) static MS_NTDS_CA_SECURITY: Type =
    Type::new("CASecurityExt", "MS-WCCE 2.2.2.7.7.4", Kind::SequenceOf(&GENERAL_NAME));

pub(super) static NETSCAPE_CERT_TYPE: Type = Type::new(
    "NetscapeCertType",
    "Netscape Certificate Extensions",
    Kind::Bits(&[
        "sslClient",
        "sslServer",
        "smime",
        "objectSigning",
        "reserved",
        "sslCA",
        "smimeCA",
        "objectSigningCA",
    ]),
);

pub(super) static ENTRUST_VERSION: Type = Type::new(
    "EntrustVersInfoSyntax",
    "Entrust",
    Kind::Sequence(&[
        field("entrustVers", &GENERAL_STRING),
        field("entrustInfoFlags", &BIT_STRING),
    ]),
);

static GENERAL_STRING: Type =
    Type::new("GeneralString", "", Kind::Plain(universal::GENERAL_STRING));

pub(super) static CABF_ORGANIZATION_IDENTIFIER: Type = Type::new(
    "CABFOrganizationIdentifier",
    "CA/B Forum EV Guidelines 9.8.2",
    Kind::Sequence(&[
        field("registrationSchemeIdentifier", &PRINTABLE),
        field("registrationCountry", &PRINTABLE),
        optional("registrationStateOrProvince", &DIRECTORY_STRING).implicit(0),
        field("registrationReference", &UTF8_STRING),
    ]),
);

static PRINTABLE: Type = Type::new("PrintableString", "", Kind::Plain(universal::PRINTABLE_STRING));
