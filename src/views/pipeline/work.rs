//! A run that goes on or is over: what was asked for, what is seen of it, how it ended.

use std::sync::Arc;
use std::time::Duration;

use super::figures::{Figures, History};
use super::settings::PipelineSettings;
use super::sources::{Beside, Question};
use crate::metrics::live::Live;
use crate::metrics::{Phase, Run, Snapshot};
use crate::views::theme::Token;
use crate::views::widgets::grouped;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// All sizes are done.
    Done,
    /// Somebody stopped it.
    Stopped,
    /// This went wrong; safe to show.
    Failed(String),
}

impl End {
    /// Whether that is good.
    #[must_use]
    pub const fn token(&self) -> Token {
        match self {
            Self::Done => Token::Good,
            Self::Stopped => Token::Warn,
            Self::Failed(_) => Token::Bad,
        }
    }
}

/// The run.
pub struct Work {
    /// What was asked for.
    pub settings: PipelineSettings,
    /// The link to it.
    pub live: Arc<Live>,
    /// The newest figures, or the frozen ones; `None` until something was measured.
    pub figures: Option<Figures>,
    /// Snapshots for the window.
    pub history: History,
    /// Sizes that are finished and stored.
    pub results: Vec<Run>,
    /// How it ended; `None` while it goes on.
    pub end: Option<End>,
    /// It was told to stop.
    pub stopping: bool,
    /// It starts again when it has stopped.
    pub again: bool,
    /// What there is to compare with.
    pub beside: Beside,
    /// The batch that was compared last.
    compared: Option<u64>,
}

impl Work {
    /// A run that begins.
    #[must_use]
    pub fn new(settings: PipelineSettings, live: Arc<Live>) -> Self {
        Self {
            settings,
            live,
            figures: None,
            history: History::default(),
            results: Vec::new(),
            end: None,
            stopping: false,
            again: false,
            beside: Beside::default(),
            compared: None,
        }
    }

    /// Whether it goes on.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        self.end.is_none()
    }

    /// Takes the newest snapshot in; whether it says anything new.
    pub fn refresh(&mut self, windowed: bool) -> bool {
        let Some(newest) = self.live.latest() else { return false };
        if let Some(figures) = &self.figures {
            let known = &figures.snapshot;
            let still = known.phase == Phase::Paused && newest.phase == Phase::Paused;
            let same = still && known.active_workers == newest.active_workers;
            if Arc::ptr_eq(known, &newest) || same && done(known) == done(&newest) {
                return false;
            }
        }
        self.history.keep(&newest);
        self.show(newest, windowed);
        true
    }

    /// Works the figures out again, for all of the point or for a window.
    pub fn rework(&mut self, windowed: bool) {
        if let Some(figures) = &self.figures {
            self.show(Arc::clone(&figures.snapshot), windowed);
        }
    }

    fn show(&mut self, snapshot: Arc<Snapshot>, windowed: bool) {
        let before = if windowed { self.history.start() } else { None };
        self.figures = Some(Figures::new(snapshot, before));
    }

    /// What to ask about the point that runs, once for each point.
    pub fn question(&mut self) -> Option<Question> {
        let snapshot = &self.figures.as_ref()?.snapshot;
        if self.compared == Some(snapshot.batch) {
            return None;
        }
        self.compared = Some(snapshot.batch);
        let mut except = snapshot.finished_runs.clone();
        except.extend(snapshot.run);
        Some(Question { settings: self.settings.clone(), batch: snapshot.batch, except })
    }

    /// The run in the store whose objects are listed.
    #[must_use]
    pub fn stored_run(&self) -> Option<i64> {
        let snapshot = &self.figures.as_ref()?.snapshot;
        snapshot.run.or_else(|| snapshot.finished_runs.last().copied())
    }

    /// What it does, in a word or two.
    #[must_use]
    pub fn state(&self) -> &'static str {
        let phase = self.figures.as_ref().map(|figures| &figures.snapshot.phase);
        match (&self.end, phase) {
            (Some(End::Done), _) => "done",
            (Some(End::Stopped), _) => "stopped",
            (Some(End::Failed(_)), _) => "failed",
            (None, _) if self.stopping => "stopping",
            (None, _) if self.live.paused() => "PAUSED",
            (None, None | Some(Phase::Preparing)) => "preparing",
            (None, Some(_)) => "●",
        }
    }

    /// How it ended and where its results are.
    #[must_use]
    pub fn outcome(&self, store: &str) -> String {
        let Some(figures) = &self.figures else { return String::new() };
        let snapshot = &figures.snapshot;
        let mut words = match &self.end {
            Some(End::Done) => format!("done in {}", seconds(snapshot.at)),
            Some(End::Stopped) => "stopped".to_owned(),
            Some(End::Failed(why)) => why.clone(),
            None => "left while it ran".to_owned(),
        };
        match runs_in_words(&snapshot.finished_runs) {
            Some(runs) => words = format!("{words}; stored as {runs} in {store}"),
            None => words.push_str("; no size was finished"),
        }
        words
    }
}

/// Items done in all repetitions, to see whether anything moved.
fn done(snapshot: &Snapshot) -> u64 {
    snapshot.stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.service.len()))
}

/// `12 s`, or `0.4 s` for short times.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        seconds => format!("{} s", grouped(seconds)),
    }
}

/// `run 41`, `runs 41 to 51`, `runs 3, 5 and 9 more`.
fn runs_in_words(runs: &[i64]) -> Option<String> {
    let in_a_row = runs.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    match runs {
        [] => None,
        [run] => Some(format!("run {run}")),
        [first, .., last] if in_a_row => Some(format!("runs {first} to {last}")),
        [first, second] => Some(format!("runs {first} and {second}")),
        [first, second, rest @ ..] => {
            Some(format!("runs {first}, {second} and {} more", rest.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_shortly() {
        let words = |runs: &[i64]| runs_in_words(runs).unwrap_or_default();
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[41]), "run 41");
        assert_eq!(words(&[41, 42, 43]), "runs 41 to 43");
        assert_eq!(words(&[1, 9]), "runs 1 and 9");
        assert_eq!(words(&[i64::MAX, 9, 7]), "runs 9223372036854775807, 9 and 1 more");
        assert_eq!(seconds(Duration::from_millis(440)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(1234)), "1,234 s");
    }
}
