//! The shape of the tables.

/// Identifiers below one arc that one document or registry assigns.
pub(super) struct Family {
    /// The arc, dotted.
    pub(super) arc: &'static str,
    /// The document or registry.
    pub(super) source: &'static str,
    /// The numbers below the arc, dotted (empty for the arc itself), ascending; and the name.
    pub(super) names: &'static [(&'static str, &'static str)],
}
