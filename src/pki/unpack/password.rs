//! Where passwords come from, and trying them.

use std::fmt;

use zeroize::Zeroizing;

use crate::pki::crypto::{Effort, Error};

/// A password to try.
#[derive(Clone, PartialEq, Eq)]
pub enum Password {
    /// No password at all, which PKCS #12 tells from an empty one.
    Absent,
    /// These octets, UTF-8 if they come from people.
    Octets(Zeroizing<Vec<u8>>),
}

impl Password {
    /// A password of these characters.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Octets(Zeroizing::new(text.as_bytes().to_vec()))
    }

    /// The octets, `None` for the password that is not there.
    #[must_use]
    pub fn octets(&self) -> Option<&[u8]> {
        match self {
            Self::Absent => None,
            Self::Octets(octets) => Some(octets),
        }
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "Absent",
            Self::Octets(_) => "Octets(..)",
        })
    }
}

/// Gives passwords, one after the other.
pub trait PasswordSource {
    /// The password to try for what is locked at `place`; `attempt` counts from 0 at each
    /// place. `None` gives up.
    fn password(&mut self, place: &str, attempt: usize) -> Option<Password>;
}

/// Passwords that are known beforehand, in turn; then the empty one and none at all, which
/// many containers have.
#[derive(Debug, Clone)]
pub struct Passwords {
    list: Vec<Password>,
}

impl Passwords {
    /// The passwords of `known` first.
    #[must_use]
    pub fn new(known: impl IntoIterator<Item = Password>) -> Self {
        let mut list: Vec<_> = known.into_iter().collect();
        list.extend([Password::text(""), Password::Absent]);
        Self { list }
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new([])
    }
}

impl PasswordSource for Passwords {
    fn password(&mut self, _: &str, attempt: usize) -> Option<Password> {
        self.list.get(attempt).cloned()
    }
}

/// Tries passwords on the locked parts of one object.
pub(super) struct Opener<'s, 'c> {
    source: &'s mut dyn PasswordSource,
    effort: Effort<'c>,
    /// The last password that opened something: it opens most of the rest.
    good: Option<Password>,
}

impl<'s, 'c> Opener<'s, 'c> {
    pub(super) fn new(source: &'s mut dyn PasswordSource, effort: Effort<'c>) -> Self {
        Self { source, effort, good: None }
    }

    /// Calls `open` with one password after the other until one fits.
    ///
    /// # Errors
    /// [`Error::WrongPassword`] when none does, and any other error of `open` at once: no other
    /// password would make a difference.
    pub(super) fn open<T>(
        &mut self,
        place: &str,
        mut open: impl FnMut(Option<&[u8]>, &mut Effort<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Some(password) = &self.good {
            match open(password.octets(), &mut self.effort) {
                Err(Error::WrongPassword) => {}
                other => return other,
            }
        }
        for attempt in 0.. {
            let Some(password) = self.source.password(place, attempt) else { break };
            if self.good.as_ref() == Some(&password) {
                continue;
            }
            match open(password.octets(), &mut self.effort) {
                Err(Error::WrongPassword) => {}
                Ok(opened) => {
                    self.good = Some(password);
                    return Ok(opened);
                }
                other => return other,
            }
        }
        Err(Error::WrongPassword)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_the_good_one_first_and_each_once() {
        let mut source = Passwords::new([Password::text("a"), Password::text("b")]);
        let mut opener = Opener::new(&mut source, Effort::default());
        let mut tried = Vec::new();
        let mut open = |opener: &mut Opener<'_, '_>, fits: &[u8]| {
            tried.clear();
            let result = opener.open("x", |password, _| {
                tried.push(password.map(<[u8]>::to_vec));
                if password == Some(fits) { Ok(()) } else { Err(Error::WrongPassword) }
            });
            (result, tried.clone())
        };
        let (a, b) = (Some(b"a".to_vec()), Some(b"b".to_vec()));
        assert_eq!(open(&mut opener, b"b"), (Ok(()), vec![a.clone(), b.clone()]));
        assert_eq!(open(&mut opener, b"b"), (Ok(()), vec![b.clone()]));
        let all = vec![b, a, Some(Vec::new()), None];
        assert_eq!(open(&mut opener, b"no"), (Err(Error::WrongPassword), all));
    }

    #[test]
    fn passwords_are_not_printed() {
        assert!(!format!("{:?}", Passwords::new([Password::text("hunter2")])).contains("hunter2"));
    }
}
