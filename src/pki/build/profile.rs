//! Profiles: what a certification authority issues, and how a TOML file says it.

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

    /// This profile with what the text says otherwise.
    pub(super) fn with(mut self, text: &str) -> Result<Self, Error> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_builtin_profile_reads_and_says_all() {
        let profile = Profile::default().with(Profile::BUILTIN).unwrap();
        assert_eq!(profile.ca.validity.0, 3_650);
        assert_eq!(profile.certificate.validity.0, 90);
        assert!(!profile.certificate.subject.is_empty());
        assert_eq!(profile.certificate.san.len(), 1);
        assert_eq!(profile.crl.reasons.len(), 4);
        // What is a comment there reads too.
        let all: Vec<&str> = Profile::BUILTIN
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|line| is_value(line)).unwrap_or(line))
            .collect();
        let profile = Profile::from_toml(&all.join("\n")).unwrap();
        assert_eq!(profile.certificate.extensions.len(), 1);
        assert_eq!(profile.ca.path_length.map(|most| most.0), Some(0));
    }

    fn is_value(line: &str) -> bool {
        line.starts_with('[') || line.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
    }

    #[test]
    fn what_is_left_out_stays_as_built_in() {
        let profile = Profile::from_toml("[certificate]\nvalidity_days = 7").unwrap();
        assert_eq!(profile.certificate.validity.0, 7);
        assert_eq!(profile.certificate.san.len(), 1);
        assert_eq!(profile.ca.validity.0, 3_650);
        assert_eq!(profile.serials(3), SerialPolicy::Sequential);
        let profile = Profile::from_toml("serial = \"random\"").unwrap();
        assert_eq!(profile.serials(3), SerialPolicy::Random { seed: 3 });
    }

    #[test]
    fn faults_name_line_and_key() {
        let fault = |text: &str| Profile::from_toml(text).unwrap_err().to_string();
        for (text, line, words) in [
            ("serial = \"x\"", 1, &["serial", "sequential"][..]),
            ("\n[ca]\nsubjects = []", 3, &["subjects", "validity_days"]),
            ("[ca]\nsubject = []", 2, &["ca.subject", "has a name"]),
            ("[ca]\nsubject = [\"CN={n}\"]", 2, &["ca.subject", "no {n}"]),
            ("[ca]\nvalidity_days = 0", 2, &["ca.validity_days", "1 to 36525"]),
            ("[ca]\nvalidity_days = \"1\"", 2, &["ca.validity_days", "a whole number from 1"]),
            ("[certificate]\n\nsubject = [\"XY=a\"]", 3, &["certificate.subject", "XY"]),
            ("[certificate]\nsubject = [\"CN\"]", 2, &["certificate.subject", "CN=example"]),
            ("[certificate]\nsubject = [\"C=AUT\"]", 2, &["certificate.subject", "two letters"]),
            ("[certificate]\nsubject = [\n\"O=a\",\n\"DC=ö\"]", 4, &["certificate.subject", "DC"]),
            ("[certificate]\nsan = [\"dns:a b\"]", 2, &["certificate.san", "RFC 1034"]),
            ("[certificate]\nsan = [\"ip:1.2.3\"]", 2, &["certificate.san", "IP address"]),
            ("[certificate]\nsan = [\"x\"]", 2, &["certificate.san", "dns:"]),
            ("[certificate]\nsan = [\"dns:{m}\"]", 2, &["certificate.san", "{random}"]),
            ("[certificate]\nkey_usage = [\"sign\"]", 2, &["key_usage", "digitalSignature"]),
            ("[certificate]\nkey_usage = [\"keyCertSign\"]", 2, &["key_usage", "CAs"]),
            ("[certificate]\npolicies = [\"3.1\"]", 2, &["certificate.policies", "0, 1 or 2"]),
            ("[certificate]\nextended_key_usage = [\"no such\"]", 2, &["extended_key_usage"]),
            ("[certificate]\ncrl = [\"no uri\"]", 2, &["certificate.crl", "URI"]),
            ("[certificate]\nocsp = [\"http://{n}\"]", 2, &["certificate.ocsp", "the same"]),
            (
                "[[certificate.extension]]\noid = \"1.2.3\"\nvalue = \"0\"",
                1,
                &["certificate.extension", "hexadecimal"],
            ),
            (
                "[[certificate.extension]]\noid = \"keyUsage\"\nvalue = \"0500\"",
                1,
                &["certificate.extension"],
            ),
            ("[crl]\nreasons = [\"removeFromCRL\"]", 2, &["crl.reasons", "superseded"]),
            ("[ocsp]\nrevoked_percent = 101", 2, &["ocsp.revoked_percent", "0 to 100"]),
            ("[ocsp]\nrevoked_percent = 1\nrevoked_percent = 2", 3, &["duplicate"]),
            ("[ca\n", 1, &[]),
        ] {
            let message = fault(text);
            assert!(message.starts_with(&format!("line {line}: ")), "{text}: {message}");
            assert!(!message.contains('\n'), "{message}");
            for word in words {
                assert!(message.contains(word), "{text}: {message} has no {word}");
            }
        }
        assert!(matches!(Profile::from_toml(&" ".repeat(70_000)), Err(Error::TooLong(65_536))));
    }
}
