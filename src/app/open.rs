//! From files to documents: what the browser loads in the background.

use std::ffi::OsString;
use std::sync::Arc;

use super::input::{self, Bytes, Source};
use super::samples;
use crate::asn1::sniff::{self, Encoding, Found};
use crate::asn1::text::visible;
use crate::pki::object::Form;
use crate::pki::summary::title;
use crate::pki::unpack::{self, Password, Passwords};
use crate::views::browse::{Document, Load, Octets};
use crate::views::event::JobContext;
use zeroize::Zeroizing;

/// The list of documents ends here: five megabytes can hold two million objects.
const MOST: usize = 250_000;

/// Documents are handed over in batches of this many.
const BATCH: usize = 256;

/// Gives the octets of a source to documents that share it.
struct Shared(Arc<Bytes>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Opens the files that were named, or the samples when there is none; `password` is tried on
/// what is locked.
#[must_use]
pub fn load(arguments: Vec<OsString>, password: Option<super::password::Password>) -> Load {
    Box::new(move |job| {
        let known = password.iter().map(|text| Password::text(text));
        let mut batch =
            Batch { job, passwords: Passwords::new(known), documents: Vec::new(), count: 0 };
        if arguments.is_empty() {
            for sample in samples::all() {
                let bytes = match sample.contents {
                    std::borrow::Cow::Borrowed(bytes) => Bytes::Static(bytes),
                    std::borrow::Cow::Owned(bytes) => Bytes::Owned(bytes),
                };
                batch.source(&Source::new(sample.name, bytes));
            }
        }
        for place in input::places(arguments) {
            if job.cancelled() || batch.count > MOST {
                break;
            }
            match place.and_then(|place| place.open()) {
                Ok(source) => batch.source(&source),
                Err(failure) => batch.failed(&failure.name, failure.reason.to_string()),
            }
        }
        batch.documents
    })
}

/// Opens an encrypted document, or a container with encrypted parts, with a password.
///
/// # Errors
/// One sentence, when nothing was opened.
pub fn unlock(document: &Document, password: &str) -> Result<Vec<Document>, String> {
    unpack(document, &mut Passwords::new([Password::text(password)]))
}

/// What is inside a document; an error when nothing is, and there is a reason for it.
fn unpack(document: &Document, passwords: &mut Passwords) -> Result<Vec<Document>, String> {
    let kind = document.form.kind();
    if !kind.is_container() {
        return Ok(Vec::new());
    }
    let unpacked = unpack::unpack(document.object(), kind, passwords);
    if let (true, Some(note)) = (unpacked.objects.is_empty(), unpacked.notes.first()) {
        return Err(visible(&note.to_string()).into_owned());
    }
    let inner = unpacked.objects.into_iter().map(|inner| {
        let form = Form::of(&inner.der, None);
        let name = title(&inner.der, form);
        let title = match &inner.label {
            Some(label) => format!("{} ({name})", visible(label)),
            None => name,
        };
        Document {
            source: format!("{} {}", document.source, inner.place).into(),
            title,
            octets: Octets::owned(Secret(inner.der)),
            form,
            offset: document.offset,
            problem: None,
            inside: true,
        }
    });
    Ok(inner.collect())
}

/// Unpacked octets, which may be a private key: overwritten when dropped.
struct Secret(Zeroizing<Vec<u8>>);

impl AsRef<[u8]> for Secret {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Collects documents and hands them over now and then.
struct Batch<'a> {
    job: &'a JobContext,
    passwords: Passwords,
    documents: Vec<Document>,
    count: usize,
}

impl Batch<'_> {
    fn push(&mut self, document: Document) {
        self.count += 1;
        self.documents.push(document);
        if self.documents.len() >= BATCH {
            self.job.part(std::mem::take(&mut self.documents));
        }
    }

    /// All objects in one source; the first ones show before the last ones are found.
    fn source(&mut self, source: &Source) {
        let name: Arc<str> = source.name.as_str().into();
        let whole: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(Shared(Arc::clone(&source.bytes)));
        let objects = sniff::objects(&source.bytes).cancelled_by(self.job.cancel_flag());
        let mut none = true;
        for found in objects.filter(|found| !found.is_text()) {
            none = false;
            if self.count >= MOST {
                let text = format!("only {MOST} objects are listed; --batch inspect lists all");
                self.failed(&name, text);
                break;
            }
            let document = document(&name, &whole, found);
            // Locked containers stay closed: a password is asked for on the screen.
            let inner = unpack(&document, &mut self.passwords).unwrap_or_default();
            self.push(document);
            for document in inner {
                self.push(document);
            }
        }
        if none {
            self.failed(&name, "no object was found in it".to_owned());
        }
        if !self.documents.is_empty() {
            self.job.part(std::mem::take(&mut self.documents));
        }
    }

    fn failed(&mut self, name: &str, problem: String) {
        self.push(Document {
            source: name.into(),
            title: name.to_owned(),
            octets: Octets::owned(Vec::new()),
            form: Form::Other,
            offset: 0,
            problem: Some(problem),
            inside: false,
        });
    }
}

fn document(
    name: &Arc<str>,
    whole: &Arc<dyn AsRef<[u8]> + Send + Sync>,
    found: Found<'_>,
) -> Document {
    let label = found.label.as_deref();
    let form = Form::of(&found.der, label);
    let problem = found
        .error
        .as_ref()
        .or(found.notes.first())
        .map(|fault| visible(&fault.to_string()).into_owned());
    let title = match label {
        _ if found.der.is_empty() => format!("{name} at {}", found.offset),
        Some(label) if form == Form::Other => visible(label).into_owned(),
        _ => title(&found.der, form),
    };
    let octets = match found.der {
        std::borrow::Cow::Owned(octets) => Octets::owned(octets),
        // Binary objects are parts of their source.
        std::borrow::Cow::Borrowed(octets) => {
            debug_assert!(matches!(
                found.encoding,
                Encoding::Der | Encoding::Ber | Encoding::Unknown
            ));
            let start = usize::try_from(found.offset).unwrap_or(usize::MAX);
            Octets::new(Arc::clone(whole), start..start.saturating_add(octets.len()))
        }
    };
    Document {
        source: Arc::clone(name),
        title,
        octets,
        form,
        offset: found.offset,
        problem,
        inside: false,
    }
}
