//! Who may write: a lock on a file beside the database.
//!
//! The kernel drops the lock (`flock`) when the process ends, however it ends. The file says
//! who has it, for messages; what it says without a lock means nothing. Whoever has the lock
//! removes the file at the end; whoever gets a lock on a removed file tries again.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;

use super::error::Reason;
use super::holder::Holder;

/// What is appended to the name of the database.
const SUFFIX: &str = "-lock";
/// The longest pause between two tries.
const PAUSE: Duration = Duration::from_millis(50);
/// At least so many tries: [`holder`] has the lock for a moment.
const TRIES: u32 = 4;
/// What is read of the file.
const LONGEST: u64 = 64;

/// The right to write to a database file, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it ends the lock.
    _file: File,
}

impl Lock {
    /// Waits until no other writer has the database.
    pub(super) fn acquire(database: &Path, wait: Duration) -> Result<Self, Reason> {
        let path = beside(database, SUFFIX);
        let begin = Instant::now();
        let mut tries = 0;
        loop {
            let mut file = open(&path, OFlags::CREATE | OFlags::RDWR)?;
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) if !is_at(&file, &path) => continue,
                Ok(()) => {
                    // Without its text the lock holds as well.
                    let _ = sign(&mut file);
                    return Ok(Self { path, _file: file });
                }
                Err(Errno::WOULDBLOCK | Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
            tries += 1;
            let left = wait.saturating_sub(begin.elapsed());
            if left.is_zero() && tries >= TRIES {
                return Err(Reason::Held(read(&mut file)));
            }
            let pause = Duration::from_millis(1) * tries;
            thread::sleep(pause.min(PAUSE).min(left.max(Duration::from_millis(1))));
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It may be gone with its folder.
        let _ = fs::remove_file(&self.path);
    }
}

/// Who writes to a database file now.
pub(super) fn holder(database: &Path) -> Option<Holder> {
    let mut file = open(&beside(database, SUFFIX), OFlags::RDONLY).ok()?;
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Err(Errno::WOULDBLOCK) => Some(read(&mut file)),
        _ => None,
    }
}

/// A path with something appended.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn open(path: &Path, flags: OFlags) -> Result<File, Errno> {
    let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map(File::from)
}

/// True when the open file is the one at the path.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(there)) => (open.dev(), open.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

fn sign(file: &mut File) -> std::io::Result<()> {
    let Holder { process, since } = Holder::here();
    file.set_len(0)?;
    writeln!(file, "{} {}", process.unwrap_or_default(), since.unwrap_or_default())
}

fn read(file: &mut File) -> Holder {
    let mut text = String::new();
    // What cannot be read is not known.
    let _ = file.take(LONGEST).read_to_string(&mut text);
    Holder::parse(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_and_the_next_is_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        let lock = Lock::acquire(&database, Duration::ZERO).unwrap();
        assert_eq!(holder(&database).unwrap().process, Some(std::process::id()));
        let Err(Reason::Held(found)) = Lock::acquire(&database, Duration::ZERO) else {
            panic!("two locks");
        };
        assert_eq!(found.process, Some(std::process::id()));
        assert!(found.to_string().starts_with("this process ("), "{found}");
        assert!(found.to_string().ends_with('Z'), "{found}");
        drop(lock);
        assert_eq!(holder(&database), None);
        drop(Lock::acquire(&database, Duration::ZERO).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_without_a_lock_means_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        fs::write(folder.path().join("a.db-lock"), "1 1700000000 and more\n").unwrap();
        assert_eq!(holder(&database), None);
        let _lock = Lock::acquire(&database, Duration::ZERO).unwrap();
        assert_eq!(holder(&database).unwrap().process, Some(std::process::id()));
    }

    #[test]
    fn many_threads_take_turns() {
        use std::sync::atomic::{AtomicU32, Ordering};

        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        let inside = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let lock = Lock::acquire(&database, Duration::from_secs(60)).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }

    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let victim = folder.path().join("victim");
        fs::write(&victim, "keep").unwrap();
        std::os::unix::fs::symlink(&victim, folder.path().join("a.db-lock")).unwrap();
        Lock::acquire(&folder.path().join("a.db"), Duration::ZERO).unwrap_err();
        assert_eq!(fs::read(&victim).unwrap(), b"keep");
    }
}
