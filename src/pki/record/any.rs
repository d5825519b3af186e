//! The full record of any object.

use serde::Serialize;

use crate::asn1::schema::root;
use crate::asn1::{Finding, Walker, nav, show};
use crate::pki::object::Form;
use crate::pki::record::certificate::{Fingerprints, LazyFingerprints};
use crate::pki::record::partial::PartialCertificateRecord;
use crate::pki::record::{
    CertificateRecord, CmsRecord, CrlRecord, CsrRecord, EncryptedKeyRecord, FindingRecord,
    OcspRequestRecord, OcspResponseRecord, Pkcs12Record, PrivateKeyRecord, PublicObjectRecord,
};
use crate::pki::report::Report;
use crate::pki::view::View;

/// The longest value of an object of unknown type, in characters.
const VALUE: usize = 200;

/// An object to be described.
#[derive(Debug)]
pub struct Subject<'a> {
    octets: &'a [u8],
    form: Form,
    report: Report<'a>,
}

impl<'a> Subject<'a> {
    /// The object `octets`, DER or BER, of type `form`.
    #[must_use]
    pub fn new(octets: &'a [u8], form: Form) -> Self {
        Self { octets, form, report: Report::new(octets, form) }
    }

    /// What stops the reading, see [`Report::error`].
    #[must_use]
    pub fn error(&self) -> Option<FindingRecord> {
        let error = self.report.error()?;
        let path = nav::path(self.octets, self.form.schema(), error.offset);
        Some(FindingRecord::new(&error.into(), path))
    }

    /// What is wrong beside `error`, with paths.
    #[must_use]
    pub fn findings(&self, error: Option<&FindingRecord>) -> Vec<FindingRecord> {
        let list = self.report.findings(None);
        let offsets: Vec<u32> = list.iter().map(|finding| finding.offset).collect();
        let paths = nav::paths(self.octets, self.form.schema(), &offsets);
        let is_error = |finding: &Finding| {
            let at = u64::from(finding.offset);
            error.is_some_and(|e| e.path.is_some() && e.rule == finding.rule.id && e.offset == at)
        };
        let listed = list.iter().zip(paths).filter(|(finding, _)| !is_error(finding));
        listed.map(|(finding, path)| FindingRecord::new(finding, path)).collect()
    }

    /// The record. Its digests are those of the object as it was found, BER or not.
    #[must_use]
    pub fn record(&self, findings: Vec<FindingRecord>) -> AnyRecord<'_> {
        let Some(view) = self.report.view() else {
            return match self.form {
                Form::Certificate => {
                    let record = PartialCertificateRecord::new(self.report.der(), findings);
                    AnyRecord::PartialCertificate(Box::new(record))
                }
                _ => AnyRecord::Other(self.other(findings)),
            };
        };
        let mut record = match view {
            View::Certificate(it) => {
                AnyRecord::Certificate(Box::new(CertificateRecord::new(&it, findings)))
            }
            View::Crl(it) => AnyRecord::Crl(Box::new(CrlRecord::new(&it, findings))),
            View::Csr(it) => AnyRecord::Csr(Box::new(CsrRecord::new(&it, findings))),
            View::OcspRequest(it) => {
                AnyRecord::OcspRequest(Box::new(OcspRequestRecord::new(&it, findings)))
            }
            View::OcspResponse(it) => {
                AnyRecord::OcspResponse(Box::new(OcspResponseRecord::new(&it, findings)))
            }
            View::Pkcs7(it) => AnyRecord::Pkcs7(Box::new(CmsRecord::new(&it, findings))),
            View::Pkcs12(it) => AnyRecord::Pkcs12(Box::new(Pkcs12Record::new(&it, findings))),
            View::PrivateKey(it) => {
                AnyRecord::PrivateKey(Box::new(PrivateKeyRecord::new(&it, findings)))
            }
            View::EncryptedKey(it) => {
                AnyRecord::EncryptedKey(Box::new(EncryptedKeyRecord::new(&it, findings)))
            }
            View::PublicKey(it) => {
                AnyRecord::PublicKey(Box::new(PublicObjectRecord::new(&it, findings)))
            }
            View::Other => AnyRecord::Other(self.other(findings)),
        };
        if self.report.is_converted() {
            record.digest(self.octets);
        }
        record
    }

    fn other(&self, findings: Vec<FindingRecord>) -> OtherRecord {
        let node = Walker::new(self.octets, true).next();
        let place = root(self.form.schema());
        let value = node.map(|node| show::value(self.octets, &node, &place, VALUE).text);
        OtherRecord { value: value.filter(|text| !text.is_empty()), findings }
    }
}

/// The record of an object of any type, without what is said of all objects alike.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the types say what they are")]
pub enum AnyRecord<'a> {
    Certificate(Box<CertificateRecord<'a>>),
    PartialCertificate(Box<PartialCertificateRecord<'a>>),
    Crl(Box<CrlRecord<'a>>),
    Csr(Box<CsrRecord<'a>>),
    OcspRequest(Box<OcspRequestRecord<'a>>),
    OcspResponse(Box<OcspResponseRecord<'a>>),
    Pkcs7(Box<CmsRecord<'a>>),
    Pkcs12(Box<Pkcs12Record<'a>>),
    PrivateKey(Box<PrivateKeyRecord<'a>>),
    EncryptedKey(Box<EncryptedKeyRecord<'a>>),
    PublicKey(Box<PublicObjectRecord<'a>>),
    Other(OtherRecord),
}

/// What is said of an object whose type has no view, or whose view cannot read it.
#[derive(Debug, Serialize)]
pub struct OtherRecord {
    /// The outermost value in a line, as far as that says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The rules that it breaks.
    pub findings: Vec<FindingRecord>,
}

impl<'a> AnyRecord<'a> {
    /// The rules that are broken.
    #[must_use]
    pub fn findings(&self) -> &[FindingRecord] {
        match self {
            Self::Certificate(it) => &it.findings,
            Self::PartialCertificate(it) => &it.findings,
            Self::Crl(it) => &it.findings,
            Self::Csr(it) => &it.findings,
            Self::OcspRequest(it) => &it.findings,
            Self::OcspResponse(it) => &it.findings,
            Self::Pkcs7(it) => &it.findings,
            Self::Pkcs12(it) => &it.findings,
            Self::PrivateKey(it) => &it.findings,
            Self::EncryptedKey(it) => &it.findings,
            Self::PublicKey(it) => &it.findings,
            Self::Other(it) => &it.findings,
        }
    }

    /// Makes the digests those of `octets`, which the view did not read as they are.
    fn digest(&mut self, octets: &'a [u8]) {
        match self {
            Self::Certificate(it) => it.fingerprints = LazyFingerprints(octets),
            Self::PartialCertificate(it) => it.fingerprints = Some(LazyFingerprints(octets)),
            Self::Crl(it) => it.fingerprints = LazyFingerprints(octets),
            Self::Csr(it) => it.fingerprints = Fingerprints::of(octets),
            Self::OcspRequest(it) => it.fingerprints = Fingerprints::of(octets),
            Self::OcspResponse(it) => it.fingerprints = Fingerprints::of(octets),
            Self::Pkcs7(it) => it.fingerprints = Fingerprints::of(octets),
            Self::Pkcs12(it) => it.fingerprints = Fingerprints::of(octets),
            Self::PublicKey(it) => it.fingerprints = Fingerprints::of(octets),
            Self::PrivateKey(_) | Self::EncryptedKey(_) | Self::Other(_) => {}
        }
    }
}
