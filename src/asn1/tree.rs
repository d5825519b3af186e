//! The flat arena index of one object: all its nodes in pre-order, 16 octets each.
//!
//! Offsets are sorted in pre-order, so the first child is the next index, the next sibling is
//! found by binary search for the content's end, and an offset finds its node the same way.
//! Tags and lengths are read again from the object when a node is asked for.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::asn1::walk::{Kind, Node, Walker};
use crate::asn1::{Error, Header, Tag};

/// Index of a node in its [`Tree`].
pub type NodeId = u32;

/// How many nodes are indexed between two looks at the cancel flag.
const CANCEL_EVERY: u32 = 0xffff;

const INDEFINITE: u8 = 1;

/// What to index, and how much of it.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// Look into OCTET STRINGs and BIT STRINGs that hold exactly one value.
    pub nested: bool,
    /// Stop after this many nodes; the tree then says that it is not complete.
    pub max_nodes: u32,
    /// Stop when this becomes true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { nested: true, max_nodes: u32::MAX, cancel: None }
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    parent: u32,
    kind: Kind,
    depth: u8,
    header_len: u8,
    flags: u8,
}

/// The index. It holds no octets of the object: every question takes the object along.
#[derive(Debug, Default)]
pub struct Tree {
    entries: Vec<Entry>,
    errors: Vec<(NodeId, Error)>,
    complete: bool,
}

impl Tree {
    /// Indexes all nodes of `object`, whole or broken, in one pass without recursion.
    #[must_use]
    pub fn index(object: &[u8], options: &Options<'_>) -> Self {
        let mut tree = Self { complete: true, ..Self::default() };
        let mut path: Vec<NodeId> = Vec::new();
        for node in Walker::new(object, options.nested) {
            let id = tree.len();
            let cancelled = id & CANCEL_EVERY == CANCEL_EVERY
                && options.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed));
            if id >= options.max_nodes || cancelled {
                tree.complete = false;
                break;
            }
            path.truncate(usize::from(node.depth));
            tree.entries.push(Entry {
                start: node.start,
                end: node.end,
                parent: path.last().copied().unwrap_or(id),
                kind: node.kind,
                depth: node.depth,
                header_len: u8::try_from(node.header_len()).unwrap_or(u8::MAX),
                flags: if node.indefinite { INDEFINITE } else { 0 },
            });
            if let Some(error) = node.error {
                tree.errors.push((id, error));
            }
            path.push(id);
        }
        tree
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// True when there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// False when indexing stopped at the node budget or was cancelled.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The node `id` of the indexed `object`; `None` when there is no such node.
    #[must_use]
    pub fn node(&self, object: &[u8], id: NodeId) -> Option<Node> {
        let entry = self.entries.get(id as usize)?;
        let header = Header::read_clamped(object, entry.start).ok().map(|(h, _)| h);
        let content = entry.start + u32::from(entry.header_len);
        Some(Node {
            tag: header.map_or(Tag::universal(0), |h| h.tag),
            kind: entry.kind,
            depth: entry.depth,
            indefinite: entry.flags & INDEFINITE != 0,
            start: entry.start,
            length_at: header.map_or(entry.start, |h| h.length_at),
            content,
            end: entry.end,
            error: self.error(id),
        })
    }

    fn error(&self, id: NodeId) -> Option<Error> {
        let at = self.errors.binary_search_by_key(&id, |(node, _)| *node).ok()?;
        self.errors.get(at).map(|(_, error)| *error)
    }

    /// Every node that stops the reading, with its error.
    #[must_use]
    pub fn errors(&self) -> &[(NodeId, Error)] {
        &self.errors
    }

    /// The innermost node that owns the octet at `offset`.
    #[must_use]
    pub fn at_offset(&self, offset: u32) -> Option<NodeId> {
        let last = self.entries.partition_point(|e| e.start <= offset).checked_sub(1)?;
        let mut id = NodeId::try_from(last).ok()?;
        while self.entries.get(id as usize)?.end <= offset {
            id = self.parent(id)?;
        }
        Some(id)
    }

    /// The node that encloses `id`; `None` for an outermost value.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.entries.get(id as usize)?.parent;
        (parent != id).then_some(parent)
    }

    /// The next node in the same enclosing value.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let entry = self.entries.get(id as usize)?;
        let after = &self.entries[id as usize..];
        let next = id as usize + after.partition_point(|e| e.start < entry.end);
        let sibling = self.entries.get(next)?;
        let next = u32::try_from(next).ok()?;
        let same = match self.parent(id) {
            Some(parent) => sibling.parent == parent,
            None => sibling.depth == 0,
        };
        same.then_some(next)
    }

    /// The nodes directly inside `id`, in order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let first = id + 1;
        let has = self.entries.get(first as usize).is_some_and(|e| e.parent == id && first != id);
        std::iter::successors(has.then_some(first), |child| self.next_sibling(*child))
    }

    /// The way from the outermost value to `id`, both included.
    #[must_use]
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |node| self.parent(*node)).collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SEQUENCE { SEQUENCE { INTEGER 5, NULL }, OCTET STRING { NULL }, BOOLEAN }
    const DER: [u8; 16] = [0x30, 14, 0x30, 5, 2, 1, 5, 5, 0, 4, 2, 5, 0, 1, 1, 0xff];

    #[test]
    fn an_entry_is_sixteen_octets() {
        assert_eq!(std::mem::size_of::<Entry>(), 16);
    }

    #[test]
    fn finds_relatives_and_offsets() {
        let tree = Tree::index(&DER, &Options::default());
        assert_eq!(tree.len(), 7);
        assert_eq!(tree.children(0).collect::<Vec<_>>(), [1, 4, 6]);
        assert_eq!(tree.children(1).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(tree.children(6).count(), 0);
        assert_eq!(tree.parent(0), None);
        assert_eq!(tree.path(5), [0, 4, 5]);
        let owners: Vec<_> = (0..16).map(|o| tree.at_offset(o)).collect();
        assert_eq!(owners, [0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6].map(Some));
        assert_eq!(tree.at_offset(16), None);
    }

    #[test]
    fn nodes_are_those_of_the_walk() {
        for object in [&DER[..], &DER[..9], &[0x30, 0x80, 5, 0, 0, 0, 2], &[]] {
            let tree = Tree::index(object, &Options::default());
            let again: Vec<_> = (0..tree.len()).filter_map(|id| tree.node(object, id)).collect();
            assert_eq!(again, Walker::new(object, true).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_budget_and_a_cancel_flag_stop_it() {
        let tree = Tree::index(&DER, &Options { max_nodes: 3, ..Options::default() });
        assert_eq!((tree.len(), tree.is_complete()), (3, false));
        let flag = AtomicBool::new(true);
        let zeros = [5, 0].repeat(100_000);
        let options = Options { cancel: Some(&flag), ..Options::default() };
        assert!(!Tree::index(&zeros, &options).is_complete());
    }

    #[test]
    fn several_values_stand_side_by_side() {
        let two = [5, 0, 0x30, 2, 5, 0];
        let tree = Tree::index(&two, &Options::default());
        assert_eq!(tree.next_sibling(0), Some(1));
        assert_eq!(tree.parent(1), None);
        assert_eq!(tree.next_sibling(1), None);
    }
}
