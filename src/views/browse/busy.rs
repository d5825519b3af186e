//! What is going on in the background: the search that was asked for, and the sign of work.

use std::time::Duration;

use crate::views::event::Consumed;
use crate::views::theme::Theme;

/// A search that was asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    pub(super) text: String,
    pub(super) document: usize,
    pub(super) complete: bool,
    /// The cursor moves to the first hit at or after this octet.
    pub(super) jump_from: Option<u32>,
}

/// What runs in the background, for the sign that something does.
#[derive(Debug, Default)]
pub struct Busy {
    pub(super) loading: bool,
    pub(super) searching: Option<u8>,
    pub(super) unlocking: bool,
    step: usize,
    next: Duration,
}

impl Busy {
    pub(super) const fn loading(&self) -> bool {
        self.loading
    }

    const fn working(&self) -> bool {
        self.loading || self.unlocking || self.searching.is_some()
    }

    pub(super) fn wake_at(&self) -> Option<Duration> {
        self.working().then_some(self.next)
    }

    /// Turns the sign.
    pub(super) fn turn(&mut self, now: Duration, step: Duration) -> Consumed {
        if !self.working() {
            return Consumed::No;
        }
        self.step = self.step.wrapping_add(1);
        self.next = now + step;
        Consumed::Yes
    }

    pub(super) fn sign(&self, theme: &Theme) -> &'static str {
        let signs = theme.glyphs.busy;
        signs[self.step % signs.len()]
    }

    /// What goes on, for the title line of the tree.
    pub(super) fn remark(&self, theme: &Theme) -> Option<String> {
        let sign = self.sign(theme);
        match self.searching {
            Some(percent) => Some(format!("{sign} searching {percent} %")),
            None if self.unlocking => Some(format!("{sign} trying the password")),
            None if self.loading => Some(format!("{sign} loading")),
            None => None,
        }
    }
}
