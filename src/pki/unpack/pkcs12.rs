//! Keys, certificates and CRLs of PKCS #12 containers.

use std::fmt::Write as _;

use super::output::{NoteKind, Output};
use super::password::Opener;
use crate::asn1::{Error, Reader, Span, ber};
use crate::pki::crypto;
use crate::pki::crypto::pbe::Scheme;
use crate::pki::keys::EncryptedKey;
use crate::pki::list::{Items, List};
use crate::pki::object::{Kind, classify};
use crate::pki::pkcs12::pfx::{self, SafeContent};
use crate::pki::pkcs12::{Bag, BagKind, Pfx, Safe};
use zeroize::Zeroizing;

/// Levels of bags in bags that are followed; real containers have one.
const MOST_LEVELS: usize = 8;

pub(super) fn unpack(
    der: &[u8],
    opener: &mut Opener<'_, '_>,
    output: &mut Output,
) -> Result<(), Error> {
    let pfx = Pfx::parse(der)?;
    let contents = pfx.contents()?;
    if let Some(mac) = pfx.mac() {
        let verified = opener
            .open("macData", |password, effort| mac.verify(password, contents.of(der), effort));
        match verified {
            Ok(()) => {}
            Err(crypto::Error::WrongPassword) => output.note("macData", NoteKind::Mac),
            Err(e) => output.note("macData", e),
        }
    }
    let inside = pfx::normal(contents.of(der))?;
    let base = matches!(inside, std::borrow::Cow::Borrowed(_)).then_some(contents.start);
    for (i, safe) in pfx::safes(&mut Reader::new(&inside))?.iter().enumerate() {
        let place = format!("authSafe[{i}]");
        let result = safe
            .map_err(NoteKind::from)
            .and_then(|s| unpack_safe(&s, &place, base, opener, output));
        if let Err(kind) = result {
            output.note(&place, kind);
        }
    }
    Ok(())
}

/// `base` is the offset in the container of the object that the safe was read from.
fn unpack_safe(
    safe: &Safe<'_>,
    place: &str,
    base: Option<u32>,
    opener: &mut Opener<'_, '_>,
    output: &mut Output,
) -> Result<(), NoteKind> {
    match safe.content()? {
        SafeContent::Plain(span) => {
            let octets = span.of(safe.object());
            let inside = pfx::normal(octets)?;
            let borrowed = matches!(inside, std::borrow::Cow::Borrowed(_));
            let base = base.filter(|_| borrowed).and_then(|base| base.checked_add(span.start));
            Walk { object: &inside, base }.bags(place, opener, output)?;
        }
        SafeContent::Encrypted(encrypted) => {
            let scheme = Scheme::read(&encrypted.algorithm())?;
            let ciphertext = encrypted.ciphertext()?;
            let plain = opener.open(place, |password, effort| {
                let plain = scheme.decrypt(password, &ciphertext, effort)?;
                as_bags(plain).ok_or(crypto::Error::WrongPassword)
            })?;
            Walk { object: &plain, base: None }.bags(place, opener, output)?;
        }
        SafeContent::Other => return Err(NoteKind::ForRecipient),
    }
    Ok(())
}

/// The decrypted octets in DER when they look like SafeContents.
fn as_bags(plain: Zeroizing<Vec<u8>>) -> Option<Zeroizing<Vec<u8>>> {
    let converted = match ber::to_der(&plain).ok()? {
        std::borrow::Cow::Borrowed(_) => None,
        std::borrow::Cow::Owned(der) => Some(Zeroizing::new(der)),
    };
    let der = converted.unwrap_or(plain);
    pfx::bags(&mut Reader::new(&der)).is_ok().then_some(der)
}

/// The bags of one safe.
struct Walk<'a> {
    object: &'a [u8],
    base: Option<u32>,
}

impl<'a> Walk<'a> {
    /// Takes out all bags; bags in bags by a stack, not by recursion.
    fn bags(
        &self,
        place: &str,
        opener: &mut Opener<'_, '_>,
        output: &mut Output,
    ) -> Result<(), Error> {
        let list: List<'a, Bag<'a>> = pfx::bags(&mut Reader::new(self.object))?;
        let mut stack: Vec<(Items<'a, Bag<'a>>, usize, usize)> =
            vec![(list.iter(), 0, place.len())];
        let mut path = place.to_owned();
        while let Some((bags, next, length)) = stack.last_mut() {
            path.truncate(*length);
            let Some(bag) = bags.next() else {
                stack.pop();
                continue;
            };
            let _ = write!(path, ".bag[{next}]");
            *next += 1;
            let bag = match bag {
                Ok(bag) => bag,
                Err(e) => {
                    output.note(&path, e);
                    continue;
                }
            };
            if let Some(inner) = bag.nested() {
                if stack.len() < MOST_LEVELS {
                    stack.push((inner.iter(), 0, path.len()));
                } else {
                    output.note(&path, NoteKind::TooDeep(MOST_LEVELS));
                }
            } else if let Err(kind) = self.one(&bag, &path, opener, output) {
                output.note(&path, kind);
            }
        }
        Ok(())
    }

    fn one(
        &self,
        bag: &Bag<'_>,
        place: &str,
        opener: &mut Opener<'_, '_>,
        output: &mut Output,
    ) -> Result<(), NoteKind> {
        let label = bag.friendly_name().map(std::borrow::Cow::into_owned);
        let whole = bag.tlv().span();
        match bag.kind() {
            BagKind::KeyBag => {
                output.add(Kind::PrivateKey, place, label, bag.value(), self.outer(whole));
            }
            BagKind::Pkcs8ShroudedKeyBag => {
                let key = EncryptedKey::parse(bag.value())
                    .map_err(crypto::Error::from)
                    .and_then(|key| opener.open(place, |p, effort| key.decrypt(p, effort)));
                match key {
                    Ok(key) => output.add(Kind::PrivateKey, place, label, &key, None),
                    Err(e) => {
                        // What cannot be opened is still shown, locked.
                        output.add(Kind::PrivateKey, place, label, bag.value(), self.outer(whole));
                        return Err(e.into());
                    }
                }
            }
            kind @ (BagKind::CertBag | BagKind::CrlBag | BagKind::SecretBag) => {
                let (_, span) = bag.contents()?;
                let octets = span.of(self.object);
                let kind = match kind {
                    BagKind::CertBag => classify(octets, Some("CERTIFICATE")),
                    BagKind::CrlBag => classify(octets, Some("X509 CRL")),
                    _ => classify(octets, None),
                };
                output.add(kind, place, label, octets, self.outer(span));
            }
            BagKind::SafeContentsBag | BagKind::Unknown => {
                output.add(Kind::Der, place, label, bag.value(), self.outer(whole));
            }
        }
        Ok(())
    }

    /// The span in the container.
    fn outer(&self, span: Span) -> Option<Span> {
        let base = self.base?;
        Some(Span::new(base.checked_add(span.start)?, base.checked_add(span.end)?))
    }
}
