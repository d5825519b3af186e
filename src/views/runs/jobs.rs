//! What the screen does in the background: listing, reading, comparing, deleting.

use super::sources::Pair;
use super::{Pane, Runs, Side, words};
use crate::asn1::text::visible;
use crate::metrics::compare::compare;
use crate::metrics::{Run, reference};
use crate::pki::runs::{State, Stored};
use crate::views::event::{Consumed, Cx, JobEvent, JobKind, JobReport, Payload};

const LIST: JobKind = JobKind("list runs");
const LOAD: JobKind = JobKind("read run");
const COMPARE: JobKind = JobKind("compare runs");
const DELETE: JobKind = JobKind("delete run");

type Listed = Result<Vec<Stored>, String>;
type Loaded = Result<Box<Stored>, String>;
type Compared = Result<Box<Pair>, String>;
type Deleted = Result<i64, String>;

impl Runs {
    /// Reads the list of runs again.
    pub(super) fn reload(&mut self, cx: &mut Cx<'_>) {
        let list = self.sources.list.clone();
        self.loading = true;
        cx.start(LIST, move |_| Payload::new::<Listed>(list()));
    }

    /// Reads a run to show it in detail.
    pub(super) fn load(&mut self, id: String, cx: &mut Cx<'_>) {
        let load = self.sources.load.clone();
        cx.start(LOAD, move |_| Payload::new::<Loaded>(load(&id).map(Box::new)));
    }

    /// Compares A and B, when both are chosen.
    pub(super) fn compare(&mut self, cx: &mut Cx<'_>) {
        let (Some(a), Some(b)) = (self.a.clone(), self.b.clone()) else { return };
        let is_current = |pair: &Pair| pair.a.run.id == a && pair.b.run.id == b;
        if matches!(&self.pair, Some(Ok(pair)) if is_current(pair)) {
            return;
        }
        let pair = self.sources.pair.clone();
        cx.start(COMPARE, move |_| {
            let compared = pair(&a, &b).map(|(a, b)| {
                let comparison = compare(&a.run, &b.run);
                Box::new(Pair { a, b, comparison })
            });
            Payload::new::<Compared>(compared)
        });
    }

    /// Deletes a run.
    pub(super) fn delete(&mut self, number: i64, cx: &mut Cx<'_>) {
        let delete = self.sources.delete.clone();
        cx.start(DELETE, move |_| Payload::new::<Deleted>(delete(number).map(|()| number)));
    }

    pub(super) fn report(&mut self, event: JobEvent, cx: &mut Cx<'_>) -> Consumed {
        let kind = event.kind;
        let payload = match event.report {
            JobReport::Part(payload) | JobReport::Done(payload) => payload,
            JobReport::Failed(_) => {
                // The bench says why.
                self.loading &= kind != LIST;
                return Consumed::Yes;
            }
        };
        match kind {
            LIST => self.listed(payload, cx),
            LOAD => self.loaded(payload, cx),
            COMPARE => {
                if let Ok(compared) = payload.take::<Compared>() {
                    if let Ok(pair) = &compared {
                        // `last` is a run with a number.
                        self.a = Some(pair.a.run.id.clone());
                        self.b = Some(pair.b.run.id.clone());
                    }
                    self.pair = Some(compared.map_err(|why| visible(&why).into_owned()));
                }
            }
            DELETE => self.deleted(payload, cx),
            _ => return Consumed::No,
        }
        Consumed::Yes
    }

    fn listed(&mut self, payload: Payload, cx: &mut Cx<'_>) {
        self.loading = false;
        let Ok(listed) = payload.take::<Listed>() else { return };
        let chosen = self.current().map(|stored| stored.run.id.clone());
        let first = self.entries.iter().all(|stored| stored.state == State::Published);
        match listed {
            Ok(stored) => {
                self.fault = None;
                let references = self.entries.iter().filter(|s| s.state == State::Published);
                self.entries =
                    stored.into_iter().chain(references.cloned().collect::<Vec<_>>()).collect();
            }
            // Runs that were listed before stay: the pipeline may hold the store for a while.
            Err(why) => self.fault = Some(visible(&why).into_owned()),
        }
        let row = self.entries.iter().position(|stored| Some(&stored.run.id) == chosen.as_ref());
        self.row = if first { 0 } else { row.unwrap_or(0) as u64 };
        if !self.chosen
            && let Some((a, b)) = self.suggestion()
        {
            (self.a, self.b) = (Some(a), Some(b));
        }
        self.compare(cx);
    }

    /// The newest finished run as B, and as A the one before it that did the same work; if
    /// there is none, the reference that did.
    fn suggestion(&self) -> Option<(String, String)> {
        let finished = |stored: &&Stored| stored.state == State::Finished;
        let mut runs = self.entries.iter().filter(finished).map(|stored| &stored.run);
        let newest = runs.next()?;
        let alike = |run: &&Run| {
            (&run.pipeline, &run.algorithm, run.batch)
                == (&newest.pipeline, &newest.algorithm, newest.batch)
        };
        let same_backend = |run: &&Run| run.backend == newest.backend;
        let before = runs.clone().find(|run| alike(run) && same_backend(run));
        let before = before.or_else(|| runs.find(alike)).map(|run| run.id.clone());
        let published = || {
            let name = format!("{}seed-openssl-{}", reference::PREFIX, newest.algorithm);
            let found = reference::find(&name, Some(newest.batch));
            found.filter(|run| alike(&run)).map(|run| run.id)
        };
        Some((before.or_else(published)?, newest.id.clone()))
    }

    fn loaded(&mut self, payload: Payload, cx: &mut Cx<'_>) {
        match payload.take::<Loaded>() {
            Ok(Ok(stored)) => {
                self.side = Side::Details(stored);
                self.side_row = 0;
                self.focus = Pane::Side;
            }
            Ok(Err(why)) => cx.warn(visible(&why).into_owned()),
            Err(_) => {}
        }
    }

    fn deleted(&mut self, payload: Payload, cx: &mut Cx<'_>) {
        match payload.take::<Deleted>() {
            Ok(Ok(number)) => {
                let id = number.to_string();
                cx.info(format!("run {} is deleted", words::id(&id)));
                if [&self.a, &self.b].contains(&&Some(id.clone())) {
                    self.a.take_if(|a| *a == id);
                    self.b.take_if(|b| *b == id);
                    self.pair = None;
                    self.chosen = false;
                }
                if matches!(&self.side, Side::Details(stored) if stored.run.id == id) {
                    self.side = Side::Comparison;
                }
                self.reload(cx);
            }
            Ok(Err(why)) => cx.warn(visible(&why).into_owned()),
            Err(_) => {}
        }
    }
}
