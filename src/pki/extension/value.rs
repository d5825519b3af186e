//! Which extension has which type of value, and whether it may be critical.

use serde::{Serialize, Serializer};

use crate::asn1::{Error, Rule};
use crate::pki::extension::access::InformationAccess;
use crate::pki::extension::alternative::AlternativeNames;
use crate::pki::extension::constraints::{
    BasicConstraints, InhibitAnyPolicy, NameConstraints, PolicyConstraints,
};
use crate::pki::extension::distribution::{DistributionPoints, IssuingDistributionPoint};
use crate::pki::extension::envelope::{EXTENSIONS_EMPTY, Extension, Extensions, Seen};
use crate::pki::extension::key::{
    AuthorityKeyIdentifier, ExtendedKeyUsage, KeyUsage, PrivateKeyUsagePeriod, SubjectKeyIdentifier,
};
use crate::pki::extension::misc::{
    DirectoryAttributes, Marker, MtcAuthority, SmimeCapabilities, TlsFeature,
};
use crate::pki::extension::ocsp::{
    AcceptableResponses, CrlReference, Octets, PreferredAlgorithms, ServiceLocator,
};
use crate::pki::extension::payload::Payload;
use crate::pki::extension::policy::{CertificatePolicies, PolicyMappings};
use crate::pki::extension::qualified::QcStatements;
use crate::pki::extension::revocation::{CrlNumber, CrlReason, HoldInstruction, InvalidityDate};
use crate::pki::extension::sct::SctList;
use crate::pki::extension::vendor::{
    MicrosoftCaVersion, MicrosoftTemplate, NetscapeType, TextValue,
};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::show::{ErrorRecord, Hex, OidName};
use crate::rule;

rule! {
    MUST_BE_CRITICAL, "extension-must-be-critical",
        "RFC 5280 4.2.1.10, 4.2.1.11, 4.2.1.14, 5.2.4, 5.2.5, 5.3.3, RFC 6962 3.1",
        "this extension must be critical";
    MUST_NOT_BE_CRITICAL, "extension-must-not-be-critical",
        "RFC 5280 4.2.1.1, 4.2.1.2, 4.2.1.8, 4.2.1.15, 4.2.2, 5.2.3, 5.3.1, 5.3.2",
        "this extension must not be critical";
}

/// Whether an extension must be critical.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Critical {
    Must,
    MustNot,
    May,
}

/// Declares [`Value`], and which identifiers (contents octets) stand for which variant.
macro_rules! values {
    ($($variant:ident($type:ty) = { $($oid:literal $critical:ident),+ };)+) => {
        /// The decoded value of an extension that is known.
        #[derive(Debug, Clone)]
        #[allow(missing_docs, reason = "the types say what they are")]
        pub enum Value<'a> {
            $($variant($type),)+
        }

        impl<'a> Extension<'a> {
            /// The decoded value, `None` when the extension is not known.
            ///
            /// # Errors
            /// Where the value is not of the type that belongs to the identifier, or octets
            /// follow it.
            pub fn value(&self) -> Result<Option<Value<'a>>, Error> {
                let mut reader = self.reader();
                let value = match self.oid().0 {
                    $($($oid)|+ => Value::$variant(<$type>::decode(&mut reader)?),)+
                    _ => return Ok(None),
                };
                reader.finish()?;
                Ok(Some(value))
            }

            fn criticality(&self) -> Critical {
                match self.oid().0 {
                    $($($oid => Critical::$critical,)+)+
                    _ => Critical::May,
                }
            }
        }

        impl Value<'_> {
            /// Checks the rules that the value breaks.
            pub fn violations(&self, findings: &mut Findings) {
                match self {
                    $(Value::$variant(value) => Payload::violations(value, findings),)+
                }
            }
        }

        impl Serialize for Value<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Value::$variant(value) => value.serialize(serializer),)+
                }
            }
        }
    };
}

values! {
    DirectoryAttributes(DirectoryAttributes<'a>) = { b"\x55\x1d\x09" MustNot };
    SubjectKeyIdentifier(SubjectKeyIdentifier<'a>) = { b"\x55\x1d\x0e" MustNot };
    KeyUsage(KeyUsage<'a>) = { b"\x55\x1d\x0f" May };
    PrivateKeyUsagePeriod(PrivateKeyUsagePeriod<'a>) = { b"\x55\x1d\x10" May };
    // subjectAltName, issuerAltName, certificateIssuer
    AlternativeNames(AlternativeNames<'a>) = {
        b"\x55\x1d\x11" May, b"\x55\x1d\x12" May, b"\x55\x1d\x1d" Must
    };
    BasicConstraints(BasicConstraints<'a>) = { b"\x55\x1d\x13" May };
    // cRLNumber, deltaCRLIndicator
    CrlNumber(CrlNumber<'a>) = { b"\x55\x1d\x14" MustNot, b"\x55\x1d\x1b" Must };
    CrlReason(CrlReason) = { b"\x55\x1d\x15" MustNot };
    HoldInstruction(HoldInstruction<'a>) = { b"\x55\x1d\x17" May };
    // invalidityDate, OCSP's archive cutoff (1.3.6.1.5.5.7.48.1.6)
    InvalidityDate(InvalidityDate<'a>) = {
        b"\x55\x1d\x18" MustNot, b"\x2b\x06\x01\x05\x05\x07\x30\x01\x06" May
    };
    IssuingDistributionPoint(IssuingDistributionPoint<'a>) = { b"\x55\x1d\x1c" Must };
    NameConstraints(NameConstraints<'a>) = { b"\x55\x1d\x1e" Must };
    // cRLDistributionPoints, freshestCRL
    DistributionPoints(DistributionPoints<'a>) = { b"\x55\x1d\x1f" May, b"\x55\x1d\x2e" MustNot };
    // certificatePolicies, Microsoft's application policies (1.3.6.1.4.1.311.21.10)
    CertificatePolicies(CertificatePolicies<'a>) = {
        b"\x55\x1d\x20" May, b"\x2b\x06\x01\x04\x01\x82\x37\x15\x0a" May
    };
    PolicyMappings(PolicyMappings<'a>) = { b"\x55\x1d\x21" May };
    AuthorityKeyIdentifier(AuthorityKeyIdentifier<'a>) = { b"\x55\x1d\x23" MustNot };
    PolicyConstraints(PolicyConstraints<'a>) = { b"\x55\x1d\x24" Must };
    ExtendedKeyUsage(ExtendedKeyUsage<'a>) = { b"\x55\x1d\x25" May };
    InhibitAnyPolicy(InhibitAnyPolicy<'a>) = { b"\x55\x1d\x36" Must };
    // authorityInfoAccess, subjectInfoAccess
    InformationAccess(InformationAccess<'a>) = {
        b"\x2b\x06\x01\x05\x05\x07\x01\x01" MustNot, b"\x2b\x06\x01\x05\x05\x07\x01\x0b" MustNot
    };
    QcStatements(QcStatements<'a>) = { b"\x2b\x06\x01\x05\x05\x07\x01\x03" May };
    TlsFeature(TlsFeature<'a>) = { b"\x2b\x06\x01\x05\x05\x07\x01\x18" May };
    MtcAuthority(MtcAuthority<'a>) = { b"\x2b\x06\x01\x05\x05\x07\x01\x26" Must };
    // OCSP no-check, CT poison (1.3.6.1.4.1.11129.2.4.3)
    Marker(Marker) = {
        b"\x2b\x06\x01\x05\x05\x07\x30\x01\x05" May,
        b"\x2b\x06\x01\x04\x01\xd6\x79\x02\x04\x03" Must
    };
    // In certificates (1.3.6.1.4.1.11129.2.4.2) and OCSP responses (..5).
    SctList(SctList<'a>) = {
        b"\x2b\x06\x01\x04\x01\xd6\x79\x02\x04\x02" May,
        b"\x2b\x06\x01\x04\x01\xd6\x79\x02\x04\x05" May
    };
    // OCSP's nonce, Microsoft's previous CA hash (1.3.6.1.4.1.311.21.2)
    Octets(Octets<'a>) = {
        b"\x2b\x06\x01\x05\x05\x07\x30\x01\x02" May,
        b"\x2b\x06\x01\x04\x01\x82\x37\x15\x02" May
    };
    CrlReference(CrlReference<'a>) = { b"\x2b\x06\x01\x05\x05\x07\x30\x01\x03" May };
    AcceptableResponses(AcceptableResponses<'a>) = {
        b"\x2b\x06\x01\x05\x05\x07\x30\x01\x04" May
    };
    ServiceLocator(ServiceLocator<'a>) = { b"\x2b\x06\x01\x05\x05\x07\x30\x01\x07" May };
    PreferredAlgorithms(PreferredAlgorithms<'a>) = {
        b"\x2b\x06\x01\x05\x05\x07\x30\x01\x08" May
    };
    SmimeCapabilities(SmimeCapabilities<'a>) = { b"\x2a\x86\x48\x86\xf7\x0d\x01\x09\x0f" May };
    NetscapeType(NetscapeType<'a>) = { b"\x60\x86\x48\x01\x86\xf8\x42\x01\x01" May };
    // Netscape's URLs (2 to 8), server name (12) and comment (13); Microsoft's certificate type
    // (1.3.6.1.4.1.311.20.2).
    TextValue(TextValue<'a>) = {
        b"\x60\x86\x48\x01\x86\xf8\x42\x01\x02" May, b"\x60\x86\x48\x01\x86\xf8\x42\x01\x03" May,
        b"\x60\x86\x48\x01\x86\xf8\x42\x01\x04" May, b"\x60\x86\x48\x01\x86\xf8\x42\x01\x07" May,
        b"\x60\x86\x48\x01\x86\xf8\x42\x01\x08" May, b"\x60\x86\x48\x01\x86\xf8\x42\x01\x0c" May,
        b"\x60\x86\x48\x01\x86\xf8\x42\x01\x0d" May, b"\x2b\x06\x01\x04\x01\x82\x37\x14\x02" May
    };
    MicrosoftCaVersion(MicrosoftCaVersion) = { b"\x2b\x06\x01\x04\x01\x82\x37\x15\x01" May };
    MicrosoftTemplate(MicrosoftTemplate<'a>) = { b"\x2b\x06\x01\x04\x01\x82\x37\x15\x07" May };
}

impl Extension<'_> {
    /// Checks frame, criticality and value.
    pub fn violations(&self, findings: &mut Findings) {
        self.frame_violations(findings);
        let broken: Option<&'static Rule> = match (self.criticality(), self.critical()) {
            (Critical::Must, false) => Some(&MUST_BE_CRITICAL),
            (Critical::MustNot, true) => Some(&MUST_NOT_BE_CRITICAL),
            _ => None,
        };
        if let Some(rule) = broken {
            findings.add(self.offset(), rule);
        }
        if let Some(Some(value)) = findings.ok(self.value()) {
            value.violations(findings);
        }
    }
}

impl Extensions<'_> {
    /// Checks every extension, that there is one, and that none is there twice.
    pub fn violations(&self, findings: &mut Findings) {
        if self.is_empty() {
            findings.add(self.offset(), &EXTENSIONS_EMPTY);
        }
        let mut seen = Seen::default();
        for extension in self {
            let Some(extension) = findings.ok(extension) else { return };
            seen.note(&extension, findings);
            if !findings.is_full() {
                extension.violations(findings);
            }
        }
    }
}

impl Serialize for Extension<'_> {
    /// `{"oid", "name", "critical", "value"}`. The value of a known extension is an object; of
    /// an unknown one `{"der": <hex>}`, of a broken one `{"der": <hex>, "error": {..}}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Der<'a> {
            der: Hex<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<ErrorRecord>,
        }
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Shown<'a> {
            Known(Value<'a>),
            Der(Der<'a>),
        }
        #[derive(Serialize)]
        struct Record<'a> {
            #[serde(flatten)]
            oid: OidName<'a>,
            critical: bool,
            value: Shown<'a>,
        }
        let value = match self.value() {
            Ok(Some(value)) => Shown::Known(value),
            Ok(None) => Shown::Der(Der { der: Hex(self.der()), error: None }),
            Err(e) => Shown::Der(Der { der: Hex(self.der()), error: Some(e.into()) }),
        };
        Record { oid: OidName(self.oid()), critical: self.critical(), value }.serialize(serializer)
    }
}
