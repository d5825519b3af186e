//! Certificate revocation lists (RFC 5280 5).

use super::authority::{Authority, moment};
use super::backward::Backward;
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
        let this = moment(now)?;
        let next = moment(now.saturating_add(profile.crl.next_update.0 * 3_600))?;
        let mut w = Writer::new();
        // v2
        w.integer(1);
        w.raw(authority.algorithm.signature_identifier());
        w.raw(&authority.name);
        w.time(&this);
        w.time(&next);
        let head = w.into_bytes();
        let mut w = Writer::new();
        authority.write_identifier(&mut w);
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
            let short = |n: usize| u8::try_from(n).unwrap_or_default();
            for (number, tail) in (from..=last).zip(&mut tails) {
                let entry = tail.entry(serial);
                let window = &mut out[at..at + WINDOW];
                let head = [octet::SEQUENCE, short(entry - 2), octet::INTEGER, short(serial)];
                window[..HEAD].copy_from_slice(&head);
                window[HEAD..HEAD + SERIAL].copy_from_slice(self.serials.serial(number).padded());
                window[HEAD + serial..][..TAIL].copy_from_slice(&tail.octets);
                at += entry;
            }
        }
        out.truncate(end);
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
