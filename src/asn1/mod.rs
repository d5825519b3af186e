//! DER and BER: headers, cursor, tree index, values, names, schema, text.
//!
//! Offsets are `u32` positions from the first octet of the object that is read (an object is
//! at most 4 GiB - 1 octets; where it stands in its file is the caller's business). Nothing
//! here knows what a certificate is, nor that there is a screen.

pub mod ber;
pub mod check;
pub mod ends;
pub mod export;
pub mod findings;
pub mod header;
pub mod names;
pub mod nav;
pub mod nested;
pub mod outline;
pub mod pem;
pub mod reader;
pub mod rule;
mod scan;
pub mod schema;
pub mod search;
pub mod show;
pub mod sniff;
pub mod tag;
pub mod text;
pub mod tree;
pub mod value;
pub mod walk;
pub mod writer;

pub use findings::Findings;
pub use header::Header;
pub use reader::{Reader, Span, Tlv};
pub use rule::{Error, Finding, Rule};
pub use tag::{Class, Tag};
pub use tree::Tree;
pub use walk::{Node, Walker};
