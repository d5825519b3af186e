//! The places of the nodes that a [`Walker`](crate::asn1::walk::Walker) gives.

use crate::asn1::schema::matcher::{Matcher, Place, root};
use crate::asn1::schema::model::Type;
use crate::asn1::walk::Node;

/// Follows a walk in pre-order and tells the place of each node.
///
/// Children may be left out, as [`Walker::skip_children`](crate::asn1::walk::Walker) does;
/// siblings may not.
#[derive(Debug, Clone)]
pub struct Places {
    ty: &'static Type,
    /// The matchers of the nodes that are open, outermost first: as deep as the walk.
    open: Vec<Matcher>,
    values: u32,
}

impl Places {
    /// The places in an object whose outermost value is of type `ty`.
    #[must_use]
    pub fn new(ty: &'static Type) -> Self {
        Self { ty, open: Vec::new(), values: 0 }
    }

    /// The place of the next node of the walk over `object`.
    pub fn next(&mut self, node: &Node, object: &[u8]) -> Place {
        self.open.truncate(usize::from(node.depth));
        let place = match self.open.last_mut() {
            Some(matcher) => matcher.step(node, object),
            None if self.values == 0 => root(self.ty),
            None => Place::unknown(self.values),
        };
        if node.depth == 0 {
            self.values = self.values.saturating_add(1);
        }
        if node.has_children() {
            self.open(&place, node);
        }
        place
    }

    /// Says that the children of a node follow though the walk gave it as closed: of a string
    /// that holds a value by the schema, opened by
    /// [`Walker::open_last`](crate::asn1::walk::Walker::open_last).
    pub fn open(&mut self, place: &Place, node: &Node) {
        self.open.push(Matcher::new(place, node));
    }
}
