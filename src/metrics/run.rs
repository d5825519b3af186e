//! The result of a run: one batch size, all stages, and the machine it ran on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::summary::Summary;

/// One pipeline at one batch size, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its number in the store, or a name as `ref:seed-openssl-ecdsa-p256-1024`.
    pub id: String,
    /// Which pipeline: `ca` or `mtc`.
    pub pipeline: String,
    /// When it began, in seconds since 1970-01-01 UTC.
    pub started: i64,
    /// The algorithm of the CA key, as `ml-dsa-65`.
    pub algorithm: String,
    /// The crypto backend, as `native-ossl`.
    pub backend: String,
    /// Items in a batch.
    pub batch: u64,
    /// Workers.
    pub threads: u32,
    /// How often the batch was measured, the warm-up not counted.
    pub repetitions: u32,
    /// All other settings by name.
    pub settings: BTreeMap<String, String>,
    /// Where it ran.
    pub machine: Machine,
    /// The stages in their order.
    pub stages: Vec<StageResult>,
    /// What took time outside of the stages, once: the CA's key, a checkpoint of the store.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub outside: Vec<PartResult>,
}

/// One stage of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StageResult {
    /// Its fixed name.
    pub name: String,
    /// Items in one repetition.
    pub items: u64,
    /// Wall-clock time of the stage, over the repetitions.
    pub wall_ns: Summary,
    /// CPU time of all threads together, mean of the repetitions.
    pub cpu_ns: u64,
    /// Items in a second of wall-clock time, by the mean.
    pub items_per_second: f64,
    /// Service time of one item in its worker, over all items of all repetitions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub service_ns: Option<Summary>,
    /// Parts of the work, where they were kept apart.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<PartResult>,
    /// Items that failed: a signature that does not verify, a row that reads back different.
    #[serde(default)]
    pub errors: u64,
    /// Wall-clock time of each repetition, for comparisons.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub repetition_ns: Vec<u64>,
    /// The service times as a serialised HDR histogram (V2); not part of the JSON.
    #[serde(skip)]
    pub histogram: Vec<u8>,
}

/// A part of a stage's work, as `keygen`, `sign` or `encode`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PartResult {
    /// Its name.
    pub name: String,
    /// Time spent in it by all workers, mean of the repetitions.
    pub ns: u64,
}

/// Facts about the machine and the program.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Logical cores that the program may use.
    pub cores: u32,
    /// Operating system and kernel.
    pub os: String,
    /// The allocator.
    pub allocator: String,
    /// Version of pkiscope.
    pub version: String,
    /// Version of OpenSSL.
    pub openssl: String,
    /// Version of AWS-LC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub aws_lc: Option<String>,
    /// Version of NSS.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nss: Option<String>,
    /// Version of SQLite.
    pub sqlite: String,
    /// What may make figures wrong, as a slow build of OpenSSL.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<String>,
}
