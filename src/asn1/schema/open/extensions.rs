//! Extensions of certificates, CRLs and OCSP messages, by object identifier.

use crate::asn1::schema::base::{
    ANY, GENERALIZED_TIME, IA5_STRING, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING,
};
use crate::asn1::schema::extensions::{
    ACME_IDENTIFIER, AS_IDENTIFIERS, AUTHORITY_INFO_ACCESS, AUTHORITY_KEY_IDENTIFIER,
    BASIC_CONSTRAINTS, CABF_ORGANIZATION_IDENTIFIER, CERTIFICATE_POLICIES, CRL_DISTRIBUTION_POINTS,
    ENTRUST_VERSION, EXT_KEY_USAGE, INHIBIT_ANY_POLICY, IP_ADDR_BLOCKS, KEY_USAGE, MS_CA_VERSION,
    MS_CERTIFICATE_TEMPLATE, MS_NTDS_CA_SECURITY, MS_TEMPLATE_NAME, MTC_CERTIFICATION_AUTHORITY,
    NAME_CONSTRAINTS, NETSCAPE_CERT_TYPE, OBJECT_IDENTIFIERS, POLICY_CONSTRAINTS, POLICY_MAPPINGS,
    PRIVATE_KEY_USAGE_PERIOD, SCT_LIST, SUBJECT_INFO_ACCESS, SUBJECT_KEY_IDENTIFIER, TLS_FEATURES,
};
use crate::asn1::schema::model::{Table, entries};
use crate::asn1::schema::names::GENERAL_NAMES;
use crate::asn1::schema::x509::TIME;
use crate::asn1::schema::{attributes, crl, ocsp, qualified};

/// What extnValue holds.
pub(super) static EXTENSIONS: Table = Table::new(entries! {
    "2.5.29.9" "subjectDirectoryAttributes" &attributes::ATTRIBUTES;
    "2.5.29.14" "subjectKeyIdentifier" &SUBJECT_KEY_IDENTIFIER;
    "2.5.29.15" "keyUsage" &KEY_USAGE;
    "2.5.29.16" "privateKeyUsagePeriod" &PRIVATE_KEY_USAGE_PERIOD;
    "2.5.29.17" "subjectAltName" &GENERAL_NAMES;
    "2.5.29.18" "issuerAltName" &GENERAL_NAMES;
    "2.5.29.19" "basicConstraints" &BASIC_CONSTRAINTS;
    "2.5.29.20" "cRLNumber" &crl::CRL_NUMBER;
    "2.5.29.21" "cRLReason" &crl::CRL_REASON;
    "2.5.29.23" "holdInstructionCode" &OBJECT_IDENTIFIER;
    "2.5.29.24" "invalidityDate" &crl::INVALIDITY_DATE;
    "2.5.29.27" "deltaCRLIndicator" &crl::BASE_CRL_NUMBER;
    "2.5.29.28" "issuingDistributionPoint" &crl::ISSUING_DISTRIBUTION_POINT;
    "2.5.29.29" "certificateIssuer" &crl::CERTIFICATE_ISSUER;
    "2.5.29.30" "nameConstraints" &NAME_CONSTRAINTS;
    "2.5.29.31" "cRLDistributionPoints" &CRL_DISTRIBUTION_POINTS;
    "2.5.29.32" "certificatePolicies" &CERTIFICATE_POLICIES;
    "2.5.29.33" "policyMappings" &POLICY_MAPPINGS;
    "2.5.29.35" "authorityKeyIdentifier" &AUTHORITY_KEY_IDENTIFIER;
    "2.5.29.36" "policyConstraints" &POLICY_CONSTRAINTS;
    "2.5.29.37" "extKeyUsage" &EXT_KEY_USAGE;
    "2.5.29.46" "freshestCRL" &CRL_DISTRIBUTION_POINTS;
    "2.5.29.54" "inhibitAnyPolicy" &INHIBIT_ANY_POLICY;
    "2.5.29.55" "targetInformation" &ANY;
    "2.5.29.56" "noRevAvail" &NULL;
    "2.5.29.60" "expiredCertsOnCRL" &GENERALIZED_TIME;
    "1.3.6.1.5.5.7.1.1" "authorityInfoAccess" &AUTHORITY_INFO_ACCESS;
    "1.3.6.1.5.5.7.1.3" "qcStatements" &qualified::QC_STATEMENTS;
    "1.3.6.1.5.5.7.1.7" "ipAddrBlocks" &IP_ADDR_BLOCKS;
    "1.3.6.1.5.5.7.1.8" "autonomousSysIds" &AS_IDENTIFIERS;
    "1.3.6.1.5.5.7.1.11" "subjectInfoAccess" &SUBJECT_INFO_ACCESS;
    "1.3.6.1.5.5.7.1.24" "tlsFeature" &TLS_FEATURES;
    "1.3.6.1.5.5.7.1.28" "ipAddrBlocks-v2" &IP_ADDR_BLOCKS;
    "1.3.6.1.5.5.7.1.29" "autonomousSysIds-v2" &AS_IDENTIFIERS;
    "1.3.6.1.5.5.7.1.31" "acmeIdentifier" &ACME_IDENTIFIER;
    "1.3.6.1.5.5.7.1.38" "mtcCertificationAuthority-SHA256" &MTC_CERTIFICATION_AUTHORITY;
    "1.3.6.1.5.5.7.48.1.2" "nonce" &OCTET_STRING;
    "1.3.6.1.5.5.7.48.1.3" "crlId" &ocsp::CRL_ID;
    "1.3.6.1.5.5.7.48.1.4" "acceptableResponses" &OBJECT_IDENTIFIERS;
    "1.3.6.1.5.5.7.48.1.5" "ocspNoCheck" &NULL;
    "1.3.6.1.5.5.7.48.1.6" "archiveCutoff" &GENERALIZED_TIME;
    "1.3.6.1.5.5.7.48.1.7" "serviceLocator" &ocsp::SERVICE_LOCATOR;
    "1.3.6.1.5.5.7.48.1.8" "preferredSignatureAlgorithms"
        &ocsp::PREFERRED_SIGNATURE_ALGORITHMS;
    "1.3.6.1.4.1.11129.2.4.2" "signedCertificateTimestamps" &SCT_LIST;
    "1.3.6.1.4.1.11129.2.4.3" "ctPoison" &NULL;
    "1.3.6.1.4.1.11129.2.4.5" "signedCertificateTimestamps" &SCT_LIST;
    "1.3.6.1.4.1.64829.2.1" "mtcLogPrefix" &IA5_STRING;
    "1.3.6.1.4.1.311.20.2" "certificateTemplateName" &MS_TEMPLATE_NAME;
    "1.3.6.1.4.1.311.21.1" "caVersion" &MS_CA_VERSION;
    "1.3.6.1.4.1.311.21.2" "previousCaCertificateHash" &OCTET_STRING;
    "1.3.6.1.4.1.311.21.3" "crlVirtualBase" &INTEGER;
    "1.3.6.1.4.1.311.21.4" "crlNextPublish" &TIME;
    "1.3.6.1.4.1.311.21.7" "certificateTemplate" &MS_CERTIFICATE_TEMPLATE;
    "1.3.6.1.4.1.311.21.10" "applicationCertPolicies" &CERTIFICATE_POLICIES;
    "1.3.6.1.4.1.311.21.11" "applicationPolicyMappings" &POLICY_MAPPINGS;
    "1.3.6.1.4.1.311.21.12" "applicationPolicyConstraints" &POLICY_CONSTRAINTS;
    "1.3.6.1.4.1.311.21.14" "publishedCrlLocations" &CRL_DISTRIBUTION_POINTS;
    "1.3.6.1.4.1.311.25.2" "ntdsCaSecurity" &MS_NTDS_CA_SECURITY;
    "2.16.840.1.113730.1.1" "netscapeCertType" &NETSCAPE_CERT_TYPE;
    "2.16.840.1.113730.1.2" "netscapeBaseUrl" &IA5_STRING;
    "2.16.840.1.113730.1.3" "netscapeRevocationUrl" &IA5_STRING;
    "2.16.840.1.113730.1.4" "netscapeCaRevocationUrl" &IA5_STRING;
    "2.16.840.1.113730.1.7" "netscapeCertRenewalUrl" &IA5_STRING;
    "2.16.840.1.113730.1.8" "netscapeCaPolicyUrl" &IA5_STRING;
    "2.16.840.1.113730.1.12" "netscapeSslServerName" &IA5_STRING;
    "2.16.840.1.113730.1.13" "netscapeComment" &IA5_STRING;
    "1.2.840.113533.7.65.0" "entrustVersInfo" &ENTRUST_VERSION;
    "2.23.140.3.1" "cabfOrganizationIdentifier" &CABF_ORGANIZATION_IDENTIFIER;
    "2.23.140.41" "cabfCaSigningNonce" &OCTET_STRING;
    "2.23.140.42" "cabfApplicantSigningNonce" &OCTET_STRING;
});
