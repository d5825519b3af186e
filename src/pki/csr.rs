//! PKCS #10 certification requests (RFC 2986).

use crate::asn1::tag::octet;
use crate::asn1::value::{BitString, bits, integer};
use crate::asn1::{Error, Finding, Reader, Span, Tlv};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::attribute::{self, Attributes};
use crate::pki::extension::Extensions;
use crate::pki::fields;
use crate::pki::findings::Findings;
use crate::pki::list::List;
use crate::pki::name::Name;
use crate::pki::spki::{PublicKey, SpkiSpans};
use crate::rule;

rule! {
    CSR_VERSION, "csr-version", "RFC 2986 4.1", "the version of a request is 0";
    CSR_ATTRIBUTES, "csr-attributes-missing", "RFC 2986 4.1",
        "the attributes of a request are not optional, though they may be an empty set";
}

const ATTRIBUTES: u8 = octet::context_constructed(0);

/// A `CertificationRequest`. Reading it looks at the outer shape and allocates nothing.
#[derive(Debug, Clone, Copy)]
pub struct Csr<'a> {
    der: &'a [u8],
    info: Span,
    version: Tlv,
    subject: Span,
    key: SpkiSpans,
    attributes: Option<Tlv>,
    attributes_at: u32,
    algorithm: AlgorithmSpans,
    signature: Tlv,
}

impl<'a> Csr<'a> {
    /// Reads a request, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that the outer shape breaks. Attributes may be missing altogether, as some
    /// encoders leave them out; [`Csr::violations`] says so.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let (_, mut outer) = Reader::single(der, octet::SEQUENCE)?;
        let info = outer.expect(octet::SEQUENCE)?;
        let mut r = info.enter(der);
        let (version, _) = fields::integer_with(&mut r, octet::INTEGER)?;
        let subject = r.expect(octet::SEQUENCE)?.span();
        let key = SpkiSpans::read(&mut r)?;
        let attributes_at = r.offset();
        let attributes = r.optional(ATTRIBUTES)?;
        r.finish()?;
        let algorithm = AlgorithmSpans::read(&mut outer)?;
        let signature = outer.expect(octet::BIT_STRING)?;
        outer.finish()?;
        Ok(Self {
            der,
            info: info.span(),
            version,
            subject,
            key,
            attributes,
            attributes_at,
            algorithm,
            signature,
        })
    }

    /// The octets that were read.
    #[must_use]
    pub const fn der(&self) -> &'a [u8] {
        self.der
    }

    /// What is signed, with tag and length.
    #[must_use]
    pub fn info(&self) -> &'a [u8] {
        self.info.of(self.der)
    }

    /// The version as encoded: 0 in a valid request, `None` when it does not fit 64 bits.
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        fields::small(self.version.contents().of(self.der))
    }

    /// Who asks.
    #[must_use]
    pub const fn subject(&self) -> Name<'a> {
        Name::of(self.der, self.subject)
    }

    /// The key to be certified.
    #[must_use]
    pub const fn public_key(&self) -> PublicKey<'a> {
        self.key.of(self.der)
    }

    /// The attributes; an empty list when they are missing.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'a> {
        let contents = self.attributes.map_or(Span::default(), |tlv| tlv.contents());
        List::new(Reader::within(self.der, contents))
    }

    /// The extensions that are asked for (RFC 2985 5.4.2, or Microsoft's attribute).
    ///
    /// # Errors
    /// When the attribute's value is no list of extensions.
    #[must_use]
    pub fn extensions(&self) -> Option<Result<Extensions<'a>, Error>> {
        self.attributes().iter().map_while(Result::ok).find_map(|a| a.extensions())
    }

    /// The algorithm of the signature.
    #[must_use]
    pub const fn signature_algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.der)
    }

    /// The signature; empty where the BIT STRING is broken.
    #[must_use]
    pub fn signature(&self) -> &'a [u8] {
        BitString::parse(self.signature.contents().of(self.der), 0).map_or(&[], |b| b.bytes)
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        let contents = |tlv: Tlv| (tlv.contents().of(self.der), tlv.content);
        let (version, at) = contents(self.version);
        findings.check(integer::check(version, at));
        if self.version() != Some(0) {
            findings.add(self.version.start, &CSR_VERSION);
        }
        self.subject().violations(&mut findings);
        self.public_key().violations(&mut findings);
        if self.attributes.is_none() {
            findings.add(self.attributes_at, &CSR_ATTRIBUTES);
        }
        attribute::violations(self.attributes(), &mut findings);
        self.signature_algorithm().violations(true, &mut findings);
        let (signature, at) = contents(self.signature);
        findings.check(bits::check(signature, at));
        findings.into_list()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, rules, sample, seq, tlv};

    #[test]
    fn reads_attributes_and_extensions() {
        let csr = Csr::parse(sample!("csr-attributes.der")).unwrap();
        assert_eq!(csr.version(), Some(0));
        assert!(csr.subject().to_text().contains("CN=www.example.com"));
        let types: Vec<_> = csr.attributes().iter().map(|a| a.unwrap().oid().to_string()).collect();
        assert_eq!(&types[..2], ["1.2.840.113549.1.9.7", "1.2.840.113549.1.9.2"]);
        let challenge = attribute::find(csr.attributes(), attribute::id::CHALLENGE_PASSWORD);
        assert_eq!(challenge.unwrap().first().unwrap().text().unwrap(), "not a secret");
        let extensions = csr.extensions().unwrap().unwrap();
        assert!(extensions.find(b"\x55\x1d\x11").is_some());
        assert_eq!(csr.public_key().bits(), Some(256));
        assert!(!csr.signature().is_empty());
        assert_eq!(rules(&csr.violations()), []);
    }

    #[test]
    fn what_encoders_leave_out_is_a_finding() {
        let good = Csr::parse(sample!("csr-ml-dsa-44.der")).unwrap();
        let key = good.public_key().der().to_vec();
        let name = good.subject().der().to_vec();
        let made = |version: u8, rest: Vec<u8>| {
            let info = seq([tlv(2, &[version]), name.clone(), key.clone(), rest]);
            seq([info, good.signature_algorithm().der().to_vec(), tlv(3, &[0, 1])])
        };
        let without = made(0, Vec::new());
        let csr = Csr::parse(&without).unwrap();
        assert_eq!(csr.violations()[0].rule.id, "csr-attributes-missing");
        assert_eq!(csr.attributes().iter().count(), 0);
        let twice =
            made(2, tlv(0xa0, &[seq([tlv(6, &[42, 3]), tlv(0x31, &[])])].concat().repeat(2)));
        let ids: Vec<_> =
            Csr::parse(&twice).unwrap().violations().iter().map(|f| f.rule.id).collect();
        assert_eq!(
            ids,
            ["csr-version", "attribute-duplicate", "attribute-values", "attribute-values"]
        );
    }

    #[test]
    fn mutations_never_panic() {
        mutations(sample!("csr-attributes.der"), |der| {
            if let Ok(csr) = Csr::parse(der) {
                let _ = (csr.violations(), csr.extensions(), csr.signature());
                serde_json::to_string(&csr.attributes()).unwrap();
            }
        });
    }
}
