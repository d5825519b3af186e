//! What OCSP requests and responses have in common: certificate identifiers, nonces, embedded
//! certificates.

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::integer;
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::Value;
use crate::pki::crypto::pbe;
use crate::pki::extension::Extensions;
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::Hex;
use crate::rule;

rule! {
    CERT_ID_HASH, "ocsp-cert-id-hash", "RFC 6960 4.1.1",
        "the hashes of a CertID have not the length of their algorithm";
    NONCE_LENGTH, "ocsp-nonce-length", "RFC 9654 2.1", "a nonce has 1 to 128 octets";
    VERSION_ENCODED, "ocsp-version", "RFC 6960 4.1.1, 4.2.1",
        "the only version is v1, which is never encoded";
}

/// 1.3.6.1.5.5.7.48.1.2, id-pkix-ocsp-nonce.
const NONCE: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x30\x01\x02";

/// A `CertID`: which certificate is asked about.
#[derive(Debug, Clone, Copy)]
pub struct CertId<'a> {
    object: &'a [u8],
    tlv: Tlv,
    algorithm: AlgorithmSpans,
    name_hash: Span,
    key_hash: Span,
    serial: Tlv,
}

impl<'a> Decode<'a> for CertId<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let tlv = reader.expect(octet::SEQUENCE)?;
        let mut r = tlv.enter(object);
        let algorithm = AlgorithmSpans::read(&mut r)?;
        let name_hash = r.expect(octet::OCTET_STRING)?.contents();
        let key_hash = r.expect(octet::OCTET_STRING)?.contents();
        let (serial, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        r.finish()?;
        Ok(Self { object, tlv, algorithm, name_hash, key_hash, serial })
    }
}

impl<'a> CertId<'a> {
    /// The digest of both hashes.
    #[must_use]
    pub const fn hash_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The digest of the issuer's name.
    #[must_use]
    pub fn issuer_name_hash(&self) -> &'a [u8] {
        self.name_hash.of(self.object)
    }

    /// The digest of the issuer's key.
    #[must_use]
    pub fn issuer_key_hash(&self) -> &'a [u8] {
        self.key_hash.of(self.object)
    }

    /// Contents octets of the certificate's serial number.
    #[must_use]
    pub fn serial_number(&self) -> &'a [u8] {
        self.serial.contents().of(self.object)
    }

    /// Checks the algorithm, the lengths of the hashes and the serial number.
    pub(super) fn violations(&self, findings: &mut Findings) {
        self.hash_algorithm().violations(false, findings);
        findings.check(integer::check(self.serial_number(), self.serial.content));
        let expected = pbe::digest(self.hash_algorithm().oid());
        if let Some(n) = expected.map(|d| u32::try_from(d.size()).unwrap_or_default())
            && (self.name_hash.len() != n || self.key_hash.len() != n)
        {
            findings.add(self.tlv.start, &CERT_ID_HASH);
        }
    }
}

impl Serialize for CertId<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            hash_algorithm: AlgorithmIdentifier<'a>,
            issuer_name_hash: Hex<'a>,
            issuer_key_hash: Hex<'a>,
            serial_number: Hex<'a>,
        }
        let record = Record {
            hash_algorithm: self.hash_algorithm(),
            issuer_name_hash: Hex(self.issuer_name_hash()),
            issuer_key_hash: Hex(self.issuer_key_hash()),
            serial_number: Hex(self.serial_number()),
        };
        record.serialize(serializer)
    }
}

/// Extensions in an explicit tag of OCSP.
pub(super) fn optional_extensions<'a>(
    reader: &mut Reader<'a>,
    n: u8,
) -> Result<Option<Extensions<'a>>, Error> {
    let Some(tlv) = reader.optional(octet::context_constructed(n))? else { return Ok(None) };
    let mut inner = tlv.enter(reader.object());
    let extensions = Extensions::sequence(&mut inner)?;
    inner.finish()?;
    Ok(Some(extensions))
}

/// The nonce in the extensions of a request or response: contents octets of the OCTET STRING
/// that RFC 9654 wants, or of the extension itself where it is bare (RFC 2560 did not say).
pub(super) fn nonce(extensions: Option<Extensions<'_>>) -> Option<&[u8]> {
    let value = extensions?.find(NONCE)?.der();
    Some(match Reader::single(value, octet::OCTET_STRING) {
        Ok((tlv, _)) => tlv.contents().of(value),
        Err(_) => value,
    })
}

/// Checks the length of a nonce; `at` is where the extensions stand.
pub(super) fn nonce_violations(nonce: Option<&[u8]>, at: u32, findings: &mut Findings) {
    if nonce.is_some_and(|n| !(1..=128).contains(&n.len())) {
        findings.add(at, &NONCE_LENGTH);
    }
}

/// `[0] EXPLICIT SEQUENCE OF Certificate OPTIONAL`: where the SEQUENCE stands.
pub(super) fn certificates(reader: &mut Reader<'_>) -> Result<Option<Tlv>, Error> {
    let Some(tlv) = reader.optional(octet::context_constructed(0))? else { return Ok(None) };
    let mut inner = tlv.enter(reader.object());
    let list = inner.expect(octet::SEQUENCE)?;
    inner.finish()?;
    Ok(Some(list))
}

/// The values in the SEQUENCE at `tlv`.
pub(super) fn embedded(object: &[u8], tlv: Option<Tlv>) -> List<'_, Value<'_>> {
    let contents = tlv.map_or(Span::default(), |tlv| tlv.contents());
    List::new(Reader::within(object, contents))
}
