//! Contents octets: bits.
