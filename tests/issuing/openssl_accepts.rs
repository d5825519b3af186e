//! OpenSSL verifies paths as strictly as it can, CRLs, OCSP responses and requests, of every
//! algorithm.

use openssl::hash::MessageDigest;
use openssl::ocsp::{OcspCertId, OcspCertStatus, OcspFlag, OcspResponse, OcspResponseStatus};
use openssl::stack::Stack;
use openssl::x509::store::{X509Lookup, X509Store, X509StoreBuilder};
use openssl::x509::verify::{X509VerifyFlags, X509VerifyParam};
use openssl::x509::{
    CrlStatus, X509, X509Crl, X509PurposeId, X509Req, X509StoreContext, X509VerifyResult,
};
use pkiscope::pki::build::Profile;
use pkiscope::pki::crypto::{SignatureAlgorithm, backends};

use crate::{Issued, NOW, NUMBERS, REVOKED, issue, issued};

/// The store that trusts the authority, a day after it issued.
fn store(issued: &Issued, with_crl: bool) -> X509Store {
    let mut builder = X509StoreBuilder::new().unwrap();
    builder.add_cert(X509::from_der(&issued.ca).unwrap()).unwrap();
    let mut param = X509VerifyParam::new().unwrap();
    param.set_time(NOW + 86_400);
    param.set_flags(X509VerifyFlags::X509_STRICT | X509VerifyFlags::CHECK_SS_SIGNATURE).unwrap();
    if with_crl {
        let file = tempfile::NamedTempFile::new().unwrap();
        let pem = X509Crl::from_der(&issued.crl).unwrap().to_pem().unwrap();
        std::fs::write(file.path(), pem).unwrap();
        let lookup = builder.add_lookup(X509Lookup::file()).unwrap();
        lookup.load_crl_file(file.path(), openssl::ssl::SslFiletype::PEM).unwrap();
        param.set_flags(X509VerifyFlags::CRL_CHECK).unwrap();
    }
    builder.set_param(&param).unwrap();
    builder.set_purpose(X509PurposeId::SSL_SERVER).unwrap();
    builder.build()
}

/// What OpenSSL says of a certificate for a TLS server.
fn verify(issued: &Issued, certificate: &[u8], with_crl: bool) -> X509VerifyResult {
    let store = store(issued, with_crl);
    let certificate = X509::from_der(certificate).unwrap();
    let mut context = X509StoreContext::new().unwrap();
    context
        .init(&store, &certificate, &Stack::new().unwrap(), |context| {
            context.verify_cert()?;
            Ok(context.error())
        })
        .unwrap()
}

#[test]
fn paths_and_revocation() {
    const X509_V_ERR_CERT_REVOKED: i32 = 23;
    for algorithm in SignatureAlgorithm::ALL {
        let issued = issued(algorithm);
        for (number, certificate) in NUMBERS.into_iter().zip(&issued.certificates) {
            let result = verify(issued, certificate, false);
            assert_eq!(result, X509VerifyResult::OK, "{algorithm} {number}");
            let expected = if number <= REVOKED { X509_V_ERR_CERT_REVOKED } else { 0 };
            let result = verify(issued, certificate, true);
            assert_eq!(result.as_raw(), expected, "{algorithm} {number} {result}");
        }
    }
}

#[test]
fn revocation_lists() {
    for algorithm in SignatureAlgorithm::ALL {
        let issued = issued(algorithm);
        let ca = X509::from_der(&issued.ca).unwrap();
        let crl = X509Crl::from_der(&issued.crl).unwrap();
        assert!(crl.verify(&ca.public_key().unwrap()).unwrap(), "{algorithm}");
        assert_eq!(crl.get_revoked().unwrap().len() as u64, REVOKED);
        for (number, certificate) in NUMBERS.into_iter().zip(&issued.certificates) {
            let certificate = X509::from_der(certificate).unwrap();
            let revoked = matches!(crl.get_by_cert(&certificate), CrlStatus::Revoked(_));
            assert_eq!(revoked, number <= REVOKED, "{algorithm} {number}");
        }
    }
}

#[test]
fn ocsp_responses() {
    for algorithm in SignatureAlgorithm::ALL {
        let issued = issued(algorithm);
        let ca = X509::from_der(&issued.ca).unwrap();
        let store = store(issued, false);
        let mut certificates = Stack::new().unwrap();
        certificates.push(ca.clone()).unwrap();
        for (i, number) in NUMBERS.into_iter().enumerate() {
            let response = OcspResponse::from_der(&issued.responses[i]).unwrap();
            assert_eq!(response.status(), OcspResponseStatus::SUCCESSFUL);
            let basic = response.basic().unwrap();
            basic
                .verify(&certificates, &store, OcspFlag::empty())
                .unwrap_or_else(|error| panic!("{algorithm} {number}: {error}"));
            let of = |i: usize| {
                let certificate = X509::from_der(&issued.certificates[i]).unwrap();
                OcspCertId::from_cert(MessageDigest::sha1(), &certificate, &ca).unwrap()
            };
            let status = basic.find_status(&of(i)).unwrap();
            // One in ten, by the built-in profile.
            let expected =
                if number == 10 { OcspCertStatus::REVOKED } else { OcspCertStatus::GOOD };
            assert_eq!(status.status, expected, "{algorithm} {number}");
            assert!(basic.find_status(&of((i + 1) % NUMBERS.len())).is_none());
        }
    }
}

#[test]
fn requests() {
    for algorithm in SignatureAlgorithm::ALL {
        let issued = issued(algorithm);
        let request = X509Req::from_der(&issued.request).unwrap();
        assert!(request.verify(&request.public_key().unwrap()).unwrap(), "{algorithm}");
        assert_eq!(request.extensions().unwrap().len(), 1);
    }
}

#[test]
fn a_profile_with_everything() {
    let profile = Profile::from_toml(
        r#"
        serial = "random"
        [ca]
        subject = ["C=XX", "O=Ünïcode GmbH", "OU=a, b + c", "CN=CA"]
        path_length = 0
        [certificate]
        subject = []
        san = ["dns:*.{n}.example", "ip:192.0.2.1", "ip:2001:db8::1", "email:{random}@example.com",
               "uri:https://example.com/{n}"]
        key_usage = ["digitalSignature", "nonRepudiation", "keyEncipherment", "keyAgreement"]
        extended_key_usage = ["serverAuth", "1.3.6.1.5.5.7.3.17"]
        policies = ["2.23.140.1.2.1", "anyPolicy"]
        crl = ["http://example.com/ca.crl", "ldap:///cn=CA"]
        ocsp = ["http://ocsp.example.com"]
        ca_issuers = ["http://example.com/ca.cer"]
        [[certificate.extension]]
        oid = "1.3.6.1.5.5.7.1.24"
        value = "30 03 02 01 05"
        [[certificate.extension]]
        oid = "2.999.1"
        critical = false
        value = "0500"
        "#,
    )
    .unwrap();
    for algorithm in [SignatureAlgorithm::EcdsaP384, SignatureAlgorithm::Rsa2048] {
        let issued = issue(backends::ALL[0], algorithm, &profile);
        for certificate in &issued.certificates {
            assert_eq!(verify(&issued, certificate, false), X509VerifyResult::OK, "{algorithm}");
            let text = X509::from_der(certificate).unwrap().to_text().unwrap();
            let text = String::from_utf8_lossy(&text);
            for part in [
                "X509v3 Subject Alternative Name: critical",
                "IP Address:192.0.2.1",
                "email:",
                "URI:https://example.com/",
                "Non Repudiation",
                "ipsec Internet Key Exchange",
                "Policy: X509v3 Any Policy",
                "URI:ldap:///cn=CA",
                "OCSP - URI:http://ocsp.example.com",
                "CA Issuers - URI:http://example.com/ca.cer",
                "status_request",
                "2.999.1",
            ] {
                assert!(text.contains(part), "{part} is not in\n{text}");
            }
        }
        let text = X509::from_der(&issued.ca).unwrap().to_text().unwrap();
        assert!(String::from_utf8_lossy(&text).contains("CA:TRUE, pathlen:0"));
    }
}
