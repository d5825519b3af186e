//! `openssl` and `native-ossl` must bind to one OpenSSL, and to one that has ML-DSA. Two copies
//! in one process would each have their own providers, error queues and random generators.

use native_ossl::digest::DigestAlg;
use native_ossl::pkey::KeygenCtx;

/// 3.5.0, the first version with ML-DSA, as `OPENSSL_VERSION_NUMBER` writes it.
const LOWEST: i64 = 0x3050_0000;

#[test]
fn both_crates_report_one_version() -> Result<(), Box<dyn std::error::Error>> {
    let openssl = openssl::version::number();
    let native = i64::try_from(native_ossl_sys::version_number())?;
    println!("openssl:     {openssl:#x} {}", openssl::version::version());
    println!("native-ossl: {native:#x}");
    assert_eq!(openssl, native);
    assert!(openssl >= LOWEST, "{openssl:#x} has no ML-DSA");
    Ok(())
}

/// Equal versions could still be two copies: then the same function would have two addresses.
#[test]
fn both_crates_reach_one_copy() {
    let openssl = openssl_sys::EVP_PKEY_free as *const ();
    let native = native_ossl_sys::EVP_PKEY_free as *const ();
    assert_eq!(openssl, native);
}

#[test]
fn both_crates_digest_alike() -> Result<(), Box<dyn std::error::Error>> {
    let ours = openssl::sha::sha256(b"pkiscope");
    let theirs = DigestAlg::fetch(c"SHA2-256", None)?.digest_to_vec(b"pkiscope")?;
    assert_eq!(ours.as_slice(), theirs);
    Ok(())
}

#[test]
fn a_native_ossl_ml_dsa_key_opens_in_openssl() -> Result<(), Box<dyn std::error::Error>> {
    let key = KeygenCtx::new(c"ML-DSA-65")?.generate()?;
    let spki = key.public_key_to_der()?;
    let read = openssl::pkey::PKey::public_key_from_der(&spki)?;
    assert_eq!(read.public_key_to_der()?, spki);
    Ok(())
}
