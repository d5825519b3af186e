//! The rows of a tree of which only opened nodes are known.
//!
//! Opening a node hops over its children's headers once and keeps where every 64th child
//! stands; nothing else is stored, so that a CRL of 100 MB opens in the time of one walk over
//! its revoked entries, and scrolling costs a few hops a row. Row numbers are `u64`.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::asn1::Header;
use crate::asn1::schema::{self, Matcher, Place, Type};
use crate::asn1::walk::{Node, Scanner};

/// Every so many children a position is kept.
const MARK_EVERY: u32 = 64;

/// Nodes with contents up to this many octets have their children counted while closed.
const COUNT_UP_TO: u32 = 4096;

/// One row of the tree.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The node.
    pub node: Node,
    /// What the schema says of it.
    pub place: Place,
    /// Its position among its siblings.
    pub ordinal: u32,
    /// Its children are shown.
    pub open: bool,
    /// How many children it has, where that is known or cheap to know.
    pub children: Option<u32>,
}

/// How the children of a node are named.
#[derive(Debug, Clone, Copy)]
enum Naming {
    /// By the schema of their parent.
    Schema(Matcher),
    /// The first one has this type, nothing is known of others beside it.
    Outermost(&'static Type),
}

impl Naming {
    /// True when a child's place does not depend on the children in front of it.
    fn seek(&mut self, ordinal: u32) -> bool {
        match self {
            Self::Schema(matcher) => matcher.seek(ordinal),
            Self::Outermost(_) => false,
        }
    }

    fn step(&mut self, ordinal: u32, header: &Header, object: &[u8]) -> Place {
        match self {
            Self::Schema(matcher) => matcher.step(header, object),
            Self::Outermost(ty) if ordinal == 0 => schema::root(ty),
            Self::Outermost(_) => Place::unknown(ordinal),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Mark {
    at: u32,
    naming: Naming,
}

/// The children of one opened node.
#[derive(Debug)]
struct Opened {
    limit: u32,
    indefinite: bool,
    /// Depth of the children.
    depth: u8,
    count: u32,
    marks: Vec<Mark>,
    open: Vec<OpenChild>,
    /// Children and all rows shown under them.
    rows: u64,
}

#[derive(Debug)]
struct OpenChild {
    ordinal: u32,
    /// Rows under the opened siblings in front of it.
    before: u64,
    inner: Box<Opened>,
}

/// What is needed to read nodes, shared by all levels.
struct Sight<'a> {
    object: &'a [u8],
    scanner: &'a mut Scanner,
    retyped: &'a HashMap<u32, &'static Type>,
}

impl Sight<'_> {
    /// Header (unless unreadable) and end of the value at `at`.
    fn skip(&mut self, at: u32, limit: u32) -> (Option<Header>, u32) {
        self.scanner.skip(self.object, at, limit)
    }

    fn place(&self, at: u32, place: Place) -> Place {
        self.retyped.get(&at).map_or(place, |ty| place.retyped(ty))
    }

    fn naming(&self, node: &Node, place: &Place) -> Option<Naming> {
        let within = self.object.get(..node.end as usize)?;
        let (header, _) = Header::read_clamped(within, node.start).ok()?;
        Some(Naming::Schema(Matcher::new(place, &header)))
    }
}

impl Opened {
    /// Counts the children from `first` to `limit` and keeps every 64th.
    fn new(
        sight: &mut Sight,
        first: u32,
        limit: u32,
        indefinite: bool,
        depth: u8,
        mut naming: Naming,
    ) -> Self {
        let mut opened = Self {
            limit,
            indefinite,
            depth,
            count: 0,
            marks: Vec::new(),
            open: Vec::new(),
            rows: 0,
        };
        let free = naming.seek(0);
        let mut at = first;
        while at < limit {
            if opened.count.is_multiple_of(MARK_EVERY) {
                if free {
                    naming.seek(opened.count);
                }
                opened.marks.push(Mark { at, naming });
            }
            let (header, end) = sight.skip(at, limit);
            if let (false, Some(header)) = (free, header) {
                naming.step(opened.count, &header, sight.object);
            }
            opened.count += 1;
            at = end;
        }
        opened.rows = u64::from(opened.count);
        opened
    }

    /// The children of `node`; `None` when it has none.
    fn of_node(sight: &mut Sight, node: &Node, place: &Place) -> Option<Self> {
        if !node.has_children() {
            return None;
        }
        let naming = sight.naming(node, place)?;
        let (first, depth) = (node.first_child(), node.depth.saturating_add(1));
        Some(Self::new(sight, first, node.end, node.indefinite, depth, naming))
    }

    /// The child `ordinal`.
    fn child(&self, sight: &mut Sight, ordinal: u32) -> Option<(Node, Place)> {
        let index = ordinal / MARK_EVERY;
        self.hop(sight, index, |n, _| n == ordinal).map(|(_, node, place)| (node, place))
    }

    /// The child that owns the octet at `offset`, with its ordinal.
    fn child_at(&self, sight: &mut Sight, offset: u32) -> Option<(u32, Node, Place)> {
        let index = self.marks.partition_point(|m| m.at <= offset).checked_sub(1)?;
        self.hop(sight, u32::try_from(index).ok()?, |_, end| offset < end)
    }

    /// Hops from a mark to the first child for which `found(ordinal, end)` is true.
    fn hop(
        &self,
        sight: &mut Sight,
        mark: u32,
        found: impl Fn(u32, u32) -> bool,
    ) -> Option<(u32, Node, Place)> {
        let Mark { mut at, mut naming } = *self.marks.get(mark as usize)?;
        for ordinal in mark * MARK_EVERY..self.count {
            let (header, end) = sight.skip(at, self.limit);
            let place = header.map(|h| naming.step(ordinal, &h, sight.object));
            if found(ordinal, end) {
                let node =
                    sight.scanner.node(sight.object, at, self.limit, self.indefinite, self.depth);
                let place = place.unwrap_or(Place::unknown(ordinal));
                return Some((ordinal, node, sight.place(at, place)));
            }
            at = end;
        }
        None
    }

    fn opened(&self, ordinal: u32) -> Option<&OpenChild> {
        let at = self.open.binary_search_by_key(&ordinal, |o| o.ordinal).ok()?;
        self.open.get(at)
    }

    fn opened_mut(&mut self, ordinal: u32) -> Option<&mut Opened> {
        let at = self.open.binary_search_by_key(&ordinal, |o| o.ordinal).ok()?;
        self.open.get_mut(at).map(|o| &mut *o.inner)
    }

    fn recount(&mut self) {
        let mut before = 0;
        for child in &mut self.open {
            child.before = before;
            before += child.inner.rows;
        }
        self.rows = u64::from(self.count) + before;
    }

    /// Opens all that is below, in pre-order, while there is room for rows.
    fn open_all(&mut self, sight: &mut Sight, room: &mut u64) {
        for ordinal in 0..self.count {
            if *room == 0 {
                break;
            }
            let Some((node, place)) = self.child(sight, ordinal) else { break };
            let position = self.open.binary_search_by_key(&ordinal, |o| o.ordinal);
            let at = match position {
                Ok(at) => at,
                Err(at) => {
                    let Some(inner) = Self::of_node(sight, &node, &place) else { continue };
                    *room = room.saturating_sub(inner.rows);
                    self.open.insert(at, OpenChild { ordinal, before: 0, inner: Box::new(inner) });
                    at
                }
            };
            if let Some(child) = self.open.get_mut(at) {
                child.inner.open_all(sight, room);
            }
        }
        self.recount();
    }
}

/// The visible rows of one object.
#[derive(Debug)]
pub struct Outline {
    scanner: RefCell<Scanner>,
    retyped: HashMap<u32, &'static Type>,
    nested: bool,
    root: Opened,
}

/// The way to a row: ordinals from the outermost value down.
type Way = Vec<u32>;

impl Outline {
    /// The outermost values of `object`, closed; `ty` is the schema of the first one.
    ///
    /// `nested` looks into OCTET STRINGs and BIT STRINGs that hold exactly one value.
    #[must_use]
    pub fn new(object: &[u8], ty: &'static Type, nested: bool) -> Self {
        let mut scanner = Scanner::new(nested);
        let limit = u32::try_from(object.len()).unwrap_or(u32::MAX);
        let retyped = HashMap::new();
        let mut sight = Sight { object, scanner: &mut scanner, retyped: &retyped };
        let root = Opened::new(&mut sight, 0, limit, false, 0, Naming::Outermost(ty));
        Self { scanner: RefCell::new(scanner), retyped, nested, root }
    }

    /// True when strings that hold one value are looked into.
    #[must_use]
    pub const fn is_nested(&self) -> bool {
        self.nested
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.root.rows
    }

    /// The row at `index`.
    #[must_use]
    pub fn row(&self, object: &[u8], index: u64) -> Option<Row> {
        let way = self.way(index)?;
        let (ordinal, parents) = way.split_last()?;
        let mut level = &self.root;
        for step in parents {
            level = &level.opened(*step)?.inner;
        }
        self.look(object, level, *ordinal)
    }

    fn look(&self, object: &[u8], level: &Opened, ordinal: u32) -> Option<Row> {
        let mut scanner = self.scanner.borrow_mut();
        let mut sight = Sight { object, scanner: &mut scanner, retyped: &self.retyped };
        let (node, place) = level.child(&mut sight, ordinal)?;
        let opened = level.opened(ordinal);
        let children = match opened {
            Some(child) => Some(child.inner.count),
            None if !node.has_children() => None,
            None if node.contents().len() <= COUNT_UP_TO => {
                Some(sight.scanner.count_children(object, &node, u32::MAX))
            }
            None => None,
        };
        Some(Row { node, place, ordinal, open: opened.is_some(), children })
    }

    /// The ordinals that lead to row `index`.
    fn way(&self, index: u64) -> Option<Way> {
        if index >= self.root.rows {
            return None;
        }
        let mut way = Vec::new();
        let mut level = &self.root;
        let mut index = index;
        loop {
            // Row of opened child i inside this level: its ordinal and the rows before it.
            let i = level.open.partition_point(|o| u64::from(o.ordinal) + o.before < index);
            let Some(child) = i.checked_sub(1).and_then(|i| level.open.get(i)) else {
                way.push(u32::try_from(index).ok()?);
                return Some(way);
            };
            let at = u64::from(child.ordinal) + child.before;
            if index - at <= child.inner.rows {
                way.push(child.ordinal);
                index -= at + 1;
                level = &child.inner;
            } else {
                way.push(u32::try_from(index - child.before - child.inner.rows).ok()?);
                return Some(way);
            }
        }
    }

    /// The row to which `way` leads.
    fn index(&self, way: &[u32]) -> Option<u64> {
        let mut level = &self.root;
        let mut index = 0;
        for (depth, ordinal) in way.iter().enumerate() {
            let i = level.open.partition_point(|o| o.ordinal < *ordinal);
            let before = match i.checked_sub(1).and_then(|i| level.open.get(i)) {
                Some(sibling) => sibling.before + sibling.inner.rows,
                None => 0,
            };
            index += u64::from(*ordinal) + before + u64::from(depth > 0);
            if depth + 1 < way.len() {
                level = &level.opened(*ordinal)?.inner;
            }
        }
        Some(index)
    }

    /// The row of the node that encloses row `index`.
    #[must_use]
    pub fn parent(&self, index: u64) -> Option<u64> {
        let mut way = self.way(index)?;
        way.pop();
        if way.is_empty() { None } else { self.index(&way) }
    }

    /// The nodes that enclose row `index`, the outermost first, without the row itself.
    #[must_use]
    pub fn ancestors(&self, object: &[u8], index: u64) -> Vec<Row> {
        let Some(way) = self.way(index) else { return Vec::new() };
        let mut level = &self.root;
        let mut rows = Vec::new();
        for ordinal in &way[..way.len().saturating_sub(1)] {
            rows.extend(self.look(object, level, *ordinal));
            match level.opened(*ordinal) {
                Some(child) => level = &child.inner,
                None => break,
            }
        }
        rows
    }

    /// Opens row `index`; says whether that changed anything.
    pub fn open(&mut self, object: &[u8], index: u64) -> bool {
        self.way(index).is_some_and(|way| self.open_way(object, &way))
    }

    fn open_way(&mut self, object: &[u8], way: &[u32]) -> bool {
        let Self { scanner, retyped, root, .. } = self;
        let mut sight = Sight { object, scanner: scanner.get_mut(), retyped };
        change(root, way, |level, ordinal| {
            let Err(at) = level.open.binary_search_by_key(&ordinal, |o| o.ordinal) else {
                return false;
            };
            let inner = level
                .child(&mut sight, ordinal)
                .and_then(|(node, place)| Opened::of_node(&mut sight, &node, &place));
            let Some(inner) = inner else { return false };
            level.open.insert(at, OpenChild { ordinal, before: 0, inner: Box::new(inner) });
            true
        })
    }

    /// Closes row `index`; says whether that changed anything.
    pub fn close(&mut self, index: u64) -> bool {
        let Some(way) = self.way(index) else { return false };
        change(&mut self.root, &way, |level, ordinal| {
            let at = level.open.binary_search_by_key(&ordinal, |o| o.ordinal);
            at.map(|at| level.open.remove(at)).is_ok()
        })
    }

    /// Opens row `index` and all below it until `room` rows are added; says whether all of it
    /// is open now.
    pub fn open_below(&mut self, object: &[u8], index: u64, room: u64) -> bool {
        let Some(way) = self.way(index) else { return true };
        let mut left = room;
        self.open_way(object, &way);
        let Self { scanner, retyped, root, .. } = self;
        let mut sight = Sight { object, scanner: scanner.get_mut(), retyped };
        change(root, &way, |level, ordinal| {
            if let Some(inner) = level.opened_mut(ordinal) {
                left = left.saturating_sub(inner.rows);
                inner.open_all(&mut sight, &mut left);
            }
            true
        });
        left > 0
    }

    /// Opens everything until there are about `room` rows; says whether all is open now.
    pub fn open_all(&mut self, object: &[u8], room: u64) -> bool {
        let mut left = room.saturating_sub(self.root.rows);
        let Self { scanner, retyped, root, .. } = self;
        let mut sight = Sight { object, scanner: scanner.get_mut(), retyped };
        root.open_all(&mut sight, &mut left);
        left > 0
    }

    /// Closes everything.
    pub fn close_all(&mut self) {
        self.root.open.clear();
        self.root.recount();
    }

    /// Opens what encloses the innermost node that owns the octet at `offset`, and gives its
    /// row.
    pub fn reveal(&mut self, object: &[u8], offset: u32) -> Option<u64> {
        let mut way = Vec::new();
        loop {
            let level = way.iter().try_fold(&self.root, |level, ordinal| {
                level.opened(*ordinal).map(|child| &*child.inner)
            })?;
            let mut scanner = self.scanner.borrow_mut();
            let mut sight = Sight { object, scanner: &mut scanner, retyped: &self.retyped };
            let (ordinal, node, _) = level.child_at(&mut sight, offset)?;
            drop(scanner);
            way.push(ordinal);
            if !node.has_children() || offset < node.first_child() {
                return self.index(&way);
            }
            self.open_way(object, &way);
        }
    }

    /// Reads row `index` as a value of type `ty` from now on, or as the schema says for `None`.
    pub fn retype(&mut self, object: &[u8], index: u64, ty: Option<&'static Type>) {
        let Some(row) = self.row(object, index) else { return };
        match ty {
            Some(ty) => self.retyped.insert(row.node.start, ty),
            None => self.retyped.remove(&row.node.start),
        };
        if self.close(index) {
            self.open(object, index);
        }
    }
}

/// Applies `act` at the level and ordinal where `way` ends, and recounts on the way back.
fn change(root: &mut Opened, way: &[u32], act: impl FnOnce(&mut Opened, u32) -> bool) -> bool {
    // The way is at most MAX_DEPTH long: nodes below it are closed.
    let changed = match way {
        [] => false,
        [ordinal] => act(root, *ordinal),
        [ordinal, rest @ ..] => {
            root.opened_mut(*ordinal).is_some_and(|inner| change(inner, rest, act))
        }
    };
    root.recount();
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::schema::types::ANY;
    use crate::asn1::walk::Walker;

    // SEQUENCE { SEQUENCE { INTEGER 5, NULL }, OCTET STRING { NULL }, BOOLEAN }
    const DER: [u8; 16] = [0x30, 14, 0x30, 5, 2, 1, 5, 5, 0, 4, 2, 5, 0, 1, 1, 0xff];

    fn starts(outline: &Outline, object: &[u8]) -> Vec<u32> {
        (0..outline.rows()).filter_map(|i| outline.row(object, i)).map(|r| r.node.start).collect()
    }

    #[test]
    fn opens_and_closes_rows() {
        let mut outline = Outline::new(&DER, &ANY, true);
        assert_eq!(starts(&outline, &DER), [0]);
        assert!(outline.open(&DER, 0));
        assert!(!outline.open(&DER, 0), "already open");
        assert_eq!(starts(&outline, &DER), [0, 2, 9, 13]);
        assert!(outline.open(&DER, 2));
        assert!(outline.open(&DER, 1));
        assert_eq!(starts(&outline, &DER), [0, 2, 4, 7, 9, 11, 13]);
        assert!(!outline.open(&DER, 6), "a BOOLEAN has no children");
        assert_eq!(outline.parent(5), Some(4));
        assert_eq!(outline.parent(6), Some(0));
        assert_eq!(outline.parent(0), None);
        assert!(outline.close(1));
        assert_eq!(starts(&outline, &DER), [0, 2, 9, 11, 13]);
    }

    #[test]
    fn reveals_an_octet() {
        let mut outline = Outline::new(&DER, &ANY, true);
        assert_eq!(outline.reveal(&DER, 12), Some(3));
        assert_eq!(starts(&outline, &DER), [0, 2, 9, 11, 13]);
        assert_eq!(outline.reveal(&DER, 6), Some(2));
        assert_eq!(outline.reveal(&DER, 1), Some(0));
        assert_eq!(outline.reveal(&DER, 16), None);
        let ancestors: Vec<_> =
            outline.ancestors(&DER, 2).iter().map(|row| row.node.start).collect();
        assert_eq!(ancestors, [0, 2]);
    }

    #[test]
    fn everything_open_is_the_whole_walk() {
        let mut wide = vec![0x30, 0x82, 0x07, 0xd0];
        for i in 0..200_u8 {
            wide.extend_from_slice(&[0x30, 8, 0x30, 3, 2, 1, i & 0x7f, 4, 1, 0]);
        }
        for object in [&DER[..], &wide, &wide[..999], &[0x30, 0x80, 5, 0, 0, 0, 5, 0]] {
            let mut outline = Outline::new(object, &ANY, true);
            assert!(outline.open_all(object, 1_000_000));
            let walked: Vec<_> = Walker::new(object, true).collect();
            let rows: Vec<_> = (0..outline.rows())
                .filter_map(|i| outline.row(object, i))
                .map(|r| r.node)
                .collect();
            assert_eq!(rows, walked);
            for (i, node) in walked.iter().enumerate() {
                assert_eq!(outline.reveal(object, node.start), Some(i as u64));
            }
            outline.close_all();
            assert!(outline.rows() <= 2);
        }
    }

    #[test]
    fn opening_everything_stops_when_there_is_no_room() {
        let wide = [0x30, 2, 5, 0].repeat(1000);
        let mut outline = Outline::new(&wide, &ANY, true);
        assert!(!outline.open_all(&wide, 1100));
        assert!(outline.rows() < 1200);
    }

    #[test]
    fn a_row_can_be_read_as_another_type() {
        let mut outline = Outline::new(&DER, &ANY, true);
        outline.open(&DER, 0);
        outline.retype(&DER, 1, Some(&schema::types::ECDSA_SIG_VALUE));
        outline.open(&DER, 1);
        assert_eq!(outline.row(&DER, 2).unwrap().place.name, "r");
        outline.retype(&DER, 1, None);
        assert_eq!(outline.row(&DER, 2).unwrap().place.name, "");
    }
}
