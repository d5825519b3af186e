//! Contents octets: time.
