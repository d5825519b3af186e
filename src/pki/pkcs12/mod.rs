//! PKCS #12 containers (RFC 7292).

pub mod bag;
pub mod mac;
pub mod pfx;

pub use bag::{Bag, BagKind};
pub use mac::Mac;
pub use pfx::{Pfx, Safe};
