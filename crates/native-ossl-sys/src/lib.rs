//! OpenSSL's C interface as `native-ossl` wants it, bound to the one OpenSSL of this program.
//!
//! The declarations were generated once (see the README) and are checked in, so a build needs
//! no libclang. `openssl-sys` builds or finds the library and is the only crate that gives the
//! linker its name; naming it here keeps it in the link.

#![allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, rustdoc::all)]
#![no_std]

#[cfg(feature = "fips-provider")]
compile_error!("fips-provider needs OpenSSL's private headers, which this crate does not have");

extern crate openssl_sys;

include!("bindings.rs");

/// The version of the OpenSSL that these bindings reach, as `OPENSSL_VERSION_NUMBER` writes it:
/// 0x30600030 for 3.6.3.
pub fn version_number() -> u64 {
    // SAFETY: the C function takes no argument and returns a constant of the library.
    u64::from(unsafe { OpenSSL_version_num() })
}

/// This machine could run OpenSSL's 64-bit code for P-384 and P-521, but the library was built
/// without it.
pub const SLOW_CURVES: bool = cfg!(slow_curves);
