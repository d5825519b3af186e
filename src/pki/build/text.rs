//! Values of profiles that are written as text.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// Reads text while its place in the file is still known, so that what is wrong with it is
/// reported for its own line and not for that of the list around it.
pub(super) fn deserialize<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> TryFrom<&'a str, Error = String>,
{
    struct Text<T>(PhantomData<T>);

    impl<T: for<'a> TryFrom<&'a str, Error = String>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("text in quotes")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            T::try_from(text).map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text(PhantomData))
}

/// Makes types that can be tried from text readable from a profile.
macro_rules! read_as_text {
    ($($kind:ty),+) => {$(
        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::pki::build::text::deserialize(from)
            }
        }
    )+};
}
pub(super) use read_as_text;
