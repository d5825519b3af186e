//! OCSP requests and responses (RFC 6960).

pub mod common;
pub mod request;
pub mod response;

pub use common::CertId;
pub use request::Request;
pub use response::{Basic, Response, Status};
