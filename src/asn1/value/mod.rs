//! Values of the universal types.

pub mod bits;
pub mod integer;
pub mod oid;
pub mod real;
pub mod string;
pub mod time;
