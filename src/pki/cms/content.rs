//! The outermost type of a message, and the choice of what is in it.

use super::envelope::Envelope;
use super::id;
use super::signed::SignedData;
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, oid};
use crate::asn1::{Error, Finding, Reader, Span, Tlv};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;

/// `SEQUENCE { contentType, [0] EXPLICIT ANY OPTIONAL }`.
#[derive(Debug, Clone, Copy)]
pub struct ContentInfo<'a> {
    object: &'a [u8],
    tlv: Tlv,
    content_type: Span,
    content: Option<Tlv>,
}

impl<'a> Decode<'a> for ContentInfo<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let object = reader.object();
        let tlv = reader.expect(octet::SEQUENCE)?;
        let mut r = tlv.enter(object);
        let content_type = r.expect(octet::OID)?.contents();
        let mut content = None;
        if let Some(explicit) = r.optional(octet::context_constructed(0))? {
            let mut inner = explicit.enter(object);
            content = Some(inner.any()?);
            inner.finish()?;
        }
        r.finish()?;
        Ok(Self { object, tlv, content_type, content })
    }
}

impl<'a> ContentInfo<'a> {
    /// The type of the content.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        Oid(self.content_type.of(self.object))
    }

    /// Where the content stands, `None` when it is not there.
    #[must_use]
    pub const fn content(&self) -> Option<Tlv> {
        self.content
    }

    /// Where it stands.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.tlv
    }

    /// The object it was read from.
    #[must_use]
    pub const fn object(&self) -> &'a [u8] {
        self.object
    }

    /// The octets of content of the type `data`; `None` for other types and without content.
    ///
    /// # Errors
    /// When the content is no OCTET STRING.
    #[must_use]
    pub fn data(&self) -> Option<Result<Span, Error>> {
        let tlv = self.content.filter(|_| self.content_type().0 == id::DATA)?;
        Some(Reader::within(self.object, tlv.span()).expect(octet::OCTET_STRING))
            .map(|r| r.map(|tlv| tlv.contents()))
    }

    /// Decodes the content by its type.
    ///
    /// # Errors
    /// Where the content breaks the shape of its type.
    pub fn decode_content(&self) -> Result<Content<'a>, Error> {
        let Some(tlv) = self.content else { return Ok(Content::Absent) };
        let reader = &mut Reader::within(self.object, tlv.span());
        Ok(match self.content_type().0 {
            id::SIGNED => Content::Signed(SignedData::decode(reader)?),
            id::DATA => Content::Data(reader.expect(octet::OCTET_STRING)?.contents()),
            id::ENVELOPED
            | id::SIGNED_AND_ENVELOPED
            | id::DIGESTED
            | id::ENCRYPTED
            | id::AUTHENTICATED
            | id::COMPRESSED
            | id::AUTH_ENVELOPED => Content::Envelope(Envelope::read(reader, self.content_type())?),
            _ => Content::Other(tlv),
        })
    }
}

/// What is in a message.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// Octets, without meaning here.
    Data(Span),
    /// SignedData.
    Signed(SignedData<'a>),
    /// What is encrypted, digested, authenticated or compressed.
    Envelope(Envelope<'a>),
    /// A type that is not decoded.
    Other(Tlv),
    /// No content at all.
    Absent,
}

/// A whole message.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    der: &'a [u8],
    info: ContentInfo<'a>,
    content: Content<'a>,
}

impl<'a> Message<'a> {
    /// Reads a message, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that the outer shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der);
        let info = ContentInfo::decode(&mut reader)?;
        reader.finish()?;
        Ok(Self { der, info, content: info.decode_content()? })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The type of the content.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        self.info.content_type()
    }

    /// The content.
    #[must_use]
    pub const fn content(&self) -> &Content<'a> {
        &self.content
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        findings.check(oid::check(self.content_type().0, self.info.content_type.start));
        match &self.content {
            Content::Signed(signed) => signed.violations(&mut findings),
            Content::Envelope(envelope) => envelope.violations(&mut findings),
            Content::Data(_) | Content::Other(_) | Content::Absent => {}
        }
        findings.into_list()
    }
}
