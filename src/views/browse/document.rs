//! A document: one object of a source, and how it is looked at.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::asn1::outline::{Outline, Row};
use crate::asn1::schema::{Role, Type};
use crate::pki::crypto::openssl;
use crate::pki::object::Form;
use crate::pki::summary::{Summary, summary};

/// Rows that are opened when a document is shown first.
const OPEN_ROWS: u64 = 40;

/// Nodes with contents up to this many octets are opened at first sight.
const OPEN_UP_TO: u32 = 4096;

/// A document of more octets has no fingerprint on its card: hashing would hold up the screen.
const HASH_UP_TO: usize = 4 << 20;

/// How many places are remembered for going back.
const HISTORY: usize = 256;

/// Octets that several owners share: a part of a file, or octets made from it.
#[derive(Clone)]
pub struct Octets {
    whole: Arc<dyn AsRef<[u8]> + Send + Sync>,
    range: Range<usize>,
}

impl Octets {
    /// The octets `range` of `whole`; an end beyond it is cut.
    #[must_use]
    pub fn new(whole: Arc<dyn AsRef<[u8]> + Send + Sync>, range: Range<usize>) -> Self {
        let len = (*whole).as_ref().len();
        let end = range.end.min(len);
        Self { range: range.start.min(end)..end, whole }
    }

    /// Octets of their own.
    #[must_use]
    pub fn owned(octets: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        let len = octets.as_ref().len();
        Self::new(Arc::new(octets), 0..len)
    }

    /// A part of these octets.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        let start = self.range.start.saturating_add(range.start);
        let end = self.range.start.saturating_add(range.end).min(self.range.end);
        Self::new(Arc::clone(&self.whole), start.min(end)..end)
    }
}

impl AsRef<[u8]> for Octets {
    fn as_ref(&self) -> &[u8] {
        (*self.whole).as_ref().get(self.range.clone()).unwrap_or_default()
    }
}

impl fmt::Debug for Octets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} octets", self.range.len())
    }
}

/// One object that can be looked at, or the reason why there is none.
#[derive(Debug, Clone)]
pub struct Document {
    /// The file or sample that it comes from; safe to show.
    pub source: Arc<str>,
    /// What it is called in the list of documents; safe to show.
    pub title: String,
    /// Its octets.
    pub octets: Octets,
    /// What it is.
    pub form: Form,
    /// Where it starts in its source, in octets.
    pub offset: u64,
    /// Why it cannot be read, or what is wrong with its armour; safe to show.
    pub problem: Option<String>,
    /// It was unpacked from the document in front of it.
    pub inside: bool,
}

impl Document {
    /// Its octets.
    #[must_use]
    pub fn object(&self) -> &[u8] {
        self.octets.as_ref()
    }

    /// True when both are the same octets at the same place.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.source == other.source
            && self.offset == other.offset
            && self.object() == other.object()
    }
}

/// A finding as a screen shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Octets from the start of the object.
    pub offset: u32,
    /// What is wrong; safe to show.
    pub message: String,
    /// The clause of the standard.
    pub source: &'static str,
}

/// How a document is looked at: what is open, where the cursor stands, what was found.
#[derive(Debug)]
pub struct View {
    /// The tree's rows.
    pub outline: Outline,
    /// The chosen row.
    pub row: u64,
    /// The first row on the screen.
    pub top: u64,
    /// The octet that the cursor is on in the octets pane.
    pub octet: u32,
    /// The first line of octets on the screen.
    pub line: u64,
    /// Findings in order of offset; `None` while they are looked for.
    pub remarks: Option<Vec<Remark>>,
    /// Starts of the nodes that a search found, in order.
    pub hits: Vec<u32>,
    summary: Summary,
    fingerprint: Option<String>,
    back: Vec<u32>,
    forward: Vec<u32>,
}

impl View {
    /// A first look at `document`: the outermost levels are open.
    #[must_use]
    pub fn new(document: &Document) -> Self {
        let object = document.object();
        let mut outline = Outline::new(object, document.form.schema(), true);
        open_first(&mut outline, object);
        Self {
            outline,
            row: 0,
            top: 0,
            octet: 0,
            line: 0,
            remarks: None,
            hits: Vec::new(),
            summary: summary(object, document.form),
            fingerprint: fingerprint(object),
            back: Vec::new(),
            forward: Vec::new(),
        }
    }

    /// The document in a few words.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }

    /// SHA-256 of the whole document with colons; `None` when it is too large to hash at once.
    #[must_use]
    pub fn fingerprint(&self) -> Option<&str> {
        self.fingerprint.as_deref()
    }

    /// The chosen row.
    #[must_use]
    pub fn chosen(&self, document: &Document) -> Option<Row> {
        self.outline.row(document.object(), self.row)
    }

    /// Moves to a row; the octets follow.
    pub fn go_to_row(&mut self, document: &Document, row: u64) {
        self.row = row.min(self.outline.rows().saturating_sub(1));
        if let Some(chosen) = self.chosen(document) {
            self.octet = chosen.node.start;
        }
    }

    /// Moves to an octet; the tree opens what encloses it.
    pub fn go_to_octet(&mut self, document: &Document, octet: u32) -> bool {
        let Some(row) = self.outline.reveal(document.object(), octet) else { return false };
        self.row = row;
        self.octet = octet;
        true
    }

    /// As [`View::go_to_octet`], remembering where the cursor was.
    pub fn jump(&mut self, document: &Document, octet: u32) -> bool {
        let from = self.octet;
        if !self.go_to_octet(document, octet) {
            return false;
        }
        if from != octet {
            push(&mut self.back, from);
            self.forward.clear();
        }
        true
    }

    /// Goes back to where the cursor was before a jump.
    pub fn go_back(&mut self, document: &Document) -> bool {
        let Some(octet) = self.back.pop() else { return false };
        push(&mut self.forward, self.octet);
        self.go_to_octet(document, octet)
    }

    /// Goes forward again.
    pub fn go_forward(&mut self, document: &Document) -> bool {
        let Some(octet) = self.forward.pop() else { return false };
        push(&mut self.back, self.octet);
        self.go_to_octet(document, octet)
    }

    /// Opens or leaves closed the DER inside strings.
    pub fn set_nested(&mut self, document: &Document, nested: bool) {
        let object = document.object();
        let (octet, ty) = (self.octet, document.form.schema());
        self.outline = Outline::new(object, ty, nested);
        open_first(&mut self.outline, object);
        self.go_to_octet(document, octet);
    }

    /// Reads the chosen node as `ty`, or as the schema says.
    pub fn retype(&mut self, document: &Document, ty: Option<&'static Type>) {
        self.outline.retype(document.object(), self.row, ty);
        self.outline.open(document.object(), self.row);
    }

    /// True when a finding or the end of what can be read lies in these octets.
    #[must_use]
    pub fn has_remark(&self, octets: Range<u32>) -> bool {
        self.remarks.as_deref().is_some_and(|remarks| {
            let at = remarks.partition_point(|r| r.offset < octets.start);
            remarks.get(at).is_some_and(|r| r.offset < octets.end)
        })
    }

    /// True when a hit lies in these octets.
    #[must_use]
    pub fn has_hit(&self, octets: Range<u32>) -> bool {
        let at = self.hits.partition_point(|hit| *hit < octets.start);
        self.hits.get(at).is_some_and(|hit| *hit < octets.end)
    }

    /// Scrolls so that the chosen row is one of `height` rows on the screen.
    pub fn scroll_tree(&mut self, height: u64) {
        let last = self.outline.rows().saturating_sub(height);
        let lowest = self.row.saturating_sub(height.saturating_sub(1));
        self.top = self.top.clamp(lowest, self.row.max(lowest)).min(last);
    }

    /// Scrolls so that the cursor's octet is on the screen: `height` lines of `width` octets.
    pub fn scroll_octets(&mut self, width: u32, height: u64) {
        let line = u64::from(self.octet / width.max(1));
        let lowest = line.saturating_sub(height.saturating_sub(1));
        self.line = self.line.clamp(lowest, line.max(lowest));
    }
}

fn fingerprint(object: &[u8]) -> Option<String> {
    if object.len() > HASH_UP_TO {
        return None;
    }
    let digest = openssl::sha256(object);
    let hex: Vec<String> = digest.iter().map(|octet| format!("{octet:02X}")).collect();
    Some(hex.join(":"))
}

fn push(places: &mut Vec<u32>, octet: u32) {
    if places.last() != Some(&octet) {
        if places.len() >= HISTORY {
            places.remove(0);
        }
        places.push(octet);
    }
}

/// Opens level by level while the rows fit a screen; big lists stay closed.
fn open_first(outline: &mut Outline, object: &[u8]) {
    outline.open(object, 0);
    outline.open(object, 1);
    let mut row = 0;
    while row < outline.rows() && outline.rows() < OPEN_ROWS {
        if let Some(found) = outline.row(object, row) {
            let node = found.node;
            let small = node.contents().len() <= OPEN_UP_TO;
            let inner = found.place.role == Role::Inner;
            let list =
                inner || matches!(found.place.name, "extensions" | "validity" | "certificates");
            let few = found.children.is_some_and(|n| n <= 16);
            if node.depth <= 3 && small && list && few {
                outline.open(object, row);
            }
        }
        row += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stay_inside() {
        let octets = Octets::owned(vec![1, 2, 3, 4, 5]);
        assert_eq!(octets.part(1..3).as_ref(), [2, 3]);
        assert_eq!(octets.part(1..4).part(2..9).as_ref(), [4]);
        assert_eq!(octets.part(9..12).as_ref(), [0_u8; 0]);
    }

    fn document(octets: &[u8]) -> Document {
        Document {
            source: "test".into(),
            title: String::new(),
            octets: Octets::owned(octets.to_vec()),
            form: Form::Other,
            offset: 0,
            problem: None,
            inside: false,
        }
    }

    #[test]
    fn jumps_are_remembered_both_ways() {
        let document = document(&[0x30, 8, 2, 1, 5, 0x30, 3, 1, 1, 0xff]);
        let mut view = View::new(&document);
        assert!(view.jump(&document, 7));
        assert_eq!(view.chosen(&document).unwrap().node.start, 7);
        assert!(view.jump(&document, 2));
        assert!(view.go_back(&document));
        assert_eq!(view.octet, 7);
        assert!(view.go_back(&document));
        assert_eq!(view.octet, 0);
        assert!(!view.go_back(&document));
        assert!(view.go_forward(&document));
        assert_eq!(view.octet, 7);
        assert!(!view.jump(&document, 10), "beyond the end");
    }

    #[test]
    fn the_chosen_row_stays_on_the_screen() {
        let document = document(&[0x05, 0x00].repeat(100));
        let mut view = View::new(&document);
        view.go_to_row(&document, 60);
        view.scroll_tree(10);
        assert_eq!(view.top, 51);
        view.go_to_row(&document, 55);
        view.scroll_tree(10);
        assert_eq!(view.top, 51);
        view.go_to_row(&document, 1000);
        view.scroll_tree(10);
        assert_eq!((view.row, view.top), (99, 90));
        view.scroll_octets(16, 4);
        assert_eq!(view.line, 9);
    }

    #[test]
    fn remarks_are_found_by_range() {
        let document = document(&[5, 0]);
        let mut view = View::new(&document);
        let remark = |offset| Remark { offset, message: String::new(), source: "" };
        view.remarks = Some(vec![remark(3), remark(9)]);
        assert!(view.has_remark(0..4));
        assert!(!view.has_remark(4..9));
        assert!(view.has_remark(9..10));
    }
}
