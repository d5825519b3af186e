//! Contents octets: oid.
