//! One batch size: a fresh CA, and the fifteen stages over and over.

use std::ops::{Range, RangeInclusive};
use std::time::{Duration, Instant};

use super::crew::{Crew, Grain, Watch};
use super::error::Error;
use super::products::{Products, Sheaf};
use super::settings::{Settings, SubscriberKeys};
use super::stages::{ENCODE, KEYGEN, SIGN, Stage};
use crate::metrics::{Recorder, StageTime};
use crate::pki::build::{Authority, CertificateTemplate, CrlTemplate, OcspTemplate, SerialPolicy};
use crate::pki::certificate::Certificate;
use crate::pki::crl::Crl;
use crate::pki::crypto::{Backend, KeyGenerator, SignatureAlgorithm, Signer, Verifier, sha256};
use crate::pki::ocsp::Response;
use crate::store::{Arena, NewObject, Writer};

const CERTIFICATE: &str = "certificate";
const CRL: &str = "crl";
const RESPONSE: &str = "ocsp-response";

/// Octets of an entry of a CRL, at most: 16 of serial number, a time, a reason.
const LIST_ENTRY: usize = 64;
/// Objects of more octets than this get their memory when they are made.
const WARM_OCTETS: usize = 256 << 20;
/// Octets written since the last checkpoint after which the next one is due: well before SQLite
/// would make one by itself, in the middle of a stage.
const LOG_OCTETS: u64 = 24 << 20;

/// What a worker keeps.
struct Worker {
    signer: Box<dyn Signer>,
    verifier: Box<dyn Verifier>,
    /// Makes the subscribers' keys, when each has its own.
    keys: Option<Box<dyn KeyGenerator>>,
    /// The public key that is certified.
    public: Vec<u8>,
    /// What it made in the stage that runs.
    made: Sheaf,
}

/// A batch size while it is measured.
pub struct Point {
    /// Items in the repetition that runs.
    batch: usize,
    crew: Crew<Worker>,
    ca: CertificateTemplate,
    ca_public: Vec<u8>,
    subscriber: CertificateTemplate,
    crl: CrlTemplate,
    ocsp: OcspTemplate,
    serials: SerialPolicy,
    subjects: Vec<String>,
    authority: Vec<u8>,
    certificates: Products,
    list: Vec<u8>,
    requests: Products,
    responses: Products,
    digests: Vec<[u8; 32]>,
    arena: Arena,
    rows: Vec<RangeInclusive<i64>>,
    /// Octets of the log since the last checkpoint, roughly.
    logged: u64,
    /// Time that checkpoints between repetitions took.
    pub checkpoints: Duration,
    /// Time that making the CA's key took.
    pub ca_keygen: Duration,
}

/// What a repetition is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Buffers, caches and the store warm up with that many items; no rows stay.
    Rehearsal(usize),
    /// It counts.
    Measured,
}

impl Point {
    /// Makes the CA's key, the templates and the workers; nothing of it is measured as a stage.
    ///
    /// # Errors
    /// An algorithm that the backend lacks, a profile that cannot be built.
    pub fn prepare(
        settings: &Settings,
        backend: &dyn Backend,
        batch: usize,
        now: i64,
    ) -> Result<Self, Error> {
        let began = Instant::now();
        let ca_key = backend.key_generator(settings.ca_algorithm)?.generate()?;
        let ca_keygen = began.elapsed();
        let mut ca_public = Vec::new();
        ca_key.public_octets(&mut ca_public)?;
        let spki = settings.ca_algorithm.spki(&ca_public);
        let public = backend.import_public(settings.ca_algorithm, &spki)?;

        let (profile, seed) = (&*settings.profile, settings.seed);
        let authority = Authority::new(profile, settings.ca_algorithm, &ca_public);
        let serials = profile.serials(seed);
        let subscriber = CertificateTemplate::subscriber(
            profile,
            &authority,
            settings.key_algorithm,
            seed,
            now,
        )?;
        let shared = match settings.subscriber_keys {
            SubscriberKeys::Fresh => None,
            SubscriberKeys::Shared => Some(one_key(backend, settings.key_algorithm)?),
        };
        let crew = Crew::new(settings.threads, |_| {
            let keys = match &shared {
                Some(_) => None,
                None => Some(backend.key_generator(settings.key_algorithm)?),
            };
            Ok(Worker {
                signer: ca_key.signer()?,
                verifier: public.verifier()?,
                keys,
                public: shared.clone().unwrap_or_default(),
                made: Sheaf::default(),
            })
        })?;
        Ok(Self {
            batch,
            crew,
            ca: CertificateTemplate::self_signed(profile, &authority, now)?,
            subjects: (1..=batch as u64).map(|n| subscriber.subject_text(n)).collect(),
            subscriber,
            crl: CrlTemplate::new(profile, &authority, serials, now)?,
            ocsp: OcspTemplate::new(profile, &authority, serials, now)?,
            serials,
            ca_public,
            authority: Vec::new(),
            certificates: Products::default(),
            list: Vec::new(),
            requests: Products::default(),
            responses: Products::default(),
            digests: Vec::new(),
            arena: Arena::default(),
            rows: Vec::new(),
            logged: 0,
            checkpoints: Duration::ZERO,
            ca_keygen,
        })
    }

    /// Runs all stages once.
    ///
    /// # Errors
    /// The first thing that fails; what does not verify or reads back different is counted as
    /// an error of its stage instead.
    pub fn repeat(
        &mut self,
        watch: &Watch<'_>,
        store: &mut Writer,
        run: i64,
        purpose: Purpose,
    ) -> Result<(), Error> {
        self.batch = match purpose {
            Purpose::Rehearsal(items) => items.clamp(1, self.subjects.len()),
            Purpose::Measured => self.subjects.len(),
        };
        let mut desk = Desk { watch, store, run, purpose };
        self.ca_self_sign(&mut desk)?;
        self.cert_gen(&mut desk)?;
        self.cert_rows(&mut desk)?;
        self.crl(&mut desk)?;
        self.ocsp_build(&mut desk)?;
        self.ocsp_sign(&mut desk)?;
        self.ocsp_rows(&mut desk)?;
        if let Purpose::Rehearsal(_) = purpose {
            self.warm();
        }
        Ok(())
    }

    /// The memory of a full repetition comes before the first that counts.
    fn warm(&mut self) {
        let full = self.subjects.len();
        let each = self.certificates.octets() / self.batch.max(1);
        self.list.reserve(full * LIST_ENTRY);
        if each * full > WARM_OCTETS {
            return;
        }
        self.arena.warm((each + 1) * full);
        for made in [&mut self.certificates, &mut self.requests, &mut self.responses] {
            made.warm(full);
        }
    }

    /// Takes the rows of the last repetition back out of the store, before the next one, and
    /// makes a checkpoint when one is due.
    ///
    /// # Errors
    /// When the store fails.
    pub fn take_back(&mut self, store: &mut Writer) -> Result<(), Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        for rows in self.rows.drain(..) {
            store.delete_objects(rows)?;
        }
        // Each row is written and deleted, in whole pages; a transaction takes some more.
        let octets = self.certificates.octets() + self.responses.octets() + self.list.len();
        self.logged += 2 * octets as u64 + (1 << 19);
        if self.logged > LOG_OCTETS {
            let began = Instant::now();
            store.checkpoint()?;
            self.checkpoints += began.elapsed();
            self.logged = 0;
        }
        Ok(())
    }

    fn ca_self_sign(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let (ca, public, out) = (&self.ca, &self.ca_public, &mut self.authority);
        desk.alone(&self.crew, Stage::CaSelfSign, |worker, recorder| {
            out.clear();
            let place = ca.write(1, public, out).sign(worker.signer.as_mut(), out)?;
            recorder.item();
            // The certificate begins at the first octet of its buffer.
            out.truncate(place.end);
            Ok(())
        })?;
        let subject = self.ca.subject_text(1);
        let row = NewObject {
            der: &self.authority,
            sha256: sha256(&self.authority),
            subject: Some(&subject),
            serial: Some(Certificate::parse(&self.authority)?.serial()),
        };
        if let Some(rows) = desk.insert(CERTIFICATE, [row])? {
            self.rows.push(rows);
        }
        Ok(())
    }

    fn cert_gen(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, certificates, subscriber, batch, .. } = self;
        crew.each(|worker| worker.made = certificates.recycle());
        desk.share(crew, Stage::CertGen, (*batch, Grain::Item), |worker, items, recorder| {
            for item in items {
                if let Some(keys) = &mut worker.keys {
                    let key = keys.generate()?;
                    worker.public.clear();
                    key.public_octets(&mut worker.public)?;
                    // Wiping it belongs to the key, not to the encoding.
                    drop(key);
                    recorder.part(KEYGEN);
                }
                let out = &mut worker.made.octets;
                let unsigned = subscriber.write(item as u64 + 1, &worker.public, out);
                recorder.part(ENCODE);
                let place = unsigned.sign(worker.signer.as_mut(), out)?;
                recorder.part(SIGN);
                worker.made.add(item, place);
                recorder.item_at_mark();
            }
            Ok(())
        })?;
        gather(crew, certificates, *batch);
        Ok(())
    }

    fn cert_rows(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, certificates, subjects, digests, serials, arena, batch, .. } = self;
        digests.clear();
        digests.extend(certificates.iter().map(sha256));
        let serials: Vec<_> = (1..=*batch as u64).map(|number| serials.serial(number)).collect();
        let rows = (0..*batch).map(|n| NewObject {
            der: certificates.get(n),
            sha256: digests[n],
            subject: Some(&subjects[n]),
            serial: Some(serials[n].as_bytes()),
        });
        let kept = desk.insert_stage(crew, Stage::DbInsertCerts, CERTIFICATE, rows)?;
        desk.verify(crew, Stage::CertVerify, *batch, |worker, item| {
            let certificate = Certificate::parse(certificates.get(item))?;
            Ok(worker.verifier.verify(certificate.tbs(), certificate.signature())?)
        })?;
        desk.read(crew, Stage::DbReadCerts, kept.as_ref(), arena, certificates.iter())?;
        self.rows.extend(kept);
        Ok(())
    }

    fn crl(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, crl, list, arena, batch, .. } = self;
        let unsigned = desk.alone(crew, Stage::CrlBuild, |_, recorder| {
            list.clear();
            let unsigned = crl.write(1, *batch as u64, list);
            recorder.item();
            Ok(unsigned)
        })?;
        desk.alone(crew, Stage::CrlSign, |worker, recorder| {
            let place = unsigned.sign(worker.signer.as_mut(), list)?;
            list.truncate(place.end);
            recorder.item();
            Ok(())
        })?;
        let row = NewObject { der: list, sha256: sha256(list), subject: None, serial: None };
        let kept = desk.insert_stage(crew, Stage::DbInsertCrl, CRL, [row])?;
        desk.alone(crew, Stage::CrlVerify, |worker, recorder| {
            let list = Crl::parse(list)?;
            if !worker.verifier.verify(list.tbs(), list.signature())? {
                recorder.error();
            }
            recorder.item();
            Ok(())
        })?;
        desk.read(crew, Stage::DbReadCrl, kept.as_ref(), arena, std::iter::once(list.as_slice()))?;
        self.rows.extend(kept);
        Ok(())
    }

    fn ocsp_build(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, ocsp, requests, batch, .. } = self;
        crew.each(|worker| worker.made = requests.recycle());
        desk.share(crew, Stage::OcspBuild, (*batch, Grain::Share), |worker, items, recorder| {
            let count = items.len() as u64;
            for item in items {
                let place = ocsp.tbs(item as u64 + 1, &mut worker.made.octets);
                worker.made.add(item, place);
            }
            recorder.items(count);
            Ok(())
        })?;
        gather(crew, requests, *batch);
        Ok(())
    }

    fn ocsp_sign(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, ocsp, requests, responses, batch, .. } = self;
        crew.each(|worker| worker.made = responses.recycle());
        desk.share(crew, Stage::OcspSign, (*batch, Grain::Item), |worker, items, recorder| {
            for item in items {
                let out = &mut worker.made.octets;
                let unsigned = ocsp.write(requests.get(item), out);
                recorder.part(ENCODE);
                let place = unsigned.sign(worker.signer.as_mut(), out)?;
                recorder.part(SIGN);
                worker.made.add(item, place);
                recorder.item_at_mark();
            }
            Ok(())
        })?;
        gather(crew, responses, *batch);
        Ok(())
    }

    fn ocsp_rows(&mut self, desk: &mut Desk<'_>) -> Result<(), Error> {
        let Self { crew, responses, subjects, digests, serials, arena, batch, .. } = self;
        digests.clear();
        digests.extend(responses.iter().map(sha256));
        let serials: Vec<_> = (1..=*batch as u64).map(|number| serials.serial(number)).collect();
        let rows = (0..*batch).map(|n| NewObject {
            der: responses.get(n),
            sha256: digests[n],
            subject: Some(&subjects[n]),
            serial: Some(serials[n].as_bytes()),
        });
        let kept = desk.insert_stage(crew, Stage::DbInsertOcsp, RESPONSE, rows)?;
        desk.verify(crew, Stage::OcspVerify, *batch, |worker, item| {
            let response = Response::parse(responses.get(item))?;
            let Some(basic) = response.basic() else { return Ok(false) };
            Ok(worker.verifier.verify(basic.data(), basic.signature())?)
        })?;
        desk.read(crew, Stage::DbReadOcsp, kept.as_ref(), arena, responses.iter())?;
        self.rows.extend(kept);
        Ok(())
    }
}

/// The public key of a fresh key pair.
fn one_key(backend: &dyn Backend, algorithm: SignatureAlgorithm) -> Result<Vec<u8>, Error> {
    let mut public = Vec::new();
    backend.key_generator(algorithm)?.generate()?.public_octets(&mut public)?;
    Ok(public)
}

/// Takes what the workers made.
fn gather(crew: &Crew<Worker>, into: &mut Products, count: usize) {
    let mut sheaves = Vec::with_capacity(crew.workers());
    crew.each(|worker| sheaves.push(std::mem::take(&mut worker.made)));
    into.gather(count, sheaves);
}

/// What a stage works with.
struct Desk<'a> {
    watch: &'a Watch<'a>,
    store: &'a mut Writer,
    run: i64,
    purpose: Purpose,
}

impl Desk<'_> {
    /// A stage of one item.
    fn alone<R>(
        &self,
        crew: &Crew<Worker>,
        stage: Stage,
        work: impl FnOnce(&mut Worker, &mut Recorder<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        measured(self.watch, stage, 1, |index| crew.alone(self.watch, index, work))
    }

    /// A stage of all workers.
    fn share(
        &self,
        crew: &Crew<Worker>,
        stage: Stage,
        (items, grain): (usize, Grain),
        work: impl Fn(&mut Worker, Range<usize>, &mut Recorder<'_>) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        measured(self.watch, stage, items, |index| {
            Ok(((), crew.share(self.watch, index, (items, grain), work)?))
        })
    }

    /// A stage that verifies: what is false counts as an error.
    fn verify(
        &self,
        crew: &Crew<Worker>,
        stage: Stage,
        items: usize,
        verify: impl Fn(&mut Worker, usize) -> Result<bool, Error> + Sync,
    ) -> Result<(), Error> {
        self.share(crew, stage, (items, Grain::Item), |worker, items, recorder| {
            for item in items {
                if !verify(worker, item)? {
                    recorder.error();
                }
                recorder.item();
            }
            Ok(())
        })
    }

    /// Rows in one transaction; none stay in a rehearsal.
    fn insert<'r>(
        &mut self,
        kind: &str,
        rows: impl IntoIterator<Item = NewObject<'r>>,
    ) -> Result<Option<RangeInclusive<i64>>, Error> {
        Ok(match self.purpose {
            Purpose::Measured => Some(self.store.insert_objects(self.run, kind, rows)?),
            Purpose::Rehearsal(_) => {
                self.store.rehearse_objects(self.run, kind, rows)?;
                None
            }
        })
    }

    /// The stage that inserts rows.
    fn insert_stage<'r>(
        &mut self,
        crew: &Crew<Worker>,
        stage: Stage,
        kind: &str,
        rows: impl IntoIterator<Item = NewObject<'r>, IntoIter: ExactSizeIterator>,
    ) -> Result<Option<RangeInclusive<i64>>, Error> {
        let (watch, rows) = (self.watch, rows.into_iter());
        let count = rows.len();
        watch.live.set_backlog(count as u64);
        let kept = measured(watch, stage, count, |index| {
            crew.alone(watch, index, |_, recorder| {
                let kept = self.insert(kind, rows)?;
                recorder.items(count as u64);
                Ok(kept)
            })
        });
        watch.live.set_backlog(0);
        kept
    }

    /// The stage that reads rows back and compares them; a rehearsal left none to read.
    fn read<'r>(
        &mut self,
        crew: &Crew<Worker>,
        stage: Stage,
        rows: Option<&RangeInclusive<i64>>,
        arena: &mut Arena,
        written: impl ExactSizeIterator<Item = &'r [u8]>,
    ) -> Result<(), Error> {
        let Some(rows) = rows else {
            // No row, but the statement is ready afterwards.
            return Ok(self.store.read_objects(RangeInclusive::new(1, 0), arena)?);
        };
        let (watch, count) = (self.watch, written.len());
        measured(watch, stage, count, |index| {
            crew.alone(watch, index, |_, recorder| {
                self.store.read_objects(rows.clone(), arena)?;
                for (index, der) in written.enumerate() {
                    if arena.get(index) != der {
                        recorder.error();
                    }
                }
                recorder.items(count as u64);
                Ok(())
            })
        })
    }
}

/// A stage around `work`, which gets its index and gives its result and its time.
fn measured<R>(
    watch: &Watch<'_>,
    stage: Stage,
    items: usize,
    work: impl FnOnce(usize) -> Result<(R, StageTime), Error>,
) -> Result<R, Error> {
    let index = stage as usize;
    watch.meter.begin_stage(index, items as u64);
    match work(index) {
        Ok((result, time)) => {
            watch.meter.end_stage(index, time);
            Ok(result)
        }
        Err(error) => {
            watch.meter.fail_stage(index, error.to_string());
            Err(error)
        }
    }
}
