//! The fifteen stages.

use crate::metrics::StageInfo;

/// Index of the part in which a key pair is made.
pub const KEYGEN: usize = 0;
/// Index of the part in which a signature is made.
pub const SIGN: usize = 1;
/// Index of the part in which DER is written.
pub const ENCODE: usize = 2;

/// A stage. Its number is its index in [`STAGES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says what they are")]
pub enum Stage {
    CaSelfSign,
    CertGen,
    DbInsertCerts,
    CertVerify,
    DbReadCerts,
    CrlBuild,
    CrlSign,
    DbInsertCrl,
    CrlVerify,
    DbReadCrl,
    OcspBuild,
    OcspSign,
    DbInsertOcsp,
    OcspVerify,
    DbReadOcsp,
}

const SIGNING: &[&str] = &["keygen", "sign", "encode"];
const CERTIFICATES: Option<&str> = Some("certificate");
const CRLS: Option<&str> = Some("crl");
const RESPONSES: Option<&str> = Some("ocsp-response");

const fn stage(
    name: &'static str,
    parts: &'static [&'static str],
    parallel: bool,
    objects: Option<&'static str>,
) -> StageInfo {
    StageInfo { name, parts, parallel, objects }
}

/// The stages in their order. The names are fixed: they are what people compare with.
pub static STAGES: [StageInfo; 15] = [
    stage("ca_self_sign", &[], false, CERTIFICATES),
    stage("cert_gen", SIGNING, true, CERTIFICATES),
    stage("db_insert_certs", &[], false, CERTIFICATES),
    stage("cert_verify", &[], true, CERTIFICATES),
    stage("db_read_certs", &[], false, CERTIFICATES),
    stage("crl_build", &[], false, CRLS),
    stage("crl_sign", &[], false, CRLS),
    stage("db_insert_crl", &[], false, CRLS),
    stage("crl_verify", &[], false, CRLS),
    stage("db_read_crl", &[], false, CRLS),
    stage("ocsp_build", &[], true, RESPONSES),
    stage("ocsp_sign", SIGNING, true, RESPONSES),
    stage("db_insert_ocsp", &[], false, RESPONSES),
    stage("ocsp_verify", &[], true, RESPONSES),
    stage("db_read_ocsp", &[], false, RESPONSES),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_the_table() {
        let pairs = [
            (Stage::CaSelfSign, "ca_self_sign"),
            (Stage::CrlVerify, "crl_verify"),
            (Stage::OcspBuild, "ocsp_build"),
            (Stage::DbReadOcsp, "db_read_ocsp"),
        ];
        for (stage, name) in pairs {
            assert_eq!(STAGES[stage as usize].name, name);
        }
        assert_eq!(STAGES[1].parts[SIGN], "sign");
    }
}
