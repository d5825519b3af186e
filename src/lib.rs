//! pkiscope: an oscilloscope for PKI, in a terminal.
//!
//! See `ARCHITECTURE.md` for the map. Imports go one way: `asn1` and `metrics` know nobody,
//! `pki` stands on them, `views` draws them, `app` composes.

pub mod app;
pub mod asn1;
pub mod metrics;
pub mod pki;
pub mod store;
pub mod views;
