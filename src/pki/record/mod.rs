//! What a view says, as serialisable records: the same for scripts and for the screen.
//!
//! Records borrow from the object they describe. Lists without bound (revoked certificates,
//! alternative names) are serialised while they are read and never collected.

pub mod any;
pub mod certificate;
pub mod cms;
pub mod crl;
pub mod csr;
pub mod embedded;
pub mod keys;
pub mod ocsp;
pub mod partial;
pub mod pkcs12;

pub use any::{AnyRecord, Subject};
pub use certificate::CertificateRecord;
pub use cms::CmsRecord;
pub use crl::CrlRecord;
pub use csr::CsrRecord;
pub use keys::{EncryptedKeyRecord, PrivateKeyRecord, PublicObjectRecord};
pub use ocsp::{OcspRequestRecord, OcspResponseRecord};
pub use pkcs12::Pkcs12Record;

use serde::Serialize;

use crate::asn1::Finding;
use crate::asn1::sniff::Fault;

/// A broken rule, as records list it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FindingRecord {
    /// The id of the rule.
    pub rule: &'static str,
    /// Octets from the first octet of the object, or of the source when `path` is null.
    pub offset: u64,
    /// The field at that offset, as `tbsCertificate.validity.notAfter`; empty for the object as
    /// a whole, null when the fault is in the text around the object.
    pub path: Option<String>,
    /// What is wrong, and the clause that says so.
    pub message: String,
}

impl FindingRecord {
    /// The record of `finding`, whose offset is in the field `path`.
    #[must_use]
    pub fn new(finding: &Finding, path: String) -> Self {
        let message = format!("{} ({})", finding.message(), finding.rule.source);
        let offset = u64::from(finding.offset);
        Self { rule: finding.rule.id, offset, path: Some(path), message }
    }

    /// The records of a list of findings; `path` tells the field of an offset.
    pub fn list(findings: &[Finding], mut path: impl FnMut(u32) -> String) -> Vec<Self> {
        findings.iter().map(|f| Self::new(f, path(f.offset))).collect()
    }
}

impl From<&Fault> for FindingRecord {
    fn from(fault: &Fault) -> Self {
        let message = format!("{} ({})", fault.message(), fault.rule.source);
        Self { rule: fault.rule.id, offset: fault.offset, path: None, message }
    }
}
