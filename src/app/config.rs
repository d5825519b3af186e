//! The configuration: command line over environment over file over default, resolved once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::cli::{Cli, Format};
use crate::asn1::text::visible;
use crate::views::keymap::{Keymap, Override};
use crate::views::theme::Palette;

/// The largest configuration file that is read, in octets.
const LARGEST_FILE: u64 = 1 << 20;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A flag of the command line.
    Flag(&'static str),
    /// A variable of the environment.
    Environment(&'static str),
    /// A line of the configuration file, from 1.
    File(usize),
    /// Built in.
    Default,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(name) => write!(f, "flag {name}"),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::File(line) => write!(f, "file, line {line}"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// Everything that can be configured; immutable from then on.
#[derive(Debug, Clone)]
pub struct Config {
    /// The configuration file that was read.
    pub file: Option<PathBuf>,
    /// The database; `:memory:` keeps it in memory.
    pub db: Setting<PathBuf>,
    /// Threads for work on many cores; `None` is all cores, less one beside a screen.
    pub threads: Setting<Option<NonZeroUsize>>,
    /// Colours.
    pub theme: Setting<Palette>,
    /// Only ASCII in lines and signs.
    pub ascii: Setting<bool>,
    /// The log file.
    pub log: Setting<Option<PathBuf>>,
    /// The user's file of OID names.
    pub oids: Setting<Option<PathBuf>>,
    /// The effective keys.
    pub keymap: Keymap,
    /// The form of batch output; by flag only.
    pub format: Format,
}

/// What is wrong with the configuration: one line a fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A line of the file is wrong.
    #[error("{}: line {line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A variable of the environment is wrong.
    #[error("environment {name}: {message}")]
    Environment {
        /// The variable.
        name: &'static str,
        /// What is wrong with it.
        message: String,
    },
}

/// What the process finds around it, injected for tests.
pub struct Surroundings<'a> {
    /// A variable of the environment.
    pub env: &'a dyn Fn(&str) -> Option<OsString>,
    /// The XDG configuration directory.
    pub config_dir: Option<PathBuf>,
    /// The XDG state directory.
    pub state_dir: Option<PathBuf>,
}

impl Surroundings<'_> {
    /// Those of this process.
    #[must_use]
    pub fn of_process() -> Surroundings<'static> {
        let dirs = etcetera::base_strategy::Xdg::new().ok();
        Surroundings {
            env: &|name| std::env::var_os(name),
            config_dir: dirs.as_ref().map(etcetera::BaseStrategy::config_dir),
            state_dir: dirs.as_ref().and_then(etcetera::BaseStrategy::state_dir),
        }
    }

    /// A variable that is set and not empty.
    fn var(&self, name: &str) -> Option<OsString> {
        (self.env)(name).filter(|value| !value.is_empty())
    }
}

/// The values of the file, each with its line.
#[derive(Debug, Default)]
struct FileValues {
    values: BTreeMap<&'static str, (Value, usize)>,
    keys: Vec<Override>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text(String),
    Whole(i64),
    Truth(bool),
}

/// What a key of the file takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Text,
    Whole,
    Truth,
}

/// The keys at the top of the file.
const KEYS: [(&str, Takes); 6] = [
    ("ascii", Takes::Truth),
    ("db", Takes::Text),
    ("log", Takes::Text),
    ("oids", Takes::Text),
    ("theme", Takes::Text),
    ("threads", Takes::Whole),
];

impl Config {
    /// Resolves the layers.
    ///
    /// # Errors
    /// Every fault of the file and of the environment.
    pub fn load(cli: &Cli, around: &Surroundings<'_>) -> Result<Self, Vec<ConfigError>> {
        let given =
            cli.flags.config.clone().or_else(|| around.var("PKISCOPE_CONFIG").map(PathBuf::from));
        let usual = around.config_dir.as_ref().map(|dir| dir.join("pkiscope").join("config.toml"));
        let (path, text) = match (given, usual) {
            (Some(path), _) => {
                let text = read(&path).map_err(|error| vec![error])?;
                (Some(path), text)
            }
            (None, Some(path)) if path.exists() => {
                let text = read(&path).map_err(|error| vec![error])?;
                (Some(path), text)
            }
            _ => (None, String::new()),
        };
        Self::resolve(cli, around, path, &text)
    }

    fn resolve(
        cli: &Cli,
        around: &Surroundings<'_>,
        path: Option<PathBuf>,
        text: &str,
    ) -> Result<Self, Vec<ConfigError>> {
        let mut faults = Vec::new();
        let (mut file, lines) = parse(text);
        let mut wrong: Vec<(usize, String)> = lines;
        let keymap = Keymap::new(&file.keys).unwrap_or_else(|errors| {
            wrong.extend(errors.into_iter().map(|error| (error.line, error.message)));
            Keymap::default()
        });
        let mut layers = Layers { around, file: &mut file, wrong: &mut wrong, faults: &mut faults };
        let flags = &cli.flags;
        let config = Self {
            db: layers.path("db", "--db", "PKISCOPE_DB", flags.db.clone(), || {
                let dir = around.state_dir.clone().unwrap_or_default();
                dir.join("pkiscope").join("pkiscope.db")
            }),
            threads: layers.threads(flags.threads),
            theme: layers.theme(flags.theme, flags.no_color),
            ascii: layers.ascii(flags.ascii),
            log: layers.maybe_path("log", "--log", "PKISCOPE_LOG", flags.log.clone()),
            oids: layers.maybe_path("oids", "--oids", "PKISCOPE_OIDS", flags.oids.clone()),
            keymap,
            format: flags.format,
            file: path.clone(),
        };
        let path = path.unwrap_or_default();
        wrong.sort();
        faults.extend(wrong.into_iter().map(|(line, message)| ConfigError::Line {
            path: path.clone(),
            line,
            message,
        }));
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }

    /// The effective configuration as a file that gives it, with the origins as comments.
    #[must_use]
    pub fn print(&self) -> String {
        let mut out = String::new();
        let file = self
            .file
            .as_ref()
            .map_or("none".into(), |path| visible(&path.display().to_string()).into_owned());
        let _ = writeln!(out, "# configuration file: {file}");
        let path = |path: &Path| quoted(&path.display().to_string());
        let mut line = |key: &str, value: Option<String>, origin: &Origin| {
            let text = match value {
                Some(value) => format!("{key} = {value}"),
                None => format!("# {key} is not set"),
            };
            let _ = writeln!(out, "{text:<40} # {origin}");
        };
        line("ascii", Some(self.ascii.value.to_string()), &self.ascii.origin);
        line("db", Some(path(&self.db.value)), &self.db.origin);
        line("log", self.log.value.as_deref().map(path), &self.log.origin);
        line("oids", self.oids.value.as_deref().map(path), &self.oids.origin);
        line("theme", Some(quoted(self.theme.value.id())), &self.theme.origin);
        line("threads", self.threads.value.map(|n| n.to_string()), &self.threads.origin);
        out
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn read(path: &Path) -> Result<String, ConfigError> {
    use std::io::Read as _;
    let unreadable = |reason: String| ConfigError::Unreadable { path: path.to_owned(), reason };
    let file = std::fs::File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut octets = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut octets)
        .map_err(|error| unreadable(error.to_string()))?;
    if octets.len() as u64 > LARGEST_FILE {
        return Err(unreadable("larger than 1 MiB, this is no configuration file".to_owned()));
    }
    String::from_utf8(octets).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&octet| octet == b'\n').count();
        ConfigError::Line { path: path.to_owned(), line, message: "not UTF-8".to_owned() }
    })
}

/// Reads the file's text; the faults are lines and messages.
fn parse(text: &str) -> (FileValues, Vec<(usize, String)>) {
    let mut out = FileValues::default();
    let mut wrong = Vec::new();
    let line_of = |at: usize| text.get(..at).map_or(0, |head| head.matches('\n').count()) + 1;
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(error) => {
            let line = error.span().map_or(1, |span| line_of(span.start));
            wrong.push((line, one_line(error.message())));
            return (out, wrong);
        }
    };
    for (key, value) in &table {
        let line = line_of(key.span().start);
        let name: &str = key.get_ref();
        if name == "keys" {
            parse_keys(value.get_ref(), line, &line_of, &mut out.keys, &mut wrong);
            continue;
        }
        let Some(&(known, takes)) = KEYS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
            wrong.push((
                line,
                format!("no key is called {name:?}; there are {} and keys", known.join(", ")),
            ));
            continue;
        };
        match (takes, value.get_ref()) {
            (Takes::Text, DeValue::String(text)) => {
                out.values.insert(known, (Value::Text(text.to_string()), line));
            }
            (Takes::Truth, DeValue::Boolean(truth)) => {
                out.values.insert(known, (Value::Truth(*truth), line));
            }
            (Takes::Whole, DeValue::Integer(digits)) => {
                // Digits that do not fit are no number of threads either.
                let number = i64::from_str_radix(digits.as_str(), digits.radix()).unwrap_or(-1);
                out.values.insert(known, (Value::Whole(number), line));
            }
            (takes, value) => {
                wrong.push((
                    line,
                    format!("{name} takes {}, not {}", takes.words(), value.type_str()),
                ));
            }
        }
    }
    (out, wrong)
}

impl Takes {
    const fn words(self) -> &'static str {
        match self {
            Self::Text => "text in quotes",
            Self::Whole => "a whole number",
            Self::Truth => "true or false",
        }
    }
}

fn parse_keys(
    value: &DeValue<'_>,
    line: usize,
    line_of: &dyn Fn(usize) -> usize,
    keys: &mut Vec<Override>,
    wrong: &mut Vec<(usize, String)>,
) {
    let DeValue::Table(contexts) = value else {
        wrong.push((line, "keys is a table: [keys.browse]".to_owned()));
        return;
    };
    for (context, actions) in contexts {
        let DeValue::Table(actions) = actions.get_ref() else {
            let line = line_of(context.span().start);
            wrong.push((line, format!("keys.{} is no table", context.get_ref())));
            continue;
        };
        for (action, value) in actions {
            let line = line_of(action.span().start);
            let given = match value.get_ref() {
                DeValue::String(text) => Some(vec![text.to_string()]),
                DeValue::Array(list) => list
                    .iter()
                    .map(|item| item.get_ref().as_str().map(str::to_owned))
                    .collect::<Option<Vec<String>>>(),
                _ => None,
            };
            match given {
                Some(given) => keys.push(Override {
                    context: context.get_ref().to_string(),
                    action: action.get_ref().to_string(),
                    keys: given,
                    line,
                }),
                None => wrong.push((
                    line,
                    format!("{} takes a key sequence or a list of them", action.get_ref()),
                )),
            }
        }
    }
    // Tables come sorted by name; clashes are reported at the later line.
    keys.sort_by_key(|key| key.line);
}

/// A message of the TOML reader in one line.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The layers of a value, highest first.
struct Layers<'a, 'b> {
    around: &'a Surroundings<'b>,
    file: &'a mut FileValues,
    wrong: &'a mut Vec<(usize, String)>,
    faults: &'a mut Vec<ConfigError>,
}

impl Layers<'_, '_> {
    fn text(&mut self, key: &str) -> Option<(String, usize)> {
        match self.file.values.remove(key) {
            Some((Value::Text(text), line)) => Some((text, line)),
            _ => None,
        }
    }

    fn maybe_path(
        &mut self,
        key: &'static str,
        flag: &'static str,
        env: &'static str,
        given: Option<PathBuf>,
    ) -> Setting<Option<PathBuf>> {
        let file = self.text(key);
        if let Some(path) = given {
            return Setting { value: Some(path), origin: Origin::Flag(flag) };
        }
        if let Some(path) = self.around.var(env) {
            return Setting { value: Some(path.into()), origin: Origin::Environment(env) };
        }
        match file {
            Some((text, line)) => Setting { value: Some(text.into()), origin: Origin::File(line) },
            None => Setting { value: None, origin: Origin::Default },
        }
    }

    fn path(
        &mut self,
        key: &'static str,
        flag: &'static str,
        env: &'static str,
        given: Option<PathBuf>,
        default: impl FnOnce() -> PathBuf,
    ) -> Setting<PathBuf> {
        let setting = self.maybe_path(key, flag, env, given);
        Setting { value: setting.value.unwrap_or_else(default), origin: setting.origin }
    }

    /// A variable as text that `read` understands; a fault when it does not.
    fn variable<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<Setting<T>> {
        let value = self.around.var(name)?;
        match read(&value.to_string_lossy()) {
            Ok(value) => Some(Setting { value, origin: Origin::Environment(name) }),
            Err(message) => {
                self.faults.push(ConfigError::Environment { name, message });
                None
            }
        }
    }

    fn threads(&mut self, flag: Option<NonZeroUsize>) -> Setting<Option<NonZeroUsize>> {
        let wrong = || "the number of threads is 1 or more".to_owned();
        let from_file = match self.file.values.remove("threads") {
            Some((Value::Whole(number), line)) => {
                let number = usize::try_from(number).ok().and_then(NonZeroUsize::new);
                if number.is_none() {
                    self.wrong.push((line, wrong()));
                }
                number.map(|value| Setting { value, origin: Origin::File(line) })
            }
            _ => None,
        };
        let from_env = self.variable("PKISCOPE_THREADS", |text| text.parse().map_err(|_| wrong()));
        let from_flag = flag.map(|value| Setting { value, origin: Origin::Flag("--threads") });
        match from_flag.or(from_env).or(from_file) {
            Some(setting) => Setting { value: Some(setting.value), origin: setting.origin },
            None => Setting { value: None, origin: Origin::Default },
        }
    }

    fn theme(&mut self, flag: Option<Palette>, no_color: bool) -> Setting<Palette> {
        let named = |name: &str| {
            Palette::by_id(name).ok_or_else(|| {
                format!("no theme is called {name:?}; there are truecolor, 256, 16 and mono")
            })
        };
        let from_file = self.text("theme").and_then(|(name, line)| match named(&name) {
            Ok(value) => Some(Setting { value, origin: Origin::File(line) }),
            Err(message) => {
                self.wrong.push((line, message));
                None
            }
        });
        let from_env = self.variable("PKISCOPE_THEME", named);
        if let Some(value) = flag {
            return Setting { value, origin: Origin::Flag("--theme") };
        }
        if no_color {
            return Setting { value: Palette::Mono, origin: Origin::Flag("--no-color") };
        }
        if self.around.var("NO_COLOR").is_some() {
            return Setting { value: Palette::Mono, origin: Origin::Environment("NO_COLOR") };
        }
        if let Some(setting) = from_env.or(from_file) {
            return setting;
        }
        let text = |name: &str| self.around.var(name).map(|v| v.to_string_lossy().into_owned());
        let (colorterm, term) = (text("COLORTERM"), text("TERM"));
        let value = Palette::detect(colorterm.as_deref(), term.as_deref());
        let name =
            if value == Palette::detect(None, term.as_deref()) { "TERM" } else { "COLORTERM" };
        let origin = match (&colorterm, &term) {
            (None, None) => Origin::Default,
            _ => Origin::Environment(name),
        };
        Setting { value, origin }
    }

    fn ascii(&mut self, flag: bool) -> Setting<bool> {
        let from_file = match self.file.values.remove("ascii") {
            Some((Value::Truth(value), line)) => {
                Some(Setting { value, origin: Origin::File(line) })
            }
            _ => None,
        };
        let from_env = self.variable("PKISCOPE_ASCII", |text| match text {
            "1" | "true" => Ok(true),
            "0" | "false" => Ok(false),
            _ => Err("takes 1, 0, true or false".to_owned()),
        });
        let from_flag = flag.then_some(Setting { value: true, origin: Origin::Flag("--ascii") });
        from_flag
            .or(from_env)
            .or(from_file)
            .unwrap_or(Setting { value: false, origin: Origin::Default })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::views::action::{Action, Context};
    use crate::views::keymap::{Lookup, parse_sequence};

    fn load(words: &[&str], env: &[(&str, &str)], text: &str) -> Result<Config, Vec<String>> {
        let cli = Cli::try_parse_from(std::iter::once("pkiscope").chain(words.iter().copied()));
        let find = |name: &str| {
            let found = env.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| OsString::from(value))
        };
        let around = Surroundings {
            env: &find,
            config_dir: Some("/conf".into()),
            state_dir: Some("/state".into()),
        };
        let path = Some(PathBuf::from("c.toml"));
        Config::resolve(&cli.unwrap(), &around, path, text)
            .map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn each_layer_wins_over_the_next() {
        let text = "theme = \"16\"\nthreads = 3\nascii = true\ndb = \"f.db\"";
        let env = [("PKISCOPE_THEME", "256"), ("PKISCOPE_THREADS", "5")];
        let config = load(&["--threads", "7"], &env, text).unwrap();
        assert_eq!(config.threads.value.map(NonZeroUsize::get), Some(7));
        assert_eq!(config.threads.origin, Origin::Flag("--threads"));
        assert_eq!(config.theme.value, Palette::Ansi256);
        assert_eq!(config.theme.origin, Origin::Environment("PKISCOPE_THEME"));
        let wanted = Setting { value: true, origin: Origin::File(3) };
        assert_eq!(config.ascii, wanted);
        assert_eq!(config.db.value, PathBuf::from("f.db"));
        let config = load(&[], &[], "").unwrap();
        assert_eq!(config.db.value, PathBuf::from("/state/pkiscope/pkiscope.db"));
        assert_eq!(config.threads, Setting { value: None, origin: Origin::Default });
    }

    #[test]
    fn no_color_is_a_palette() {
        let theme = |words: &[&str], env: &[(&str, &str)], text: &str| {
            let setting = load(words, env, text).unwrap().theme;
            (setting.value, setting.origin.to_string())
        };
        let mono = |origin: &str| (Palette::Mono, origin.to_owned());
        let rich = [("COLORTERM", "truecolor"), ("TERM", "xterm")];
        assert_eq!(theme(&["--no-color"], &rich, ""), mono("flag --no-color"));
        let both = [("NO_COLOR", "1"), ("COLORTERM", "truecolor"), ("PKISCOPE_THEME", "256")];
        assert_eq!(theme(&[], &both, "theme = \"16\""), mono("environment NO_COLOR"));
        assert_eq!(theme(&["--theme", "16"], &both, "").0, Palette::Ansi16);
        assert_eq!(
            theme(&[], &[("NO_COLOR", ""), ("TERM", "xterm-256color")], "").0,
            Palette::Ansi256
        );
        let wanted = (Palette::TrueColor, "environment COLORTERM".to_owned());
        assert_eq!(theme(&[], &rich, ""), wanted);
        assert_eq!(theme(&[], &[], "").1, "default");
    }

    #[test]
    fn keys_of_the_file_are_laid_over() {
        let text = "[keys.browse]\nsave = \"S\"\n[keys.global]\nquit = [\"Q\", \"C-q\"]";
        let keymap = load(&[], &[], text).unwrap().keymap;
        let run = |keys: &str| keymap.lookup(Context::Browse, &parse_sequence(keys).unwrap());
        assert_eq!(run("S"), Lookup::Run(Action::Save));
        assert_eq!(run("C-q"), Lookup::Run(Action::Quit));
        assert_eq!(run("q"), Lookup::None);
    }

    #[test]
    fn what_is_printed_gives_the_same_configuration() {
        let env = [("TERM", "xterm-256color")];
        let config = load(&["--threads", "2", "--log", "a \"b\".log"], &env, "").unwrap();
        let text = config.print();
        let again = load(&[], &[], &text).unwrap();
        assert_eq!(again.threads.value, config.threads.value);
        assert_eq!(again.log.value, config.log.value);
        assert_eq!(again.theme.value, config.theme.value);
        assert_eq!(again.db.value, config.db.value);
        assert!(text.contains("# flag --threads") && text.contains("# environment TERM"), "{text}");
        let keys = super::super::print::keys(&config.keymap);
        let all = load(&[], &[], &keys).unwrap().keymap;
        for entry in crate::views::action::TABLE {
            assert_eq!(all.sequences(entry.action), entry.keys, "{}", entry.id);
        }
    }

    /// Each file of this corpus has one fault, at the line that stands before it.
    const WRONG: [(usize, &str, &str); 16] = [
        (1, "themee = \"16\"", "no key is called \"themee\""),
        (2, "\ntheme = 16", "theme takes text in quotes, not integer"),
        (1, "theme = \"pink\"", "no theme is called \"pink\""),
        (1, "threads = 0", "1 or more"),
        (1, "threads = -4", "1 or more"),
        (1, "threads = 99999999999999999999", "1 or more"),
        (1, "ascii = \"yes\"", "ascii takes true or false, not string"),
        (3, "ascii = true\n\nascii = false", "duplicate key"),
        (2, "ascii = true\ntheme = ", ""),
        (1, "keys = 1", "keys is a table"),
        (2, "[keys]\nquit = \"q\"", "keys.quit is no table"),
        (2, "[keys.nowhere]\nquit = \"q\"", "no table of keys is called \"nowhere\""),
        (3, "[keys.browse]\nsave = \"s\"\nfly = \"f\"", "no action is called \"fly\""),
        (2, "[keys.browse]\nsave = \"hyper-s\"", "no key is called \"hyper-s\" of \"save\""),
        (2, "[keys.browse]\nsave = 7", "save takes a key sequence"),
        (
            3,
            "[keys.browse]\nsearch = \"x\"\nretype = \"x y\"",
            "clashes with \"x\" of \"search\" in line 2",
        ),
    ];

    #[test]
    fn faults_of_the_file_name_file_line_and_key() {
        for (line, text, message) in WRONG {
            let faults = load(&[], &[], text).unwrap_err();
            assert_eq!(faults.len(), 1, "{text:?}: {faults:?}");
            let start = format!("c.toml: line {line}: ");
            assert!(faults[0].starts_with(&start), "{text:?}: {}", faults[0]);
            assert!(faults[0].contains(message), "{text:?}: {}", faults[0]);
            assert!(!faults[0].contains('\n'));
        }
    }

    #[test]
    fn all_faults_are_told_in_order() {
        let text = "a = 1\nb = 2\n[keys.browse]\nfly = \"f\"";
        let faults = load(&[], &[("PKISCOPE_ASCII", "maybe")], text).unwrap_err();
        assert_eq!(faults.len(), 4);
        assert!(faults[0].starts_with("environment PKISCOPE_ASCII"), "{faults:?}");
        assert!(faults[3].starts_with("c.toml: line 4: "), "{faults:?}");
    }

    #[test]
    fn files_that_are_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("c.toml");
        assert!(matches!(read(&path), Err(ConfigError::Unreadable { .. })));
        std::fs::write(&path, b"ascii = true\n# \xff").unwrap();
        assert!(matches!(read(&path), Err(ConfigError::Line { line: 2, .. })));
        std::fs::write(&path, vec![b' '; (1 << 20) + 1]).unwrap();
        assert!(matches!(read(&path), Err(ConfigError::Unreadable { .. })));
    }
}
