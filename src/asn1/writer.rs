//! The DER writer.
