//! The trend of the chosen stage, large.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::layout::inside;
use super::table::{covered, trend_at};
use crate::metrics::StageSnapshot;
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::chart::{column, text_right};
use crate::views::widgets::pane_title;
use crate::views::widgets::units::rate;

/// Columns of the rates and the gap behind them.
const RATES: u16 = 8;

/// Draws the pane with its title.
pub fn draw(frame: &mut Frame<'_>, pane: Rect, stage: &StageSnapshot, look: &Look<'_>) {
    if pane.height < 3 || pane.width <= RATES + 1 {
        return;
    }
    let theme = look.theme;
    let remark = format!("the last {} s", covered(&stage.trend));
    let title = format!("{}: items/s over time", stage.info.name);
    pane_title(frame, pane, &title, &remark, false, look);
    let area = inside(pane);
    let plot = Rect { x: area.x + RATES, width: area.width - RATES - 1, ..area };
    let most = stage.trend.points.iter().flatten().copied().fold(0.0_f32, f32::max);
    let buffer = frame.buffer_mut();
    let label = Rect { width: RATES - 2, height: 1, ..area };
    for (share, y) in [(1.0, area.y), (0.5, area.y + area.height / 2)] {
        let words = rate(f64::from(most) * share);
        text_right(buffer, Rect { y, ..label }, &words, theme.style(Token::Dim));
    }
    for x in 0..plot.width {
        let value = trend_at(&stage.trend, x, plot.width).unwrap_or(0.0);
        let share = f64::from(value) / f64::from(most);
        let at = (plot.x + x, plot.bottom() - 1);
        column(buffer, at, plot.height, share, theme.style(Token::Name), theme);
    }
}
