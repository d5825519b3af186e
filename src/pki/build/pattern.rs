//! Text with the number of an object in it.

use super::number::{Digits, random_text};
use super::stencil::{Hole, Sketch};

/// Text in which `{n}` stands for the number of an object, and `{random}` for eight letters
/// and digits that seed and number make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Octets(Vec<u8>),
    Hole(Hole),
}

/// The placeholders.
const HOLES: [(&str, Hole); 2] = [("{n}", Hole::Number), ("{random}", Hole::Random)];

impl Pattern {
    /// Reads the text of a profile.
    ///
    /// # Errors
    /// Braces that are no placeholder, in words.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            let Some((name, hole)) = HOLES.iter().find(|(name, _)| from.starts_with(name)) else {
                return Err("braces are for {n}, the number, and {random}, eight letters".into());
            };
            if !before.is_empty() {
                parts.push(Part::Octets(before.into()));
            }
            parts.push(Part::Hole(*hole));
            rest = &from[name.len()..];
        }
        if !rest.is_empty() {
            parts.push(Part::Octets(rest.into()));
        }
        Ok(Self { parts })
    }

    /// Octets without a placeholder.
    pub(super) fn fixed(octets: &[u8]) -> Self {
        Self { parts: vec![Part::Octets(octets.to_vec())] }
    }

    /// The text that it was read from.
    pub(super) fn source(&self) -> String {
        let text = |part: &Part| match part {
            Part::Octets(octets) => String::from_utf8_lossy(octets).into_owned(),
            Part::Hole(hole) => {
                let name = HOLES.iter().find(|(_, known)| known == hole).map(|(name, _)| *name);
                name.unwrap_or_default().to_owned()
            }
        };
        self.parts.iter().map(text).collect()
    }

    /// Whether it is the same for every number.
    pub(super) fn is_fixed(&self) -> bool {
        !self.parts.iter().any(|part| matches!(part, Part::Hole(_)))
    }

    pub(super) fn draw(&self, sketch: &mut Sketch) {
        for part in &self.parts {
            match part {
                Part::Octets(octets) => sketch.raw(octets),
                Part::Hole(hole) => sketch.hole(*hole),
            }
        }
    }

    /// Appends the text with the parts of this number.
    pub(super) fn expand(&self, seed: u64, number: u64, out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Octets(octets) => out.extend_from_slice(octets),
                Part::Hole(Hole::Number) => out.extend_from_slice(Digits::of(number).as_bytes()),
                Part::Hole(_) => out.extend_from_slice(&random_text(seed, number)),
            }
        }
    }

    /// The text with the parts of this number.
    pub(super) fn text(&self, seed: u64, number: u64) -> String {
        let mut out = Vec::with_capacity(64);
        self.expand(seed, number, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// The text of the largest number: the longest one.
    pub(super) fn longest(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.expand(0, u64::MAX, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled() {
        let pattern = Pattern::parse("a{n}b{random}{n}").unwrap();
        let random = String::from_utf8(random_text(3, 12).to_vec()).unwrap();
        assert_eq!(pattern.text(3, 12), format!("a12b{random}12"));
        assert_eq!(pattern.source(), "a{n}b{random}{n}");
        assert_eq!(pattern.longest().len(), 1 + 20 + 1 + 8 + 20);
        assert!(!pattern.is_fixed());
        let plain = Pattern::parse("plain ä").unwrap();
        assert!(plain.is_fixed());
        assert_eq!(plain.text(0, 1), "plain ä");
        assert_eq!(Pattern::parse("").unwrap().text(0, 1), "");
    }

    #[test]
    fn other_braces_are_refused() {
        for text in ["{", "}", "{}", "{N}", "{n", "n}", "{random}{", "{{n}}", "{ n }"] {
            assert!(Pattern::parse(text).unwrap_err().contains("{n}"), "{text}");
        }
    }
}
