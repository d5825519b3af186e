//! What every extension type does.

use serde::Serialize;

use crate::pki::findings::Findings;
use crate::pki::list::Decode;

/// The decoded value of an extension.
///
/// Decoding looks at the whole shape: after it, no list in the value fails to read.
pub trait Payload<'a>: Decode<'a> + Serialize {
    /// Checks the rules that the shape alone does not show.
    fn violations(&self, findings: &mut Findings);
}
