//! Private and public keys outside certificates (RFC 5958, 8017, 5915, 9881, 9935).

use crate::asn1::schema::algorithms::{ALGORITHM_IDENTIFIER, EC_PARAMETERS};
use crate::asn1::schema::attributes::ATTRIBUTE_SET;
use crate::asn1::schema::base::{BIT_STRING, INTEGER, OCTET_STRING, OPEN};
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};
use crate::asn1::tag::universal;

/// RSAPublicKey
pub static RSA_PUBLIC_KEY: Type = Type::new(
    "RSAPublicKey",
    "RFC 8017 A.1.1",
    Kind::Sequence(&[field("modulus", &INTEGER), field("publicExponent", &INTEGER)]),
);

/// RSAPrivateKey
pub static RSA_PRIVATE_KEY: Type = Type::new(
    "RSAPrivateKey",
    "RFC 8017 A.1.2",
    Kind::Sequence(&[
        field("version", &RSA_VERSION),
        field("modulus", &INTEGER),
        field("publicExponent", &INTEGER),
        field("privateExponent", &INTEGER),
        field("prime1", &INTEGER),
        field("prime2", &INTEGER),
        field("exponent1", &INTEGER),
        field("exponent2", &INTEGER),
        field("coefficient", &INTEGER),
        optional("otherPrimeInfos", &OTHER_PRIME_INFOS),
    ]),
);

static RSA_VERSION: Type =
    Type::new("Version", "RFC 8017 A.1.2", Kind::Integer(&[(0, "two-prime"), (1, "multi")]));

static OTHER_PRIME_INFOS: Type =
    Type::new("OtherPrimeInfos", "RFC 8017 A.1.2", Kind::SequenceOf(&OTHER_PRIME_INFO));

static OTHER_PRIME_INFO: Type = Type::new(
    "OtherPrimeInfo",
    "RFC 8017 A.1.2",
    Kind::Sequence(&[
        field("prime", &INTEGER),
        field("exponent", &INTEGER),
        field("coefficient", &INTEGER),
    ]),
);

/// ECPrivateKey
pub static EC_PRIVATE_KEY: Type = Type::new(
    "ECPrivateKey",
    "RFC 5915 3",
    Kind::Sequence(&[
        field("version", &EC_VERSION),
        field("privateKey", &OCTET_STRING),
        optional("parameters", &EC_PARAMETERS).explicit(0),
        optional("publicKey", &BIT_STRING).explicit(1),
    ]),
);

static EC_VERSION: Type =
    Type::new("INTEGER", "RFC 5915 3", Kind::Integer(&[(1, "ecPrivkeyVer1")]));

/// The private key of DSA that OpenSSL writes under the label `DSA PRIVATE KEY`.
pub static DSA_PRIVATE_KEY: Type = Type::new(
    "DSAPrivateKey",
    "OpenSSL",
    Kind::Sequence(&[
        field("version", &INTEGER),
        field("p", &INTEGER),
        field("q", &INTEGER),
        field("g", &INTEGER),
        field("publicKey", &INTEGER),
        field("privateKey", &INTEGER),
    ]),
);

/// OneAsymmetricKey, the PrivateKeyInfo of PKCS #8.
pub static PRIVATE_KEY_INFO: Type = Type::new(
    "OneAsymmetricKey",
    "RFC 5958 2",
    Kind::Sequence(&[
        field("version", &KEY_VERSION),
        field("privateKeyAlgorithm", &ALGORITHM_IDENTIFIER).selects_inside(&PRIVATE_KEYS),
        field("privateKey", &PRIVATE_KEY),
        optional("attributes", &ATTRIBUTE_SET).implicit(0),
        optional("publicKey", &BIT_STRING).implicit(1),
    ]),
);

static KEY_VERSION: Type =
    Type::new("Version", "RFC 5958 2", Kind::Integer(&[(0, "v1"), (1, "v2")]));

static PRIVATE_KEY: Type = Type::new("PrivateKey", "RFC 5958 2", Kind::OctetString("", &OPEN));

/// EncryptedPrivateKeyInfo
pub static ENCRYPTED_PRIVATE_KEY_INFO: Type = Type::new(
    "EncryptedPrivateKeyInfo",
    "RFC 5958 3",
    Kind::Sequence(&[
        field("encryptionAlgorithm", &ALGORITHM_IDENTIFIER),
        field("encryptedData", &OCTET_STRING),
    ]),
);

/// What the BIT STRING of a public key holds; absent where it holds raw octets.
pub static PUBLIC_KEYS: Table = Table::new(entries! {
    "1.2.840.113549.1.1.1" "rsaPublicKey" &RSA_PUBLIC_KEY;
    "1.2.840.113549.1.1.7" "rsaPublicKey" &RSA_PUBLIC_KEY;
    "1.2.840.113549.1.1.10" "rsaPublicKey" &RSA_PUBLIC_KEY;
    "1.2.840.10040.4.1" "dsaPublicKey" &INTEGER;
    "1.2.840.10046.2.1" "dhPublicKey" &INTEGER;
    "1.2.840.113549.1.3.1" "dhPublicKey" &INTEGER;
    "1.2.643.2.2.19" "gostPublicKey" &OCTET_STRING;
    "1.2.643.7.1.1.1.1" "gostPublicKey" &OCTET_STRING;
    "1.2.643.7.1.1.1.2" "gostPublicKey" &OCTET_STRING;
});

/// What the OCTET STRING of a private key holds; absent where it holds raw octets.
pub static PRIVATE_KEYS: Table = Table::new(entries! {
    "1.2.840.113549.1.1.1" "rsaPrivateKey" &RSA_PRIVATE_KEY;
    "1.2.840.113549.1.1.7" "rsaPrivateKey" &RSA_PRIVATE_KEY;
    "1.2.840.113549.1.1.10" "rsaPrivateKey" &RSA_PRIVATE_KEY;
    "1.2.840.10040.4.1" "dsaPrivateKey" &INTEGER;
    "1.2.840.10046.2.1" "dhPrivateKey" &INTEGER;
    "1.2.840.113549.1.3.1" "dhPrivateKey" &INTEGER;
    "1.2.840.10045.2.1" "ecPrivateKey" &EC_PRIVATE_KEY;
    "1.3.132.1.12" "ecPrivateKey" &EC_PRIVATE_KEY;
    "1.3.101.110" "curvePrivateKey" &CURVE_PRIVATE_KEY;
    "1.3.101.111" "curvePrivateKey" &CURVE_PRIVATE_KEY;
    "1.3.101.112" "curvePrivateKey" &CURVE_PRIVATE_KEY;
    "1.3.101.113" "curvePrivateKey" &CURVE_PRIVATE_KEY;
    "2.16.840.1.101.3.4.3.17" "mlDsa44PrivateKey" &ML_DSA_PRIVATE_KEY;
    "2.16.840.1.101.3.4.3.18" "mlDsa65PrivateKey" &ML_DSA_PRIVATE_KEY;
    "2.16.840.1.101.3.4.3.19" "mlDsa87PrivateKey" &ML_DSA_PRIVATE_KEY;
    "2.16.840.1.101.3.4.4.1" "mlKem512PrivateKey" &ML_KEM_PRIVATE_KEY;
    "2.16.840.1.101.3.4.4.2" "mlKem768PrivateKey" &ML_KEM_PRIVATE_KEY;
    "2.16.840.1.101.3.4.4.3" "mlKem1024PrivateKey" &ML_KEM_PRIVATE_KEY;
});

static CURVE_PRIVATE_KEY: Type =
    Type::new("CurvePrivateKey", "RFC 8410 7", Kind::Plain(universal::OCTET_STRING));

static ML_DSA_PRIVATE_KEY: Type = Type::new(
    "ML-DSA-PrivateKey",
    "RFC 9881 6",
    Kind::Choice(&[
        field("seed", &OCTET_STRING).implicit(0),
        field("expandedKey", &OCTET_STRING),
        field("both", &ML_DSA_BOTH),
    ]),
);

static ML_DSA_BOTH: Type = Type::new(
    "SEQUENCE",
    "RFC 9881 6",
    Kind::Sequence(&[field("seed", &OCTET_STRING), field("expandedKey", &OCTET_STRING)]),
);

static ML_KEM_PRIVATE_KEY: Type = Type::new(
    "ML-KEM-PrivateKey",
    "RFC 9935 6",
    Kind::Choice(&[
        field("seed", &OCTET_STRING).implicit(0),
        field("expandedKey", &OCTET_STRING),
        field("both", &ML_KEM_BOTH),
    ]),
);

static ML_KEM_BOTH: Type = Type::new(
    "SEQUENCE",
    "RFC 9935 6",
    Kind::Sequence(&[field("seed", &OCTET_STRING), field("expandedKey", &OCTET_STRING)]),
);
