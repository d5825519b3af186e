//! Offsets as people type them.

/// A place in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An offset from the start.
    At(u64),
    /// So many octets on, or back.
    By(i64),
}

/// Reads `1234`, `0x4d2`, `+16`, `-0x10`; underscores and commas between digits are skipped.
///
/// # Errors
/// One sentence that says what is wrong.
pub fn parse(text: &str) -> Result<Place, String> {
    let text = text.trim();
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'+') => (Some(1), &text[1..]),
        Some(b'-') => (Some(-1), &text[1..]),
        _ => (None, text),
    };
    let plain: String = digits.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let hex = plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X"));
    let number = match hex {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => plain.parse(),
    };
    // from_str_radix takes a sign of its own.
    let signed_twice = plain.contains(['+', '-']);
    match (number, sign) {
        (Ok(n), None) if !signed_twice => Ok(Place::At(n)),
        (Ok(n), Some(sign)) if !signed_twice => {
            let n = i64::try_from(n).map_err(|_| "the offset is too large".to_owned())?;
            Ok(Place::By(sign * n))
        }
        _ => Err("neither an offset (1234, 0x4d2, +16, -16) nor an action".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_in_every_form() {
        assert_eq!(parse("1234"), Ok(Place::At(1234)));
        assert_eq!(parse(" 0x4D2 "), Ok(Place::At(1234)));
        assert_eq!(parse("1,234_5"), Ok(Place::At(12345)));
        assert_eq!(parse("+16"), Ok(Place::By(16)));
        assert_eq!(parse("-0x10"), Ok(Place::By(-16)));
    }

    #[test]
    fn what_is_no_offset() {
        for text in [
            "",
            "x",
            "0x",
            "+-3",
            "--3",
            "0x+3",
            "+",
            "99999999999999999999",
            "+9999999999999999999",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
