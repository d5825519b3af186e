//! The authority that issues.

use super::profile::Profile;
use super::stencil::{KEY_ID_OCTETS, key_identifier};
use crate::pki::crypto::{SignatureAlgorithm, sha1};

/// What has to be known of a certification authority to issue in its name.
#[derive(Debug, Clone)]
pub struct Authority {
    /// Its `Name` as DER.
    pub(super) name: Vec<u8>,
    /// Its key identifier.
    pub(super) key_id: [u8; KEY_ID_OCTETS],
    /// SHA-1 of its name and of its public key, as OCSP identifies it (RFC 6960 4.1.1).
    pub(super) name_sha1: [u8; 20],
    pub(super) key_sha1: [u8; 20],
    pub(super) algorithm: SignatureAlgorithm,
    /// Octets of its public key.
    pub(super) public_len: usize,
}

impl Authority {
    /// The authority of the profile with this key: the contents of `subjectPublicKey` without
    /// the count of unused bits.
    #[must_use]
    pub fn new(profile: &Profile, algorithm: SignatureAlgorithm, public_octets: &[u8]) -> Self {
        let name = profile.ca.subject.0.der();
        Self {
            key_id: key_identifier(public_octets),
            name_sha1: sha1(&name),
            key_sha1: sha1(public_octets),
            name,
            algorithm,
            public_len: public_octets.len(),
        }
    }

    /// The algorithm that it signs with.
    #[must_use]
    pub const fn algorithm(&self) -> SignatureAlgorithm {
        self.algorithm
    }
}
