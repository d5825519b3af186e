//! Keys that the library makes, for the tests of the views.

use openssl::dsa::Dsa;
use openssl::ec::{EcGroup, EcKey};
use openssl::nid::Nid;
use openssl::pkey::PKey;
use openssl::rsa::Rsa;
use openssl::symm::Cipher;

/// A key pair in all encodings that the library writes.
pub(crate) struct MadeKey {
    /// The private key in the encoding of its algorithm and in PKCS #8.
    pub(crate) private: Vec<Vec<u8>>,
    /// The SubjectPublicKeyInfo.
    pub(crate) public: Vec<u8>,
}

/// An RSA, an EC and a DSA key.
pub(crate) fn keys() -> [MadeKey; 3] {
    let rsa = Rsa::generate(1024).unwrap();
    let pkey = PKey::from_rsa(rsa.clone()).unwrap();
    let rsa = MadeKey {
        private: vec![rsa.private_key_to_der().unwrap(), pkey.private_key_to_pkcs8().unwrap()],
        public: pkey.public_key_to_der().unwrap(),
    };
    let group = EcGroup::from_curve_name(Nid::SECP256K1).unwrap();
    let ec = EcKey::generate(&group).unwrap();
    let pkey = PKey::from_ec_key(ec.clone()).unwrap();
    let ec = MadeKey {
        private: vec![ec.private_key_to_der().unwrap(), pkey.private_key_to_pkcs8().unwrap()],
        public: pkey.public_key_to_der().unwrap(),
    };
    let dsa = Dsa::generate(1024).unwrap();
    let dsa = MadeKey {
        private: vec![dsa.private_key_to_der().unwrap()],
        public: dsa.public_key_to_der().unwrap(),
    };
    [rsa, ec, dsa]
}

/// A PKCS #8 key, and EncryptedPrivateKeyInfos of it by several ciphers.
pub(crate) fn encrypted(password: &[u8]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let key = PKey::generate_ed25519().unwrap();
    let ciphers = [Cipher::aes_128_cbc(), Cipher::aes_192_cbc(), Cipher::des_ede3_cbc()];
    let encrypted = ciphers
        .into_iter()
        .map(|cipher| key.private_key_to_pkcs8_passphrase(cipher, password).unwrap())
        .collect();
    (key.private_key_to_pkcs8().unwrap(), encrypted)
}

/// True when the library takes `der` for a private key.
pub(crate) fn is_private_key(der: &[u8]) -> bool {
    PKey::private_key_from_der(der).is_ok()
}
