//! Extensions of OCSP requests and responses (RFC 6960 4.4, RFC 9654).

use std::borrow::Cow;

use serde::Serialize;

use crate::asn1::tag::{octet, universal};
use crate::asn1::{Error, Reader};
use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::extension::access::AccessDescription;
use crate::pki::extension::payload::Payload;
use crate::pki::fields::{optional_integer, text_with};
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::show::{Decimal, Hex, OidName};

/// An extension whose value is an OCTET STRING: the nonce of OCSP, Microsoft's hash of the CA's
/// previous certificate.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Octets<'a> {
    /// The octets.
    pub octets: Hex<'a>,
}

impl<'a> Decode<'a> for Octets<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::OCTET_STRING)?;
        Ok(Self { octets: Hex(tlv.contents().of(reader.object())) })
    }
}

impl<'a> Payload<'a> for Octets<'a> {
    fn violations(&self, _: &mut Findings) {}
}

/// CrlID (RFC 6960 4.4.2): the CRL that tells of the revocation.
#[derive(Debug, Clone, Serialize)]
pub struct CrlReference<'a> {
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Cow<'a, str>>,
    /// Its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Decimal<'a>>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Moment<'a>>,
}

impl<'a> Decode<'a> for CrlReference<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let inner = |r: &mut Reader<'a>, n| -> Result<Option<Reader<'a>>, Error> {
            Ok(r.optional(octet::context_constructed(n))?.map(|tlv| tlv.enter(r.object())))
        };
        let mut reference = Self { url: None, number: None, time: None };
        if let Some(mut url) = inner(&mut r, 0)? {
            reference.url = Some(text_with(&mut url, octet::IA5_STRING, universal::IA5_STRING)?);
            url.finish()?;
        }
        if let Some(mut number) = inner(&mut r, 1)? {
            reference.number = optional_integer(&mut number, octet::INTEGER)?.map(|n| Decimal(n.1));
            number.finish()?;
        }
        if let Some(mut time) = inner(&mut r, 2)? {
            reference.time = Some(Moment::of(r.object(), time.expect(octet::GENERALIZED_TIME)?));
            time.finish()?;
        }
        r.finish()?;
        Ok(reference)
    }
}

impl<'a> Payload<'a> for CrlReference<'a> {
    fn violations(&self, findings: &mut Findings) {
        if let Some(time) = self.time {
            time.form_violations(findings);
        }
    }
}

/// AcceptableResponses (RFC 6960 4.4.3).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct AcceptableResponses<'a> {
    /// The types of response that the client understands.
    pub response_types: List<'a, OidName<'a>>,
}

impl<'a> Decode<'a> for AcceptableResponses<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let response_types = List::sequence(reader)?;
        response_types.validate()?;
        Ok(Self { response_types })
    }
}

impl<'a> Payload<'a> for AcceptableResponses<'a> {
    fn violations(&self, _: &mut Findings) {}
}

/// ServiceLocator (RFC 6960 4.4.6).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ServiceLocator<'a> {
    /// The issuer of the certificate in question.
    pub issuer: Name<'a>,
    /// Its authority information access.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locator: Option<List<'a, AccessDescription<'a>>>,
}

impl<'a> Decode<'a> for ServiceLocator<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let issuer = Name::decode(&mut r)?;
        let mut locator = None;
        if !r.is_empty() {
            let list = List::sequence(&mut r)?;
            list.validate()?;
            locator = Some(list);
        }
        r.finish()?;
        Ok(Self { issuer, locator })
    }
}

impl<'a> Payload<'a> for ServiceLocator<'a> {
    fn violations(&self, findings: &mut Findings) {
        self.issuer.violations(findings);
    }
}

/// PreferredSignatureAlgorithms (RFC 6960 4.4.7.1).
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PreferredAlgorithms<'a> {
    /// The algorithms, the preferred first.
    pub algorithms: List<'a, PreferredAlgorithm<'a>>,
}

/// PreferredSignatureAlgorithm.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PreferredAlgorithm<'a> {
    /// The signature algorithm.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// The algorithm of the certificate's key, where the client cares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_algorithm: Option<AlgorithmIdentifier<'a>>,
}

impl<'a> Decode<'a> for PreferredAlgorithm<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let signature_algorithm = AlgorithmIdentifier::decode(&mut r)?;
        let key_algorithm =
            if r.is_empty() { None } else { Some(AlgorithmIdentifier::decode(&mut r)?) };
        r.finish()?;
        Ok(Self { signature_algorithm, key_algorithm })
    }
}

impl<'a> Decode<'a> for PreferredAlgorithms<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let algorithms = List::sequence(reader)?;
        algorithms.validate()?;
        Ok(Self { algorithms })
    }
}

impl<'a> Payload<'a> for PreferredAlgorithms<'a> {
    fn violations(&self, _: &mut Findings) {}
}
