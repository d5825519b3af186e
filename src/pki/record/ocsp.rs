//! The records of OCSP requests and responses.

use serde::Serialize;

use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::extension::{Extensions, GeneralName};
use crate::pki::list::List;
use crate::pki::moment::Moment;
use crate::pki::ocsp::response::{Responder, Single as Answer};
use crate::pki::ocsp::{Request, Response, request};
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::Fingerprints;
use crate::pki::record::embedded::Certificates;
use crate::pki::show::{Hex, OidName};

/// Everything that is said of a request.
#[derive(Debug, Serialize)]
pub struct OcspRequestRecord<'a> {
    /// Who asks, null when the request does not say.
    pub requestor: Option<GeneralName<'a>>,
    /// The certificates that are asked about, serialised while they are read.
    pub requests: List<'a, request::Single<'a>>,
    /// The nonce, null without one.
    pub nonce: Option<Hex<'a>>,
    /// The extensions of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Extensions<'a>>,
    /// The signature, null when the request is not signed.
    pub signature: Option<RequestSignature<'a>>,
    /// Digests of the whole request.
    pub fingerprints: Fingerprints,
    /// The rules that the request breaks.
    pub findings: Vec<FindingRecord>,
}

/// The signature of a request.
#[derive(Debug, Serialize)]
pub struct RequestSignature<'a> {
    /// Its algorithm.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// Its octets.
    pub length: usize,
    /// The certificates that come with it.
    pub certificates: Certificates<'a>,
}

impl<'a> OcspRequestRecord<'a> {
    /// The record of `request`. `findings` are those of [`Request::violations`] and of whatever
    /// other check the caller made, with their paths.
    #[must_use]
    pub fn new(request: &Request<'a>, findings: Vec<FindingRecord>) -> Self {
        let signature = request.signature().map(|signature| RequestSignature {
            algorithm: signature.algorithm(),
            length: signature.octets().len(),
            certificates: Certificates(signature.certificates()),
        });
        Self {
            requestor: request.requestor(),
            requests: request.list(),
            nonce: request.nonce().map(Hex),
            extensions: request.extensions(),
            signature,
            fingerprints: Fingerprints::of(request.der()),
            findings,
        }
    }
}

/// Everything that is said of a response.
#[derive(Debug, Serialize)]
pub struct OcspResponseRecord<'a> {
    /// The status of the answer as a whole.
    pub status: &'static str,
    /// The type of the response, null for an error.
    pub response_type: Option<OidName<'a>>,
    /// What a BasicOCSPResponse says.
    #[serde(flatten)]
    pub basic: Option<BasicRecord<'a>>,
    /// Digests of the whole response.
    pub fingerprints: Fingerprints,
    /// The rules that the response breaks.
    pub findings: Vec<FindingRecord>,
}

/// Everything that is said of a BasicOCSPResponse.
#[derive(Debug, Serialize)]
pub struct BasicRecord<'a> {
    /// Who answers.
    pub responder: Responder<'a>,
    /// When it was signed.
    pub produced_at: Moment<'a>,
    /// The answers, serialised while they are read.
    pub responses: List<'a, Answer<'a>>,
    /// The nonce, null without one.
    pub nonce: Option<Hex<'a>>,
    /// The extensions of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Extensions<'a>>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// Octets of the signature.
    pub signature_length: usize,
    /// The certificates that come with it.
    pub certificates: Certificates<'a>,
}

impl<'a> OcspResponseRecord<'a> {
    /// The record of `response`. `findings` are those of [`Response::violations`] and of
    /// whatever other check the caller made, with their paths.
    #[must_use]
    pub fn new(response: &Response<'a>, findings: Vec<FindingRecord>) -> Self {
        let basic = response.basic().map(|basic| BasicRecord {
            responder: basic.responder(),
            produced_at: basic.produced_at(),
            responses: basic.responses(),
            nonce: basic.nonce().map(Hex),
            extensions: basic.extensions(),
            signature_algorithm: basic.signature_algorithm(),
            signature_length: basic.signature().len(),
            certificates: Certificates(basic.certificates()),
        });
        Self {
            status: response.status().name(),
            response_type: response.response_type().map(OidName),
            basic,
            fingerprints: Fingerprints::of(response.der()),
            findings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, sample};

    #[test]
    fn records_have_answers_nonces_and_certificates() {
        let response = Response::parse(sample!("ocsp-response-revoked.der")).unwrap();
        let json = serde_json::to_value(OcspResponseRecord::new(&response, Vec::new())).unwrap();
        assert_eq!(json["status"], "successful");
        assert_eq!(json["responses"][0]["status"], "revoked");
        assert_eq!(json["responses"][1]["status"], "unknown");
        assert!(json["responder"]["key_hash"].is_string() && json["nonce"].is_string());
        assert!(json["certificates"][0]["subject"]["text"].is_string());
        let response = Response::parse(sample!("ocsp-response-unauthorized.der")).unwrap();
        let json = serde_json::to_value(OcspResponseRecord::new(&response, Vec::new())).unwrap();
        assert_eq!(json["status"], "unauthorized");
        assert!(json.get("responses").is_none());
        let request = Request::parse(sample!("ocsp-request-signed.der")).unwrap();
        let json = serde_json::to_value(OcspRequestRecord::new(&request, Vec::new())).unwrap();
        assert_eq!(json["requests"].as_array().unwrap().len(), 2);
        assert!(json["signature"]["length"].as_u64().unwrap() > 0);
    }

    #[test]
    fn mutations_are_valid_json() {
        mutations(sample!("ocsp-response-revoked.der"), |der| {
            if let Ok(response) = Response::parse(der) {
                serde_json::to_string(&OcspResponseRecord::new(&response, Vec::new())).unwrap();
            }
        });
        mutations(sample!("ocsp-request-signed.der"), |der| {
            if let Ok(request) = Request::parse(der) {
                serde_json::to_string(&OcspRequestRecord::new(&request, Vec::new())).unwrap();
            }
        });
    }
}
