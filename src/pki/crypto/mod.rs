//! Crypto backends.

pub mod openssl;
