//! Parameters of algorithms: which must be there, and those of RSASSA-PSS (RFC 4055 3.1).

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::asn1::tag::octet;
use crate::asn1::value::integer::Integer;
use crate::asn1::value::oid::{self, Oid};
use crate::asn1::{Error, Reader};
use crate::pki::algorithm::{AlgorithmIdentifier, id};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;
use crate::pki::show::{Dotted, Hex, OidName};
use crate::rule;

rule! {
    PARAMETERS_NULL, "algorithm-parameters-null", "RFC 4055 1.2, 5",
        "the parameters of this RSA algorithm must be NULL";
    PARAMETERS_ABSENT, "algorithm-parameters-absent",
        "RFC 3279 2.2, RFC 5758 3, RFC 8410 3, RFC 9881 2, RFC 9909 3, RFC 9935 3",
        "this algorithm must have no parameters";
    PARAMETERS_MISSING, "algorithm-parameters-missing", "RFC 4055 3.1, RFC 5480 2.1.1",
        "this algorithm must have parameters";
    PSS_TRAILER, "pss-trailer-field", "RFC 4055 3.1", "the trailer field must be 1";
    PSS_MGF, "pss-mask-generation", "RFC 4055 3.1",
        "the mask generation function must be MGF1 with the same hash algorithm";
    PSS_SALT, "pss-salt-length", "RFC 4055 3.1", "the salt length is negative or absurd";
}

/// SHA-1, the default hash algorithm (1.3.14.3.2.26).
const SHA1: &[u8] = b"\x2b\x0e\x03\x02\x1a";

/// What a PSS signature is made with. Defaults are filled in.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PssParameters<'a> {
    /// The hash algorithm; SHA-1 unless encoded.
    pub hash: OidName<'a>,
    /// The mask generation function; MGF1 unless encoded.
    pub mask_generation: OidName<'a>,
    /// The hash algorithm of the mask generation function; SHA-1 unless encoded.
    pub mask_hash: OidName<'a>,
    /// Octets of salt; 20 unless encoded.
    pub salt_length: u64,
    /// 1, which means `bc`, unless encoded otherwise.
    pub trailer_field: u64,
    #[serde(skip)]
    start: u32,
}

impl<'a> Decode<'a> for PssParameters<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let start = reader.offset();
        let mut r = reader.enter(octet::SEQUENCE)?;
        let mut field = |n: u8| -> Result<Option<Reader<'a>>, Error> {
            let tag = octet::context_constructed(n);
            Ok(r.optional(tag)?.map(|tlv| tlv.enter(r.object())))
        };
        let mut pss = Self {
            hash: OidName(Oid(SHA1)),
            mask_generation: OidName(Oid(id::MGF1)),
            mask_hash: OidName(Oid(SHA1)),
            salt_length: 20,
            trailer_field: 1,
            start,
        };
        if let Some(mut inner) = field(0)? {
            pss.hash = OidName(AlgorithmIdentifier::decode(&mut inner)?.oid());
            inner.finish()?;
        }
        if let Some(mut inner) = field(1)? {
            let algorithm = AlgorithmIdentifier::decode(&mut inner)?;
            inner.finish()?;
            pss.mask_generation = OidName(algorithm.oid());
            let mut parameters = algorithm.parameters_reader();
            pss.mask_hash = OidName(AlgorithmIdentifier::decode(&mut parameters)?.oid());
        }
        for (n, slot) in [(2, &mut pss.salt_length), (3, &mut pss.trailer_field)] {
            if let Some(mut inner) = field(n)? {
                let tlv = inner.expect(octet::INTEGER)?;
                inner.finish()?;
                *slot = Integer(tlv.contents().of(inner.object()))
                    .to_u64()
                    .ok_or(Error::new(tlv.content, &PSS_SALT))?;
            }
        }
        r.finish()?;
        Ok(pss)
    }
}

impl PssParameters<'_> {
    /// Checks what RFC 4055 wants of certificates.
    pub fn violations(&self, findings: &mut Findings) {
        if self.trailer_field != 1 {
            findings.add(self.start, &PSS_TRAILER);
        }
        if self.mask_generation.0.0 != id::MGF1 || self.mask_hash != self.hash {
            findings.add(self.start, &PSS_MGF);
        }
    }
}

/// What the standards say about the parameters of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameters {
    Null,
    Absent,
    Required,
    Any,
}

impl<'a> AlgorithmIdentifier<'a> {
    /// The parameters of RSASSA-PSS and id-RSASSA-PSS keys, `None` for other algorithms and
    /// absent parameters.
    ///
    /// # Errors
    /// Where the parameters are not those of RFC 4055 3.1.
    #[must_use]
    pub fn pss(&self) -> Option<Result<PssParameters<'a>, Error>> {
        (self.oid().0 == id::RSA_PSS && self.parameters().is_some())
            .then(|| PssParameters::decode(&mut self.parameters_reader()))
    }

    /// Checks the identifier, and whether parameters are there as the algorithm wants it.
    /// `signs` tells a signature's algorithm from a key's.
    pub fn violations(&self, signs: bool, findings: &mut Findings) {
        let oid = self.oid();
        findings.check(oid::check(oid.0, self.spans().oid.start));
        let parameters = self.parameters();
        let (whole, at) = (self.spans().whole, self.spans().parameters.start);
        match expected(oid.0, signs) {
            Parameters::Null if parameters != Some(&[octet::NULL, 0]) => {
                findings.add(whole.start, &PARAMETERS_NULL);
            }
            Parameters::Absent if parameters.is_some() => findings.add(at, &PARAMETERS_ABSENT),
            Parameters::Required if parameters.is_none() => {
                findings.add(whole.start, &PARAMETERS_MISSING);
            }
            _ => {}
        }
        match self.pss() {
            Some(Ok(pss)) => pss.violations(findings),
            Some(Err(e)) => findings.push(e),
            None => {}
        }
    }
}

fn expected(oid: &[u8], signs: bool) -> Parameters {
    if oid == id::RSA_PSS {
        return if signs { Parameters::Required } else { Parameters::Any };
    }
    if let Some((&last, arc)) = oid.split_last() {
        match (arc, last) {
            // rsaEncryption and the PKCS #1 v1.5 signatures.
            (id::PKCS1, 1..=5 | 11..=16) => return Parameters::Null,
            // DSA and ECDSA with the SHA-2 and SHA-3 family, ML-DSA, SLH-DSA and their hash forms.
            (id::NIST_SIGNATURES, 1..=12 | 17..=46) | (id::NIST_KEMS, 1..=3) => {
                return Parameters::Absent;
            }
            // id-alg-unsigned, id-alg-xmss.., composite ML-DSA, id-alg-mtcProof.
            (id::PKIX_ALGORITHMS, 34..=54 | 67) => return Parameters::Absent,
            _ => {}
        }
    }
    match oid {
        id::EC | id::DH | id::DH_PKCS3 => Parameters::Required,
        id::X25519 | id::X448 | id::ED25519 | id::ED448 | id::DSA_SHA1 => Parameters::Absent,
        _ if oid.starts_with(id::ECDSA) => Parameters::Absent,
        _ => Parameters::Any,
    }
}

impl Serialize for AlgorithmIdentifier<'_> {
    /// `{"oid": .., "name": ..}`, and `"parameters"` when they say something: of PSS decoded,
    /// an identifier (a curve) as such, else as DER.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("oid", &Dotted(self.oid()))?;
        map.serialize_entry("name", &self.name())?;
        let named = self.parameters_reader().expect(octet::OID);
        match (self.pss(), self.parameters(), named) {
            (Some(Ok(pss)), ..) => map.serialize_entry("parameters", &pss)?,
            (_, None | Some(&[octet::NULL, 0]), _) => {}
            (.., Ok(tlv)) => {
                let oid = Oid(tlv.contents().of(self.parameters_reader().object()));
                map.serialize_entry("parameters", &OidName(oid))?;
            }
            (_, Some(der), Err(_)) => {
                #[derive(Serialize)]
                struct Der<'a> {
                    der: Hex<'a>,
                }
                map.serialize_entry("parameters", &Der { der: Hex(der) })?;
            }
        }
        map.end()
    }
}
