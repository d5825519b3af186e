//! Builders of certificates, CRLs, OCSP responses and requests, and the profiles that say what
//! goes into them.
//!
//! A template encodes once what its objects have in common. An object is a copy with its
//! variable parts filled in, written into a buffer that is used again, with room around it;
//! [`Unsigned::sign`] has the signature written straight into its place.

mod alternative;
mod authority;
mod backward;
mod certificate;
mod check;
mod crl;
mod csr;
mod dates;
mod envelope;
mod error;
mod extensions;
mod number;
mod ocsp;
mod pattern;
mod profile;
#[cfg(test)]
mod properties;
mod stencil;
mod subject;
#[cfg(test)]
mod testing;
mod text;
mod values;

pub use authority::Authority;
pub use certificate::CertificateTemplate;
pub use crl::CrlTemplate;
pub use csr::CsrTemplate;
pub use envelope::Unsigned;
pub use error::Error;
pub use number::{Serial, SerialPolicy};
pub use ocsp::OcspTemplate;
pub use profile::Profile;
