//! Certificate and CRL extensions (RFC 5280 4.2, 5.2, 5.3).

pub mod access;
pub mod alternative;
pub mod constraints;
pub mod distribution;
pub mod envelope;
pub mod general_name;
pub mod key;
pub mod misc;
pub mod ocsp;
pub mod payload;
pub mod policy;
pub mod qualified;
pub mod revocation;
pub mod sct;
pub mod value;
pub mod vendor;

pub use envelope::{Extension, Extensions};
pub use general_name::{GeneralName, GeneralNames};
pub use value::Value;
