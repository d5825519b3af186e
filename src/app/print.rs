//! What the program can print about itself: keys, configuration, completions, man page.

use std::io::{self, Write};

use clap::{Command, CommandFactory as _};

use super::cli::Cli;
use super::config::Config;
use crate::views::action::{Context, TABLE};
use crate::views::keymap::Keymap;

/// The effective keys, a line an action, grouped as the configuration file has them. The text
/// is a configuration file.
#[must_use]
pub fn keys(keymap: &Keymap) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    for context in Context::ALL {
        if !out.is_empty() {
            out.push('\n');
        }
        // Writing to a String cannot fail.
        let _ = writeln!(out, "[keys.{}]", context.id());
        for entry in TABLE.iter().filter(|entry| entry.context == context) {
            let keys: Vec<String> = keymap
                .sequences(entry.action)
                .into_iter()
                .map(|keys| toml::Value::String(keys).to_string())
                .collect();
            let line = format!("{} = [{}]", entry.id, keys.join(", "));
            let user = if keymap.is_user(entry.action) { " (yours)" } else { "" };
            let _ = writeln!(out, "{line:<44} # {}{user}", entry.doc);
        }
    }
    out
}

/// Prints what the flags ask for; whether they asked for anything.
///
/// # Errors
/// Standard output cannot be written.
pub fn asked(cli: &Cli, config: &Config, out: &mut impl Write) -> io::Result<bool> {
    let flags = &cli.flags;
    if flags.print_keys {
        out.write_all(keys(&config.keymap).as_bytes())?;
    }
    if flags.print_config {
        out.write_all(config.print().as_bytes())?;
    }
    if flags.man {
        out.write_all(&man()?)?;
    }
    if let Some(shell) = flags.completions {
        // The generator panics when it cannot write, so it writes to memory.
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "pkiscope", &mut text);
        out.write_all(&text)?;
    }
    out.flush()?;
    Ok(flags.print_keys || flags.print_config || flags.man || flags.completions.is_some())
}

/// What the man page says after the options, in roff.
const MAN_TAIL: &str = r"
.SH KEYS
The help (?) shows the keys that work on a screen; \-\-print\-keys prints all of them as a
configuration file.
.SH ENVIRONMENT
PKISCOPE_CONFIG, PKISCOPE_DB, PKISCOPE_THREADS, PKISCOPE_THEME, PKISCOPE_ASCII, PKISCOPE_LOG and
PKISCOPE_OIDS stand between the flags of the same names and the configuration file. NO_COLOR
turns colours off. COLORTERM and TERM choose the colours otherwise.
.SH FILES
.TP
$XDG_CONFIG_HOME/pkiscope/config.toml
The configuration; \-\-print\-config prints one. Keys: ascii, db, log, oids, theme, threads, and
a table of keys for each screen, as keys.browse, and keys.global.
.SH EXIT STATUS
0 fine, 1 findings, 2 usage, 3 input unreadable or not decodable, 4 internal error.
";

/// The man page, in roff: one page for all commands.
fn man() -> io::Result<Vec<u8>> {
    let command = Cli::command().after_help("");
    let mut out = Vec::new();
    let page = clap_mangen::Man::new(command.clone());
    page.render_title(&mut out)?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    writeln!(out, ".SH COMMANDS")?;
    for sub in command.get_subcommands() {
        man_command(&mut out, sub.get_name(), sub)?;
    }
    page.render_options_section(&mut out)?;
    out.write_all(MAN_TAIL.trim_start().as_bytes())?;
    Ok(out)
}

/// A command, its options, and the commands under it.
fn man_command(out: &mut Vec<u8>, name: &str, command: &Command) -> io::Result<()> {
    let arguments: Vec<String> = command.get_positionals().map(ToString::to_string).collect();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    writeln!(out, ".TP\n{name} {}\n{about}", arguments.join(" "))?;
    let options: Vec<_> = command.get_opts().collect();
    if !options.is_empty() {
        writeln!(out, ".RS")?;
        for option in options {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            let long = option.get_long().unwrap_or_default();
            let names = option.get_value_names().unwrap_or_default().join(" ");
            let shown = format!("--{long} {names}").replace('-', "\\-");
            writeln!(out, ".TP\n{shown}\n{}", help.replace('-', "\\-"))?;
        }
        writeln!(out, ".RE")?;
    }
    for sub in command.get_subcommands() {
        man_command(out, &format!("{name} {}", sub.get_name()), sub)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use clap_complete::Shell;

    use super::super::config::Surroundings;
    use super::*;

    fn printed(words: &[&str]) -> String {
        let cli = Cli::try_parse_from(std::iter::once("pkiscope").chain(words.iter().copied()));
        let cli = cli.unwrap();
        let around =
            Surroundings { env: &|_| None, config_dir: None, state_dir: Some("/state".into()) };
        let config = Config::load(&cli, &around).unwrap();
        let mut out = Vec::new();
        let asked = asked(&cli, &config, &mut out).unwrap();
        assert_eq!(asked, !out.is_empty());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn keys_and_configuration() {
        assert_eq!(printed(&[]), "");
        insta::assert_snapshot!("keys", printed(&["--print-keys"]));
        insta::assert_snapshot!("config", printed(&["--print-config", "--ascii"]));
    }

    #[test]
    fn help_and_man_page() {
        let mut command = Cli::command().term_width(100);
        insta::assert_snapshot!("help", command.render_long_help().to_string());
        // The version changes with each release; the page does not.
        let man = printed(&["--man"]).replace(env!("CARGO_PKG_VERSION"), "VERSION");
        insta::assert_snapshot!("man", man);
    }

    #[test]
    fn completions_for_every_shell() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let text = printed(&["--completions", &shell.to_string()]);
            for word in ["inspect", "tree", "password-file", "print-keys"] {
                assert!(text.contains(word), "{shell} lacks {word}");
            }
        }
        insta::assert_snapshot!("fish", printed(&["--completions", "fish"]));
    }
}
