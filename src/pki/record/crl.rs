//! The record of a certificate revocation list.

use serde::{Serialize, Serializer};

use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::crl::{Crl, Revoked};
use crate::pki::extension::Extensions;
use crate::pki::list::List;
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::LazyFingerprints;

/// Everything that is said of a CRL.
#[derive(Debug, Serialize)]
pub struct CrlRecord<'a> {
    /// 1 or 2.
    pub version: Option<u64>,
    /// Who signed.
    pub issuer: Name<'a>,
    /// When the list was made.
    pub this_update: Moment<'a>,
    /// When there will be a new one at the latest, null when it does not say.
    pub next_update: Option<Moment<'a>>,
    /// The algorithm of the signature.
    pub signature_algorithm: AlgorithmIdentifier<'a>,
    /// Octets of the signature.
    pub signature_length: usize,
    /// How many certificates are listed.
    pub revoked_count: Count<'a>,
    /// The revoked certificates, serialised while they are read.
    pub revoked: List<'a, Revoked<'a>>,
    /// Extensions of the CRL.
    pub extensions: Extensions<'a>,
    /// Digests of the whole CRL.
    pub fingerprints: LazyFingerprints<'a>,
    /// The rules that the CRL breaks.
    pub findings: Vec<FindingRecord>,
}

/// The number of revoked certificates, counted when it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Count<'a>(pub List<'a, Revoked<'a>>);

impl Count<'_> {
    /// Walks the list.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.iter().flatten().count() as u64
    }
}

impl Serialize for Count<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.get())
    }
}

impl<'a> CrlRecord<'a> {
    /// The record of `crl`. `findings` are those of [`Crl::violations`] and of whatever other
    /// check the caller made, with their paths.
    #[must_use]
    pub fn new(crl: &Crl<'a>, findings: Vec<FindingRecord>) -> Self {
        Self {
            version: crl.version(),
            issuer: crl.issuer(),
            this_update: crl.this_update(),
            next_update: crl.next_update(),
            signature_algorithm: crl.signature_algorithm(),
            signature_length: crl.signature().len(),
            revoked_count: Count(crl.revoked()),
            revoked: crl.revoked(),
            extensions: crl.extensions(),
            fingerprints: LazyFingerprints(crl.der()),
            findings,
        }
    }
}
