//! The tables of the open types that hold values of nearly every module: see [`Set`].

mod attributes;
mod contents;
mod extensions;

use crate::asn1::schema::model::{Set, Table};

/// The table of `set`.
pub(super) fn table(set: Set) -> &'static Table {
    match set {
        Set::Extensions => &extensions::EXTENSIONS,
        Set::Attributes => &attributes::ATTRIBUTES,
        Set::Contents => &contents::CONTENTS,
    }
}
