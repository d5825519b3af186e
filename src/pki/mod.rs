//! Typed views of PKI objects: certificates, CRLs, requests, OCSP, keys, containers.

pub mod algorithm;
pub mod attribute;
pub mod attribute_type;
pub mod build;
pub mod certificate;
pub mod cms;
pub mod crl;
pub mod crypto;
pub mod csr;
pub mod curve;
pub mod distinct;
pub mod dn;
pub mod extension;
pub mod fields;
pub mod flags;
pub mod keys;
pub mod list;
pub mod moment;
pub mod name;
pub mod object;
pub mod ocsp;
pub mod parameters;
pub mod pipeline;
pub mod pkcs12;
pub mod record;
pub mod report;
pub mod runs;
pub mod show;
pub mod spki;
pub mod summary;
#[cfg(test)]
pub(crate) mod testing;
pub mod unpack;
pub mod view;

pub use crate::asn1::findings;
