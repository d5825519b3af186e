//! Typed views of PKI objects: certificates, CRLs, requests, OCSP, keys, containers.

pub mod algorithm;
pub mod certificate;
pub mod cms;
pub mod crl;
pub mod crypto;
pub mod csr;
pub mod extension;
pub mod keys;
pub mod name;
pub mod object;
pub mod ocsp;
pub mod pkcs12;
pub mod record;
pub mod unpack;
