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
    let location = Location::parse(&config.db.value);
    match Reader::open(&location) {
        Err(Error { reason: Reason::Older { .. }, .. }) => {
            drop(Writer::open(&location, &Options { create: false, ..Options::default() })?);
            Reader::open(&location)
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
