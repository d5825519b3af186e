//! Reading a profile, and a certificate made for trial: what a profile makes breaks no rule.

use super::authority::Authority;
use super::certificate::CertificateTemplate;
use super::error::Error;
use super::profile::Profile;
use crate::pki::crypto::SignatureAlgorithm;
use crate::pki::object::Form;
use crate::pki::report;

impl Profile {
    /// Reads a profile; what it leaves out is as in the built-in one.
    ///
    /// # Errors
    /// [`Error::Line`] for the first line that is wrong; [`Error::TooLong`]; [`Error::Rule`]
    /// when certificates would break a rule although no single line is to blame.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let profile = Self::builtin().with(text)?;
        try_out(profile.clone())?;
        Ok(profile)
    }
}

/// Makes the longest certificate and looks for what is wrong with it.
fn try_out(mut profile: Profile) -> Result<(), Error> {
    const ANY: SignatureAlgorithm = SignatureAlgorithm::Ed25519;
    let key = [0; ANY.public_len()];
    // Which of these are possible depends on the key; none of them breaks a rule.
    profile.certificate.key_usage.clear();
    let authority = Authority::new(&profile, ANY, &key);
    let template = CertificateTemplate::subscriber(&profile, &authority, ANY, 0, 0)?;
    let mut out = Vec::new();
    template.write(u64::MAX, &key, &mut out);
    let broken = report::findings(&out, Form::Certificate, None).into_iter().next();
    broken.map_or(Ok(()), |finding| Err(Error::Rule(finding.rule)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_single_line_is_to_blame_for_is_found() {
        let rule = |text: &str| match Profile::from_toml(text) {
            Err(Error::Rule(rule)) => rule.id,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(rule("[certificate]\nsubject = []\nsan = []"), "subject-empty");
        let tls_feature =
            "[[certificate.extension]]\noid = \"1.3.6.1.5.5.7.1.24\"\nvalue = \"3003020105\"\n";
        assert!(Profile::from_toml(tls_feature).is_ok());
        assert_eq!(rule(&tls_feature.repeat(2)), "extension-duplicate");
        let basic = "[[certificate.extension]]\noid = \"2.5.29.19\"\nvalue = \"3000\"\n";
        assert_eq!(rule(basic), "extension-duplicate");
    }

    #[test]
    fn a_subject_can_be_empty_when_there_are_other_names() {
        assert!(Profile::from_toml("[certificate]\nsubject = []").is_ok());
    }
}
