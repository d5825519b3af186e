//! Key sequences: a trie of the default keys with the user's laid over it.
//!
//! The keys of a screen go before those that work everywhere: on the pipeline screen `space`
//! pauses, elsewhere it opens.
//!
//! A sequence is written as keys with a space between (`g !`). A key is a character, or one of
//! `esc enter tab backtab backspace delete insert space up down left right home end pageup
//! pagedown f1`..`f12`, with `C-` (control), `A-` (alt) and `S-` (shift) before it.

use std::collections::BTreeMap;
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{Action, Context, TABLE};

/// One key with its modifiers. Shift is kept only where the character does not tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Press {
    /// The key.
    pub code: Code,
    /// With control.
    pub control: bool,
    /// With alt.
    pub alt: bool,
    /// With shift.
    pub shift: bool,
}

/// A key without modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character as typed.
    Char(char),
    /// A named key; an index into [`NAMED`].
    Named(u8),
    /// A function key.
    F(u8),
}

/// The keys that have a name, and how the terminal reports them.
const NAMED: [(&str, KeyCode); 16] = [
    ("esc", KeyCode::Esc),
    ("enter", KeyCode::Enter),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("space", KeyCode::Char(' ')),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
];

impl Press {
    /// What a terminal's key event means, `None` for keys without a name here.
    #[must_use]
    pub fn from_event(event: &KeyEvent) -> Option<Self> {
        let named = NAMED.iter().position(|(_, code)| *code == event.code);
        let code = match (named, event.code) {
            (Some(index), _) => Code::Named(u8::try_from(index).ok()?),
            (None, KeyCode::Char(c)) => Code::Char(c),
            (None, KeyCode::F(n)) => Code::F(n),
            _ => return None,
        };
        let told = matches!(code, Code::Char(_)) || event.code == KeyCode::BackTab;
        Some(Self {
            code,
            control: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
            shift: event.modifiers.contains(KeyModifiers::SHIFT) && !told,
        })
    }

    /// Reads one key of the notation.
    fn parse(text: &str) -> Option<Self> {
        let mut press = Self { code: Code::Char(' '), control: false, alt: false, shift: false };
        let mut rest = text;
        while rest.len() > 2 && rest.is_char_boundary(2) {
            let flag = match &rest[..2] {
                "C-" => &mut press.control,
                "A-" => &mut press.alt,
                "S-" => &mut press.shift,
                _ => break,
            };
            if std::mem::replace(flag, true) {
                return None;
            }
            rest = &rest[2..];
        }
        let mut chars = rest.chars();
        press.code = match (chars.next(), chars.next()) {
            (Some(c), None) if !c.is_control() && !c.is_whitespace() => Code::Char(c),
            (Some('f'), Some('1'..='9')) => {
                Code::F(rest[1..].parse().ok().filter(|n| (1..=12).contains(n))?)
            }
            _ => {
                let index = NAMED.iter().position(|(name, _)| *name == rest)?;
                Code::Named(u8::try_from(index).ok()?)
            }
        };
        // A terminal reports shift with a character as another character, and S-tab as backtab.
        let told = matches!(press.code, Code::Char(_)) || matches!(rest, "tab" | "backtab");
        (!(press.shift && told)).then_some(press)
    }
}

impl fmt::Display for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, prefix) in [(self.control, "C-"), (self.alt, "A-"), (self.shift, "S-")] {
            if on {
                f.write_str(prefix)?;
            }
        }
        match self.code {
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "f{n}"),
            Code::Named(index) => f.write_str(NAMED[usize::from(index)].0),
        }
    }
}

/// A sequence as a person reads it: `g !` is `g!`, `pageup` is `PageUp`.
#[must_use]
pub fn show(keys: &str) -> String {
    let parts: Vec<String> = keys.split(' ').map(show_press).collect();
    let short = parts.iter().all(|part| part.chars().count() == 1);
    parts.join(if short { "" } else { " " })
}

fn show_press(key: &str) -> String {
    let (prefix, name) = match key.rfind('-') {
        Some(at) if at + 1 < key.len() => key.split_at(at + 1),
        _ => ("", key),
    };
    let name = match name {
        "esc" => "Esc",
        "enter" => "Enter",
        "tab" => "Tab",
        "backtab" => "BackTab",
        "backspace" => "Backspace",
        "delete" => "Delete",
        "insert" => "Insert",
        "space" => "Space",
        "up" => "Up",
        "down" => "Down",
        "left" => "Left",
        "right" => "Right",
        "home" => "Home",
        "end" => "End",
        "pageup" => "PageUp",
        "pagedown" => "PageDown",
        other => return format!("{prefix}{}", function_key(other)),
    };
    format!("{prefix}{name}")
}

fn function_key(name: &str) -> String {
    if name.len() > 1 && name.starts_with('f') { name.to_uppercase() } else { name.to_owned() }
}

/// A key sequence.
pub type Sequence = Vec<Press>;

/// Reads a sequence; the error names the key that is none.
///
/// # Errors
/// A sentence without a full stop that quotes what is wrong.
pub fn parse_sequence(text: &str) -> Result<Sequence, String> {
    if text.trim().is_empty() {
        return Err("an empty key sequence".to_owned());
    }
    text.split_whitespace()
        .map(|key| Press::parse(key).ok_or_else(|| format!("no key is called {key:?}")))
        .collect()
}

/// A line of the user's key map.
#[derive(Debug, Clone)]
pub struct Override {
    /// The table's name: `global`, `browse`, `pipeline`.
    pub context: String,
    /// The action's name.
    pub action: String,
    /// The sequences that replace the default ones; none unbinds the action.
    pub keys: Vec<String>,
    /// Line of the file, from 1.
    pub line: usize,
}

/// What is wrong with a line of the user's key map.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct KeymapError {
    /// Line of the file, from 1.
    pub line: usize,
    /// One sentence without a full stop.
    pub message: String,
}

/// What a sequence of keys means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// Run this.
    Run(Action),
    /// More keys are needed.
    Pending,
    /// Nothing begins like this.
    None,
}

/// A binding: what it runs and who made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Binding {
    action: Action,
    context: Context,
    /// The user's line; `None` for a default.
    line: Option<usize>,
}

/// The effective keys.
///
/// Sequences in order, so that all that begin alike stand together: with a few dozen of them
/// that is the trie.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: BTreeMap<Sequence, Vec<Binding>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self { bindings: defaults(&[]) }
    }
}

fn defaults(replaced: &[Action]) -> BTreeMap<Sequence, Vec<Binding>> {
    let mut bindings: BTreeMap<Sequence, Vec<Binding>> = BTreeMap::new();
    for entry in TABLE.iter().filter(|entry| !replaced.contains(&entry.action)) {
        let binding = Binding { action: entry.action, context: entry.context, line: None };
        for keys in entry.keys {
            // A test reads every default sequence, so none is skipped here.
            if let Ok(sequence) = parse_sequence(keys) {
                bindings.entry(sequence).or_default().push(binding);
            }
        }
    }
    bindings
}

/// Whether a user's binding takes the place of a default with a sequence that clashes.
///
/// In its own context it does. What works everywhere takes the keys of every screen too, but
/// for a key that the screen had taken from this action before the user named it; a screen's
/// keys go before the global ones anyway.
fn displaces(user: &Binding, sequence: &[Press], old: &Binding) -> bool {
    let taken_before = || user.action.entry().keys.contains(&write(sequence).as_str());
    old.context == user.context || (user.context == Context::Global && !taken_before())
}

/// Two sequences cannot both work when one begins with the other.
fn clash(a: &[Press], b: &[Press]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

impl Keymap {
    /// The default keys with the user's laid over them.
    ///
    /// An action that the user names has the user's keys only. A user's key takes the place of
    /// every default that it clashes with, on the screens where it works.
    ///
    /// # Errors
    /// Every line that names an unknown table, action or key, or that clashes with another
    /// line of the user's.
    pub fn new(overrides: &[Override]) -> Result<Self, Vec<KeymapError>> {
        let mut errors = Vec::new();
        let mut user: Vec<(Sequence, Binding)> = Vec::new();
        let mut replaced = Vec::new();
        for line in overrides {
            match read_override(line, &mut replaced) {
                Ok(read) => add_user(&mut user, read, &mut errors),
                Err(message) => errors.push(KeymapError { line: line.line, message }),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut bindings = defaults(&replaced);
        for (sequence, binding) in user {
            for (other, list) in &mut bindings {
                if clash(other, &sequence) {
                    list.retain(|old| old.line.is_some() || !displaces(&binding, &sequence, old));
                }
            }
            bindings.retain(|_, list| !list.is_empty());
            bindings.entry(sequence).or_default().push(binding);
        }
        Ok(Self { bindings })
    }

    /// What `keys` mean while `context` is on screen.
    #[must_use]
    pub fn lookup(&self, context: Context, keys: &[Press]) -> Lookup {
        match self.lookup_in(context, keys) {
            Lookup::None => self.lookup_in(Context::Global, keys),
            found => found,
        }
    }

    /// What `keys` mean by the bindings of `context` alone.
    fn lookup_in(&self, context: Context, keys: &[Press]) -> Lookup {
        let mut pending = false;
        for (sequence, binding) in self.starting_with(keys) {
            if binding.context != context {
                continue;
            }
            if sequence.len() == keys.len() {
                return Lookup::Run(binding.action);
            }
            pending = true;
        }
        if pending { Lookup::Pending } else { Lookup::None }
    }

    /// Whether `sequence` gets to `action` in `context`: nothing on the way means another.
    fn reaches(&self, context: Context, sequence: &[Press], action: Action) -> bool {
        (1..sequence.len()).all(|n| self.lookup(context, &sequence[..n]) == Lookup::Pending)
            && self.lookup(context, sequence) == Lookup::Run(action)
    }

    /// What can follow `keys` in `context`: the rest of the sequence, and its action, for the
    /// popup of pending keys.
    #[must_use]
    pub fn following(&self, context: Context, keys: &[Press]) -> Vec<(String, Action)> {
        self.starting_with(keys)
            .filter(|(sequence, binding)| {
                sequence.len() > keys.len() && self.reaches(context, sequence, binding.action)
            })
            .map(|(sequence, binding)| (show(&write(&sequence[keys.len()..])), binding.action))
            .collect()
    }

    fn starting_with<'a>(
        &'a self,
        keys: &'a [Press],
    ) -> impl Iterator<Item = (&'a [Press], Binding)> {
        self.bindings
            .range(keys.to_vec()..)
            .take_while(move |(sequence, _)| sequence.starts_with(keys))
            .flat_map(|(sequence, list)| list.iter().map(|binding| (sequence.as_slice(), *binding)))
    }

    /// The sequences that run `action` on some screen, in the notation of the configuration
    /// file and in the order of the table.
    #[must_use]
    pub fn sequences(&self, action: Action) -> Vec<String> {
        self.sequences_if(action, |_| true)
    }

    fn sequences_if(&self, action: Action, wanted: impl Fn(&[Press]) -> bool) -> Vec<String> {
        let mut found: Vec<String> = self
            .bindings
            .iter()
            .filter(|(_, list)| list.iter().any(|binding| binding.action == action))
            .filter(|(sequence, _)| wanted(sequence))
            .map(|(sequence, _)| write(sequence))
            .collect();
        let defaults = action.entry().keys;
        found.sort_by_key(|keys| {
            defaults.iter().position(|key| key == keys).unwrap_or(defaults.len())
        });
        found
    }

    /// The sequences that run `action` while `context` is on screen, in the notation of the
    /// configuration file.
    fn sequences_in(&self, context: Context, action: Action) -> Vec<String> {
        self.sequences_if(action, |sequence| self.reaches(context, sequence, action))
    }

    /// The sequences that run `action` while `context` is on screen, as a person reads them.
    #[must_use]
    pub fn keys(&self, context: Context, action: Action) -> Vec<String> {
        self.sequences_in(context, action).iter().map(|keys| show(keys)).collect()
    }

    /// What the footer shows for `action`: its first sequence and its hint, or for one of a
    /// group the first key and the group's word (`y copy`). `None` when it has no key.
    #[must_use]
    pub fn hint(&self, context: Context, action: Action) -> Option<(String, &'static str)> {
        let keys = self.sequences_in(context, action).into_iter().next()?;
        match (action.group(), keys.split_once(' ')) {
            (Some(group), Some((first, _))) => Some((show(first), group)),
            _ => Some((show(&keys), action.entry().hint)),
        }
    }

    /// Whether the user made the keys of `action`.
    #[must_use]
    pub fn is_user(&self, action: Action) -> bool {
        self.bindings
            .values()
            .flatten()
            .any(|binding| binding.action == action && binding.line.is_some())
    }
}

fn write(sequence: &[Press]) -> String {
    sequence.iter().map(Press::to_string).collect::<Vec<_>>().join(" ")
}

type Read = (Vec<Sequence>, Binding);

fn read_override(line: &Override, replaced: &mut Vec<Action>) -> Result<Read, String> {
    let context = Context::by_id(&line.context).ok_or_else(|| {
        let known: Vec<&str> = Context::ALL.iter().map(|context| context.id()).collect();
        format!("no table of keys is called {:?}; there are {}", line.context, known.join(", "))
    })?;
    let action = Action::by_id(&line.action)
        .ok_or_else(|| format!("no action is called {:?}; --print-keys lists them", line.action))?;
    let home = action.entry().context;
    if home != context {
        return Err(format!(
            "the action {:?} belongs to the table {:?}, not {:?}",
            line.action,
            home.id(),
            line.context
        ));
    }
    if replaced.contains(&action) {
        return Err(format!("the action {:?} was given before", line.action));
    }
    let sequences: Result<Vec<Sequence>, String> =
        line.keys.iter().map(|keys| parse_sequence(keys)).collect();
    let sequences = sequences.map_err(|message| format!("{} of {:?}", message, line.action))?;
    replaced.push(action);
    Ok((sequences, Binding { action, context, line: Some(line.line) }))
}

fn add_user(
    user: &mut Vec<(Sequence, Binding)>,
    (sequences, binding): Read,
    errors: &mut Vec<KeymapError>,
) {
    let line = binding.line.unwrap_or_default();
    for sequence in sequences {
        let rival = user
            .iter()
            .find(|(other, old)| clash(other, &sequence) && old.context == binding.context);
        if let Some((other, old)) = rival {
            errors.push(KeymapError {
                line,
                message: format!(
                    "{:?} of {:?} clashes with {:?} of {:?} in line {}",
                    write(&sequence),
                    binding.action.entry().id,
                    write(other),
                    old.action.entry().id,
                    old.line.unwrap_or_default()
                ),
            });
        } else {
            user.push((sequence, binding));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(text: &str) -> Sequence {
        parse_sequence(text).unwrap()
    }

    fn line(context: &str, action: &str, keys: &[&str], line: usize) -> Override {
        Override {
            context: context.into(),
            action: action.into(),
            keys: keys.iter().map(|&key| key.to_owned()).collect(),
            line,
        }
    }

    #[test]
    fn default_keys_read_and_do_not_clash() {
        let mut seen: Vec<(Sequence, &str, Context)> = Vec::new();
        for entry in TABLE {
            for keys in entry.keys {
                let sequence = press(keys);
                assert_eq!(write(&sequence), *keys);
                for (other, id, context) in &seen {
                    // A screen may give a global key another meaning, but not a half of one.
                    let both = [*context, entry.context];
                    let wrong = both[0] == both[1]
                        || (both.contains(&Context::Global) && *other != sequence);
                    assert!(
                        !clash(other, &sequence) || !wrong,
                        "{keys} of {} clashes with {id}",
                        entry.id
                    );
                }
                seen.push((sequence, entry.id, entry.context));
            }
        }
    }

    #[test]
    fn sequences_are_followed_key_by_key() {
        let keymap = Keymap::default();
        assert_eq!(keymap.lookup(Context::Browse, &press("g")), Lookup::Pending);
        assert_eq!(keymap.lookup(Context::Browse, &press("g !")), Lookup::Run(Action::NextFinding));
        assert_eq!(keymap.lookup(Context::Browse, &press("g x")), Lookup::None);
        assert_eq!(keymap.lookup(Context::Global, &press("g !")), Lookup::None);
        assert_eq!(keymap.lookup(Context::Browse, &press("q")), Lookup::Run(Action::Quit));
        let following = keymap.following(Context::Browse, &press("y"));
        assert!(following.contains(&("h".to_owned(), Action::CopyHex)), "{following:?}");
        assert_eq!(keymap.following(Context::Global, &press("y")), []);
        let browse = Context::Browse;
        assert_eq!(keymap.keys(browse, Action::First), ["Home", "gg"]);
        assert_eq!(keymap.hint(browse, Action::CopyHex), Some(("y".to_owned(), "copy")));
        assert_eq!(keymap.hint(browse, Action::Search), Some(("/".to_owned(), "search")));
        assert_eq!(keymap.hint(Context::Runs, Action::Search), None);
    }

    #[test]
    fn a_screen_goes_before_what_works_everywhere() {
        let keymap = Keymap::default();
        let space = |context| keymap.lookup(context, &press("space"));
        assert_eq!(space(Context::Pipeline), Lookup::Run(Action::Pause));
        assert_eq!(space(Context::Browse), Lookup::Run(Action::Enter));
        assert_eq!(space(Context::Global), Lookup::Run(Action::Enter));
        assert_eq!(keymap.keys(Context::Pipeline, Action::Enter), ["Enter"]);
        assert_eq!(keymap.keys(Context::Browse, Action::Enter), ["Enter", "Space"]);
        assert_eq!(keymap.sequences(Action::Enter), ["enter", "space"]);
        // So it stays when the user gives the global action a key more.
        let keys = line("global", "enter", &["enter", "space", "o"], 1);
        let keymap = Keymap::new(&[keys]).unwrap();
        let run = |context, keys| keymap.lookup(context, &press(keys));
        assert_eq!(run(Context::Pipeline, "space"), Lookup::Run(Action::Pause));
        assert_eq!(run(Context::Pipeline, "o"), Lookup::Run(Action::Enter), "the user's own");
        assert_eq!(keymap.keys(Context::Pipeline, Action::Settings), [""; 0]);
    }

    #[test]
    fn a_key_of_one_screen_leaves_the_others_theirs() {
        let keymap = Keymap::new(&[
            line("browse", "save", &["q", "g"], 1),
            line("pipeline", "export", &["g x"], 2),
            line("global", "quit", &["q", "X"], 3),
        ])
        .unwrap();
        let run = |context, keys| keymap.lookup(context, &press(keys));
        assert_eq!(run(Context::Browse, "q"), Lookup::Run(Action::Save));
        assert_eq!(run(Context::Pipeline, "q"), Lookup::Run(Action::Quit));
        assert_eq!(keymap.keys(Context::Browse, Action::Quit), ["X"]);
        assert_eq!(keymap.keys(Context::Browse, Action::First), ["Home"], "behind g");
        assert_eq!(keymap.keys(Context::Pipeline, Action::First), ["Home", "gg"]);
        assert_eq!(keymap.keys(Context::Runs, Action::First), ["Home", "gg"]);
        assert_eq!(run(Context::Pipeline, "g"), Lookup::Pending);
        let after_g = keymap.following(Context::Pipeline, &press("g"));
        let wanted = [("g".to_owned(), Action::First), ("x".to_owned(), Action::Export)];
        assert_eq!(after_g, wanted);
    }

    #[test]
    fn events_become_presses() {
        let event = |code, modifiers| Press::from_event(&KeyEvent::new(code, modifiers));
        let one = |text: &str| press(text).first().copied();
        assert_eq!(event(KeyCode::Char('G'), KeyModifiers::SHIFT), one("G"));
        assert_eq!(event(KeyCode::BackTab, KeyModifiers::SHIFT), one("backtab"));
        assert_eq!(event(KeyCode::Char('c'), KeyModifiers::CONTROL), one("C-c"));
        assert_eq!(event(KeyCode::Left, KeyModifiers::ALT | KeyModifiers::SHIFT), one("A-S-left"));
        assert_eq!(event(KeyCode::Char(' '), KeyModifiers::NONE), one("space"));
        assert_eq!(event(KeyCode::F(12), KeyModifiers::NONE), one("f12"));
        assert_eq!(event(KeyCode::CapsLock, KeyModifiers::NONE), None);
    }

    #[test]
    fn keys_that_are_none_are_named() {
        for bad in ["", " ", "nosuch", "f13", "f0", "C-C-a", "S-a", "S-tab", "C-", "ab", "\u{7}"] {
            assert!(parse_sequence(bad).is_err(), "{bad:?}");
        }
        for good in ["-", "C--", "A-f1", "é", "g g", "C-A-S-pageup"] {
            assert_eq!(write(&press(good)), good);
        }
        assert_eq!(
            (show("g !"), show("C-pageup"), show("f1")),
            ("g!".into(), "C-PageUp".into(), "F1".into())
        );
        assert_eq!(
            (show("-"), show("C--"), show("C-x y")),
            ("-".into(), "C--".into(), "C-x y".into())
        );
    }

    #[test]
    fn a_user_key_replaces_and_displaces() {
        let keymap = Keymap::new(&[
            line("global", "quit", &["Q", "C-q"], 3),
            line("browse", "save", &["g"], 4),
            line("browse", "retype", &[], 5),
        ])
        .unwrap();
        let run = |keys: &str| keymap.lookup(Context::Browse, &press(keys));
        assert_eq!(run("q"), Lookup::None);
        assert_eq!(run("C-q"), Lookup::Run(Action::Quit));
        assert_eq!(run("g"), Lookup::Run(Action::Save));
        assert_eq!(run("g !"), Lookup::None, "displaced by g");
        assert_eq!(run("t"), Lookup::None);
        assert_eq!(keymap.keys(Context::Browse, Action::First), ["Home"]);
        assert!(keymap.is_user(Action::Save) && !keymap.is_user(Action::Help));
    }

    #[test]
    fn wrong_lines_are_all_named() {
        let errors = Keymap::new(&[
            line("global", "no-such", &["x"], 2),
            line("nowhere", "quit", &["x"], 3),
            line("browse", "quit", &["x"], 4),
            line("global", "help", &["hyper-x"], 5),
            line("browse", "density", &["g g"], 6),
            line("browse", "save", &["g"], 7),
            line("browse", "density", &["Q"], 8),
        ])
        .unwrap_err();
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 7, 8]);
        assert!(errors[4].message.contains("line 6"), "{}", errors[4]);
        assert!(errors[3].to_string().contains("\"hyper-x\""), "{}", errors[3]);
    }
}
