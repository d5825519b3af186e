//! Algorithm identifiers (RFC 5280 4.1.1.2).

use crate::asn1::tag::octet;
use crate::asn1::value::oid::Oid;
use crate::asn1::{Error, Reader, Span};
use crate::pki::list::Decode;
use crate::pki::show::OidName;

/// Identifiers of the algorithms whose rules are checked here, as contents octets.
pub mod id {
    #![allow(missing_docs, reason = "the constants are the standards' own names")]
    pub const RSA: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
    pub const RSA_PSS: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a";
    pub const RSA_OAEP: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x07";
    pub const MGF1: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08";
    pub const EC: &[u8] = b"\x2a\x86\x48\xce\x3d\x02\x01";
    pub const DSA: &[u8] = b"\x2a\x86\x48\xce\x38\x04\x01";
    pub const DH: &[u8] = b"\x2a\x86\x48\xce\x3e\x02\x01";
    pub const DH_PKCS3: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x03\x01";
    pub const X25519: &[u8] = b"\x2b\x65\x6e";
    pub const X448: &[u8] = b"\x2b\x65\x6f";
    pub const ED25519: &[u8] = b"\x2b\x65\x70";
    pub const ED448: &[u8] = b"\x2b\x65\x71";
    pub const GOST_2001: &[u8] = b"\x2a\x85\x03\x02\x02\x13";
    pub const GOST_2012_256: &[u8] = b"\x2a\x85\x03\x07\x01\x01\x01\x01";
    pub const GOST_2012_512: &[u8] = b"\x2a\x85\x03\x07\x01\x01\x01\x02";
    /// 2.16.840.1.101.3.4.3, the NIST signature algorithms: one more octet follows.
    pub const NIST_SIGNATURES: &[u8] = b"\x60\x86\x48\x01\x65\x03\x04\x03";
    /// 2.16.840.1.101.3.4.4, the NIST key encapsulation mechanisms: one more octet follows.
    pub const NIST_KEMS: &[u8] = b"\x60\x86\x48\x01\x65\x03\x04\x04";
    /// 1.3.6.1.5.5.7.6, the PKIX algorithms: one more octet follows.
    pub const PKIX_ALGORITHMS: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x06";
    /// 1.2.840.113549.1.1, PKCS #1: one more octet follows.
    pub const PKCS1: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x01";
    /// 1.2.840.10045.4, ECDSA.
    pub const ECDSA: &[u8] = b"\x2a\x86\x48\xce\x3d\x04";
    pub const DSA_SHA1: &[u8] = b"\x2a\x86\x48\xce\x38\x04\x03";
}

/// An `AlgorithmIdentifier`: which algorithm, and its parameters if any.
#[derive(Debug, Clone, Copy)]
pub struct AlgorithmIdentifier<'a> {
    object: &'a [u8],
    spans: AlgorithmSpans,
}

/// Where an `AlgorithmIdentifier` stands in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlgorithmSpans {
    /// Tag, length and contents octets.
    pub whole: Span,
    /// Contents octets of the identifier.
    pub oid: Span,
    /// The parameters with tag and length; empty when absent.
    pub parameters: Span,
}

impl AlgorithmSpans {
    /// Reads `SEQUENCE { OID, ANY OPTIONAL }`.
    ///
    /// # Errors
    /// When it is anything else.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::SEQUENCE)?;
        let mut inner = tlv.enter(reader.object());
        let oid = inner.expect(octet::OID)?.contents();
        let mut parameters = Span::new(tlv.end, tlv.end);
        if !inner.is_empty() {
            parameters = inner.any()?.span();
        }
        inner.finish()?;
        Ok(Self { whole: tlv.span(), oid, parameters })
    }

    /// The view of these spans in `object`.
    #[must_use]
    pub const fn of(self, object: &[u8]) -> AlgorithmIdentifier<'_> {
        AlgorithmIdentifier { object, spans: self }
    }
}

impl<'a> Decode<'a> for AlgorithmIdentifier<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(AlgorithmSpans::read(reader)?.of(reader.object()))
    }
}

impl<'a> AlgorithmIdentifier<'a> {
    /// The algorithm.
    #[must_use]
    pub fn oid(&self) -> Oid<'a> {
        Oid(self.spans.oid.of(self.object))
    }

    /// The name of the algorithm, `None` when it is not known.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        OidName(self.oid()).name()
    }

    /// The parameters with tag and length, `None` when absent.
    #[must_use]
    pub fn parameters(&self) -> Option<&'a [u8]> {
        let parameters = self.spans.parameters.of(self.object);
        (!parameters.is_empty()).then_some(parameters)
    }

    /// A cursor before the parameters, at its end when they are absent.
    #[must_use]
    pub fn parameters_reader(&self) -> Reader<'a> {
        Reader::within(self.object, self.spans.parameters)
    }

    /// Where it stands in its object.
    #[must_use]
    pub const fn spans(&self) -> AlgorithmSpans {
        self.spans
    }

    /// Tag, length and contents octets.
    #[must_use]
    pub fn der(&self) -> &'a [u8] {
        self.spans.whole.of(self.object)
    }
}
