//! Certificates, CRLs, names and extensions: what real ones say, what each broken rule is
//! called, and that no damage makes the reading fail in another way than by an error.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod builder;
mod hostile;
mod keys;
mod roots;
mod rules;
mod shapes;
