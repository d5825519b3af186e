//! A budget for key derivation: input decides the iteration counts, we decide what we spend.

use std::sync::atomic::{AtomicBool, Ordering};

use super::error::Error;

/// Iterations of a hash or HMAC that may still be spent on one object, and a switch to stop.
///
/// One budget serves all passwords and all parts of an object: a container with a thousand
/// encrypted bags costs no more than one with a single bag.
#[derive(Debug)]
pub struct Effort<'c> {
    left: u64,
    limit: u64,
    cancel: Option<&'c AtomicBool>,
}

impl<'c> Effort<'c> {
    /// Five million iterations: one to two seconds, five times the largest count in use.
    pub const DEFAULT_ITERATIONS: u64 = 5_000_000;

    /// A budget of `limit` iterations.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        Self { left: limit, limit, cancel: None }
    }

    /// The same budget, given up when `cancel` becomes true.
    #[must_use]
    pub const fn cancelled_by(self, cancel: &'c AtomicBool) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Takes `asked` iterations out of the budget, each as dear as `weight` ordinary ones.
    ///
    /// # Errors
    /// [`Error::TooMuch`] when they are not left (nothing is taken), [`Error::Cancelled`].
    pub fn spend(&mut self, asked: u64, weight: u64) -> Result<(), Error> {
        self.check()?;
        let Some(left) = self.left.checked_sub(asked.saturating_mul(weight)) else {
            return Err(Error::TooMuch { asked, left: self.left, limit: self.limit });
        };
        self.left = left;
        Ok(())
    }

    /// Asks the switch; loops call it now and then.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn check(&self) -> Result<(), Error> {
        match self.cancel {
            Some(cancel) if cancel.load(Ordering::Relaxed) => Err(Error::Cancelled),
            _ => Ok(()),
        }
    }
}

impl Default for Effort<'_> {
    fn default() -> Self {
        Self::new(Self::DEFAULT_ITERATIONS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_once() {
        let mut effort = Effort::new(10);
        effort.spend(7, 1).unwrap();
        assert_eq!(effort.spend(2, 2), Err(Error::TooMuch { asked: 2, left: 3, limit: 10 }));
        effort.spend(3, 1).unwrap();
        let message = effort.spend(2_147_483_648, 2).unwrap_err().to_string();
        assert!(message.contains("2147483648 iterations, 0 left of 10"), "{message}");
    }

    #[test]
    fn the_switch_stops_it() {
        let stop = AtomicBool::new(true);
        assert_eq!(Effort::default().cancelled_by(&stop).spend(1, 1), Err(Error::Cancelled));
    }
}
