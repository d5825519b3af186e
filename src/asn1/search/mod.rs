//! Search in an object, nested DER included, forward and backward, in small steps.
//!
//! A search yields nodes, each once, with the octets in it that match. Octet patterns are
//! searched in the raw octets and then mapped to the innermost node that owns the first octet
//! of the match; everything else is asked of each node on a walk. Both keep a position in the
//! walk, so that a whole search is linear however many hits there are. Backward, the object is
//! searched forward in blocks, the last one first.

mod query;
mod raw;
mod text;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;

use crate::asn1::Span;
use crate::asn1::tag::universal;
use crate::asn1::walk::{Kind, Node, Walker};

pub use query::{MAX_QUERY, OidQuery, Query, QueryError, TagQuery, Text};

/// Raw octets that cost as much as one node.
const OCTETS_A_NODE: usize = 64;
/// Nodes between two looks at the cancel flag: about a millisecond.
const STEP: usize = 1 << 16;
/// Backward search goes in blocks of at least so many octets; more than [`BLOCKS`] of them
/// would spend their time on the way to the block.
const MIN_BLOCK: u32 = 1 << 20;
const BLOCKS: u32 = 8;
/// Hits of a block that are kept; when there are more, the block is searched again up to the
/// first one that was kept.
const MAX_KEPT: usize = 1 << 16;

/// A node that matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The node.
    pub node: Node,
    /// The first octets that match, in or at the node; a pattern may reach beyond it.
    pub span: Span,
}

/// Where to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// All nodes, from the first on.
    All,
    /// Nodes that start behind this offset, in rising order.
    After(u32),
    /// Nodes that start before this offset, in falling order.
    Before(u32),
}

/// What a step of a search came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A node matches. Hits come in the order of their matching octets.
    Hit(Hit),
    /// Nothing yet: go on.
    More,
    /// There is nothing more.
    Done,
}

/// A search on its way.
#[derive(Debug)]
pub struct Search<'a> {
    object: &'a [u8],
    nested: bool,
    matcher: Matcher<'a>,
    scan: Scan<'a>,
    /// Where a backward search is.
    backward: Option<Block>,
    /// The node given last: each is given once, though its octets may match more than once.
    last: Option<u32>,
}

#[derive(Debug)]
enum Matcher<'a> {
    Text(Box<text::Finder<'a>>),
    Oid(OidQuery),
    Tag(TagQuery),
    Octets(Box<Pattern>),
}

impl<'a> Search<'a> {
    /// A search in `object`; `nested` looks at the DER inside strings, too. Nothing is done
    /// before the first step.
    #[must_use]
    pub fn new(object: &'a [u8], query: Query, direction: Direction, nested: bool) -> Self {
        let end = u32::try_from(object.len()).unwrap_or(u32::MAX);
        let matcher = match query {
            Query::Text(text) => Matcher::Text(Box::new(text::Finder::new(text))),
            Query::Oid(oid) => Matcher::Oid(oid),
            Query::Tag(tag) => Matcher::Tag(tag),
            Query::Octets(octets) => Matcher::Octets(Box::new(Pattern::new(octets))),
        };
        let (scan, backward) = match direction {
            Direction::All => (Scan::new(object, nested, 0, end), None),
            Direction::After(at) => {
                (Scan::new(object, nested, at.saturating_add(1), end).with_floor(), None)
            }
            Direction::Before(at) => {
                let high = at.min(end);
                let block = Block::before(high, object);
                (Scan::new(object, nested, block.low, high), Some(block))
            }
        };
        Self { object, nested, matcher, scan, backward, last: None }
    }

    /// Looks at up to about `budget` nodes.
    pub fn step(&mut self, budget: usize) -> Progress {
        let mut budget = budget.max(1);
        let Some(block) = &mut self.backward else {
            return match self.scan.next(self.object, &mut self.matcher, &mut budget) {
                Progress::Hit(hit) if self.last.replace(hit.node.start) == Some(hit.node.start) => {
                    Progress::More
                }
                other => other,
            };
        };
        loop {
            if block.searched {
                while let Some(hit) = block.found.pop_back() {
                    block.first = self.matcher.place(&hit);
                    if self.last.replace(hit.node.start) != Some(hit.node.start) {
                        return Progress::Hit(hit);
                    }
                }
                let high = if block.dropped { block.first } else { block.low };
                if high == 0 {
                    return Progress::Done;
                }
                *block = Block::before(high, self.object);
                self.scan = Scan::new(self.object, self.nested, block.low, high);
            }
            match self.scan.next(self.object, &mut self.matcher, &mut budget) {
                Progress::Hit(hit) => block.keep(hit),
                Progress::More => return Progress::More,
                Progress::Done => block.searched = true,
            }
        }
    }

    /// Goes on to the next hit; `None` at the end or when the flag is set.
    pub fn next_hit(&mut self, cancel: &AtomicBool) -> Option<Hit> {
        while !cancel.load(Ordering::Relaxed) {
            match self.step(STEP) {
                Progress::Hit(hit) => return Some(hit),
                Progress::More => {}
                Progress::Done => return None,
            }
        }
        None
    }

    /// How far the search is, in octets of the object.
    #[must_use]
    pub fn position(&self) -> u32 {
        self.scan.position()
    }
}

/// Part of the object in a backward search: its hits are given when all are known.
#[derive(Debug)]
struct Block {
    low: u32,
    searched: bool,
    found: VecDeque<Hit>,
    /// Hits were dropped before the first one in `found`.
    dropped: bool,
    /// The place of the hit given last.
    first: u32,
}

impl Block {
    /// The block that ends at `high`.
    fn before(high: u32, object: &[u8]) -> Self {
        let end = u32::try_from(object.len()).unwrap_or(u32::MAX);
        let low = high.saturating_sub((end / BLOCKS).max(MIN_BLOCK));
        Self { low, searched: false, found: VecDeque::new(), dropped: false, first: high }
    }

    fn keep(&mut self, hit: Hit) {
        if self.found.len() >= MAX_KEPT {
            self.found.pop_front();
            self.dropped = true;
        }
        self.found.push_back(hit);
    }
}

/// The budget of a step ran out on the way.
struct Spent;

/// A search forward in a part of the object.
#[derive(Debug)]
struct Scan<'a> {
    walker: Walker<'a>,
    /// The node that the walker gave but that is not dealt with yet.
    ahead: Option<Node>,
    /// The nodes around the present place, outermost first.
    path: Vec<Node>,
    /// Nodes (of an octet pattern: matches) from here.
    low: u32,
    /// Matches in a node that starts before this do not count.
    floor: u32,
    /// Up to here.
    high: u32,
    /// Where the raw search stands.
    at: u32,
}

impl<'a> Scan<'a> {
    fn new(object: &'a [u8], nested: bool, low: u32, high: u32) -> Self {
        let walker = Walker::new(object, nested);
        Self { walker, ahead: None, path: Vec::new(), low, floor: 0, high, at: low }
    }

    fn with_floor(self) -> Self {
        Self { floor: self.low, ..self }
    }

    fn position(&self) -> u32 {
        self.at.max(self.walker.offset()).clamp(self.low, self.high.max(self.low))
    }

    fn next(
        &mut self,
        object: &'a [u8],
        matcher: &mut Matcher<'a>,
        budget: &mut usize,
    ) -> Progress {
        if let Matcher::Octets(pattern) = matcher {
            return self.next_octets(object, pattern, budget);
        }
        while *budget > 0 {
            *budget -= 1;
            let Some(node) = self.walker.next().filter(|node| node.start < self.high) else {
                self.high = self.low;
                return Progress::Done;
            };
            if node.start < self.low {
                if node.end <= self.low {
                    self.walker.skip_children();
                }
                continue;
            }
            if matcher.rules_out(object, &node, self.high) {
                self.walker.skip_children();
                continue;
            }
            if let Some(span) = matcher.find(object, &node) {
                return Progress::Hit(Hit { node, span });
            }
        }
        Progress::More
    }

    fn next_octets(&mut self, object: &[u8], pattern: &Pattern, budget: &mut usize) -> Progress {
        while *budget > 0 {
            if self.at >= self.high {
                return Progress::Done;
            }
            let window = (*budget).saturating_mul(OCTETS_A_NODE);
            let limit = (self.at as usize).saturating_add(window).min(self.high as usize);
            let Some(at) = pattern.find(object, self.at as usize, limit) else {
                *budget -= (limit - self.at as usize).div_ceil(OCTETS_A_NODE).min(*budget);
                self.at = u32::try_from(limit).unwrap_or(u32::MAX);
                continue;
            };
            *budget -= (at - self.at as usize).div_ceil(OCTETS_A_NODE).min(*budget);
            self.at = u32::try_from(at).unwrap_or(u32::MAX);
            // The way to the owner may be long: the raw search waits for it.
            let node = match self.owner(self.at, budget) {
                Err(Spent) => return Progress::More,
                Ok(None) => return Progress::Done,
                Ok(Some(node)) => node,
            };
            let span = Span::new(self.at, self.at.saturating_add(pattern.len()));
            // Further matches in the same octets of this node are of no interest.
            let own = if node.has_children() { node.first_child() } else { node.end };
            self.at = own.max(self.at + 1);
            if node.start >= self.floor {
                return Progress::Hit(Hit { node, span });
            }
        }
        Progress::More
    }

    /// The innermost node that owns the octet at `at`, which must not go back.
    fn owner(&mut self, at: u32, budget: &mut usize) -> Result<Option<Node>, Spent> {
        loop {
            if self.ahead.is_none() {
                if *budget == 0 {
                    return Err(Spent);
                }
                *budget -= 1;
                self.ahead = self.walker.next();
            }
            match self.ahead {
                Some(node) if node.start <= at => {
                    self.ahead = None;
                    self.path.truncate(usize::from(node.depth));
                    if node.end <= at {
                        self.walker.skip_children();
                    } else {
                        self.path.push(node);
                    }
                }
                _ => break,
            }
        }
        while self.path.last().is_some_and(|node| node.end <= at) {
            self.path.pop();
        }
        Ok(self.path.last().copied())
    }
}

impl<'a> Matcher<'a> {
    /// True when neither `node` nor anything in it can match.
    fn rules_out(&mut self, object: &[u8], node: &Node, limit: u32) -> bool {
        match self {
            Self::Text(finder) => finder.rules_out(object, node, limit),
            _ => false,
        }
    }

    /// What a search up to this hit, without it, ends at.
    fn place(&self, hit: &Hit) -> u32 {
        match self {
            Self::Octets(_) => hit.span.start,
            _ => hit.node.start,
        }
    }

    /// The octets of `node` that match.
    fn find(&mut self, object: &'a [u8], node: &Node) -> Option<Span> {
        let real = !matches!(node.kind, Kind::Garbage | Kind::EndOfContents);
        match self {
            Self::Text(finder) => finder.find(object, node),
            Self::Tag(tag) => (real && tag.matches(node)).then_some(node.span()),
            Self::Oid(query) => {
                let oid = node.tag.is_universal(universal::OBJECT_IDENTIFIER) && real;
                let contents = node.contents();
                (oid && !node.tag.constructed && query.matches(contents.of(object)))
                    .then_some(contents)
            }
            Self::Octets(_) => None,
        }
    }
}

impl TagQuery {
    fn matches(self, node: &Node) -> bool {
        match self {
            Self::Number(class, number) => node.tag.class == class && node.tag.number == number,
            Self::Exact(tag) => node.tag == tag,
        }
    }
}

impl OidQuery {
    fn matches(&self, contents: &[u8]) -> bool {
        match self {
            Self::Root(root) => match contents.first() {
                Some(0..=39) => *root == 0,
                Some(40..=79) => *root == 1,
                Some(_) => *root == 2,
                None => false,
            },
            Self::Under(parent) => contents.starts_with(parent),
            Self::AnyOf(wanted) => wanted.binary_search_by(|w| w.as_slice().cmp(contents)).is_ok(),
        }
    }
}

/// Octets to look for: the longest part without a wildcard finds the places.
#[derive(Debug)]
struct Pattern {
    octets: Vec<Option<u8>>,
    finder: memmem::Finder<'static>,
    /// Where that part begins in the pattern.
    lead: usize,
}

impl Pattern {
    fn new(octets: Vec<Option<u8>>) -> Self {
        let mut best = 0..0;
        let mut start = 0;
        for end in 1..=octets.len() {
            if octets[end - 1].is_none() {
                start = end;
            } else if end - start > best.len() {
                best = start..end;
            }
        }
        let part: Vec<u8> = octets[best.clone()].iter().copied().flatten().collect();
        Self { octets, finder: memmem::Finder::new(&part).into_owned(), lead: best.start }
    }

    fn len(&self) -> u32 {
        u32::try_from(self.octets.len()).unwrap_or(u32::MAX)
    }

    /// The first match that begins at or behind `from` and before `limit`.
    fn find(&self, object: &[u8], from: usize, limit: usize) -> Option<usize> {
        let reach = limit.saturating_add(self.octets.len()).saturating_sub(1).min(object.len());
        let mut at = from;
        loop {
            let places = object.get(at.checked_add(self.lead)?..reach)?;
            at += self.finder.find(places)?;
            let found = object.get(at..at + self.octets.len()).filter(|_| at < limit)?;
            if self.octets.iter().zip(found).all(|(p, o)| p.is_none_or(|p| p == *o)) {
                return Some(at);
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests;
