//! OCSP responses (RFC 6960 4.2), signed by the authority itself.

use std::ops::Range;

use super::authority::Authority;
use super::dates;
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
        let (this, next) = dates::span(now, profile.ocsp.next_update.0 * 3_600)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::build::testing::{
        FakeSigner, NOW, NUMBERS, assert_sound, authority, public_octets,
    };
    use crate::pki::crypto::sha1;
    use crate::pki::object::Form;
    use crate::pki::ocsp::Response;
    use crate::pki::ocsp::response::{CertStatus, Responder};

    fn issue(template: &OcspTemplate, number: u64) -> Vec<u8> {
        let (mut tbs, mut out) = (Vec::new(), Vec::new());
        let place = template.tbs(number, &mut tbs);
        let unsigned = template.write(&tbs[place], &mut out);
        assert_eq!(out[unsigned.tbs()], tbs);
        unsigned.sign(&mut FakeSigner::of(template.algorithm), &mut out).unwrap();
        out
    }

    #[test]
    fn every_algorithm_and_number_reads_without_a_finding() {
        let profile = Profile::builtin();
        for algorithm in SignatureAlgorithm::ALL {
            let authority = authority(algorithm);
            let key = sha1(&public_octets(algorithm));
            for serials in [SerialPolicy::Sequential, SerialPolicy::Random { seed: 5 }] {
                let template = OcspTemplate::new(&profile, &authority, serials, NOW).unwrap();
                for number in NUMBERS {
                    let der = issue(&template, number);
                    assert_sound(&der, Form::OcspResponse);
                    let response = Response::parse(&der).unwrap();
                    let basic = response.basic().unwrap();
                    assert!(matches!(basic.responder(), Responder::KeyHash(hash) if hash == key));
                    let single = basic.responses().iter().next().unwrap().unwrap();
                    assert_eq!(single.cert_id.serial_number(), serials.serial(number).as_bytes());
                    assert_eq!(single.cert_id.issuer_name_hash(), sha1(&authority.name));
                    assert_eq!(single.cert_id.issuer_key_hash(), key);
                    let revoked = matches!(single.status, CertStatus::Revoked { .. });
                    assert_eq!(revoked, template.is_revoked(number), "{number}");
                    let next = single.next_update.unwrap().time().unwrap();
                    assert_eq!(next.unix_seconds(), NOW + 24 * 3_600);
                }
            }
        }
    }

    #[test]
    fn the_share_of_revoked_ones_is_that_of_the_profile() {
        let authority = authority(SignatureAlgorithm::Ed25519);
        for percent in [0, 1, 10, 33, 50, 99, 100] {
            let toml = format!("[ocsp]\nrevoked_percent = {percent}");
            let profile = Profile::from_toml(&toml).unwrap();
            let serials = profile.serials(0);
            let template = OcspTemplate::new(&profile, &authority, serials, NOW).unwrap();
            let revoked = (1..=1_000).filter(|number| template.is_revoked(*number)).count();
            assert_eq!(revoked, percent * 10);
        }
    }

    #[test]
    fn reasons_take_turns() {
        let authority = authority(SignatureAlgorithm::Ed25519);
        let profile = Profile::from_toml(
            "[crl]\nreasons = [\"superseded\", \"unspecified\"]\n[ocsp]\nrevoked_percent = 100",
        )
        .unwrap();
        let template = OcspTemplate::new(&profile, &authority, profile.serials(0), NOW).unwrap();
        let reasons: Vec<_> = (1..=4)
            .map(|number| {
                let der = issue(&template, number);
                assert_sound(&der, Form::OcspResponse);
                let response = Response::parse(&der).unwrap();
                let single = response.basic().unwrap().responses().iter().next().unwrap().unwrap();
                single.status.reason_name()
            })
            .collect();
        assert_eq!(reasons, [Some("superseded"), None, Some("superseded"), None]);
    }
}
