//! The record of a certification request.

use serde::Serialize;

use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::attribute::Attributes;
use crate::pki::csr::Csr;
use crate::pki::extension::Extensions;
use crate::pki::name::Name;
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::{Fingerprints, PublicKeyRecord};

/// Everything that is said of a request.
#[derive(Debug, Serialize)]
pub struct CsrRecord<'a> {
    /// The version as encoded: 0 in a valid request.
    pub version: Option<u64>,
    /// Who asks.
    pub subject: Name<'a>,
    /// The key to be certified.
    pub public_key: PublicKeyRecord<'a>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// Octets of the signature.
    pub signature_length: usize,
    /// The attributes in their order, with the extensions that are asked for.
    pub attributes: Attributes<'a>,
    /// The extensions that are asked for, null when the request asks for none.
    pub requested_extensions: Option<Extensions<'a>>,
    /// Digests of the whole request.
    pub fingerprints: Fingerprints,
    /// The rules that the request breaks.
    pub findings: Vec<FindingRecord>,
}

impl<'a> CsrRecord<'a> {
    /// The record of `csr`. `findings` are those of [`Csr::violations`] and of whatever other
    /// check the caller made, with their paths.
    #[must_use]
    pub fn new(csr: &Csr<'a>, findings: Vec<FindingRecord>) -> Self {
        Self {
            version: csr.version(),
            subject: csr.subject(),
            public_key: PublicKeyRecord(csr.public_key()),
            signature_algorithm: csr.signature_algorithm(),
            signature_length: csr.signature().len(),
            attributes: csr.attributes(),
            requested_extensions: csr.extensions().and_then(Result::ok),
            fingerprints: Fingerprints::of(csr.der()),
            findings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, sample};

    #[test]
    fn a_record_has_the_extensions_that_are_asked_for() {
        let csr = Csr::parse(sample!("csr-attributes.der")).unwrap();
        let json = serde_json::to_value(CsrRecord::new(&csr, Vec::new())).unwrap();
        assert_eq!(json["version"], 0);
        assert_eq!(json["attributes"][0]["name"], "challengePassword");
        assert_eq!(json["attributes"][0]["values"][0], "not a secret");
        assert!(json["requested_extensions"].as_array().is_some_and(|list| !list.is_empty()));
        assert_eq!(json["public_key"]["bits"], 256);
    }

    #[test]
    fn mutations_are_valid_json() {
        mutations(sample!("csr-attributes.der"), |der| {
            if let Ok(csr) = Csr::parse(der) {
                serde_json::to_string(&CsrRecord::new(&csr, Vec::new())).unwrap();
            }
        });
    }
}
