//! Starting, steering and ending a run; the jobs of the screen.

use std::sync::Arc;

use super::figures::Figures;
use super::objects::ObjectList;
use super::popup::Field;
use super::settings::objection;
use super::sources::{Beside, ObjectRow, Sources};
use super::work::{End, Work};
use super::{Pipeline, SAMPLE};
use crate::asn1::text::visible;
use crate::metrics::Run;
use crate::metrics::live::Live;
use crate::views::event::{Consumed, Cx, Effect, JobEvent, JobKind, JobReport, Opened, Payload};

/// The pipeline itself.
pub const PIPELINE: JobKind = JobKind("pipeline");
const LIST: JobKind = JobKind("list of objects");
const OCTETS: JobKind = JobKind("object");
const COMPARE: JobKind = JobKind("comparison");

/// A page of a list, for the list with this number.
struct Page {
    list: u64,
    rows: Result<Vec<ObjectRow>, String>,
}

impl Pipeline {
    /// Starts a run with the settings that are chosen.
    pub(super) fn start_run(&mut self, cx: &mut Cx<'_>) {
        if self.work.as_ref().is_some_and(Work::goes_on) {
            return cx.warn("a run goes on; restart stops it first");
        }
        if let Some(why) = objection(&self.settings, &self.sources.backends) {
            return cx.warn(why);
        }
        let settings = self.settings.clone();
        let live = Arc::new(Live::new(settings.threads));
        self.work = Some(Work::new(settings.clone(), Arc::clone(&live)));
        self.frozen = None;
        self.popup = None;
        self.objects = None;
        self.next = cx.now.since + SAMPLE;
        let launch = Arc::clone(&self.sources.launch);
        cx.start(PIPELINE, move |job| launch(settings, live, job));
    }

    /// Tells the run to stop; its reports still arrive. Whether there was one.
    pub(super) fn stop_run(&mut self, cx: &mut Cx<'_>) -> bool {
        let Some(work) = self.work.as_mut().filter(|work| work.goes_on()) else { return false };
        if !std::mem::replace(&mut work.stopping, true) {
            cx.effect(Effect::Cancel(PIPELINE));
            // Work that stands still would not see it at once.
            work.live.pause(false);
        }
        true
    }

    /// Stops the run and starts one with the settings that are chosen.
    pub(super) fn restart(&mut self, cx: &mut Cx<'_>) {
        if let Some(why) = objection(&self.settings, &self.sources.backends) {
            return cx.warn(why);
        }
        if !self.stop_run(cx) {
            return self.start_run(cx);
        }
        if let Some(work) = &mut self.work {
            work.again = true;
        }
    }

    /// Lets the work stand still, or go on.
    pub(super) fn pause(&self, cx: &mut Cx<'_>) {
        match self.work.as_ref().filter(|work| work.goes_on() && !work.stopping) {
            Some(work) => work.live.pause(!work.live.paused()),
            None => cx.warn("nothing runs that could pause"),
        }
    }

    /// Changes the number of workers, now and for the next run.
    pub(super) fn change_workers(&mut self, by: isize, cx: &mut Cx<'_>) {
        let Some(work) = self.work.as_ref().filter(|work| work.goes_on()) else {
            Field::Threads.turn(&mut self.settings, &self.sources.backends, by > 0);
            let threads = self.settings.threads;
            return cx.info(format!("{threads} {} in the next run", workers(threads)));
        };
        let all = work.settings.threads;
        let now = work.live.workers().min(all);
        let wanted = now.saturating_add_signed(by).clamp(1, all);
        work.live.set_workers(wanted);
        if wanted == now {
            let end = if by > 0 { "all it was started with" } else { "the least" };
            cx.warn(format!("{now} {} work: {end}", workers(now)));
        } else {
            cx.info(format!("{wanted} of {all} {} work", workers(all)));
        }
    }

    /// Takes in what is new; whether something is.
    pub(super) fn refresh(&mut self, cx: &mut Cx<'_>) -> Consumed {
        self.next = cx.now.since + SAMPLE;
        let Some(work) = &mut self.work else { return Consumed::No };
        let fresh = work.refresh(self.windowed);
        if fresh {
            self.step = self.step.wrapping_add(1);
        }
        if let Some(question) = work.question() {
            let compare = Arc::clone(&self.sources.compare);
            cx.start(COMPARE, move |_| Payload::new(compare(&question)));
        }
        if fresh { Consumed::Yes } else { Consumed::No }
    }

    /// Shows the objects that the chosen stage makes or reads.
    pub(super) fn list_objects(&mut self, cx: &mut Cx<'_>) {
        let Some(work) = &self.work else { return };
        let Some(info) = self.chosen_info() else { return cx.warn("no stage is there yet") };
        let Some(kind) = info.objects else {
            return cx.warn(format!("{} makes and reads no objects", info.name));
        };
        self.objects = Some(ObjectList::new(info.name, kind, work.stored_run()));
        self.lists += 1;
    }

    fn chosen_info(&self) -> Option<&'static crate::metrics::StageInfo> {
        let figures: &Figures = self.work.as_ref()?.figures.as_ref()?;
        figures.snapshot.stages.get(self.chosen).map(|stage| stage.info)
    }

    /// Loads what the list needs next.
    pub(super) fn load_objects(&mut self, cx: &mut Cx<'_>) {
        let height = usize::from(cx.area.height);
        if let Some(query) = self.objects.as_mut().and_then(|list| list.wanted(height)) {
            let (objects, list) = (Arc::clone(&self.sources.objects), self.lists);
            cx.start(LIST, move |_| Payload::new(Page { list, rows: objects(&query) }));
        }
    }

    /// Opens the chosen object in the browser.
    pub(super) fn open_object(&self, cx: &mut Cx<'_>) {
        if let Some(chosen) = self.objects.as_ref().and_then(ObjectList::chosen) {
            let Sources { objects, octets, .. } = self.sources.clone();
            cx.start(OCTETS, move |_| Payload::new(chosen.fetch(&objects, &octets)));
        }
    }

    pub(super) fn report(&mut self, event: JobEvent, cx: &mut Cx<'_>) -> Consumed {
        match (event.kind, event.report) {
            (PIPELINE, JobReport::Part(payload)) => {
                if let (Ok(run), Some(work)) = (payload.take::<Run>(), &mut self.work) {
                    work.results.push(run);
                }
                return Consumed::No;
            }
            (PIPELINE, JobReport::Done(payload)) => {
                let end = payload.take::<Result<(), String>>().unwrap_or(Ok(()));
                self.ended(end, cx);
            }
            (PIPELINE, JobReport::Failed(why)) => self.ended(Err(why), cx),
            (LIST, JobReport::Done(payload)) => {
                if let (Ok(page), Some(list)) = (payload.take::<Page>(), &mut self.objects)
                    && page.list == self.lists
                {
                    list.loaded(page.rows.map_err(|why| visible(&why).into_owned()));
                    self.load_objects(cx);
                }
            }
            (LIST, JobReport::Failed(why)) => {
                if let Some(list) = &mut self.objects {
                    list.loaded(Err(visible(&why).into_owned()));
                }
            }
            (OCTETS, JobReport::Done(payload)) => match payload.take::<Result<Opened, String>>() {
                Ok(Ok(object)) if self.objects.is_some() => cx.open(vec![object]),
                Ok(Err(why)) => cx.warn(visible(&why)),
                _ => {}
            },
            (COMPARE, JobReport::Done(payload)) => {
                if let (Ok(beside), Some(work)) = (payload.take::<Beside>(), &mut self.work) {
                    work.beside = beside;
                }
            }
            // The bench has told it.
            _ => return Consumed::No,
        }
        Consumed::Yes
    }

    fn ended(&mut self, end: Result<(), String>, cx: &mut Cx<'_>) {
        if self.frozen.is_none() {
            self.refresh(cx);
        }
        let Some(work) = &mut self.work else { return };
        let end = match end {
            Err(why) => End::Failed(visible(&why).into_owned()),
            Ok(()) if work.stopping => End::Stopped,
            Ok(()) => End::Done,
        };
        if let End::Failed(why) = &end {
            cx.say(crate::views::event::Level::Bad, why.clone());
        }
        work.end = Some(end);
        if std::mem::take(&mut work.again) {
            self.start_run(cx);
        }
    }
}

const fn workers(count: usize) -> &'static str {
    if count == 1 { "worker" } else { "workers" }
}
