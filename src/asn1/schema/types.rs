//! The types that an object as a whole can be, and those a user may give to a node.

pub use crate::asn1::schema::algorithms::{
    ALGORITHM_IDENTIFIER, DH_PARAMETER, EC_PARAMETERS, ECDSA_SIG_VALUE, RSASSA_PSS_PARAMS,
};
pub use crate::asn1::schema::attributes::{ATTRIBUTE, ATTRIBUTE_SET, ATTRIBUTES};
pub use crate::asn1::schema::authenticode::{CERTIFICATE_TRUST_LIST, DIGEST_INFO};
pub use crate::asn1::schema::base::*;
pub use crate::asn1::schema::cms::{
    CONTENT_INFO, ENCRYPTED_DATA, ENVELOPED_DATA, ISSUER_AND_SERIAL, SIGNED_DATA, SIGNER_INFO,
};
pub use crate::asn1::schema::crl::{CRL, CRL_REASON, TBS_CERT_LIST};
pub use crate::asn1::schema::extensions::{
    AUTHORITY_INFO_ACCESS, AUTHORITY_KEY_IDENTIFIER, BASIC_CONSTRAINTS, CERTIFICATE_POLICIES,
    KEY_USAGE, POLICY_INFORMATION, REASON_FLAGS,
};
pub use crate::asn1::schema::keys::{
    DSA_PRIVATE_KEY, EC_PRIVATE_KEY, ENCRYPTED_PRIVATE_KEY_INFO, PRIVATE_KEY_INFO, RSA_PRIVATE_KEY,
    RSA_PUBLIC_KEY,
};
use crate::asn1::schema::model::Type;
pub use crate::asn1::schema::names::{
    ATTRIBUTE_TYPE_AND_VALUE, DIRECTORY_STRING, GENERAL_NAME, GENERAL_NAMES, NAME, RDN,
};
pub use crate::asn1::schema::ocsp::{BASIC_OCSP_RESPONSE, CERT_ID, OCSP_REQUEST, OCSP_RESPONSE};
pub use crate::asn1::schema::pkcs12::{AUTHENTICATED_SAFE, PFX, SAFE_CONTENTS};
pub use crate::asn1::schema::qualified::QC_STATEMENTS;
pub use crate::asn1::schema::request::{CSR, REQUEST_INFO};
pub use crate::asn1::schema::tsp::{PKI_STATUS_INFO, TIME_STAMP_REQ, TIME_STAMP_RESP, TST_INFO};
pub use crate::asn1::schema::x509::{
    CERTIFICATE, EXTENSION, EXTENSIONS, SERIAL_NUMBER, SPKI, TBS_CERTIFICATE, TIME, VALIDITY,
};

/// The types that a user can choose for a node, whole objects first.
pub static ALL: &[&Type] = &[
    &CERTIFICATE,
    &CRL,
    &CSR,
    &OCSP_RESPONSE,
    &OCSP_REQUEST,
    &CONTENT_INFO,
    &PFX,
    &PRIVATE_KEY_INFO,
    &ENCRYPTED_PRIVATE_KEY_INFO,
    &RSA_PRIVATE_KEY,
    &EC_PRIVATE_KEY,
    &DSA_PRIVATE_KEY,
    &SPKI,
    &RSA_PUBLIC_KEY,
    &TIME_STAMP_REQ,
    &TIME_STAMP_RESP,
    &TBS_CERTIFICATE,
    &TBS_CERT_LIST,
    &REQUEST_INFO,
    &BASIC_OCSP_RESPONSE,
    &SIGNED_DATA,
    &ENVELOPED_DATA,
    &ENCRYPTED_DATA,
    &SIGNER_INFO,
    &TST_INFO,
    &AUTHENTICATED_SAFE,
    &SAFE_CONTENTS,
    &CERTIFICATE_TRUST_LIST,
    &NAME,
    &GENERAL_NAMES,
    &GENERAL_NAME,
    &EXTENSIONS,
    &EXTENSION,
    &ALGORITHM_IDENTIFIER,
    &RSASSA_PSS_PARAMS,
    &EC_PARAMETERS,
    &DH_PARAMETER,
    &DIGEST_INFO,
    &ECDSA_SIG_VALUE,
    &ATTRIBUTE,
    &ISSUER_AND_SERIAL,
    &CERT_ID,
    &BASIC_CONSTRAINTS,
    &KEY_USAGE,
    &AUTHORITY_KEY_IDENTIFIER,
    &CERTIFICATE_POLICIES,
    &AUTHORITY_INFO_ACCESS,
    &QC_STATEMENTS,
    &REASON_FLAGS,
    &CRL_REASON,
    &ANY,
];

/// The type called `name` among [`ALL`], in any case of letters.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Type> {
    ALL.iter().find(|ty| ty.name.eq_ignore_ascii_case(name)).copied()
}
