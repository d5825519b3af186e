//! The signature algorithms that a certification authority here can use.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::asn1::writer::Writer;

/// A key type together with the scheme that signs with it.
///
/// RSA signs over SHA-256 for every length; RSA-PSS with MGF1 over SHA-256 and a salt of 32
/// octets, its keys stay `rsaEncryption` (RFC 4055 1.2, RFC 8446 4.2.3 `rsa_pss_rsae_sha256`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the variants are the algorithms' own names")]
#[serde(try_from = "String", into = "&'static str")]
pub enum SignatureAlgorithm {
    EcdsaP256,
    EcdsaP384,
    EcdsaP521,
    Ed25519,
    MlDsa44,
    MlDsa65,
    MlDsa87,
    Rsa2048,
    Rsa3072,
    Rsa4096,
    RsaPss2048,
    RsaPss3072,
    RsaPss4096,
}

/// ecdsa-with-SHA256, -SHA384, -SHA512 (RFC 5758 3.2).
const ECDSA_SHA256: &[u8] = b"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02";
const ECDSA_SHA384: &[u8] = b"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x03";
const ECDSA_SHA512: &[u8] = b"\x30\x0a\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x04";
/// id-Ed25519 (RFC 8410 3), for keys and signatures.
const ED25519: &[u8] = b"\x30\x05\x06\x03\x2b\x65\x70";
/// id-ml-dsa-44, -65, -87 (RFC 9881 2), for keys and signatures.
const ML_DSA_44: &[u8] = b"\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x11";
const ML_DSA_65: &[u8] = b"\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x12";
const ML_DSA_87: &[u8] = b"\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x03\x13";
/// sha256WithRSAEncryption (RFC 4055 5).
const RSA_SHA256: &[u8] = b"\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b\x05\x00";
/// id-RSASSA-PSS with SHA-256, MGF1 over SHA-256, salt length 32 (RFC 4055 3.1).
const RSA_PSS: &[u8] = b"\x30\x41\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a\x30\x34\
    \xa0\x0f\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\
    \xa1\x1c\x30\x1a\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08\
    \x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\
    \xa2\x03\x02\x01\x20";
/// id-ecPublicKey with the curve's name (RFC 5480 2.1.1).
const P256: &[u8] = b"\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\
    \x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
const P384: &[u8] = b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22";
const P521: &[u8] = b"\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x23";
/// rsaEncryption (RFC 3279 2.3.1).
const RSA: &[u8] = b"\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00";

impl SignatureAlgorithm {
    /// Every algorithm, in the order of listings.
    pub const ALL: [Self; 13] = [
        Self::EcdsaP256,
        Self::EcdsaP384,
        Self::EcdsaP521,
        Self::Ed25519,
        Self::MlDsa44,
        Self::MlDsa65,
        Self::MlDsa87,
        Self::Rsa2048,
        Self::Rsa3072,
        Self::Rsa4096,
        Self::RsaPss2048,
        Self::RsaPss3072,
        Self::RsaPss4096,
    ];

    /// The name on the command line and in results.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::EcdsaP256 => "ecdsa-p256",
            Self::EcdsaP384 => "ecdsa-p384",
            Self::EcdsaP521 => "ecdsa-p521",
            Self::Ed25519 => "ed25519",
            Self::MlDsa44 => "ml-dsa-44",
            Self::MlDsa65 => "ml-dsa-65",
            Self::MlDsa87 => "ml-dsa-87",
            Self::Rsa2048 => "rsa2048",
            Self::Rsa3072 => "rsa3072",
            Self::Rsa4096 => "rsa4096",
            Self::RsaPss2048 => "rsa-pss-2048",
            Self::RsaPss3072 => "rsa-pss-3072",
            Self::RsaPss4096 => "rsa-pss-4096",
        }
    }

    /// The algorithm of this name.
    #[must_use]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.id() == id)
    }

    /// The `AlgorithmIdentifier` of its signatures, as DER (RFC 5280 4.1.1.2).
    #[must_use]
    pub const fn signature_identifier(self) -> &'static [u8] {
        match self {
            Self::EcdsaP256 => ECDSA_SHA256,
            Self::EcdsaP384 => ECDSA_SHA384,
            Self::EcdsaP521 => ECDSA_SHA512,
            Self::Ed25519 => ED25519,
            Self::MlDsa44 => ML_DSA_44,
            Self::MlDsa65 => ML_DSA_65,
            Self::MlDsa87 => ML_DSA_87,
            Self::Rsa2048 | Self::Rsa3072 | Self::Rsa4096 => RSA_SHA256,
            Self::RsaPss2048 | Self::RsaPss3072 | Self::RsaPss4096 => RSA_PSS,
        }
    }

    /// The `AlgorithmIdentifier` in its `SubjectPublicKeyInfo`, as DER (RFC 5280 4.1.2.7).
    #[must_use]
    pub const fn key_identifier(self) -> &'static [u8] {
        match self {
            Self::EcdsaP256 => P256,
            Self::EcdsaP384 => P384,
            Self::EcdsaP521 => P521,
            Self::Ed25519 => ED25519,
            Self::MlDsa44 => ML_DSA_44,
            Self::MlDsa65 => ML_DSA_65,
            Self::MlDsa87 => ML_DSA_87,
            _ => RSA,
        }
    }

    /// The most octets of a signature: what a buffer for one needs.
    ///
    /// ECDSA is `SEQUENCE { r, s }` with both numbers at their longest (RFC 3279 2.2.3);
    /// all others have signatures of just this length (FIPS 204 table 2 for ML-DSA).
    #[must_use]
    pub const fn max_signature_len(self) -> usize {
        match self {
            Self::EcdsaP256 => 72,
            Self::EcdsaP384 => 104,
            Self::EcdsaP521 => 139,
            Self::Ed25519 => 64,
            Self::MlDsa44 => 2_420,
            Self::MlDsa65 => 3_309,
            Self::MlDsa87 => 4_627,
            Self::Rsa2048 | Self::RsaPss2048 => 256,
            Self::Rsa3072 | Self::RsaPss3072 => 384,
            Self::Rsa4096 | Self::RsaPss4096 => 512,
        }
    }

    /// Whether every signature is [`Self::max_signature_len`] octets long.
    #[must_use]
    pub const fn fixed_signature_len(self) -> bool {
        !matches!(self, Self::EcdsaP256 | Self::EcdsaP384 | Self::EcdsaP521)
    }

    /// Octets of the contents of `subjectPublicKey`, without the count of unused bits: an
    /// uncompressed point, the raw octets of Ed25519 and ML-DSA (FIPS 204 table 2), an
    /// `RSAPublicKey` with the exponent 65537, which all backends use.
    #[must_use]
    pub const fn public_len(self) -> usize {
        match self {
            Self::EcdsaP256 => 65,
            Self::EcdsaP384 => 97,
            Self::EcdsaP521 => 133,
            Self::Ed25519 => 32,
            Self::MlDsa44 => 1_312,
            Self::MlDsa65 => 1_952,
            Self::MlDsa87 => 2_592,
            Self::Rsa2048 | Self::RsaPss2048 => 270,
            Self::Rsa3072 | Self::RsaPss3072 => 398,
            Self::Rsa4096 | Self::RsaPss4096 => 526,
        }
    }

    /// The `SubjectPublicKeyInfo` (RFC 5280 4.1.2.7) of the key with these octets, as
    /// [`PrivateKey::public_octets`](super::PrivateKey::public_octets) writes them.
    #[must_use]
    pub fn spki(self, public_octets: &[u8]) -> Vec<u8> {
        let mut writer = Writer::with_buffer(Vec::with_capacity(public_octets.len() + 40));
        writer.sequence(|w| {
            w.raw(self.key_identifier());
            w.bit_string(public_octets);
        });
        writer.into_bytes()
    }

    /// The octets that stand before the key in every `SubjectPublicKeyInfo` with a key of
    /// [`Self::public_len`] octets.
    #[must_use]
    pub fn spki_prefix(self) -> Vec<u8> {
        let mut spki = self.spki(&vec![0; self.public_len()]);
        spki.truncate(spki.len() - self.public_len());
        spki
    }

    /// Bits of the modulus of RSA keys.
    #[must_use]
    pub const fn rsa_bits(self) -> Option<u32> {
        match self {
            Self::Rsa2048 | Self::RsaPss2048 => Some(2_048),
            Self::Rsa3072 | Self::RsaPss3072 => Some(3_072),
            Self::Rsa4096 | Self::RsaPss4096 => Some(4_096),
            _ => None,
        }
    }

    /// Octets of the seed that a private key can be made from: Ed25519 (RFC 8032 5.1.5) and
    /// ML-DSA (FIPS 204 6.1, the value xi).
    #[must_use]
    pub const fn seed_len(self) -> Option<usize> {
        match self {
            Self::Ed25519 | Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => Some(32),
            _ => None,
        }
    }
}

impl fmt::Display for SignatureAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl From<SignatureAlgorithm> for &'static str {
    fn from(algorithm: SignatureAlgorithm) -> Self {
        algorithm.id()
    }
}

impl TryFrom<String> for SignatureAlgorithm {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        id.parse()
    }
}

impl std::str::FromStr for SignatureAlgorithm {
    type Err = String;

    fn from_str(id: &str) -> Result<Self, String> {
        Self::by_id(id).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|algorithm| algorithm.id()).collect();
            format!("there are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_algorithms_belong_together() {
        for algorithm in SignatureAlgorithm::ALL {
            assert_eq!(SignatureAlgorithm::by_id(algorithm.id()), Some(algorithm));
            assert_eq!(algorithm.id().parse(), Ok(algorithm));
        }
        let error = "rsa1024".parse::<SignatureAlgorithm>().unwrap_err();
        assert!(error.starts_with("there are ecdsa-p256, "), "{error}");
    }

    #[test]
    fn a_public_key_stands_behind_a_constant_prefix() {
        // RFC 8410 10.1.
        let key = *b"\x19\xbf\x44\x09\x69\x84\xcd\xfe\x85\x41\xba\xc1\x67\xdc\x3b\x96\
            \xc8\x50\x86\xaa\x30\xb6\xb6\xcb\x0c\x5c\x38\xad\x70\x31\x66\xe1";
        let spki = SignatureAlgorithm::Ed25519.spki(&key);
        assert_eq!(spki[..12], *b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00");
        assert_eq!(spki[12..], key);
        for algorithm in SignatureAlgorithm::ALL {
            let key = vec![5; algorithm.public_len()];
            let whole = [algorithm.spki_prefix(), key.clone()].concat();
            assert_eq!(algorithm.spki(&key), whole, "{algorithm}");
        }
    }
}
