//! Composite post-quantum algorithms of LAMPS and Merkle tree certificates, below the PKIX algorithm arc.

use super::family::Family;

pub(super) static FAMILIES: &[Family] = &[
    Family {
        arc: "1.3.6.1.5.5.7.6",
        source: "draft-ietf-lamps-pq-composite-sigs",
        names: &[
            ("37", "id-MLDSA44-RSA2048-PSS-SHA256"),
            ("38", "id-MLDSA44-RSA2048-PKCS15-SHA256"),
            ("39", "id-MLDSA44-Ed25519-SHA512"),
            ("40", "id-MLDSA44-ECDSA-P256-SHA256"),
            ("41", "id-MLDSA65-RSA3072-PSS-SHA512"),
            ("42", "id-MLDSA65-RSA3072-PKCS15-SHA512"),
            ("43", "id-MLDSA65-RSA4096-PSS-SHA512"),
            ("44", "id-MLDSA65-RSA4096-PKCS15-SHA512"),
            ("45", "id-MLDSA65-ECDSA-P256-SHA512"),
            ("46", "id-MLDSA65-ECDSA-P384-SHA512"),
            ("47", "id-MLDSA65-ECDSA-brainpoolP256r1-SHA512"),
            ("48", "id-MLDSA65-Ed25519-SHA512"),
            ("49", "id-MLDSA87-ECDSA-P384-SHA512"),
            ("50", "id-MLDSA87-ECDSA-brainpoolP384r1-SHA512"),
            ("51", "id-MLDSA87-Ed448-SHAKE256"),
            ("52", "id-MLDSA87-RSA3072-PSS-SHA512"),
            ("53", "id-MLDSA87-RSA4096-PSS-SHA512"),
            ("54", "id-MLDSA87-ECDSA-P521-SHA512"),
        ],
    },
    Family {
        arc: "1.3.6.1.5.5.7.6",
        source: "draft-ietf-lamps-pq-composite-kem",
        names: &[
            ("55", "id-MLKEM768-RSA2048-SHA3-256"),
            ("56", "id-MLKEM768-RSA3072-SHA3-256"),
            ("57", "id-MLKEM768-RSA4096-SHA3-256"),
            ("58", "id-MLKEM768-X25519-SHA3-256"),
            ("59", "id-MLKEM768-ECDH-P256-SHA3-256"),
            ("60", "id-MLKEM768-ECDH-P384-SHA3-256"),
            ("61", "id-MLKEM768-ECDH-brainpoolP256r1-SHA3-256"),
            ("62", "id-MLKEM1024-RSA3072-SHA3-256"),
            ("63", "id-MLKEM1024-ECDH-P384-SHA3-256"),
            ("64", "id-MLKEM1024-ECDH-brainpoolP384r1-SHA3-256"),
            ("65", "id-MLKEM1024-X448-SHA3-256"),
            ("66", "id-MLKEM1024-ECDH-P521-SHA3-256"),
        ],
    },
    Family {
        arc: "1.3.6.1.5.5.7.6",
        source: "draft-ietf-plants-merkle-tree-certs-07",
        names: &[("67", "id-alg-mtcProof")],
    },
];
