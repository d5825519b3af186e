//! Profiles: what a certification authority issues, from a TOML file.

use serde::Deserialize;

use super::alternative::{AlternativeName, Uri};
use super::error::Error;
use super::number::SerialPolicy;
use super::subject::{FixedSubject, Subject};
use super::values::{
    Days, ExtraExtension, Hours, Identifier, KeyUsage, PathLength, Percent, Reason,
};

/// What a certification authority issues.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    pub(super) random_serials: bool,
    pub(super) ca: Ca,
    pub(super) certificate: Certificate,
    pub(super) crl: Crl,
    pub(super) ocsp: Ocsp,
}

/// The authority itself.
#[derive(Debug, Clone, Default)]
pub(super) struct Ca {
    pub(super) subject: FixedSubject,
    pub(super) validity: Days,
    pub(super) path_length: Option<PathLength>,
}

/// The certificates of subscribers.
#[derive(Debug, Clone, Default)]
pub(super) struct Certificate {
    pub(super) subject: Subject,
    pub(super) san: Vec<AlternativeName>,
    pub(super) validity: Days,
    pub(super) key_usage: Vec<KeyUsage>,
    pub(super) purposes: Vec<Identifier>,
    pub(super) policies: Vec<Identifier>,
    pub(super) crl: Vec<Uri>,
    pub(super) ocsp: Vec<Uri>,
    pub(super) ca_issuers: Vec<Uri>,
    pub(super) extensions: Vec<ExtraExtension>,
}

/// The revocation lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Crl {
    pub(super) next_update: Hours,
    pub(super) reasons: Vec<Reason>,
}

/// The OCSP responses.
#[derive(Debug, Clone, Default)]
pub(super) struct Ocsp {
    pub(super) next_update: Hours,
    pub(super) revoked: Percent,
}

/// The text of a profile; what is not there stays as it was.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Text {
    serial: Option<SerialText>,
    ca: CaText,
    certificate: CertificateText,
    crl: CrlText,
    ocsp: OcspText,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum SerialText {
    Sequential,
    Random,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CaText {
    subject: Option<FixedSubject>,
    validity_days: Option<Days>,
    path_length: Option<PathLength>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CertificateText {
    subject: Option<Subject>,
    san: Option<Vec<AlternativeName>>,
    validity_days: Option<Days>,
    key_usage: Option<Vec<KeyUsage>>,
    extended_key_usage: Option<Vec<Identifier>>,
    policies: Option<Vec<Identifier>>,
    crl: Option<Vec<Uri>>,
    ocsp: Option<Vec<Uri>>,
    ca_issuers: Option<Vec<Uri>>,
    extension: Option<Vec<ExtraExtension>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct CrlText {
    next_update_hours: Option<Hours>,
    reasons: Option<Vec<Reason>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OcspText {
    next_update_hours: Option<Hours>,
    revoked_percent: Option<Percent>,
}

impl Profile {
    /// The text of the built-in profile.
    pub const BUILTIN: &str = include_str!("default.toml");

    /// The most octets of a profile's text.
    const MOST_OCTETS: usize = 1 << 16;

    /// The built-in profile.
    #[must_use]
    pub fn builtin() -> Self {
        // A test reads it.
        Self::default().with(Self::BUILTIN).unwrap_or_default()
    }

    /// Reads a profile; what it leaves out is as in the built-in one.
    ///
    /// # Errors
    /// [`Error::Line`] for the first line that is wrong; [`Error::TooLong`]; [`Error::Rule`]
    /// when certificates would break a rule although no single line is to blame.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        Self::builtin().with(text)
    }

    /// How certificates of this profile get their serial numbers.
    #[must_use]
    pub const fn serials(&self, seed: u64) -> SerialPolicy {
        if self.random_serials { SerialPolicy::Random { seed } } else { SerialPolicy::Sequential }
    }

    /// The codes of the reasons for revocations, which take turns; at least one.
    pub(super) fn reasons(&self) -> impl Iterator<Item = u8> {
        let none = self.crl.reasons.is_empty().then_some(0);
        self.crl.reasons.iter().map(|reason| reason.0).chain(none)
    }

    fn with(mut self, text: &str) -> Result<Self, Error> {
        if text.len() > Self::MOST_OCTETS {
            return Err(Error::TooLong(Self::MOST_OCTETS));
        }
        let Text { serial, ca, certificate, crl, ocsp } =
            toml::from_str(text).map_err(|error| Error::in_line(text, error))?;
        let into = &mut self;
        set(&mut into.random_serials, serial.map(|kind| matches!(kind, SerialText::Random)));
        set(&mut into.ca.subject, ca.subject);
        set(&mut into.ca.validity, ca.validity_days);
        set(&mut into.ca.path_length, ca.path_length.map(Some));
        let (to, from) = (&mut into.certificate, certificate);
        set(&mut to.subject, from.subject);
        set(&mut to.san, from.san);
        set(&mut to.validity, from.validity_days);
        set(&mut to.key_usage, from.key_usage);
        set(&mut to.purposes, from.extended_key_usage);
        set(&mut to.policies, from.policies);
        set(&mut to.crl, from.crl);
        set(&mut to.ocsp, from.ocsp);
        set(&mut to.ca_issuers, from.ca_issuers);
        set(&mut to.extensions, from.extension);
        set(&mut into.crl.next_update, crl.next_update_hours);
        set(&mut into.crl.reasons, crl.reasons);
        set(&mut into.ocsp.next_update, ocsp.next_update_hours);
        set(&mut into.ocsp.revoked, ocsp.revoked_percent);
        Ok(self)
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
