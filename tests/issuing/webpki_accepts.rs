//! rustls-webpki builds paths, checks names, usages and revocation.

use std::time::Duration;

use pkiscope::pki::build::Profile;
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crypto::{SignatureAlgorithm, backends};
use pkiscope::pki::extension::Value;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};
use webpki::{
    ALL_VERIFICATION_ALGS, CertRevocationList, EndEntityCert, Error, KeyUsage,
    OwnedCertRevocationList, RevocationOptionsBuilder, anchor_from_trusted_cert,
};

use crate::{Issued, NOW, NUMBERS, REVOKED, issue, issued};

/// Those that webpki knows: all but ML-DSA.
fn classic() -> impl Iterator<Item = SignatureAlgorithm> {
    use SignatureAlgorithm::{MlDsa44, MlDsa65, MlDsa87};
    SignatureAlgorithm::ALL.into_iter().filter(|a| !matches!(a, MlDsa44 | MlDsa65 | MlDsa87))
}

/// What webpki says of a certificate for a TLS server, `days` after it was issued.
fn verify(issued: &Issued, certificate: &[u8], days: u64, revocation: bool) -> Result<(), Error> {
    let ca = CertificateDer::from(issued.ca.as_slice());
    let anchors = [anchor_from_trusted_cert(&ca)?];
    let der = CertificateDer::from(certificate);
    let certificate = EndEntityCert::try_from(&der)?;
    let crl = CertRevocationList::from(OwnedCertRevocationList::from_der(&issued.crl)?);
    let crls = [&crl];
    let options = RevocationOptionsBuilder::new(&crls).unwrap().build();
    let now = Duration::from_secs(NOW.unsigned_abs() + days * 86_400);
    certificate
        .verify_for_usage(
            ALL_VERIFICATION_ALGS,
            &anchors,
            &[],
            UnixTime::since_unix_epoch(now),
            KeyUsage::server_auth(),
            revocation.then_some(options),
            None,
        )
        .map(drop)
}

/// The dNSName of a certificate, by our own decoder.
fn host(certificate: &[u8]) -> String {
    let certificate = Certificate::parse(certificate).unwrap();
    let extension = certificate.extensions().find(b"\x55\x1d\x11").unwrap();
    let Ok(Some(Value::AlternativeNames(names))) = extension.value() else { panic!("no names") };
    names.names.iter().next().unwrap().unwrap().text().into_owned()
}

#[test]
fn paths_names_and_revocation() {
    for (algorithm, serial) in classic().zip(["sequential", "random"].into_iter().cycle()) {
        let profile = Profile::from_toml(&format!("serial = \"{serial}\"")).unwrap();
        let issued = issue(backends::ALL[0], algorithm, &profile);
        for (number, certificate) in NUMBERS.into_iter().zip(&issued.certificates) {
            assert_eq!(verify(&issued, certificate, 1, false), Ok(()), "{algorithm} {number}");
            let expected = if number <= REVOKED { Err(Error::CertRevoked) } else { Ok(()) };
            assert_eq!(verify(&issued, certificate, 1, true), expected, "{algorithm} {number}");
            let der = CertificateDer::from(certificate.as_slice());
            let host = host(certificate);
            assert!(host.contains(&format!("-{number}.")));
            let name = ServerName::try_from(host.as_str()).unwrap();
            EndEntityCert::try_from(&der).unwrap().verify_is_valid_for_subject_name(&name).unwrap();
        }
    }
}

#[test]
fn what_is_wrong_is_refused() {
    let algorithm = SignatureAlgorithm::EcdsaP256;
    let issued = issued(algorithm);
    let good = &issued.certificates[2];
    assert_eq!(verify(issued, good, 89, true), Ok(()));
    let late = verify(issued, good, 91, true);
    assert!(matches!(late, Err(Error::CertExpired { .. })), "{late:?}");
    // Every octet of the signed part counts: the last one is of the alternative name.
    let mut changed = good.clone();
    let end = Certificate::parse(good).unwrap().tbs().len() + 3;
    changed[end] ^= 1;
    assert!(verify(issued, &changed, 1, false).is_err());
    let other = issue(backends::ALL[0], algorithm, &Profile::builtin());
    assert!(verify(&other, good, 1, false).is_err());
    let profile = Profile::from_toml("[certificate]\nextended_key_usage = [\"clientAuth\"]");
    let client = issue(backends::ALL[0], algorithm, &profile.unwrap());
    assert!(matches!(
        verify(&client, &client.certificates[2], 1, false),
        Err(Error::RequiredEkuNotFoundContext(_))
    ));
}
