//! Where octets come from: files, folders, standard input, samples in the program.
//!
//! Files of at least [`MAP_FROM`] octets are mapped into memory, smaller ones are read. A
//! mapped file that another program cuts shorter while it is open makes the kernel end us
//! with SIGBUS as soon as an octet beyond its new end is looked at; nothing in the language
//! can catch that. Reading the smaller files keeps the harm to files that are too large to be
//! read at once, and these are seldom rewritten in place.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

use crate::asn1::text::visible_bytes;

/// Files from this size on are mapped instead of read, in octets.
pub const MAP_FROM: u64 = 16 << 20;
/// The most octets that are read from a pipe, which has no size.
pub const MAX_STREAM: u64 = 1 << 30;

/// The octets of a source, and what keeps them in memory.
#[derive(Debug)]
pub enum Bytes {
    /// Part of the program.
    Static(&'static [u8]),
    /// Read from a small file or a pipe, or made here.
    Owned(Vec<u8>),
    /// A large file.
    Mapped(Mmap),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Static(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// Something that was opened. Clones share the octets.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name for people: path, `-`, or the name of a sample. Safe for a terminal.
    pub name: String,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
    /// What it holds.
    pub bytes: Arc<Bytes>,
}

impl Source {
    /// A source that is no file.
    #[must_use]
    pub fn new(name: impl Into<String>, bytes: Bytes) -> Self {
        Self { name: name.into(), path: None, bytes: Arc::new(bytes) }
    }
}

/// Something that could not be opened, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct Failure {
    /// The name of the source, safe for a terminal.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

/// Why something could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// What the system says.
    #[error("{}", system_text(.0))]
    Io(#[from] io::Error),
    /// A device, socket or, in a folder, a pipe.
    #[error("is a {0}, not a file")]
    Special(&'static str),
    /// Standard input is where the keys come from.
    #[error("standard input is a terminal; name a file or use a pipe")]
    Terminal,
    /// More than [`MAX_STREAM`] octets from a pipe.
    #[error("more than {} MiB come from this pipe; save them in a file first", MAX_STREAM >> 20)]
    Endless,
    /// Larger than the address space.
    #[error("is too large to be opened on this machine")]
    TooLarge,
    /// A folder that was listed already: a loop of links, or two ways to it.
    #[error("leads to a folder that is listed already")]
    Loop,
    /// A folder without any file in it.
    #[error("has no files in it")]
    EmptyFolder,
}

/// The system's message without Rust's ` (os error N)`.
fn system_text(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// A place to read from, not opened yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Standard input.
    Stdin,
    /// A file that was named, pipes allowed.
    Named(PathBuf),
    /// A file found in a folder; only regular files are opened.
    Found(PathBuf),
}

impl Place {
    /// The name for people, safe for a terminal.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::Named(path) | Self::Found(path) => display(path),
        }
    }

    /// Opens it. Blocks as long as a pipe has nothing to say.
    ///
    /// # Errors
    /// A [`Failure`] with its reason.
    pub fn open(&self) -> Result<Source, Failure> {
        let fail = |reason| Failure { name: self.name(), reason };
        let (path, bytes) = match self {
            Self::Stdin => (None, read_stdin().map_err(fail)?),
            Self::Named(path) => (Some(path.clone()), read_file(path, true).map_err(fail)?),
            Self::Found(path) => (Some(path.clone()), read_file(path, false).map_err(fail)?),
        };
        Ok(Source { name: self.name(), path, bytes: Arc::new(bytes) })
    }
}

/// A path for people: what is not printable is escaped.
#[must_use]
pub fn display(path: &Path) -> String {
    visible_bytes(path.as_os_str().as_encoded_bytes()).into_owned()
}

fn read_stdin() -> Result<Bytes, Reason> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Reason::Terminal);
    }
    read_stream(stdin.lock(), MAX_STREAM)
}

fn read_stream(from: impl Read, most: u64) -> Result<Bytes, Reason> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Reason::Endless) } else { Ok(Bytes::Owned(bytes)) }
}

fn read_file(path: &Path, named: bool) -> Result<Bytes, Reason> {
    // Look before opening: opening a pipe waits for its writer, opening a device can do worse.
    openable(&fs::metadata(path)?, named)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    openable(&metadata, named)?;
    if !metadata.is_file() {
        return read_stream(file, MAX_STREAM);
    }
    if metadata.len() >= MAP_FROM
        && let Some(map) = map(&file)
    {
        return Ok(Bytes::Mapped(map));
    }
    let size = usize::try_from(metadata.len()).map_err(|_| Reason::TooLarge)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size).map_err(|_| Reason::TooLarge)?;
    // A file that grows while it is read is read as far as it was when it was opened; files
    // of the proc file system say that they are empty.
    let most = if size == 0 { MAX_STREAM } else { metadata.len() };
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Bytes::Owned(bytes))
}

/// Regular files, and pipes where the user named one.
fn openable(metadata: &Metadata, named: bool) -> Result<(), Reason> {
    match special(metadata) {
        None => Ok(()),
        Some("pipe") if named => Ok(()),
        Some(kind) => Err(Reason::Special(kind)),
    }
}

/// What a file is when it is not a regular one.
fn special(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    if metadata.is_dir() {
        return Some("folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("pipe");
        }
        if kind.is_socket() {
            return Some("socket");
        }
    }
    Some("device")
}

/// Maps a file, `None` when the file system cannot (then it is read).
#[allow(unsafe_code, reason = "there is no safe way to map a file")]
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: the map is private and read-only, and `Mmap` keeps it alive as long as the slice
    // is borrowed. What remains is another process that changes the file: octets may then
    // change under us, which no code here relies on not to happen (every read is checked
    // against the slice, no check is trusted after a second read of the same octet in unsafe
    // code), and a file cut shorter ends the process, see the head of this file.
    unsafe { Mmap::map(file) }.ok()
}

/// All places that the arguments name, in their order; folders are gone through.
///
/// An iterator: what a folder holds is listed while it is asked for.
#[must_use]
pub fn places(arguments: impl IntoIterator<Item = OsString>) -> Places {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    arguments.reverse();
    Places { arguments, folders: Vec::new(), seen: Vec::new() }
}

/// See [`places`].
#[derive(Debug)]
pub struct Places {
    /// Last one first.
    arguments: Vec<OsString>,
    /// The open folders, the innermost last.
    folders: Vec<Folder>,
    /// The real paths of the folders of the present argument, sorted.
    seen: Vec<PathBuf>,
}

#[derive(Debug)]
struct Folder {
    entries: std::vec::IntoIter<Result<PathBuf, Failure>>,
}

impl Places {
    /// Opens a folder.
    fn enter(&mut self, path: &Path) -> Result<(), Failure> {
        let fail = |reason| Failure { name: display(path), reason };
        let real = fs::canonicalize(path).map_err(|e| fail(e.into()))?;
        let Err(slot) = self.seen.binary_search(&real) else {
            return Err(fail(Reason::Loop));
        };
        self.seen.insert(slot, real);
        let mut entries = Vec::new();
        for entry in fs::read_dir(path).map_err(|e| fail(e.into()))? {
            entries.push(entry.map(|e| e.path()).map_err(|e| fail(e.into())));
        }
        if entries.is_empty() && self.folders.is_empty() {
            return Err(fail(Reason::EmptyFolder));
        }
        // Failures first: they have no path of their own.
        entries.sort_by(|a, b| a.as_ref().ok().cmp(&b.as_ref().ok()));
        self.folders.push(Folder { entries: entries.into_iter() });
        Ok(())
    }

    /// A path in a folder: a file, a folder that is opened (then there is no place), or a
    /// failure.
    fn look(&mut self, path: PathBuf) -> Option<Result<Place, Failure>> {
        let fail = |reason| Some(Err(Failure { name: display(&path), reason }));
        match fs::metadata(&path) {
            Err(error) => fail(error.into()),
            Ok(metadata) if metadata.is_dir() => self.enter(&path).err().map(Err),
            Ok(metadata) => match special(&metadata) {
                Some(kind) => fail(Reason::Special(kind)),
                None => Some(Ok(Place::Found(path))),
            },
        }
    }
}

impl Iterator for Places {
    type Item = Result<Place, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(folder) = self.folders.last_mut() {
                match folder.entries.next() {
                    None => {
                        self.folders.pop();
                    }
                    Some(Err(failure)) => return Some(Err(failure)),
                    Some(Ok(path)) => {
                        if let Some(place) = self.look(path) {
                            return Some(place);
                        }
                    }
                }
                continue;
            }
            let argument = self.arguments.pop()?;
            self.seen.clear();
            if argument == "-" {
                return Some(Ok(Place::Stdin));
            }
            let path = PathBuf::from(argument);
            if !fs::metadata(&path).is_ok_and(|m| m.is_dir()) {
                return Some(Ok(Place::Named(path)));
            }
            if let Err(failure) = self.enter(&path) {
                return Some(Err(failure));
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(arguments: &[&Path]) -> Vec<String> {
        let root = display(arguments[0]);
        places(arguments.iter().map(|p| p.as_os_str().to_owned()))
            .map(|place| match place {
                Ok(place) => place.name(),
                Err(failure) => format!("! {failure}"),
            })
            .map(|line| line.replace(&root, "."))
            .collect()
    }

    #[test]
    fn small_files_are_read_and_large_ones_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let small = folder.path().join("small");
        fs::write(&small, b"0\x00").unwrap();
        let source = Place::Named(small).open().unwrap();
        assert!(matches!(&*source.bytes, Bytes::Owned(b) if b == b"0\0"));

        let large = folder.path().join("large");
        let mut file = File::create(&large).unwrap();
        file.set_len(MAP_FROM).unwrap();
        file.write_all(b"begin").unwrap();
        let source = Place::Found(large.clone()).open().unwrap();
        assert!(matches!(&*source.bytes, Bytes::Mapped(_)));
        assert_eq!(source.bytes.len() as u64, MAP_FROM);
        assert_eq!(&source.bytes[..6], b"begin\0");
        // The map outlives the file's name and shares its octets between clones.
        fs::remove_file(&large).unwrap();
        let clone = source.clone();
        drop(source);
        assert_eq!(clone.bytes.iter().filter(|b| **b != 0).count(), 5);
    }

    #[test]
    fn an_object_of_more_than_4_gib_is_an_error_entry() {
        use crate::asn1::sniff;
        use std::io::{Seek, SeekFrom};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        let mut file = File::create(&path).unwrap();
        // A SEQUENCE of 4 GiB, all of it a hole in the file, and a NULL behind it.
        file.write_all(&[0x30, 0x85, 1, 0, 0, 0, 0]).unwrap();
        file.seek(SeekFrom::Start((1 << 32) + 7)).unwrap();
        file.write_all(&[5, 0]).unwrap();
        let source = Place::Named(path).open().unwrap();
        let found: Vec<_> = sniff::objects(&source.bytes).collect();
        let shown: Vec<_> = found.iter().map(|f| (f.offset, f.length, f.der.len())).collect();
        assert_eq!(shown, [(0, (1 << 32) + 7, sniff::MAX_OBJECT), ((1 << 32) + 7, 2, 2)]);
        assert_eq!(found[0].error.as_ref().unwrap().rule.id, "object-too-large");
        assert_eq!(found[1].error, None);
    }

    #[test]
    fn a_failure_is_one_clear_line() {
        let failure = Place::Named("no\nsuch\u{1b}file".into()).open().unwrap_err();
        let line = failure.to_string();
        assert!(line.ends_with(": No such file or directory"), "{line}");
        assert!(!line.contains(char::is_control));
        let folder = tempfile::tempdir().unwrap();
        let line = Place::Named(folder.path().into()).open().unwrap_err().to_string();
        assert!(line.ends_with("is a folder, not a file"), "{line}");
        let endless = read_stream(io::repeat(7), 1000).unwrap_err();
        assert!(matches!(endless, Reason::Endless));
        assert_eq!(read_stream(io::repeat(7).take(1000), 1000).unwrap().len(), 1000);
    }

    #[test]
    fn folders_are_sorted_and_gone_through() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/deep/er")).unwrap();
        fs::create_dir(root.join("empty")).unwrap();
        for name in ["c", "a", "b/2", "b/1", "b/deep/er/x"] {
            fs::write(root.join(name), name).unwrap();
        }
        assert_eq!(names(&[root]), ["./a", "./b/1", "./b/2", "./b/deep/er/x", "./c"]);
        assert_eq!(
            names(&[&root.join("b"), &root.join("a"), Path::new("-"), &root.join("none")])[2..],
            [
                "./deep/er/x".to_owned(),
                display(&root.join("a")),
                "-".into(),
                display(&root.join("none"))
            ]
        );
        assert_eq!(names(&[&root.join("empty")]), ["! .: has no files in it"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_special_files_do_no_harm() {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::write(root.join("a"), "a").unwrap();
        fs::create_dir(root.join("d")).unwrap();
        symlink(root, root.join("d/loop")).unwrap();
        symlink("self", root.join("self")).unwrap();
        symlink(root.join("a"), root.join("link")).unwrap();
        symlink("/dev/zero", root.join("zero")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let bad = root.join(std::ffi::OsStr::from_bytes(b"z\xff\x1b[2J"));
        fs::write(&bad, "z").unwrap();
        let found = names(&[root]);
        assert_eq!(found.len(), 7, "{found:?}");
        assert_eq!(found[0], "./a");
        assert_eq!(found[1], "! ./d/loop: leads to a folder that is listed already");
        assert_eq!(found[2], "./link");
        assert!(found[3].starts_with("! ./self: Too many levels of symbolic links"), "{found:?}");
        assert_eq!(found[4], "! ./socket: is a socket, not a file");
        assert_eq!(found[5], "! ./zero: is a device, not a file");
        assert!(!found[6].contains(char::is_control), "{found:?}");
        assert_eq!(&**Place::Found(bad).open().unwrap().bytes, b"z");
        let failure = Place::Named("/dev/zero".into()).open().unwrap_err();
        assert!(matches!(failure.reason, Reason::Special("device")));
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_read_when_the_user_names_it() {
        use std::os::fd::AsRawFd;

        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"octets").unwrap();
        drop(writer);
        let path = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
        let found = Place::Found(path.clone()).open().unwrap_err();
        assert!(matches!(found.reason, Reason::Special("pipe")));
        assert_eq!(&**Place::Named(path).open().unwrap().bytes, b"octets");
    }
}
