//! Distinguished names and general names (RFC 5280 4.1.2.4, 4.2.1.6, X.520).

use crate::asn1::schema::base::{
    ANY, BIT_STRING, BMP_STRING, IA5_STRING, NUMERIC_STRING, OBJECT_IDENTIFIER, OCTET_STRING, OPEN,
    PRINTABLE_STRING, RELATIVE_OID, TELETEX_STRING, UNIVERSAL_STRING, UTF8_STRING, VISIBLE_STRING,
};
use crate::asn1::schema::base::{GENERALIZED_TIME, INTEGER};
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};

/// Name, always the RDNSequence alternative: a CHOICE of one.
pub static NAME: Type = Type::new("Name", "RFC 5280 4.1.2.4", Kind::SequenceOf(&RDN));

/// RelativeDistinguishedName
pub static RDN: Type = Type::new(
    "RelativeDistinguishedName",
    "RFC 5280 4.1.2.4",
    Kind::SetOf(&ATTRIBUTE_TYPE_AND_VALUE),
);

/// AttributeTypeAndValue
pub static ATTRIBUTE_TYPE_AND_VALUE: Type = Type::new(
    "AttributeTypeAndValue",
    "RFC 5280 4.1.2.4",
    Kind::Sequence(&[
        field("type", &OBJECT_IDENTIFIER).selects(&ATTRIBUTE_VALUES),
        field("value", &OPEN),
    ]),
);

/// DirectoryString
pub static DIRECTORY_STRING: Type = Type::new(
    "DirectoryString",
    "RFC 5280 4.1.2.4",
    Kind::Choice(&[
        field("teletexString", &TELETEX_STRING),
        field("printableString", &PRINTABLE_STRING),
        field("universalString", &UNIVERSAL_STRING),
        field("utf8String", &UTF8_STRING),
        field("bmpString", &BMP_STRING),
    ]),
);

/// The strings that attribute values are. Which of them an attribute may have is for the views
/// to say: many names in use do not keep to it, and all of them can be read.
pub static ATTRIBUTE_STRING: Type = Type::new(
    "DirectoryString",
    "RFC 5280 4.1.2.4",
    Kind::Choice(&[
        field("", &DIRECTORY_STRING),
        field("ia5String", &IA5_STRING),
        field("numericString", &NUMERIC_STRING),
        field("visibleString", &VISIBLE_STRING),
    ]),
);

/// Attributes of names whose syntax is known.
pub static ATTRIBUTE_VALUES: Table = Table::new(entries! {
    "2.5.4.3" "commonName" &ATTRIBUTE_STRING;
    "2.5.4.4" "surname" &ATTRIBUTE_STRING;
    "2.5.4.5" "serialNumber" &ATTRIBUTE_STRING;
    "2.5.4.6" "countryName" &ATTRIBUTE_STRING;
    "2.5.4.7" "localityName" &ATTRIBUTE_STRING;
    "2.5.4.8" "stateOrProvinceName" &ATTRIBUTE_STRING;
    "2.5.4.9" "streetAddress" &ATTRIBUTE_STRING;
    "2.5.4.10" "organizationName" &ATTRIBUTE_STRING;
    "2.5.4.11" "organizationalUnitName" &ATTRIBUTE_STRING;
    "2.5.4.12" "title" &ATTRIBUTE_STRING;
    "2.5.4.13" "description" &ATTRIBUTE_STRING;
    "2.5.4.15" "businessCategory" &ATTRIBUTE_STRING;
    "2.5.4.17" "postalCode" &ATTRIBUTE_STRING;
    "2.5.4.18" "postOfficeBox" &ATTRIBUTE_STRING;
    "2.5.4.20" "telephoneNumber" &ATTRIBUTE_STRING;
    "2.5.4.24" "x121Address" &ATTRIBUTE_STRING;
    "2.5.4.41" "name" &ATTRIBUTE_STRING;
    "2.5.4.42" "givenName" &ATTRIBUTE_STRING;
    "2.5.4.43" "initials" &ATTRIBUTE_STRING;
    "2.5.4.44" "generationQualifier" &ATTRIBUTE_STRING;
    "2.5.4.45" "uniqueIdentifier" &BIT_STRING;
    "2.5.4.46" "dnQualifier" &ATTRIBUTE_STRING;
    "2.5.4.65" "pseudonym" &ATTRIBUTE_STRING;
    "2.5.4.97" "organizationIdentifier" &ATTRIBUTE_STRING;
    "0.9.2342.19200300.100.1.1" "userId" &ATTRIBUTE_STRING;
    "0.9.2342.19200300.100.1.25" "domainComponent" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.1" "emailAddress" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.2" "unstructuredName" &ATTRIBUTE_STRING;
    "1.2.840.113549.1.9.8" "unstructuredAddress" &ATTRIBUTE_STRING;
    "1.3.6.1.4.1.311.60.2.1.1" "jurisdictionLocalityName" &ATTRIBUTE_STRING;
    "1.3.6.1.4.1.311.60.2.1.2" "jurisdictionStateOrProvinceName" &ATTRIBUTE_STRING;
    "1.3.6.1.4.1.311.60.2.1.3" "jurisdictionCountryName" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.1" "dateOfBirth" &GENERALIZED_TIME;
    "1.3.6.1.5.5.7.9.2" "placeOfBirth" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.3" "gender" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.4" "countryOfCitizenship" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.9.5" "countryOfResidence" &ATTRIBUTE_STRING;
    "1.3.6.1.5.5.7.25.1" "unsignedPlaceholder" &UTF8_STRING;
    "1.3.6.1.5.5.7.25.3" "trustAnchorID" &RELATIVE_OID;
});

/// PKCS9String
pub static PKCS9_STRING: Type = Type::new(
    "PKCS9String",
    "RFC 2985 5.4.3",
    Kind::Choice(&[field("ia5String", &IA5_STRING), field("directoryString", &DIRECTORY_STRING)]),
);

/// GeneralNames
pub static GENERAL_NAMES: Type =
    Type::new("GeneralNames", "RFC 5280 4.2.1.6", Kind::SequenceOf(&GENERAL_NAME));

/// GeneralName
pub static GENERAL_NAME: Type = Type::new(
    "GeneralName",
    "RFC 5280 4.2.1.6",
    Kind::Choice(&[
        field("otherName", &OTHER_NAME).implicit(0),
        field("rfc822Name", &IA5_STRING).implicit(1),
        field("dNSName", &IA5_STRING).implicit(2),
        field("x400Address", &OR_ADDRESS).implicit(3),
        field("directoryName", &NAME).explicit(4),
        field("ediPartyName", &EDI_PARTY_NAME).implicit(5),
        field("uniformResourceIdentifier", &IA5_STRING).implicit(6),
        field("iPAddress", &OCTET_STRING).implicit(7),
        field("registeredID", &OBJECT_IDENTIFIER).implicit(8),
    ]),
);

static OTHER_NAME: Type = Type::new(
    "OtherName",
    "RFC 5280 4.2.1.6",
    Kind::Sequence(&[
        field("type-id", &OBJECT_IDENTIFIER).selects(&OTHER_NAMES),
        field("value", &OPEN).explicit(0),
    ]),
);

static EDI_PARTY_NAME: Type = Type::new(
    "EDIPartyName",
    "RFC 5280 4.2.1.6",
    Kind::Sequence(&[
        optional("nameAssigner", &DIRECTORY_STRING).explicit(0),
        field("partyName", &DIRECTORY_STRING).explicit(1),
    ]),
);

/// Forms of otherName whose syntax is known.
pub static OTHER_NAMES: Table = Table::new(entries! {
    "1.3.6.1.4.1.311.20.2.3" "userPrincipalName" &UTF8_STRING;
    "1.3.6.1.4.1.311.25.1" "ntdsReplication" &OCTET_STRING;
    "1.3.6.1.5.2.2" "krb5PrincipalName" &KRB5_PRINCIPAL_NAME;
    "1.3.6.1.5.5.7.8.3" "permanentIdentifier" &PERMANENT_IDENTIFIER;
    "1.3.6.1.5.5.7.8.4" "hardwareModuleName" &HARDWARE_MODULE_NAME;
    "1.3.6.1.5.5.7.8.5" "xmppAddr" &UTF8_STRING;
    "1.3.6.1.5.5.7.8.7" "dnsSRV" &IA5_STRING;
    "1.3.6.1.5.5.7.8.8" "naiRealm" &UTF8_STRING;
    "1.3.6.1.5.5.7.8.9" "smtpUTF8Mailbox" &UTF8_STRING;
    "1.3.6.1.5.5.7.8.10" "acpNodeName" &IA5_STRING;
    "1.3.6.1.5.5.7.8.11" "bundleEID" &IA5_STRING;
});

static PERMANENT_IDENTIFIER: Type = Type::new(
    "PermanentIdentifier",
    "RFC 4043 2",
    Kind::Sequence(&[
        optional("identifierValue", &UTF8_STRING),
        optional("assigner", &OBJECT_IDENTIFIER),
    ]),
);

static HARDWARE_MODULE_NAME: Type = Type::new(
    "HardwareModuleName",
    "RFC 4108 5",
    Kind::Sequence(&[field("hwType", &OBJECT_IDENTIFIER), field("hwSerialNum", &OCTET_STRING)]),
);

static KRB5_PRINCIPAL_NAME: Type = Type::new(
    "KRB5PrincipalName",
    "RFC 4556 3.2.2",
    Kind::Sequence(&[
        field("realm", &GENERAL_STRING).explicit(0),
        field("principalName", &PRINCIPAL_NAME).explicit(1),
    ]),
);

static GENERAL_STRING: Type = Type::new(
    "KerberosString",
    "RFC 4120 5.2.1",
    Kind::Plain(crate::asn1::tag::universal::GENERAL_STRING),
);

static PRINCIPAL_NAME: Type = Type::new(
    "PrincipalName",
    "RFC 4120 5.2.2",
    Kind::Sequence(&[
        field("name-type", &INTEGER).explicit(0),
        field("name-string", &KERBEROS_STRINGS).explicit(1),
    ]),
);

static KERBEROS_STRINGS: Type =
    Type::new("SEQUENCE OF", "RFC 4120 5.2.2", Kind::SequenceOf(&GENERAL_STRING));

static OR_ADDRESS: Type = Type::new(
    "ORAddress",
    "RFC 5280 A.1",
    Kind::Sequence(&[
        field("built-in-standard-attributes", &STANDARD_ATTRIBUTES),
        optional("built-in-domain-defined-attributes", &DOMAIN_ATTRIBUTES),
        optional("extension-attributes", &EXTENSION_ATTRIBUTES),
    ]),
);

static STANDARD_ATTRIBUTES: Type = Type::new(
    "BuiltInStandardAttributes",
    "RFC 5280 A.1",
    // The two APPLICATION tags in front (country and administration domain) stay unnamed.
    Kind::SequenceOf(&ANY),
);

static DOMAIN_ATTRIBUTES: Type = Type::new(
    "BuiltInDomainDefinedAttributes",
    "RFC 5280 A.1",
    Kind::SequenceOf(&DOMAIN_ATTRIBUTE),
);

static DOMAIN_ATTRIBUTE: Type = Type::new(
    "BuiltInDomainDefinedAttribute",
    "RFC 5280 A.1",
    Kind::Sequence(&[field("type", &PRINTABLE_STRING), field("value", &PRINTABLE_STRING)]),
);

static EXTENSION_ATTRIBUTES: Type =
    Type::new("ExtensionAttributes", "RFC 5280 A.1", Kind::SetOf(&EXTENSION_ATTRIBUTE));

static EXTENSION_ATTRIBUTE: Type = Type::new(
    "ExtensionAttribute",
    "RFC 5280 A.1",
    Kind::Sequence(&[
        field("extension-attribute-type", &INTEGER).implicit(0),
        field("extension-attribute-value", &ANY).explicit(1),
    ]),
);
