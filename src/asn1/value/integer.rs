//! Contents octets: integer.
