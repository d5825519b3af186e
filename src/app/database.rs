//! The database that the configuration names.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use anyhow::Context as _;

use super::config::{Config, Origin};
use super::exit::Exit;
use super::input;
use crate::store::{Error, Location, Options, Reader, Reason, Writer};

/// Where it is, to write to it: its folder is [prepared](prepare).
///
/// # Errors
/// That folder cannot be made.
pub fn to_write(config: &Config) -> anyhow::Result<Location> {
    prepare(config)?;
    Ok(Location::parse(&config.db.value))
}

/// Makes the folder of the usual place, for its owner alone.
///
/// # Errors
/// It cannot be made.
pub fn prepare(config: &Config) -> anyhow::Result<()> {
    let path = &config.db.value;
    if config.db.origin == Origin::Default
        && let Some(folder) = path.parent()
    {
        make(folder).with_context(|| input::display(folder))?;
    }
    Ok(())
}

/// Opens it to read; one that an older pkiscope made is migrated first.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn reader(config: &Config) -> Result<Reader, Error> {
    reader_at(&Location::parse(&config.db.value))
}

/// Opens a database to read; one that an older pkiscope made is migrated first.
///
/// # Errors
/// There is none, or it cannot be read.
pub fn reader_at(location: &Location) -> Result<Reader, Error> {
    match Reader::open(location) {
        Err(Error { reason: Reason::Older { .. }, .. }) => {
            drop(Writer::open(location, &Options { create: false, ..Options::default() })?);
            Reader::open(location)
        }
        opened => opened,
    }
}

/// The exit code for what went wrong with a database.
#[must_use]
pub const fn exit(error: &Error) -> Exit {
    match error.reason {
        Reason::Full | Reason::Write(_) | Reason::Sqlite(_) | Reason::TooLarge(_) => Exit::Internal,
        _ => Exit::Input,
    }
}

fn make(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().recursive(true).mode(0o700).create(folder) {
        // A link to a folder is as good.
        Err(_) if fs::metadata(folder).is_ok_and(|there| there.is_dir()) => Ok(()),
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use clap::Parser as _;

    use super::super::cli::Cli;
    use super::super::config::Surroundings;
    use super::*;

    fn config(state: &Path, words: &[&str]) -> Config {
        let cli = Cli::try_parse_from(std::iter::once("pkiscope").chain(words.iter().copied()));
        let state_dir = Some(state.to_owned());
        let around = Surroundings { env: &|_| None, config_dir: None, state_dir };
        Config::load(&cli.unwrap(), &around).unwrap()
    }

    fn mode(path: impl AsRef<Path>) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_usual_folder_is_made_for_its_owner_alone() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("local/state");
        let config = config(&state, &[]);
        // Reading makes nothing.
        assert!(matches!(reader(&config).unwrap_err().reason, Reason::Missing));
        assert!(!home.path().join("local").exists());
        for _ in 0..2 {
            let location = to_write(&config).unwrap();
            drop(Writer::open(&location, &Options::default()).unwrap());
            reader(&config).unwrap();
        }
        assert_eq!(mode(home.path().join("local")), 0o700);
        assert_eq!(mode(state.join("pkiscope")), 0o700);
        assert_eq!(mode(state.join("pkiscope/pkiscope.db")), 0o600);
        // What is there stays as it is.
        fs::set_permissions(state.join("pkiscope"), fs::Permissions::from_mode(0o750)).unwrap();
        to_write(&config).unwrap();
        assert_eq!(mode(state.join("pkiscope")), 0o750);
    }

    #[test]
    fn other_folders_are_the_users_own() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("none/a.db");
        let location = to_write(&config(home.path(), &["--db", path.to_str().unwrap()])).unwrap();
        assert_eq!(location, Location::File(path));
        let error = Writer::open(&location, &Options::default()).unwrap_err();
        assert!(matches!(error.reason, Reason::NoFolder), "{error}");
        assert_eq!(exit(&error), Exit::Input);
        let memory = to_write(&config(home.path(), &["--db", ":memory:"])).unwrap();
        assert!(matches!(memory, Location::Memory(_)));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("file");
        fs::write(&state, "").unwrap();
        let error = format!("{:#}", to_write(&config(&state, &[])).unwrap_err());
        let folder: PathBuf = state.join("pkiscope");
        assert!(error.starts_with(&format!("{}: ", folder.display())), "{error}");
    }

    #[test]
    fn faults_of_the_machine_are_no_faults_of_the_input() {
        for (reason, code) in [
            (Reason::Full, Exit::Internal),
            (Reason::Write(String::new()), Exit::Internal),
            (Reason::Foreign, Exit::Input),
            (Reason::ReadOnly, Exit::Input),
        ] {
            assert_eq!(exit(&reason.at(&Location::memory())), code);
        }
    }
}
