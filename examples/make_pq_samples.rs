//! Writes the post-quantum samples: `make_pq_samples FOLDER`. Called by `fixtures/make.sh`,
//! because the `openssl` command of most systems is older than these algorithms.

use std::error::Error;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

use native_ossl::pkey::KeygenCtx;
use openssl::asn1::Asn1Time;
use openssl::bn::BigNum;
use openssl::hash::MessageDigest;
use openssl::pkey::{PKey, PKeyRef, Private};
use openssl::x509::extension::{BasicConstraints, KeyUsage, SubjectKeyIdentifier};
use openssl::x509::{X509, X509Name, X509Req};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let folder = env::args().nth(1).map(PathBuf::from).ok_or("usage: make_pq_samples FOLDER")?;

    let (ml_dsa, ml_dsa_pkcs8) = generate(c"ML-DSA-65")?;
    let ml_dsa_root = certificate("Example ML-DSA Root", &ml_dsa, None, 1)?;
    write(&folder, "certificate-ml-dsa-65.der", &ml_dsa_root.to_der()?)?;
    write(&folder, "key-ml-dsa-65-both.pk8", &ml_dsa_pkcs8)?;
    write(&folder, "key-ml-dsa-65-seed.pk8", &seed_only(&ml_dsa_pkcs8)?)?;

    let (slh_dsa, slh_dsa_pkcs8) = generate(c"SLH-DSA-SHA2-128s")?;
    let slh_dsa_root = certificate("Example SLH-DSA Root", &slh_dsa, None, 2)?;
    write(&folder, "certificate-slh-dsa-sha2-128s.der", &slh_dsa_root.to_der()?)?;
    write(&folder, "key-slh-dsa-sha2-128s.pk8", &slh_dsa_pkcs8)?;

    let (ml_kem, ml_kem_pkcs8) = generate(c"ML-KEM-768")?;
    let issuer = Some((&ml_dsa_root, &*ml_dsa));
    let ml_kem_leaf = certificate("kem.example.com", &ml_kem, issuer, 3)?;
    write(&folder, "certificate-ml-kem-768.der", &ml_kem_leaf.to_der()?)?;
    write(&folder, "key-ml-kem-768.pk8", &ml_kem_pkcs8)?;
    write(&folder, "public-key-ml-kem-768.der", &ml_kem.public_key_to_der()?)?;

    let (small, _) = generate(c"ML-DSA-44")?;
    let mut request = X509Req::builder()?;
    request.set_subject_name(name("pq.example.com")?.as_ref())?;
    request.set_pubkey(&small)?;
    request.sign(&small, no_digest())?;
    write(&folder, "csr-ml-dsa-44.der", &request.build().to_der()?)
}

/// A new key, and its PKCS#8 form.
fn generate(algorithm: &CStr) -> Outcome<(PKey<Private>, Vec<u8>)> {
    let pkcs8 = KeygenCtx::new(algorithm)?.generate()?.to_pkcs8_der()?;
    Ok((PKey::private_key_from_pkcs8(&pkcs8)?, pkcs8))
}

/// A certificate for `key`: self-signed, of an authority, when there is no issuer.
fn certificate(
    subject: &str,
    key: &PKeyRef<Private>,
    issuer: Option<(&X509, &PKeyRef<Private>)>,
    serial: u32,
) -> Outcome<X509> {
    let subject = name(subject)?;
    let mut builder = X509::builder()?;
    builder.set_version(2)?;
    let serial = BigNum::from_u32(serial)?.to_asn1_integer()?;
    builder.set_serial_number(&serial)?;
    let from = Asn1Time::from_str_x509("20260101000000Z")?;
    let to = Asn1Time::from_str_x509("20360101000000Z")?;
    builder.set_not_before(&from)?;
    builder.set_not_after(&to)?;
    builder.set_subject_name(&subject)?;
    builder.set_issuer_name(issuer.map_or(&*subject, |(issuer, _)| issuer.subject_name()))?;
    builder.set_pubkey(key)?;
    if issuer.is_none() {
        builder.append_extension(BasicConstraints::new().critical().ca().build()?)?;
    }
    let usage = match issuer {
        None => KeyUsage::new().critical().key_cert_sign().crl_sign().build()?,
        Some(_) => KeyUsage::new().critical().key_encipherment().build()?,
    };
    builder.append_extension(usage)?;
    let identifier = {
        let context = builder.x509v3_context(issuer.map(|(issuer, _)| &**issuer), None);
        SubjectKeyIdentifier::new().build(&context)?
    };
    builder.append_extension(identifier)?;
    builder.sign(issuer.map_or(key, |(_, key)| key), no_digest())?;
    Ok(builder.build())
}

fn name(common_name: &str) -> Outcome<X509Name> {
    let mut name = X509Name::builder()?;
    name.append_entry_by_text("O", "Example GmbH")?;
    name.append_entry_by_text("CN", common_name)?;
    Ok(name.build())
}

/// These algorithms sign the message itself.
fn no_digest() -> MessageDigest {
    MessageDigest::null()
}

/// The same ML-DSA-65 key with its seed alone (RFC 9881 section 6, `seed [0] OCTET STRING`).
/// OpenSSL writes the form with both, `SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING }`.
fn seed_only(both: &[u8]) -> Outcome<Vec<u8>> {
    const HEADER: &[u8] = &[
        0x30, 0x34, 0x02, 0x01, 0x00, // version
        0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03,
        0x12, // ML-DSA-65
        0x04, 0x22, 0x80, 0x20, // privateKey, seed
    ];
    // The first OCTET STRING of 32 octets after the algorithm.
    let at = both.windows(2).position(|pair| pair == [0x04, 0x20]).ok_or("no seed")?;
    let seed = both.get(at + 2..at + 34).ok_or("a short seed")?;
    Ok([HEADER, seed].concat())
}

fn write(folder: &Path, name: &str, octets: &[u8]) -> Outcome<()> {
    Ok(fs::write(folder.join(name), octets)?)
}
