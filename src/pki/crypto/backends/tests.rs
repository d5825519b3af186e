//! The backends against each other: what one makes, all others must take.

use std::sync::OnceLock;

use zeroize::Zeroizing;

use super::*;
use crate::asn1::writer::Writer;
use crate::pki::crypto::algorithm::SignatureAlgorithm as Algorithm;
use crate::pki::crypto::backend::{PrivateKey, PublicKey};
use crate::pki::crypto::error::Error;

const MESSAGE: &[u8] = b"tbsCertificate";

/// A key of the algorithm as PKCS #8. Making an RSA key is dear: there is one of each length,
/// and each backend makes one of them.
fn pkcs8(backend: &dyn Backend, algorithm: Algorithm) -> Zeroizing<Vec<u8>> {
    static RSA: [OnceLock<Zeroizing<Vec<u8>>>; 3] = [const { OnceLock::new() }; 3];
    let make = |backend: &dyn Backend| {
        let key = backend.key_generator(algorithm).unwrap().generate().unwrap();
        key.to_pkcs8().unwrap()
    };
    match algorithm.rsa_bits() {
        Some(2_048) => RSA[0].get_or_init(|| make(&OpenSsl)).clone(),
        Some(3_072) => RSA[1].get_or_init(|| make(&NativeOssl)).clone(),
        Some(_) => RSA[2].get_or_init(|| make(&AwsLc)).clone(),
        None => make(backend),
    }
}

fn public_octets(key: &dyn PrivateKey) -> Vec<u8> {
    let mut octets = b"before".to_vec();
    key.public_octets(&mut octets).unwrap();
    assert!(octets.starts_with(b"before"), "appended");
    octets.split_off(6)
}

/// A key pair: the private key in `signs`, the public one in `verifies`.
fn pair(
    signs: &dyn Backend,
    verifies: &dyn Backend,
    algorithm: Algorithm,
) -> (Box<dyn PrivateKey>, Box<dyn PublicKey>) {
    let private = signs.import_private(algorithm, &pkcs8(signs, algorithm)).unwrap();
    let spki = algorithm.spki(&public_octets(&*private));
    (private, verifies.import_public(algorithm, &spki).unwrap())
}

fn sign(key: &dyn PrivateKey, algorithm: Algorithm) -> Vec<u8> {
    let mut signature = vec![0xa5; algorithm.max_signature_len() + 1];
    let length = key.signer().unwrap().sign(MESSAGE, &mut signature).unwrap();
    assert_eq!(signature.pop(), Some(0xa5), "nothing is written beyond the longest signature");
    assert!(length <= algorithm.max_signature_len(), "{algorithm}: {length}");
    assert!(!algorithm.fixed_signature_len() || length == algorithm.max_signature_len());
    signature.truncate(length);
    signature
}

fn every_pair(test: impl Fn(&'static dyn Backend, &'static dyn Backend, Algorithm)) {
    for algorithm in Algorithm::ALL {
        for signs in ALL {
            for verifies in ALL {
                test(signs, verifies, algorithm);
            }
        }
    }
}

#[test]
fn every_backend_verifies_what_every_backend_signs() {
    every_pair(|signs, verifies, algorithm| {
        let (private, public) = pair(signs, verifies, algorithm);
        let signature = sign(&*private, algorithm);
        let mut verifier = public.verifier().unwrap();
        let name = format!("{algorithm} from {} to {}", signs.id(), verifies.id());
        assert_eq!(verifier.verify(MESSAGE, &signature), Ok(true), "{name}");
        assert_eq!(verifier.verify(b"another message", &signature), Ok(false), "{name}");
    });
}

#[test]
fn no_wrong_signature_is_an_error_or_spoils_the_verifier() {
    for algorithm in Algorithm::ALL {
        for backend in ALL {
            let (private, public) = pair(backend, backend, algorithm);
            let signature = sign(&*private, algorithm);
            let mut verifier = public.verifier().unwrap();
            let mut refuse = |what: &str, wrong: &[u8]| {
                let name = format!("{algorithm} by {}, {what}", backend.id());
                assert_eq!(verifier.verify(MESSAGE, wrong), Ok(false), "{name}");
                let left = openssl::error::ErrorStack::get();
                assert!(left.errors().is_empty(), "{name} left {left}");
                assert_eq!(verifier.verify(MESSAGE, &signature), Ok(true), "after {name}");
            };
            for at in [0, 1, signature.len() / 2, signature.len() - 1] {
                let mut flipped = signature.clone();
                flipped[at] ^= 0x10;
                refuse(&format!("bit {at} flipped"), &flipped);
            }
            refuse("empty", &[]);
            refuse("one octet", &signature[..1]);
            refuse("cut off", &signature[..signature.len() - 1]);
            refuse("one octet more", &[&signature[..], &[0]].concat());
            refuse("zeros", &vec![0; signature.len()]);
            refuse("all bits", &vec![0xff; signature.len()]);
            refuse("a sequence of nothing", &[0x30, 0x00]);
            refuse("two zeros", &[0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]);
        }
    }
}

#[test]
fn errors_that_others_left_change_no_verdict() {
    for algorithm in [Algorithm::EcdsaP256, Algorithm::Ed25519, Algorithm::Rsa2048] {
        for backend in [&NativeOssl as &dyn Backend, &OpenSsl] {
            let (private, public) = pair(backend, backend, algorithm);
            let mut signature = sign(&*private, algorithm);
            let mut verifier = public.verifier().unwrap();
            leave_a_fault_behind();
            assert_eq!(verifier.verify(MESSAGE, &signature), Ok(true), "{algorithm}");
            signature[7] ^= 1;
            leave_a_fault_behind();
            assert_eq!(verifier.verify(MESSAGE, &signature), Ok(false), "{algorithm}");
            assert!(private.signer().unwrap().sign(MESSAGE, &mut [0; 512]).is_ok());
        }
    }
}

/// Puts an error of the system into OpenSSL's queue, which would be a fault were it ours.
fn leave_a_fault_behind() {
    let method = openssl::ssl::SslMethod::tls_client();
    let mut context = openssl::ssl::SslContextBuilder::new(method).unwrap();
    let errors = context.set_ca_file("no/such/file").unwrap_err();
    assert!(errors.errors().iter().any(|e| form::is_fatal(e.code())), "{errors}");
    errors.put();
}

#[test]
fn one_signer_and_one_verifier_serve_a_hundred_messages() {
    for algorithm in Algorithm::ALL {
        let times = if algorithm.rsa_bits() > Some(2_048) { 10 } else { 100 };
        for backend in ALL {
            let (private, public) = pair(backend, backend, algorithm);
            let (mut signer, mut verifier) =
                (private.signer().unwrap(), public.verifier().unwrap());
            let mut signature = vec![0; algorithm.max_signature_len()];
            for i in 0_u32..times {
                let message = vec![7; (i * 37) as usize];
                let length = signer.sign(&message, &mut signature).unwrap();
                let name = format!("{algorithm} by {}, the {i}th", backend.id());
                assert_eq!(verifier.verify(&message, &signature[..length]), Ok(true), "{name}");
            }
        }
    }
}

#[test]
fn one_key_serves_several_threads() {
    for algorithm in [Algorithm::EcdsaP384, Algorithm::Ed25519, Algorithm::MlDsa44] {
        for backend in ALL {
            let (private, public) = pair(backend, backend, algorithm);
            let valid: Vec<bool> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3)
                    .map(|_| {
                        scope.spawn(|| {
                            let signature = sign(&*private, algorithm);
                            public_octets(&*private).len() == algorithm.public_len()
                                && public.verifier().unwrap().verify(MESSAGE, &signature).unwrap()
                        })
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(valid, [true; 3], "{algorithm} by {}", backend.id());
        }
    }
}

#[test]
fn a_fresh_key_signs_and_each_is_another() {
    for algorithm in Algorithm::ALL {
        if algorithm.rsa_bits().is_some_and(|bits| bits > 2_048) {
            continue;
        }
        for backend in ALL {
            assert!(backend.supports(algorithm), "{algorithm} by {}", backend.id());
            let mut generator = backend.key_generator(algorithm).unwrap();
            let keys = [generator.generate().unwrap(), generator.generate().unwrap()];
            let octets = keys.each_ref().map(|key| public_octets(&**key));
            assert_ne!(octets[0], octets[1], "{algorithm} by {}", backend.id());
            for (key, octets) in keys.iter().zip(octets) {
                assert_eq!(octets.len(), algorithm.public_len(), "{algorithm}");
                let spki = algorithm.spki(&octets);
                let public = backend.import_public(algorithm, &spki).unwrap();
                let signature = sign(&**key, algorithm);
                assert_eq!(public.verifier().unwrap().verify(MESSAGE, &signature), Ok(true));
            }
        }
    }
}

#[test]
fn private_keys_go_from_backend_to_backend() {
    every_pair(|from, to, algorithm| {
        let der = pkcs8(from, algorithm);
        let [made, taken] =
            [from, to].map(|backend| backend.import_private(algorithm, &der).unwrap());
        assert_eq!(public_octets(&*made), public_octets(&*taken), "{algorithm}");
        let again = from.import_private(algorithm, &taken.to_pkcs8().unwrap()).unwrap();
        assert_eq!(public_octets(&*made), public_octets(&*again), "{algorithm}");
    });
}

#[test]
fn a_seed_makes_the_same_key_everywhere() {
    for algorithm in Algorithm::ALL {
        let keys = ALL.map(|backend| backend.private_from_seed(algorithm, &[0x42; 32]));
        if algorithm.seed_len().is_none() {
            for (key, backend) in keys.into_iter().zip(ALL) {
                let error = key.err().unwrap();
                assert!(matches!(error, Error::Unsupported { .. }), "{algorithm}: {error}");
                let text = error.to_string();
                assert!(text.contains(backend.id()), "{text}");
                assert!(text.contains(&backend.version()), "{text}");
            }
            continue;
        }
        let keys = keys.map(|key| public_octets(&*key.unwrap()));
        assert_eq!(keys[0], keys[1], "{algorithm}");
        assert_eq!(keys[0], keys[2], "{algorithm}");
        for (backend, wrong) in ALL.into_iter().flat_map(|b| [0, 31, 33].map(|n| (b, n))) {
            let error = backend.private_from_seed(algorithm, &vec![0; wrong]).err();
            assert!(matches!(error, Some(Error::Library(_))), "{algorithm} of {wrong}");
        }
    }
    // RFC 8032 7.1, test 1.
    let seed = b"\x9d\x61\xb1\x9d\xef\xfd\x5a\x60\xba\x84\x4a\xf4\x92\xec\x2c\xc4\
        \x44\x49\xc5\x69\x7b\x32\x69\x19\x70\x3b\xac\x03\x1c\xae\x7f\x60";
    let key = NativeOssl.private_from_seed(Algorithm::Ed25519, seed).unwrap();
    assert_eq!(public_octets(&*key)[..4], [0xd7, 0x5a, 0x98, 0x01]);
}

#[test]
fn a_short_buffer_is_an_error_and_the_signer_lives_on() {
    for algorithm in Algorithm::ALL {
        for backend in ALL {
            let key = backend.import_private(algorithm, &pkcs8(backend, algorithm)).unwrap();
            let mut signer = key.signer().unwrap();
            let mut signature = vec![0; algorithm.max_signature_len()];
            let short = signature.len() - 1;
            let error = signer.sign(MESSAGE, &mut signature[..short]).unwrap_err();
            assert!(matches!(error, Error::Library(_)), "{algorithm}: {error}");
            assert!(error.to_string().contains(&short.to_string()), "{algorithm}: {error}");
            assert!(signer.sign(MESSAGE, &mut signature).is_ok(), "{algorithm}");
        }
    }
}

#[test]
fn a_key_of_another_algorithm_is_refused() {
    for of in Algorithm::ALL {
        let der = pkcs8(&AwsLc, of);
        let spki = of.spki(&public_octets(&*AwsLc.import_private(of, &der).unwrap()));
        for (backend, taken_for) in
            ALL.into_iter().flat_map(|backend| Algorithm::ALL.map(|a| (backend, a)))
        {
            // RSA-PSS signs with the keys of RSA.
            let same = of.key_identifier() == taken_for.key_identifier()
                && of.rsa_bits() == taken_for.rsa_bits();
            let name = format!("{of} for {taken_for} by {}", backend.id());
            assert_eq!(backend.import_private(taken_for, &der).is_ok(), same, "{name}");
            assert_eq!(backend.import_public(taken_for, &spki).is_ok(), same, "{name}");
        }
    }
}

#[test]
fn a_compressed_point_is_refused_or_written_uncompressed() {
    use openssl::ec::PointConversionForm;
    let algorithm = Algorithm::EcdsaP256;
    let key = openssl::pkey::PKey::private_key_from_pkcs8(&pkcs8(&OpenSsl, algorithm)).unwrap();
    let key = key.ec_key().unwrap();
    let mut numbers = openssl::bn::BigNumContext::new().unwrap();
    let mut point = |form| key.public_key().to_bytes(key.group(), form, &mut numbers).unwrap();
    let [short, long] =
        [PointConversionForm::COMPRESSED, PointConversionForm::UNCOMPRESSED].map(&mut point);
    let mut w = Writer::new();
    w.sequence(|w| {
        w.integer(0);
        w.raw(algorithm.key_identifier());
        w.octet_string_of(|w| {
            w.sequence(|w| {
                w.integer(1);
                w.octet_string(&key.private_key().to_vec_padded(32).unwrap());
                w.explicit(1, |w| w.bit_string(&short));
            });
        });
    });
    for backend in ALL {
        match backend.import_private(algorithm, w.as_bytes()) {
            Ok(key) => assert_eq!(public_octets(&*key), long, "{}", backend.id()),
            Err(error) => assert!(matches!(error, Error::Library(_)), "{error}"),
        }
        assert!(backend.import_public(algorithm, &algorithm.spki(&short)).is_err());
    }
}

#[test]
fn broken_keys_are_refused() {
    for algorithm in Algorithm::ALL {
        for backend in ALL {
            let der = pkcs8(backend, algorithm);
            let key = backend.import_private(algorithm, &der).unwrap();
            let spki = algorithm.spki(&public_octets(&*key));
            let longer = |der: &[u8]| [der, &[0]].concat();
            for (private, public) in [
                (Vec::new(), Vec::new()),
                (der[..der.len() - 1].to_vec(), spki[..spki.len() - 1].to_vec()),
                (longer(&der), longer(&spki)),
                (spki.clone(), der.to_vec()),
                (der.to_vec(), algorithm.spki(&[])),
                (der.to_vec(), algorithm.spki(&[4; 5])),
            ] {
                let name = format!("{algorithm} by {}", backend.id());
                let whole = private == *der;
                assert_eq!(backend.import_private(algorithm, &private).is_ok(), whole, "{name}");
                assert!(backend.import_public(algorithm, &public).is_err(), "{name}");
            }
        }
    }
}

#[test]
fn backends_have_names_and_versions() {
    assert_eq!(ALL.map(Backend::id), ["native-ossl", "openssl", "aws-lc"]);
    for backend in ALL {
        assert_eq!(by_id(backend.id()).map(Backend::id), Some(backend.id()));
    }
    assert!(by_id("nss").is_none());
    let versions = versions();
    assert_eq!(versions.openssl, NativeOssl.version());
    assert!(versions.openssl.starts_with("OpenSSL 3."), "{versions:?}");
    assert!(versions.aws_lc.starts_with("AWS-LC "), "{versions:?}");
}
