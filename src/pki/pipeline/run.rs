//! All sizes one after the other.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::crew::Watch;
use super::error::Error;
use super::point::{Point, Purpose};
use super::settings::Settings;
use super::stages::STAGES;
use crate::metrics::shard::nanos;
use crate::metrics::snapshot::Phase;
use crate::metrics::{Live, Meter, PartResult, Run};
use crate::pki::crypto::{Backend, SignatureAlgorithm, backends};
use crate::pki::runs;
use crate::store::Writer;

/// What goes beside the settings.
pub struct Context<'a> {
    /// Who watches and steers.
    pub live: &'a Live,
    /// Ends the pipeline between two items.
    pub cancel: &'a AtomicBool,
    /// The time in seconds since 1970-01-01 UTC.
    pub clock: &'a dyn Fn() -> i64,
    /// Is told of each point when it is finished and stored.
    pub finished: &'a mut dyn FnMut(&Run),
}

/// The backend of this name, when it has both algorithms.
///
/// # Errors
/// [`Error::NoBackend`], or a crypto error that names backend, version and algorithm.
pub fn backend(settings: &Settings) -> Result<&'static dyn Backend, Error> {
    let backend = backends::by_id(settings.backend)
        .ok_or_else(|| Error::NoBackend(settings.backend.to_owned()))?;
    for algorithm in [settings.ca_algorithm, settings.key_algorithm] {
        if !backend.supports(algorithm) {
            return Err(unsupported(backend, algorithm));
        }
    }
    Ok(backend)
}

fn unsupported(backend: &dyn Backend, algorithm: SignatureAlgorithm) -> Error {
    Error::Crypto(crate::pki::crypto::Error::Unsupported {
        backend: backend.id(),
        version: backend.version(),
        algorithm: algorithm.id(),
    })
}

/// Runs the pipeline at every size and stores everything.
///
/// # Errors
/// The first thing that fails. Points that were finished before stay in the store.
pub fn run(
    settings: &Settings,
    store: &mut Writer,
    context: &mut Context<'_>,
) -> Result<Vec<Run>, Error> {
    let live = context.live;
    live.begin(settings.sizes.len());
    let result = all(settings, store, context);
    live.set_phase(match &result {
        Ok(_) => Phase::Done,
        Err(Error::Cancelled) => Phase::Cancelled,
        Err(error) => Phase::Failed(error.to_string()),
    });
    result
}

fn all(
    settings: &Settings,
    store: &mut Writer,
    context: &mut Context<'_>,
) -> Result<Vec<Run>, Error> {
    let backend = backend(settings)?;
    let mut runs = Vec::with_capacity(settings.sizes.len());
    for (index, size) in settings.sizes.iter().enumerate() {
        let run = point(settings, backend, (index, *size), store, context)?;
        (context.finished)(&run);
        runs.push(run);
    }
    Ok(runs)
}

fn point(
    settings: &Settings,
    backend: &dyn Backend,
    (index, size): (usize, u64),
    store: &mut Writer,
    context: &mut Context<'_>,
) -> Result<Run, Error> {
    let meter = Meter::new(&STAGES, settings.threads);
    let live = context.live;
    live.begin_point(index, size, &meter);
    let watch = Watch { live, cancel: context.cancel, meter: &meter };
    watch.check()?;
    let started = (context.clock)();
    let batch = usize::try_from(size).unwrap_or(usize::MAX);
    let mut run = Run {
        id: String::new(),
        pipeline: "ca".to_owned(),
        started,
        algorithm: settings.ca_algorithm.id().to_owned(),
        backend: settings.backend.to_owned(),
        batch: size,
        threads: u32::try_from(settings.threads).unwrap_or(u32::MAX),
        repetitions: 0,
        settings: settings.to_map(),
        machine: settings.machine.clone(),
        stages: Vec::new(),
        outside: Vec::new(),
    };
    let number = runs::begin(store, &run)?;
    live.set_run(number);
    let mut point = Point::prepare(settings, backend, batch, started)?;
    meter.begin_repetition(0);
    point.repeat(&watch, store, number, Purpose::Rehearsal(rehearsal(settings, batch)))?;
    meter.reset();
    live.set_phase(Phase::Running);
    loop {
        run.repetitions += 1;
        meter.begin_repetition(run.repetitions);
        point.take_back(store)?;
        point.repeat(&watch, store, number, Purpose::Measured)?;
        if settings.min_time.is_none_or(|wanted| meter.measured() >= wanted) {
            break;
        }
    }
    let began = Instant::now();
    store.checkpoint()?;
    run.outside = vec![
        PartResult { name: "ca_keygen".to_owned(), ns: nanos(point.ca_keygen) },
        PartResult {
            name: "db_checkpoint".to_owned(),
            ns: nanos(point.checkpoints + began.elapsed()),
        },
    ];
    run.stages = meter.results();
    run.id = number.to_string();
    runs::finish(store, number, &run)?;
    live.finish_point(number);
    Ok(run)
}

/// Items of the warm-up: all, but few where each costs a tenth of a second and more.
fn rehearsal(settings: &Settings, batch: usize) -> usize {
    let slow =
        [settings.ca_algorithm, settings.key_algorithm].iter().any(|a| a.rsa_bits().is_some());
    if slow { batch.min(settings.threads.max(2)) } else { batch }
}
