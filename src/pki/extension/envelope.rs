//! The frame around every extension: identifier, criticality, octets (RFC 5280 4.1.2.9).

use crate::asn1::tag::octet;
use crate::asn1::value::oid::{self, Oid};
use crate::asn1::{Error, Reader, Span};
use crate::pki::distinct::Distinct;
use crate::pki::fields::DefaultFalse;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::rule;

rule! {
    EXTENSIONS_EMPTY, "extensions-empty", "RFC 5280 4.1.2.9",
        "a list of extensions has at least one, or is absent";
    EXTENSION_DUPLICATE, "extension-duplicate", "RFC 5280 4.2",
        "an extension is there more than once";
}

/// An `Extension`. Its value is decoded by [`Extension::value`](crate::pki::extension::Value).
#[derive(Debug, Clone, Copy)]
pub struct Extension<'a> {
    object: &'a [u8],
    start: u32,
    oid: Span,
    critical: DefaultFalse,
    value: Span,
}

/// A list of extensions.
pub type Extensions<'a> = List<'a, Extension<'a>>;

impl<'a> Decode<'a> for Extension<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let oid = r.expect(octet::OID)?.contents();
        let critical = DefaultFalse::read(&mut r, octet::BOOLEAN)?;
        let value = r.expect(octet::OCTET_STRING)?.contents();
        r.finish()?;
        Ok(Self { object: reader.object(), start, oid, critical, value })
    }
}

impl<'a> Extension<'a> {
    /// Which extension it is.
    #[must_use]
    pub fn oid(&self) -> Oid<'a> {
        Oid(self.oid.of(self.object))
    }

    /// True when who does not know the extension must reject the certificate.
    #[must_use]
    pub const fn critical(&self) -> bool {
        self.critical.value
    }

    /// The contents octets of `extnValue`: one DER value if the extension is well made.
    #[must_use]
    pub fn der(&self) -> &'a [u8] {
        self.value.of(self.object)
    }

    /// A cursor before the value.
    #[must_use]
    pub fn reader(&self) -> Reader<'a> {
        Reader::within(self.object, self.value)
    }

    /// Offset of the extension.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.start
    }

    /// Checks identifier and criticality, not the value.
    pub fn frame_violations(&self, findings: &mut Findings) {
        findings.check(oid::check(self.oid().0, self.oid.start));
        self.critical.violations(self.object, findings);
    }
}

impl<'a> Extensions<'a> {
    /// The first extension whose identifier has the contents octets `oid`.
    #[must_use]
    pub fn find(&self, oid: &[u8]) -> Option<Extension<'a>> {
        self.iter().flatten().find(|e| e.oid().0 == oid)
    }
}

/// Extensions seen, to find those that are there twice: a bit for each of the arc id-ce, which
/// are most, and a set for the others.
#[derive(Default)]
pub struct Seen<'a> {
    id_ce: u128,
    others: Distinct<'a>,
}

impl<'a> Seen<'a> {
    /// Notes an extension and adds a finding when it was there before.
    pub fn note(&mut self, extension: &Extension<'a>, findings: &mut Findings) {
        let oid = extension.oid().0;
        let first = match *oid {
            [0x55, 0x1d, last @ 0..=0x7f] => {
                let bit = 1 << last;
                let first = self.id_ce & bit == 0;
                self.id_ce |= bit;
                first
            }
            _ => self.others.insert(oid),
        };
        if !first {
            findings.add(extension.offset(), &EXTENSION_DUPLICATE);
        }
    }
}
