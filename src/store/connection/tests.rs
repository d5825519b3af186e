//! What is refused is refused in a sentence, and left as it was.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::super::{Error, Location, NewRun, ObjectFilter, Options, Reader, Reason, Writer};
use super::*;

const RUN: NewRun<'static> = NewRun {
    pipeline: "ca",
    started: 1,
    algorithm: "ed25519",
    backend: "aws-lc",
    batch: 1,
    threads: 1,
    settings: "{}",
    machine: "{}",
};

fn now() -> Options {
    Options { wait: Duration::ZERO, ..Options::default() }
}

/// A folder with a database in it, or the place for one.
struct Home {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        Self { folder, path }
    }

    /// With a database of one run.
    fn used() -> Self {
        let home = Self::new();
        home.write().unwrap().begin_run(&RUN).unwrap();
        home
    }

    fn place(&self) -> Location {
        Location::File(self.path.clone())
    }

    fn write(&self) -> Result<Writer, Error> {
        Writer::open(&self.place(), &now())
    }

    fn read(&self) -> Result<Reader, Error> {
        Reader::open(&self.place())
    }

    /// A connection that knows nothing of us.
    fn raw(&self) -> Connection {
        Connection::open(&self.path).unwrap()
    }

    /// The files, with what tells whether their octets change.
    fn files(&self) -> BTreeMap<String, (usize, u64)> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap());
        entries
            .map(|entry| {
                let octets = fs::read(entry.path()).unwrap();
                let mut hasher = DefaultHasher::new();
                octets.hash(&mut hasher);
                (entry.file_name().into_string().unwrap(), (octets.len(), hasher.finish()))
            })
            .collect()
    }

    /// Neither a writer, alone or not, nor a reader opens it, and nothing changes.
    fn refuses(&self, is: impl Fn(&Reason) -> bool) {
        let before = self.files();
        for exclusive in [false, true] {
            for create in [false, true] {
                let options = Options { exclusive, create, ..now() };
                let error = Writer::open(&self.place(), &options).unwrap_err();
                self.assert_clear(&error, &is);
                assert_eq!(self.files(), before, "{error}");
            }
        }
        self.assert_clear(&self.read().unwrap_err(), &is);
        assert_eq!(self.files(), before);
    }

    fn assert_clear(&self, error: &Error, is: impl Fn(&Reason) -> bool) {
        assert!(is(&error.reason), "{error:?}");
        let text = error.to_string();
        assert!(text.starts_with(&format!("{}: ", self.path.display())), "{text}");
        assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
    }
}

#[test]
fn a_database_is_made_for_its_owner_alone_and_closed_without_a_trace() {
    let home = Home::new();
    let mut writer = home.write().unwrap();
    let mode = fs::metadata(&home.path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    writer.begin_run(&RUN).unwrap();
    for suffix in ["-wal", "-shm", "-lock"] {
        let mode = fs::metadata(beside(&home.path, suffix)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{suffix}");
    }
    let reader = home.read().unwrap();
    drop(writer);
    assert!(reader.run(1).unwrap().is_some());
    drop(reader);
    assert_eq!(home.files().keys().collect::<Vec<_>>(), ["a.db"]);
    let before = home.files();
    drop(home.read().unwrap());
    assert_eq!(home.files(), before);
}

#[test]
fn sqlite_works_as_it_was_measured() {
    let home = Home::new();
    let text = |connection: &Connection, pragma: &str| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, String>(0)).unwrap()
    };
    let number = |connection: &Connection, pragma: &str| {
        connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).unwrap()
    };
    for (durability, synchronous) in [(Durability::Full, 2), (Durability::Normal, 1)] {
        for exclusive in [true, false] {
            let options = Options { durability, exclusive, ..now() };
            let (connection, _right) = write_file(&home.path, &options, schema::STEPS).unwrap();
            let mode = if exclusive { "exclusive" } else { "normal" };
            assert_eq!(text(&connection, "locking_mode"), mode);
            assert_eq!(text(&connection, "journal_mode"), "wal");
            for (pragma, value) in [
                ("page_size", 16_384),
                ("synchronous", synchronous),
                ("wal_autocheckpoint", 4096),
                ("foreign_keys", 1),
                ("application_id", i64::from(schema::APPLICATION_ID)),
                ("user_version", 1),
            ] {
                assert_eq!(number(&connection, pragma), value, "{pragma}");
            }
            // A writer that is alone has the list of the log's pages in its own memory.
            assert_eq!(beside(&home.path, "-shm").exists(), !exclusive);
        }
    }
    let sql = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'
        AND name NOT LIKE 'sqlite_%' AND NOT (strict AND type = 'table')";
    let lax: i64 = home.raw().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(lax, 0);
}

#[test]
fn what_is_missing_is_not_made_unless_asked() {
    let home = Home::new();
    let missing = |reason: &Reason| matches!(reason, Reason::Missing);
    home.assert_clear(&home.read().unwrap_err(), missing);
    let error = Writer::open(&home.place(), &Options { create: false, ..now() }).unwrap_err();
    home.assert_clear(&error, missing);
    assert_eq!(home.files().len(), 0);
    // An empty file is as good as none.
    fs::write(&home.path, b"").unwrap();
    home.assert_clear(&home.read().unwrap_err(), missing);
    assert_eq!(home.files()["a.db"].0, 0);
    home.write().unwrap().begin_run(&RUN).unwrap();
    assert!(home.read().unwrap().run(1).unwrap().is_some());
}

#[test]
fn places_that_cannot_have_a_database_are_refused() {
    let mut home = Home::new();
    home.path = home.folder.path().join("none/a.db");
    home.assert_clear(&home.write().unwrap_err(), |reason| matches!(reason, Reason::NoFolder));
    let error = Writer::open(&home.place(), &Options { create: false, ..now() }).unwrap_err();
    for error in [error, home.read().unwrap_err()] {
        home.assert_clear(&error, |reason| matches!(reason, Reason::Missing));
    }
    fs::write(home.folder.path().join("file"), "text").unwrap();
    home.path = home.folder.path().join("file/a.db");
    home.refuses(|reason| matches!(reason, Reason::Io(_)));
    symlink("nowhere", home.folder.path().join("link")).unwrap();
    fs::remove_file(home.folder.path().join("file")).unwrap();
    for (name, text) in [("/", "a folder"), ("/dev/null", "a device"), ("/tmp/..", "a folder")] {
        let place = Location::parse(name);
        for error in [Writer::open(&place, &now()).unwrap_err(), Reader::open(&place).unwrap_err()]
        {
            let wanted = format!("{name}: is {text}, not a database file");
            assert_eq!(error.to_string(), wanted);
        }
    }
    let link = Location::File(home.folder.path().join("link"));
    let error = Writer::open(&link, &now()).unwrap_err().to_string();
    assert!(error.ends_with("link: is a link that leads nowhere, not a database file"), "{error}");
}

#[test]
fn a_link_leads_to_the_database_and_its_lock() {
    let home = Home::used();
    let link = Location::File(home.folder.path().join("link"));
    symlink("a.db", home.folder.path().join("link")).unwrap();
    let _writer = home.write().unwrap();
    let error = Writer::open(&link, &now()).unwrap_err();
    assert!(matches!(error.reason, Reason::Held(_)), "{error}");
    assert_eq!(link.holder(), home.place().holder());
    assert!(link.holder().is_some());
    assert!(Reader::open(&link).unwrap().run(1).unwrap().is_some());
}

#[test]
fn other_files_are_left_alone() {
    let home = Home::new();
    let text = b"-----BEGIN CERTIFICATE-----\n".repeat(900);
    for octets in [b"hello".to_vec(), vec![0; 40_000], text] {
        fs::write(&home.path, octets).unwrap();
        home.refuses(|reason| matches!(reason, Reason::NotDatabase));
    }
}

#[test]
fn databases_of_others_are_left_alone() {
    for sql in [
        "CREATE TABLE t (x)",
        "PRAGMA application_id = 7",
        "PRAGMA user_version = 1",
        "PRAGMA journal_mode = WAL; CREATE TABLE t (x)",
        "PRAGMA application_id = 1886087539; CREATE TABLE t (x)",
    ] {
        let home = Home::new();
        home.raw().execute_batch(sql).unwrap();
        home.refuses(|reason| matches!(reason, Reason::Foreign));
    }
}

#[test]
fn what_another_program_has_not_taken_in_yet_stays_in_its_log() {
    let home = Home::new();
    let raw = home.raw();
    raw.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    raw.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (x)").unwrap();
    drop(raw);
    let octets = fs::read(&home.path).unwrap();
    let log = fs::read(beside(&home.path, "-wal")).unwrap();
    assert!(!log.is_empty());
    let is = |reason: &Reason| matches!(reason, Reason::Foreign);
    home.assert_clear(&home.write().unwrap_err(), is);
    home.assert_clear(&home.read().unwrap_err(), is);
    assert_eq!(fs::read(&home.path).unwrap(), octets);
    assert_eq!(fs::read(beside(&home.path, "-wal")).unwrap(), log);
}

#[test]
fn a_newer_schema_is_refused() {
    let home = Home::used();
    home.raw().execute_batch("PRAGMA user_version = 2; CREATE TABLE later (x)").unwrap();
    home.refuses(|reason| matches!(reason, Reason::Newer { found: 2, known: 1 }));
}

#[test]
fn an_older_schema_is_migrated_in_one_transaction() {
    let steps = |last| [schema::STEPS[0], "CREATE TABLE second (x INTEGER) STRICT", last];
    let good = steps("ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT 'none'");
    let home = Home::used();
    let before = home.files();

    let error = Reader::open_with(&home.place(), &good).unwrap_err();
    home.assert_clear(&error, |reason| matches!(reason, Reason::Older { found: 1, known: 3 }));
    assert_eq!(home.files(), before);

    // The second step works, the third does not.
    let bad = steps("ALTER TABLE nothing ADD COLUMN note TEXT");
    let error = Writer::open_with(&home.place(), &now(), &bad).unwrap_err();
    home.assert_clear(&error, |reason| matches!(reason, Reason::Sqlite(_)));
    assert_eq!(home.files(), before);
    assert!(home.read().unwrap().run(1).unwrap().is_some());

    drop(Writer::open_with(&home.place(), &now(), &good).unwrap());
    let raw = home.raw();
    let sql = "SELECT note, (SELECT count(*) FROM second), (SELECT user_version
        FROM pragma_user_version) FROM runs";
    let found = raw.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    assert_eq!(found, Ok(("none".to_owned(), 0, 3)));
    drop(raw);
    assert!(Reader::open_with(&home.place(), &good).unwrap().run(1).unwrap().is_some());
    home.refuses(|reason| matches!(reason, Reason::Newer { found: 3, known: 1 }));
}

#[test]
fn a_damaged_database_is_refused_or_told_when_it_shows() {
    let whole = Home::used();
    let octets = fs::read(&whole.path).unwrap();
    let corrupt = |reason: &Reason| matches!(reason, Reason::Corrupt(_));
    let home = Home::new();
    // Cut, and with a schema that is no tree.
    let mut garbage = octets.clone();
    garbage[100..4096].fill(0xa5);
    for octets in [&octets[..octets.len() - 16_384], &garbage] {
        fs::write(&home.path, octets).unwrap();
        home.refuses(corrupt);
    }
    // The page of the runs.
    let at = octets.windows(7).position(|window| window == b"ed25519").unwrap();
    let mut broken = octets.clone();
    let page = at / 16_384 * 16_384;
    broken[page..page + 16_384].fill(0xa5);
    fs::write(&home.path, &broken).unwrap();
    let reader = home.read().unwrap();
    home.assert_clear(&reader.run(1).unwrap_err(), corrupt);
    home.assert_clear(&home.write().unwrap().begin_run(&RUN).unwrap_err(), corrupt);
}

#[test]
fn a_row_of_another_shape_is_damage() {
    let home = Home::used();
    home.raw()
        .execute_batch(
            "INSERT INTO batches VALUES (1, 3, 3, 1, 'crl');
             INSERT INTO objects VALUES (1, 1, x'00', NULL, NULL, x'3000');
             UPDATE runs SET batch = -1",
        )
        .unwrap();
    let reader = home.read().unwrap();
    let is = |reason: &Reason| matches!(reason, Reason::Corrupt(_));
    home.assert_clear(&reader.object(1).unwrap_err(), is);
    home.assert_clear(&reader.objects(&ObjectFilter::default(), None, 9).unwrap_err(), is);
    home.assert_clear(&reader.run(1).unwrap_err(), is);
}

#[test]
fn a_place_where_nobody_may_write_is_told() {
    // Not even the superuser may make files there.
    let place = Location::parse("/sys/a.db");
    if Path::new("/sys").is_dir() {
        let error = Writer::open(&place, &now()).unwrap_err();
        assert!(matches!(error.reason, Reason::ReadOnly), "{error:?}");
        let text = "/sys/a.db: the database cannot be written, the file or its folder is read-only";
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn a_read_only_folder_is_told_and_read() {
    let home = Home::used();
    let folder = home.folder.path();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    set(folder, 0o500).unwrap();
    if fs::write(folder.join("x"), "").is_ok() {
        eprintln!("skipped: this user may write in a read-only folder");
        return;
    }
    let is = |reason: &Reason| matches!(reason, Reason::ReadOnly);
    let before = home.files();
    home.assert_clear(&home.write().unwrap_err(), is);
    // It cannot be written: the file is read as it is.
    assert!(home.read().unwrap().run(1).unwrap().is_some());
    set(folder, 0o700).unwrap();
    set(&home.path, 0o400).unwrap();
    home.assert_clear(&home.write().unwrap_err(), is);
    assert!(home.read().unwrap().run(1).unwrap().is_some());
    assert_eq!(home.files()["a.db"], before["a.db"]);
}

#[test]
fn a_writer_alone_is_alone() {
    let home = Home::used();
    let writer = Writer::open(&home.place(), &Options { exclusive: true, ..now() }).unwrap();
    let error = home.read().unwrap_err();
    home.assert_clear(&error, |reason| {
        matches!(reason, Reason::Held(holder) if holder.process == Some(std::process::id()))
    });
    drop(writer);
    let reader = home.read().unwrap();
    let error = Writer::open(&home.place(), &Options { exclusive: true, ..now() }).unwrap_err();
    home.assert_clear(&error, |reason| matches!(reason, Reason::Locked));
    drop(reader);
    Writer::open(&home.place(), &Options { exclusive: true, ..now() }).unwrap();
}

#[test]
fn a_name_is_never_read_as_a_uri() {
    let home = Home::new();
    for name in ["file:a.db?mode=memory", "a%20b?immutable=1", "ü #\u{1b}"] {
        let place = Location::File(home.folder.path().join(name));
        Writer::open(&place, &now()).unwrap().begin_run(&RUN).unwrap();
        assert!(Reader::open(&place).unwrap().run(1).unwrap().is_some());
        assert!(home.folder.path().join(name).is_file());
        // The form that reads a read-only folder, too.
        let path = fs::canonicalize(home.folder.path().join(name)).unwrap();
        let connection = Connection::open_with_flags(
            unchanging(&path),
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        );
        let count: i64 = connection
            .unwrap()
            .query_row("SELECT count(*) FROM runs", [], |row| row.get(0))
            .unwrap();
        assert_eq!(count, 1, "{name:?}");
    }
}
