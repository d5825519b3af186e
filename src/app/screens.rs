//! What the screens need of the program around them.

use std::sync::Arc;

use super::batch::pipeline_document;
use super::config::Config;
use super::database;
use super::pipeline::{clock, facts};
use crate::asn1::text::visible;
use crate::metrics::{Live, Machine, Run, reference};
use crate::pki::build::Profile;
use crate::pki::crypto::{Backend, SignatureAlgorithm, backends};
use crate::pki::pipeline::{self, Context, Error, STAGES, Settings, SubscriberKeys};
use crate::pki::runs::Shelf;
use crate::store::{self, Durability, Location, ObjectFilter, Reader, RunFilter, Writer};
use crate::views::event::{JobContext, Payload};
use crate::views::pipeline::{
    BackendChoice, Beside, ObjectQuery, ObjectRow, PipelineSettings, Question, Sources,
};

/// Runs that are looked through for one of the same point.
const LOOK_BACK: usize = 200;

/// What the pipeline screen works with: the database of the configuration, at `location`.
#[must_use]
pub fn pipeline_sources(
    config: Config,
    location: &Location,
    (profile, profile_name): (Arc<Profile>, String),
    allocator: &'static str,
) -> Sources {
    let place = || location.clone();
    let (written, listed, read, compared) = (place(), place(), place(), place());
    let database = location.to_string();
    Sources {
        launch: Arc::new(move |wanted, live, context| {
            let settings = settings(wanted, (&profile, &profile_name), facts(allocator));
            let prepared = database::prepare(&config).map_err(|error| format!("{error:#}"));
            Payload::new(prepared.and_then(|()| launch(&settings, &written, &live, context)))
        }),
        objects: Arc::new(move |query| list(&listed, query)),
        octets: Arc::new(move |id| octets(&read, id)),
        compare: Arc::new(move |question| beside(&compared, question)),
        export: Arc::new(move |runs| pipeline_document(runs, &database)),
        backends: backends::ALL.into_iter().map(choice).collect(),
        stages: &STAGES,
        store: visible(&location.to_string()).into_owned(),
    }
}

fn choice(backend: &'static dyn Backend) -> BackendChoice {
    let there = SignatureAlgorithm::ALL.into_iter();
    BackendChoice {
        id: backend.id(),
        version: backend.version(),
        algorithms: there.filter(|algorithm| backend.supports(*algorithm)).collect(),
    }
}

fn settings(
    wanted: PipelineSettings,
    (profile, profile_name): (&Arc<Profile>, &str),
    machine: Machine,
) -> Settings {
    Settings {
        key_algorithm: wanted.subscribers(),
        sizes: wanted.sizes,
        ca_algorithm: wanted.ca_algorithm,
        backend: wanted.backend,
        subscriber_keys: if wanted.shared_keys {
            SubscriberKeys::Shared
        } else {
            SubscriberKeys::Fresh
        },
        threads: wanted.threads,
        min_time: wanted.min_time,
        seed: wanted.seed,
        profile: Arc::clone(profile),
        profile_name: profile_name.to_owned(),
        durability: if wanted.full_durability { Durability::Full } else { Durability::Normal },
        machine,
    }
}

/// Runs the pipeline beside readers of the same database.
fn launch(
    settings: &Settings,
    location: &Location,
    live: &Arc<Live>,
    context: &JobContext,
) -> Result<(), String> {
    let options = store::Options {
        durability: settings.durability,
        exclusive: false,
        create: true,
        ..store::Options::default()
    };
    let mut store = Writer::open(location, &options).map_err(|error| error.to_string())?;
    let sampler = live.sample().map_err(|error| format!("no thread to sample: {error}"))?;
    let result = pipeline::run(
        settings,
        &mut store,
        &mut Context {
            live,
            cancel: context.cancel_flag(),
            clock: &clock,
            finished: &mut |run: &Run| context.part(run.clone()),
        },
    );
    drop(sampler);
    match result {
        Ok(_) | Err(Error::Cancelled) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

fn list(location: &Location, query: &ObjectQuery) -> Result<Vec<ObjectRow>, String> {
    let reader = Reader::open(location).map_err(|error| error.to_string())?;
    let filter = ObjectFilter { kind: Some(query.kind), run: query.run, ..ObjectFilter::default() };
    let rows =
        reader.objects(&filter, query.after, query.limit).map_err(|error| error.to_string())?;
    let row = |row: store::ObjectRow| ObjectRow {
        id: row.id,
        subject: row.subject.as_deref().map_or_else(String::new, |text| visible(text).into_owned()),
        serial: row
            .serial
            .map_or_else(String::new, |octets| data_encoding::HEXLOWER.encode(&octets)),
        size: row.size,
    };
    Ok(rows.into_iter().map(row).collect())
}

fn octets(location: &Location, id: i64) -> Result<Arc<[u8]>, String> {
    let reader = Reader::open(location).map_err(|error| error.to_string())?;
    let object = reader.object(id).map_err(|error| error.to_string())?;
    object
        .map(|object| object.der.into())
        .ok_or_else(|| format!("object {id} is not there any more"))
}

/// The published figures of the same point, and the newest stored run of it.
fn beside(location: &Location, question: &Question) -> Beside {
    let name = format!("ref:seed-openssl-{}", question.settings.ca_algorithm);
    let reference = reference::find(&name, Some(question.batch));
    Beside {
        reference: reference.filter(|run| run.batch == question.batch),
        last: Reader::open(location).ok().and_then(|reader| last(&reader, question)),
    }
}

fn last(reader: &Reader, question: &Question) -> Option<Run> {
    let shelf = Shelf::new(Some(reader));
    let settings = &question.settings;
    let keys = settings.subscribers().id();
    let same = |run: &Run| {
        run.threads as usize == settings.threads
            && run.settings.get("key_algorithm").is_some_and(|algorithm| algorithm == keys)
            && !question.except.iter().any(|number| number.to_string() == run.id)
    };
    let filter = RunFilter {
        pipeline: Some("ca"),
        algorithm: Some(settings.ca_algorithm.id()),
        backend: Some(settings.backend),
        batch: Some(question.batch),
        finished: Some(true),
    };
    let found = shelf.list(&filter, LOOK_BACK).ok()?;
    let found = found.iter().find(|stored| same(&stored.run))?;
    shelf.find(&found.run.id.parse().ok()?, None).ok().map(|stored| stored.run)
}
