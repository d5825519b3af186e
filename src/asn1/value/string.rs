//! Contents octets: string.
