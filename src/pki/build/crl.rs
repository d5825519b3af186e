//! Certificate revocation lists (RFC 5280 5).

use super::authority::Authority;
use super::backward::Backward;
use super::dates;
use super::envelope::{Frame, Unsigned};
use super::error::Error;
use super::extensions;
use super::number::SerialPolicy;
use super::profile::Profile;
use super::stencil::{Drawing, Hole, Sketch, Stencils};
use crate::asn1::tag::octet;
use crate::asn1::value::Time;
use crate::asn1::writer::Writer;
use crate::pki::crypto::SignatureAlgorithm;

/// The most octets of what follows the serial number in an entry: a GeneralizedTime and an
/// extension of 14 octets take 31.
const TAIL: usize = 32;
/// The octets of an entry in front of the serial number: two headers.
const HEAD: usize = 4;
/// Octets that a serial number is copied with.
const SERIAL: usize = 16;

/// Makes the revocation lists of one authority, each with all certificates up to a number.
#[derive(Debug, Clone)]
pub struct CrlTemplate {
    algorithm: SignatureAlgorithm,
    serials: SerialPolicy,
    /// version, signature, issuer, thisUpdate, nextUpdate
    head: Vec<u8>,
    /// What follows the serial number in an entry, for each reason in turn; never empty.
    tails: Vec<Tail>,
    extensions: Stencils<CrlExtensions>,
}

/// revocationDate and crlEntryExtensions.
#[derive(Debug, Clone, Copy)]
struct Tail {
    octets: [u8; TAIL],
    len: usize,
}

impl Tail {
    fn new(date: &Time, reason: u8) -> Self {
        let mut w = Writer::new();
        w.time(date);
        // "unspecified" is said by leaving the reason out (RFC 5280 5.3.1).
        if reason != 0 {
            w.sequence(|w| extensions::reason_code(w, reason));
        }
        let mut octets = [0; TAIL];
        let len = w.as_bytes().len().min(TAIL);
        octets[..len].copy_from_slice(&w.as_bytes()[..len]);
        Self { octets, len }
    }

    /// Octets of an entry whose serial number has this many.
    const fn entry(&self, serial: usize) -> usize {
        HEAD + serial + self.len
    }
}

impl CrlTemplate {
    /// The most entries of a list, so that it stays below 4 GiB.
    pub const MOST: u64 = 1 << 26;

    /// Lists of `authority`, whose certificates have serial numbers of this policy.
    ///
    /// # Errors
    /// [`Error::Date`] when the next update is outside of the calendar.
    pub fn new(
        profile: &Profile,
        authority: &Authority,
        serials: SerialPolicy,
        now: i64,
    ) -> Result<Self, Error> {
        let (this, next) = dates::span(now, profile.crl.next_update.0 * 3_600)?;
        let mut w = Writer::new();
        // v2
        w.integer(1);
        w.raw(authority.algorithm.signature_identifier());
        w.raw(&authority.name);
        w.time(&this);
        w.time(&next);
        let head = w.into_bytes();
        let mut w = Writer::new();
        extensions::authority_key_identifier(&mut w, &authority.key_id);
        let draft = CrlExtensions(w.into_bytes());
        Ok(Self {
            algorithm: authority.algorithm,
            serials,
            head,
            tails: profile.reasons().map(|reason| Tail::new(&this, reason)).collect(),
            extensions: Stencils::new(draft, SerialPolicy::Sequential, 0, 0),
        })
    }

    /// Appends the list with this cRLNumber (RFC 5280 5.2.3) that revokes the certificates
    /// 1 to `revoked`, at most [`Self::MOST`], without its signature.
    pub fn write(&self, crl_number: u64, revoked: u64, out: &mut Vec<u8>) -> Unsigned {
        let revoked = revoked.min(Self::MOST);
        let entries = self.entries_len(revoked);
        let extensions = self.extensions.object(crl_number, &[]);
        let mut list = Backward::new();
        if revoked > 0 {
            list.header(octet::SEQUENCE, entries);
        }
        let list = list.as_bytes();
        let mut header = Backward::new();
        let contents = self.head.len() + list.len() + entries + extensions.len();
        header.header(octet::SEQUENCE, contents);
        let header = header.as_bytes();
        Frame::Plain.write(self.algorithm, header.len() + contents, out, |out| {
            out.extend_from_slice(header);
            out.extend_from_slice(&self.head);
            out.extend_from_slice(list);
            self.write_entries(revoked, entries, out);
            extensions.write(out);
        })
    }

    /// The ranges of numbers up to `revoked` whose serial numbers have one length, and that.
    fn ranges(&self, revoked: u64) -> impl Iterator<Item = (u64, u64, usize)> {
        let mut from = 1;
        std::iter::from_fn(move || {
            if from > revoked {
                return None;
            }
            let octets = self.serials.serial(from).as_bytes().len();
            let last = match self.serials {
                SerialPolicy::Sequential => (1 << (8 * octets - 1)) - 1,
                SerialPolicy::Random { .. } => revoked,
            };
            let range = (from, last.min(revoked), octets);
            from = range.1 + 1;
            Some(range)
        })
    }

    /// Octets of the entries 1 to `revoked`.
    fn entries_len(&self, revoked: u64) -> usize {
        let turns = self.tails.len() as u64;
        let mut sum = 0;
        for (from, last, serial) in self.ranges(revoked) {
            for (i, tail) in (0..).zip(&self.tails) {
                // How many numbers up to this one have their turn at this tail.
                let up_to = |number: u64| (number + turns - 1 - i) / turns;
                sum += (up_to(last) - up_to(from - 1)) * tail.entry(serial) as u64;
            }
        }
        usize::try_from(sum).unwrap_or(usize::MAX)
    }

    /// Appends the entries 1 to `revoked`, which take `octets`.
    fn write_entries(&self, revoked: u64, octets: usize, out: &mut Vec<u8>) {
        /// An entry is copied in parts of fixed lengths, and the next one covers what is too
        /// much of it.
        const WINDOW: usize = HEAD + SERIAL + TAIL;
        let mut at = out.len();
        let end = at + octets;
        out.resize(end + WINDOW, 0);
        let mut tails = self.tails.iter().cycle();
        for (from, last, serial) in self.ranges(revoked) {
            for (number, tail) in (from..=last).zip(&mut tails) {
                let entry = tail.entry(serial);
                let head = [octet::SEQUENCE, short(entry - 2), octet::INTEGER, short(serial)];
                let window = &mut out[at..at + WINDOW];
                put(window, 0, &head);
                put(window, HEAD, self.serials.serial(number).padded());
                put(window, HEAD + serial, &tail.octets);
                at += entry;
            }
        }
        out.truncate(end);
    }
}

/// The contents octet of a length below 128.
#[allow(clippy::cast_possible_truncation, reason = "entries and serial numbers are short")]
const fn short(length: usize) -> u8 {
    length as u8
}

/// Copies octets whose number the compiler knows: a call of `memcpy` takes longer than the copy.
fn put<const N: usize>(window: &mut [u8], at: usize, octets: &[u8; N]) {
    if let Some(place) = window[at..].first_chunk_mut() {
        *place = *octets;
    }
}

/// crlExtensions with the authority key identifier, which is here, and the cRLNumber.
#[derive(Debug, Clone)]
struct CrlExtensions(Vec<u8>);

impl Drawing for CrlExtensions {
    fn draw(&self, sketch: &mut Sketch) {
        sketch.constructed(octet::context_constructed(0), |sketch| {
            sketch.constructed(octet::SEQUENCE, |sketch| {
                sketch.raw(&self.0);
                sketch.constructed(octet::SEQUENCE, |sketch| {
                    sketch.raw(extensions::CRL_NUMBER);
                    sketch.constructed(octet::OCTET_STRING, |sketch| {
                        sketch.constructed(octet::INTEGER, |sketch| sketch.hole(Hole::Serial));
                    });
                });
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::build::testing::{FakeSigner, NOW, NUMBERS, assert_sound, authority};
    use crate::pki::crl::Crl;
    use crate::pki::extension::Value;
    use crate::pki::object::Form;

    fn issue(template: &CrlTemplate, crl_number: u64, revoked: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let unsigned = template.write(crl_number, revoked, &mut out);
        unsigned.sign(&mut FakeSigner::of(template.algorithm), &mut out).unwrap();
        out
    }

    fn template(algorithm: SignatureAlgorithm, serials: SerialPolicy, toml: &str) -> CrlTemplate {
        let profile = Profile::from_toml(toml).unwrap();
        CrlTemplate::new(&profile, &authority(algorithm), serials, NOW).unwrap()
    }

    #[test]
    fn every_count_of_entries_reads_without_a_finding() {
        for serials in [SerialPolicy::Sequential, SerialPolicy::Random { seed: 5 }] {
            let template = template(SignatureAlgorithm::EcdsaP256, serials, "");
            for revoked in [0, 1, 2, 3, 4, 5, 127, 128, 1_024, 32_767, 32_768, 100_000] {
                let der = issue(&template, 3, revoked);
                if revoked <= 1_024 {
                    assert_sound(&der, Form::CertificateList);
                }
                let crl = Crl::parse(&der).unwrap();
                assert_eq!(crl.version(), Some(2));
                let mut number = 0;
                for entry in &crl.revoked() {
                    number += 1;
                    let entry = entry.unwrap();
                    assert_eq!(entry.serial_number.0, serials.serial(number).as_bytes());
                    assert_eq!(entry.revocation_date.time().unwrap().unix_seconds(), NOW);
                    let reason = entry.extensions.iter().next().map(|extension| {
                        let Ok(Some(Value::CrlReason(reason))) = extension.unwrap().value() else {
                            panic!("another extension");
                        };
                        reason.code
                    });
                    let reasons = [None, Some(1), Some(4), Some(5)];
                    assert_eq!(reason, reasons[usize::try_from((number - 1) % 4).unwrap()]);
                }
                assert_eq!(number, revoked);
            }
        }
    }

    #[test]
    fn a_list_of_100_000_entries_is_sound() {
        let template = template(SignatureAlgorithm::Ed25519, SerialPolicy::Sequential, "");
        assert_sound(&issue(&template, u64::MAX, 100_000), Form::CertificateList);
    }

    #[test]
    fn every_algorithm_and_crl_number() {
        for algorithm in SignatureAlgorithm::ALL {
            let template = template(algorithm, SerialPolicy::Sequential, "");
            for number in NUMBERS {
                let der = issue(&template, number, 3);
                assert_sound(&der, Form::CertificateList);
                let crl = Crl::parse(&der).unwrap();
                let extension = crl.extensions().find(b"\x55\x1d\x14").unwrap();
                let Ok(Some(Value::CrlNumber(found))) = extension.value() else {
                    panic!("no cRLNumber");
                };
                assert_eq!(found.number.0, SerialPolicy::Sequential.serial(number).as_bytes());
                assert!(crl.extensions().find(b"\x55\x1d\x23").is_some());
            }
        }
    }

    #[test]
    fn reasons_are_those_of_the_profile() {
        let algorithm = SignatureAlgorithm::Ed25519;
        for (toml, expected) in [
            ("[crl]\nreasons = []", 0),
            ("[crl]\nreasons = [\"unspecified\"]", 0),
            ("[crl]\nreasons = [\"aACompromise\", \"certificateHold\", \"unspecified\"]", 67),
        ] {
            let template = template(algorithm, SerialPolicy::Sequential, toml);
            let der = issue(&template, 1, 100);
            assert_sound(&der, Form::CertificateList);
            let crl = Crl::parse(&der).unwrap();
            let with_reason =
                crl.revoked().iter().filter(|e| !e.as_ref().unwrap().extensions.is_empty());
            assert_eq!(with_reason.count(), expected, "{toml}");
        }
    }

    #[test]
    fn dates_beyond_2049_are_generalized_times() {
        let profile = Profile::builtin();
        let authority = authority(SignatureAlgorithm::Ed25519);
        let serials = SerialPolicy::Random { seed: 1 };
        // 2049-12-31: the next update is in 2050, then all dates are.
        for now in [2_524_521_600, 2_524_608_000, 250_000_000_000] {
            let template = CrlTemplate::new(&profile, &authority, serials, now).unwrap();
            assert_sound(&issue(&template, 1, 10), Form::CertificateList);
        }
        for now in [253_402_300_799, i64::MAX, i64::MIN] {
            assert!(matches!(
                CrlTemplate::new(&profile, &authority, serials, now),
                Err(Error::Date)
            ));
        }
    }
}
