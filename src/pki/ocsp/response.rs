//! OCSP responses (RFC 6960 4.2).

use serde::{Serialize, Serializer};

use super::common::{
    CertId, VERSION_ENCODED, certificates, embedded, nonce, nonce_violations, optional_extensions,
};
use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::{BitString, Oid, bits, integer, oid, time};
use crate::asn1::{Error, Finding, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::Value;
use crate::pki::extension::Extensions;
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::show::Hex;
use crate::rule;

rule! {
    STATUS_UNKNOWN, "ocsp-status", "RFC 6960 4.2.1", "no such response status is defined";
    BYTES_MISSING, "ocsp-bytes-missing", "RFC 6960 4.2.1",
        "a successful response must have responseBytes";
    BYTES_UNEXPECTED, "ocsp-bytes-unexpected", "RFC 6960 4.2.1",
        "a response with an error status has no responseBytes";
    RESPONSES_EMPTY, "ocsp-responses-empty", "RFC 6960 4.2.1",
        "a response has at least one SingleResponse";
    KEY_HASH_LENGTH, "ocsp-key-hash", "RFC 6960 4.2.1",
        "a responder is named by the SHA-1 of its key, 20 octets";
    TIME_TYPE, "ocsp-time-type", "RFC 6960 4.2.1", "times in OCSP are GeneralizedTime";
    TIME_ORDER, "ocsp-time-order", "RFC 6960 4.2.2.1", "nextUpdate is before thisUpdate";
    REASON_UNKNOWN, "ocsp-reason", "RFC 5280 5.3.1", "no such revocation reason is defined";
}

/// 1.3.6.1.5.5.7.48.1.1, id-pkix-ocsp-basic.
const BASIC: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x30\x01\x01";

const GOOD: u8 = octet::context(0);
const REVOKED: u8 = octet::context_constructed(1);
const UNKNOWN: u8 = octet::context(2);

/// An `OCSPResponseStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// 0
    Successful,
    /// 1
    MalformedRequest,
    /// 2
    InternalError,
    /// 3
    TryLater,
    /// 5
    SigRequired,
    /// 6
    Unauthorized,
    /// Any other number, `None` when it does not fit 64 bits.
    Other(Option<u64>),
}

impl Status {
    fn of(content: &[u8]) -> Self {
        match fields::small(content) {
            Some(0) => Self::Successful,
            Some(1) => Self::MalformedRequest,
            Some(2) => Self::InternalError,
            Some(3) => Self::TryLater,
            Some(5) => Self::SigRequired,
            Some(6) => Self::Unauthorized,
            other => Self::Other(other),
        }
    }

    /// The name in the standard.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Successful => "successful",
            Self::MalformedRequest => "malformedRequest",
            Self::InternalError => "internalError",
            Self::TryLater => "tryLater",
            Self::SigRequired => "sigRequired",
            Self::Unauthorized => "unauthorized",
            Self::Other(_) => "undefined",
        }
    }
}

/// An `OCSPResponse`. Reading it does not walk the list of answers.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    der: &'a [u8],
    status: Tlv,
    /// The type and the OCTET STRING of responseBytes.
    bytes: Option<(Span, Tlv)>,
    basic: Option<Basic<'a>>,
}

impl<'a> Response<'a> {
    /// Reads a response, exactly as long as `der`, with the BasicOCSPResponse in it.
    ///
    /// # Errors
    /// The rule that the outer shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut outer) = Reader::single(der, octet::SEQUENCE)?;
        let (status, _) = fields::integer_with(&mut outer, octet::ENUMERATED)?;
        let (mut bytes, mut basic) = (None, None);
        if let Some(tlv) = outer.optional(octet::context_constructed(0))? {
            let mut explicit = tlv.enter(der);
            let mut r = explicit.enter(octet::SEQUENCE)?;
            let kind = r.expect(octet::OID)?.contents();
            let response = r.expect(octet::OCTET_STRING)?;
            r.finish()?;
            explicit.finish()?;
            bytes = Some((kind, response));
            if kind.of(der) == BASIC {
                let mut inner = response.enter(der);
                basic = Some(Basic::decode(&mut inner)?);
                inner.finish()?;
            }
        }
        outer.finish()?;
        Ok(Self { der, status, bytes, basic })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The status of the answer as a whole.
    #[must_use]
    pub fn status(&self) -> Status {
        Status::of(self.status.contents().of(self.der))
    }

    /// The type of the response, `None` when there are no responseBytes.
    #[must_use]
    pub fn response_type(&self) -> Option<Oid<'a>> {
        self.bytes.map(|(kind, _)| Oid(kind.of(self.der)))
    }

    /// The BasicOCSPResponse; `None` without responseBytes or when they are of another type.
    #[must_use]
    pub const fn basic(&self) -> Option<&Basic<'a>> {
        self.basic.as_ref()
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let status = self.status.contents().of(self.der);
        findings.check(integer::check(status, self.status.content));
        if matches!(self.status(), Status::Other(_)) {
            findings.add(self.status.start, &STATUS_UNKNOWN);
        }
        match self.bytes {
            None if self.status() == Status::Successful => {
                findings.add(self.status.end, &BYTES_MISSING);
            }
            Some((kind, _)) => {
                findings.check(oid::check(kind.of(self.der), kind.start));
                if self.status() != Status::Successful {
                    findings.add(self.status.end, &BYTES_UNEXPECTED);
                }
            }
            None => {}
        }
        if let Some(basic) = &self.basic {
            basic.violations(&mut findings);
        }
        findings.into_list()
    }
}

/// Who answers.
#[derive(Debug, Clone, Copy)]
pub enum Responder<'a> {
    /// By name.
    Name(Name<'a>),
    /// By the SHA-1 of its public key.
    KeyHash(&'a [u8]),
}

impl Serialize for Responder<'_> {
    /// `{"name": ..}` or `{"key_hash": hex}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "snake_case")]
        enum Record<'a> {
            Name(Name<'a>),
            KeyHash(Hex<'a>),
        }
        match *self {
            Self::Name(name) => Record::Name(name).serialize(serializer),
            Self::KeyHash(hash) => Record::KeyHash(Hex(hash)).serialize(serializer),
        }
    }
}

/// A `BasicOCSPResponse`.
#[derive(Debug, Clone, Copy)]
pub struct Basic<'a> {
    object: &'a [u8],
    data: Span,
    version: Option<Tlv>,
    responder: Responder<'a>,
    responder_at: u32,
    produced_at: Tlv,
    responses: Span,
    extensions: Option<Extensions<'a>>,
    algorithm: AlgorithmSpans,
    signature: Tlv,
    certificates: Option<Tlv>,
}

impl<'a> Decode<'a> for Basic<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut outer = reader.enter(octet::SEQUENCE)?;
        let data = outer.expect(octet::SEQUENCE)?;
        let mut r = data.enter(object);
        let version = r.optional(octet::context_constructed(0))?;
        let tlv = r.any()?;
        let mut inner = tlv.enter(object);
        let responder = match tlv.tag {
            0xa1 => Responder::Name(Name::decode(&mut inner)?),
            0xa2 => Responder::KeyHash(inner.expect(octet::OCTET_STRING)?.contents().of(object)),
            _ => return Err(Error::new(tlv.start, &UNEXPECTED_TAG)),
        };
        inner.finish()?;
        let produced_at = Moment::header(&mut r)?;
        let responses = r.expect(octet::SEQUENCE)?.contents();
        let extensions = optional_extensions(&mut r, 1)?;
        r.finish()?;
        let algorithm = AlgorithmSpans::read(&mut outer)?;
        let signature = outer.expect(octet::BIT_STRING)?;
        let certificates = certificates(&mut outer)?;
        outer.finish()?;
        Ok(Self {
            object,
            data: data.span(),
            version,
            responder,
            responder_at: tlv.start,
            produced_at,
            responses,
            extensions,
            algorithm,
            signature,
            certificates,
        })
    }
}

impl<'a> Basic<'a> {
    /// What is signed, with tag and length.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        self.data.of(self.object)
    }

    /// Who answers.
    #[must_use]
    pub const fn responder(&self) -> Responder<'a> {
        self.responder
    }

    /// When the response was signed.
    #[must_use]
    pub const fn produced_at(&self) -> Moment<'a> {
        Moment::of(self.object, self.produced_at)
    }

    /// The answers, read one by one.
    #[must_use]
    pub fn responses(&self) -> List<'a, Single<'a>> {
        List::new(Reader::within(self.object, self.responses))
    }

    /// `responseExtensions`.
    #[must_use]
    pub const fn extensions(&self) -> Option<Extensions<'a>> {
        self.extensions
    }

    /// The octets of the nonce.
    #[must_use]
    pub fn nonce(&self) -> Option<&'a [u8]> {
        nonce(self.extensions)
    }

    /// The algorithm of the signature.
    #[must_use]
    pub const fn signature_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The signature; empty where the BIT STRING is broken.
    #[must_use]
    pub fn signature(&self) -> &'a [u8] {
        BitString::parse(self.signature.contents().of(self.object), 0).map_or(&[], |b| b.bytes)
    }

    /// The certificates that come with it.
    #[must_use]
    pub fn certificates(&self) -> List<'a, Value<'a>> {
        embedded(self.object, self.certificates)
    }

    fn violations(&self, findings: &mut Findings) {
        if let Some(tlv) = self.version {
            findings.add(tlv.start, &VERSION_ENCODED);
        }
        match self.responder {
            Responder::Name(name) => name.violations(findings),
            Responder::KeyHash(hash) if hash.len() != 20 => {
                findings.add(self.responder_at, &KEY_HASH_LENGTH);
            }
            Responder::KeyHash(_) => {}
        }
        time_violations(self.object, self.produced_at(), findings);
        if self.responses.is_empty() {
            findings.add(self.responses.start, &RESPONSES_EMPTY);
        }
        for single in &self.responses() {
            if findings.is_full() {
                break;
            }
            if let Some(single) = findings.ok(single) {
                single.violations(findings);
            }
        }
        if let Some(extensions) = self.extensions {
            extensions.violations(findings);
            nonce_violations(self.nonce(), self.responses.end, findings);
        }
        self.signature_algorithm().violations(true, findings);
        let signature = self.signature.contents().of(self.object);
        findings.check(bits::check(signature, self.signature.content));
    }
}

/// The times of OCSP have one type and no choice.
fn time_violations(object: &[u8], moment: Moment<'_>, findings: &mut Findings) {
    if moment.tlv().tag != octet::GENERALIZED_TIME {
        findings.add(moment.tlv().start, &TIME_TYPE);
    }
    let content = moment.tlv().contents();
    let reading = match moment.tlv().tag {
        octet::UTC_TIME => time::read_utc(content.of(object), content.start),
        _ => time::read_generalized(content.of(object), content.start),
    };
    if let Some(reading) = findings.ok(reading) {
        findings.check(reading.der);
        findings.check(reading.pkix);
    }
}

/// The state of a certificate.
#[derive(Debug, Clone, Copy)]
pub enum CertStatus<'a> {
    /// Not revoked, as far as the responder knows.
    Good,
    /// Revoked.
    Revoked {
        /// Since when.
        time: Moment<'a>,
        /// Contents octets of the CRLReason.
        reason: Option<&'a [u8]>,
    },
    /// The responder does not know the certificate.
    Unknown,
}

impl CertStatus<'_> {
    /// `good`, `revoked`, `unknown`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Revoked { .. } => "revoked",
            Self::Unknown => "unknown",
        }
    }

    /// The name of the reason for a revocation (RFC 5280 5.3.1), `None` when none is given or
    /// the number is not defined.
    #[must_use]
    pub fn reason_name(&self) -> Option<&'static str> {
        let Self::Revoked { reason: Some(content), .. } = self else { return None };
        reason_name(content)
    }
}

/// The name of a CRLReason.
fn reason_name(content: &[u8]) -> Option<&'static str> {
    Some(match fields::small(content)? {
        0 => "unspecified",
        1 => "keyCompromise",
        2 => "cACompromise",
        3 => "affiliationChanged",
        4 => "superseded",
        5 => "cessationOfOperation",
        6 => "certificateHold",
        8 => "removeFromCRL",
        9 => "privilegeWithdrawn",
        10 => "aACompromise",
        _ => return None,
    })
}

/// A `SingleResponse`.
#[derive(Debug, Clone, Copy)]
pub struct Single<'a> {
    object: &'a [u8],
    /// The certificate.
    pub cert_id: CertId<'a>,
    /// Its state.
    pub status: CertStatus<'a>,
    status_at: u32,
    /// The state was known at this time.
    pub this_update: Moment<'a>,
    /// Newer information is there at this time at the latest.
    pub next_update: Option<Moment<'a>>,
    /// `singleExtensions`.
    pub extensions: Option<Extensions<'a>>,
}

impl<'a> Decode<'a> for Single<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let cert_id = CertId::decode(&mut r)?;
        let tlv = r.any()?;
        let mut inner = tlv.enter(object);
        let status = match tlv.tag {
            GOOD => CertStatus::Good,
            UNKNOWN => CertStatus::Unknown,
            REVOKED => {
                let time = Moment::decode(&mut inner)?;
                let mut reason = None;
                if let Some(tlv) = inner.optional(octet::context_constructed(0))? {
                    let mut explicit = tlv.enter(object);
                    reason = Some(fields::integer_with(&mut explicit, octet::ENUMERATED)?.1);
                    explicit.finish()?;
                }
                CertStatus::Revoked { time, reason }
            }
            _ => return Err(Error::new(tlv.start, &UNEXPECTED_TAG)),
        };
        inner.finish()?;
        let this_update = Moment::decode(&mut r)?;
        let mut next_update = None;
        if let Some(tlv) = r.optional(octet::context_constructed(0))? {
            let mut explicit = tlv.enter(object);
            next_update = Some(Moment::decode(&mut explicit)?);
            explicit.finish()?;
        }
        let extensions = optional_extensions(&mut r, 1)?;
        r.finish()?;
        Ok(Self {
            object,
            cert_id,
            status,
            status_at: tlv.start,
            this_update,
            next_update,
            extensions,
        })
    }
}

impl Single<'_> {
    fn violations(&self, findings: &mut Findings) {
        self.cert_id.violations(findings);
        if let CertStatus::Revoked { time, reason } = self.status {
            time_violations(self.object, time, findings);
            if reason.is_some_and(|content| reason_name(content).is_none()) {
                findings.add(self.status_at, &REASON_UNKNOWN);
            }
        }
        time_violations(self.object, self.this_update, findings);
        if let Some(next) = self.next_update {
            time_violations(self.object, next, findings);
            if let (Ok(from), Ok(to)) = (self.this_update.time(), next.time())
                && to.instant() < from.instant()
            {
                findings.add(next.tlv().start, &TIME_ORDER);
            }
        }
        if let Some(extensions) = self.extensions {
            extensions.violations(findings);
        }
    }
}

impl Serialize for Single<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            #[serde(flatten)]
            cert_id: CertId<'a>,
            status: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            revocation_time: Option<Moment<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            revocation_reason: Option<&'static str>,
            this_update: Moment<'a>,
            next_update: Option<Moment<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            extensions: Option<Extensions<'a>>,
        }
        let revocation_time = match self.status {
            CertStatus::Revoked { time, .. } => Some(time),
            _ => None,
        };
        let record = Record {
            cert_id: self.cert_id,
            status: self.status.name(),
            revocation_time,
            revocation_reason: self.status.reason_name(),
            this_update: self.this_update,
            next_update: self.next_update,
            extensions: self.extensions,
        };
        record.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, rules, sample, seq, tlv};

    #[test]
    fn reads_good_and_revoked() {
        let response = Response::parse(sample!("ocsp-response-good.der")).unwrap();
        assert_eq!(response.status(), Status::Successful);
        let basic = response.basic().unwrap();
        let single = basic.responses().iter().next().unwrap().unwrap();
        assert!(matches!(single.status, CertStatus::Good));
        assert_eq!(basic.certificates().iter().count(), 1);
        assert_eq!(rules(&response.violations()), []);

        let response = Response::parse(sample!("ocsp-response-revoked.der")).unwrap();
        let basic = response.basic().unwrap();
        let states: Vec<_> = basic.responses().iter().map(|s| s.unwrap().status.name()).collect();
        assert_eq!(states, ["revoked", "unknown"]);
        assert!(matches!(basic.responder(), Responder::KeyHash(hash) if hash.len() == 20));
        assert!(basic.nonce().is_some());
        let json = serde_json::to_value(basic.responses()).unwrap();
        assert!(json[0]["revocation_time"].is_string() && json[0]["revocation_reason"].is_string());
        assert_eq!(rules(&response.violations()), []);
    }

    #[test]
    fn every_status_has_a_name_and_a_rule() {
        for (number, name, rule) in [
            (0, "successful", Some("ocsp-bytes-missing")),
            (1, "malformedRequest", None),
            (2, "internalError", None),
            (3, "tryLater", None),
            (4, "undefined", Some("ocsp-status")),
            (5, "sigRequired", None),
            (6, "unauthorized", None),
            (7, "undefined", Some("ocsp-status")),
        ] {
            let der = seq([tlv(0x0a, &[number])]);
            let response = Response::parse(&der).unwrap();
            assert_eq!(response.status().name(), name);
            assert_eq!(response.violations().first().map(|f| f.rule.id), rule, "{number}");
        }
    }

    #[test]
    fn mutations_never_panic() {
        mutations(sample!("ocsp-response-revoked.der"), |der| {
            if let Ok(response) = Response::parse(der) {
                let _ = response.violations();
                if let Some(basic) = response.basic() {
                    serde_json::to_string(&basic.responses()).unwrap();
                    serde_json::to_string(&basic.responder()).unwrap();
                    let _ = (basic.signature(), basic.nonce());
                }
            }
        });
    }
}
