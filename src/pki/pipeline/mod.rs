//! The certification authority as a pipeline of fifteen stages, measured.
//!
//! For every batch size a fresh CA issues N certificates, revokes them all in one CRL and
//! answers N OCSP requests; everything is verified from its DER, stored and read back.

pub mod crew;
mod error;
mod point;
pub mod products;
mod run;
mod settings;
mod stages;

pub use error::Error;
pub use run::{Context, backend, run};
pub use settings::{
    DEFAULT_SIZES, LARGEST_BATCH, Settings, SubscriberKeys, batch_size, parse_sizes, parse_time,
};
pub use stages::{STAGES, Stage};
