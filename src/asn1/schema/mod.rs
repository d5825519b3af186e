//! Field names and types by structure.
