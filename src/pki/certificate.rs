//! Certificates (RFC 5280 4.1).
//!
//! Reading is tolerant and allocates nothing: it notes where the fields stand and refuses only
//! what has not the shape of a certificate in DER lengths. What certificates issued for real
//! break beyond that is listed by [`Certificate::violations`]; a certificate without any is one
//! that [`Certificate::parse_strict`] takes.

use std::cmp::Ordering;

use crate::asn1::tag::octet;
use crate::asn1::value::bits::BitString;
use crate::asn1::value::integer;
use crate::asn1::value::time::Time;
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::extension::key::KEY_CERT_SIGN;
use crate::pki::extension::{Extensions, Value};
use crate::pki::fields::{DEFAULT_ENCODED, small};
use crate::pki::findings::Findings;
use crate::pki::list::List;
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::spki::{PublicKey, SpkiSpans};
use crate::rule;

rule! {
    VERSION_UNKNOWN, "version-unknown", "RFC 5280 4.1.2.1",
        "the version of a certificate is 1, 2 or 3";
    VERSION_EXTENSIONS, "version-extensions", "RFC 5280 4.1.2.1",
        "a certificate with extensions is of version 3";
    VERSION_UNIQUE_ID, "version-unique-id", "RFC 5280 4.1.2.8",
        "a certificate with unique identifiers is of version 2 or 3";
    UNIQUE_ID, "unique-id", "RFC 5280 4.1.2.8", "conforming CAs issue no unique identifiers";
    SERIAL_POSITIVE, "serial-positive", "RFC 5280 4.1.2.2",
        "a serial number is a positive integer";
    SERIAL_LENGTH, "serial-length", "RFC 5280 4.1.2.2",
        "a serial number has at most 20 octets";
    SIGNATURE_ALGORITHMS_DIFFER, "signature-algorithms-differ", "RFC 5280 4.1.1.2",
        "the signature algorithm is not the one inside the signed part";
    ISSUER_EMPTY, "issuer-empty", "RFC 5280 4.1.2.4", "the issuer has no name";
    VALIDITY_ORDER, "validity-order", "RFC 5280 4.1.2.5", "notAfter is before notBefore";
    SUBJECT_EMPTY, "subject-empty", "RFC 5280 4.1.2.6",
        "a subject without a name needs a critical subjectAltName, and a CA needs a name";
    CA_NOT_CRITICAL, "basic-constraints-not-critical", "RFC 5280 4.2.1.9",
        "the basic constraints of a CA must be critical";
    CERT_SIGN_NO_CA, "key-cert-sign-without-ca", "RFC 5280 4.2.1.9",
        "the key usage is to sign certificates though cA is not true";
    PATH_LENGTH_NO_CERT_SIGN, "path-length-without-cert-sign", "RFC 5280 4.2.1.9",
        "a path length is there though the key usage is not to sign certificates";
    SIGNATURE_UNUSED_BITS, "signature-unused-bits", "RFC 5280 4.1.1.3",
        "the octets of a signature leave no bits unused";
}

/// The most octets of a serial number (RFC 5280 4.1.2.2).
const SERIAL_OCTETS: usize = 20;

/// A certificate: spans into its DER, 200 octets and no heap.
#[derive(Debug, Clone, Copy)]
pub struct Certificate<'a> {
    der: &'a [u8],
    tbs: Span,
    /// Where the contents octets of the signed part begin, and so the version if encoded.
    fields: u32,
    /// Contents of the INTEGER; empty when absent.
    version: Span,
    serial: Span,
    inner_algorithm: AlgorithmSpans,
    issuer: Span,
    not_before: Tlv,
    not_after: Tlv,
    subject: Span,
    spki: SpkiSpans,
    issuer_unique_id: Span,
    subject_unique_id: Span,
    /// The whole SEQUENCE OF; empty when absent.
    extensions: Span,
    algorithm: AlgorithmSpans,
    signature: Span,
}

impl<'a> Certificate<'a> {
    /// Reads a certificate that takes all of `der`.
    ///
    /// # Errors
    /// When a field is missing, of another type, or too much; when a length is not DER; when
    /// octets follow. The contents of fields are not looked at.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut outer) = Reader::single(der, octet::SEQUENCE)?;
        let tbs_tlv = outer.expect(octet::SEQUENCE)?;
        let mut tbs = tbs_tlv.enter(der);
        let mut version = Span::default();
        if let Some(tlv) = tbs.optional(octet::context_constructed(0))? {
            let mut explicit = tlv.enter(der);
            version = explicit.expect(octet::INTEGER)?.contents();
            explicit.finish()?;
        }
        let serial = tbs.expect(octet::INTEGER)?.contents();
        let inner_algorithm = AlgorithmSpans::read(&mut tbs)?;
        let issuer = tbs.expect(octet::SEQUENCE)?.span();
        let mut validity = tbs.enter(octet::SEQUENCE)?;
        let not_before = Moment::header(&mut validity)?;
        let not_after = Moment::header(&mut validity)?;
        validity.finish()?;
        let subject = tbs.expect(octet::SEQUENCE)?.span();
        let spki = SpkiSpans::read(&mut tbs)?;
        let mut unique = |n| {
            tbs.optional(octet::context(n)).map(|t| t.map_or_else(Span::default, |t| t.contents()))
        };
        let issuer_unique_id = unique(1)?;
        let subject_unique_id = unique(2)?;
        let mut extensions = Span::default();
        if let Some(tlv) = tbs.optional(octet::context_constructed(3))? {
            let mut explicit = tlv.enter(der);
            extensions = explicit.expect(octet::SEQUENCE)?.span();
            explicit.finish()?;
        }
        tbs.finish()?;
        let algorithm = AlgorithmSpans::read(&mut outer)?;
        let signature = outer.expect(octet::BIT_STRING)?.contents();
        outer.finish()?;
        Ok(Self {
            der,
            tbs: tbs_tlv.span(),
            fields: tbs_tlv.content,
            version,
            serial,
            inner_algorithm,
            issuer,
            not_before,
            not_after,
            subject,
            spki,
            issuer_unique_id,
            subject_unique_id,
            extensions,
            algorithm,
            signature,
        })
    }

    /// Reads a certificate that breaks no rule known here.
    ///
    /// # Errors
    /// The first rule that is broken, in order of offset.
    pub fn parse_strict(der: &'a [u8]) -> Result<Self, Error> {
        let certificate = Self::parse(der)?;
        let mut findings = Findings::default();
        certificate.violations(&mut findings);
        match findings.into_list().first() {
            Some(finding) => Err(Error::new(finding.offset, finding.rule)),
            None => Ok(certificate),
        }
    }

    /// All octets.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The signed part, TBSCertificate, with tag and length.
    #[must_use]
    pub fn tbs(&self) -> &'a [u8] {
        self.tbs.of(self.der)
    }

    /// 1, 2 or 3; another number when the encoding has it, `None` when that is negative or of
    /// more than 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        if self.version.is_empty() {
            return Some(1);
        }
        small(self.version.of(self.der))?.checked_add(1)
    }

    /// Contents octets of the serial number.
    #[must_use]
    pub fn serial(&self) -> &'a [u8] {
        self.serial.of(self.der)
    }

    /// The name of who signed.
    #[must_use]
    pub const fn issuer(&self) -> Name<'a> {
        Name::of(self.der, self.issuer)
    }

    /// The name of who holds the key.
    #[must_use]
    pub const fn subject(&self) -> Name<'a> {
        Name::of(self.der, self.subject)
    }

    /// First moment of validity, as encoded.
    #[must_use]
    pub const fn not_before(&self) -> Moment<'a> {
        Moment::of(self.der, self.not_before)
    }

    /// Last moment of validity, as encoded.
    #[must_use]
    pub const fn not_after(&self) -> Moment<'a> {
        Moment::of(self.der, self.not_after)
    }

    /// Both ends of validity.
    ///
    /// # Errors
    /// When one of them is no time.
    pub fn validity(&self) -> Result<(Time, Time), Error> {
        Ok((self.not_before().time()?, self.not_after().time()?))
    }

    /// The key.
    #[must_use]
    pub const fn public_key(&self) -> PublicKey<'a> {
        self.spki.of(self.der)
    }

    /// The algorithm of the signature: the outer field, which verifiers use.
    #[must_use]
    pub const fn signature_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.der)
    }

    /// The octets of the signature.
    #[must_use]
    pub fn signature(&self) -> &'a [u8] {
        self.signature.of(self.der).get(1..).unwrap_or_default()
    }

    /// The extensions, none when there are none.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        List::within(self.der, self.extensions, octet::SEQUENCE)
    }

    /// Contents octets of the BIT STRINGs `issuerUniqueID` and `subjectUniqueID`.
    #[must_use]
    pub fn unique_ids(&self) -> [Option<&'a [u8]>; 2] {
        [self.issuer_unique_id, self.subject_unique_id]
            .map(|span| (!span.is_empty()).then(|| span.of(self.der)))
    }

    /// True when issuer and subject have the same octets.
    #[must_use]
    pub fn is_self_issued(&self) -> bool {
        self.issuer().der() == self.subject().der()
    }

    /// True when the basic constraints say that the subject is a CA.
    #[must_use]
    pub fn is_ca(&self) -> bool {
        let found = self.extensions().find(BASIC_CONSTRAINTS);
        matches!(
            found.map(|e| e.value()),
            Some(Ok(Some(Value::BasicConstraints(constraints)))) if constraints.ca.value
        )
    }

    /// Lists all rules known here that the certificate breaks, down to every attribute and
    /// extension value. Linear in the length of the certificate.
    pub fn violations(&self, findings: &mut Findings) {
        self.version_violations(findings);
        self.serial_violations(findings);
        self.inner_algorithm.of(self.der).violations(true, findings);
        if self.inner_algorithm.whole.of(self.der) != self.algorithm.whole.of(self.der) {
            findings.add(self.algorithm.whole.start, &SIGNATURE_ALGORITHMS_DIFFER);
            self.algorithm.of(self.der).violations(true, findings);
        }
        if self.issuer().is_empty() {
            findings.add(self.issuer.start, &ISSUER_EMPTY);
        }
        let before = findings.count();
        self.issuer().violations(findings);
        let sound_issuer = findings.count() == before;
        self.not_before().violations(findings);
        self.not_after().violations(findings);
        if let Ok((first, last)) = self.validity()
            && first.instant().cmp(&last.instant()) == Ordering::Greater
        {
            findings.add(self.not_after.start, &VALIDITY_ORDER);
        }
        // The octets of a self-issued name are sound twice.
        if !(sound_issuer && self.is_self_issued()) {
            self.subject().violations(findings);
        }
        self.public_key().violations(findings);
        if !self.extensions.is_empty() {
            self.extensions().violations(findings);
        }
        self.profile_violations(findings);
        let bits = self.signature.of(self.der);
        if !BitString::parse(bits, self.signature.start).is_ok_and(|b| b.unused == 0) {
            // The BIT STRING follows the algorithm.
            findings.add(self.algorithm.whole.end, &SIGNATURE_UNUSED_BITS);
        }
    }

    fn version_violations(&self, findings: &mut Findings) {
        let (at, content) = (self.version.start, self.version.of(self.der));
        if at != 0 {
            findings.check(integer::check(content, at));
        }
        let version = self.version();
        match version {
            Some(1) if at != 0 => findings.add(self.fields, &DEFAULT_ENCODED),
            Some(1..=3) => {}
            _ => findings.add(at, &VERSION_UNKNOWN),
        }
        if !self.extensions.is_empty() && version != Some(3) {
            findings.add(self.extensions.start, &VERSION_EXTENSIONS);
        }
        for id in [self.issuer_unique_id, self.subject_unique_id] {
            if id.start != 0 {
                findings.check(crate::asn1::value::bits::check(id.of(self.der), id.start));
                let rule = if version == Some(1) { &VERSION_UNIQUE_ID } else { &UNIQUE_ID };
                findings.add(id.start, rule);
            }
        }
    }

    fn serial_violations(&self, findings: &mut Findings) {
        let (at, serial) = (self.serial.start, self.serial());
        findings.check(integer::check(serial, at));
        if serial.first().is_some_and(|b| b & 0x80 != 0) || serial.iter().all(|b| *b == 0) {
            findings.add(at, &SERIAL_POSITIVE);
        }
        if serial.len() > SERIAL_OCTETS {
            findings.add(at, &SERIAL_LENGTH);
        }
    }

    /// The rules that join several fields.
    fn profile_violations(&self, findings: &mut Findings) {
        let (mut ca, mut path_length, mut cert_sign, mut critical_names) =
            (false, false, None, false);
        for extension in self.extensions().iter().flatten() {
            match extension.oid().0 {
                BASIC_CONSTRAINTS => {
                    if let Ok(Some(Value::BasicConstraints(constraints))) = extension.value() {
                        ca = constraints.ca.value;
                        path_length = constraints.path_length.is_some();
                        if ca && !extension.critical() {
                            findings.add(extension.offset(), &CA_NOT_CRITICAL);
                        }
                    }
                }
                KEY_USAGE => {
                    if let Ok(Some(Value::KeyUsage(usage))) = extension.value() {
                        cert_sign = Some((usage.usages.bit(KEY_CERT_SIGN), extension.offset()));
                    }
                }
                SUBJECT_ALT_NAME => critical_names |= extension.critical(),
                _ => {}
            }
        }
        match cert_sign {
            Some((true, at)) if !ca && self.version() == Some(3) => {
                findings.add(at, &CERT_SIGN_NO_CA);
            }
            Some((false, at)) if path_length => findings.add(at, &PATH_LENGTH_NO_CERT_SIGN),
            _ => {}
        }
        if self.subject().is_empty() && (ca || !critical_names) {
            findings.add(self.subject.start, &SUBJECT_EMPTY);
        }
    }
}

const SUBJECT_ALT_NAME: &[u8] = b"\x55\x1d\x11";
const BASIC_CONSTRAINTS: &[u8] = b"\x55\x1d\x13";
const KEY_USAGE: &[u8] = b"\x55\x1d\x0f";
