//! The extensions that templates write (RFC 5280 4.2.1, 4.2.2).

use super::alternative::Uri;
use super::profile::Profile;
use super::values::{Identifier, PathLength, write_extension};
use crate::asn1::value::Oid;
use crate::asn1::writer::Writer;

/// Contents octets of id-ce (2.5.29) and the last arc.
const AUTHORITY_KEY_IDENTIFIER: &[u8] = b"\x55\x1d\x23";
const KEY_USAGE: &[u8] = b"\x55\x1d\x0f";
const BASIC_CONSTRAINTS: &[u8] = b"\x55\x1d\x13";
const EXTENDED_KEY_USAGE: &[u8] = b"\x55\x1d\x25";
const CERTIFICATE_POLICIES: &[u8] = b"\x55\x1d\x20";
const CRL_DISTRIBUTION_POINTS: &[u8] = b"\x55\x1d\x1f";
const REASON_CODE: &[u8] = b"\x55\x1d\x15";
/// id-pe-authorityInfoAccess, and the two methods of RFC 5280 4.2.2.1.
const AUTHORITY_INFO_ACCESS: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x01\x01";
const OCSP: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x30\x01";
const CA_ISSUERS: &[u8] = b"\x2b\x06\x01\x05\x05\x07\x30\x02";

/// The extension and the OCTET STRINGs in front of a key identifier of 20 octets: always the
/// same.
pub(super) const SUBJECT_KEY_IDENTIFIER: &[u8] = b"\x30\x1d\x06\x03\x55\x1d\x0e\x04\x16\x04\x14";
/// The identifier of subjectAltName with tag and length.
pub(super) const SUBJECT_ALT_NAME: &[u8] = b"\x06\x03\x55\x1d\x11";

/// The identifier of cRLNumber with tag and length.
pub(super) const CRL_NUMBER: &[u8] = b"\x06\x03\x55\x1d\x14";

/// RFC 5280 5.3.1
pub(super) fn reason_code(w: &mut Writer, reason: u8) {
    write_extension(w, REASON_CODE, false, |w| w.enumerated(reason.into()));
}

/// RFC 5280 4.2.1.1, by the identifier of the key.
pub(super) fn authority_key_identifier(w: &mut Writer, key_id: &[u8]) {
    write_extension(w, AUTHORITY_KEY_IDENTIFIER, false, |w| {
        w.sequence(|w| w.implicit(0).octet_string(key_id));
    });
}

/// RFC 5280 4.2.1.3; `bits` by their numbers.
pub(super) fn key_usage(w: &mut Writer, bits: u64) {
    write_extension(w, KEY_USAGE, true, |w| w.named_bits(bits));
}

/// RFC 5280 4.2.1.9 of a CA.
pub(super) fn ca_constraints(w: &mut Writer, path_length: Option<PathLength>) {
    write_extension(w, BASIC_CONSTRAINTS, true, |w| {
        w.sequence(|w| {
            w.boolean(true);
            if let Some(most) = path_length {
                w.integer(most.0.into());
            }
        });
    });
}

/// All that is the same in every certificate of a subscriber, but for the key identifiers and
/// the key usage.
pub(super) fn of_subscribers(w: &mut Writer, profile: &Profile) {
    let profile = &profile.certificate;
    write_extension(w, BASIC_CONSTRAINTS, true, |w| w.sequence(|_| ()));
    list(w, EXTENDED_KEY_USAGE, &profile.purposes, |w, Identifier(oid)| w.oid(Oid(oid)));
    list(w, CERTIFICATE_POLICIES, &profile.policies, |w, Identifier(oid)| {
        w.sequence(|w| w.oid(Oid(oid)));
    });
    list(w, CRL_DISTRIBUTION_POINTS, &profile.crl, |w, uri| {
        w.sequence(|w| w.explicit(0, |w| w.explicit(0, |w| uri.write(w))));
    });
    let of = |method| move |uri| (method, uri);
    let access: Vec<(&[u8], &Uri)> = (profile.ocsp.iter().map(of(OCSP)))
        .chain(profile.ca_issuers.iter().map(of(CA_ISSUERS)))
        .collect();
    list(w, AUTHORITY_INFO_ACCESS, &access, |w, (method, uri)| {
        w.sequence(|w| {
            w.oid(Oid(method));
            uri.write(w);
        });
    });
    for extension in &profile.extensions {
        w.raw(&extension.0);
    }
}

/// An extension that is a SEQUENCE OF, where there is anything to put into it.
fn list<T>(w: &mut Writer, oid: &[u8], items: &[T], mut item: impl FnMut(&mut Writer, &T)) {
    if !items.is_empty() {
        write_extension(w, oid, false, |w| {
            w.sequence(|w| items.iter().for_each(|it| item(w, it)));
        });
    }
}
