//! Certificates (RFC 5280 4.1).

use super::alternative::AlternativeName;
use super::authority::Authority;
use super::dates;
use super::envelope::{Frame, Unsigned};
use super::error::Error;
use super::extensions;
use super::number::SerialPolicy;
use super::pattern::Pattern;
use super::profile::Profile;
use super::stencil::{Drawing, Hole, Sketch, Stencils};
use super::subject::Subject;
use crate::asn1::tag::octet;
use crate::asn1::writer::Writer;
use crate::pki::crypto::SignatureAlgorithm;

/// Bits of `KeyUsage`: digitalSignature, keyCertSign, cRLSign.
const CA_USAGE: u64 = 1 | 1 << 5 | 1 << 6;

/// Makes the certificates of one authority: all that they have in common is encoded once.
#[derive(Debug, Clone)]
pub struct CertificateTemplate {
    stencils: Stencils<Draft>,
    /// The algorithm of the signatures.
    algorithm: SignatureAlgorithm,
    subject_text: Pattern,
    seed: u64,
}

/// The parts of a TBSCertificate.
#[derive(Debug, Clone)]
struct Draft {
    /// signature, issuer, validity
    before_subject: Vec<u8>,
    subject: Subject,
    key: SignatureAlgorithm,
    /// The extensions that are the same in all certificates.
    extensions: Vec<u8>,
    names: Vec<AlternativeName>,
}

impl CertificateTemplate {
    /// The authority's own certificate. It has the same serial number for every number: one
    /// that its key makes.
    ///
    /// # Errors
    /// [`Error::Date`] when its validity leaves the calendar.
    pub fn self_signed(profile: &Profile, authority: &Authority, now: i64) -> Result<Self, Error> {
        let mut w = Writer::new();
        extensions::ca_constraints(&mut w, profile.ca.path_length);
        extensions::key_usage(&mut w, CA_USAGE);
        let draft = Draft {
            before_subject: before_subject(authority, now, profile.ca.validity.0)?,
            subject: profile.ca.subject.0.clone(),
            key: authority.algorithm,
            extensions: w.into_bytes(),
            names: Vec::new(),
        };
        let seed = authority.key_id.first_chunk().map_or(0, |octets| u64::from_be_bytes(*octets));
        Ok(Self::new(draft, authority, SerialPolicy::Random { seed }, seed, authority.public_len))
    }

    /// The certificates of subscribers whose keys are of the algorithm `key`. Names and random
    /// serial numbers are made of `seed`.
    ///
    /// # Errors
    /// [`Error::Date`] when their validity leaves the calendar, [`Error::KeyUsage`] when the
    /// profile has no usage for such keys.
    pub fn subscriber(
        profile: &Profile,
        authority: &Authority,
        key: SignatureAlgorithm,
        seed: u64,
        now: i64,
    ) -> Result<Self, Error> {
        let mut w = Writer::new();
        extensions::authority_key_identifier(&mut w, &authority.key_id);
        let certificate = &profile.certificate;
        let asked = certificate.key_usage.iter().fold(0, |bits, usage| bits | usage.0);
        if asked != 0 {
            match asked & possible_usages(key) {
                0 => return Err(Error::KeyUsage(key)),
                bits => extensions::key_usage(&mut w, bits),
            }
        }
        extensions::of_subscribers(&mut w, profile);
        let draft = Draft {
            before_subject: before_subject(authority, now, certificate.validity.0)?,
            subject: certificate.subject.clone(),
            key,
            extensions: w.into_bytes(),
            names: certificate.san.clone(),
        };
        Ok(Self::new(draft, authority, profile.serials(seed), seed, key.public_len()))
    }

    fn new(
        draft: Draft,
        authority: &Authority,
        serials: SerialPolicy,
        seed: u64,
        public_len: usize,
    ) -> Self {
        Self {
            subject_text: draft.subject.text(),
            algorithm: authority.algorithm,
            stencils: Stencils::new(draft, serials, seed, public_len),
            seed,
        }
    }

    /// Appends a certificate without its signature. `number`, from 1 on, makes serial number,
    /// subject and alternative names; `public_octets` are the contents of `subjectPublicKey`
    /// without the count of unused bits.
    pub fn write(&self, number: u64, public_octets: &[u8], out: &mut Vec<u8>) -> Unsigned {
        let object = self.stencils.object(number, public_octets);
        Frame::Plain.write(self.algorithm, object.len(), out, |out| object.write(out))
    }

    /// The subject of certificate `number` as RFC 4514 text.
    #[must_use]
    pub fn subject_text(&self, number: u64) -> String {
        self.subject_text.text(self.seed, number)
    }
}

/// The bits of `KeyUsage` that a key can have: RSA keys may encrypt (RFC 4055 1.2), EC keys
/// may agree on keys (RFC 5480 3), the others sign (RFC 8410 5, RFC 9881 5).
const fn possible_usages(key: SignatureAlgorithm) -> u64 {
    /// digitalSignature, nonRepudiation, cRLSign
    const SIGN: u64 = 1 | 1 << 1 | 1 << 6;
    /// keyEncipherment, dataEncipherment
    const ENCRYPT: u64 = 1 << 2 | 1 << 3;
    /// keyAgreement, encipherOnly, decipherOnly
    const AGREE: u64 = 1 << 4 | 1 << 7 | 1 << 8;
    use SignatureAlgorithm as A;
    match key {
        A::EcdsaP256 | A::EcdsaP384 | A::EcdsaP521 => SIGN | AGREE,
        A::Ed25519 | A::MlDsa44 | A::MlDsa65 | A::MlDsa87 => SIGN,
        _ => SIGN | ENCRYPT,
    }
}

/// signature, issuer and validity; the last second of validity is counted in
/// (RFC 5280 4.1.2.5).
fn before_subject(authority: &Authority, now: i64, days: i64) -> Result<Vec<u8>, Error> {
    let (first, last) = dates::span(now, days * 86_400 - 1)?;
    let mut w = Writer::new();
    w.raw(authority.algorithm.signature_identifier());
    w.raw(&authority.name);
    w.sequence(|w| {
        w.time(&first);
        w.time(&last);
    });
    Ok(w.into_bytes())
}

impl Drawing for Draft {
    fn draw(&self, sketch: &mut Sketch) {
        /// `[0] EXPLICIT INTEGER 2`
        const VERSION_3: &[u8] = &[0xa0, 3, octet::INTEGER, 1, 2];
        sketch.constructed(octet::SEQUENCE, |sketch| {
            sketch.raw(VERSION_3);
            sketch.constructed(octet::INTEGER, |sketch| sketch.hole(Hole::Serial));
            sketch.raw(&self.before_subject);
            self.subject.draw(sketch);
            draw_key(sketch, self.key);
            sketch.constructed(octet::context_constructed(3), |sketch| {
                sketch.constructed(octet::SEQUENCE, |sketch| {
                    sketch.raw(extensions::SUBJECT_KEY_IDENTIFIER);
                    sketch.hole(Hole::KeyId);
                    sketch.raw(&self.extensions);
                    draw_names(sketch, &self.names, self.subject.is_empty());
                });
            });
        });
    }
}

/// A `SubjectPublicKeyInfo` (RFC 5280 4.1.2.7).
pub(super) fn draw_key(sketch: &mut Sketch, key: SignatureAlgorithm) {
    sketch.constructed(octet::SEQUENCE, |sketch| {
        sketch.raw(key.key_identifier());
        sketch.constructed(octet::BIT_STRING, |sketch| {
            sketch.raw(&[0]);
            sketch.hole(Hole::Key);
        });
    });
}

/// The `subjectAltName` extension (RFC 5280 4.2.1.6), where there are names.
pub(super) fn draw_names(sketch: &mut Sketch, names: &[AlternativeName], critical: bool) {
    const TRUE: &[u8] = &[octet::BOOLEAN, 1, 0xff];
    if names.is_empty() {
        return;
    }
    sketch.constructed(octet::SEQUENCE, |sketch| {
        sketch.raw(extensions::SUBJECT_ALT_NAME);
        if critical {
            sketch.raw(TRUE);
        }
        sketch.constructed(octet::OCTET_STRING, |sketch| {
            sketch.constructed(octet::SEQUENCE, |sketch| {
                for name in names {
                    name.draw(sketch);
                }
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::build::testing::{
        FakeSigner, NOW, NUMBERS, assert_sound, authority, public_octets,
    };
    use crate::pki::certificate::Certificate;
    use crate::pki::crypto::sha256;
    use crate::pki::extension::Extension;
    use crate::pki::object::Form;

    fn issue(template: &CertificateTemplate, number: u64, key: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let unsigned = template.write(number, key, &mut out);
        let place = unsigned.sign(&mut FakeSigner::of(template.algorithm), &mut out).unwrap();
        assert_eq!(place, 0..out.len());
        out
    }

    #[test]
    fn every_algorithm_and_number_reads_without_a_finding() {
        let profile = Profile::builtin();
        for ca in SignatureAlgorithm::ALL {
            let authority = authority(ca);
            let own = CertificateTemplate::self_signed(&profile, &authority, NOW).unwrap();
            let own_der = issue(&own, 1, &public_octets(ca));
            assert_sound(&own_der, Form::Certificate);
            let own_certificate = Certificate::parse(&own_der).unwrap();
            assert!(own_certificate.is_ca() && own_certificate.is_self_issued());
            for key in SignatureAlgorithm::ALL {
                let template =
                    CertificateTemplate::subscriber(&profile, &authority, key, 7, NOW).unwrap();
                for number in NUMBERS {
                    let der = issue(&template, number, &public_octets(key));
                    assert_sound(&der, Form::Certificate);
                    let certificate = Certificate::parse(&der).unwrap();
                    let serial = SerialPolicy::Sequential.serial(number);
                    assert_eq!(certificate.serial(), serial.as_bytes());
                    assert_eq!(certificate.subject().to_text(), template.subject_text(number));
                    assert_eq!(certificate.issuer().der(), own_certificate.subject().der());
                    assert_eq!(certificate.public_key().der(), key.spki(&public_octets(key)));
                    assert!(!certificate.is_ca());
                }
            }
        }
    }

    fn extension<'a>(certificate: &Certificate<'a>, arc: u8) -> Extension<'a> {
        certificate.extensions().find(&[0x55, 0x1d, arc]).unwrap()
    }

    #[test]
    fn key_identifiers_are_truncated_digests() {
        let (ca, key) = (SignatureAlgorithm::Ed25519, SignatureAlgorithm::MlDsa44);
        let (profile, authority) = (Profile::builtin(), authority(ca));
        let template = CertificateTemplate::subscriber(&profile, &authority, key, 7, NOW).unwrap();
        let own = CertificateTemplate::self_signed(&profile, &authority, NOW).unwrap();
        let (octets, ca_octets) = (public_octets(key), public_octets(ca));
        let (der, own_der) = (issue(&template, 5, &octets), issue(&own, 5, &ca_octets));
        let certificate = Certificate::parse(&der).unwrap();
        let own = Certificate::parse(&own_der).unwrap();
        assert_eq!(extension(&certificate, 14).der()[2..], sha256(&octets)[..20]);
        assert_eq!(extension(&own, 14).der()[2..], sha256(&ca_octets)[..20]);
        assert_eq!(extension(&certificate, 35).der()[4..], sha256(&ca_octets)[..20]);
    }

    #[test]
    fn usages_are_those_that_the_key_can_have() {
        use SignatureAlgorithm as A;
        let profile = |usages: &str| {
            Profile::from_toml(&format!("[certificate]\nkey_usage = [{usages}]")).unwrap()
        };
        let authority = authority(A::EcdsaP256);
        let usage = |profile: &Profile, key| {
            let template = CertificateTemplate::subscriber(profile, &authority, key, 7, NOW)?;
            let der = issue(&template, 1, &public_octets(key));
            Ok(extension(&Certificate::parse(&der).unwrap(), 15).der().to_vec())
        };
        let all = profile("\"digitalSignature\", \"keyEncipherment\", \"keyAgreement\"");
        assert_eq!(usage(&all, A::Rsa2048), Ok(vec![3, 2, 5, 0b1010_0000]));
        assert_eq!(usage(&all, A::RsaPss2048), Ok(vec![3, 2, 5, 0b1010_0000]));
        assert_eq!(usage(&all, A::EcdsaP256), Ok(vec![3, 2, 3, 0b1000_1000]));
        assert_eq!(usage(&all, A::MlDsa65), Ok(vec![3, 2, 7, 0b1000_0000]));
        let none = profile("\"keyAgreement\"");
        assert_eq!(usage(&none, A::Ed25519), Err(Error::KeyUsage(A::Ed25519)));
        let template =
            CertificateTemplate::subscriber(&profile(""), &authority, A::Ed25519, 7, NOW).unwrap();
        let der = issue(&template, 1, &public_octets(A::Ed25519));
        let certificate = Certificate::parse(&der).unwrap();
        assert!(certificate.extensions().find(b"\x55\x1d\x0f").is_none());
    }

    #[test]
    fn validity_ends_with_its_last_second_and_keeps_to_the_calendar() {
        let algorithm = SignatureAlgorithm::Ed25519;
        let (profile, authority) = (Profile::builtin(), authority(algorithm));
        let template =
            |now| CertificateTemplate::subscriber(&profile, &authority, algorithm, 7, now);
        // The second has its last day in 2050, the third all of them.
        for now in [NOW, 2_524_600_000, 4_000_000_000, -631_152_000] {
            let der = issue(&template(now).unwrap(), 1, &public_octets(algorithm));
            assert_sound(&der, Form::Certificate);
            let (first, last) = Certificate::parse(&der).unwrap().validity().unwrap();
            assert_eq!(first.unix_seconds(), now);
            assert_eq!(last.unix_seconds(), now + 90 * 86_400 - 1);
        }
        for now in [253_402_300_799, i64::MAX, i64::MIN] {
            assert_eq!(template(now).err(), Some(Error::Date));
        }
    }

    #[test]
    fn keys_of_an_unusual_length_and_used_buffers() {
        let algorithm = SignatureAlgorithm::Rsa2048;
        let (profile, authority) = (Profile::builtin(), authority(algorithm));
        let template =
            CertificateTemplate::subscriber(&profile, &authority, algorithm, 7, NOW).unwrap();
        let mut w = Writer::new();
        w.sequence(|w| {
            w.unsigned(&[0xc5; 256]);
            w.integer(3);
        });
        let key = w.into_bytes();
        assert_ne!(key.len(), algorithm.public_len());
        let der = issue(&template, 300, &key);
        assert_sound(&der, Form::Certificate);
        assert_eq!(Certificate::parse(&der).unwrap().public_key().der(), algorithm.spki(&key));
        let mut out = vec![1; 1_000];
        let unsigned = template.write(300, &key, &mut out);
        let place = unsigned.sign(&mut FakeSigner::of(algorithm), &mut out).unwrap();
        assert_eq!(out[place], der);
    }
}
