//! Measured runs: in the store, and the published references beside them.

mod error;
mod id;
mod save;
mod shelf;

pub use error::Error;
pub use id::RunId;
pub use save::{begin, finish};
pub use shelf::{Shelf, State, Stored};
