//! Typed views of PKI objects: certificates, CRLs, requests, OCSP, keys, containers.
