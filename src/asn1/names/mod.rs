//! Names of object identifiers.
//!
//! A name is the one that users of OpenSSL and of the RFCs' ASN.1 modules know:
//! `basicConstraints`, `sha256WithRSAEncryption`, `id-ML-DSA-65`, `commonName`. The tables
//! are families: an arc, the document that assigns the numbers below it, and the names. They
//! are turned into one hash index over contents octets when the first name is asked for
//! (well under a millisecond); a lookup allocates nothing.

mod algorithms_table;
mod attributes_table;
mod curves_table;
mod documents_table;
mod entry;
mod etsi_table;
mod extensions_table;
mod family;
mod index;
mod kerberos_table;
mod lamps_table;
mod ldap_table;
mod microsoft_table;
mod national_table;
mod netscape_table;
mod nist_table;
mod pkcs_table;
mod pkix_table;
mod policies_table;
mod registration_table;
mod smime_table;
mod table;
mod tcg_table;
mod user;
mod vendors_table;

use std::sync::OnceLock;

pub use entry::Entry;
pub use user::{Names, NamesError, Problem};

static USER: OnceLock<Names> = OnceLock::new();

/// Makes a user's own names part of every later [`lookup`]. Only the first call counts.
///
/// # Errors
/// Hands the names back when names were installed before.
pub fn install(names: Names) -> Result<(), Names> {
    USER.set(names)
}

/// True when a user's own names are part of [`lookup`]: [`all`] does not list them.
#[must_use]
pub fn has_own() -> bool {
    USER.get().is_some_and(|own| !own.is_empty())
}

/// The name of the identifier with these contents octets (X.690 8.19): the user's own name
/// if there is one, else the built-in one.
#[must_use]
pub fn lookup(contents: &[u8]) -> Option<Entry<'static>> {
    USER.get().and_then(|user| user.own(contents)).or_else(|| built_in(contents))
}

/// The built-in name of the identifier with these contents octets.
#[must_use]
pub fn built_in(contents: &[u8]) -> Option<Entry<'static>> {
    index::BUILT_IN.lookup(contents)
}

/// The contents octets of the first identifier that is called `name`: a name, an attribute
/// label, or a name with or without its module's prefix (`id-ce-keyUsage`, `ML-DSA-65`). ASCII
/// case does not matter, but the closest match wins.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static [u8]> {
    let user = USER.get().and_then(|user| user.by_own_name(name));
    user.or_else(|| index::BUILT_IN.by_name(name))
}

/// All built-in identifiers, as contents octets and names, family by family.
pub fn all() -> impl Iterator<Item = (&'static [u8], Entry<'static>)> {
    index::BUILT_IN.all()
}

#[cfg(test)]
mod tests;
