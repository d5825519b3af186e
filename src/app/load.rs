//! The job that opens documents: samples or files, part by part, so that the first one shows
//! while the rest is still being read.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::input;
use super::samples;
use crate::asn1::sniff;
use crate::views::document::{Document, Loaded, Octets, Source};
use crate::views::event::{JobContext, Payload};

/// Documents in the largest part that is handed over at once.
const LARGEST_PART: usize = 4096;

/// What to open.
#[derive(Debug, Clone)]
pub enum What {
    /// The samples that are built in.
    Samples,
    /// Files, folders and standard input.
    Files(Vec<PathBuf>),
}

impl What {
    /// The samples when no file is named.
    #[must_use]
    pub fn of(files: &[PathBuf]) -> Self {
        if files.is_empty() { Self::Samples } else { Self::Files(files.to_vec()) }
    }
}

/// Opens everything and reports [`Loaded`] parts; ends early when it is cancelled.
#[must_use]
pub fn load(what: What, context: &JobContext) -> Payload {
    let mut parts = Parts { context, gathered: Vec::new(), size: 1 };
    match what {
        What::Samples => {
            for sample in samples::all() {
                let octets = Octets::from(sample.contents.into_owned());
                let source = Source { name: sample.name.to_owned(), path: None, octets };
                if parts.source(source).is_break() {
                    break;
                }
            }
        }
        What::Files(files) => {
            for place in input::places(files.into_iter().map(OsString::from)) {
                let flow = match place.and_then(|place| place.open()) {
                    Ok(opened) => parts.source(Source {
                        name: opened.name,
                        path: opened.path,
                        octets: Octets::new(opened.bytes),
                    }),
                    Err(failure) => parts.failure(&failure),
                };
                if flow.is_break() {
                    break;
                }
            }
        }
    }
    parts.hand_over();
    Payload::new(())
}

/// Gathers documents into parts: a small one first, then larger ones.
struct Parts<'a> {
    context: &'a JobContext,
    gathered: Vec<Document>,
    size: usize,
}

impl Parts<'_> {
    fn source(&mut self, source: Source) -> ControlFlow<()> {
        tracing::info!(source = source.name, octets = source.octets.len(), "open");
        let source = Arc::new(source);
        let objects = sniff::objects(&source.octets).cancelled_by(self.context.cancel_flag());
        for found in objects.filter(|found| !found.is_text()) {
            self.gathered.push(Document::found(&source, found));
            if self.gathered.len() >= self.size {
                self.hand_over();
            }
        }
        self.go_on()
    }

    fn failure(&mut self, failure: &input::Failure) -> ControlFlow<()> {
        self.hand_over();
        self.context.part(Loaded::Failure(failure.to_string()));
        self.go_on()
    }

    fn hand_over(&mut self) {
        if !self.gathered.is_empty() {
            self.context.part(Loaded::Documents(std::mem::take(&mut self.gathered)));
            self.size = (self.size * 4).min(LARGEST_PART);
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.context.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Runs the job and gives its parts.
    fn run(what: What, cancelled: bool) -> Vec<Loaded> {
        let parts = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&parts);
        let report = move |part: Payload| sink.lock().unwrap().push(part.take().unwrap());
        let context = JobContext::new(Arc::new(AtomicBool::new(cancelled)), Box::new(report));
        load(what, &context).take::<()>().unwrap();
        drop(context);
        Arc::into_inner(parts).unwrap().into_inner().unwrap()
    }

    fn documents(parts: Vec<Loaded>) -> Vec<Document> {
        let mut out = Vec::new();
        for part in parts {
            match part {
                Loaded::Documents(more) => out.extend(more),
                Loaded::Failure(text) => panic!("{text}"),
            }
        }
        out
    }

    #[test]
    fn the_samples_open_with_mozillas_roots_first() {
        let parts = run(What::of(&[]), false);
        assert!(matches!(&parts[0], Loaded::Documents(first) if first.len() == 1));
        let found = documents(parts);
        assert_eq!(found[0].source.name, "mozilla-roots");
        assert!(found.iter().filter(|one| one.source.name == "mozilla-roots").count() > 100);
        for one in &found {
            assert!(!one.octets().is_empty(), "{} at {}", one.source.name, one.offset);
        }
    }

    #[test]
    fn what_cannot_be_opened_stands_beside_what_can() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("a.der"), [0x30, 0x00]).unwrap();
        std::fs::write(path("c.der"), [0x05, 0x00]).unwrap();
        let parts = run(What::of(&[path("a.der"), path("b.der"), path("c.der")]), false);
        match &parts[..] {
            [Loaded::Documents(a), Loaded::Failure(b), Loaded::Documents(c)] => {
                assert_eq!((&*a[0].octets(), &*c[0].octets()), (&[0x30, 0][..], &[5, 0][..]));
                assert!(b.contains("b.der"), "{b}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(documents(run(What::of(&[dir.path().to_owned()]), false)).len(), 2);
    }

    #[test]
    fn many_documents_come_in_growing_parts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("many");
        std::fs::write(&path, [0x05, 0x00].repeat(20_000)).unwrap();
        let parts = run(What::of(&[path]), false);
        let sizes: Vec<usize> = parts
            .iter()
            .map(|part| match part {
                Loaded::Documents(some) => some.len(),
                Loaded::Failure(text) => panic!("{text}"),
            })
            .collect();
        assert_eq!(sizes[..7], [1, 4, 16, 64, 256, 1024, 4096]);
        assert_eq!(sizes.iter().sum::<usize>(), 20_000);
    }

    #[test]
    fn a_cancelled_job_ends_early() {
        assert!(documents(run(What::of(&[]), true)).len() <= 1);
    }
}
