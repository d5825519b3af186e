//! Where the panes stand.

use ratatui::layout::Rect;

/// The parts of the screen that can have the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The list of documents.
    Documents,
    /// The tree.
    Tree,
    /// The octets.
    Octets,
}

/// From this width on, documents and meaning have columns of their own.
const WIDE: u16 = 160;

/// From this width on, the octets stand beside the tree.
const MIDDLE: u16 = 100;

/// Columns of the list of documents.
const DOCUMENTS: u16 = 30;

/// Columns of the meaning in a wide window.
const MEANING: u16 = 48;

/// The places of the panes, title lines included; a pane that is not shown has no area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Panes {
    /// The card above.
    pub card: Rect,
    /// The list of documents.
    pub documents: Rect,
    /// The tree.
    pub tree: Rect,
    /// The octets.
    pub octets: Rect,
    /// What the chosen node means.
    pub meaning: Rect,
}

/// The panes of a screen of `area`; `many` says that there is more than one document.
///
/// A narrow window shows the list of documents in the place of the tree while it has the
/// focus.
#[must_use]
pub fn panes(area: Rect, many: bool, focus: Pane) -> Panes {
    let card_height = match area.height {
        0..=17 => 1,
        18..=39 => 3,
        _ => 4,
    };
    let (card, rest) = split_top(area, card_height);
    if area.width >= WIDE {
        let (documents, rest) = split_left(rest, if many { DOCUMENTS } else { 0 });
        let (rest, meaning) = split_left(rest, rest.width.saturating_sub(MEANING));
        let octets_width = (columns(16) + 2).min(rest.width / 2);
        let (tree, octets) = split_left(rest, rest.width.saturating_sub(octets_width));
        return Panes { card, documents, tree, octets, meaning };
    }
    let meaning_height = match rest.height {
        0..=13 => 3,
        14..=24 => 4,
        _ => 6,
    };
    let (rest, meaning) = split_top(rest, rest.height.saturating_sub(meaning_height));
    let (tree, octets) = if area.width >= MIDDLE {
        split_left(rest, rest.width.saturating_sub((columns(12) + 2).min(rest.width / 2)))
    } else {
        let below = if rest.height >= 12 { rest.height / 3 } else { 0 };
        match (below, focus) {
            // No room for both: the octets show while they have the focus.
            (0, Pane::Octets) => (Rect::default(), rest),
            (0, _) => (rest, Rect::default()),
            _ => split_top(rest, rest.height - below),
        }
    };
    if focus == Pane::Documents {
        return Panes { card, documents: tree, tree: Rect::default(), octets, meaning };
    }
    Panes { card, documents: Rect::default(), tree, octets, meaning }
}

/// Columns of a line that shows `octets` octets: offset, hexadecimal, characters.
const fn columns(octets: u16) -> u16 {
    OFFSET + octets * 4
}

/// Columns of the offset and the gap behind it.
pub const OFFSET: u16 = 10;

/// How many octets a line of the octets pane has, by the width of the pane.
#[must_use]
pub fn octets_per_line(width: u16) -> u32 {
    [32, 24, 16, 12, 8].into_iter().find(|n| columns(*n) <= width).map_or(4, u32::from)
}

/// The area under the title line of a pane.
#[must_use]
pub fn inside(pane: Rect) -> Rect {
    split_top(pane, 1).1
}

fn split_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

fn split_left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width);
    (Rect { width, ..area }, Rect { x: area.x + width, width: area.width - width, ..area })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_every_size_without_overlap() {
        for width in 60..260 {
            for height in 14..80 {
                for focus in [Pane::Documents, Pane::Tree, Pane::Octets] {
                    let area = Rect::new(0, 1, width, height);
                    let p = panes(area, true, focus);
                    let all = [p.card, p.documents, p.tree, p.octets, p.meaning];
                    let sum: u32 = all.iter().map(|r| r.area()).sum();
                    assert_eq!(sum, area.area(), "{width}x{height} {focus:?} {p:?}");
                    let main = if p.tree.height > 0 { p.tree } else { p.documents };
                    let shown = if main.height > 0 { main } else { p.octets };
                    assert!(shown.height >= 5, "{width}x{height} {p:?}");
                }
            }
        }
    }

    #[test]
    fn octets_fit_their_pane() {
        assert_eq!(octets_per_line(80), 16);
        assert_eq!(octets_per_line(48), 8);
        assert_eq!(octets_per_line(59), 12);
        assert_eq!(octets_per_line(200), 32);
    }
}
