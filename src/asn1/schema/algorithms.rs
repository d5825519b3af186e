//! AlgorithmIdentifier and what its object identifier selects: parameters, keys, signatures.

use crate::asn1::schema::base::{BIT_STRING, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING, OPEN};
use crate::asn1::schema::model::{Kind, Table, Type, entries, field, optional};
use crate::asn1::tag::universal;

/// AlgorithmIdentifier
pub static ALGORITHM_IDENTIFIER: Type = Type::new(
    "AlgorithmIdentifier",
    "RFC 5280 4.1.1.2",
    Kind::Sequence(&[
        field("algorithm", &OBJECT_IDENTIFIER).selects(&PARAMETERS),
        optional("parameters", &OPEN),
    ]),
);

/// Parameters of algorithms. What stands here as NULL may be absent where its standard says so;
/// algorithms that have no parameters are not listed.
pub static PARAMETERS: Table = Table::new(entries! {
    "1.2.840.113549.1.1.1" "rsaEncryption" &NULL;
    "1.2.840.113549.1.1.2" "md2WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.3" "md4WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.4" "md5WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.5" "sha1WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.7" "id-RSAES-OAEP" &RSAES_OAEP_PARAMS;
    "1.2.840.113549.1.1.8" "id-mgf1" &ALGORITHM_IDENTIFIER;
    "1.2.840.113549.1.1.9" "id-pSpecified" &OCTET_STRING;
    "1.2.840.113549.1.1.10" "id-RSASSA-PSS" &RSASSA_PSS_PARAMS;
    "1.2.840.113549.1.1.11" "sha256WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.12" "sha384WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.13" "sha512WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.14" "sha224WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.15" "sha512-224WithRSAEncryption" &NULL;
    "1.2.840.113549.1.1.16" "sha512-256WithRSAEncryption" &NULL;
    "1.2.840.113549.1.3.1" "dhKeyAgreement" &DH_PARAMETER;
    "1.2.840.113549.1.5.1" "pbeWithMD2AndDES-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.3" "pbeWithMD5AndDES-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.4" "pbeWithMD2AndRC2-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.6" "pbeWithMD5AndRC2-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.10" "pbeWithSHA1AndDES-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.11" "pbeWithSHA1AndRC2-CBC" &PBE_PARAMETER;
    "1.2.840.113549.1.5.12" "pbkdf2" &PBKDF2_PARAMS;
    "1.2.840.113549.1.5.13" "pbes2" &PBES2_PARAMS;
    "1.2.840.113549.1.5.14" "pbmac1" &PBMAC1_PARAMS;
    "1.2.840.113549.1.12.1.1" "pbeWithSHAAnd128BitRC4" &PKCS12_PBE_PARAMS;
    "1.2.840.113549.1.12.1.2" "pbeWithSHAAnd40BitRC4" &PKCS12_PBE_PARAMS;
    "1.2.840.113549.1.12.1.3" "pbeWithSHAAnd3-KeyTripleDES-CBC" &PKCS12_PBE_PARAMS;
    "1.2.840.113549.1.12.1.4" "pbeWithSHAAnd2-KeyTripleDES-CBC" &PKCS12_PBE_PARAMS;
    "1.2.840.113549.1.12.1.5" "pbeWithSHAAnd128BitRC2-CBC" &PKCS12_PBE_PARAMS;
    "1.2.840.113549.1.12.1.6" "pbewithSHAAnd40BitRC2-CBC" &PKCS12_PBE_PARAMS;
    "1.3.6.1.4.1.11591.4.11" "scrypt" &SCRYPT_PARAMS;
    "1.2.840.113549.2.2" "md2" &NULL;
    "1.2.840.113549.2.5" "md5" &NULL;
    "1.2.840.113549.2.7" "hmacWithSHA1" &NULL;
    "1.2.840.113549.2.8" "hmacWithSHA224" &NULL;
    "1.2.840.113549.2.9" "hmacWithSHA256" &NULL;
    "1.2.840.113549.2.10" "hmacWithSHA384" &NULL;
    "1.2.840.113549.2.11" "hmacWithSHA512" &NULL;
    "1.2.840.113549.2.12" "hmacWithSHA512-224" &NULL;
    "1.2.840.113549.2.13" "hmacWithSHA512-256" &NULL;
    "1.2.840.113549.3.2" "rc2CBC" &RC2_CBC_PARAMETER;
    "1.2.840.113549.3.4" "rc4" &NULL;
    "1.2.840.113549.3.7" "des-ede3-cbc" &INITIAL_VECTOR;
    "1.3.14.3.2.7" "desCBC" &INITIAL_VECTOR;
    "1.3.14.3.2.26" "sha1" &NULL;
    "1.3.14.3.2.29" "sha1WithRSASignature" &NULL;
    "1.3.36.3.2.1" "ripemd160" &NULL;
    "2.16.840.1.101.3.4.2.1" "sha256" &NULL;
    "2.16.840.1.101.3.4.2.2" "sha384" &NULL;
    "2.16.840.1.101.3.4.2.3" "sha512" &NULL;
    "2.16.840.1.101.3.4.2.4" "sha224" &NULL;
    "2.16.840.1.101.3.4.2.5" "sha512-224" &NULL;
    "2.16.840.1.101.3.4.2.6" "sha512-256" &NULL;
    "2.16.840.1.101.3.4.1.2" "aes128-CBC" &INITIAL_VECTOR;
    "2.16.840.1.101.3.4.1.6" "aes128-GCM" &GCM_PARAMETERS;
    "2.16.840.1.101.3.4.1.7" "aes128-CCM" &CCM_PARAMETERS;
    "2.16.840.1.101.3.4.1.22" "aes192-CBC" &INITIAL_VECTOR;
    "2.16.840.1.101.3.4.1.26" "aes192-GCM" &GCM_PARAMETERS;
    "2.16.840.1.101.3.4.1.27" "aes192-CCM" &CCM_PARAMETERS;
    "2.16.840.1.101.3.4.1.42" "aes256-CBC" &INITIAL_VECTOR;
    "2.16.840.1.101.3.4.1.46" "aes256-GCM" &GCM_PARAMETERS;
    "2.16.840.1.101.3.4.1.47" "aes256-CCM" &CCM_PARAMETERS;
    "1.2.840.113549.1.9.16.3.6" "cms3DESwrap" &NULL;
    "1.2.840.113549.1.9.16.3.9" "pwri-KEK" &ALGORITHM_IDENTIFIER;
    "1.2.840.10040.4.1" "dsa" &DSS_PARMS;
    "1.2.840.10045.2.1" "ecPublicKey" &EC_PARAMETERS;
    "1.3.132.1.12" "ecDH" &EC_PARAMETERS;
    "1.3.132.1.13" "ecMQV" &EC_PARAMETERS;
    "1.2.840.10046.2.1" "dhpublicnumber" &DOMAIN_PARAMETERS;
    "2.16.840.1.101.2.1.1.22" "keyExchangeAlgorithm" &OCTET_STRING;
    "1.3.133.16.840.63.0.2" "dhSinglePass-stdDH-sha1kdf" &ALGORITHM_IDENTIFIER;
    "1.3.132.1.11.0" "dhSinglePass-stdDH-sha224kdf" &ALGORITHM_IDENTIFIER;
    "1.3.132.1.11.1" "dhSinglePass-stdDH-sha256kdf" &ALGORITHM_IDENTIFIER;
    "1.3.132.1.11.2" "dhSinglePass-stdDH-sha384kdf" &ALGORITHM_IDENTIFIER;
    "1.3.132.1.11.3" "dhSinglePass-stdDH-sha512kdf" &ALGORITHM_IDENTIFIER;
    "1.2.840.113549.1.9.16.3.19" "dhSinglePass-stdDH-hkdf-sha256" &ALGORITHM_IDENTIFIER;
    "1.2.840.113533.7.66.13" "passwordBasedMac" &PBM_PARAMETER;
    "1.2.643.2.2.19" "gostR3410-2001" &GOST_PARAMETERS;
    "1.2.643.7.1.1.1.1" "gostR3410-2012-256" &GOST_PARAMETERS;
    "1.2.643.7.1.1.1.2" "gostR3410-2012-512" &GOST_PARAMETERS;
});

/// What a signature value holds; absent where it holds raw octets.
pub static SIGNATURES: Table = Table::new(entries! {
    "1.2.840.10040.4.3" "dssSigValue" &DSS_SIG_VALUE;
    "2.16.840.1.101.3.4.3.1" "dssSigValue" &DSS_SIG_VALUE;
    "2.16.840.1.101.3.4.3.2" "dssSigValue" &DSS_SIG_VALUE;
    "2.16.840.1.101.3.4.3.3" "dssSigValue" &DSS_SIG_VALUE;
    "2.16.840.1.101.3.4.3.4" "dssSigValue" &DSS_SIG_VALUE;
    "1.2.840.10045.4.1" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "1.2.840.10045.4.3.1" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "1.2.840.10045.4.3.2" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "1.2.840.10045.4.3.3" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "1.2.840.10045.4.3.4" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "2.16.840.1.101.3.4.3.9" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "2.16.840.1.101.3.4.3.10" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "2.16.840.1.101.3.4.3.11" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "2.16.840.1.101.3.4.3.12" "ecdsaSigValue" &ECDSA_SIG_VALUE;
    "1.2.156.10197.1.501" "sm2SigValue" &ECDSA_SIG_VALUE;
});

/// ECDSA-Sig-Value
pub static ECDSA_SIG_VALUE: Type = Type::new(
    "ECDSA-Sig-Value",
    "RFC 3279 2.2.3",
    Kind::Sequence(&[field("r", &INTEGER), field("s", &INTEGER)]),
);

static DSS_SIG_VALUE: Type = Type::new(
    "Dss-Sig-Value",
    "RFC 3279 2.2.2",
    Kind::Sequence(&[field("r", &INTEGER), field("s", &INTEGER)]),
);

/// Contents octets of AlgorithmIdentifier { sha1, NULL }, the DEFAULT of RSA's parameters.
const SHA1: &[u8] = &[0x06, 0x05, 0x2b, 0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00];
/// Contents octets of AlgorithmIdentifier { mgf1, { sha1, NULL } }.
const MGF1_SHA1: &[u8] = &[
    0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08, 0x30, 0x09, 0x06, 0x05, 0x2b,
    0x0e, 0x03, 0x02, 0x1a, 0x05, 0x00,
];
/// Contents octets of AlgorithmIdentifier { pSpecified, empty OCTET STRING }.
const P_SPECIFIED_EMPTY: &[u8] =
    &[0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x09, 0x04, 0x00];
/// Contents octets of AlgorithmIdentifier { hmacWithSHA1, NULL }.
const HMAC_SHA1: &[u8] = &[0x06, 0x08, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x07, 0x05, 0x00];

/// RSASSA-PSS-params
pub static RSASSA_PSS_PARAMS: Type = Type::new(
    "RSASSA-PSS-params",
    "RFC 4055 3.1",
    Kind::Sequence(&[
        field("hashAlgorithm", &ALGORITHM_IDENTIFIER).explicit(0).default(SHA1),
        field("maskGenAlgorithm", &ALGORITHM_IDENTIFIER).explicit(1).default(MGF1_SHA1),
        field("saltLength", &INTEGER).explicit(2).default(&[20]),
        field("trailerField", &INTEGER).explicit(3).default(&[1]),
    ]),
);

static RSAES_OAEP_PARAMS: Type = Type::new(
    "RSAES-OAEP-params",
    "RFC 4055 4.1",
    Kind::Sequence(&[
        field("hashFunc", &ALGORITHM_IDENTIFIER).explicit(0).default(SHA1),
        field("maskGenFunc", &ALGORITHM_IDENTIFIER).explicit(1).default(MGF1_SHA1),
        field("pSourceFunc", &ALGORITHM_IDENTIFIER).explicit(2).default(P_SPECIFIED_EMPTY),
    ]),
);

/// DHParameter of PKCS #3.
pub static DH_PARAMETER: Type = Type::new(
    "DHParameter",
    "PKCS #3 9",
    Kind::Sequence(&[
        field("prime", &INTEGER),
        field("base", &INTEGER),
        optional("privateValueLength", &INTEGER),
    ]),
);

static DOMAIN_PARAMETERS: Type = Type::new(
    "DomainParameters",
    "RFC 3279 2.3.3",
    Kind::Sequence(&[
        field("p", &INTEGER),
        field("g", &INTEGER),
        field("q", &INTEGER),
        optional("j", &INTEGER),
        optional("validationParms", &VALIDATION_PARMS),
    ]),
);

static VALIDATION_PARMS: Type = Type::new(
    "ValidationParms",
    "RFC 3279 2.3.3",
    Kind::Sequence(&[field("seed", &BIT_STRING), field("pgenCounter", &INTEGER)]),
);

static DSS_PARMS: Type = Type::new(
    "Dss-Parms",
    "RFC 3279 2.3.2",
    Kind::Sequence(&[field("p", &INTEGER), field("q", &INTEGER), field("g", &INTEGER)]),
);

/// ECParameters, with the explicit form of ANSI X9.62 that RFC 5480 leaves out.
pub static EC_PARAMETERS: Type = Type::new(
    "ECParameters",
    "RFC 5480 2.1.1",
    Kind::Choice(&[
        field("namedCurve", &OBJECT_IDENTIFIER).from("RFC 5480 2.1.1.1"),
        field("implicitCurve", &NULL),
        field("specifiedCurve", &SPECIFIED_EC_DOMAIN),
    ]),
);

static SPECIFIED_EC_DOMAIN: Type = Type::new(
    "SpecifiedECDomain",
    "RFC 3279 2.3.5",
    Kind::Sequence(&[
        field("version", &INTEGER),
        field("fieldID", &FIELD_ID),
        field("curve", &CURVE),
        field("base", &OCTET_STRING),
        field("order", &INTEGER),
        optional("cofactor", &INTEGER),
        optional("hash", &ALGORITHM_IDENTIFIER),
    ]),
);

static FIELD_ID: Type = Type::new(
    "FieldID",
    "RFC 3279 2.3.5",
    Kind::Sequence(&[
        field("fieldType", &OBJECT_IDENTIFIER).selects(&FIELD_TYPES),
        field("parameters", &OPEN),
    ]),
);

static FIELD_TYPES: Table = Table::new(entries! {
    "1.2.840.10045.1.1" "prime-field" &INTEGER;
    "1.2.840.10045.1.2" "characteristic-two-field" &CHARACTERISTIC_TWO;
});

static CHARACTERISTIC_TWO: Type = Type::new(
    "Characteristic-two",
    "RFC 3279 2.3.5",
    Kind::Sequence(&[
        field("m", &INTEGER),
        field("basis", &OBJECT_IDENTIFIER).selects(&BASES),
        field("parameters", &OPEN),
    ]),
);

static BASES: Table = Table::new(entries! {
    "1.2.840.10045.1.2.3.1" "gnBasis" &NULL;
    "1.2.840.10045.1.2.3.2" "tpBasis" &INTEGER;
    "1.2.840.10045.1.2.3.3" "ppBasis" &PENTANOMIAL;
});

static PENTANOMIAL: Type = Type::new(
    "Pentanomial",
    "RFC 3279 2.3.5",
    Kind::Sequence(&[field("k1", &INTEGER), field("k2", &INTEGER), field("k3", &INTEGER)]),
);

static CURVE: Type = Type::new(
    "Curve",
    "RFC 3279 2.3.5",
    Kind::Sequence(&[
        field("a", &OCTET_STRING),
        field("b", &OCTET_STRING),
        optional("seed", &BIT_STRING),
    ]),
);

static PBE_PARAMETER: Type = Type::new(
    "PBEParameter",
    "RFC 8018 A.3",
    Kind::Sequence(&[field("salt", &OCTET_STRING), field("iterationCount", &INTEGER)]),
);

static PKCS12_PBE_PARAMS: Type = Type::new(
    "pkcs-12PbeParams",
    "RFC 7292 C",
    Kind::Sequence(&[field("salt", &OCTET_STRING), field("iterations", &INTEGER)]),
);

static PBKDF2_PARAMS: Type = Type::new(
    "PBKDF2-params",
    "RFC 8018 A.2",
    Kind::Sequence(&[
        field("salt", &PBKDF2_SALT),
        field("iterationCount", &INTEGER),
        optional("keyLength", &INTEGER),
        field("prf", &ALGORITHM_IDENTIFIER).default(HMAC_SHA1),
    ]),
);

static PBKDF2_SALT: Type = Type::new(
    "CHOICE",
    "RFC 8018 A.2",
    Kind::Choice(&[field("specified", &OCTET_STRING), field("otherSource", &ALGORITHM_IDENTIFIER)]),
);

static PBES2_PARAMS: Type = Type::new(
    "PBES2-params",
    "RFC 8018 A.4",
    Kind::Sequence(&[
        field("keyDerivationFunc", &ALGORITHM_IDENTIFIER),
        field("encryptionScheme", &ALGORITHM_IDENTIFIER),
    ]),
);

static PBMAC1_PARAMS: Type = Type::new(
    "PBMAC1-params",
    "RFC 8018 A.5",
    Kind::Sequence(&[
        field("keyDerivationFunc", &ALGORITHM_IDENTIFIER),
        field("messageAuthScheme", &ALGORITHM_IDENTIFIER),
    ]),
);

static SCRYPT_PARAMS: Type = Type::new(
    "scrypt-params",
    "RFC 7914 7.1",
    Kind::Sequence(&[
        field("salt", &OCTET_STRING),
        field("costParameter", &INTEGER),
        field("blockSize", &INTEGER),
        field("parallelizationParameter", &INTEGER),
        optional("keyLength", &INTEGER),
    ]),
);

static INITIAL_VECTOR: Type = Type::new("IV", "RFC 8018 B.2", Kind::Plain(universal::OCTET_STRING));

static RC2_CBC_PARAMETER: Type = Type::new(
    "RC2-CBC-Parameter",
    "RFC 8018 B.2.3",
    Kind::Choice(&[field("iv", &OCTET_STRING), field("", &RC2_CBC_VERSIONED)]),
);

static RC2_CBC_VERSIONED: Type = Type::new(
    "RC2-CBC-Parameter",
    "RFC 8018 B.2.3",
    Kind::Sequence(&[optional("rc2ParameterVersion", &INTEGER), field("iv", &OCTET_STRING)]),
);

static GCM_PARAMETERS: Type = Type::new(
    "GCMParameters",
    "RFC 5084 3.2",
    Kind::Sequence(&[
        field("aes-nonce", &OCTET_STRING),
        field("aes-ICVlen", &INTEGER).default(&[12]),
    ]),
);

static CCM_PARAMETERS: Type = Type::new(
    "CCMParameters",
    "RFC 5084 3.1",
    Kind::Sequence(&[
        field("aes-nonce", &OCTET_STRING),
        field("aes-ICVlen", &INTEGER).default(&[12]),
    ]),
);

static PBM_PARAMETER: Type = Type::new(
    "PBMParameter",
    "RFC 4211 4.4",
    Kind::Sequence(&[
        field("salt", &OCTET_STRING),
        field("owf", &ALGORITHM_IDENTIFIER),
        field("iterationCount", &INTEGER),
        field("mac", &ALGORITHM_IDENTIFIER),
    ]),
);

static GOST_PARAMETERS: Type = Type::new(
    "GostR3410-PublicKeyParameters",
    "RFC 4491 2.3.2",
    Kind::Sequence(&[
        field("publicKeyParamSet", &OBJECT_IDENTIFIER),
        optional("digestParamSet", &OBJECT_IDENTIFIER),
        optional("encryptionParamSet", &OBJECT_IDENTIFIER),
    ]),
);
