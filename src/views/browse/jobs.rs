//! What the browser does in the background: loading, looking for findings, searching,
//! trying a password.

use super::busy::Asked;
use super::{Browse, Document, Octets, Remark};
use crate::asn1::search::{Direction, Progress, Query, Search};
use crate::asn1::text::visible;
use crate::pki::object::Form;
use crate::pki::report;
use crate::views::event::{Consumed, Cx, JobContext, JobEvent, JobKind, JobReport, Payload};

/// Finds the documents: reports each batch as a part of type `Vec<Document>`, ends with one.
pub type Load = Box<dyn FnOnce(&JobContext) -> Vec<Document> + Send>;

/// Opens an encrypted document with a password; the error is one sentence.
pub type Unlock = dyn Fn(&Document, &str) -> Result<Vec<Document>, String> + Send + Sync;

const LOAD: JobKind = JobKind("load");
const REMARKS: JobKind = JobKind("findings");
const SEARCH: JobKind = JobKind("search");
const UNLOCK: JobKind = JobKind("unlock");

/// A search keeps so many hits at most.
const MOST_HITS: usize = 1_000_000;

/// Nodes that a search looks at before it asks whether it is still wanted.
const STRIDE: usize = 50_000;

/// Hits of a search, in order, and how far it is.
struct Hits {
    document: usize,
    starts: Vec<u32>,
    percent: u8,
}

/// Findings of a document.
struct Found {
    document: usize,
    remarks: Vec<Remark>,
}

/// Documents that a password opened, or why it did not.
struct Unlocked {
    result: Result<Vec<Document>, String>,
}

/// The element of sorted `offsets` that follows `at` (or precedes it), with its index; `true`
/// when it was found from the other end.
#[must_use]
pub fn neighbour(offsets: &[u32], at: u32, forward: bool) -> Option<(usize, u32, bool)> {
    let (index, wrapped) = if forward {
        let index = offsets.partition_point(|o| *o <= at);
        if index < offsets.len() { (index, false) } else { (0, true) }
    } else {
        match offsets.partition_point(|o| *o < at) {
            0 => (offsets.len().checked_sub(1)?, true),
            after => (after - 1, false),
        }
    };
    offsets.get(index).map(|offset| (index, *offset, wrapped))
}

impl Browse {
    pub(super) fn begin_loading(&mut self, cx: &mut Cx<'_>) {
        if let Some(load) = self.load.take() {
            self.busy.loading = true;
            cx.start(LOAD, move |job| Payload::new(load(job)));
        }
    }

    /// Looks for the findings of the document that is shown, unless they are known.
    pub(super) fn look_for_remarks(&mut self, cx: &mut Cx<'_>) {
        let index = self.current;
        let Some((document, view)) = self.view() else { return };
        if view.remarks.is_some() {
            return;
        }
        let (octets, form) = (document.octets.clone(), document.form);
        cx.start(REMARKS, move |job| {
            let remarks = remarks(&octets, form, job);
            Payload::new(Found { document: index, remarks })
        });
    }

    /// Begins a search in the document that is shown; the cursor moves to the first hit.
    pub(super) fn search(&mut self, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let query = Query::parse(text).map_err(|error| error.to_string())?;
        let index = self.current;
        let Some((document, view)) = self.view_mut() else { return Err("nothing is open".into()) };
        view.hits.clear();
        let from = view.octet;
        let (octets, nested) = (document.octets.clone(), view.outline.is_nested());
        self.query = Some(Asked {
            text: text.to_owned(),
            document: index,
            complete: false,
            jump_from: Some(from),
        });
        self.busy.searching = Some(0);
        cx.start(SEARCH, move |job| {
            let starts = search(&octets, query, nested, index, job);
            Payload::new(Hits { document: index, starts, percent: 100 })
        });
        Ok(())
    }

    /// Ends a running search; says whether there was one.
    pub(super) fn cancel_search(&mut self, cx: &mut Cx<'_>) -> bool {
        let running = self.busy.searching.take().is_some();
        if running {
            cx.cancel(SEARCH);
            cx.info("search stopped; hits so far stay");
        }
        running
    }

    pub(super) fn next_hit(&mut self, forward: bool, cx: &mut Cx<'_>) {
        let Some(asked) = self.query.clone() else { return cx.info("nothing was searched") };
        if asked.document != self.current {
            if let Err(error) = self.search(&asked.text, cx) {
                cx.warn(error);
            }
            return;
        }
        let searching = self.busy.searching.is_some();
        let Some((document, view)) = self.view_mut() else { return };
        match neighbour(&view.hits, view.octet, forward) {
            Some((index, octet, wrapped)) => {
                let more = if searching { "+" } else { "" };
                let turn = if wrapped { ", from the other end" } else { "" };
                let note = format!("hit {} of {}{more}{turn}", index + 1, view.hits.len());
                view.jump(document, octet);
                cx.info(note);
            }
            None => cx.info(nothing_found(&asked.text)),
        }
    }

    pub(super) fn try_password(&mut self, text: &str, cx: &mut Cx<'_>) -> Result<(), String> {
        let (Some(unlock), Some(document)) = (self.unlock.clone(), self.document().cloned()) else {
            return Err("nothing is open".into());
        };
        let password = zeroize::Zeroizing::new(text.to_owned());
        self.busy.unlocking = true;
        cx.start(UNLOCK, move |_| {
            let result = unlock(&document, &password);
            Payload::new(Unlocked { result })
        });
        Ok(())
    }

    pub(super) fn report(&mut self, event: JobEvent, cx: &mut Cx<'_>) -> Consumed {
        let kind = event.kind;
        let (payload, done) = match event.report {
            JobReport::Part(payload) => (payload, false),
            JobReport::Done(payload) => (payload, true),
            JobReport::Failed(why) => {
                self.ended(kind);
                cx.warn(format!("{}: {}", kind.0, visible(&why)));
                return Consumed::Yes;
            }
        };
        if done {
            self.ended(kind);
        }
        match kind {
            LOAD => self.loaded(payload, done, cx),
            REMARKS => self.remarked(payload),
            SEARCH => self.found(payload, done, cx),
            UNLOCK => self.unlocked(payload, cx),
            _ => return Consumed::No,
        }
        Consumed::Yes
    }

    fn ended(&mut self, kind: JobKind) {
        match kind {
            LOAD => self.busy.loading = false,
            SEARCH => self.busy.searching = None,
            UNLOCK => self.busy.unlocking = false,
            _ => {}
        }
    }

    fn loaded(&mut self, payload: Payload, done: bool, cx: &mut Cx<'_>) {
        let first = self.documents.is_empty();
        if let Ok(documents) = payload.take::<Vec<Document>>() {
            self.add(documents);
        }
        if first {
            self.look_for_remarks(cx);
        }
        let broken = self.documents.iter().filter(|d| d.problem.is_some()).count();
        if done && broken > 0 {
            let noun = if broken == 1 { "entry" } else { "entries" };
            cx.warn(format!("{broken} {noun} could not be read; see the list of documents"));
        }
    }

    fn remarked(&mut self, payload: Payload) {
        if let Ok(found) = payload.take::<Found>()
            && let Some(view) = self.views.get_mut(&found.document)
        {
            view.remarks = Some(found.remarks);
        }
    }

    fn found(&mut self, payload: Payload, done: bool, cx: &mut Cx<'_>) {
        let Ok(hits) = payload.take::<Hits>() else { return };
        if !done {
            self.busy.searching = Some(hits.percent);
        }
        let Some(asked) = self.query.as_mut().filter(|a| a.document == hits.document) else {
            return;
        };
        asked.complete = done;
        let (Some(document), Some(view)) =
            (self.documents.get(hits.document), self.views.get_mut(&hits.document))
        else {
            return;
        };
        view.hits.extend(hits.starts);
        if let Some(from) = asked.jump_from {
            let ahead = view.hits.iter().position(|hit| *hit >= from);
            // From the other end only when all is known.
            let index = ahead.or(if done && !view.hits.is_empty() { Some(0) } else { None });
            if let Some(index) = index {
                asked.jump_from = None;
                let octet = view.hits[index];
                view.jump(document, octet);
            }
        }
        if done {
            let count = view.hits.len();
            let noun = if count == 1 { "hit" } else { "hits" };
            cx.info(match count {
                0 => nothing_found(&asked.text),
                MOST_HITS => format!("{count} hits and more; only these are kept"),
                _ => format!("{count} {noun}; n and N go on"),
            });
        }
    }

    fn unlocked(&mut self, payload: Payload, cx: &mut Cx<'_>) {
        let Ok(unlocked) = payload.take::<Unlocked>() else { return };
        match unlocked.result {
            Ok(mut documents) => {
                // What lies open in a container was unpacked when it was loaded.
                documents.retain(|new| !self.documents.iter().any(|old| old.is_same(new)));
                if documents.is_empty() {
                    return cx.warn("the password opens nothing here");
                }
                let noun = if documents.len() == 1 { "object" } else { "objects" };
                cx.info(format!("{} {noun} unpacked", documents.len()));
                let first = self.documents.len();
                self.add(documents);
                self.show(first);
                self.look_for_remarks(cx);
            }
            Err(why) => cx.warn(why),
        }
    }
}

fn nothing_found(text: &str) -> String {
    format!("no hit for {}", visible(text))
}

fn remarks(octets: &Octets, form: Form, job: &JobContext) -> Vec<Remark> {
    let findings = report::findings(octets.as_ref(), form, Some(job.cancel_flag()));
    let mut remarks: Vec<Remark> = findings
        .iter()
        .map(|finding| Remark {
            offset: finding.offset,
            message: visible(&finding.message()).into_owned(),
            source: finding.rule.source,
        })
        .collect();
    remarks.sort_by_key(|remark| remark.offset);
    remarks
}

/// Scans the object, reporting hits in parts; returns those after the last part.
fn search(
    octets: &Octets,
    query: Query,
    nested: bool,
    document: usize,
    job: &JobContext,
) -> Vec<u32> {
    let object = octets.as_ref();
    let mut scan = Search::new(object, query, Direction::All, nested);
    let mut starts = Vec::new();
    let (mut count, mut reported) = (0, 0);
    while !job.cancelled() && count < MOST_HITS {
        match scan.step(STRIDE) {
            Progress::Hit(hit) => {
                starts.push(hit.node.start);
                count += 1;
            }
            Progress::More => {}
            Progress::Done => break,
        }
        let percent = u64::from(scan.position()) * 100 / (object.len() as u64).max(1);
        // The first hit is told at once: the cursor moves to it.
        if percent > reported || count == 1 {
            reported = percent;
            let percent = u8::try_from(percent).unwrap_or(100);
            job.part(Hits { document, starts: std::mem::take(&mut starts), percent });
        }
    }
    starts
}
