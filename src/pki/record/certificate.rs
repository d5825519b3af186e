//! The record of a certificate.

use serde::{Serialize, Serializer};

use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::certificate::Certificate;
use crate::pki::crypto::openssl;
use crate::pki::extension::Extensions;
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::record::FindingRecord;
use crate::pki::show::{Dotted, Hex, OidName};
use crate::pki::spki::{KeyDetails, PublicKey};

/// Everything that is said of a certificate.
#[derive(Debug, Serialize)]
pub struct CertificateRecord<'a> {
    /// 1, 2 or 3.
    pub version: Option<u64>,
    /// Contents octets of the INTEGER in hexadecimal.
    pub serial_number: Hex<'a>,
    /// Who signed.
    pub issuer: Name<'a>,
    /// Who holds the key.
    pub subject: Name<'a>,
    /// First moment of validity.
    pub not_before: Moment<'a>,
    /// Last moment of validity.
    pub not_after: Moment<'a>,
    /// Whole days from the first to the last moment, null when one of them does not read.
    pub validity_days: Option<i64>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// Octets of the signature.
    pub signature_length: usize,
    /// The key.
    pub public_key: PublicKeyRecord<'a>,
    /// `issuerUniqueID`, contents octets of the BIT STRING.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer_unique_id: Option<Hex<'a>>,
    /// `subjectUniqueID`, contents octets of the BIT STRING.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_unique_id: Option<Hex<'a>>,
    /// The extensions in their order.
    pub extensions: Extensions<'a>,
    /// Issuer and subject have the same octets.
    pub self_issued: bool,
    /// The basic constraints say that the subject is a CA.
    pub ca: bool,
    /// Digests of the whole certificate.
    pub fingerprints: LazyFingerprints<'a>,
    /// The rules that the certificate breaks.
    pub findings: Vec<FindingRecord>,
}

/// A public key, as records show it.
#[derive(Debug)]
pub struct PublicKeyRecord<'a>(pub PublicKey<'a>);

impl Serialize for PublicKeyRecord<'_> {
    /// `{"oid", "name", "bits", "sha256"}` and what else is known; `bits` is
    /// [`PublicKey::bits`], the digest is that of the SubjectPublicKeyInfo.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            oid: Dotted<'a>,
            name: Option<&'static str>,
            bits: Option<u64>,
            #[serde(flatten)]
            details: KeyDetails<'a>,
            sha256: Digest<32>,
        }
        let oid = self.0.algorithm().oid();
        Record {
            oid: Dotted(oid),
            name: OidName(oid).name(),
            bits: self.0.bits(),
            details: self.0.details(),
            sha256: Digest(openssl::sha256(self.0.der())),
        }
        .serialize(serializer)
    }
}

/// Digests of an object.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Fingerprints {
    /// SHA-1.
    pub sha1: Digest<20>,
    /// SHA-256.
    pub sha256: Digest<32>,
}

impl Fingerprints {
    /// The digests of `der`.
    #[must_use]
    pub fn of(der: &[u8]) -> Self {
        Self { sha1: Digest(openssl::sha1(der)), sha256: Digest(openssl::sha256(der)) }
    }
}

/// [`Fingerprints`] that are worked out when they are serialised: the object may be a CRL of a
/// hundred megabytes.
#[derive(Debug, Clone, Copy)]
pub struct LazyFingerprints<'a>(pub &'a [u8]);

impl Serialize for LazyFingerprints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fingerprints::of(self.0).serialize(serializer)
    }
}

/// A digest, written in hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest<const N: usize>(pub [u8; N]);

impl<const N: usize> Serialize for Digest<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Hex(&self.0).serialize(serializer)
    }
}

impl<'a> CertificateRecord<'a> {
    /// The record of `certificate`. `findings` are those of [`Certificate::violations`] and of
    /// whatever other check the caller made, with their paths.
    #[must_use]
    pub fn new(certificate: &Certificate<'a>, findings: Vec<FindingRecord>) -> Self {
        let validity = certificate.validity().ok();
        let [issuer_unique_id, subject_unique_id] = certificate.unique_ids();
        Self {
            version: certificate.version(),
            serial_number: Hex(certificate.serial()),
            issuer: certificate.issuer(),
            subject: certificate.subject(),
            not_before: certificate.not_before(),
            not_after: certificate.not_after(),
            validity_days: validity.map(|(a, b)| (b.unix_seconds() - a.unix_seconds()) / 86_400),
            signature_algorithm: certificate.signature_algorithm(),
            signature_length: certificate.signature().len(),
            public_key: PublicKeyRecord(certificate.public_key()),
            issuer_unique_id: issuer_unique_id.map(Hex),
            subject_unique_id: subject_unique_id.map(Hex),
            extensions: certificate.extensions(),
            self_issued: certificate.is_self_issued(),
            ca: certificate.is_ca(),
            fingerprints: LazyFingerprints(certificate.der()),
            findings,
        }
    }
}
