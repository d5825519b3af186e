//! OCSP responses (RFC 6960 4.2), signed by the authority itself.

use std::ops::Range;

use super::authority::{Authority, moment};
use super::envelope::{Frame, Unsigned};
use super::error::Error;
use super::number::SerialPolicy;
use super::profile::Profile;
use super::stencil::{Drawing, Hole, Sketch, Stencils};
use crate::asn1::tag::octet;
use crate::asn1::writer::Writer;
use crate::pki::crypto::SignatureAlgorithm;

/// `AlgorithmIdentifier` of SHA-1, which requests by OpenSSL and browsers name issuers with.
const SHA1: &[u8] = b"\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00";
/// `[0] IMPLICIT NULL`
const GOOD: &[u8] = b"\x80\x00";

/// Makes the OCSP responses of one authority, each about one certificate.
#[derive(Debug, Clone)]
pub struct OcspTemplate {
    algorithm: SignatureAlgorithm,
    /// So many of a hundred certificates are revoked.
    revoked: u64,
    good: Stencils<Draft>,
    /// For each reason in turn; never empty.
    reasons: Vec<Stencils<Draft>>,
}

/// The parts of a ResponseData.
#[derive(Debug, Clone)]
struct Draft {
    /// responderID, producedAt
    before: Vec<u8>,
    /// The hashes of the CertID.
    issuer: Vec<u8>,
    status: Vec<u8>,
    /// thisUpdate, nextUpdate
    after: Vec<u8>,
}

impl OcspTemplate {
    /// Responses about the certificates of `authority`, which have serial numbers of this
    /// policy. The profile says which are revoked.
    ///
    /// # Errors
    /// [`Error::Date`] when the next update is outside of the calendar.
    pub fn new(
        profile: &Profile,
        authority: &Authority,
        serials: SerialPolicy,
        now: i64,
    ) -> Result<Self, Error> {
        let this = moment(now)?;
        let next = moment(now.saturating_add(profile.ocsp.next_update.0 * 3_600))?;
        let bytes = |body: &dyn Fn(&mut Writer)| {
            let mut w = Writer::new();
            body(&mut w);
            w.into_bytes()
        };
        let before = bytes(&|w| {
            // byKey: SHA-1 of the key, whatever names the issuer in the CertID.
            w.explicit(2, |w| w.octet_string(&authority.key_sha1));
            w.generalized_time(&this);
        });
        let issuer = bytes(&|w| {
            w.raw(SHA1);
            w.octet_string(&authority.name_sha1);
            w.octet_string(&authority.key_sha1);
        });
        let after = bytes(&|w| {
            w.generalized_time(&this);
            w.explicit(0, |w| w.generalized_time(&next));
        });
        let responses = |status: Vec<u8>| {
            let (before, issuer, after) = (before.clone(), issuer.clone(), after.clone());
            Stencils::new(Draft { before, issuer, status, after }, serials, 0, 0)
        };
        let revoked = |reason: u8| {
            responses(bytes(&|w| {
                w.implicit(1).sequence(|w| {
                    w.generalized_time(&this);
                    if reason != 0 {
                        w.explicit(0, |w| w.enumerated(reason.into()));
                    }
                });
            }))
        };
        Ok(Self {
            algorithm: authority.algorithm,
            revoked: profile.ocsp.revoked.0.unsigned_abs(),
            good: responses(GOOD.to_vec()),
            reasons: profile.reasons().map(revoked).collect(),
        })
    }

    /// Whether certificate `number` is revoked; those that are, are spread evenly.
    #[must_use]
    pub const fn is_revoked(&self, number: u64) -> bool {
        number % 100 * self.revoked % 100 < self.revoked
    }

    /// Appends the `ResponseData` about certificate `number`, from 1 on, and returns where it
    /// stands.
    pub fn tbs(&self, number: u64, out: &mut Vec<u8>) -> Range<usize> {
        let start = out.len();
        let stencils = if self.is_revoked(number) {
            let turn = number.saturating_sub(1) % self.reasons.len() as u64;
            usize::try_from(turn).ok().and_then(|turn| self.reasons.get(turn))
        } else {
            None
        };
        stencils.unwrap_or(&self.good).object(number, &[]).write(out);
        start..out.len()
    }

    /// Appends the `OCSPResponse` around a `ResponseData`, without its signature.
    pub fn write(&self, tbs: &[u8], out: &mut Vec<u8>) -> Unsigned {
        Frame::Ocsp.write(self.algorithm, tbs.len(), out, |out| out.extend_from_slice(tbs))
    }
}

impl Drawing for Draft {
    fn draw(&self, sketch: &mut Sketch) {
        sketch.constructed(octet::SEQUENCE, |sketch| {
            sketch.raw(&self.before);
            sketch.constructed(octet::SEQUENCE, |sketch| {
                sketch.constructed(octet::SEQUENCE, |sketch| {
                    sketch.constructed(octet::SEQUENCE, |sketch| {
                        sketch.raw(&self.issuer);
                        sketch.constructed(octet::INTEGER, |sketch| sketch.hole(Hole::Serial));
                    });
                    sketch.raw(&self.status);
                    sketch.raw(&self.after);
                });
            });
        });
    }
}
