//! What the builders make with real keys, judged by libraries that had no part in it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod openssl_accepts;
mod webpki_accepts;

use std::sync::OnceLock;

use pkiscope::pki::build::{
    Authority, CertificateTemplate, CrlTemplate, CsrTemplate, OcspTemplate, Profile,
};
use pkiscope::pki::crypto::{Backend, PrivateKey, SignatureAlgorithm, backends};
use pkiscope::pki::object::Form;
use pkiscope::pki::report;

/// 2026-06-01T00:00:00Z, when all is issued.
pub(crate) const NOW: i64 = 1_780_272_000;

/// The numbers of the certificates; the CRL revokes those up to [`REVOKED`].
pub(crate) const NUMBERS: [u64; 4] = [1, 10, 128, 65_536];
pub(crate) const REVOKED: u64 = 127;

/// An authority and what it issued.
pub(crate) struct Issued {
    pub(crate) ca: Vec<u8>,
    pub(crate) certificates: Vec<Vec<u8>>,
    pub(crate) crl: Vec<u8>,
    pub(crate) responses: Vec<Vec<u8>>,
    pub(crate) request: Vec<u8>,
}

/// Everything, by a backend that makes the keys and signs.
pub(crate) fn issue(
    backend: &dyn Backend,
    algorithm: SignatureAlgorithm,
    profile: &Profile,
) -> Issued {
    let key = || -> (Box<dyn PrivateKey>, Vec<u8>) {
        let key = backend.key_generator(algorithm).unwrap().generate().unwrap();
        let mut octets = Vec::new();
        key.public_octets(&mut octets).unwrap();
        (key, octets)
    };
    let (seed, serials) = (42, profile.serials(42));
    let (ca_key, ca_octets) = key();
    let mut signer = ca_key.signer().unwrap();
    let authority = Authority::new(profile, algorithm, &ca_octets);
    let mut out = Vec::new();

    let own = CertificateTemplate::self_signed(profile, &authority, NOW).unwrap();
    let place = own.write(1, &ca_octets, &mut out).sign(&mut *signer, &mut out).unwrap();
    let ca = out[place].to_vec();

    let (subscriber, octets) = key();
    let template =
        CertificateTemplate::subscriber(profile, &authority, algorithm, seed, NOW).unwrap();
    let certificates = NUMBERS.map(|number| {
        let unsigned = template.write(number, &octets, &mut out);
        let place = unsigned.sign(&mut *signer, &mut out).unwrap();
        out[place].to_vec()
    });

    let template = CrlTemplate::new(profile, &authority, serials, NOW).unwrap();
    let place = template.write(1, REVOKED, &mut out).sign(&mut *signer, &mut out).unwrap();
    let crl = out[place].to_vec();

    let template = OcspTemplate::new(profile, &authority, serials, NOW).unwrap();
    let responses = NUMBERS.map(|number| {
        let mut tbs = Vec::new();
        template.tbs(number, &mut tbs);
        let unsigned = template.write(&tbs, &mut out);
        let place = unsigned.sign(&mut *signer, &mut out).unwrap();
        out[place].to_vec()
    });

    let mut signer = subscriber.signer().unwrap();
    let template = CsrTemplate::new(profile, algorithm, seed);
    let place = template.write(1, &octets, &mut out).sign(&mut *signer, &mut out).unwrap();
    let request = out[place].to_vec();

    Issued { ca, certificates: certificates.into(), crl, responses: responses.into(), request }
}

/// By the backend that is the default, with the built-in profile; made once.
pub(crate) fn issued(algorithm: SignatureAlgorithm) -> &'static Issued {
    static MADE: [OnceLock<Issued>; 13] = [const { OnceLock::new() }; 13];
    let made = &MADE[algorithm as usize];
    made.get_or_init(|| issue(backends::ALL[0], algorithm, &Profile::builtin()))
}

#[test]
fn our_own_decoder_finds_nothing() {
    for backend in backends::ALL {
        for algorithm in SignatureAlgorithm::ALL {
            // One such key takes up to seconds, and one backend's keys are like another's.
            if algorithm.rsa_bits() > Some(2_048) && backend.id() != backends::ALL[0].id() {
                continue;
            }
            let issued = issue(backend, algorithm, &Profile::builtin());
            let all = [(&issued.ca, Form::Certificate), (&issued.crl, Form::CertificateList)]
                .into_iter()
                .chain(issued.certificates.iter().map(|der| (der, Form::Certificate)))
                .chain(issued.responses.iter().map(|der| (der, Form::OcspResponse)))
                .chain([(&issued.request, Form::CertificationRequest)]);
            for (der, form) in all {
                let report = report::Report::new(der, form);
                assert_eq!(report.error(), None, "{} {algorithm} {form:?}", backend.id());
                assert_eq!(report.findings(None), [], "{} {algorithm} {form:?}", backend.id());
            }
        }
    }
}
