#![no_main]
//! What a source holds: every octet is in one entry, every entry opens again by its mark.

use libfuzzer_sys::fuzz_target;
use pkiscope::asn1::export;
use pkiscope::asn1::sniff::{self, Encoding};
use pkiscope::pki::object::Form;
use pkiscope::pki::summary::summary;
use pkiscope_fuzz::{assert_quiet, written};

/// Entries that are opened again; each costs a walk over its block.
const SOME: usize = 16;

fuzz_target!(|source: &[u8]| {
    let mut at = 0;
    for (index, entry) in sniff::objects(source).enumerate() {
        assert_eq!(entry.offset, at, "{entry:?}");
        assert!(entry.length > 0 || source.is_empty());
        assert!(!entry.der.is_empty() || entry.error.is_some() || entry.is_text(), "{entry:?}");
        for fault in entry.error.iter().chain(&entry.notes) {
            // A fault of a block stands where it is in the block, which may hold several entries.
            assert!(fault.offset <= source.len() as u64, "{entry:?}");
            assert_quiet(&fault.message());
        }
        at += entry.length;
        if index < SOME {
            assert_eq!(sniff::open(source, entry.mark).as_ref(), Some(&entry));
            let form = Form::of(&entry.der, entry.label.as_deref());
            assert_quiet(&summary(&entry.der, form).title);
            if entry.error.is_none() && !entry.is_text() {
                reads_back(&entry.der, entry.label.as_deref().unwrap_or("X"));
            }
        }
    }
    assert_eq!(at, source.len() as u64);
});

/// An object that was found is found in its own PEM block.
fn reads_back(der: &[u8], label: &str) {
    let text = written(|out| export::pem(out, label, der));
    let found: Vec<_> = sniff::objects(text.as_bytes()).collect();
    assert_eq!(found.len(), 1, "{text}");
    assert_eq!((found[0].encoding, &*found[0].der), (Encoding::Pem, der), "{text}");
    assert_eq!(found[0].error, None, "{text}");
}
