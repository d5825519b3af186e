//! pkiscope: an oscilloscope for PKI, in a terminal.
//!
//! See `ARCHITECTURE.md` for the map. Imports go one way: `asn1` knows nobody, `pki` stands
//! on it, `views` draws them, `app` composes.

pub mod app;
pub mod asn1;
pub mod pki;
pub mod views;
