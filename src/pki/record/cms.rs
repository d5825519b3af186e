//! The record of a PKCS #7 or CMS message.

use serde::{Serialize, Serializer};

use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::attribute::Value;
use crate::pki::cms::envelope::recipient_kind;
use crate::pki::cms::{Content, EncryptedContent, Envelope, Message, SignedData, SignerInfo};
use crate::pki::list::{Item, List};
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::Fingerprints;
use crate::pki::record::embedded::Certificates;
use crate::pki::show::OidName;

/// Everything that is said of a message.
#[derive(Debug, Serialize)]
pub struct CmsRecord<'a> {
    /// The type of the content.
    pub content_type: OidName<'a>,
    /// What SignedData says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_data: Option<SignedRecord<'a>>,
    /// What encrypted, digested, authenticated and compressed data say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<EnvelopeRecord<'a>>,
    /// Octets of content that has no structure here, null without content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_length: Option<u32>,
    /// Digests of the whole message.
    pub fingerprints: Fingerprints,
    /// The rules that the message breaks.
    pub findings: Vec<FindingRecord>,
}

/// Everything that is said of SignedData.
#[derive(Debug, Serialize)]
pub struct SignedRecord<'a> {
    /// The version as encoded.
    pub version: Option<u64>,
    /// The digests that signers use.
    pub digest_algorithms: List<'a, AlgorithmIdentifier<'a>>,
    /// The type of what is signed.
    pub content_type: OidName<'a>,
    /// Octets of what is signed, null when the signature is detached or there is none.
    pub content_length: Option<u32>,
    /// The certificates that come along.
    pub certificates: Certificates<'a>,
    /// How many CRLs come along.
    pub crl_count: u64,
    /// The signers, serialised while they are read; none in a bundle of certificates.
    pub signers: List<'a, SignerInfo<'a>>,
}

/// Everything that is said of other content with a structure.
#[derive(Debug, Serialize)]
pub struct EnvelopeRecord<'a> {
    /// The version as encoded.
    pub version: Option<u64>,
    /// For whom the content is encrypted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipients: Option<Recipients<'a>>,
    /// The encrypted content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encrypted_content: Option<EncryptedContent<'a>>,
    /// The digest, MAC or compression of what is not encrypted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmIdentifier<'a>>,
    /// The type of the content inside.
    pub content_type: Option<OidName<'a>>,
}

/// The kinds of the recipients, serialised while they are read.
#[derive(Debug)]
pub struct Recipients<'a>(List<'a, Value<'a>>);

impl Serialize for Recipients<'_> {
    /// A list of `{"type": ..}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record {
            r#type: &'static str,
        }
        let record = |value: Value<'_>| Record { r#type: recipient_kind(value.tlv().tag) };
        serializer.collect_seq(self.0.iter().map(|item| Item::from(item.map(record))))
    }
}

impl<'a> CmsRecord<'a> {
    /// The record of `message`. `findings` are those of [`Message::violations`] and of whatever
    /// other check the caller made, with their paths.
    #[must_use]
    pub fn new(message: &Message<'a>, findings: Vec<FindingRecord>) -> Self {
        let (mut signed_data, mut envelope, mut content_length) = (None, None, None);
        match message.content() {
            Content::Signed(signed) => signed_data = Some(SignedRecord::new(signed)),
            Content::Envelope(content) => envelope = Some(EnvelopeRecord::new(content)),
            Content::Data(span) => content_length = Some(span.len()),
            Content::Other(tlv) => content_length = Some(tlv.span().len()),
            Content::Absent => {}
        }
        Self {
            content_type: OidName(message.content_type()),
            signed_data,
            envelope,
            content_length,
            fingerprints: Fingerprints::of(message.der()),
            findings,
        }
    }
}

impl<'a> SignedRecord<'a> {
    fn new(signed: &SignedData<'a>) -> Self {
        Self {
            version: signed.version(),
            digest_algorithms: signed.digest_algorithms(),
            content_type: OidName(signed.content_type()),
            content_length: signed.content().map(|tlv| tlv.contents().len()),
            certificates: Certificates(signed.certificates()),
            crl_count: signed.crls().iter().flatten().count() as u64,
            signers: signed.signers(),
        }
    }
}

impl<'a> EnvelopeRecord<'a> {
    fn new(envelope: &Envelope<'a>) -> Self {
        Self {
            version: envelope.version(),
            recipients: envelope.recipients().map(Recipients),
            encrypted_content: envelope.encrypted().copied(),
            algorithm: envelope.algorithm(),
            content_type: envelope.content_type().map(OidName),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, sample};

    fn record(der: &[u8]) -> serde_json::Value {
        let message = Message::parse(der).unwrap();
        serde_json::to_value(CmsRecord::new(&message, Vec::new())).unwrap()
    }

    #[test]
    fn records_name_what_is_in_a_message() {
        let json = record(sample!("pkcs7-certificates.p7b"));
        assert_eq!(json["content_type"]["name"], "signedData");
        let signed = &json["signed_data"];
        assert_eq!(signed["certificates"].as_array().unwrap().len(), 3);
        assert_eq!((&signed["crl_count"], &signed["content_length"]), (&1.into(), &().into()));
        let json = record(sample!("cms-signed.der"));
        assert_eq!(json["signed_data"]["signers"][0]["digest_algorithm"]["name"], "sha256");
        let json = record(sample!("cms-enveloped.der"));
        assert_eq!(json["envelope"]["recipients"][0]["type"], "key-agreement");
        assert!(json["envelope"]["encrypted_content"]["encrypted_length"].is_u64());
    }

    #[test]
    fn mutations_are_valid_json() {
        for octets in [sample!("cms-signed.der"), sample!("cms-enveloped.der")] {
            mutations(octets, |der| {
                if let Ok(message) = Message::parse(der) {
                    serde_json::to_string(&CmsRecord::new(&message, Vec::new())).unwrap();
                }
            });
        }
    }
}
