//! Why something cannot be built.

use crate::asn1::Rule;
use crate::asn1::text::visible;
use crate::pki::crypto::SignatureAlgorithm;

/// Why a profile cannot be used, or a template not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A line of the profile is wrong; the message names the key.
    #[error("line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The text of the profile is longer than one ever is.
    #[error("the profile has more than {0} octets")]
    TooLong(usize),
    /// Certificates of this profile would break a rule of their standard.
    #[error("certificates of the profile would break a rule: {0}")]
    Rule(&'static Rule),
    /// A key of this algorithm can be used for nothing that the profile allows.
    #[error("the profile's key_usage has nothing that a key of {0} can do")]
    KeyUsage(SignatureAlgorithm),
    /// A date that has no encoding.
    #[error("a date is outside of the years 0 to 9999")]
    Date,
}

impl Error {
    /// What the reader of `text` found wrong with it.
    pub(super) fn in_line(text: &str, mut error: toml::de::Error) -> Self {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        // Without the text, the message is words and the key's name and no drawing.
        error.set_input(None);
        let message = error.to_string();
        let words: Vec<&str> = message.split_whitespace().collect();
        Self::Line {
            line: before.matches('\n').count() + 1,
            message: visible(&words.join(" ")).into_owned(),
        }
    }
}
