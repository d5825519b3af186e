//! What stands around a signed part, and the signature's way into its place.

use std::ops::Range;

use super::backward::{Backward, bit_string};
use crate::asn1::tag::octet;
use crate::pki::crypto::{Error, SignatureAlgorithm, Signer};

/// Which values are around the SEQUENCE of signed part, algorithm and signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// None, as of certificates, CRLs and requests.
    Plain,
    /// A successful `OCSPResponse` with a basic response (RFC 6960 4.2.1).
    Ocsp,
}

impl Frame {
    /// The octets in front of the signed part; from there on `after` octets follow.
    fn before(self, after: usize) -> Backward {
        /// 1.3.6.1.5.5.7.48.1.1, id-pkix-ocsp-basic.
        const BASIC: &[u8] = b"\x06\x09\x2b\x06\x01\x05\x05\x07\x30\x01\x01";
        const SUCCESSFUL: &[u8] = &[octet::ENUMERATED, 1, 0];
        let mut octets = Backward::new();
        octets.header(octet::SEQUENCE, after);
        if self == Self::Ocsp {
            octets.header(octet::OCTET_STRING, after);
            octets.raw(BASIC);
            octets.header(octet::SEQUENCE, after);
            octets.header(octet::context_constructed(0), after);
            octets.raw(SUCCESSFUL);
            octets.header(octet::SEQUENCE, after);
        }
        octets
    }

    /// Appends an object with room for its signature; `body` appends its signed part of
    /// `length` octets.
    pub(super) fn write(
        self,
        algorithm: SignatureAlgorithm,
        length: usize,
        out: &mut Vec<u8>,
        body: impl FnOnce(&mut Vec<u8>),
    ) -> Unsigned {
        let identifier = algorithm.signature_identifier();
        let room = algorithm.max_signature_len();
        let header = bit_string(room);
        let after = length + identifier.len() + header.as_bytes().len() + room;
        let before = self.before(after);
        let start = out.len();
        out.reserve(before.as_bytes().len() + after);
        out.extend_from_slice(before.as_bytes());
        let signed = out.len();
        body(out);
        debug_assert_eq!(out.len(), signed + length, "the signed part is as long as was said");
        let algorithm = out.len();
        out.extend_from_slice(identifier);
        let bits = out.len();
        out.extend_from_slice(header.as_bytes());
        let signature = out.len();
        out.resize(signature + room, 0);
        Unsigned { frame: self, start, signed, algorithm, bits, signature, end: out.len() }
    }
}

/// An object that waits for its signature: where its parts stand in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Unsigned {
    frame: Frame,
    /// The first octet of the object.
    start: usize,
    /// The signed part, up to `algorithm`.
    signed: usize,
    /// The `AlgorithmIdentifier`, up to `bits`.
    algorithm: usize,
    /// The BIT STRING.
    bits: usize,
    /// The octets of the signature.
    signature: usize,
    /// The end of the object with the longest signature.
    end: usize,
}

impl Unsigned {
    /// Where the signed part stands.
    #[must_use]
    pub const fn tbs(&self) -> Range<usize> {
        self.signed..self.algorithm
    }

    /// Signs in place and returns where the finished object stands. `out` must end where
    /// writing the object left it; on an error the object is taken out of it.
    ///
    /// # Errors
    /// What the signer returns; [`Error::Library`] for a buffer that has changed its length.
    pub fn sign(self, signer: &mut dyn Signer, out: &mut Vec<u8>) -> Result<Range<usize>, Error> {
        let result = self.sign_in_place(signer, out);
        if result.is_err() {
            out.truncate(self.start);
        }
        result
    }

    fn sign_in_place(
        self,
        signer: &mut dyn Signer,
        out: &mut Vec<u8>,
    ) -> Result<Range<usize>, Error> {
        if out.len() != self.end {
            return Err(Error::Library("the object is not at the end of its buffer".into()));
        }
        let (message, room) = out.split_at_mut(self.signature);
        let most = room.len();
        let length = signer.sign(&message[self.tbs()], room)?;
        if length > most {
            return Err(Error::Library("a signature is longer than they can be".into()));
        }
        if length < most {
            self.shorten(length, out);
        }
        Ok(self.start..out.len())
    }

    /// Makes the signature, which is shorter than its room, the end of the object.
    fn shorten(self, length: usize, out: &mut Vec<u8>) {
        out.truncate(self.signature + length);
        replace(out, self.bits..self.signature, bit_string(length).as_bytes());
        let before = self.frame.before(out.len() - self.signed);
        replace(out, self.start..self.signed, before.as_bytes());
    }
}

/// Octets that take the place of others; what follows moves when their number differs.
fn replace(out: &mut Vec<u8>, place: Range<usize>, octets: &[u8]) {
    if octets.len() == place.len() {
        out[place].copy_from_slice(octets);
    } else {
        out.splice(place, octets.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Reader;
    use crate::asn1::writer::Writer;
    use crate::pki::build::testing::{FakeSigner, NoSigner};

    fn signed_part(length: usize) -> Vec<u8> {
        let mut w = Writer::new();
        w.sequence(|w| w.octet_string(&vec![7; length]));
        w.into_bytes()
    }

    /// The same object by the writer.
    fn written(
        frame: Frame,
        algorithm: SignatureAlgorithm,
        tbs: &[u8],
        signature: usize,
    ) -> Vec<u8> {
        let mut w = Writer::new();
        let basic = |w: &mut Writer| {
            w.sequence(|w| {
                w.raw(tbs);
                w.raw(algorithm.signature_identifier());
                w.bit_string(&FakeSigner(signature).signature());
            });
        };
        match frame {
            Frame::Plain => basic(&mut w),
            Frame::Ocsp => w.sequence(|w| {
                w.enumerated(0);
                w.explicit(0, |w| {
                    w.sequence(|w| {
                        w.raw(b"\x06\x09\x2b\x06\x01\x05\x05\x07\x30\x01\x01");
                        w.octet_string_of(basic);
                    });
                });
            }),
        }
        w.into_bytes()
    }

    #[test]
    fn every_length_of_signature_gets_its_headers() {
        // Lengths of the signed part around the steps of every header's own length.
        for algorithm in SignatureAlgorithm::ALL {
            let most = algorithm.max_signature_len();
            let fixed = algorithm.fixed_signature_len();
            let signatures: Vec<usize> = (if fixed { most } else { 0 }..=most).collect();
            for frame in [Frame::Plain, Frame::Ocsp] {
                for length in [0, 1, 40, 60, 110, 120, 125, 200, 251, 65_300, 65_500] {
                    let tbs = signed_part(length);
                    for &signature in &signatures {
                        let mut out = b"before".to_vec();
                        let unsigned =
                            frame.write(algorithm, tbs.len(), &mut out, |out| out.extend(&tbs));
                        assert_eq!(out[unsigned.tbs()], tbs);
                        let place = unsigned.sign(&mut FakeSigner(signature), &mut out).unwrap();
                        assert_eq!(place, 6..out.len());
                        assert_eq!(out[place], written(frame, algorithm, &tbs, signature));
                    }
                }
            }
        }
    }

    #[test]
    fn an_error_takes_the_object_out_of_the_buffer() {
        let tbs = signed_part(3);
        let mut out = b"before".to_vec();
        let algorithm = SignatureAlgorithm::EcdsaP256;
        let unsigned = Frame::Plain.write(algorithm, tbs.len(), &mut out, |out| out.extend(&tbs));
        assert!(unsigned.sign(&mut NoSigner, &mut out).is_err());
        assert_eq!(out, b"before");
        // The buffer is not what it was any more.
        assert!(unsigned.sign(&mut FakeSigner(70), &mut out).is_err());
        assert_eq!(out, b"before");
    }

    #[test]
    fn the_signed_part_is_read_back() {
        let tbs = signed_part(300);
        let mut out = Vec::new();
        let algorithm = SignatureAlgorithm::Ed25519;
        let unsigned = Frame::Plain.write(algorithm, tbs.len(), &mut out, |out| out.extend(&tbs));
        unsigned.sign(&mut FakeSigner(64), &mut out).unwrap();
        let (_, mut reader) = Reader::single(&out, octet::SEQUENCE).unwrap();
        assert_eq!(reader.any().unwrap().span().of(&out), tbs);
    }
}
