//! Where the panes stand.

use ratatui::layout::Rect;

/// From this width on, the list stands beside the comparison or the details.
const WIDE: u16 = 170;

/// From this height on, it stands above them.
const TALL: u16 = 44;

/// Columns of the list in a wide window.
const LIST: u16 = 84;

/// What can have the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The runs.
    List,
    /// The comparison, or a run's details.
    Side,
}

/// The places of the panes, title lines included; a pane that is not shown has no area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Panes {
    /// The runs.
    pub list: Rect,
    /// The comparison, or a run's details.
    pub side: Rect,
    /// A line that says how A and B compare, where the comparison is not shown.
    pub verdict: Rect,
}

/// The panes of a screen of `area`. A small window shows the one with the focus.
#[must_use]
pub fn panes(area: Rect, focus: Pane) -> Panes {
    let none = Rect::default();
    if area.width >= WIDE {
        let list = Rect { width: LIST, ..area };
        let side = Rect { x: area.x + LIST, width: area.width - LIST, ..area };
        return Panes { list, side, verdict: none };
    }
    if area.height >= TALL {
        let height = area.height / 3;
        let list = Rect { height, ..area };
        let side = Rect { y: area.y + height, height: area.height - height, ..area };
        return Panes { list, side, verdict: none };
    }
    match focus {
        Pane::List => {
            let height = area.height.saturating_sub(2);
            let verdict = Rect { y: area.y + height, height: area.height - height, ..area };
            Panes { list: Rect { height, ..area }, side: none, verdict }
        }
        Pane::Side => Panes { list: none, side: area, verdict: none },
    }
}

/// The area under the title line of a pane.
#[must_use]
pub fn inside(pane: Rect) -> Rect {
    let title = pane.height.min(1);
    Rect { y: pane.y + title, height: pane.height - title, ..pane }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_every_size_without_overlap() {
        for width in 60..260 {
            for height in 14..80 {
                for focus in [Pane::List, Pane::Side] {
                    let p = panes(Rect::new(0, 1, width, height), focus);
                    let all = [p.list, p.side, p.verdict];
                    let sum: u32 = all.iter().map(|r| r.area()).sum();
                    assert_eq!(sum, u32::from(width) * u32::from(height), "{width}x{height} {p:?}");
                    let focused = if focus == Pane::List { p.list } else { p.side };
                    assert!(focused.height >= 12 && focused.width >= 60, "{width}x{height} {p:?}");
                }
            }
        }
    }
}
