//! Background jobs: one thread a job, one job a kind, the newer replaces the older.

use std::any::Any;
use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::asn1::text::visible;
use crate::views::event::{Job, JobContext, JobEvent, JobKind, JobReport};

/// Starts and cancels jobs; their reports go to a channel.
#[derive(Debug)]
pub struct Jobs {
    reports: Sender<JobEvent>,
    running: HashMap<JobKind, Arc<AtomicBool>>,
    /// Every thread holds a clone of the sender: the receiver knows when the last one is gone.
    alive: Sender<Infallible>,
    gone: Receiver<Infallible>,
}

impl Jobs {
    /// Nothing runs yet.
    #[must_use]
    pub fn new(reports: Sender<JobEvent>) -> Self {
        let (alive, gone) = bounded(0);
        Self { reports, running: HashMap::new(), alive, gone }
    }

    /// Starts a job on a thread of its own and cancels the older one of its kind.
    ///
    /// The older one may still report until it sees its flag; its number tells that the
    /// report is stale. A panic is a failed job.
    ///
    /// # Errors
    /// The report that no thread could be started.
    pub fn start(&mut self, job: Job) -> Result<(), JobEvent> {
        let Job { kind, id, work } = job;
        self.cancel(kind);
        let cancel = Arc::new(AtomicBool::new(false));
        self.running.insert(kind, Arc::clone(&cancel));
        let reports = self.reports.clone();
        let alive = self.alive.clone();
        let body = move || {
            let _alive = alive;
            let parts = reports.clone();
            // A receiver that is gone means that the program ends: nobody needs the report.
            let part = move |payload| {
                let _ = parts.send(JobEvent { kind, id, report: JobReport::Part(payload) });
            };
            let context = JobContext::new(cancel, Box::new(part));
            // The work owns what it touches or shares it with a lock; nothing half-changed
            // is used after a panic.
            let report = match catch_unwind(AssertUnwindSafe(|| work(&context))) {
                Ok(payload) => JobReport::Done(payload),
                Err(panic) => JobReport::Failed(panic_text(panic.as_ref())),
            };
            let _ = reports.send(JobEvent { kind, id, report });
        };
        let name = format!("job {}", kind.0);
        thread::Builder::new().name(name).spawn(body).map(drop).map_err(|error| {
            let report = JobReport::Failed(format!("no thread for it: {error}"));
            JobEvent { kind, id, report }
        })
    }

    /// Tells the job of a kind that nobody waits for it.
    pub fn cancel(&mut self, kind: JobKind) {
        if let Some(flag) = self.running.remove(&kind) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Tells every job, and waits until all have ended; `patience` at most. Whether they have.
    ///
    /// A process that ends while a thread works in a library's code may crash in the library's
    /// own end, so jobs get some time.
    #[must_use]
    pub fn end(self, patience: Duration) -> bool {
        let Self { running, alive, gone, .. } = self;
        for flag in running.values() {
            flag.store(true, Ordering::Relaxed);
        }
        drop(alive);
        // Nothing is ever sent: it returns when the last sender is gone or the time is over.
        matches!(gone.recv_timeout(patience), Err(RecvTimeoutError::Disconnected))
    }
}

/// The message of a panic in one line without control characters.
#[must_use]
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message");
    visible(text).into_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam_channel::{Receiver, bounded, unbounded};

    use super::*;
    use crate::views::event::{JobId, Payload};

    /// Long enough for the slowest machine; only a failing test waits for it.
    const PATIENCE: Duration = Duration::from_secs(30);
    const KIND: JobKind = JobKind("test");

    fn job(id: u64, work: impl FnOnce(&JobContext) -> Payload + Send + 'static) -> Job {
        Job { kind: KIND, id: JobId(id), work: Box::new(work) }
    }

    fn next(reports: &Receiver<JobEvent>) -> JobEvent {
        reports.recv_timeout(PATIENCE).unwrap()
    }

    #[test]
    fn parts_come_before_the_end() {
        let (sender, reports) = unbounded();
        Jobs::new(sender)
            .start(job(7, |context| {
                context.part(1_u32);
                context.part(2_u32);
                Payload::new("end")
            }))
            .unwrap();
        for wanted in [1, 2] {
            match next(&reports) {
                JobEvent { id: JobId(7), report: JobReport::Part(payload), .. } => {
                    assert_eq!(payload.take::<u32>().unwrap(), wanted);
                }
                other => panic!("{other:?}"),
            }
        }
        match next(&reports).report {
            JobReport::Done(payload) => {
                let payload = payload.take::<u32>().unwrap_err();
                assert_eq!(payload.take::<&str>().unwrap(), "end");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_newer_job_cancels_the_older_one() {
        let (sender, reports) = unbounded();
        let mut jobs = Jobs::new(sender);
        let (go, gate) = bounded::<()>(0);
        jobs.start(job(1, move |context| {
            gate.recv_timeout(PATIENCE).unwrap();
            Payload::new(context.cancelled())
        }))
        .unwrap();
        jobs.start(job(2, |context| Payload::new(context.cancelled()))).unwrap();
        let newer = next(&reports);
        assert_eq!(newer.id, JobId(2));
        go.send(()).unwrap();
        let older = next(&reports);
        assert_eq!(older.id, JobId(1));
        for (event, cancelled) in [(newer, false), (older, true)] {
            match event.report {
                JobReport::Done(payload) => assert_eq!(payload.take::<bool>().unwrap(), cancelled),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_panic_is_a_failed_job() {
        let (sender, reports) = unbounded();
        let mut jobs = Jobs::new(sender);
        jobs.start(job(1, |_| panic!("broken at {}", 17))).unwrap();
        match next(&reports).report {
            JobReport::Failed(text) => assert_eq!(text, "broken at 17"),
            other => panic!("{other:?}"),
        }
        jobs.start(job(2, |_| Payload::new(()))).unwrap();
        assert!(matches!(next(&reports).report, JobReport::Done(_)));
    }

    #[test]
    fn all_are_told_at_the_end_and_waited_for() {
        let (sender, reports) = unbounded();
        let mut jobs = Jobs::new(sender);
        let (waits, started) = bounded::<()>(0);
        jobs.start(job(1, move |context| {
            waits.send(()).unwrap();
            while !context.cancelled() {
                thread::yield_now();
            }
            Payload::new(())
        }))
        .unwrap();
        started.recv_timeout(PATIENCE).unwrap();
        assert!(jobs.end(PATIENCE));
        assert!(matches!(reports.try_recv().unwrap().report, JobReport::Done(_)));
    }

    #[test]
    fn a_job_that_does_not_listen_is_left() {
        let (sender, _reports) = unbounded();
        let mut jobs = Jobs::new(sender);
        let (go, gate) = bounded::<()>(0);
        jobs.start(job(1, move |_| Payload::new(gate.recv_timeout(PATIENCE).is_ok()))).unwrap();
        assert!(!jobs.end(Duration::ZERO));
        go.send(()).unwrap();
    }
}
