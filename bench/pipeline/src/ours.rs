//! pkiscope's own way: templates, and a backend whose contexts are kept.

use anyhow::{Context, Result, ensure};
use pkiscope::pki::build::{
    Authority, CertificateTemplate, CrlTemplate, OcspTemplate, Profile, SerialPolicy,
};
use pkiscope::pki::certificate::Certificate;
use pkiscope::pki::crypto::{
    Backend, KeyGenerator, PrivateKey, SignatureAlgorithm, Signer, Verifier, backends,
};

/// 2026-01-01.
pub const NOW: i64 = 1_767_225_600;
/// Entries of a CRL.
pub const REVOKED: u64 = 1_024;

/// Names that are UTF8Strings in both libraries, and responses that are alike in both.
const PROFILE: &str = r#"
ca.subject = ["O=R&D", "CN=CA #1"]
certificate.subject = ["O=R&D", "CN=Subscriber #{n}"]
certificate.san = ["dns:subscriber-{n}.pkiscope.example"]
ocsp.revoked_percent = 0
"#;

/// An authority with one key, and what a worker of its pipeline owns.
pub struct Ours {
    key: Box<dyn PrivateKey>,
    pub spki: Vec<u8>,
    generator: Box<dyn KeyGenerator>,
    signer: Box<dyn Signer>,
    verifier: Box<dyn Verifier>,
    subscriber: CertificateTemplate,
    crl: CrlTemplate,
    ocsp: OcspTemplate,
    number: u64,
    octets: Vec<u8>,
    tbs: Vec<u8>,
    out: Vec<u8>,
}

impl Ours {
    /// An authority whose key `pkcs8` is; the same for all contestants of a race.
    pub fn new(backend: &str, algorithm: SignatureAlgorithm, pkcs8: &[u8]) -> Result<Self> {
        let backend = backends::by_id(backend).context("no such backend")?;
        let key = backend.import_private(algorithm, pkcs8)?;
        let mut octets = Vec::new();
        key.public_octets(&mut octets)?;
        let spki = algorithm.spki(&octets);
        let profile = Profile::from_toml(PROFILE)?;
        let authority = Authority::new(&profile, algorithm, &octets);
        let serials = SerialPolicy::Sequential;
        Ok(Self {
            generator: backend.key_generator(algorithm)?,
            signer: key.signer()?,
            verifier: backend.import_public(algorithm, &spki)?.verifier()?,
            subscriber: CertificateTemplate::subscriber(&profile, &authority, algorithm, 1, NOW)?,
            crl: CrlTemplate::new(&profile, &authority, serials, NOW)?,
            ocsp: OcspTemplate::new(&profile, &authority, serials, NOW)?,
            key,
            spki,
            number: 0,
            octets,
            tbs: Vec::new(),
            out: Vec::new(),
        })
    }

    /// A key for a race.
    pub fn fresh_key(algorithm: SignatureAlgorithm) -> Result<Vec<u8>> {
        let key = backends::NativeOssl.key_generator(algorithm)?.generate()?;
        Ok(key.to_pkcs8()?.to_vec())
    }

    /// The next certificate, for a fresh key.
    pub fn certificate(&mut self) -> Result<&[u8]> {
        self.number = self.number % REVOKED + 1;
        let key = self.generator.generate()?;
        self.octets.clear();
        key.public_octets(&mut self.octets)?;
        self.certificate_of(self.number)
    }

    /// The certificate with this number, for the key whose octets are at hand.
    fn certificate_of(&mut self, number: u64) -> Result<&[u8]> {
        self.out.clear();
        let unsigned = self.subscriber.write(number, &self.octets, &mut self.out);
        let place = unsigned.sign(&mut *self.signer, &mut self.out)?;
        Ok(&self.out[place])
    }

    /// The certificate with this number for the authority's own key.
    pub fn certificate_for_itself(&mut self, number: u64) -> Result<Vec<u8>> {
        self.octets.clear();
        self.key.public_octets(&mut self.octets)?;
        Ok(self.certificate_of(number)?.to_vec())
    }

    /// Reads a certificate and verifies its signature.
    pub fn verify(&mut self, der: &[u8]) -> Result<()> {
        let certificate = Certificate::parse(der)?;
        let valid = self.verifier.verify(certificate.tbs(), certificate.signature())?;
        ensure!(valid, "the signature is wrong");
        Ok(())
    }

    /// The ResponseData of an OCSP response.
    pub fn ocsp_tbs(&mut self) -> &[u8] {
        self.number = self.number % REVOKED + 1;
        self.tbs.clear();
        let place = self.ocsp.tbs(self.number, &mut self.tbs);
        &self.tbs[place]
    }

    /// Signs a ResponseData and puts the response around it.
    pub fn ocsp_sign(&mut self, tbs: &[u8]) -> Result<&[u8]> {
        self.out.clear();
        let unsigned = self.ocsp.write(tbs, &mut self.out);
        let place = unsigned.sign(&mut *self.signer, &mut self.out)?;
        Ok(&self.out[place])
    }

    /// The TBSCertList.
    pub fn crl_tbs(&mut self) -> &[u8] {
        self.out.clear();
        let unsigned = self.crl.write(1, REVOKED, &mut self.out);
        &self.out[unsigned.tbs()]
    }

    /// A CRL, built and signed.
    pub fn crl(&mut self) -> Result<&[u8]> {
        self.out.clear();
        let unsigned = self.crl.write(1, REVOKED, &mut self.out);
        let place = unsigned.sign(&mut *self.signer, &mut self.out)?;
        Ok(&self.out[place])
    }
}
