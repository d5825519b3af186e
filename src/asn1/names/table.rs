//! All families, and the labels of attribute types.

use super::algorithms_table;
use super::attributes_table;
use super::curves_table;
use super::documents_table;
use super::etsi_table;
use super::extensions_table;
use super::family::Family;
use super::kerberos_table;
use super::lamps_table;
use super::ldap_table;
use super::microsoft_table;
use super::national_table;
use super::netscape_table;
use super::nist_table;
use super::pkcs_table;
use super::pkix_table;
use super::policies_table;
use super::registration_table;
use super::smime_table;
use super::tcg_table;
use super::vendors_table;

/// One list of families a file.
pub(super) static FAMILIES: &[&[Family]] = &[
    attributes_table::FAMILIES,
    extensions_table::FAMILIES,
    algorithms_table::FAMILIES,
    pkcs_table::FAMILIES,
    smime_table::FAMILIES,
    nist_table::FAMILIES,
    lamps_table::FAMILIES,
    curves_table::FAMILIES,
    pkix_table::FAMILIES,
    policies_table::FAMILIES,
    microsoft_table::FAMILIES,
    netscape_table::FAMILIES,
    vendors_table::FAMILIES,
    etsi_table::FAMILIES,
    documents_table::FAMILIES,
    kerberos_table::FAMILIES,
    tcg_table::FAMILIES,
    national_table::FAMILIES,
    ldap_table::FAMILIES,
    registration_table::FAMILIES,
];

/// What stands for an attribute type in the text form of names. RFC 4514 3 requires the first
/// nine; the others are the ones in common use (RFC 4519, OpenSSL, CA/Browser Forum, ETSI).
pub(super) static LABELS: &[(&str, &str)] = &[
    ("2.5.4.3", "CN"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.10", "O"),
    ("2.5.4.11", "OU"),
    ("2.5.4.6", "C"),
    ("2.5.4.9", "STREET"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("0.9.2342.19200300.100.1.1", "UID"),
    ("2.5.4.4", "SN"),
    ("2.5.4.5", "serialNumber"),
    ("2.5.4.12", "title"),
    ("2.5.4.13", "description"),
    ("2.5.4.15", "businessCategory"),
    ("2.5.4.17", "postalCode"),
    ("2.5.4.18", "postOfficeBox"),
    ("2.5.4.20", "telephoneNumber"),
    ("2.5.4.41", "name"),
    ("2.5.4.42", "GN"),
    ("2.5.4.43", "initials"),
    ("2.5.4.44", "generationQualifier"),
    ("2.5.4.45", "x500UniqueIdentifier"),
    ("2.5.4.46", "dnQualifier"),
    ("2.5.4.65", "pseudonym"),
    ("2.5.4.97", "organizationIdentifier"),
    ("1.2.840.113549.1.9.1", "emailAddress"),
    ("1.2.840.113549.1.9.2", "unstructuredName"),
    ("1.2.840.113549.1.9.8", "unstructuredAddress"),
    ("1.3.6.1.4.1.311.60.2.1.1", "jurisdictionLocalityName"),
    ("1.3.6.1.4.1.311.60.2.1.2", "jurisdictionStateOrProvinceName"),
    ("1.3.6.1.4.1.311.60.2.1.3", "jurisdictionCountryName"),
];
