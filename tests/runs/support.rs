//! A home with a database of five runs, and the program in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jsonschema::Validator;
use pkiscope::metrics::{Machine, PartResult, Run, StageResult, Summary};
use pkiscope::pki::runs;
use pkiscope::store::{Location, NewRun, Options, Writer};
use serde_json::Value;

/// A folder that is the home of whoever runs the program, gone with the value.
pub struct Home(tempfile::TempDir);

impl Home {
    /// Without a database.
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With these runs: 1 by native-ossl, 2 by aws-lc whose `cert_gen` is four times as fast,
    /// 3 of batch 1,024, 4 interrupted, 5 of batch 1,024 measured once.
    pub fn with_runs() -> Self {
        let home = Self::new();
        let location = Location::File(home.database());
        std::fs::create_dir_all(home.database().parent().unwrap()).unwrap();
        let mut writer = Writer::open(&location, &Options::default()).unwrap();
        for (backend, batch, gen_ns, repetitions) in [
            ("native-ossl", 64, 4_000_000, 20),
            ("aws-lc", 64, 1_000_000, 12),
            ("native-ossl", 1024, 60_000_000, 9),
            ("native-ossl", 64, 0, 0),
            ("native-ossl", 1024, 90_000_000, 1),
        ] {
            let run = run(backend, batch, gen_ns, repetitions);
            let number = runs::begin(&mut writer, &run).unwrap();
            if repetitions > 0 {
                runs::finish(&mut writer, number, &run).unwrap();
            }
        }
        home
    }

    /// One finished run more, changed so.
    pub fn add(
        &self,
        backend: &str,
        batch: u64,
        gen_ns: u64,
        repetitions: u32,
        change: &dyn Fn(&mut Run),
    ) {
        let mut run = run(backend, batch, gen_ns, repetitions);
        change(&mut run);
        let mut writer =
            Writer::open(&Location::File(self.database()), &Options::default()).unwrap();
        let number = runs::begin(&mut writer, &run).unwrap();
        runs::finish(&mut writer, number, &run).unwrap();
    }

    /// One finished run more, whose settings do not read.
    pub fn add_broken(&self) {
        let mut writer =
            Writer::open(&Location::File(self.database()), &Options::default()).unwrap();
        let new = NewRun {
            pipeline: "ca",
            started: 1_795_161_123,
            algorithm: "ecdsa-p256",
            backend: "openssl",
            batch: 64,
            threads: 1,
            settings: "no JSON",
            machine: "{}",
        };
        let number = writer.begin_run(&new).unwrap();
        writer.finish_run(number, 1, &[]).unwrap();
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    fn database(&self) -> PathBuf {
        self.path().join("pkiscope/pkiscope.db")
    }

    /// The program, away from the configuration and the state of whoever runs the test.
    pub fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pkiscope"));
        let home = self.path();
        command.env_clear().env("HOME", home);
        command.env("XDG_CONFIG_HOME", home).env("XDG_STATE_HOME", home);
        command.stdin(Stdio::null());
        command
    }

    /// `--batch runs WORDS`: exit code, standard output, standard error.
    pub fn runs(&self, words: &[&str], format: &str) -> (i32, String, String) {
        let mut program = self.program();
        program.args(["--batch", "--format", format, "runs"]).args(words);
        let output = program.output().unwrap();
        let text = |octets| String::from_utf8(octets).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

fn run(backend: &str, batch: u64, gen_ns: u64, repetitions: u32) -> Run {
    let times = |mean: u64| -> Vec<u64> {
        (0..u64::from(repetitions)).map(|i| mean + mean / 100 * (i * 7 % 5)).collect()
    };
    let stage = |name: &str, mean: u64| {
        let times = times(mean);
        let wall_ns = Summary::of(&times);
        StageResult {
            name: name.to_owned(),
            items: batch,
            wall_ns,
            cpu_ns: mean * 3 / 2,
            items_per_second: 1e9 * f64::from(u32::try_from(batch).unwrap())
                / f64::from(u32::try_from(wall_ns.mean.max(1)).unwrap()),
            service_ns: Some(wall_ns),
            parts: vec![
                PartResult { name: "keygen".to_owned(), ns: mean / 4 },
                PartResult { name: "sign".to_owned(), ns: mean * 3 / 4 },
            ],
            repetition_ns: times,
            ..StageResult::default()
        }
    };
    Run {
        id: String::new(),
        pipeline: "ca".to_owned(),
        started: 1_795_161_123,
        algorithm: "ecdsa-p256".to_owned(),
        backend: backend.to_owned(),
        batch,
        threads: 4,
        repetitions,
        settings: [("subscriber_keys".to_owned(), "shared".to_owned())].into(),
        machine: Machine {
            cpu: "A cpu\u{1b}[31m".to_owned(),
            cores: 4,
            os: "Linux 6".to_owned(),
            openssl: "3.6.3".to_owned(),
            ..Machine::default()
        },
        stages: vec![stage("cert_gen", gen_ns), stage("cert_verify", 7_000_000)],
        outside: vec![PartResult { name: "ca_keygen".to_owned(), ns: 12_345 }],
    }
}

/// The schema of this name in `fixtures/schema`.
pub fn validator(name: &str) -> Validator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/schema");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// One JSON value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
