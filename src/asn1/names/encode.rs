//! Dotted text to contents octets, for the tables and for the user's file.

/// What is wrong with a dotted identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DottedError {
    /// There is no second number.
    #[error("an object identifier has at least two numbers")]
    TooShort,
    /// Something other than a decimal number without leading zeros stands between the dots.
    #[error("an object identifier is decimal numbers with dots between them")]
    NotANumber,
    /// The first number is above 2, or the second is above 39 below 0 or 1 (X.660 A.2).
    #[error(
        "no identifier starts like this: the first number is 0, 1 or 2, the second at most 39 below 0 and 1"
    )]
    BadRoot,
    /// A number is too big to be told apart from a mistake.
    #[error("a number is larger than 2^128 - 1")]
    TooBig,
}

/// Appends the contents octets of a dotted identifier to `out` (X.690 8.19).
pub(super) fn dotted(text: &str, out: &mut Vec<u8>) -> Result<(), DottedError> {
    let mut numbers = text.split('.').map(number);
    let root = numbers.next().unwrap_or(Err(DottedError::NotANumber))?;
    let second = numbers.next().unwrap_or(Err(DottedError::TooShort))?;
    if root > 2 || (root < 2 && second > 39) {
        return Err(DottedError::BadRoot);
    }
    let first = second.checked_add(root * 40).ok_or(DottedError::TooBig)?;
    base128(first, out);
    for number in numbers {
        base128(number?, out);
    }
    Ok(())
}

/// Appends the octets of numbers that stand below an arc.
pub(super) fn below(text: &str, out: &mut Vec<u8>) -> Result<(), DottedError> {
    text.split('.').try_for_each(|part| {
        base128(number(part)?, out);
        Ok(())
    })
}

fn number(text: &str) -> Result<u128, DottedError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        return Err(DottedError::NotANumber);
    }
    // Only digits are left, so the one thing that can go wrong is the size.
    text.parse().map_err(|_| DottedError::TooBig)
}

fn base128(number: u128, out: &mut Vec<u8>) {
    let groups = (128 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let low = u8::try_from((number >> (7 * group)) & 0x7f).unwrap_or_default();
        out.push(if group == 0 { low } else { low | 0x80 });
    }
}
