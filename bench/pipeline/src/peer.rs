//! The same objects by `synta-certificate`: constant parts encoded once where it takes them
//! encoded, its signer and its parsed public key kept.

use anyhow::{Context, Result, anyhow};
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crypto::SignatureAlgorithm;
use synta::{Decoder, Encode, Encoder, Encoding, Integer, ObjectIdentifier};
use synta_certificate::{
    BackendPrivateKey, BackendPublicKey, CertificateBuilder, CertificateListBuilder,
    ErasedCertificateSigner, KeyIdMethod, NameBuilder, OCSPResponseBuilder, OpensslKeyIdHasher,
    PrivateKey, PrivateKeyBuilder, SingleResponseSpec, SubjectAlternativeNameBuilder, Time,
    encode_subject_key_identifier, parse_time,
};

use crate::ours::REVOKED;

/// [`crate::ours::NOW`], and the ends of what starts then in pkiscope's own profile.
const NOW: &str = "20260101000000Z";
const NOT_AFTER: &str = "20260331235959Z";
const NEXT_CRL: &str = "20260108000000Z";
const NEXT_OCSP: &str = "20260102000000Z";
const SHA1: &[u8] = b"\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00";
/// Reasons of the CRL's entries in turn; the first says none.
const REASONS: [Option<u8>; 4] = [None, Some(1), Some(4), Some(5)];

pub struct Peer {
    keys: PrivateKeyBuilder,
    signer: Box<dyn ErasedCertificateSigner>,
    public: BackendPublicKey,
    algorithm: Vec<u8>,
    issuer: Vec<u8>,
    not_before: Time,
    not_after: Time,
    /// The extensions in their order: the first and the last differ from one to the next.
    key_id: ObjectIdentifier,
    constant: Vec<(ObjectIdentifier, bool, Vec<u8>)>,
    alternative: ObjectIdentifier,
    name_sha1: [u8; 20],
    key_sha1: [u8; 20],
    crl_extensions: Vec<(Vec<u32>, Vec<u8>)>,
    number: u64,
}

fn wrong(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("synta-certificate: {error}")
}

fn oid(text: &str) -> Result<ObjectIdentifier> {
    let arcs = text.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>()?;
    ObjectIdentifier::new(&arcs).map_err(wrong)
}

/// A time as RFC 5280 4.1.2.5 has it until 2049.
fn utc(generalized: &str) -> &str {
    &generalized[2..]
}

impl Peer {
    /// The same authority: its key, and what its own certificate and CRL say.
    pub fn new(
        algorithm: SignatureAlgorithm,
        pkcs8: &[u8],
        example: &[u8],
        crl: &[u8],
    ) -> Result<Self> {
        use SignatureAlgorithm as A;
        let (keys, hash) = match algorithm {
            A::EcdsaP256 => (PrivateKeyBuilder::ec("P-256"), "sha256"),
            A::EcdsaP384 => (PrivateKeyBuilder::ec("P-384"), "sha384"),
            A::EcdsaP521 => (PrivateKeyBuilder::ec("P-521"), "sha512"),
            A::Ed25519 => (PrivateKeyBuilder::ed25519(), ""),
            A::MlDsa44 => (PrivateKeyBuilder::ml_dsa("ML-DSA-44"), ""),
            A::MlDsa65 => (PrivateKeyBuilder::ml_dsa("ML-DSA-65"), ""),
            A::MlDsa87 => (PrivateKeyBuilder::ml_dsa("ML-DSA-87"), ""),
            _ => return Err(anyhow!("no race is about {algorithm}")),
        };
        keys.generate().map_err(wrong).context(
            "no key: where ML-DSA is meant, pkg-config is missing or the program was not built \
             from its own folder",
        )?;
        let key = BackendPrivateKey::from_der(pkcs8).map_err(wrong)?;
        let spki = key.public_key_spki_der().map_err(wrong)?;
        let example = Certificate::parse(example)?;
        let crl = pkiscope::pki::crl::Crl::parse(crl)?;
        let mut extensions = Vec::new();
        for extension in example.extensions().iter() {
            let extension = extension?;
            let id = oid(&extension.oid().to_string())?;
            extensions.push((id, extension.critical(), extension.der().to_vec()));
        }
        let (key_id, _, _) = extensions.remove(0);
        let (alternative, _, _) = extensions.pop().context("the example has no extensions")?;
        let mut crl_extensions = Vec::new();
        for extension in crl.extensions().iter() {
            let extension = extension?;
            let id = oid(&extension.oid().to_string())?;
            crl_extensions.push((id.components().to_vec(), extension.der().to_vec()));
        }
        Ok(Self {
            keys,
            signer: key.as_signer(hash),
            public: BackendPublicKey::from_der(&spki).map_err(wrong)?,
            algorithm: algorithm.signature_identifier().to_vec(),
            issuer: example.issuer().der().to_vec(),
            not_before: parse_time(utc(NOW)).map_err(wrong)?,
            not_after: parse_time(utc(NOT_AFTER)).map_err(wrong)?,
            key_id,
            constant: extensions,
            alternative,
            name_sha1: openssl::sha::sha1(example.issuer().der()),
            key_sha1: openssl::sha::sha1(example.public_key().key()),
            crl_extensions,
            number: 0,
        })
    }

    /// The next certificate, for a fresh key.
    pub fn certificate(&mut self) -> Result<Vec<u8>> {
        self.number = self.number % REVOKED + 1;
        let key = self.keys.generate().map_err(wrong)?;
        let spki = key.public_key_spki_der().map_err(wrong)?;
        self.certificate_of(self.number, &spki)
    }

    pub fn certificate_of(&self, number: u64, spki: &[u8]) -> Result<Vec<u8>> {
        let subject = NameBuilder::new()
            .organization("R&D")
            .common_name(&format!("Subscriber #{number}"))
            .build()
            .map_err(wrong)?;
        let names = SubjectAlternativeNameBuilder::new()
            .dns_name(&format!("subscriber-{number}.pkiscope.example"))
            .build()
            .map_err(wrong)?;
        let method = KeyIdMethod::Rfc7093Method1Sha256;
        let key_id = encode_subject_key_identifier(spki, method, &OpensslKeyIdHasher)
            .context("no key identifier")?;
        let mut builder = CertificateBuilder::new()
            .issuer_name(&self.issuer)
            .subject_name(&subject)
            .public_key_der(spki)
            .serial_number(Integer::from_i64(number.cast_signed()))
            .not_valid_before(self.not_before.clone())
            .not_valid_after(self.not_after.clone())
            .add_extension(self.key_id.clone(), false, &key_id);
        for (id, critical, value) in &self.constant {
            builder = builder.add_extension(id.clone(), *critical, value);
        }
        builder
            .add_extension(self.alternative.clone(), false, &names)
            .sign(&self.signer)
            .map_err(wrong)
    }

    /// Reads a certificate, writes its signed part again as the crate's manual does, and
    /// verifies the signature.
    pub fn verify(&self, der: &[u8]) -> Result<()> {
        let certificate: synta_certificate::Certificate<'_> =
            Decoder::new(der, Encoding::Der).decode().map_err(wrong)?;
        let encode = |value: &dyn Fn(&mut Encoder) -> synta::Result<()>| {
            let mut encoder = Encoder::new(Encoding::Der);
            value(&mut encoder).and_then(|()| encoder.finish()).map_err(wrong)
        };
        let tbs = encode(&|encoder| certificate.tbs_certificate.encode(encoder))?;
        let algorithm = encode(&|encoder| certificate.signature_algorithm.encode(encoder))?;
        self.verify_parts(&tbs, &algorithm, certificate.signature_value.as_bytes())
    }

    /// Verifies a signature whose parts somebody found.
    pub fn verify_parts(&self, tbs: &[u8], algorithm: &[u8], signature: &[u8]) -> Result<()> {
        self.public.verify_signature(tbs, algorithm, signature).map_err(wrong)
    }

    /// The ResponseData of an OCSP response.
    pub fn ocsp_tbs(&mut self) -> Result<Vec<u8>> {
        self.number = self.number % REVOKED + 1;
        let serial = Integer::from_i64(self.number.cast_signed());
        OCSPResponseBuilder::new()
            .responder_key_hash(&self.key_sha1)
            .produced_at(NOW)
            .add_response(SingleResponseSpec {
                hash_algorithm_der: SHA1,
                issuer_name_hash: &self.name_sha1,
                issuer_key_hash: &self.key_sha1,
                serial: serial.as_bytes(),
                status: 0,
                this_update: NOW,
                next_update: Some(NEXT_OCSP),
            })
            .build_tbs()
            .map_err(wrong)
    }

    /// Signs a ResponseData and puts the response around it.
    pub fn ocsp_sign(&self, tbs: &[u8]) -> Result<Vec<u8>> {
        let signature = self.signer.sign_tbs_erased(tbs).map_err(wrong)?;
        OCSPResponseBuilder::assemble(tbs, &self.algorithm, &signature).map_err(wrong)
    }

    /// The TBSCertList.
    pub fn crl_tbs(&self) -> Result<Vec<u8>> {
        let mut builder = CertificateListBuilder::new()
            .signature_algorithm(&self.algorithm)
            .issuer(&self.issuer)
            .this_update(utc(NOW))
            .next_update(utc(NEXT_CRL));
        for (number, reason) in (1..=REVOKED).zip(REASONS.into_iter().cycle()) {
            let serial = Integer::from_i64(number.cast_signed());
            builder = builder.revoke(serial.as_bytes(), utc(NOW), reason);
        }
        for (id, value) in &self.crl_extensions {
            builder = builder.add_crl_extension(id, false, value);
        }
        builder.build().map_err(wrong)
    }

    /// A CRL, built and signed.
    pub fn crl(&self) -> Result<Vec<u8>> {
        let tbs = self.crl_tbs()?;
        let signature = self.signer.sign_tbs_erased(&tbs).map_err(wrong)?;
        CertificateListBuilder::assemble(&tbs, &self.algorithm, &signature).map_err(wrong)
    }
}
