//! Passwords for what is locked: the given one, none, then those that a person types.

use crate::app::batch::progress::Progress;
use crate::app::password::{self, ask};
use crate::pki::unpack::{Password, PasswordSource};

/// How often a person may try at one place.
const TRIES: usize = 3;

/// The passwords of one run.
#[derive(Debug)]
pub struct Passwords {
    /// The given one first, then those that were typed before; the empty one and none at all
    /// come after the given one.
    known: Vec<Password>,
    /// Whether a person may be asked.
    asks: bool,
    was_given: bool,
}

impl Passwords {
    /// `given` comes from the command line; `asks` says whether a person may be asked.
    #[must_use]
    pub fn new(given: Option<&password::Password>, asks: bool) -> Self {
        let mut known: Vec<_> = given.map(|text| Password::text(text)).into_iter().collect();
        known.extend([Password::text(""), Password::Absent]);
        Self { known, asks: asks && given.is_none(), was_given: given.is_some() }
    }

    /// True when the user gave a password beforehand: then one that does not fit is a fault.
    #[must_use]
    pub const fn was_given(&self) -> bool {
        self.was_given
    }

    /// The passwords for one object; `name` says to a person which.
    pub fn for_object<'a>(&'a mut self, name: &'a str, progress: &'a Progress) -> ForObject<'a> {
        ForObject { all: self, name, progress, tried: 0 }
    }
}

/// See [`Passwords::for_object`].
#[derive(Debug)]
pub struct ForObject<'a> {
    all: &'a mut Passwords,
    name: &'a str,
    progress: &'a Progress,
    /// How often a person was asked for this object.
    tried: usize,
}

impl PasswordSource for ForObject<'_> {
    fn password(&mut self, place: &str, attempt: usize) -> Option<Password> {
        if let Some(known) = self.all.known.get(attempt) {
            return Some(known.clone());
        }
        if !self.all.asks || self.tried >= TRIES {
            return None;
        }
        self.tried += 1;
        let what = format!("{} ({place})", self.name);
        // A terminal that cannot be asked is one without an answer.
        let typed = self.progress.aside(|| ask(&what)).ok().flatten();
        let password = typed.map(|text| Password::text(&text));
        self.all.known.extend(password.clone());
        // Who presses Esc does not want to be asked again.
        self.all.asks = password.is_some();
        password
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroize::Zeroizing;

    #[test]
    fn the_given_password_comes_first_and_nobody_is_asked() {
        let given = Zeroizing::new("secret".to_owned());
        let mut passwords = Passwords::new(Some(&given), true);
        let progress = Progress::hidden();
        let mut source = passwords.for_object("x", &progress);
        let tried: Vec<_> = (0..5).map(|n| source.password("y", n)).collect();
        let text = |text: &str| Some(Password::text(text));
        assert_eq!(tried, [text("secret"), text(""), Some(Password::Absent), None, None]);
        assert!(passwords.was_given());
    }
}
