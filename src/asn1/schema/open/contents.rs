//! What the signed contents of CMS are, by object identifier.

use crate::asn1::schema::algorithms::ALGORITHM_IDENTIFIER;
use crate::asn1::schema::base::{INTEGER, OCTET_STRING, SEQUENCE};
use crate::asn1::schema::cms::SIGNED_DATA;
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};
use crate::asn1::schema::{authenticode, tsp};

/// What eContent holds; absent for id-data, whose octets are the content.
pub(super) static CONTENTS: Table = Table::new(entries! {
    "1.2.840.113549.1.9.16.1.4" "tstInfo" &tsp::TST_INFO;
    "1.2.840.113549.1.7.2" "signedData" &SIGNED_DATA;
    "1.2.840.113549.1.9.16.1.24" "routeOriginAttestation" &SEQUENCE;
    "1.2.840.113549.1.9.16.1.26" "manifest" &SEQUENCE;
    "1.3.6.1.4.1.311.2.1.4" "spcIndirectDataContent" &authenticode::INDIRECT_DATA;
    "1.3.6.1.4.1.311.10.1" "certificateTrustList" &authenticode::CERTIFICATE_TRUST_LIST;
    "1.3.6.1.5.5.7.12.2" "pkiData" &SEQUENCE;
    "1.3.6.1.5.5.7.12.3" "pkiResponse" &SEQUENCE;
    "2.23.136.1.1.1" "ldsSecurityObject" &LDS_SECURITY_OBJECT;
});

/// The security object of an electronic passport.
static LDS_SECURITY_OBJECT: Type = Type::new(
    "LDSSecurityObject",
    "ICAO 9303-10 4.6.2",
    Kind::Sequence(&[
        field("version", &INTEGER),
        field("hashAlgorithm", &ALGORITHM_IDENTIFIER),
        field("dataGroupHashValues", &DATA_GROUP_HASHES),
        optional("ldsVersionInfo", &SEQUENCE),
    ]),
);

static DATA_GROUP_HASHES: Type =
    Type::new("SEQUENCE OF", "ICAO 9303-10 4.6.2", Kind::SequenceOf(&DATA_GROUP_HASH));

static DATA_GROUP_HASH: Type = Type::new(
    "DataGroupHash",
    "ICAO 9303-10 4.6.2",
    Kind::Sequence(&[
        field("dataGroupNumber", &INTEGER),
        field("dataGroupHashValue", &OCTET_STRING),
    ]),
);
