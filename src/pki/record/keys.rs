//! The records of keys. None has a secret octet in it.

use serde::{Serialize, Serializer};

use crate::asn1::Reader;
use crate::asn1::value::integer::Integer;
use crate::pki::algorithm::AlgorithmIdentifier;
use crate::pki::attribute::Attributes;
use crate::pki::crypto::pbe::Scheme;
use crate::pki::keys::post_quantum::Format;
use crate::pki::keys::{EncryptedKey, PrivateKey, PublicObject};
use crate::pki::list::Decode;
use crate::pki::object::Form;
use crate::pki::record::FindingRecord;
use crate::pki::record::certificate::{Fingerprints, PublicKeyRecord};
use crate::pki::show::{Hex, OidName};
use crate::pki::spki::PublicKey;

/// The name of an encoding of keys.
#[must_use]
pub const fn encoding(form: Form) -> &'static str {
    match form {
        Form::OneAsymmetricKey => "PKCS#8",
        Form::EncryptedPrivateKeyInfo => "encrypted PKCS#8",
        Form::RsaPrivateKey | Form::RsaPublicKey => "PKCS#1",
        Form::EcPrivateKey => "SEC1",
        Form::DsaPrivateKey => "DSA",
        Form::SubjectPublicKeyInfo => "SubjectPublicKeyInfo",
        _ => "unknown",
    }
}

/// A SubjectPublicKeyInfo of its own octets.
#[derive(Debug)]
pub struct OwnedPublicKey(Vec<u8>);

impl OwnedPublicKey {
    fn key(&self) -> Option<PublicKey<'_>> {
        PublicKey::decode(&mut Reader::new(&self.0)).ok()
    }
}

impl Serialize for OwnedPublicKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.key().map(PublicKeyRecord).serialize(serializer)
    }
}

/// Everything that is said of an unencrypted private key.
#[derive(Debug, Serialize)]
pub struct PrivateKeyRecord<'a> {
    /// `PKCS#8`, `PKCS#1`, `SEC1` or `DSA`.
    pub encoding: &'static str,
    /// The version of PKCS #8, null in other encodings.
    pub version: Option<u64>,
    /// The algorithm.
    pub algorithm: OidName<'a>,
    /// Size of the key, as [`PublicKey::bits`] counts it.
    pub bits: Option<u64>,
    /// The curve of an EC key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<CurveName>,
    /// The form of a post-quantum key: `seed`, `expanded`, `both`, `raw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private_key_format: Option<&'static str>,
    /// The public key, null when the encoding does not hold it.
    pub public_key: Option<OwnedPublicKey>,
    /// The attributes of PKCS #8.
    #[serde(skip_serializing_if = "no_attributes")]
    pub attributes: Attributes<'a>,
    /// The rules that the key breaks.
    pub findings: Vec<FindingRecord>,
}

/// A named curve as `{"oid", "name"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CurveName {
    /// The identifier.
    pub oid: String,
    /// Its name, if known.
    pub name: Option<&'static str>,
}

fn no_attributes(attributes: &Attributes<'_>) -> bool {
    attributes.is_empty()
}

impl<'a> PrivateKeyRecord<'a> {
    /// The record of `key`. `findings` are those of [`PrivateKey::violations`] and of whatever
    /// other check the caller made, with their paths.
    #[must_use]
    pub fn new(key: &PrivateKey<'a>, findings: Vec<FindingRecord>) -> Self {
        let part = key.public_part();
        let public = OwnedPublicKey(part.der);
        let view = public.key();
        Self {
            encoding: encoding(key.form()),
            version: key.version(),
            algorithm: OidName(key.algorithm_oid()),
            bits: view.and_then(|view| view.bits()),
            curve: view
                .and_then(|view| view.curve())
                .map(|oid| CurveName { oid: oid.to_string(), name: OidName(oid).name() }),
            private_key_format: key.format().map(Format::name),
            public_key: part.complete.then_some(public),
            attributes: key.attributes(),
            findings,
        }
    }
}

/// Everything that is said of an encrypted private key.
#[derive(Debug, Serialize)]
pub struct EncryptedKeyRecord<'a> {
    /// `encrypted PKCS#8`.
    pub encoding: &'static str,
    /// The encryption scheme.
    pub algorithm: AlgorithmIdentifier<'a>,
    /// The scheme with its parameters, null when it is not supported.
    pub encryption: Option<Scheme<'a>>,
    /// Octets of the encrypted key.
    pub encrypted_length: usize,
    /// The rules that the key breaks.
    pub findings: Vec<FindingRecord>,
}

impl<'a> EncryptedKeyRecord<'a> {
    /// The record of `key`. `findings` are those of [`EncryptedKey::violations`] and of
    /// whatever other check the caller made, with their paths.
    #[must_use]
    pub fn new(key: &EncryptedKey<'a>, findings: Vec<FindingRecord>) -> Self {
        Self {
            encoding: encoding(Form::EncryptedPrivateKeyInfo),
            algorithm: key.algorithm(),
            encryption: key.scheme().ok(),
            encrypted_length: key.data().len(),
            findings,
        }
    }
}

/// Everything that is said of a public key.
#[derive(Debug, Serialize)]
pub struct PublicObjectRecord<'a> {
    /// `SubjectPublicKeyInfo` or `PKCS#1`.
    pub encoding: &'static str,
    /// The algorithm with its parameters, null for PKCS #1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<AlgorithmIdentifier<'a>>,
    /// The modulus of an RSA key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modulus: Option<Hex<'a>>,
    /// The key as other records show it.
    pub public_key: OwnedPublicKey,
    /// Digests of the object.
    pub fingerprints: Fingerprints,
    /// The rules that the key breaks.
    pub findings: Vec<FindingRecord>,
}

impl<'a> PublicObjectRecord<'a> {
    /// The record of `key`. `findings` are those of [`PublicObject::violations`] and of
    /// whatever other check the caller made, with their paths.
    #[must_use]
    pub fn new(key: &PublicObject<'a>, findings: Vec<FindingRecord>) -> Self {
        let (algorithm, modulus, der) = match *key {
            PublicObject::Info(info) => {
                let modulus = info.rsa().and_then(Result::ok).map(|rsa| rsa.modulus);
                (Some(info.algorithm()), modulus, info.der())
            }
            PublicObject::Rsa(rsa, der) => (None, Some(rsa.modulus), der),
        };
        let modulus = modulus.and_then(|m| Integer(m).unsigned());
        Self {
            encoding: encoding(key.form()),
            algorithm,
            modulus: modulus.map(Hex),
            public_key: OwnedPublicKey(key.info()),
            fingerprints: Fingerprints::of(der),
            findings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pki::testing::{mutations, sample};

    #[test]
    fn records_say_what_a_key_is_and_no_secret() {
        let der = sample!("key-explicit-curve.der");
        let key = PrivateKey::parse(der).unwrap();
        let json = serde_json::to_string(&PrivateKeyRecord::new(&key, Vec::new())).unwrap();
        // version, then the OCTET STRING with the key: 30 82 .. .. 02 01 01 04 20 ..
        let at = der.windows(5).position(|w| w == [2, 1, 1, 4, 32]).unwrap() + 5;
        assert!(!json.contains(&Hex(&der[at..at + 32]).to_string()));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((&json["encoding"], &json["bits"]), (&"SEC1".into(), &256.into()));
        assert!(json["public_key"]["sha256"].is_string());

        let key = PrivateKey::parse(sample!("key-ml-dsa-65-both.pk8")).unwrap();
        let json = serde_json::to_value(PrivateKeyRecord::new(&key, Vec::new())).unwrap();
        assert_eq!(json["algorithm"]["name"], "id-ML-DSA-65");
        assert_eq!(json["private_key_format"], "both");
        assert!(json["public_key"].is_null());
    }

    #[test]
    fn encrypted_and_public_keys_have_records() {
        let key = EncryptedKey::parse(sample!("key-encrypted-scrypt.pk8")).unwrap();
        let json = serde_json::to_value(EncryptedKeyRecord::new(&key, Vec::new())).unwrap();
        assert_eq!(json["encryption"]["kdf"], "scrypt");
        assert_eq!(json["encryption"]["cipher"], "AES-256-CBC");
        let key = PublicObject::parse(sample!("public-key-rsa.der")).unwrap();
        let PublicObject::Info(info) = key else { panic!("{key:?}") };
        let bare = PublicObject::parse(info.key()).unwrap();
        let record = |key| serde_json::to_value(PublicObjectRecord::new(key, Vec::new())).unwrap();
        assert_eq!(record(&key)["public_key"], record(&bare)["public_key"]);
        assert_eq!(record(&bare)["encoding"], "PKCS#1");
    }

    #[test]
    fn mutations_are_valid_json() {
        mutations(sample!("key-ml-kem-768.pk8"), |der| {
            if let Ok(key) = PrivateKey::parse(der) {
                serde_json::to_string(&PrivateKeyRecord::new(&key, Vec::new())).unwrap();
            }
        });
        mutations(sample!("key-encrypted-3des.pk8"), |der| {
            if let Ok(key) = EncryptedKey::parse(der) {
                serde_json::to_string(&EncryptedKeyRecord::new(&key, Vec::new())).unwrap();
            }
        });
        mutations(sample!("public-key-pss.der"), |der| {
            if let Ok(key) = PublicObject::parse(der) {
                serde_json::to_string(&PublicObjectRecord::new(&key, Vec::new())).unwrap();
            }
        });
    }
}
