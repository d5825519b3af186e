//! What goes in and what comes out.

use std::sync::atomic::AtomicBool;

/// A run that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewRun<'a> {
    /// Which pipeline, as `ca`.
    pub pipeline: &'a str,
    /// When it began, in seconds since 1970-01-01 UTC.
    pub started: i64,
    /// The algorithm of the CA key.
    pub algorithm: &'a str,
    /// The crypto backend.
    pub backend: &'a str,
    /// Items in a batch.
    pub batch: u64,
    /// Workers.
    pub threads: u32,
    /// All other settings, as JSON.
    pub settings: &'a str,
    /// Where it runs, as JSON.
    pub machine: &'a str,
}

/// The result of one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewStage<'a> {
    /// Its name.
    pub name: &'a str,
    /// Items in one repetition.
    pub items: u64,
    /// The figures, as JSON.
    pub result: &'a str,
    /// The service times as a serialised histogram.
    pub histogram: &'a [u8],
}

/// An object to store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewObject<'a> {
    /// Its octets.
    pub der: &'a [u8],
    /// Their SHA-256 digest.
    pub sha256: [u8; 32],
    /// The subject as RFC 4514 text.
    pub subject: Option<&'a str>,
    /// The contents octets of the serial number.
    pub serial: Option<&'a [u8]>,
}

/// A run in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    /// Its number; numbers of deleted runs do not come back.
    pub id: i64,
    /// Which pipeline, as `ca`.
    pub pipeline: String,
    /// When it began, in seconds since 1970-01-01 UTC.
    pub started: i64,
    /// When it was finished. A run without it is under way, or was interrupted.
    pub finished: Option<i64>,
    /// The algorithm of the CA key.
    pub algorithm: String,
    /// The crypto backend.
    pub backend: String,
    /// Items in a batch.
    pub batch: u64,
    /// Workers.
    pub threads: u32,
    /// How often the batch was measured; 0 for a run that is not finished.
    pub repetitions: u32,
    /// All other settings, as JSON.
    pub settings: String,
    /// Where it ran, as JSON.
    pub machine: String,
}

/// The result of a stage in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageRow {
    /// Its name.
    pub name: String,
    /// Items in one repetition.
    pub items: u64,
    /// The figures, as JSON.
    pub result: String,
    /// The service times as a serialised histogram.
    pub histogram: Vec<u8>,
}

/// What is known of an object without its octets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectRow {
    /// Its number; numbers of deleted objects do not come back.
    pub id: i64,
    /// Its kind, as `certificate`.
    pub kind: String,
    /// The run that made it.
    pub run: i64,
    /// The SHA-256 digest of its octets.
    pub sha256: [u8; 32],
    /// How many octets it has.
    pub size: u64,
    /// The subject as RFC 4514 text.
    pub subject: Option<String>,
    /// The contents octets of the serial number.
    pub serial: Option<Vec<u8>>,
}

/// An object with its octets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// What is known of it.
    pub row: ObjectRow,
    /// Its octets.
    pub der: Vec<u8>,
}

/// Which runs; a field that is `None` lets all through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunFilter<'a> {
    /// Of this pipeline.
    pub pipeline: Option<&'a str>,
    /// With a CA key of this algorithm.
    pub algorithm: Option<&'a str>,
    /// With this backend.
    pub backend: Option<&'a str>,
    /// With this batch size.
    pub batch: Option<u64>,
    /// Finished ones, or those that are not.
    pub finished: Option<bool>,
}

/// Which objects; a field that is `None` lets all through.
///
/// Kind and run are found at once; for the others all objects of the kind and run are looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct ObjectFilter<'a> {
    /// Of this kind.
    pub kind: Option<&'a str>,
    /// Made by this run.
    pub run: Option<i64>,
    /// With this serial number, whatever zeros it begins with.
    pub serial: Option<&'a [u8]>,
    /// With this text in the subject, whatever the case of its letters.
    pub subject: Option<&'a str>,
    /// The search ends with an error when this becomes true.
    pub cancel: Option<&'a AtomicBool>,
}
