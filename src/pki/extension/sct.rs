//! Certificate Transparency: the list of signed timestamps, the poison (RFC 6962 3.1, 3.3).

use serde::{Serialize, Serializer};

use crate::asn1::tag::octet;
use crate::asn1::value::time::Time;
use crate::asn1::{Error, Reader, Span};
use crate::pki::extension::payload::Payload;
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::show::Hex;
use crate::rule;

rule! {
    SCT_LIST, "sct-list", "RFC 6962 3.3",
        "the lengths in the list of signed certificate timestamps do not add up";
    SCT_EMPTY, "sct-empty", "RFC 6962 3.3", "the list of signed certificate timestamps is empty";
    SCT_FIELDS, "sct-fields", "RFC 6962 3.2", "a signed certificate timestamp does not read";
}

/// SignedCertificateTimestampList, in the presentation language of TLS inside an OCTET STRING.
#[derive(Debug, Clone, Copy)]
pub struct SctList<'a> {
    object: &'a [u8],
    list: Span,
}

/// An element of the list.
#[derive(Debug, Clone, Copy)]
pub enum Entry<'a> {
    /// A timestamp of version 1.
    V1(Sct<'a>),
    /// One of another version, whose fields are not known.
    Other(&'a [u8]),
}

/// A SignedCertificateTimestamp of version 1.
#[derive(Debug, Clone, Copy)]
pub struct Sct<'a> {
    /// SHA-256 of the log's public key.
    pub log_id: &'a [u8],
    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub timestamp: u64,
    /// Extensions, opaque.
    pub extensions: &'a [u8],
    /// TLS code of the hash algorithm (RFC 5246 7.4.1.4.1).
    pub hash: u8,
    /// TLS code of the signature algorithm (RFC 5246 7.4.1.4.1).
    pub signature_algorithm: u8,
    /// The signature.
    pub signature: &'a [u8],
}

/// Takes `n` octets off the front.
fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(n)?;
    *bytes = tail;
    Some(head)
}

/// Takes a big-endian number of `n` octets, n <= 8.
fn number(bytes: &mut &[u8], n: usize) -> Option<u64> {
    take(bytes, n).map(|b| b.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
}

/// Takes a vector whose length has two octets.
fn vector<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(bytes, 2)?).ok()?;
    take(bytes, length)
}

impl<'a> Entry<'a> {
    /// Reads an element; `None` when it is empty or broken.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, fields) => Sct::read(fields).map(Self::V1),
            _ => Some(Self::Other(bytes)),
        }
    }
}

impl<'a> Sct<'a> {
    /// Reads what follows the version.
    fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let octet = |bytes: &mut &'a [u8]| take(bytes, 1).and_then(|b| b.first().copied());
        let sct = Self {
            log_id: take(&mut bytes, 32)?,
            timestamp: number(&mut bytes, 8)?,
            extensions: vector(&mut bytes)?,
            hash: octet(&mut bytes)?,
            signature_algorithm: octet(&mut bytes)?,
            signature: vector(&mut bytes)?,
        };
        bytes.is_empty().then_some(sct)
    }

    /// When the log promised to include the certificate, `None` beyond the year 9999.
    #[must_use]
    pub fn time(&self) -> Option<Time> {
        let mut time = Time::from_unix(i64::try_from(self.timestamp / 1000).ok()?)?;
        time.nanos = u32::try_from(self.timestamp % 1000).ok()? * 1_000_000;
        Some(time)
    }

    /// The signature algorithm as `sha256-ecdsa`; codes that TLS 1.2 does not have as numbers.
    #[must_use]
    pub fn algorithm(&self) -> String {
        const HASHES: [&str; 7] = ["none", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
        const SIGNATURES: [&str; 4] = ["anonymous", "rsa", "dsa", "ecdsa"];
        let name = |names: &[&'static str], code: u8| {
            names.get(usize::from(code)).map_or_else(|| code.to_string(), |n| (*n).to_owned())
        };
        format!("{}-{}", name(&HASHES, self.hash), name(&SIGNATURES, self.signature_algorithm))
    }
}

impl Serialize for Entry<'_> {
    /// The fields of version 1; of other versions the number and the octets.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct V1<'a> {
            version: u8,
            log_id: Hex<'a>,
            timestamp: Option<String>,
            timestamp_ms: u64,
            #[serde(skip_serializing_if = "Option::is_none")]
            extensions: Option<Hex<'a>>,
            signature_algorithm: String,
            signature: Hex<'a>,
        }
        #[derive(Serialize)]
        struct Other<'a> {
            version: u16,
            octets: Hex<'a>,
        }
        match self {
            Self::V1(sct) => V1 {
                version: 1,
                log_id: Hex(sct.log_id),
                timestamp: sct.time().map(|t| t.to_string()),
                timestamp_ms: sct.timestamp,
                extensions: (!sct.extensions.is_empty()).then_some(Hex(sct.extensions)),
                signature_algorithm: sct.algorithm(),
                signature: Hex(sct.signature),
            }
            .serialize(serializer),
            Self::Other(octets) => {
                let version = octets.first().map_or(0, |v| u16::from(*v) + 1);
                Other { version, octets: Hex(octets) }.serialize(serializer)
            }
        }
    }
}

impl<'a> SctList<'a> {
    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = Entry<'a>> + use<'a> {
        let mut rest = self.list.of(self.object);
        std::iter::from_fn(move || {
            if rest.is_empty() { None } else { vector(&mut rest).and_then(Entry::read) }
        })
    }
}

impl<'a> Decode<'a> for SctList<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let tlv = reader.expect(octet::OCTET_STRING)?;
        let object = reader.object();
        let mut bytes = tlv.contents().of(object);
        let inner = vector(&mut bytes).filter(|_| bytes.is_empty());
        let mut rest = inner.ok_or(Error::new(tlv.content, &SCT_LIST))?;
        let mut at = tlv.content + 2;
        while !rest.is_empty() {
            let sct = vector(&mut rest).ok_or(Error::new(at, &SCT_LIST))?;
            Entry::read(sct).ok_or(Error::new(at + 2, &SCT_FIELDS))?;
            at += 2 + u32::try_from(sct.len()).unwrap_or(u32::MAX);
        }
        Ok(Self { object, list: Span::new(tlv.content + 2, tlv.end) })
    }
}

impl Serialize for SctList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Scts<'a>(SctList<'a>);
        impl Serialize for Scts<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.iter())
            }
        }
        #[derive(Serialize)]
        struct Record<'a> {
            timestamps: Scts<'a>,
        }
        Record { timestamps: Scts(*self) }.serialize(serializer)
    }
}

impl<'a> Payload<'a> for SctList<'a> {
    fn violations(&self, findings: &mut Findings) {
        if self.list.is_empty() {
            findings.add(self.list.start - 2, &SCT_EMPTY);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_and_break() {
        let mut sct = vec![0];
        sct.extend([7; 32]);
        sct.extend(1_700_000_000_123_u64.to_be_bytes());
        sct.extend([0, 0, 4, 3, 0, 2, 0xaa, 0xbb]);
        let mut der = vec![4, 0, 0, 0, 0, u8::try_from(sct.len()).unwrap()];
        der.extend(&sct);
        der[1] = u8::try_from(der.len() - 2).unwrap();
        der[3] = u8::try_from(der.len() - 4).unwrap();
        let rule = |der: &[u8]| SctList::decode(&mut Reader::new(der)).err().map(|e| e.rule.id);
        let list = SctList::decode(&mut Reader::new(&der)).unwrap();
        assert_eq!(list.iter().count(), 1);
        let Some(Entry::V1(one)) = list.iter().next() else { panic!("no timestamp") };
        assert_eq!(one.time().unwrap().to_string(), "2023-11-14T22:13:20.123Z");
        assert_eq!((one.algorithm().as_str(), one.signature), ("sha256-ecdsa", &[0xaa, 0xbb][..]));
        // Lengths of the list, of the timestamp, of its extensions, of its signature.
        for (at, id) in [(3, "sct-list"), (5, "sct-list"), (48, "sct-fields"), (52, "sct-fields")] {
            let mut broken = der.clone();
            broken[at] += 1;
            assert_eq!(rule(&broken), Some(id), "octet {at}");
        }
        der[6] = 1;
        let list = SctList::decode(&mut Reader::new(&der)).unwrap();
        assert!(matches!(list.iter().next(), Some(Entry::Other(octets)) if octets[0] == 1));
    }
}
