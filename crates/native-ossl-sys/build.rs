//! Checks the OpenSSL that `openssl-sys` chose, and tells `native-ossl` what it can do.
//!
//! Only the standard library is used. Nothing is linked here: `openssl-sys` does that.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// The lowest version with ML-DSA, as `OPENSSL_VERSION_NUMBER` writes 3.5.0.
const LOWEST: u64 = 0x3050_0000;
/// The bindings were made from a 3.x; a new major version may change what they declare.
const TOO_NEW: u64 = 0x4000_0000;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=DEP_OPENSSL_INCLUDE");
    println!("cargo::rerun-if-env-changed=DEP_OPENSSL_VERSION_NUMBER");

    check_version();
    let headers = Headers::find();
    announce(&headers);
    warn_when_nist_curves_are_slow(&headers);
}

/// Prints one line that says what is wrong, and stops the build.
fn stop(reason: &str) -> ! {
    println!("cargo::error={reason}");
    process::exit(1)
}

fn check_version() {
    let Some(text) = env::var("DEP_OPENSSL_VERSION_NUMBER").ok() else {
        stop("openssl-sys reports no OpenSSL version (LibreSSL, BoringSSL and AWS-LC do not do)");
    };
    let Ok(version) = u64::from_str_radix(&text, 16) else {
        stop(&format!("openssl-sys reports the OpenSSL version {text:?}, which is no number"));
    };
    let shown = format!("{}.{}.{}", version >> 28, version >> 20 & 0xff, version >> 4 & 0xffff);
    if version < LOWEST {
        stop(&format!(
            "OpenSSL {shown} has no ML-DSA: 3.5 or later is needed, or the default feature vendored-openssl"
        ));
    }
    if version >= TOO_NEW {
        stop(&format!("OpenSSL {shown} is newer than the bindings, which fit 3.5 to 3.x"));
    }
}

/// Tells native-ossl's build script which of its parts this OpenSSL supports.
fn announce(headers: &Headers) {
    for known in ["OSSL307", "OSSL310", "OSSL320", "OSSL350"] {
        println!("cargo::metadata={known}=1");
    }
    let core_names = headers.read("core_names.h");
    for (algorithm, flag) in
        [("ML_DSA", "OSSL_MLDSA"), ("ML_KEM", "OSSL_MLKEM"), ("SLH_DSA", "OSSL_SLHDSA")]
    {
        if core_names.contains(&format!("OSSL_PKEY_PARAM_{algorithm}_SEED")) {
            println!("cargo::metadata={flag}=1");
        } else if algorithm == "ML_DSA" {
            stop("this OpenSSL does not know ML-DSA");
        }
    }
}

/// P-384 and P-521 are up to 12 times slower without OpenSSL's 64-bit code for them.
fn warn_when_nist_curves_are_slow(headers: &Headers) {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let slow = headers.read("configuration.h").contains("define OPENSSL_NO_EC_NISTP_64_GCC_128");
    println!("cargo::rustc-check-cfg=cfg(slow_curves)");
    if slow && matches!(arch.as_str(), "x86_64" | "aarch64") {
        println!("cargo::rustc-cfg=slow_curves");
        println!(
            "cargo::warning=this OpenSSL was built without enable-ec_nistp_64_gcc_128: P-384 and \
             P-521 are slow. Build from the repository's folder, which has .cargo/config.toml, \
             after `cargo clean -p openssl-sys --release`"
        );
    }
}

/// Where OpenSSL's headers are: the folder that openssl-sys names, or the one beside it that
/// Debian keeps for what differs between architectures.
struct Headers {
    folders: Vec<PathBuf>,
}

impl Headers {
    fn find() -> Self {
        let Some(include) = env::var_os("DEP_OPENSSL_INCLUDE").map(PathBuf::from) else {
            stop("openssl-sys does not say where OpenSSL's headers are");
        };
        let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
        let debian = include.join(format!("{arch}-linux-gnu"));
        Self { folders: vec![include, debian] }
    }

    /// The text of `openssl/NAME`, empty when there is none.
    fn read(&self, name: &str) -> String {
        let path = |folder: &PathBuf| Path::new(folder).join("openssl").join(name);
        self.folders
            .iter()
            .find_map(|folder| fs::read_to_string(path(folder)).ok())
            .unwrap_or_default()
    }
}
