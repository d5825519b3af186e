//! A line of text that a screen asked for, on the bottom line.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use tui_input::Input;
use tui_input::backend::crossterm::EventHandler as _;

use super::theme::{Theme, Token};
use crate::asn1::text::visible;

/// The longest text a prompt takes, in characters. A pasted file stops here.
const LONGEST: usize = 4096;

/// What the text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PromptKind {
    /// The `:` prompt: an offset or the name of an action.
    Command,
    /// What to search.
    Search,
    /// The path of a file to write.
    Save,
    /// The name of a type of the schema.
    Retype,
    /// A password; not shown.
    Password,
    /// A setting of the screen.
    Setting,
}

/// An open prompt.
#[derive(Debug, Clone)]
pub struct Prompt {
    kind: PromptKind,
    label: String,
    input: Input,
    candidates: Vec<String>,
    /// What `Tab` completes, and the candidate it gave last.
    stem: Option<(String, usize)>,
    error: Option<String>,
}

/// What became of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The text changed.
    Typed,
    /// The cursor moved, or nothing happened.
    Kept,
    /// Enter.
    Submitted,
    /// Esc, or backspace on an empty text.
    Dismissed,
}

impl Prompt {
    /// An empty prompt; `label` stands before the text, as `search `.
    #[must_use]
    pub fn new(kind: PromptKind, label: impl Into<String>) -> Self {
        Self {
            kind,
            label: label.into(),
            input: Input::default(),
            candidates: Vec::new(),
            stem: None,
            error: None,
        }
    }

    /// With a text to begin from.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.input = Input::new(text.into());
        self
    }

    /// With words that `Tab` completes.
    #[must_use]
    pub fn with_candidates(mut self, candidates: Vec<String>) -> Self {
        self.candidates = candidates;
        self
    }

    /// What the text is for.
    #[must_use]
    pub const fn kind(&self) -> PromptKind {
        self.kind
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// Says why the text will not do; shown until the text changes.
    pub fn refuse(&mut self, error: String) {
        self.error = Some(error);
    }

    /// A key.
    pub fn key(&mut self, key: &KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Esc => return Outcome::Dismissed,
            KeyCode::Char('c' | 'g') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Outcome::Dismissed;
            }
            KeyCode::Backspace if self.text().is_empty() => return Outcome::Dismissed,
            KeyCode::Enter => return Outcome::Submitted,
            KeyCode::Tab => return self.complete(false),
            KeyCode::BackTab => return self.complete(true),
            _ => {}
        }
        let full = self.text().chars().count() >= LONGEST;
        if full && matches!(key.code, KeyCode::Char(_)) {
            return Outcome::Kept;
        }
        let changed = self.input.handle_event(&Event::Key(*key)).is_some_and(|state| state.value);
        if changed { self.changed() } else { Outcome::Kept }
    }

    /// Pasted text, without its control characters.
    pub fn paste(&mut self, text: &str) -> Outcome {
        let room = LONGEST.saturating_sub(self.text().chars().count());
        // Line ends become spaces, so that hex over several lines stays apart.
        let text = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
        let mut any = false;
        for c in text.filter(|c| !c.is_control()).take(room) {
            any |= self.input.handle(tui_input::InputRequest::InsertChar(c)).is_some();
        }
        if any { self.changed() } else { Outcome::Kept }
    }

    fn changed(&mut self) -> Outcome {
        self.error = None;
        self.stem = None;
        Outcome::Typed
    }

    /// The next word that fits, or the one before it.
    fn complete(&mut self, back: bool) -> Outcome {
        let stem = self.stem.clone().map_or_else(|| self.text().to_owned(), |(stem, _)| stem);
        let fitting: Vec<&String> =
            self.candidates.iter().filter(|word| fits(word, &stem)).collect();
        if fitting.is_empty() {
            return Outcome::Kept;
        }
        let next = match &self.stem {
            Some((_, last)) => (last + if back { fitting.len() - 1 } else { 1 }) % fitting.len(),
            None => 0,
        };
        self.input = Input::new(fitting[next].clone());
        self.error = None;
        self.stem = Some((stem, next));
        Outcome::Typed
    }

    /// The words that fit what was typed, for the line above.
    fn fitting(&self) -> impl Iterator<Item = &str> {
        let stem = self.stem.as_ref().map_or(self.text(), |(stem, _)| stem);
        self.candidates.iter().map(String::as_str).filter(move |word| fits(word, stem))
    }

    /// Draws on the line `area`, and what fits or why not on the line above it.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        frame.render_widget(ratatui::widgets::Clear, area);
        let label = format!(" {}", self.label);
        let label_width = u16::try_from(Line::raw(&label).width()).unwrap_or(u16::MAX);
        let room = area.width.saturating_sub(label_width).saturating_sub(1).max(1);
        let shown = match self.kind {
            PromptKind::Password => "*".repeat(self.text().chars().count()),
            _ => self.text().to_owned(),
        };
        let view = Input::new(shown).with_cursor(self.input.cursor());
        let scroll = view.visual_scroll(usize::from(room));
        let text = skip_columns(view.value(), scroll);
        let line = Line::from(vec![
            Span::styled(label, theme.style(Token::Title)),
            Span::styled(visible(text).into_owned(), theme.style(Token::Text)),
        ]);
        frame.render_widget(line, area);
        let column = view.visual_cursor().saturating_sub(scroll);
        let x = area.x + label_width + u16::try_from(column).unwrap_or(room);
        frame.set_cursor_position(Position::new(x.min(area.right().saturating_sub(1)), area.y));
        self.draw_above(frame, area, theme);
    }

    fn draw_above(&self, frame: &mut Frame<'_>, area: Rect, theme: &Theme) {
        if area.y == 0 {
            return;
        }
        let above = Rect { y: area.y - 1, height: 1, ..area };
        let line = if let Some(error) = &self.error {
            Line::styled(format!(" {} {error}", theme.glyphs.bad), theme.style(Token::Bad))
        } else if !self.candidates.is_empty() {
            let mut words = String::new();
            for word in self.fitting() {
                if words.len() > usize::from(area.width) {
                    break;
                }
                words.push_str("  ");
                words.push_str(word);
            }
            Line::styled(words, theme.style(Token::Dim))
        } else {
            return;
        };
        frame.render_widget(ratatui::widgets::Clear, above);
        frame.render_widget(line, above);
    }
}

fn fits(word: &str, stem: &str) -> bool {
    word.get(..stem.len()).is_some_and(|start| start.eq_ignore_ascii_case(stem))
}

/// `text` without its first `columns` columns.
fn skip_columns(text: &str, columns: usize) -> &str {
    let mut width = 0;
    for (at, c) in text.char_indices() {
        if width >= columns {
            return &text[at..];
        }
        width += unicode_width::UnicodeWidthChar::width(c).unwrap_or(0);
    }
    ""
}
