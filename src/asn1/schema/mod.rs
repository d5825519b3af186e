//! The ASN.1 modules of the standards, as data: names, types and sources of every field.
//!
//! ```
//! use pkiscope::asn1::{Header, schema};
//! let validity = [0x30, 0x04, 0x17, 0x00, 0x17, 0x00];
//! let place = schema::root(&schema::types::VALIDITY);
//! let mut matcher = schema::Matcher::new(&place, &Header::read(&validity, 0).unwrap());
//! let first = matcher.step(&Header::read(&validity, 2).unwrap(), &validity);
//! assert_eq!((first.name, first.ty.name), ("notBefore", "UTCTime"));
//! assert_eq!(first.source(), "RFC 5280 4.1.2.5.1");
//! ```

pub mod algorithms;
pub mod attributes;
pub mod authenticode;
mod base;
pub mod cms;
pub mod crl;
pub mod extensions;
pub mod keys;
mod matcher;
mod model;
pub mod names;
pub mod ocsp;
mod oid;
mod open;
pub mod pkcs12;
mod places;
pub mod qualified;
pub mod request;
pub mod tsp;
pub mod types;
pub mod x509;

pub use matcher::{Head, Matcher, Place, Role, Segment, root};
pub use model::{Entry, Field, Key, Kind, Rules, Set, Source, Table, Tagging, Type};
pub use oid::Oid;
pub use places::Places;
pub use types::by_name;

#[cfg(test)]
mod tests;
