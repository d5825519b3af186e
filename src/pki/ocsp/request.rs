//! OCSP requests (RFC 6960 4.1).

use serde::{Serialize, Serializer};

use super::common::{
    CertId, VERSION_ENCODED, certificates, embedded, nonce, nonce_violations, optional_extensions,
};
use crate::asn1::tag::octet;
use crate::asn1::value::{BitString, bits};
use crate::asn1::{Error, Finding, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::Value;
use crate::pki::extension::Extensions;
use crate::pki::extension::general_name::GeneralName;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::rule;

rule! {
    REQUEST_LIST_EMPTY, "ocsp-request-empty", "RFC 6960 4.1.1", "a request asks for nothing";
}

/// An `OCSPRequest`. Reading it does not walk the list of questions.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    der: &'a [u8],
    version: Option<Tlv>,
    requestor: Option<GeneralName<'a>>,
    list: Span,
    extensions: Option<Extensions<'a>>,
    signature: Option<Signature<'a>>,
}

/// The optional signature of a request.
#[derive(Debug, Clone, Copy)]
pub struct Signature<'a> {
    object: &'a [u8],
    algorithm: AlgorithmSpans,
    bits: Tlv,
    certificates: Option<Tlv>,
}

/// One question of a request.
#[derive(Debug, Clone, Copy)]
pub struct Single<'a> {
    /// The certificate.
    pub cert_id: CertId<'a>,
    /// `singleRequestExtensions`.
    pub extensions: Option<Extensions<'a>>,
}

impl<'a> Decode<'a> for Single<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let cert_id = CertId::decode(&mut r)?;
        let extensions = optional_extensions(&mut r, 0)?;
        r.finish()?;
        Ok(Self { cert_id, extensions })
    }
}

impl Serialize for Single<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            #[serde(flatten)]
            cert_id: CertId<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            extensions: Option<Extensions<'a>>,
        }
        Record { cert_id: self.cert_id, extensions: self.extensions }.serialize(serializer)
    }
}

impl<'a> Request<'a> {
    /// Reads a request, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that the outer shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut outer) = Reader::single(der, octet::SEQUENCE)?;
        let mut r = outer.enter(octet::SEQUENCE)?;
        let version = r.optional(octet::context_constructed(0))?;
        let mut requestor = None;
        if let Some(tlv) = r.optional(octet::context_constructed(1))? {
            let mut inner = tlv.enter(der);
            requestor = Some(GeneralName::decode(&mut inner)?);
            inner.finish()?;
        }
        let list = r.expect(octet::SEQUENCE)?.contents();
        let extensions = optional_extensions(&mut r, 2)?;
        r.finish()?;
        let mut signature = None;
        if let Some(tlv) = outer.optional(octet::context_constructed(0))? {
            let mut explicit = tlv.enter(der);
            let mut r = explicit.enter(octet::SEQUENCE)?;
            signature = Some(Signature {
                object: der,
                algorithm: AlgorithmSpans::read(&mut r)?,
                bits: r.expect(octet::BIT_STRING)?,
                certificates: certificates(&mut r)?,
            });
            r.finish()?;
            explicit.finish()?;
        }
        outer.finish()?;
        Ok(Self { der, version, requestor, list, extensions, signature })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// Who asks, where the request says so.
    #[must_use]
    pub const fn requestor(&self) -> Option<GeneralName<'a>> {
        self.requestor
    }

    /// The certificates that are asked about.
    #[must_use]
    pub fn list(&self) -> List<'a, Single<'a>> {
        List::new(Reader::within(self.der, self.list))
    }

    /// `requestExtensions`.
    #[must_use]
    pub const fn extensions(&self) -> Option<Extensions<'a>> {
        self.extensions
    }

    /// The octets of the nonce.
    #[must_use]
    pub fn nonce(&self) -> Option<&'a [u8]> {
        nonce(self.extensions)
    }

    /// The signature, which is optional.
    #[must_use]
    pub const fn signature(&self) -> Option<Signature<'a>> {
        self.signature
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        if let Some(tlv) = self.version {
            findings.add(tlv.start, &VERSION_ENCODED);
        }
        if self.list.is_empty() {
            findings.add(self.list.start, &REQUEST_LIST_EMPTY);
        }
        for single in &self.list() {
            if findings.is_full() {
                break;
            }
            if let Some(single) = findings.ok(single) {
                single.cert_id.violations(&mut findings);
                if let Some(extensions) = single.extensions {
                    extensions.violations(&mut findings);
                }
            }
        }
        if let Some(extensions) = self.extensions {
            extensions.violations(&mut findings);
            nonce_violations(self.nonce(), self.list.end, &mut findings);
        }
        if let Some(signature) = self.signature {
            signature.algorithm().violations(true, &mut findings);
            let tlv = signature.bits;
            findings.check(bits::check(tlv.contents().of(self.der), tlv.content));
        }
        findings.into_list()
    }
}

impl<'a> Signature<'a> {
    /// The algorithm of the signature.
    #[must_use]
    pub const fn algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The signature; empty where the BIT STRING is broken.
    #[must_use]
    pub fn octets(&self) -> &'a [u8] {
        BitString::parse(self.bits.contents().of(self.object), 0).map_or(&[], |b| b.bytes)
    }

    /// The certificates that come with it.
    #[must_use]
    pub fn certificates(&self) -> List<'a, Value<'a>> {
        embedded(self.object, self.certificates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, rules, sample, seq, tlv};

    #[test]
    fn reads_questions_and_nonce() {
        let request = Request::parse(sample!("ocsp-request.der")).unwrap();
        let serials: Vec<_> =
            request.list().iter().map(|s| s.unwrap().cert_id.serial_number().to_vec()).collect();
        assert_eq!(serials.len(), 2);
        assert_eq!(serials[1], [0x10, 0x02]);
        assert_eq!(request.nonce().map(<[u8]>::len), Some(16));
        assert!(request.signature().is_none());
        assert_eq!(rules(&request.violations()), []);
    }

    #[test]
    fn reads_the_signature() {
        let request = Request::parse(sample!("ocsp-request-signed.der")).unwrap();
        assert_eq!(request.list().iter().count(), 2);
        let signature = request.signature().unwrap();
        assert!(!signature.octets().is_empty());
        assert_eq!(rules(&request.violations()), []);
    }

    #[test]
    fn an_empty_request_is_a_finding() {
        let empty = seq([seq([seq([])])]);
        let request = Request::parse(&empty).unwrap();
        assert_eq!(rules(&request.violations()), [("ocsp-request-empty", 6)]);
        let version = seq([seq([tlv(0xa0, &[2, 1, 0]), seq([])])]);
        let request = Request::parse(&version).unwrap();
        assert_eq!(request.violations()[0].rule.id, "ocsp-version");
    }

    #[test]
    fn mutations_never_panic() {
        mutations(sample!("ocsp-request-signed.der"), |der| {
            if let Ok(request) = Request::parse(der) {
                let _ = (request.violations(), request.nonce(), request.signature());
                serde_json::to_string(&request.list()).unwrap();
            }
        });
    }
}
