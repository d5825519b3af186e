//! PKCS #7 and CMS messages (RFC 2315, RFC 5652).
//!
//! The strict cursor reads them: what is BER goes through [`crate::asn1::ber::to_der`] first.

pub mod content;
pub mod envelope;
pub mod id;
pub mod signed;

pub use content::{Content, ContentInfo, Message};
pub use envelope::{EncryptedContent, Envelope};
pub use signed::{SignedData, SignerInfo};
