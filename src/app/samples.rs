//! What the program opens when it is started without a file: Mozilla's roots, and a sample of
//! every kind of object from `fixtures/samples` (their origin is in `fixtures/README.md`).

use std::borrow::Cow;

use webpki_root_certs::TLS_SERVER_ROOT_CERTS;

/// One document that is built in.
#[derive(Debug, Clone)]
pub struct Sample {
    /// What stands where a file's name would.
    pub name: &'static str,
    /// What stands in it: DER, PEM or text, as a file would have it.
    pub contents: Cow<'static, [u8]>,
}

/// Every sample, Mozilla's roots first.
#[must_use]
pub fn all() -> Vec<Sample> {
    let files = FILES.iter().map(|&(name, contents)| Sample { name, contents: contents.into() });
    std::iter::once(mozilla_roots()).chain(files).collect()
}

/// The roots that Mozilla trusts for TLS servers, as DER certificates in a row.
fn mozilla_roots() -> Sample {
    let roots: Vec<&[u8]> = TLS_SERVER_ROOT_CERTS.iter().map(AsRef::as_ref).collect();
    Sample { name: "mozilla-roots", contents: roots.concat().into() }
}

macro_rules! files {
    ($($name:literal,)+) => {
        &[$(($name, include_bytes!(concat!("../../fixtures/samples/", $name)))),+]
    };
}

/// The files of `fixtures/samples` in the order in which they are listed.
#[rustfmt::skip]
static FILES: &[(&str, &[u8])] = files![
    "bundle.pem",
    "certificate-ed25519.der",
    "certificate-ed448.der",
    "certificate-findings.der",
    "certificate-ml-dsa-65.der",
    "certificate-ml-kem-768.der",
    "certificate-mtc-ca.der",
    "certificate-mtc.der",
    "certificate-p256-issuing.der",
    "certificate-p256-server.der",
    "certificate-p384-qualified.der",
    "certificate-p521-no-end.der",
    "certificate-rsa-pss.der",
    "certificate-rsa-root.der",
    "certificate-slh-dsa-sha2-128s.der",
    "certificate-v1.der",
    "certificate-x25519.der",
    "certificate.base64.txt",
    "certificate.hex.txt",
    "cms-enveloped.der",
    "cms-signed-stream.ber",
    "cms-signed.der",
    "concatenated.der",
    "crl-delta.der",
    "crl-indirect.der",
    "crl-partition.der",
    "crl-reasons.der",
    "csr-attributes.der",
    "csr-ml-dsa-44.der",
    "key-ed25519.pk8",
    "key-encrypted-3des.pk8",
    "key-encrypted-pbes2.pem",
    "key-encrypted-scrypt.pk8",
    "key-explicit-curve.der",
    "key-ml-dsa-65-both.pk8",
    "key-ml-dsa-65-seed.pk8",
    "key-ml-kem-768.pk8",
    "key-p256.pk8",
    "key-p384-sec1.pem",
    "key-rsa-pkcs1-encrypted.pem",
    "key-rsa-pkcs1.pem",
    "key-slh-dsa-sha2-128s.pk8",
    "key-x25519.pk8",
    "ocsp-request-signed.der",
    "ocsp-request.der",
    "ocsp-response-good.der",
    "ocsp-response-revoked.der",
    "ocsp-response-unauthorized.der",
    "pkcs12-legacy.p12",
    "pkcs12-pbes2.p12",
    "pkcs12-unencrypted.p12",
    "pkcs7-certificates.p7b",
    "pkcs7-certificates.pem",
    "pkcs7-indefinite.p7b",
    "public-key-ed448.der",
    "public-key-ml-kem-768.der",
    "public-key-p521.der",
    "public-key-pss.der",
    "public-key-rsa.der",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_file_is_built_in_and_described() -> std::io::Result<()> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
        let readme = fs::read_to_string(format!("{root}/README.md"))?;
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(format!("{root}/samples"))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            assert!(readme.contains(&format!("`{name}`")), "fixtures/README.md lacks {name}");
            names.insert(name);
        }
        let built_in: BTreeSet<_> = FILES.iter().map(|&(name, _)| name.to_owned()).collect();
        assert_eq!(built_in, names);
        Ok(())
    }

    #[test]
    fn the_samples_are_small_and_the_roots_come_first() {
        let samples = all();
        assert_eq!(samples[0].name, "mozilla-roots");
        assert_eq!(samples[0].contents[0], 0x30);
        assert!(TLS_SERVER_ROOT_CERTS.len() > 100);
        let rest: usize = samples[1..].iter().map(|sample| sample.contents.len()).sum();
        assert!(rest < 300_000, "{rest} octets of samples");
    }
}
