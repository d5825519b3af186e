//! Statements of qualified certificates (RFC 3739 3.2.6, ETSI EN 319 412-5).

use crate::asn1::schema::base::{IA5_STRING, INTEGER, OBJECT_IDENTIFIER, OPEN, PRINTABLE_STRING};
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};
use crate::asn1::schema::names::GENERAL_NAMES;

/// QCStatements
pub static QC_STATEMENTS: Type =
    Type::new("QCStatements", "RFC 3739 3.2.6", Kind::SequenceOf(&QC_STATEMENT));

static QC_STATEMENT: Type = Type::new(
    "QCStatement",
    "RFC 3739 3.2.6",
    Kind::Sequence(&[
        field("statementId", &OBJECT_IDENTIFIER).selects(&STATEMENTS),
        optional("statementInfo", &OPEN),
    ]),
);

static STATEMENTS: Table = Table::new(entries! {
    "1.3.6.1.5.5.7.11.1" "pkixQCSyntax-v1" &SEMANTICS;
    "1.3.6.1.5.5.7.11.2" "pkixQCSyntax-v2" &SEMANTICS;
    "0.4.0.1862.1.2" "qcLimitValue" &MONETARY_VALUE;
    "0.4.0.1862.1.3" "qcRetentionPeriod" &INTEGER;
    "0.4.0.1862.1.5" "qcPDS" &PDS_LOCATIONS;
    "0.4.0.1862.1.6" "qcType" &QC_TYPE;
    "0.4.0.1862.1.7" "qcCClegislation" &COUNTRIES;
    "0.4.0.19495.2" "psd2QcStatement" &PSD2;
});

static SEMANTICS: Type = Type::new(
    "SemanticsInformation",
    "RFC 3739 3.2.6.1",
    Kind::Sequence(&[
        optional("semanticsIdentifier", &OBJECT_IDENTIFIER),
        optional("nameRegistrationAuthorities", &GENERAL_NAMES),
    ]),
);

static MONETARY_VALUE: Type = Type::new(
    "MonetaryValue",
    "ETSI EN 319 412-5 4.3.2",
    Kind::Sequence(&[
        field("currency", &CURRENCY),
        field("amount", &INTEGER),
        field("exponent", &INTEGER),
    ]),
);

static CURRENCY: Type = Type::new(
    "Iso4217CurrencyCode",
    "ETSI EN 319 412-5 4.3.2",
    Kind::Choice(&[field("alphabetic", &PRINTABLE_STRING), field("numeric", &INTEGER)]),
);

static PDS_LOCATIONS: Type =
    Type::new("PdsLocations", "ETSI EN 319 412-5 4.3.4", Kind::SequenceOf(&PDS_LOCATION));

static PDS_LOCATION: Type = Type::new(
    "PdsLocation",
    "ETSI EN 319 412-5 4.3.4",
    Kind::Sequence(&[field("url", &IA5_STRING), field("language", &PRINTABLE_STRING)]),
);

static QC_TYPE: Type =
    Type::new("QcType", "ETSI EN 319 412-5 4.2.3", Kind::SequenceOf(&OBJECT_IDENTIFIER));

static COUNTRIES: Type =
    Type::new("QcCClegislation", "ETSI EN 319 412-5 4.2.4", Kind::SequenceOf(&PRINTABLE_STRING));

static PSD2: Type = Type::new(
    "PSD2QcType",
    "ETSI TS 119 495 5.1",
    Kind::Sequence(&[
        field("rolesOfPSP", &ROLES),
        field("nCAName", &crate::asn1::schema::base::UTF8_STRING),
        field("nCAId", &crate::asn1::schema::base::UTF8_STRING),
    ]),
);

static ROLES: Type = Type::new("RolesOfPSP", "ETSI TS 119 495 5.1", Kind::SequenceOf(&ROLE));

static ROLE: Type = Type::new(
    "RoleOfPSP",
    "ETSI TS 119 495 5.1",
    Kind::Sequence(&[
        field("roleOfPspOid", &OBJECT_IDENTIFIER),
        field("roleOfPspName", &crate::asn1::schema::base::UTF8_STRING),
    ]),
);
