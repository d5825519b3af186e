//! The settings: what is chosen, and a popup to choose it.

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::widgets::Clear;

use super::settings::{BackendChoice, PipelineSettings, objection};
use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::pipeline::{DEFAULT_SIZES, parse_sizes, parse_time};
use crate::views::action::{Action, Context};
use crate::views::bars::{boxed, ellipsis};
use crate::views::event::Look;
use crate::views::theme::Token;
use crate::views::widgets::chart::text;
use crate::views::widgets::grouped;

/// Columns of the popup.
const WIDTH: u16 = 66;

/// Columns of the names.
pub const NAMES: u16 = 18;

/// Workers at most.
const MOST_THREADS: usize = 1024;

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The CA's key.
    Algorithm,
    /// The subscribers' keys.
    Subscribers,
    /// The crypto backend.
    Backend,
    /// Sizes of the batches.
    Sizes,
    /// A key for each subscriber, or one for all.
    Keys,
    /// What a committed row survives.
    Durability,
    /// Workers.
    Threads,
    /// How long a size is repeated.
    MinTime,
    /// What names and serials grow from.
    Seed,
}

impl Field {
    /// Every setting, in the order of the popup.
    pub const ALL: [Self; 9] = [
        Self::Algorithm,
        Self::Subscribers,
        Self::Backend,
        Self::Sizes,
        Self::Keys,
        Self::Durability,
        Self::Threads,
        Self::MinTime,
        Self::Seed,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Algorithm => "CA algorithm",
            Self::Subscribers => "subscribers",
            Self::Backend => "backend",
            Self::Sizes => "batch sizes",
            Self::Keys => "subscriber keys",
            Self::Durability => "durability",
            Self::Threads => "workers",
            Self::MinTime => "repeat",
            Self::Seed => "seed",
        }
    }

    /// What to ask for when it can be typed.
    #[must_use]
    pub const fn question(self) -> Option<&'static str> {
        match self {
            Self::Sizes => Some("batch sizes, as 1,64,1024: "),
            Self::Threads => Some("workers: "),
            Self::MinTime => Some("repeat each size for, as 20s (empty: once): "),
            Self::Seed => Some("seed of names and serials: "),
            _ => None,
        }
    }

    /// What is chosen, in words.
    #[must_use]
    pub fn value(self, settings: &PipelineSettings, backends: &[BackendChoice]) -> String {
        match self {
            Self::Algorithm => settings.ca_algorithm.to_string(),
            Self::Subscribers => {
                settings.key_algorithm.map_or("as the CA".to_owned(), |own| own.to_string())
            }
            Self::Backend => {
                let choice = backends.iter().find(|backend| backend.id == settings.backend);
                choice.map_or(settings.backend.to_owned(), |backend| {
                    format!("{}, {}", backend.id, backend.version)
                })
            }
            Self::Sizes => sizes_in_words(&settings.sizes),
            Self::Keys if settings.shared_keys => "one for all, made before".to_owned(),
            Self::Keys => "a fresh one for each".to_owned(),
            Self::Durability if settings.full_durability => {
                "full: rows survive a power loss".to_owned()
            }
            Self::Durability => "normal: rows survive a crash".to_owned(),
            Self::Threads => settings.threads.to_string(),
            Self::MinTime => settings.min_time.map_or("once".to_owned(), |time| {
                format!("each size for {} s", time.as_secs_f64())
            }),
            Self::Seed => settings.seed.to_string(),
        }
    }

    /// What is chosen, as it can be typed.
    #[must_use]
    pub fn typed(self, settings: &PipelineSettings) -> String {
        match self {
            Self::Sizes => {
                let sizes: Vec<String> = settings.sizes.iter().map(u64::to_string).collect();
                sizes.join(",")
            }
            Self::MinTime => {
                settings.min_time.map_or(String::new(), |time| format!("{}s", time.as_secs_f64()))
            }
            Self::Threads => settings.threads.to_string(),
            Self::Seed => settings.seed.to_string(),
            _ => String::new(),
        }
    }

    /// Takes what was typed.
    ///
    /// # Errors
    /// One sentence that says what is wrong.
    pub fn take(self, settings: &mut PipelineSettings, text: &str) -> Result<(), String> {
        let number = || text.trim().parse::<u64>().ok();
        match self {
            Self::Sizes => settings.sizes = parse_sizes(text)?,
            Self::MinTime => settings.min_time = parse_time(text)?,
            Self::Threads => {
                let threads = number().and_then(|n| usize::try_from(n).ok());
                settings.threads = threads
                    .filter(|n| (1..=MOST_THREADS).contains(n))
                    .ok_or_else(|| format!("workers are a number from 1 to {MOST_THREADS}"))?;
            }
            Self::Seed => {
                let seed = number();
                settings.seed =
                    seed.ok_or_else(|| "a seed is a number from 0 to 2^64 - 1".to_owned())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the next choice, or the one before.
    pub fn turn(self, settings: &mut PipelineSettings, backends: &[BackendChoice], on: bool) {
        match self {
            Self::Algorithm => {
                settings.ca_algorithm = next(&SignatureAlgorithm::ALL, &settings.ca_algorithm, on);
            }
            Self::Subscribers => {
                let mut all = vec![None];
                all.extend(SignatureAlgorithm::ALL.map(Some));
                settings.key_algorithm = next(&all, &settings.key_algorithm, on);
            }
            Self::Backend => {
                let all: Vec<&'static str> = backends.iter().map(|backend| backend.id).collect();
                settings.backend = next(&all, &settings.backend, on);
            }
            Self::Sizes => {
                let all = [
                    DEFAULT_SIZES.to_vec(),
                    vec![64],
                    vec![256],
                    vec![1024],
                    vec![64, 1024],
                    vec![4096],
                ];
                settings.sizes = next(&all, &settings.sizes, on);
            }
            Self::Keys => settings.shared_keys ^= true,
            Self::Durability => settings.full_durability ^= true,
            Self::Threads => {
                let threads = settings.threads.saturating_add_signed(if on { 1 } else { -1 });
                settings.threads = threads.clamp(1, MOST_THREADS);
            }
            Self::MinTime => {
                let all = [0, 1, 5, 20, 60]
                    .map(|seconds| (seconds > 0).then(|| Duration::from_secs(seconds)));
                settings.min_time = next(&all, &settings.min_time, on);
            }
            Self::Seed => {
                settings.seed = settings.seed.wrapping_add_signed(if on { 1 } else { -1 });
            }
        }
    }
}

/// The choice behind `at`, or the one in front of it; the first one for an unknown choice.
fn next<T: Clone + PartialEq>(all: &[T], at: &T, on: bool) -> T {
    let count = all.len().max(1);
    let index = all.iter().position(|choice| choice == at);
    let to = index.map_or(0, |index| (index + if on { 1 } else { count - 1 }) % count);
    all.get(to).unwrap_or(at).clone()
}

/// `1, 2, 4 … 1,024`
#[must_use]
pub fn sizes_in_words(sizes: &[u64]) -> String {
    let words: Vec<String> = sizes.iter().copied().map(grouped).collect();
    match words.as_slice() {
        [first, second, third, .., last] if words.len() > 5 => {
            format!("{first}, {second}, {third} … {last}")
        }
        _ => words.join(", "),
    }
}

/// The open popup: which setting is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Popup {
    chosen: usize,
}

impl Popup {
    /// With this setting chosen.
    #[must_use]
    pub fn at(field: Field) -> Self {
        Self { chosen: Field::ALL.iter().position(|other| *other == field).unwrap_or(0) }
    }

    /// The chosen setting.
    #[must_use]
    pub fn field(self) -> Field {
        Field::ALL.get(self.chosen).copied().unwrap_or(Field::Algorithm)
    }

    /// Moves by so many rows.
    pub fn step(&mut self, by: isize) {
        self.chosen = self.chosen.saturating_add_signed(by).min(Field::ALL.len() - 1);
    }

    /// Where it stands on the screen.
    #[must_use]
    pub fn place(area: Rect) -> Rect {
        let rows = u16::try_from(Field::ALL.len()).unwrap_or(0);
        let (width, height) = (area.width.min(WIDTH), area.height.min(rows + 5));
        Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        }
    }

    /// Chooses the setting in a line of the screen; whether there is one.
    pub fn choose_at(&mut self, area: Rect, column: u16, row: u16) -> bool {
        let place = Self::place(area);
        let inside = place.contains((column, row).into());
        let index = usize::from(row.saturating_sub(place.y + 1));
        let found = inside && row > place.y && index < Field::ALL.len();
        if found {
            self.chosen = index;
        }
        found
    }

    /// Draws over `area`; `later` says that a run goes on with other settings.
    pub fn draw(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        settings: &PipelineSettings,
        backends: &[BackendChoice],
        later: bool,
        look: &Look<'_>,
    ) {
        let theme = look.theme;
        let place = Self::place(area);
        frame.render_widget(Clear, place);
        let key = |action: Action| {
            look.keymap.keys(Context::Pipeline, action).into_iter().next().unwrap_or_default()
        };
        let (title, start) = if later {
            (" Settings of the next run ", format!("{} restarts", key(Action::RestartRun)))
        } else {
            (" Settings ", format!("{} starts", key(Action::StartRun)))
        };
        boxed(frame, place, title, theme);
        let inner = Rect {
            x: place.x + 1,
            y: place.y + 1,
            width: place.width.saturating_sub(2),
            height: place.height.saturating_sub(2),
        };
        let buffer = frame.buffer_mut();
        let [left, _, right, _] = theme.glyphs.arrows;
        for ((index, field), y) in Field::ALL.iter().enumerate().zip(inner.top()..inner.bottom()) {
            let line = Rect { y, height: 1, ..inner };
            let name = Rect { x: line.x + 1, width: NAMES.min(line.width), ..line };
            text(buffer, name, field.name(), theme.style(Token::Name));
            let rest = Rect {
                x: line.x + (NAMES + 1).min(line.width),
                width: line.width.saturating_sub(NAMES + 1),
                ..line
            };
            let value = ellipsis(
                &field.value(settings, backends),
                usize::from(rest.width.saturating_sub(5)),
                theme,
            );
            let chosen = index == self.chosen;
            let value =
                if chosen { format!("{left} {value} {right}") } else { format!("  {value}") };
            text(buffer, rest, &value, theme.style(Token::Value));
            if chosen {
                let style = theme.style(Token::Selection);
                buffer.set_style(line, style);
                buffer.set_string(line.x, y, theme.glyphs.cursor, style);
            }
        }
        let below = Rect { y: inner.bottom().saturating_sub(2), height: 1, ..inner };
        let below = Rect { x: below.x + 1, width: below.width.saturating_sub(1), ..below };
        if inner.height > u16::try_from(Field::ALL.len()).unwrap_or(0) + 1 {
            let (words, token) = match objection(settings, backends) {
                Some(why) => (format!("{} {why}", theme.glyphs.bad), Token::Bad),
                None => ("these settings can run".to_owned(), Token::Good),
            };
            let words = ellipsis(&words, below.width.into(), theme);
            text(buffer, below, &words, theme.style(token));
            let enter = "Enter types or changes";
            let keys = format!("{left} {right} change   {enter}   {start}");
            let below = Rect { y: below.y + 1, ..below };
            text(buffer, below, &keys, theme.style(Token::Dim));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backends() -> Vec<BackendChoice> {
        ["one", "two"]
            .map(|id| BackendChoice {
                id,
                version: "1.0".into(),
                algorithms: SignatureAlgorithm::ALL.to_vec(),
            })
            .to_vec()
    }

    #[test]
    fn every_choice_is_reached_both_ways() {
        let backends = backends();
        for field in Field::ALL {
            let first = PipelineSettings::new("one", 4);
            let mut settings = first.clone();
            field.turn(&mut settings, &backends, true);
            assert_ne!(settings, first, "{field:?}");
            field.turn(&mut settings, &backends, false);
            assert_eq!(settings, first, "{field:?}");
            assert!(!field.value(&settings, &backends).is_empty());
        }
        let mut settings = PipelineSettings::new("one", 1);
        Field::Threads.turn(&mut settings, &backends, false);
        assert_eq!(settings.threads, 1);
        Field::Seed.turn(&mut settings, &backends, false);
        assert_eq!(settings.seed, u64::MAX);
    }

    #[test]
    fn what_is_typed_reads_back() {
        let mut settings = PipelineSettings::new("one", 4);
        for (field, text) in [
            (Field::Sizes, "1,64"),
            (Field::Threads, "12"),
            (Field::MinTime, "1.5s"),
            (Field::Seed, "18446744073709551615"),
        ] {
            field.take(&mut settings, text).unwrap();
            assert_eq!(field.typed(&settings), text);
            assert!(field.question().is_some());
            assert!(field.take(&mut settings, "x").is_err());
            assert_eq!(field.typed(&settings), text);
        }
        assert!(Field::Threads.take(&mut settings, "0").is_err());
    }

    #[test]
    fn many_sizes_are_said_shortly() {
        assert_eq!(sizes_in_words(&DEFAULT_SIZES), "1, 2, 4 … 1,024");
        assert_eq!(sizes_in_words(&[64, 1024]), "64, 1,024");
        assert_eq!(sizes_in_words(&[]), "");
    }
}
