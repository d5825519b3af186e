//! What kind of object some octets are, told by the first few headers in them.

use crate::asn1::tag::octet;
use crate::asn1::{Header, header};

/// The kinds of objects that have a view of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An X.509 certificate (RFC 5280).
    Certificate,
    /// A certificate revocation list (RFC 5280).
    Crl,
    /// A PKCS #10 certification request (RFC 2986).
    Csr,
    /// An OCSP response (RFC 6960).
    OcspResponse,
    /// An OCSP request (RFC 6960).
    OcspRequest,
    /// A PKCS #7 or CMS message (RFC 5652).
    Pkcs7,
    /// A PKCS #12 container (RFC 7292).
    Pkcs12,
    /// A private key in any form, encrypted or not.
    PrivateKey,
    /// A public key alone.
    PublicKey,
    /// Anything else in DER or BER.
    Der,
}

impl Kind {
    /// Every kind, in the order of the batch contract.
    pub const ALL: [Self; 10] = [
        Self::Certificate,
        Self::Crl,
        Self::Csr,
        Self::OcspResponse,
        Self::OcspRequest,
        Self::Pkcs7,
        Self::Pkcs12,
        Self::PrivateKey,
        Self::PublicKey,
        Self::Der,
    ];

    /// The name in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certificate => "certificate",
            Self::Crl => "crl",
            Self::Csr => "csr",
            Self::OcspResponse => "ocsp-response",
            Self::OcspRequest => "ocsp-request",
            Self::Pkcs7 => "pkcs7",
            Self::Pkcs12 => "pkcs12",
            Self::PrivateKey => "private-key",
            Self::PublicKey => "public-key",
            Self::Der => "der",
        }
    }

    /// True for what holds other objects that can be taken out.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Pkcs7 | Self::Pkcs12 | Self::PrivateKey | Self::OcspResponse)
    }
}

/// The ASN.1 type of an object: a [`Kind`] can come in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// RFC 5280 `Certificate`.
    Certificate,
    /// RFC 5280 `CertificateList`.
    CertificateList,
    /// RFC 2986 `CertificationRequest`.
    CertificationRequest,
    /// RFC 6960 `OCSPResponse`.
    OcspResponse,
    /// RFC 6960 `OCSPRequest`.
    OcspRequest,
    /// RFC 5652 `ContentInfo`.
    ContentInfo,
    /// RFC 7292 `PFX`.
    Pfx,
    /// RFC 5958 `OneAsymmetricKey`, which PKCS #8 calls `PrivateKeyInfo`.
    OneAsymmetricKey,
    /// RFC 5958 `EncryptedPrivateKeyInfo`.
    EncryptedPrivateKeyInfo,
    /// RFC 8017 `RSAPrivateKey`.
    RsaPrivateKey,
    /// RFC 5915 `ECPrivateKey`, from SEC 1.
    EcPrivateKey,
    /// The `DSAPrivateKey` of OpenSSL: version, p, q, g, y, x.
    DsaPrivateKey,
    /// RFC 5280 `SubjectPublicKeyInfo`.
    SubjectPublicKeyInfo,
    /// RFC 8017 `RSAPublicKey`.
    RsaPublicKey,
    /// None of these.
    Other,
}

impl Form {
    /// The kind that this type is shown as.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Certificate => Kind::Certificate,
            Self::CertificateList => Kind::Crl,
            Self::CertificationRequest => Kind::Csr,
            Self::OcspResponse => Kind::OcspResponse,
            Self::OcspRequest => Kind::OcspRequest,
            Self::ContentInfo => Kind::Pkcs7,
            Self::Pfx => Kind::Pkcs12,
            Self::OneAsymmetricKey
            | Self::EncryptedPrivateKeyInfo
            | Self::RsaPrivateKey
            | Self::EcPrivateKey
            | Self::DsaPrivateKey => Kind::PrivateKey,
            Self::SubjectPublicKeyInfo | Self::RsaPublicKey => Kind::PublicKey,
            Self::Other => Kind::Der,
        }
    }

    /// The PEM label for it (RFC 7468, and those that programs write); `DER` where there is none.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Certificate => "CERTIFICATE",
            Self::CertificateList => "X509 CRL",
            Self::CertificationRequest => "CERTIFICATE REQUEST",
            Self::OcspResponse => "OCSP RESPONSE",
            Self::OcspRequest => "OCSP REQUEST",
            Self::ContentInfo => "CMS",
            Self::Pfx => "PKCS12",
            Self::OneAsymmetricKey => "PRIVATE KEY",
            Self::EncryptedPrivateKeyInfo => "ENCRYPTED PRIVATE KEY",
            Self::RsaPrivateKey => "RSA PRIVATE KEY",
            Self::EcPrivateKey => "EC PRIVATE KEY",
            Self::DsaPrivateKey => "DSA PRIVATE KEY",
            Self::SubjectPublicKeyInfo => "PUBLIC KEY",
            Self::RsaPublicKey => "RSA PUBLIC KEY",
            Self::Other => "DER",
        }
    }

    /// The type that a PEM label promises (RFC 7468, and labels that programs write).
    #[must_use]
    pub fn of_label(label: &str) -> Option<Self> {
        Some(match label {
            "CERTIFICATE" | "X509 CERTIFICATE" | "TRUSTED CERTIFICATE" | "X.509 CERTIFICATE" => {
                Self::Certificate
            }
            "X509 CRL" | "CRL" => Self::CertificateList,
            "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => Self::CertificationRequest,
            "OCSP RESPONSE" => Self::OcspResponse,
            "OCSP REQUEST" => Self::OcspRequest,
            "PKCS7" | "CMS" | "PKCS #7 SIGNED DATA" => Self::ContentInfo,
            "PKCS12" => Self::Pfx,
            "PRIVATE KEY" => Self::OneAsymmetricKey,
            "ENCRYPTED PRIVATE KEY" => Self::EncryptedPrivateKeyInfo,
            "RSA PRIVATE KEY" => Self::RsaPrivateKey,
            "EC PRIVATE KEY" => Self::EcPrivateKey,
            "DSA PRIVATE KEY" => Self::DsaPrivateKey,
            "PUBLIC KEY" => Self::SubjectPublicKeyInfo,
            "RSA PUBLIC KEY" => Self::RsaPublicKey,
            _ => return None,
        })
    }

    /// Tells the type of the first object in `octets` by its structure; where that says
    /// nothing, the PEM label decides.
    ///
    /// At most some twenty headers are read, whatever the size: it says what an object wants
    /// to be, not that it is well-formed.
    #[must_use]
    pub fn of(octets: &[u8], pem_label: Option<&str>) -> Self {
        let promised = pem_label.and_then(Self::of_label);
        match Self::by_structure(octets) {
            // PKCS #3 parameters with an odd generator look like an RSA key.
            Some(Self::RsaPublicKey) if pem_label.is_some_and(|l| l.contains("PARAMETERS")) => {
                Self::Other
            }
            Some(form) => form,
            None => promised.unwrap_or(Self::Other),
        }
    }

    fn by_structure(octets: &[u8]) -> Option<Self> {
        let first = Peek::new(octets).enter(octet::SEQUENCE)?;
        match first.tag()? {
            octet::OID => content_info(first),
            octet::ENUMERATED => {
                let mut next = first;
                next.skip()?;
                let ends = matches!(next.tag(), None | Some(EXPLICIT_0));
                ends.then_some(Self::OcspResponse)
            }
            octet::INTEGER => numbered(first),
            octet::SEQUENCE => signed(first).or_else(|| key_or_ciphertext(first)),
            _ => None,
        }
    }
}

/// Tells the kind of an object, see [`Form::of`].
#[must_use]
pub fn classify(octets: &[u8], pem_label: Option<&str>) -> Kind {
    Form::of(octets, pem_label).kind()
}

const EXPLICIT_0: u8 = octet::context_constructed(0);
const EXPLICIT_1: u8 = octet::context_constructed(1);

/// 1.2.840.113549.1.7, PKCS #7.
const PKCS7: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07";
/// 1.2.840.113549.1.9.16.1, the content types of S/MIME.
const SMIME_CONTENT: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01";
/// 1.2.840.113549.1.5, PKCS #5.
const PKCS5: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x05";
/// 1.2.840.113549.1.12.1, the encryption schemes of PKCS #12.
const PKCS12_PBE: &[u8] = b"\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x01";

/// Bits of an RSA modulus, in octets, below which two INTEGERs are taken for something else.
const MODULUS_OCTETS: u32 = 32;
/// Octets above which a second INTEGER is no RSA exponent.
const EXPONENT_OCTETS: u32 = 8;

fn content_info(mut next: Peek<'_>) -> Option<Form> {
    let oid = next.contents()?;
    if !oid.starts_with(PKCS7) && !oid.starts_with(SMIME_CONTENT) {
        return None;
    }
    next.skip()?;
    matches!(next.tag(), None | Some(EXPLICIT_0)).then_some(Form::ContentInfo)
}

/// What starts with a version or another number.
fn numbered(first: Peek<'_>) -> Option<Form> {
    let mut next = first;
    next.skip()?;
    match next.tag()? {
        octet::OCTET_STRING => Some(Form::EcPrivateKey),
        octet::SEQUENCE => {
            let algorithm = next.enter(octet::SEQUENCE)?;
            if algorithm.tag()? != octet::OID {
                return None;
            }
            if algorithm.contents()?.starts_with(PKCS7) {
                return Some(Form::Pfx);
            }
            next.skip()?;
            (next.tag()? == octet::OCTET_STRING).then_some(Form::OneAsymmetricKey)
        }
        octet::INTEGER => {
            let mut next = first;
            let mut lengths = [0_u32; 10];
            let mut count = 0;
            while next.tag() == Some(octet::INTEGER) && count < lengths.len() {
                lengths[count] = next.header()?.length?;
                next.skip()?;
                count += 1;
            }
            match (count, next.tag()) {
                // The exponent is odd: a generator of PKCS #3 mostly is 2.
                (2, None) => (lengths[0] >= MODULUS_OCTETS
                    && (1..=EXPONENT_OCTETS).contains(&lengths[1])
                    && lengths[0] > lengths[1]
                    && next.octets.get(next.at as usize - 1).is_some_and(|last| last & 1 == 1))
                .then_some(Form::RsaPublicKey),
                (6, None) => Some(Form::DsaPrivateKey),
                (9, None | Some(octet::SEQUENCE)) => Some(Form::RsaPrivateKey),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What starts with a "to be signed" part.
fn signed(first: Peek<'_>) -> Option<Form> {
    let mut outer = first;
    let mut tbs = first.enter(octet::SEQUENCE)?;
    // An OCSP request may end after its first part; all others have an algorithm next.
    let more = outer.skip().and_then(|()| outer.tag());
    let unsigned = !matches!(more, None | Some(octet::SEQUENCE));
    let form = match tbs.tag()? {
        EXPLICIT_0 => {
            tbs.skip()?;
            match tbs.tag()? {
                octet::SEQUENCE | EXPLICIT_1 => return Some(Form::OcspRequest),
                _ => Form::Certificate,
            }
        }
        EXPLICIT_1 => return request_list(tbs),
        octet::INTEGER => {
            tbs.skip()?;
            let part = tbs.enter(octet::SEQUENCE)?;
            if part.tag() == Some(octet::OID) {
                tbs.skip()?;
                tbs.enter(octet::SEQUENCE)?;
                tbs.skip()?;
                match tbs.tag()? {
                    octet::SEQUENCE => Form::Certificate,
                    octet::UTC_TIME | octet::GENERALIZED_TIME => Form::CertificateList,
                    _ => return None,
                }
            } else {
                // A name, empty or not, and a key.
                let name = matches!(part.tag(), None | Some(octet::SET));
                tbs.skip()?;
                let key = tbs.enter(octet::SEQUENCE)?.tag() == Some(octet::SEQUENCE);
                return (name && key && !unsigned).then_some(Form::CertificationRequest);
            }
        }
        octet::SEQUENCE => {
            if tbs.enter(octet::SEQUENCE)?.tag()? != octet::OID {
                return request_list(tbs);
            }
            tbs.skip()?;
            tbs.enter(octet::SEQUENCE)?;
            tbs.skip()?;
            if !matches!(tbs.tag()?, octet::UTC_TIME | octet::GENERALIZED_TIME) {
                return None;
            }
            Form::CertificateList
        }
        _ => return None,
    };
    (!unsigned).then_some(form)
}

/// `[1] requestorName OPTIONAL, SEQUENCE OF Request`, each with a CertID first.
fn request_list(mut tbs: Peek<'_>) -> Option<Form> {
    if tbs.tag()? == EXPLICIT_1 {
        tbs.skip()?;
    }
    let requests = tbs.enter(octet::SEQUENCE)?;
    let certificate = requests.enter(octet::SEQUENCE)?.enter(octet::SEQUENCE)?;
    let algorithm = certificate.enter(octet::SEQUENCE)?;
    (algorithm.tag()? == octet::OID).then_some(Form::OcspRequest)
}

/// An algorithm and octets: a public key, or an encrypted private one.
fn key_or_ciphertext(first: Peek<'_>) -> Option<Form> {
    let algorithm = first.enter(octet::SEQUENCE)?;
    if algorithm.tag()? != octet::OID {
        return None;
    }
    let mut next = first;
    next.skip()?;
    match next.tag()? {
        octet::BIT_STRING => Some(Form::SubjectPublicKeyInfo),
        octet::OCTET_STRING => {
            // A DigestInfo looks the same but for its algorithm.
            let oid = algorithm.contents()?;
            (oid.starts_with(PKCS5) || oid.starts_with(PKCS12_PBE))
                .then_some(Form::EncryptedPrivateKeyInfo)
        }
        _ => None,
    }
}

/// A tolerant cursor: BER is fine, and a value that is cut off ends with the input.
#[derive(Clone, Copy)]
struct Peek<'a> {
    octets: &'a [u8],
    at: u32,
}

impl<'a> Peek<'a> {
    fn new(octets: &'a [u8]) -> Self {
        Self { octets: &octets[..octets.len().min(u32::MAX as usize)], at: 0 }
    }

    fn header(&self) -> Option<Header> {
        Header::read(self.octets, self.at).ok()
    }

    /// The identifier octet of the next value, `None` at the end.
    fn tag(&self) -> Option<u8> {
        let octet = self.octets.get(self.at as usize).copied()?;
        // An end-of-contents is an end.
        (octet != 0).then_some(octet)
    }

    fn contents(&self) -> Option<&'a [u8]> {
        let header = self.header()?;
        self.octets.get(header.content as usize..header.end()? as usize)
    }

    /// A cursor before the first value inside the next one, which must have this tag.
    fn enter(&self, tag: u8) -> Option<Self> {
        if self.tag()? != tag {
            return None;
        }
        let (content, end) = match Header::read(self.octets, self.at) {
            Ok(h) => (h.content, h.end()),
            Err(e) if e.rule == &header::LENGTH_BEYOND => {
                let length = *self.octets.get(self.at as usize + 1)?;
                let more = if length < 0x80 { 0 } else { u32::from(length & 0x7f) };
                (self.at + 2 + more, None)
            }
            Err(_) => return None,
        };
        let octets = end.and_then(|end| self.octets.get(..end as usize)).unwrap_or(self.octets);
        Some(Self { octets, at: content })
    }

    /// Moves behind the next value; `None` when its end is not known.
    fn skip(&mut self) -> Option<()> {
        self.at = self.header()?.end()?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, oid, pem, sample, seq, tlv};

    const ALGORITHM: &str = "1.2.840.113549.1.1.11";

    fn algorithm(dotted: &str) -> Vec<u8> {
        seq([oid(dotted)])
    }

    #[test]
    fn samples_are_what_their_names_say() {
        for (name, octets, form) in [
            ("root", sample!("certificate-rsa-root.der"), Form::Certificate),
            ("v1", sample!("certificate-v1.der"), Form::Certificate),
            ("findings", sample!("certificate-findings.der"), Form::Certificate),
            ("mtc", sample!("certificate-mtc.der"), Form::Certificate),
            ("crl", sample!("crl-reasons.der"), Form::CertificateList),
            ("csr", sample!("csr-ml-dsa-44.der"), Form::CertificationRequest),
            ("request", sample!("ocsp-request.der"), Form::OcspRequest),
            ("signed request", sample!("ocsp-request-signed.der"), Form::OcspRequest),
            ("response", sample!("ocsp-response-good.der"), Form::OcspResponse),
            ("error", sample!("ocsp-response-unauthorized.der"), Form::OcspResponse),
            ("p7b", sample!("pkcs7-certificates.p7b"), Form::ContentInfo),
            ("ber p7b", sample!("pkcs7-indefinite.p7b"), Form::ContentInfo),
            ("ber cms", sample!("cms-signed-stream.ber"), Form::ContentInfo),
            ("enveloped", sample!("cms-enveloped.der"), Form::ContentInfo),
            ("p12", sample!("pkcs12-pbes2.p12"), Form::Pfx),
            ("pkcs8", sample!("key-ed25519.pk8"), Form::OneAsymmetricKey),
            ("encrypted", sample!("key-encrypted-scrypt.pk8"), Form::EncryptedPrivateKeyInfo),
            ("sec1", sample!("key-explicit-curve.der"), Form::EcPrivateKey),
            ("spki", sample!("public-key-rsa.der"), Form::SubjectPublicKeyInfo),
            ("concatenated", sample!("concatenated.der"), Form::Certificate),
        ] {
            assert_eq!(Form::of(octets, None), form, "{name}");
            // A label is a hint only.
            assert_eq!(Form::of(octets, Some("X509 CRL")), form, "{name}");
            // The head is enough.
            let cut = &octets[..octets.len().min(150)];
            if !matches!(form, Form::SubjectPublicKeyInfo | Form::OcspResponse) {
                assert_eq!(Form::of(cut, None), form, "{name} cut off");
            }
        }
        let text = String::from_utf8_lossy(sample!("key-rsa-pkcs1.pem"));
        assert_eq!(Form::of(&pem(&text, "RSA PRIVATE KEY"), None), Form::RsaPrivateKey);
    }

    #[test]
    fn lookalikes_are_told_apart() {
        let (large, small) = (tlv(2, &[0x41; 128]), tlv(2, &[3]));
        let public = seq([large.clone(), small.clone()]);
        assert_eq!(Form::of(&public, None), Form::RsaPublicKey);
        assert_eq!(Form::of(&public, Some("DH PARAMETERS")), Form::Other);
        // PKCS #3 with the generator 2; an ECDSA signature; too small a modulus.
        for other in [
            seq([large.clone(), tlv(2, &[2])]),
            seq([tlv(2, &[0x41; 32]), tlv(2, &[0x41; 32])]),
            seq([tlv(2, &[0x41; 8]), small]),
            seq([]),
            tlv(4, &[1, 2, 3]),
            Vec::new(),
        ] {
            assert_eq!(Form::of(&other, None), Form::Other);
        }
        // An encrypted key and a DigestInfo differ in the algorithm alone.
        let encrypted = seq([algorithm("1.2.840.113549.1.5.13"), tlv(4, &[0; 8])]);
        assert_eq!(Form::of(&encrypted, None), Form::EncryptedPrivateKeyInfo);
        let digest = seq([algorithm("2.16.840.1.101.3.4.2.1"), tlv(4, &[0; 32])]);
        assert_eq!(Form::of(&digest, None), Form::Other);
        // A CRL of version 1 and an OCSP request both start with three SEQUENCEs.
        let name = seq([]);
        let crl = seq([seq([algorithm(ALGORITHM), name, tlv(0x17, b"260101000000Z")])]);
        assert_eq!(Form::of(&crl, None), Form::CertificateList);
        let request = seq([seq([seq([seq([seq([algorithm(ALGORITHM)])])])])]);
        assert_eq!(Form::of(&request, None), Form::OcspRequest);
    }

    #[test]
    fn the_label_decides_where_the_structure_does_not() {
        assert_eq!(classify(b"\x30\x03\x02\x01", Some("CERTIFICATE")), Kind::Certificate);
        assert_eq!(classify(b"", Some("X509 CRL")), Kind::Crl);
        assert_eq!(classify(b"\x30\x00", Some("SOMETHING ELSE")), Kind::Der);
    }

    #[test]
    fn nothing_breaks_it_and_nothing_is_expensive() {
        for octets in [sample!("ocsp-request.der"), sample!("pkcs7-indefinite.p7b")] {
            mutations(octets, |m| {
                let _ = Form::of(m, None);
            });
        }
        let deep = [0x30, 0x80].repeat(1_000_000);
        assert_eq!(Form::of(&deep, None), Form::Other);
        let wide = tlv(0x30, &[2, 1, 0].repeat(1_000_000));
        assert_eq!(Form::of(&wide, None), Form::Other);
    }
}
