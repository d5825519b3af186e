//! PKCS #10 certification requests (RFC 2986).

use super::alternative::AlternativeName;
use super::certificate::{draw_key, draw_names};
use super::envelope::{Frame, Unsigned};
use super::number::SerialPolicy;
use super::profile::Profile;
use super::stencil::{Drawing, Sketch, Stencils};
use super::subject::Subject;
use crate::asn1::tag::octet;
use crate::pki::crypto::SignatureAlgorithm;

/// 1.2.840.113549.1.9.14, extensionRequest (RFC 2985 5.4.2), with tag and length.
const EXTENSION_REQUEST: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0e";

/// Makes the requests of subscribers, with subject and alternative names of the profile.
#[derive(Debug, Clone)]
pub struct CsrTemplate {
    stencils: Stencils<Draft>,
    algorithm: SignatureAlgorithm,
}

/// The parts of a CertificationRequestInfo.
#[derive(Debug, Clone)]
struct Draft {
    subject: Subject,
    key: SignatureAlgorithm,
    names: Vec<AlternativeName>,
}

impl CsrTemplate {
    /// The requests for keys of this algorithm, which also sign them.
    #[must_use]
    pub fn new(profile: &Profile, algorithm: SignatureAlgorithm, seed: u64) -> Self {
        let draft = Draft {
            subject: profile.certificate.subject.clone(),
            key: algorithm,
            names: profile.certificate.san.clone(),
        };
        // A request has no serial number; these are all of one length.
        let serials = SerialPolicy::Random { seed };
        Self { stencils: Stencils::new(draft, serials, seed, algorithm.public_len()), algorithm }
    }

    /// Appends the request of subscriber `number` without its signature.
    pub fn write(&self, number: u64, public_octets: &[u8], out: &mut Vec<u8>) -> Unsigned {
        let object = self.stencils.object(number, public_octets);
        Frame::Plain.write(self.algorithm, object.len(), out, |out| object.write(out))
    }
}

impl Drawing for Draft {
    fn draw(&self, sketch: &mut Sketch) {
        const VERSION_1: &[u8] = &[octet::INTEGER, 1, 0];
        sketch.constructed(octet::SEQUENCE, |sketch| {
            sketch.raw(VERSION_1);
            self.subject.draw(sketch);
            draw_key(sketch, self.key);
            sketch.constructed(octet::context_constructed(0), |sketch| {
                if self.names.is_empty() {
                    return;
                }
                sketch.constructed(octet::SEQUENCE, |sketch| {
                    sketch.raw(EXTENSION_REQUEST);
                    sketch.constructed(octet::SET, |sketch| {
                        sketch.constructed(octet::SEQUENCE, |sketch| {
                            draw_names(sketch, &self.names, self.subject.is_empty());
                        });
                    });
                });
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::build::testing::{FakeSigner, NUMBERS, assert_sound, public_octets};
    use crate::pki::csr::Csr;
    use crate::pki::object::Form;

    fn issue(template: &CsrTemplate, number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let unsigned = template.write(number, &public_octets(template.algorithm), &mut out);
        unsigned.sign(&mut FakeSigner::of(template.algorithm), &mut out).unwrap();
        out
    }

    #[test]
    fn every_algorithm_and_number_reads_without_a_finding() {
        for algorithm in SignatureAlgorithm::ALL {
            let template = CsrTemplate::new(&Profile::builtin(), algorithm, 1);
            for number in NUMBERS {
                let der = issue(&template, number);
                assert_sound(&der, Form::CertificationRequest);
                let csr = Csr::parse(&der).unwrap();
                assert!(csr.subject().to_text().contains(&format!("-{number}.")));
                let extensions = csr.extensions().unwrap().unwrap();
                assert_eq!(extensions.iter().count(), 1);
                assert_eq!(csr.signature_algorithm().der(), algorithm.signature_identifier());
            }
        }
    }

    #[test]
    fn without_names_there_are_no_attributes() {
        let profile = Profile::from_toml("[certificate]\nsan = []").unwrap();
        let der = issue(&CsrTemplate::new(&profile, SignatureAlgorithm::Ed25519, 1), 1);
        assert_sound(&der, Form::CertificationRequest);
        assert!(Csr::parse(&der).unwrap().extensions().is_none());
    }
}
