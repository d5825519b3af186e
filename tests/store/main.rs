//! The store from outside: rows against a model, kill -9, full disks, two processes, and the
//! commands that list and get what is stored.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic, in its helpers too")]

mod beside;
mod child;
mod commands;
mod full;
mod kill;
mod model;
mod processes;
mod support;
