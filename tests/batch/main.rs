//! The batch contract: what scripts may count on, and what hostile input must not do.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests may panic")]

mod formats;
mod generator;
mod hostile;
mod names;
mod outcomes;
mod schemas;
mod support;
