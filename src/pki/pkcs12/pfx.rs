//! The outer structure: the authenticated safes and what protects them (RFC 7292 4).

use std::borrow::Cow;

use super::bag::{Bag, Bags};
use super::mac::Mac;
use crate::asn1::tag::octet;
use crate::asn1::value::{Oid, integer};
use crate::asn1::{Error, Finding, Reader, Span, Tlv, ber};
use crate::pki::cms::{ContentInfo, EncryptedContent, id};
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::rule;

rule! {
    PFX_VERSION, "pfx-version", "RFC 7292 4", "the version of a PFX is 3";
    PFX_CONTENT, "pfx-content", "RFC 7292 4", "the safe of a PFX is data or signedData";
    SAFE_CONTENT, "pfx-safe-content", "RFC 7292 4.1",
        "a safe is data, encryptedData or envelopedData";
}

/// A `PFX`. Reading it walks no list.
#[derive(Debug, Clone, Copy)]
pub struct Pfx<'a> {
    der: &'a [u8],
    version: Tlv,
    info: ContentInfo<'a>,
    mac: Option<Mac<'a>>,
}

impl<'a> Pfx<'a> {
    /// Reads a container, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that its outer shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut r) = Reader::single(der, octet::SEQUENCE)?;
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let info = ContentInfo::decode(&mut r)?;
        let mac = if r.is_empty() { None } else { Some(Mac::decode(&mut r)?) };
        r.finish()?;
        Ok(Self { der, version, info, mac })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// The version as encoded, `None` when it does not fit 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.version.contents().of(self.der))
    }

    /// The type of the content: `data` with a MAC, `signedData` with a signature.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        self.info.content_type()
    }

    /// The MAC that protects the safes.
    #[must_use]
    pub const fn mac(&self) -> Option<&Mac<'a>> {
        self.mac.as_ref()
    }

    /// The octets of the authenticated safe, over which the MAC is taken.
    ///
    /// # Errors
    /// When the content has not the shape of its type, or is of another type than `data`.
    pub fn contents(&self) -> Result<Span, Error> {
        match self.info.data() {
            Some(span) => span,
            None => Err(Error::new(self.info.tlv().start, &PFX_CONTENT)),
        }
    }

    /// The safes, which read from what [`normal`] makes of [`Pfx::contents`].
    ///
    /// # Errors
    /// As [`Pfx::contents`], and when there is no list in it.
    pub fn safes(&self) -> Result<List<'a, Safe<'a>>, Error> {
        let span = self.contents()?;
        safes(&mut Reader::within(self.der, span))
    }

    /// Everything that breaks a rule, in order of offset. What stands encrypted is not seen.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let version = self.version.contents().of(self.der);
        findings.check(integer::check(version, self.version.content));
        if self.version() != Some(3) {
            findings.add(self.version.start, &PFX_VERSION);
        }
        if let Some(mac) = &self.mac {
            mac.violations(&mut findings);
        }
        if let Some(safes) = findings.ok(self.safes()) {
            for safe in &safes {
                if findings.is_full() {
                    break;
                }
                if let Some(safe) = findings.ok(safe) {
                    safe.violations(&mut findings);
                }
            }
        }
        findings.into_list()
    }
}

/// The octets inside an OCTET STRING as the strict cursor takes them: BER may stand there in an
/// object that is DER outside.
///
/// # Errors
/// Where it cannot be read.
pub fn normal(contents: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if contents.is_empty() { Ok(Cow::Borrowed(contents)) } else { ber::to_der(contents) }
}

/// Reads an `AuthenticatedSafe`.
///
/// # Errors
/// When it is no SEQUENCE.
pub fn safes<'a>(reader: &mut Reader<'a>) -> Result<List<'a, Safe<'a>>, Error> {
    let list = List::sequence(reader)?;
    reader.finish()?;
    Ok(list)
}

/// Reads `SafeContents`.
///
/// # Errors
/// When it is no SEQUENCE.
pub fn bags<'a>(reader: &mut Reader<'a>) -> Result<Bags<'a>, Error> {
    let list = List::<Bag<'a>>::sequence(reader)?;
    reader.finish()?;
    Ok(list)
}

/// One of the safes: a ContentInfo whose content are bags.
#[derive(Debug, Clone, Copy)]
pub struct Safe<'a> {
    info: ContentInfo<'a>,
}

impl<'a> Decode<'a> for Safe<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self { info: ContentInfo::decode(reader)? })
    }
}

/// What a safe is made of.
#[derive(Debug, Clone, Copy)]
pub enum SafeContent<'a> {
    /// Bags that anyone can read, in these octets.
    Plain(Span),
    /// Bags that a password opens.
    Encrypted(EncryptedContent<'a>),
    /// Bags for the holder of a private key, or something else.
    Other,
}

impl<'a> Safe<'a> {
    /// The type of the content.
    #[must_use]
    pub fn content_type(&self) -> Oid<'a> {
        self.info.content_type()
    }

    /// Octets of the whole safe.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.info.tlv()
    }

    /// The object it was read from.
    #[must_use]
    pub const fn object(&self) -> &'a [u8] {
        self.info.object()
    }

    /// The content.
    ///
    /// # Errors
    /// When it has not the shape of its type.
    pub fn content(&self) -> Result<SafeContent<'a>, Error> {
        if let Some(span) = self.info.data() {
            return span.map(SafeContent::Plain);
        }
        match (self.content_type().0, self.info.content()) {
            (id::ENCRYPTED, Some(tlv)) => {
                let mut reader = Reader::within(self.object(), tlv.span());
                let mut r = reader.enter(octet::SEQUENCE)?;
                fields::integer_with(&mut r, octet::INTEGER)?;
                Ok(SafeContent::Encrypted(EncryptedContent::decode(&mut r)?))
            }
            _ => Ok(SafeContent::Other),
        }
    }

    fn violations(&self, findings: &mut Findings) {
        match findings.ok(self.content()) {
            Some(SafeContent::Plain(span)) => {
                let list = bags(&mut Reader::within(self.object(), span));
                for bag in findings.ok(list).iter().flatten() {
                    if findings.is_full() {
                        break;
                    }
                    if let Some(bag) = findings.ok(bag) {
                        bag.violations(findings);
                    }
                }
            }
            Some(SafeContent::Other) if self.content_type().0 != id::ENVELOPED => {
                findings.add(self.tlv().start, &SAFE_CONTENT);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, oid, rules, sample, seq, tlv};

    #[test]
    fn the_outer_structure_shows_without_a_password() {
        let pfx = Pfx::parse(sample!("pkcs12-pbes2.p12")).unwrap();
        assert_eq!(pfx.version(), Some(3));
        let mac = pfx.mac().unwrap();
        assert_eq!((mac.iterations(), mac.algorithm().name()), (Some(2048), Some("sha256")));
        let safes: Vec<_> = pfx.safes().unwrap().iter().map(Result::unwrap).collect();
        assert_eq!(safes.len(), 2);
        assert!(matches!(safes[0].content(), Ok(SafeContent::Encrypted(_))));
        let Ok(SafeContent::Plain(span)) = safes[1].content() else { panic!() };
        let list = bags(&mut Reader::within(pfx.der(), span)).unwrap();
        let bag = list.iter().next().unwrap().unwrap();
        assert_eq!(bag.kind(), crate::pki::pkcs12::BagKind::Pkcs8ShroudedKeyBag);
        assert_eq!(bag.friendly_name().unwrap(), "server of example.com");
        assert_eq!(bag.local_key_id().unwrap().len(), 20);
        assert_eq!(rules(&pfx.violations()), []);
    }

    #[test]
    fn broken_rules_are_found() {
        let data = |content: &[u8]| seq([oid("1.2.840.113549.1.7.1"), tlv(0xa0, &tlv(4, content))]);
        let ids = |version: u8, info: Vec<u8>, mac: &[u8]| -> Vec<_> {
            let der = seq([tlv(2, &[version]), info, mac.to_vec()]);
            let pfx = Pfx::parse(&der).unwrap();
            pfx.violations().iter().map(|f| f.rule.id).collect()
        };
        let sha1 = || seq([oid("1.3.14.3.2.26"), tlv(5, &[])]);
        assert_eq!(ids(3, data(&seq([])), &[]), [""; 0]);
        assert_eq!(ids(4, data(&seq([])), &[]), ["pfx-version"]);
        assert_eq!(ids(3, seq([oid("1.2.840.113549.1.7.2")]), &[]), ["pfx-content"]);
        let other = seq([seq([oid("1.2.840.113549.1.7.5")])]);
        assert_eq!(ids(3, data(&other), &[]), ["pfx-safe-content"]);
        let mac = seq([seq([sha1(), tlv(4, &[0; 19])]), tlv(4, &[]), tlv(2, &[1])]);
        assert_eq!(ids(3, data(&seq([])), &mac), ["mac-length", "mac-iterations-default"]);
        let mac = seq([seq([sha1(), tlv(4, &[0; 20])]), tlv(4, &[]), tlv(2, &[0])]);
        assert_eq!(ids(3, data(&seq([])), &mac), ["kdf-iterations"]);
    }

    #[test]
    fn mutations_never_panic() {
        for octets in [sample!("pkcs12-unencrypted.p12"), sample!("pkcs12-legacy.p12")] {
            mutations(octets, |der| {
                if let Ok(pfx) = Pfx::parse(der) {
                    let _ = pfx.violations();
                    serde_json::to_string(&pfx.mac()).unwrap();
                }
            });
        }
    }
}
