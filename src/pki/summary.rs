//! An object in a few words: for the card above the tree, the list of documents, and tables.
//!
//! It goes by field names of the schema, so that broken objects and BER have a summary too,
//! as far as they read. All text is safe to show and bounded in length.

use crate::asn1::schema::{self, Place, Type, types};
use crate::asn1::show::{children, grouped, value};
use crate::asn1::tag::universal;
use crate::asn1::value::time;
use crate::asn1::walk::{Node, Scanner};
use crate::asn1::{Walker, names};
use crate::pki::certificate::Certificate;
use crate::pki::object::Form;
use crate::pki::spki::PublicKey;

/// The longest text of one fact, in characters.
const LONGEST: usize = 200;

/// Lists are counted up to this many elements: hops over so many headers are not felt.
const MOST_COUNTED: u32 = 10_000_000;

/// How many children of one node are looked through for a field.
const FIELDS: usize = 32;

/// A few words on an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// What it is called: the subject of a certificate, the issuer of a CRL.
    pub title: String,
    /// What it is, in a word or two each: `CA`, `self-issued`, `RSA 4096`.
    pub facts: Vec<String>,
    /// From when to when it is valid, in seconds since 1970.
    pub period: Option<(i64, i64)>,
    /// More, as name and text: `serial`, `SAN`.
    pub details: Vec<(&'static str, String)>,
}

/// The summary of an object of type `form`.
#[must_use]
pub fn summary(object: &[u8], form: Form) -> Summary {
    summarise(&Fields { object, root: form.schema(), counts: true }, form)
}

/// The title alone, for lists: nothing long is counted for it.
#[must_use]
pub fn title(object: &[u8], form: Form) -> String {
    summarise(&Fields { object, root: form.schema(), counts: false }, form).title
}

fn summarise(view: &Fields<'_>, form: Form) -> Summary {
    let mut out = Summary::default();
    match form {
        Form::Certificate => certificate(view, &mut out),
        Form::CertificateList => crl(view, &mut out),
        Form::CertificationRequest => request(view, &mut out),
        Form::OcspResponse => ocsp_response(view, &mut out),
        Form::OcspRequest => ocsp_request(view, &mut out),
        Form::ContentInfo => content_info(view, &mut out),
        Form::Pfx => pfx(view, &mut out),
        Form::OneAsymmetricKey
        | Form::EncryptedPrivateKeyInfo
        | Form::RsaPrivateKey
        | Form::EcPrivateKey
        | Form::DsaPrivateKey => private_key(view, form, &mut out),
        Form::SubjectPublicKeyInfo | Form::RsaPublicKey => public_key(view, &mut out),
        Form::Other => other(view, &mut out),
    }
    if out.title.is_empty() {
        form.schema().name.clone_into(&mut out.title);
    }
    out
}

/// Finds fields by their names.
struct Fields<'a> {
    object: &'a [u8],
    root: &'static Type,
    /// Whether lists are counted.
    counts: bool,
}

impl Fields<'_> {
    fn root(&self) -> Option<(Node, Place)> {
        Walker::new(self.object, true).next().map(|node| (node, schema::root(self.root)))
    }

    /// The field at `path`; nodes without a name (EXPLICIT tags, nested values) are passed.
    fn at(&self, path: &[&str]) -> Option<(Node, Place)> {
        let (mut node, mut place) = self.root()?;
        for name in path {
            (node, place) = self.below(&node, &place, name, 3)?;
        }
        Some((node, place))
    }

    fn below(&self, node: &Node, place: &Place, name: &str, depth: u8) -> Option<(Node, Place)> {
        let mut inner = None;
        for (child, its) in children(self.object, node, place).take(FIELDS) {
            if its.name == name || (its.name.is_empty() && its.choice == name) {
                return Some((child, its));
            }
            inner = inner.or(Some((child, its)));
        }
        // The one value inside an EXPLICIT tag or a string.
        let (child, its) = inner.filter(|_| place.explicit || place.ty.fields().is_empty())?;
        if depth == 0 { None } else { self.below(&child, &its, name, depth - 1) }
    }

    fn text(&self, path: &[&str]) -> Option<String> {
        self.at(path).map(|(node, place)| self.show(&node, &place)).filter(|text| !text.is_empty())
    }

    fn show(&self, node: &Node, place: &Place) -> String {
        value(self.object, node, place, LONGEST).text
    }

    /// Seconds since 1970 of a time.
    fn seconds(&self, path: &[&str]) -> Option<i64> {
        let (node, _) = self.at(path)?;
        let content = node.contents().of(self.object);
        let reading = match node.tag.number {
            universal::UTC_TIME => time::read_utc(content, 0),
            _ => time::read_generalized(content, 0),
        };
        reading.ok().map(|reading| reading.time.unix_seconds())
    }

    /// Number of children of a list in words: `12,034`, or that there are more than were counted.
    fn count(&self, path: &[&str]) -> Option<(u32, String)> {
        if !self.counts {
            return None;
        }
        let (mut node, place) = self.at(path)?;
        if place.explicit {
            node = children(self.object, &node, &place).next()?.0;
        }
        let count = Scanner::new(false).count_children(self.object, &node, MOST_COUNTED);
        let more = if count == MOST_COUNTED { "more than " } else { "" };
        Some((count, format!("{more}{}", grouped(u64::from(count)))))
    }

    fn period(&self, from: &[&str], to: &[&str]) -> Option<(i64, i64)> {
        Some((self.seconds(from)?, self.seconds(to)?))
    }

    /// The names in a Name without their types, the most telling first: `CN, O, C`.
    fn name(&self, path: &[&str]) -> Option<String> {
        let (node, place) = self.at(path)?;
        let mut parts = Vec::new();
        for (rdn, its) in children(self.object, &node, &place).take(FIELDS) {
            for (attribute, its) in children(self.object, &rdn, &its).take(FIELDS) {
                let text = children(self.object, &attribute, &its).nth(1);
                parts.extend(text.map(|(node, place)| self.show(&node, &place)));
            }
        }
        parts.reverse();
        let text: String = parts.join(", ").chars().take(LONGEST).collect();
        if text.is_empty() { None } else { Some(text) }
    }

    /// The first extension with this identifier, found below `path`.
    fn extension(&self, path: &[&str], oid: &[u8]) -> Option<String> {
        let (mut list, mut place) = self.at(path)?;
        if place.explicit {
            (list, place) = children(self.object, &list, &place).next()?;
        }
        let (extension, its) =
            children(self.object, &list, &place).take(1000).find(|(node, its)| {
                let first = children(self.object, node, its).next();
                first.is_some_and(|(id, _)| id.contents().of(self.object) == oid)
            })?;
        let (inner, place) = self.below_last(&extension, &its)?;
        Some(self.show(&inner, &place)).filter(|text| !text.is_empty())
    }

    fn below_last(&self, node: &Node, place: &Place) -> Option<(Node, Place)> {
        children(self.object, node, place).take(3).last()
    }
}

/// 2.5.29.17
const SUBJECT_ALT_NAME: &[u8] = b"\x55\x1d\x11";
/// 2.5.29.20
const CRL_NUMBER: &[u8] = b"\x55\x1d\x14";

/// `RSA 4096`, `ECDSA prime256v1`, `ML-DSA-65`.
#[must_use]
pub fn key_words(key: &PublicKey<'_>) -> String {
    let name = key.algorithm().name().unwrap_or("unknown key");
    if let Some(curve) = key.curve() {
        let curve = names::lookup(curve.0).map_or_else(|| curve.to_string(), |e| e.name.to_owned());
        return format!("EC {curve}");
    }
    match (name, key.bits()) {
        ("rsaEncryption", Some(bits)) => format!("RSA {bits}"),
        ("rsassaPss" | "RSASSA-PSS" | "id-RSASSA-PSS", Some(bits)) => format!("RSA-PSS {bits}"),
        ("dsa" | "id-dsa" | "dsaEncryption", Some(bits)) => format!("DSA {bits}"),
        (name, _) => name.trim_start_matches("id-").to_owned(),
    }
}

fn certificate(view: &Fields<'_>, out: &mut Summary) {
    const TBS: &str = "tbsCertificate";
    let san = view.extension(&[TBS, "extensions"], SUBJECT_ALT_NAME);
    out.title = view.name(&[TBS, "subject"]).or_else(|| san.clone()).unwrap_or_default();
    if let Ok(certificate) = Certificate::parse(view.object) {
        out.facts.push(if certificate.is_ca() { "CA" } else { "end entity" }.to_owned());
        if certificate.is_self_issued() {
            out.facts.push("self-issued".to_owned());
        }
        out.facts.push(key_words(&certificate.public_key()));
    } else {
        out.facts.push("broken certificate".to_owned());
    }
    out.period = view.period(&[TBS, "validity", "notBefore"], &[TBS, "validity", "notAfter"]);
    out.details.extend(view.text(&[TBS, "serialNumber"]).map(|text| ("serial", text)));
    out.details.push(("SAN", san.unwrap_or_else(|| "none".to_owned())));
    out.details.extend(view.text(&[TBS, "issuer"]).map(|text| ("issuer", text)));
}

fn crl(view: &Fields<'_>, out: &mut Summary) {
    const TBS: &str = "tbsCertList";
    out.title = view.name(&[TBS, "issuer"]).unwrap_or_default();
    out.facts.push("CRL".to_owned());
    let revoked = view.count(&[TBS, "revokedCertificates"]);
    let revoked = revoked.map_or_else(|| "0".to_owned(), |(_, text)| text);
    out.facts.push(format!("{revoked} revoked"));
    out.period = view.period(&[TBS, "thisUpdate"], &[TBS, "nextUpdate"]);
    let number = view.extension(&[TBS, "crlExtensions"], CRL_NUMBER);
    out.details.extend(number.map(|text| ("number", text)));
    out.details.extend(view.text(&["signatureAlgorithm"]).map(|text| ("signed with", text)));
}

fn request(view: &Fields<'_>, out: &mut Summary) {
    const INFO: &str = "certificationRequestInfo";
    out.title = view.name(&[INFO, "subject"]).unwrap_or_default();
    out.facts.push("certification request".to_owned());
    let key =
        view.text(&[INFO, "subjectPKInfo"]).or_else(|| view.text(&[INFO, "subjectPublicKeyInfo"]));
    out.facts.extend(key);
    out.details.extend(view.text(&["signatureAlgorithm"]).map(|text| ("signed with", text)));
}

fn ocsp_response(view: &Fields<'_>, out: &mut Summary) {
    let status = view.text(&["responseStatus"]).unwrap_or_else(|| "unknown status".to_owned());
    out.title = format!("OCSP response, {status}");
    let data = |field| view.at(&["responseBytes", "response", "tbsResponseData", field]);
    if let Some((node, place)) = data("producedAt") {
        out.details.push(("produced", view.show(&node, &place)));
    }
    if let Some((_, count)) =
        view.count(&["responseBytes", "response", "tbsResponseData", "responses"])
    {
        out.facts.push(format!("{count} responses"));
    }
    out.facts.extend(view.text(&["responseBytes", "responseType"]));
}

fn ocsp_request(view: &Fields<'_>, out: &mut Summary) {
    "OCSP request".clone_into(&mut out.title);
    if let Some((_, count)) = view.count(&["tbsRequest", "requestList"]) {
        out.facts.push(format!("{count} requests"));
    }
}

fn content_info(view: &Fields<'_>, out: &mut Summary) {
    out.title = view.text(&["contentType"]).unwrap_or_default();
    out.facts.push("PKCS #7 or CMS".to_owned());
    for (field, word) in
        [("certificates", "certificates"), ("crls", "CRLs"), ("signerInfos", "signers")]
    {
        if let Some((count, text)) = view.count(&["content", field])
            && count > 0
        {
            out.facts.push(format!("{text} {word}"));
        }
    }
}

fn pfx(view: &Fields<'_>, out: &mut Summary) {
    "PKCS #12 container".clone_into(&mut out.title);
    let mac = view.at(&["macData"]).is_some();
    out.facts.push(if mac { "with MAC" } else { "without MAC" }.to_owned());
    out.details.extend(view.text(&["macData", "iterations"]).map(|text| ("iterations", text)));
}

fn private_key(view: &Fields<'_>, form: Form, out: &mut Summary) {
    let words = match form {
        Form::EncryptedPrivateKeyInfo => "encrypted private key",
        Form::RsaPrivateKey => "RSA private key (PKCS #1)",
        Form::EcPrivateKey => "EC private key (SEC 1)",
        Form::DsaPrivateKey => "DSA private key",
        _ => "private key (PKCS #8)",
    };
    words.clone_into(&mut out.title);
    let algorithm = ["privateKeyAlgorithm", "encryptionAlgorithm", "parameters"];
    out.facts.extend(algorithm.iter().find_map(|field| view.text(&[field])));
}

fn public_key(view: &Fields<'_>, out: &mut Summary) {
    "public key".clone_into(&mut out.title);
    out.facts.extend(view.text(&["algorithm"]));
}

fn other(view: &Fields<'_>, out: &mut Summary) {
    if let Some((node, place)) = view.root() {
        out.title = node.tag.to_string();
        let text = view.show(&node, &place);
        if !text.is_empty() {
            out.details.push(("value", text));
        }
    }
}

/// The type of the schema for a form.
impl Form {
    /// The type of the schema that describes the object.
    #[must_use]
    pub const fn schema(self) -> &'static Type {
        match self {
            Self::Certificate => &types::CERTIFICATE,
            Self::CertificateList => &types::CRL,
            Self::CertificationRequest => &types::CSR,
            Self::OcspResponse => &types::OCSP_RESPONSE,
            Self::OcspRequest => &types::OCSP_REQUEST,
            Self::ContentInfo => &types::CONTENT_INFO,
            Self::Pfx => &types::PFX,
            Self::OneAsymmetricKey => &types::PRIVATE_KEY_INFO,
            Self::EncryptedPrivateKeyInfo => &types::ENCRYPTED_PRIVATE_KEY_INFO,
            Self::RsaPrivateKey => &types::RSA_PRIVATE_KEY,
            Self::EcPrivateKey => &types::EC_PRIVATE_KEY,
            Self::DsaPrivateKey => &types::DSA_PRIVATE_KEY,
            Self::SubjectPublicKeyInfo => &types::SPKI,
            Self::RsaPublicKey => &types::RSA_PUBLIC_KEY,
            Self::Other => &types::ANY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_root_certificate_has_a_summary() {
        for root in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
            let summary = summary(root, Form::of(root, None));
            assert!(summary.facts.contains(&"CA".to_owned()), "{summary:?}");
            assert!(summary.title.len() > 3, "{summary:?}");
            let (from, to) = summary.period.unwrap();
            assert!(from < to);
            assert_eq!(summary.details[0].0, "serial");
        }
    }

    #[test]
    fn a_broken_object_has_a_summary_too() {
        let root = webpki_root_certs::TLS_SERVER_ROOT_CERTS[0].as_ref();
        for end in 0..root.len() {
            let cut = &root[..end];
            assert!(!summary(cut, Form::Certificate).title.is_empty());
        }
    }
}
