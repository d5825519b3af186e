//! DER and schema checks over a whole object.
