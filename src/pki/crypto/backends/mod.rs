//! The crypto libraries that this build has.
//!
//! [`NativeOssl`] and [`OpenSsl`] reach the one OpenSSL of this program by two crates;
//! [`AwsLc`] has a library of its own. Each owns its contexts by worker: what a signer, a
//! verifier or a key generator needs is made when it is made, and used again for every item.

mod aws_lc_crate;
mod form;
mod native_ossl_crate;
mod openssl_crate;
#[cfg(test)]
mod tests;

pub use aws_lc_crate::AwsLc;
pub use native_ossl_crate::NativeOssl;
pub use openssl_crate::OpenSsl;

use super::backend::Backend;

/// Every backend, the default first.
pub static ALL: [&dyn Backend; 3] = [&NativeOssl, &OpenSsl, &AwsLc];

/// The backend of this name.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static dyn Backend> {
    ALL.into_iter().find(|backend| backend.id() == id)
}

/// Which libraries are in use, for the record of a measurement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    /// As `OpenSSL 3.6.3`.
    pub openssl: String,
    /// As `AWS-LC 5.12.0`.
    pub aws_lc: String,
    /// OpenSSL was built without its 64-bit code for P-384 and P-521 although this machine
    /// could run it: these curves are several times slower than elsewhere.
    pub slow_curves: bool,
}

/// Asks the libraries for their versions.
#[must_use]
pub fn versions() -> Versions {
    Versions {
        openssl: OpenSsl.version(),
        aws_lc: AwsLc.version(),
        slow_curves: native_ossl_sys::SLOW_CURVES,
    }
}
