//! Taking objects out of the containers that hold them.

pub mod cms;
pub mod output;
pub mod password;
pub mod pkcs12;

pub use output::{Inner, Note, NoteKind, Unpacked};
pub use password::{Password, PasswordSource, Passwords};

use crate::asn1::ber;
use crate::pki::crypto::{self, Effort};
use crate::pki::keys::EncryptedKey;
use crate::pki::object::{Form, Kind};
use crate::pki::ocsp;
use output::Output;
use password::Opener;

/// Takes the objects out of the container `octets`, DER or BER, of the kind `kind`.
///
/// PKCS #7 gives certificates and CRLs, PKCS #12 certificates, CRLs and keys, an encrypted
/// private key the key itself, an OCSP response its certificates; other kinds give nothing.
/// What cannot be taken out is a note. Passwords are asked for when something is locked.
pub fn unpack(octets: &[u8], kind: Kind, passwords: &mut dyn PasswordSource) -> Unpacked {
    unpack_with(octets, kind, passwords, Effort::default())
}

/// As [`unpack`], with a limit of one's own for the work of key derivation, and a switch to
/// stop it.
pub fn unpack_with(
    octets: &[u8],
    kind: Kind,
    passwords: &mut dyn PasswordSource,
    effort: Effort<'_>,
) -> Unpacked {
    let mut output = Output::default();
    if !matches!(kind, Kind::Pkcs7 | Kind::Pkcs12 | Kind::PrivateKey | Kind::OcspResponse) {
        return output.finish();
    }
    let der = match ber::to_der(octets) {
        Ok(der) => der,
        Err(e) => {
            output.note("", e);
            return output.finish();
        }
    };
    // Offsets in a converted object are not those of the input.
    output.keep_spans(matches!(der, std::borrow::Cow::Borrowed(_)));
    let mut opener = Opener::new(passwords, effort);
    let result = match kind {
        Kind::Pkcs7 => cms::unpack(&der, &mut output),
        Kind::Pkcs12 => pkcs12::unpack(&der, &mut opener, &mut output),
        Kind::OcspResponse => ocsp_certificates(&der, &mut output),
        _ => {
            if Form::of(&der, None) == Form::EncryptedPrivateKeyInfo {
                encrypted_key(&der, &mut opener, &mut output);
            }
            Ok(())
        }
    };
    if let Err(e) = result {
        output.note("", e);
    }
    output.finish()
}

fn encrypted_key(der: &[u8], opener: &mut Opener<'_, '_>, output: &mut Output) {
    const PLACE: &str = "encryptedData";
    let result = EncryptedKey::parse(der)
        .map_err(crypto::Error::from)
        .and_then(|key| opener.open(PLACE, |password, effort| key.decrypt(password, effort)));
    match result {
        Ok(key) => output.add(Kind::PrivateKey, PLACE, None, &key, None),
        Err(e) => output.note(PLACE, e),
    }
}

fn ocsp_certificates(der: &[u8], output: &mut Output) -> Result<(), crate::asn1::Error> {
    let response = ocsp::Response::parse(der)?;
    if let Some(basic) = response.basic() {
        output.list("responseBytes.response.certs", basic.certificates(), |_| Some("CERTIFICATE"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, oid, sample, seq, tlv};

    fn with(password: &str) -> Passwords {
        Passwords::new([Password::text("not this one"), Password::text(password)])
    }

    fn summary(unpacked: &Unpacked) -> Vec<(Kind, &str, Option<&str>)> {
        unpacked.objects.iter().map(|o| (o.kind, &*o.place, o.label.as_deref())).collect()
    }

    #[test]
    fn certificates_and_crls_come_out_of_pkcs7() {
        let unpacked =
            unpack(sample!("pkcs7-certificates.p7b"), Kind::Pkcs7, &mut Passwords::default());
        assert_eq!(
            summary(&unpacked),
            [
                (Kind::Certificate, "signedData.certificates[0]", None),
                (Kind::Certificate, "signedData.certificates[1]", None),
                (Kind::Certificate, "signedData.certificates[2]", None),
                (Kind::Crl, "signedData.crls[0]", None),
            ]
        );
        assert!(unpacked.notes.is_empty());
        for object in &unpacked.objects {
            let span = object.span.unwrap();
            assert_eq!(span.of(sample!("pkcs7-certificates.p7b")), object.der.as_slice());
        }
        let ber = unpack(sample!("pkcs7-indefinite.p7b"), Kind::Pkcs7, &mut Passwords::default());
        assert_eq!(ber.objects.len(), 4);
        assert!(ber.objects.iter().zip(&unpacked.objects).all(|(a, b)| a.der == b.der));
        assert!(ber.objects.iter().all(|o| o.span.is_none()));
    }

    #[test]
    fn pkcs12_opens_with_its_password() {
        let label = Some("server of example.com");
        for (octets, password) in [
            (sample!("pkcs12-pbes2.p12"), "pkiscope"),
            (sample!("pkcs12-legacy.p12"), "pkiscope"),
            (sample!("pkcs12-unencrypted.p12"), ""),
        ] {
            let unpacked = unpack(octets, Kind::Pkcs12, &mut with(password));
            assert_eq!(
                summary(&unpacked),
                [
                    (Kind::Certificate, "authSafe[0].bag[0]", label),
                    (Kind::Certificate, "authSafe[0].bag[1]", None),
                    (Kind::PrivateKey, "authSafe[1].bag[0]", label),
                ]
            );
            assert_eq!(unpacked.notes, []);
            for object in unpacked.objects {
                if let Some(span) = object.span {
                    assert_eq!(span.of(octets), object.der.as_slice());
                }
            }
        }
    }

    #[test]
    fn what_stays_locked_is_said() {
        let locked = unpack(sample!("pkcs12-pbes2.p12"), Kind::Pkcs12, &mut with("wrong"));
        let notes: Vec<_> = locked.notes.iter().map(ToString::to_string).collect();
        assert_eq!(
            notes,
            [
                "macData: the MAC fits no password",
                "authSafe[0]: no password opens it",
                "authSafe[1].bag[0]: no password opens it",
            ]
        );
        assert!(locked.notes.iter().all(|n| n.kind.is_locked()));
        // The key that could not be opened is there, locked.
        assert_eq!(locked.objects.len(), 1);
        assert_eq!(Form::of(&locked.objects[0].der, None), Form::EncryptedPrivateKeyInfo);

        let key =
            unpack(sample!("key-encrypted-scrypt.pk8"), Kind::PrivateKey, &mut with("pkiscope"));
        assert_eq!(summary(&key), [(Kind::PrivateKey, "encryptedData", None)]);
        let plain = unpack(sample!("key-ed25519.pk8"), Kind::PrivateKey, &mut with("pkiscope"));
        assert!(plain.objects.is_empty() && plain.notes.is_empty());
        let cms = unpack(sample!("cms-enveloped.der"), Kind::Pkcs7, &mut with(""));
        assert_eq!(cms.notes[0].kind, NoteKind::ForRecipient);
    }

    fn data(content: &[u8]) -> Vec<u8> {
        seq([oid("1.2.840.113549.1.7.1"), tlv(0xa0, &tlv(4, content))])
    }

    /// A PFX with one safe of these bags, and a MAC if any.
    fn pfx(bags: &[u8], mac: &[u8]) -> Vec<u8> {
        let safes = seq([data(&tlv(0x30, bags))]);
        seq([tlv(2, &[3]), data(&safes), mac.to_vec()])
    }

    fn bag(last: u8, value: &[u8]) -> Vec<u8> {
        seq([oid(&format!("1.2.840.113549.1.12.10.1.{last}")), tlv(0xa0, value)])
    }

    #[test]
    fn a_mac_of_two_to_the_31_iterations_is_refused() {
        let count = tlv(2, &[0, 0x80, 0, 0, 0]);
        let digest = seq([seq([oid("1.3.14.3.2.26"), tlv(5, &[])]), tlv(4, &[0; 20])]);
        let certificate = seq([oid("1.2.840.113549.1.9.22.1"), tlv(0xa0, &tlv(4, b"\x30\x00"))]);
        let octets = pfx(&bag(3, &certificate), &seq([digest, tlv(4, &[1; 8]), count]));
        let unpacked = unpack(&octets, Kind::Pkcs12, &mut Passwords::default());
        assert_eq!(
            unpacked.notes[0].to_string(),
            "macData: the key derivation asks for more work than is allowed: \
             2147483648 iterations, 5000000 left of 5000000"
        );
        assert_eq!(unpacked.notes[0].kind.rule().unwrap().id, "kdf-work-limit");
        // What is not encrypted is shown all the same.
        assert_eq!(unpacked.objects.len(), 1);
    }

    #[test]
    fn a_hundred_thousand_bags_are_linear_and_bounded() {
        let certificate = seq([oid("1.2.840.113549.1.9.22.1"), tlv(0xa0, &tlv(4, b"\x30\x00"))]);
        let octets = pfx(&bag(3, &certificate).repeat(100_000), &[]);
        let unpacked = unpack(&octets, Kind::Pkcs12, &mut Passwords::default());
        assert_eq!(unpacked.objects.len(), 100_000);
        assert_eq!(unpacked.objects[99_999].place, "authSafe[0].bag[99999]");

        // Each asks for 2,048 rounds: the budget ends after some, the notes after a hundred.
        let octets = pfx(&bag(2, sample!("key-encrypted-3des.pk8")).repeat(10_000), &[]);
        let unpacked = unpack(&octets, Kind::Pkcs12, &mut Passwords::default());
        assert_eq!(unpacked.objects.len(), 10_000);
        assert_eq!(unpacked.notes.len(), 101);
        assert!(matches!(unpacked.notes[100].kind, NoteKind::NotesOmitted(9_900)));
    }

    #[test]
    fn deep_nests_end() {
        let mut inner = bag(5, &seq([oid("1.2.3"), tlv(0xa0, &tlv(5, &[]))]));
        for _ in 0..50 {
            inner = bag(6, &tlv(0x30, &inner));
        }
        let unpacked = unpack(&pfx(&inner, &[]), Kind::Pkcs12, &mut Passwords::default());
        assert!(unpacked.objects.is_empty());
        assert_eq!(unpacked.notes[0].kind, NoteKind::TooDeep(8));
        let shallow = bag(6, &tlv(0x30, &bag(6, &tlv(0x30, &bag(1, &seq([]))))));
        let unpacked = unpack(&pfx(&shallow, &[]), Kind::Pkcs12, &mut Passwords::default());
        assert_eq!(summary(&unpacked)[0].1, "authSafe[0].bag[0].bag[0].bag[0]");
        // Messages in messages, a hundred thousand deep, DER and BER.
        let mut message = seq([]);
        for _ in 0..1_000 {
            message = seq([oid("1.2.840.113549.1.7.2"), tlv(0xa0, &message)]);
        }
        assert!(unpack(&message, Kind::Pkcs7, &mut Passwords::default()).objects.is_empty());
        let head = [&[0x30, 0x80], &*oid("1.2.840.113549.1.7.2"), &[0xa0, 0x80]].concat();
        let unpacked = unpack(&head.repeat(100_000), Kind::Pkcs7, &mut Passwords::default());
        assert_eq!(unpacked.notes.len(), 1);
    }

    #[test]
    fn ber_inside_octet_strings_is_read() {
        let certificate = seq([oid("1.2.840.113549.1.9.22.1"), tlv(0xa0, &tlv(4, b"\x30\x00"))]);
        let indefinite = |content: &[u8]| [&[0x30, 0x80], content, &[0, 0]].concat();
        let bags = indefinite(&bag(3, &certificate));
        let safes = indefinite(&data(&bags));
        let parts: Vec<u8> = safes.chunks(7).flat_map(|part| tlv(4, part)).collect();
        let content = [&[0x24, 0x80], &*parts, &[0, 0]].concat();
        let info = seq([oid("1.2.840.113549.1.7.1"), tlv(0xa0, &content)]);
        let octets = indefinite(&[tlv(2, &[3]), info].concat());
        let unpacked = unpack(&octets, Kind::Pkcs12, &mut Passwords::default());
        assert_eq!(summary(&unpacked), [(Kind::Certificate, "authSafe[0].bag[0]", None)]);
        assert_eq!(unpacked.notes, []);
    }

    #[test]
    fn a_stop_is_heard() {
        let stop = std::sync::atomic::AtomicBool::new(true);
        let effort = Effort::default().cancelled_by(&stop);
        let octets = sample!("pkcs12-pbes2.p12");
        let unpacked = unpack_with(octets, Kind::Pkcs12, &mut with("pkiscope"), effort);
        assert_eq!(unpacked.notes[0].to_string(), "macData: cancelled");
    }

    #[test]
    fn mutations_never_panic() {
        for (octets, kind) in [
            (sample!("pkcs12-unencrypted.p12"), Kind::Pkcs12),
            (sample!("pkcs12-legacy.p12"), Kind::Pkcs12),
            (sample!("pkcs7-indefinite.p7b"), Kind::Pkcs7),
            (sample!("cms-signed-stream.ber"), Kind::Pkcs7),
            (sample!("ocsp-response-good.der"), Kind::OcspResponse),
            (sample!("key-encrypted-3des.pk8"), Kind::PrivateKey),
        ] {
            mutations(octets, |m| {
                // Structure is tried here, not decryption.
                let effort = Effort::new(300);
                let _ = unpack_with(m, kind, &mut with("pkiscope"), effort);
            });
        }
    }
}
