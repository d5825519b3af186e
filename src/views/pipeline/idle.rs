//! What the screen says before there are figures.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::popup::{Field, NAMES};
use super::settings::{PipelineSettings, objection};
use super::sources::Sources;
use super::work::End;
use crate::views::action::{Action, Context};
use crate::views::bars::ellipsis;
use crate::views::event::Look;
use crate::views::theme::{Theme, Token};
use crate::views::widgets::chart::text;

/// Columns of the name of a stage with its gap.
const STAGE: u16 = 18;

/// Says what would be started, with which settings, and which stages it has.
pub fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    settings: &PipelineSettings,
    sources: &Sources,
    look: &Look<'_>,
) {
    let theme = look.theme;
    let key = |action: Action| {
        let keys = look.keymap.keys(Context::Pipeline, action);
        keys.into_iter().next().unwrap_or_else(|| format!(":{}", action.entry().id))
    };
    let mut page = Page::new(frame.buffer_mut(), area, theme);
    if area.height > 18 {
        page.line("", Token::Text);
    }
    page.line(
        "A certificate authority at full speed: it makes keys, issues, signs, stores,",
        Token::Text,
    );
    page.line("reads back and verifies, and this screen shows where the time goes.", Token::Text);
    page.line("", Token::Text);
    let (enter, start) = (key(Action::Enter), key(Action::StartRun));
    page.line(&format!("{enter} or {start} starts it with"), Token::Title);
    for field in Field::ALL {
        page.pair(field.name(), &field.value(settings, &sources.backends));
    }
    page.pair("stored in", &sources.store);
    if let Some(why) = objection(settings, &sources.backends) {
        page.line(&format!("{} {why}", theme.glyphs.bad), Token::Bad);
    }
    page.line("", Token::Text);
    let [all, algorithm, backend, sizes] =
        [Action::Settings, Action::ChooseAlgorithm, Action::ChooseBackend, Action::ChooseSizes]
            .map(key);
    let change = format!(
        "{all} changes them; {algorithm} the algorithm, {backend} the backend, {sizes} the sizes"
    );
    page.line(&change, Token::Text);
    page.line("", Token::Text);
    page.stages(sources);
}

/// Says that a run has begun, or ended, before anything was measured.
pub fn draw_preparing(frame: &mut Frame<'_>, area: Rect, end: Option<&End>, look: &Look<'_>) {
    let mut page = Page::new(frame.buffer_mut(), area, look.theme);
    page.line("", Token::Text);
    match end {
        None => page.line("preparing: keys are made, the store is opened", Token::Text),
        Some(End::Failed(why)) => {
            page.line(&format!("{} {why}", look.theme.glyphs.bad), Token::Bad);
        }
        Some(_) => page.line("it ended before anything was measured", Token::Text),
    }
}

/// Lines from above.
struct Page<'a> {
    buffer: &'a mut Buffer,
    rest: Rect,
    theme: &'a Theme,
}

impl<'a> Page<'a> {
    fn new(buffer: &'a mut Buffer, area: Rect, theme: &'a Theme) -> Self {
        let margin = 2.min(area.width);
        let rest = Rect { x: area.x + margin, width: area.width - margin, ..area };
        Self { buffer, rest, theme }
    }

    /// The next line; it has no height when there is no more room.
    fn next(&mut self) -> Rect {
        let height = self.rest.height.min(1);
        let line = Rect { height, ..self.rest };
        self.rest.y += height;
        self.rest.height -= height;
        line
    }

    fn line(&mut self, words: &str, token: Token) {
        let line = self.next();
        self.put(line, words, token);
    }

    fn pair(&mut self, name: &str, value: &str) {
        let line = self.next();
        let (indent, names) = (2.min(line.width), (2 + NAMES).min(line.width));
        self.put(Rect { x: line.x + indent, width: names - indent, ..line }, name, Token::Dim);
        let rest = Rect { x: line.x + names, width: line.width - names, ..line };
        self.put(rest, value, Token::Value);
    }

    fn put(&mut self, area: Rect, words: &str, token: Token) {
        let words = ellipsis(words, usize::from(area.width), self.theme);
        text(self.buffer, area, &words, self.theme.style(token));
    }

    /// The names of the stages, as many as fit, in their order.
    fn stages(&mut self, sources: &Sources) {
        let columns = usize::from(self.rest.width / STAGE).max(1);
        for row in sources.stages.chunks(columns) {
            let line = self.next();
            for (index, info) in (0_u16..).zip(row) {
                let x = line.x + index * STAGE;
                let width = STAGE.min(line.right().saturating_sub(x));
                self.put(Rect { x, width, ..line }, info.name, Token::Dim);
            }
        }
    }
}
