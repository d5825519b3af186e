//! Certificate revocation lists (RFC 5280 5).
//!
//! The list of revoked certificates is walked, never collected: a list of two and a half
//! million entries takes no memory here.

use serde::Serialize;

use crate::asn1::tag::octet;
use crate::asn1::value::bits::BitString;
use crate::asn1::value::integer;
use crate::asn1::{Error, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::certificate::{ISSUER_EMPTY, SIGNATURE_ALGORITHMS_DIFFER, SIGNATURE_UNUSED_BITS};
use crate::pki::extension::Extensions;
use crate::pki::fields::small;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::moment::Moment;
use crate::pki::name::Name;
use crate::pki::show::Hex;
use crate::rule;

rule! {
    CRL_VERSION, "crl-version", "RFC 5280 5.1.2.1", "the version of a CRL is absent or 2";
    CRL_VERSION_EXTENSIONS, "crl-version-extensions", "RFC 5280 5.1.2.1",
        "a CRL with extensions is of version 2";
    NEXT_UPDATE_MISSING, "crl-next-update", "RFC 5280 5.1.2.5", "the time of the next CRL is missing";
    UPDATE_ORDER, "crl-update-order", "RFC 5280 5.1.2.5", "nextUpdate is before thisUpdate";
    REVOKED_EMPTY, "crl-revoked-empty", "RFC 5280 5.1.2.6",
        "the list of revoked certificates is there though it is empty";
}

/// A CRL: spans into its DER.
#[derive(Debug, Clone, Copy)]
pub struct Crl<'a> {
    der: &'a [u8],
    tbs: Span,
    /// Contents of the INTEGER; empty when absent.
    version: Span,
    inner_algorithm: AlgorithmSpans,
    issuer: Span,
    this_update: Tlv,
    next_update: Option<Tlv>,
    /// The whole SEQUENCE OF; empty when absent.
    revoked: Span,
    /// The whole SEQUENCE OF; empty when absent.
    extensions: Span,
    algorithm: AlgorithmSpans,
    signature: Span,
}

/// An entry of `revokedCertificates`.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Revoked<'a> {
    /// Contents octets of the serial number.
    pub serial_number: Hex<'a>,
    /// When it was revoked.
    pub revocation_date: Moment<'a>,
    /// Extensions of the entry.
    #[serde(skip_serializing_if = "List::is_empty")]
    pub extensions: Extensions<'a>,
    #[serde(skip)]
    serial_at: u32,
    #[serde(skip)]
    has_extensions: bool,
}

impl<'a> Decode<'a> for Revoked<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let serial = r.expect(octet::INTEGER)?.contents();
        let revocation_date = Moment::decode(&mut r)?;
        let has_extensions = !r.is_empty();
        let extensions = if has_extensions { List::sequence(&mut r)? } else { List::new(r) };
        r.finish()?;
        Ok(Self {
            serial_number: Hex(serial.of(reader.object())),
            revocation_date,
            extensions,
            serial_at: serial.start,
            has_extensions,
        })
    }
}

impl<'a> Crl<'a> {
    /// Reads a CRL that takes all of `der`. Entries and extensions are not looked at.
    ///
    /// # Errors
    /// When a field is missing, of another type, or too much; when a length is not DER; when
    /// octets follow.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut outer) = Reader::single(der, octet::SEQUENCE)?;
        let tbs_tlv = outer.expect(octet::SEQUENCE)?;
        let mut tbs = tbs_tlv.enter(der);
        let version = tbs.optional(octet::INTEGER)?.map_or_else(Span::default, |t| t.contents());
        let inner_algorithm = AlgorithmSpans::read(&mut tbs)?;
        let issuer = tbs.expect(octet::SEQUENCE)?.span();
        let this_update = Moment::header(&mut tbs)?;
        let next_update = match tbs.peek() {
            Some(octet::UTC_TIME | octet::GENERALIZED_TIME) => Some(Moment::header(&mut tbs)?),
            _ => None,
        };
        let revoked = tbs.optional(octet::SEQUENCE)?.map_or_else(Span::default, |t| t.span());
        let mut extensions = Span::default();
        if let Some(tlv) = tbs.optional(octet::context_constructed(0))? {
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
            version,
            inner_algorithm,
            issuer,
            this_update,
            next_update,
            revoked,
            extensions,
            algorithm,
            signature,
        })
    }

    /// All octets.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The signed part, TBSCertList, with tag and length.
    #[must_use]
    pub fn tbs(&self) -> &'a [u8] {
        self.tbs.of(self.der)
    }

    /// 1 or 2; another number when the encoding has it, `None` when that is negative or of more
    /// than 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        if self.version.is_empty() {
            return Some(1);
        }
        small(self.version.of(self.der))?.checked_add(1)
    }

    /// The name of who signed.
    #[must_use]
    pub const fn issuer(&self) -> Name<'a> {
        Name::of(self.der, self.issuer)
    }

    /// When the list was made.
    #[must_use]
    pub const fn this_update(&self) -> Moment<'a> {
        Moment::of(self.der, self.this_update)
    }

    /// When there will be a new one at the latest.
    #[must_use]
    pub fn next_update(&self) -> Option<Moment<'a>> {
        self.next_update.map(|tlv| Moment::of(self.der, tlv))
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

    /// The revoked certificates, read while they are walked.
    #[must_use]
    pub fn revoked(&self) -> List<'a, Revoked<'a>> {
        self.list(self.revoked)
    }

    /// The extensions of the CRL.
    #[must_use]
    pub fn extensions(&self) -> Extensions<'a> {
        self.list(self.extensions)
    }

    /// The elements of the SEQUENCE at `span`, none when it is absent.
    fn list<T: Decode<'a>>(&self, span: Span) -> List<'a, T> {
        List::within(self.der, span, octet::SEQUENCE)
    }

    /// Lists the rules known here that the CRL breaks, down to every entry. Linear in the length
    /// of the CRL; it stops at the limit of `findings`.
    pub fn violations(&self, findings: &mut Findings) {
        let (at, content) = (self.version.start, self.version.of(self.der));
        if at != 0 {
            findings.check(integer::check(content, at));
            if content != [1] {
                findings.add(at, &CRL_VERSION);
            }
        }
        if !self.extensions.is_empty() && self.version() != Some(2) {
            findings.add(self.extensions.start, &CRL_VERSION_EXTENSIONS);
        }
        self.inner_algorithm.of(self.der).violations(true, findings);
        if self.inner_algorithm.whole.of(self.der) != self.algorithm.whole.of(self.der) {
            findings.add(self.algorithm.whole.start, &SIGNATURE_ALGORITHMS_DIFFER);
            self.algorithm.of(self.der).violations(true, findings);
        }
        if self.issuer().is_empty() {
            findings.add(self.issuer.start, &ISSUER_EMPTY);
        }
        self.issuer().violations(findings);
        self.this_update().violations(findings);
        match self.next_update() {
            Some(next) => {
                next.violations(findings);
                if let (Ok(this), Ok(next)) = (self.this_update().time(), next.time())
                    && this.instant() > next.instant()
                {
                    findings.add(self.tlv_start(), &UPDATE_ORDER);
                }
            }
            None => findings.add(self.this_update.start, &NEXT_UPDATE_MISSING),
        }
        if !self.revoked.is_empty() && self.revoked().is_empty() {
            findings.add(self.revoked.start, &REVOKED_EMPTY);
        }
        for entry in &self.revoked() {
            let Some(entry) = findings.ok(entry) else { break };
            if findings.is_full() {
                break;
            }
            entry.violations(findings, self.version());
        }
        if !self.extensions.is_empty() {
            self.extensions().violations(findings);
        }
        let bits = self.signature.of(self.der);
        if !BitString::parse(bits, self.signature.start).is_ok_and(|b| b.unused == 0) {
            findings.add(self.algorithm.whole.end, &SIGNATURE_UNUSED_BITS);
        }
    }

    fn tlv_start(&self) -> u32 {
        self.next_update.map_or(self.this_update.start, |tlv| tlv.start)
    }
}

impl Revoked<'_> {
    fn violations(&self, findings: &mut Findings, version: Option<u64>) {
        findings.check(integer::check(self.serial_number.0, self.serial_at));
        self.revocation_date.violations(findings);
        if self.has_extensions {
            if version != Some(2) {
                findings.add(self.extensions.offset(), &CRL_VERSION_EXTENSIONS);
            }
            self.extensions.violations(findings);
        }
    }
}
