//! The record of a PKCS #12 container: its outer structure, whatever is encrypted.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use crate::asn1::Reader;
use crate::pki::crypto::pbe::Scheme;
use crate::pki::list::Item;
use crate::pki::pkcs12::pfx::{self, SafeContent};
use crate::pki::pkcs12::{Mac, Pfx, Safe};
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::Fingerprints;
use crate::pki::show::{ErrorRecord, OidName};

/// Everything that is said of a container.
#[derive(Debug, Serialize)]
pub struct Pkcs12Record<'a> {
    /// The version as encoded: 3 in a valid container.
    pub version: Option<u64>,
    /// The type of the content: data with a MAC, signedData with a signature.
    pub content_type: OidName<'a>,
    /// The MAC, null without one.
    pub mac: Option<Mac<'a>>,
    /// The safes, serialised while they are read.
    pub auth_safes: Safes<'a>,
    /// Digests of the whole container.
    pub fingerprints: Fingerprints,
    /// The rules that the container breaks.
    pub findings: Vec<FindingRecord>,
}

impl<'a> Pkcs12Record<'a> {
    /// The record of `pfx`. `findings` are those of [`Pfx::violations`] and of whatever other
    /// check the caller made, with their paths.
    #[must_use]
    pub fn new(pfx: &Pfx<'a>, findings: Vec<FindingRecord>) -> Self {
        Self {
            version: pfx.version(),
            content_type: OidName(pfx.content_type()),
            mac: pfx.mac().copied(),
            auth_safes: Safes(*pfx),
            fingerprints: Fingerprints::of(pfx.der()),
            findings,
        }
    }
}

/// The safes of a container.
#[derive(Debug)]
pub struct Safes<'a>(Pfx<'a>);

/// What takes the place of a list that does not read.
#[derive(Serialize)]
struct Broken {
    error: ErrorRecord,
}

impl Serialize for Safes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let contents = self.0.contents().map(|span| span.of(self.0.der()));
        let inside = contents.and_then(pfx::normal);
        let list = inside.as_ref().map_err(|e| *e).and_then(|i| pfx::safes(&mut Reader::new(i)));
        let mut records = serializer.serialize_seq(None)?;
        match list {
            Ok(list) => {
                for safe in &list {
                    records.serialize_element(&Item::from(safe.map(SafeRecord)))?;
                }
            }
            Err(e) => records.serialize_element(&Broken { error: e.into() })?,
        }
        records.end()
    }
}

struct SafeRecord<'a>(Safe<'a>);

impl Serialize for SafeRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            content_type: OidName<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            encryption: Option<Encryption<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            bags: Option<Bags<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<ErrorRecord>,
        }
        let mut record = Record {
            content_type: OidName(self.0.content_type()),
            encryption: None,
            bags: None,
            error: None,
        };
        match self.0.content() {
            Ok(SafeContent::Plain(span)) => record.bags = Some(Bags(span.of(self.0.object()))),
            Ok(SafeContent::Encrypted(encrypted)) => {
                record.encryption = Some(Encryption {
                    algorithm: OidName(encrypted.algorithm().oid()),
                    scheme: Scheme::read(&encrypted.algorithm()).ok(),
                    encrypted_length: encrypted.content().map(|tlv| tlv.contents().len()),
                });
            }
            Ok(SafeContent::Other) => {}
            Err(e) => record.error = Some(e.into()),
        }
        record.serialize(serializer)
    }
}

#[derive(Serialize)]
struct Encryption<'a> {
    algorithm: OidName<'a>,
    #[serde(flatten)]
    scheme: Option<Scheme<'a>>,
    encrypted_length: Option<u32>,
}

/// SafeContents, DER or BER.
struct Bags<'a>(&'a [u8]);

impl Serialize for Bags<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inside = pfx::normal(self.0);
        let list = inside.as_ref().map_err(|e| *e).and_then(|i| pfx::bags(&mut Reader::new(i)));
        match list {
            Ok(list) => list.serialize(serializer),
            Err(e) => serializer.collect_seq([Broken { error: e.into() }]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, sample};

    fn record(der: &[u8]) -> serde_json::Value {
        let pfx = Pfx::parse(der).unwrap();
        serde_json::to_value(Pkcs12Record::new(&pfx, Vec::new())).unwrap()
    }

    #[test]
    fn the_outer_structure_is_always_there() {
        let json = record(sample!("pkcs12-legacy.p12"));
        assert_eq!(json["mac"]["iterations"], 2048);
        assert_eq!(json["mac"]["kdf"], "pkcs12");
        assert_eq!(json["auth_safes"][0]["encryption"]["cipher"], "RC2-40-CBC");
        assert_eq!(json["auth_safes"][0]["encryption"]["iterations"], 2048);
        let bag = &json["auth_safes"][1]["bags"][0];
        assert_eq!(bag["type"]["name"], "pkcs8ShroudedKeyBag");
        assert_eq!(bag["friendly_name"], "server of example.com");
        assert_eq!(bag["local_key_id"].as_str().unwrap().len(), 40);
        let json = record(sample!("pkcs12-unencrypted.p12"));
        assert_eq!(json["auth_safes"][0]["bags"][1]["content_type"]["name"], "x509Certificate");
    }

    #[test]
    fn mutations_are_valid_json() {
        mutations(sample!("pkcs12-unencrypted.p12"), |der| {
            if let Ok(pfx) = Pfx::parse(der) {
                serde_json::to_string(&Pkcs12Record::new(&pfx, Vec::new())).unwrap();
            }
        });
    }
}
