//! Public keys that stand alone: SubjectPublicKeyInfo and the RSAPublicKey of PKCS #1.

use crate::asn1::value::Oid;
use crate::asn1::writer::Writer;
use crate::asn1::{Error, Finding, Reader};
use crate::pki::algorithm::id;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::object::Form;
use crate::pki::spki::{PublicKey, RsaKey};

/// A public key as an object of its own.
#[derive(Debug, Clone, Copy)]
pub enum PublicObject<'a> {
    /// RFC 5280 `SubjectPublicKeyInfo`.
    Info(PublicKey<'a>),
    /// RFC 8017 `RSAPublicKey`, and its octets.
    Rsa(RsaKey<'a>, &'a [u8]),
}

impl<'a> PublicObject<'a> {
    /// Reads a public key, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that its shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der);
        let key = if Form::of(der, None) == Form::RsaPublicKey {
            Self::Rsa(RsaKey::read(&mut reader)?, der)
        } else {
            Self::Info(PublicKey::decode(&mut reader)?)
        };
        reader.finish()?;
        Ok(key)
    }

    /// The type of the encoding.
    #[must_use]
    pub const fn form(&self) -> Form {
        match self {
            Self::Info(_) => Form::SubjectPublicKeyInfo,
            Self::Rsa(..) => Form::RsaPublicKey,
        }
    }

    /// The key as a SubjectPublicKeyInfo, made for an RSAPublicKey.
    #[must_use]
    pub fn info(&self) -> Vec<u8> {
        match self {
            Self::Info(key) => key.der().to_vec(),
            Self::Rsa(_, der) => {
                let mut w = Writer::new();
                w.sequence(|w| {
                    w.sequence(|w| {
                        w.oid(Oid(id::RSA));
                        w.null();
                    });
                    w.bit_string_of(|w| w.raw(der));
                });
                w.into_bytes()
            }
        }
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        match self {
            Self::Info(key) => key.violations(&mut findings),
            Self::Rsa(key, _) => key.violations(&mut findings),
        }
        findings.into_list()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, rules, sample, seq, tlv};

    #[test]
    fn an_rsa_key_becomes_a_public_key_info() {
        let sample = PublicObject::parse(sample!("public-key-rsa.der")).unwrap();
        let PublicObject::Info(info) = sample else { panic!("{sample:?}") };
        let bare = info.key();
        let key = PublicObject::parse(bare).unwrap();
        assert_eq!(key.form(), Form::RsaPublicKey);
        assert_eq!(key.info(), sample!("public-key-rsa.der"));
        assert_eq!(rules(&key.violations()), []);
    }

    #[test]
    fn an_even_modulus_is_a_finding() {
        let der = seq([tlv(2, &[0x40; 128]), tlv(2, &[1, 0, 1])]);
        let key = PublicObject::parse(&der).unwrap();
        assert_eq!(rules(&key.violations()), [("rsa-modulus", 6)]);
    }

    #[test]
    fn mutations_never_panic() {
        for der in [sample!("public-key-pss.der"), sample!("public-key-p521.der")] {
            mutations(der, |der| {
                if let Ok(key) = PublicObject::parse(der) {
                    let _ = (key.violations(), key.info());
                }
            });
        }
    }
}
