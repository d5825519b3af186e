//! What the screen of runs works with: the store and the exports of `--batch runs`.

use std::sync::Arc;

use super::batch::runs::{export_comparison, export_run};
use super::cli::Format;
use super::database;
use super::runs::RunsCommand;
use crate::asn1::text::visible;
use crate::pki::runs::{Error, RunId, Shelf};
use crate::store::{self, Location, Options, Reader, Reason, RunFilter, Writer};
use crate::views::runs::{Exported, First, Form, Sources};

/// The runs of the database at `location`; `usual` says that nobody named it, so that it need
/// not be there.
#[must_use]
pub fn sources(location: &Location, usual: bool) -> Sources {
    let usual = usual || matches!(location, Location::Memory(_));
    let [list, load, pair, delete] = std::array::from_fn(|_| location.clone());
    let name = match location {
        Location::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(),
        Location::Memory(_) => "memory".into(),
    };
    Sources {
        list: Arc::new(move || {
            let reader = reader(&list, usual).map_err(|error| error.to_string())?;
            let runs = Shelf::new(reader.as_ref()).list(&RunFilter::default(), usize::MAX);
            runs.map_err(|error| error.to_string())
        }),
        load: Arc::new(move |id| with_shelf(&load, &[id], |shelf, ids| shelf.find(&ids[0], None))),
        pair: Arc::new(move |a, b| {
            with_shelf(&pair, &[a, b], |shelf, ids| shelf.pair(&ids[0], &ids[1]))
        }),
        delete: Arc::new(move |number| {
            let options = Options { create: false, ..Options::default() };
            let deleted = Writer::open(&delete, &options).and_then(|mut w| w.delete_run(number));
            match deleted {
                Ok(true) => Ok(()),
                Ok(false) => Err(Error::NoRun(number).to_string()),
                Err(error) => Err(error.to_string()),
            }
        }),
        export: Arc::new(export),
        store: visible(&name).into_owned(),
    }
}

/// What a command line shows first.
#[must_use]
pub fn first(command: Option<&RunsCommand>) -> First {
    match command {
        Some(RunsCommand::Compare { a, b, .. }) => First::Comparison(a.to_string(), b.to_string()),
        Some(RunsCommand::Show { ids }) => {
            ids.first().map_or(First::List, |id| First::Details(id.to_string()))
        }
        _ => First::List,
    }
}

fn reader(location: &Location, usual: bool) -> Result<Option<Reader>, store::Error> {
    match database::reader_at(location) {
        Ok(reader) => Ok(Some(reader)),
        Err(error) if usual && matches!(error.reason, Reason::Missing | Reason::NoFolder) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Finds runs by their ids; references need no database.
fn with_shelf<T>(
    location: &Location,
    ids: &[&str],
    find: impl FnOnce(Shelf<'_>, &[RunId]) -> Result<T, Error>,
) -> Result<T, String> {
    let ids: Vec<RunId> = ids.iter().map(|id| id.parse()).collect::<Result<_, _>>()?;
    let stored = ids.iter().any(|id| !matches!(id, RunId::Reference(_)));
    let reader = if stored {
        Some(database::reader_at(location).map_err(|error| error.to_string())?)
    } else {
        None
    };
    find(Shelf::new(reader.as_ref()), &ids).map_err(|error| error.to_string())
}

fn export(exported: &Exported<'_>, form: Form) -> Vec<u8> {
    let format = match form {
        Form::Json => Format::Json,
        Form::Csv => Format::Csv,
        Form::Markdown => Format::Markdown,
    };
    let mut out = Vec::new();
    let written = match exported {
        Exported::Run(stored) => export_run(stored, format, &mut out),
        Exported::Pair(pair) => {
            export_comparison((&pair.a.run, &pair.b.run), &pair.comparison, format, &mut out)
        }
    };
    if let Err(error) = written {
        // Memory takes all.
        tracing::error!(%error, "export");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::compare::compare;
    use crate::views::runs::Pair;

    #[test]
    fn what_is_stored_is_listed_read_and_deleted() {
        let location = Location::memory();
        let sources = sources(&location, false);
        assert_eq!((sources.list)().unwrap(), []);
        assert!((sources.load)("1").is_err());
        let published = (sources.load)("ref:seed-nss-ed25519-64").unwrap();
        let mut writer = Writer::open(&location, &Options::default()).unwrap();
        for _ in 0..2 {
            let number = crate::pki::runs::begin(&mut writer, &published.run).unwrap();
            crate::pki::runs::finish(&mut writer, number, &published.run).unwrap();
        }
        drop(writer);
        assert_eq!((sources.list)().unwrap().len(), 2);
        assert_eq!((sources.load)("last").unwrap().run.stages, published.run.stages);
        let (a, b) = (sources.pair)("#2", "ref:seed-openssl-ed25519").unwrap();
        assert_eq!((a.run.id.as_str(), b.run.batch), ("2", 64));
        (sources.delete)(1).unwrap();
        assert_eq!((sources.delete)(1).unwrap_err(), "there is no run 1");
        assert_eq!((sources.list)().unwrap().len(), 1);
        assert!((sources.load)("x").unwrap_err().contains("names no run"));
    }

    #[test]
    fn exports_are_what_batch_prints() {
        let sources = sources(&Location::memory(), true);
        let (a, b) = (sources.pair)("ref:seed-nss-ed25519", "ref:seed-nss-ed25519-64").unwrap();
        let comparison = compare(&a.run, &b.run);
        let pair = Pair { a: a.clone(), b, comparison };
        for (form, run_begins, pair_begins) in [
            (
                Form::Json,
                "{\n\"schema\": \"pkiscope.runs-export/1\"",
                "{\n  \"schema\": \"pkiscope.runs-compare/1\"",
            ),
            (Form::Csv, "run,pipeline,", "stage,a_ns,"),
            (Form::Markdown, "| Operation |", "| stage | A |"),
        ] {
            for (exported, begins) in
                [(Exported::Run(&a), run_begins), (Exported::Pair(&pair), pair_begins)]
            {
                let text = String::from_utf8((sources.export)(&exported, form)).unwrap();
                assert!(text.starts_with(begins), "{form:?} {text}");
            }
        }
    }
}
