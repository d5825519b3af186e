//! What a view says, as serialisable records.
