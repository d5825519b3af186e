//! `inspect`: one record an object found.

use std::borrow::Cow;
use std::io::{self, Write};

use super::Options;
use super::passwords::Passwords;
use super::progress::Progress;
use super::record::{Inside, NoteRecord, PemHeader, Record};
use super::sink::Sink;
use crate::app::exit::Exit;
use crate::app::input::{Failure, Source};
use crate::asn1::Header;
use crate::asn1::pem::PEM_ENCRYPTED;
use crate::asn1::sniff::{self, Found};
use crate::pki::crypto::sha256;
use crate::pki::object::{Form, Kind};
use crate::pki::record::certificate::Digest;
use crate::pki::record::{FindingRecord, Subject};
use crate::pki::summary::summary;
use crate::pki::unpack::{Note, NoteKind, Unpacked, unpack};

/// Containers in containers are followed so deep.
const LEVELS: usize = 8;

/// Describes every object of `sources` on `out`.
///
/// # Errors
/// When `out` cannot be written. What cannot be read is a record with its reason.
pub fn inspect(
    sources: impl IntoIterator<Item = Result<Source, Failure>>,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    let mut inspector = Inspector {
        sink: Sink::begin::<Record<'_>>(out, options.format)?,
        passwords: Passwords::new(options.password.as_ref(), options.interactive),
        progress: options.progress(),
        summarises: options.format.has_summary(),
        exit: Exit::Fine,
        index: 0,
    };
    for source in sources {
        inspector.index = 0;
        match source {
            Ok(source) => inspector.source(&source)?,
            Err(failure) => inspector.failure(&failure)?,
        }
    }
    let exit = inspector.exit;
    inspector.sink.end()?;
    Ok(exit)
}

struct Inspector<'w> {
    sink: Sink<'w>,
    passwords: Passwords,
    progress: Progress,
    /// The format has a place for a summary.
    summarises: bool,
    exit: Exit,
    /// The number of the next record of the source.
    index: u64,
}

impl Inspector<'_> {
    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        let mut record = Record::at(&failure.name, 0);
        record.error = Some(super::unreadable(failure));
        self.write(&record)
    }

    fn source(&mut self, source: &Source) -> io::Result<()> {
        let total = source.bytes.len() as u64;
        for found in sniff::objects(&source.bytes) {
            self.progress.at(&source.name, found.offset, total);
            if !found.is_text() {
                self.found(&source.name, &found)?;
            }
        }
        Ok(())
    }

    /// An entry of a source.
    fn found(&mut self, path: &str, found: &Found<'_>) -> io::Result<()> {
        let mut record = Record::at(path, self.index);
        record.source.encoding = Some(found.encoding.as_str());
        record.source.label = found.label.as_deref();
        let headers = found.headers.iter();
        record.source.headers = headers.map(|(name, value)| PemHeader { name, value }).collect();
        record.offset = Some(found.offset);
        record.length = Some(found.length);
        let fault = found.error.as_ref().map(FindingRecord::from);
        // The octets of an encrypted block are no object.
        let locked = fault.as_ref().is_some_and(|fault| fault.rule == PEM_ENCRYPTED.id);
        if found.der.is_empty() || locked {
            let form = found.label.as_deref().and_then(Form::of_label);
            record.kind = form.map(|form| form.kind().as_str());
            record.error = fault;
            self.index += 1;
            return self.write(&record);
        }
        let form = Form::of(&found.der, found.label.as_deref());
        let notes = found.notes.iter().map(FindingRecord::from).collect();
        self.object(record, &found.der, form, notes, fault, 0)
    }

    /// An object, and what is in it.
    fn object(
        &mut self,
        record: Record<'_>,
        octets: &[u8],
        form: Form,
        mut findings: Vec<FindingRecord>,
        fault: Option<FindingRecord>,
        level: usize,
    ) -> io::Result<()> {
        let index = self.index;
        self.index += 1;
        let path = record.source.path;
        let subject = Subject::new(octets, form);
        // A fault of the text around it is the reason of whatever else is broken; of a binary
        // source the object tells more.
        let own = subject.error();
        let error = match fault {
            Some(fault) if own.is_none() || !is_binary(record.source.encoding) => Some(fault),
            _ => own,
        };
        findings.extend(subject.findings(error.as_ref()));
        let unpacked = self.unpack(path, octets, form, level);
        // From here on it lives no longer than the subject, which its body borrows from.
        let mut record = record;
        record.kind = Some(form.kind().as_str());
        record.r#type = Some(type_name(octets, form));
        record.length = Some(octets.len() as u64);
        record.sha256 = Some(Digest(sha256(octets)));
        record.body = Some(subject.record(findings));
        record.notes = unpacked.notes.iter().map(NoteRecord::from).collect();
        record.error = error;
        record.summary = self.summarises.then(|| summary(octets, form));
        self.write(&record)?;
        for inner in &unpacked.objects {
            let mut record = Record::at(path, self.index);
            let (place, label) = (inner.place.clone(), inner.label.clone());
            record.inside = Some(Inside { index, place, label });
            record.offset = inner.span.map(|span| u64::from(span.start));
            let form = form_of(&inner.der, inner.kind);
            self.object(record, &inner.der, form, Vec::new(), None, level + 1)?;
        }
        Ok(())
    }
}

impl Inspector<'_> {
    /// What is in a container; nothing for everything else.
    fn unpack(&mut self, path: &str, octets: &[u8], form: Form, level: usize) -> Unpacked {
        // Of the private keys only those that are encrypted hold something else.
        let holds = matches!(
            form,
            Form::ContentInfo | Form::Pfx | Form::OcspResponse | Form::EncryptedPrivateKeyInfo
        );
        if !holds {
            return Unpacked::default();
        }
        let mut source = self.passwords.for_object(path, &self.progress);
        let mut unpacked = unpack(octets, form.kind(), &mut source);
        if level >= LEVELS && !unpacked.objects.is_empty() {
            unpacked.objects.clear();
            let kind = NoteKind::TooDeep(LEVELS);
            unpacked.notes.push(Note { place: String::new(), kind });
        }
        let refused = |kind: &NoteKind| match kind {
            NoteKind::Encoding(_) => true,
            kind => kind.is_locked() && self.passwords.was_given(),
        };
        if unpacked.notes.iter().any(|note| refused(&note.kind)) {
            self.exit = self.exit.max(Exit::Input);
        }
        unpacked
    }

    fn write(&mut self, record: &Record<'_>) -> io::Result<()> {
        if record.error.is_some() {
            self.exit = self.exit.max(Exit::Input);
        }
        self.sink.element(record)
    }
}

fn is_binary(encoding: Option<&str>) -> bool {
    use sniff::Encoding::{Ber, Der};
    encoding.is_none_or(|word| word == Der.as_str() || word == Ber.as_str())
}

/// The form of what came out of a container, which said what kind it is.
fn form_of(octets: &[u8], kind: Kind) -> Form {
    let label = match kind {
        Kind::Der => return Form::Other,
        Kind::Certificate => "CERTIFICATE",
        Kind::Crl => "X509 CRL",
        Kind::Csr => "CERTIFICATE REQUEST",
        Kind::OcspResponse => "OCSP RESPONSE",
        Kind::OcspRequest => "OCSP REQUEST",
        Kind::Pkcs7 => "CMS",
        Kind::Pkcs12 => "PKCS12",
        Kind::PrivateKey => "PRIVATE KEY",
        Kind::PublicKey => "PUBLIC KEY",
    };
    Form::of(octets, Some(label))
}

/// The name of the type, or of the outermost tag where the type is not known.
fn type_name(octets: &[u8], form: Form) -> Cow<'static, str> {
    match (form, Header::read_clamped(octets, 0)) {
        (Form::Other, Ok((header, _))) => header.tag.to_string().into(),
        _ => form.schema().name.into(),
    }
}
