//! The typed view of any object.

use crate::asn1::{Error, Finding};
use crate::pki::certificate::Certificate;
use crate::pki::cms::{Content, Message};
use crate::pki::crl::Crl;
use crate::pki::csr::Csr;
use crate::pki::findings::Findings;
use crate::pki::keys::{EncryptedKey, PrivateKey, PublicObject};
use crate::pki::name::Name;
use crate::pki::object::Form;
use crate::pki::ocsp;
use crate::pki::pkcs12::Pfx;

/// An object read by the view of its type.
#[derive(Debug, Clone, Copy)]
pub enum View<'a> {
    /// RFC 5280 `Certificate`.
    Certificate(Certificate<'a>),
    /// RFC 5280 `CertificateList`.
    Crl(Crl<'a>),
    /// RFC 2986 `CertificationRequest`.
    Csr(Csr<'a>),
    /// RFC 6960 `OCSPResponse`.
    OcspResponse(ocsp::response::Response<'a>),
    /// RFC 6960 `OCSPRequest`.
    OcspRequest(ocsp::request::Request<'a>),
    /// RFC 5652 `ContentInfo`.
    Pkcs7(Message<'a>),
    /// RFC 7292 `PFX`.
    Pkcs12(Pfx<'a>),
    /// A private key of any encoding that is not encrypted.
    PrivateKey(PrivateKey<'a>),
    /// RFC 5958 `EncryptedPrivateKeyInfo`.
    EncryptedKey(EncryptedKey<'a>),
    /// A public key.
    PublicKey(PublicObject<'a>),
    /// An object of no type that has a view.
    Other,
}

impl<'a> View<'a> {
    /// Reads `der` as what `form` says.
    ///
    /// # Errors
    /// The rule that the outer shape breaks.
    pub fn parse(der: &'a [u8], form: Form) -> Result<Self, Error> {
        Ok(match form {
            Form::Certificate => Self::Certificate(Certificate::parse(der)?),
            Form::CertificateList => Self::Crl(Crl::parse(der)?),
            Form::CertificationRequest => Self::Csr(Csr::parse(der)?),
            Form::OcspResponse => Self::OcspResponse(ocsp::response::Response::parse(der)?),
            Form::OcspRequest => Self::OcspRequest(ocsp::request::Request::parse(der)?),
            Form::ContentInfo => Self::Pkcs7(Message::parse(der)?),
            Form::Pfx => Self::Pkcs12(Pfx::parse(der)?),
            Form::OneAsymmetricKey
            | Form::RsaPrivateKey
            | Form::EcPrivateKey
            | Form::DsaPrivateKey => Self::PrivateKey(PrivateKey::parse(der)?),
            Form::EncryptedPrivateKeyInfo => Self::EncryptedKey(EncryptedKey::parse(der)?),
            Form::SubjectPublicKeyInfo | Form::RsaPublicKey => {
                Self::PublicKey(PublicObject::parse(der)?)
            }
            Form::Other => Self::Other,
        })
    }

    /// The rules that the standard of the type sets and the object breaks.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        match self {
            Self::Certificate(it) => it.violations(&mut findings),
            Self::Crl(it) => it.violations(&mut findings),
            Self::Csr(it) => return it.violations(),
            Self::OcspResponse(it) => return it.violations(),
            Self::OcspRequest(it) => return it.violations(),
            Self::Pkcs7(it) => return it.violations(),
            Self::Pkcs12(it) => return it.violations(),
            Self::PrivateKey(it) => return it.violations(),
            Self::EncryptedKey(it) => return it.violations(),
            Self::PublicKey(it) => return it.violations(),
            Self::Other => {}
        }
        findings.into_list()
    }

    /// Where one of the lists of the object stops to read, so that a record of it is not all
    /// that there is: names, extensions, revoked certificates, answers, signers.
    #[must_use]
    pub fn incomplete(&self) -> Option<Error> {
        match self {
            Self::Certificate(it) => {
                let names = name(it.issuer()).or_else(|| name(it.subject()));
                names.or_else(|| it.extensions().validate().err())
            }
            Self::Crl(it) => name(it.issuer())
                .or_else(|| it.revoked().validate().err())
                .or_else(|| it.extensions().validate().err()),
            Self::Csr(it) => name(it.subject()).or_else(|| it.attributes().validate().err()),
            Self::OcspRequest(it) => it
                .list()
                .validate()
                .err()
                .or_else(|| it.extensions().and_then(|list| list.validate().err())),
            Self::OcspResponse(it) => {
                let basic = it.basic()?;
                basic.responses().validate().err().or_else(|| {
                    let extensions = basic.extensions().and_then(|list| list.validate().err());
                    extensions.or_else(|| basic.certificates().validate().err())
                })
            }
            Self::Pkcs7(it) => match it.content() {
                Content::Signed(signed) => signed
                    .certificates()
                    .validate()
                    .err()
                    .or_else(|| signed.crls().validate().err())
                    .or_else(|| signed.signers().validate().err()),
                _ => None,
            },
            Self::PrivateKey(it) => it.secret().err(),
            Self::Pkcs12(_) | Self::EncryptedKey(_) | Self::PublicKey(_) | Self::Other => None,
        }
    }
}

fn name(name: Name<'_>) -> Option<Error> {
    name.attributes().find_map(Result::err)
}
