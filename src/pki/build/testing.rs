//! Keys and signatures for the tests: octets of the right shape that nobody made.

use super::{Authority, Profile};
use crate::asn1::writer::Writer;
use crate::pki::crypto::{Error, SignatureAlgorithm, Signer};
use crate::pki::object::Form;
use crate::pki::report;

/// 2026-01-01T00:00:00Z
pub(super) const NOW: i64 = 1_767_225_600;

/// Numbers at which a serial number or the decimal digits get longer, and around them.
pub(super) const NUMBERS: [u64; 16] = [
    1,
    9,
    10,
    99,
    100,
    127,
    128,
    255,
    256,
    32_767,
    32_768,
    65_535,
    999_999,
    1 << 55,
    1 << 63,
    u64::MAX,
];

/// The contents of `subjectPublicKey` for a key of this algorithm.
pub(super) fn public_octets(algorithm: SignatureAlgorithm) -> Vec<u8> {
    let mut octets = vec![0x55; algorithm.public_len()];
    match algorithm.rsa_bits() {
        Some(bits) => {
            let mut w = Writer::new();
            w.sequence(|w| {
                w.unsigned(&vec![0xc5; bits as usize / 8]);
                w.integer(65_537);
            });
            octets = w.into_bytes();
        }
        None if !algorithm.fixed_signature_len() => octets[0] = 4,
        None => {}
    }
    assert_eq!(octets.len(), algorithm.public_len());
    octets
}

/// Signs with a fixed number of octets.
pub(super) struct FakeSigner(pub(super) usize);

impl FakeSigner {
    /// With the longest signature of this algorithm.
    pub(super) fn of(algorithm: SignatureAlgorithm) -> Self {
        Self(algorithm.max_signature_len())
    }

    /// The signature: of a length that only ECDSA has, SEQUENCE { r, s } (RFC 3279 2.2.3).
    pub(super) fn signature(&self) -> Vec<u8> {
        let header = if self.0 < 130 { 2 } else { 3 };
        if !matches!(self.0, 66..=72 | 98..=104 | 132..=139) {
            return vec![0x5a; self.0];
        }
        let numbers = self.0 - header - 4;
        let mut w = Writer::new();
        w.sequence(|w| {
            w.unsigned(&vec![0x5a; numbers / 2]);
            w.unsigned(&vec![0x5a; numbers - numbers / 2]);
        });
        w.into_bytes()
    }
}

impl Signer for FakeSigner {
    fn sign(&mut self, message: &[u8], signature: &mut [u8]) -> Result<usize, Error> {
        assert_eq!(message[0], 0x30);
        signature[..self.0].copy_from_slice(&self.signature());
        Ok(self.0)
    }
}

/// Refuses.
pub(super) struct NoSigner;

impl Signer for NoSigner {
    fn sign(&mut self, _: &[u8], _: &mut [u8]) -> Result<usize, Error> {
        Err(Error::Library("no".into()))
    }
}

/// The authority of the built-in profile with such a key.
pub(super) fn authority(algorithm: SignatureAlgorithm) -> Authority {
    Authority::new(&Profile::builtin(), algorithm, &public_octets(algorithm))
}

/// Fails unless no rule is broken and all of it reads.
pub(super) fn assert_sound(der: &[u8], form: Form) {
    let report = report::Report::new(der, form);
    assert_eq!(report.error(), None);
    assert!(!report.is_converted());
    let findings: Vec<_> =
        report.findings(None).iter().map(|f| (f.rule.id, f.offset, f.detail.clone())).collect();
    assert_eq!(findings, []);
}
