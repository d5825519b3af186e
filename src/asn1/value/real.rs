//! Contents octets: real.
