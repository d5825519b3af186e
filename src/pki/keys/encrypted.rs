//! EncryptedPrivateKeyInfo (RFC 5958 3).

use zeroize::Zeroizing;

use crate::asn1::tag::octet;
use crate::asn1::value::oid;
use crate::asn1::{Error, Finding, Reader, Span};
use crate::pki::algorithm::{AlgorithmIdentifier, AlgorithmSpans};
use crate::pki::crypto::pbe::Scheme;
use crate::pki::crypto::{self, Effort};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;

/// An `EncryptedPrivateKeyInfo`.
#[derive(Debug, Clone, Copy)]
pub struct EncryptedKey<'a> {
    object: &'a [u8],
    algorithm: AlgorithmSpans,
    data: Span,
}

impl<'a> Decode<'a> for EncryptedKey<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let algorithm = AlgorithmSpans::read(&mut r)?;
        let data = r.expect(octet::OCTET_STRING)?.contents();
        r.finish()?;
        Ok(Self { object: reader.object(), algorithm, data })
    }
}

impl<'a> EncryptedKey<'a> {
    /// Reads one, exactly as long as `der`.
    ///
    /// # Errors
    /// The rule that its shape breaks.
    pub fn parse(der: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(der);
        let key = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(key)
    }

    /// How it is encrypted.
    #[must_use]
    pub const fn algorithm(&self) -> AlgorithmIdentifier<'a> {
        self.algorithm.of(self.object)
    }

    /// The encryption with its parameters.
    ///
    /// # Errors
    /// When it is not supported, or its parameters do not read.
    pub fn scheme(&self) -> Result<Scheme<'a>, crypto::Error> {
        Scheme::read(&self.algorithm())
    }

    /// The encrypted octets.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        self.data.of(self.object)
    }

    /// Decrypts the key and looks whether a PKCS #8 key came out.
    ///
    /// # Errors
    /// [`crypto::Error`]; a wrong password is [`crypto::Error::WrongPassword`].
    pub fn decrypt(
        &self,
        password: Option<&[u8]>,
        effort: &mut Effort<'_>,
    ) -> Result<Zeroizing<Vec<u8>>, crypto::Error> {
        let plain = self.scheme()?.decrypt(password, self.data(), effort)?;
        let looks_right = Reader::single(&plain, octet::SEQUENCE)
            .and_then(|(_, mut inner)| inner.expect(octet::INTEGER))
            .is_ok();
        if looks_right { Ok(plain) } else { Err(crypto::Error::WrongPassword) }
    }

    /// Everything that breaks a rule, in order of offset.
    #[must_use]
    pub fn violations(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        findings.check(oid::check(self.algorithm().oid().0, self.algorithm.oid.start));
        if let Err(crypto::Error::Encoding(e)) = self.scheme() {
            findings.push(e);
        }
        findings.into_list()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::crypto::testing;
    use crate::pki::testing::{mutations, pem, rules, sample};

    #[test]
    fn opens_with_the_password_and_no_other() {
        let text = String::from_utf8_lossy(sample!("key-encrypted-pbes2.pem")).into_owned();
        let pbes2 = pem(&text, "ENCRYPTED PRIVATE KEY");
        let samples =
            [&*pbes2, sample!("key-encrypted-scrypt.pk8"), sample!("key-encrypted-3des.pk8")];
        for der in samples {
            let key = EncryptedKey::parse(der).unwrap();
            assert_eq!(rules(&key.violations()), []);
            let mut effort = Effort::default();
            let plain = key.decrypt(Some(b"pkiscope"), &mut effort).unwrap();
            assert!(testing::is_private_key(&plain));
            for wrong in [None, Some(b"".as_slice()), Some(b"Pkiscope")] {
                assert_eq!(key.decrypt(wrong, &mut effort), Err(crypto::Error::WrongPassword));
            }
        }
    }

    #[test]
    fn opens_what_the_library_encrypts() {
        let (plain, encrypted) = testing::encrypted("pässword".as_bytes());
        for der in encrypted {
            let opened = EncryptedKey::parse(&der)
                .unwrap()
                .decrypt(Some("pässword".as_bytes()), &mut Effort::default());
            assert_eq!(*opened.unwrap(), plain);
        }
    }

    #[test]
    fn mutations_never_panic() {
        // A budget of a few rounds: the structure is what is tried here.
        mutations(sample!("key-encrypted-3des.pk8"), |der| {
            if let Ok(key) = EncryptedKey::parse(der) {
                let _ = (key.violations(), key.decrypt(Some(b"x"), &mut Effort::new(3)));
            }
        });
    }
}
