//! Paths: from an offset to the names of the nodes around it, and back.
//!
//! A path is the fields of the schema joined by dots, with the position of list elements and
//! of what the schema does not know in brackets:
//! `tbsCertificate.extensions[3].extnValue.basicConstraints.cA`. The outermost value has the
//! empty path; the value in an EXPLICIT tag has that of the tag. The nodes are those of
//! [`Walker`], so a path has at most [`MAX_DEPTH`](crate::asn1::walk::MAX_DEPTH) names.

use std::fmt::Write;

use crate::asn1::schema::{Place, Places, Type};
use crate::asn1::walk::{Kind, Node, Walker};

/// The path of the innermost node that owns the octet at `offset`.
///
/// Time is linear in the octets in front of it; what follows is not looked at.
#[must_use]
pub fn path(object: &[u8], root: &'static Type, offset: u32) -> String {
    paths(object, root, &[offset]).pop().unwrap_or_default()
}

/// The paths for many offsets, in one walk; `offsets` must be in ascending order.
#[must_use]
pub fn paths(object: &[u8], root: &'static Type, offsets: &[u32]) -> Vec<String> {
    let mut search =
        Search { offsets, found: Vec::with_capacity(offsets.len()), ..Search::default() };
    let mut walk = Steps::new(object, root);
    while search.next().is_some() {
        let Some((node, place)) = walk.next() else { break };
        while search.open.len() > usize::from(node.depth) {
            search.close();
        }
        search.settle(node.start);
        let parent = search.path.len();
        if search.next().is_none_or(|offset| offset >= node.end) {
            walk.skip();
            continue;
        }
        // Writing to a String does not fail.
        let _ = write!(search.path, "{}", place.segment());
        if walk.enter() {
            search.open.push((node.end, parent));
            search.settle(walk.first);
        } else {
            search.settle(node.end);
            search.path.truncate(parent);
        }
    }
    while !search.open.is_empty() {
        search.close();
    }
    search.found.resize(offsets.len(), String::new());
    search.found
}

/// The offset of the outermost node with this path, as [`path`] writes it.
///
/// An element of a list may be written without its alternative: `[2]` for `[2].dNSName`.
#[must_use]
pub fn resolve(object: &[u8], root: &'static Type, path: &str) -> Option<u32> {
    // The object itself, even when its header cannot be read.
    if path.is_empty() {
        return Some(0);
    }
    let dotted = if path.starts_with('[') { path.to_owned() } else { format!(".{path}") };
    // What is left of the path at each level that was entered. A node without a name, such as
    // the value in an EXPLICIT tag, is entered on trial: a broken tag may hold more than one.
    let mut rests = vec![dotted.as_str()];
    let mut segment = String::new();
    let mut walk = Steps::new(object, root);
    while let Some((node, place)) = walk.next() {
        rests.truncate(usize::from(node.depth) + 1);
        let rest = rests.last().copied()?;
        segment.clear();
        let _ = write!(segment, "{}", place.segment());
        let index = segment.find("].").map_or(segment.len(), |end| end + 1);
        let tail = rest.strip_prefix(segment.as_str()).filter(|tail| is_boundary(tail));
        let tail = tail.or_else(|| rest.strip_prefix(&segment[..index]).filter(|t| is_boundary(t)));
        match tail {
            Some("") => return Some(node.start),
            Some(tail) => {
                walk.enter();
                rests.push(tail);
            }
            None => walk.skip(),
        }
    }
    None
}

/// True where a name of a path can end.
fn is_boundary(tail: &str) -> bool {
    matches!(tail.as_bytes().first(), None | Some(b'.' | b'['))
}

/// A walk that tells what each node adds to a path.
struct Steps<'a> {
    object: &'a [u8],
    walker: Walker<'a>,
    places: Places,
    /// Where the value is that the last node holds by the schema alone.
    held: Option<(Node, u32)>,
    enters: bool,
    first: u32,
    started: bool,
}

impl<'a> Steps<'a> {
    fn new(object: &'a [u8], root: &'static Type) -> Self {
        let (walker, places) = (Walker::new(object, true), Places::new(root));
        Self { object, walker, places, held: None, enters: false, first: 0, started: false }
    }

    fn next(&mut self) -> Option<(Node, Place)> {
        loop {
            // Octets after the outermost value have no path.
            let node = self.walker.next().filter(|node| node.depth > 0 || !self.started)?;
            self.started = true;
            let place = self.places.next(&node, self.object);
            if matches!(node.kind, Kind::Garbage | Kind::EndOfContents) {
                continue;
            }
            self.enters = node.has_children();
            self.first = node.first_child();
            let closed = !self.enters && node.error.is_none();
            self.held = None;
            if closed && let Some(first) = place.held(&node, self.object) {
                self.held = Some((node, first));
                self.places.open(&place, &node);
                self.first = first;
            }
            return Some((node, place));
        }
    }

    /// Goes on with the children of the last node; says `false` when it has none.
    fn enter(&mut self) -> bool {
        let Some((node, first)) = self.held.take() else { return self.enters };
        self.walker.open_last(&node, first)
    }

    /// Leaves out the children of the last node.
    fn skip(&mut self) {
        self.held = None;
        self.walker.skip_children();
    }
}

/// The offsets that are looked for, and the nodes that are open around them.
#[derive(Default)]
struct Search<'a> {
    offsets: &'a [u32],
    found: Vec<String>,
    path: String,
    /// End of each open node, and the length of its parent's path.
    open: Vec<(u32, usize)>,
}

impl Search<'_> {
    fn next(&self) -> Option<u32> {
        self.offsets.get(self.found.len()).copied()
    }

    /// Gives the present path to the offsets below `end`.
    fn settle(&mut self, end: u32) {
        while self.next().is_some_and(|offset| offset < end) {
            self.found.push(self.path.trim_start_matches('.').to_owned());
        }
    }

    fn close(&mut self) {
        if let Some((end, parent)) = self.open.pop() {
            self.settle(end);
            self.path.truncate(parent);
        }
    }
}

#[cfg(test)]
mod tests;
