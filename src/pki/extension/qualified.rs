//! qcStatements of qualified certificates (RFC 3739 3.2.6, ETSI EN 319 412-5).

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::asn1::tag::{octet, universal};
use crate::asn1::value::string;
use crate::asn1::{Error, Reader, Span};
use crate::pki::extension::payload::Payload;
use crate::pki::findings::Findings;
use crate::pki::list::{Decode, List};
use crate::pki::show::{Decimal, Dotted, Hex, OidName};

/// The ETSI statements, 0.4.0.1862.1.n: the last octet tells them apart.
const ETSI: &[u8] = b"\x04\x00\x8e\x46\x01";

/// QCStatements.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct QcStatements<'a> {
    /// The statements.
    pub statements: List<'a, QcStatement<'a>>,
}

/// QCStatement.
#[derive(Debug, Clone, Copy)]
pub struct QcStatement<'a> {
    /// What is stated.
    pub oid: OidName<'a>,
    info: Span,
    object: &'a [u8],
}

impl<'a> Decode<'a> for QcStatement<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let oid = OidName::decode(&mut r)?;
        let start = r.offset();
        if !r.is_empty() {
            r.any()?;
        }
        r.finish()?;
        Ok(Self { oid, info: Span::new(start, r.offset()), object: r.object() })
    }
}

impl<'a> Decode<'a> for QcStatements<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let statements = List::sequence(reader)?;
        statements.validate()?;
        Ok(Self { statements })
    }
}

impl<'a> Payload<'a> for QcStatements<'a> {
    fn violations(&self, _: &mut Findings) {}
}

/// What the statements of ETSI say.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Info<'a> {
    /// esi4-qcStatement-2: the value up to which transactions are insured.
    LimitValue {
        currency: Cow<'a, str>,
        amount: Decimal<'a>,
        exponent: Decimal<'a>,
    },
    /// esi4-qcStatement-3: years that records are kept.
    RetentionYears(Decimal<'a>),
    /// esi4-qcStatement-5: where the disclosure statements are.
    Disclosures(List<'a, Disclosure<'a>>),
    /// esi4-qcStatement-6 and -7: kinds of certificates, countries' laws.
    Types(List<'a, OidName<'a>>),
    Countries(List<'a, Country<'a>>),
    /// All others.
    Der(Hex<'a>),
}

/// PdsLocation.
#[derive(Debug, Clone, Serialize)]
pub struct Disclosure<'a> {
    /// Where the document is.
    pub url: Cow<'a, str>,
    /// In which language, a code of ISO 639-1.
    pub language: Cow<'a, str>,
}

impl<'a> Decode<'a> for Disclosure<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut r = reader.enter(octet::SEQUENCE)?;
        let (url, language) = (text(&mut r)?, text(&mut r)?);
        r.finish()?;
        Ok(Self { url, language })
    }
}

/// A country code as PrintableString.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Country<'a>(Cow<'a, str>);

impl<'a> Decode<'a> for Country<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        text(reader).map(Self)
    }
}

/// An IA5String or PrintableString.
fn text<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>, Error> {
    let tag = match reader.peek() {
        Some(octet::PRINTABLE_STRING) => octet::PRINTABLE_STRING,
        _ => octet::IA5_STRING,
    };
    let tlv = reader.expect(tag)?;
    Ok(string::decode(universal::IA5_STRING, tlv.contents().of(reader.object())).text)
}

impl<'a> QcStatement<'a> {
    fn info(&self) -> Option<Info<'a>> {
        if self.info.is_empty() {
            return None;
        }
        let known = self.etsi().ok().flatten();
        Some(known.unwrap_or_else(|| Info::Der(Hex(self.info.of(self.object)))))
    }

    fn etsi(&self) -> Result<Option<Info<'a>>, Error> {
        let mut r = Reader::within(self.object, self.info);
        let Some(&number) = self.oid.0.0.strip_prefix(ETSI).and_then(|rest| rest.first()) else {
            return Ok(None);
        };
        Ok(Some(match number {
            2 => {
                let mut value = r.enter(octet::SEQUENCE)?;
                let currency = match value.peek() {
                    // A number of ISO 4217, where the three letters are not used.
                    Some(octet::INTEGER) => {
                        let code = Decimal::decode(&mut value)?;
                        Cow::Owned(code.to_string())
                    }
                    _ => text(&mut value)?,
                };
                Info::LimitValue {
                    currency,
                    amount: Decimal::decode(&mut value)?,
                    exponent: Decimal::decode(&mut value)?,
                }
            }
            3 => Info::RetentionYears(Decimal::decode(&mut r)?),
            5 => Info::Disclosures(checked(&mut r)?),
            6 => Info::Types(checked(&mut r)?),
            7 => Info::Countries(checked(&mut r)?),
            _ => return Ok(None),
        }))
    }
}

/// A list whose elements all read.
fn checked<'a, T: Decode<'a>>(reader: &mut Reader<'a>) -> Result<List<'a, T>, Error> {
    let list = List::sequence(reader)?;
    list.validate()?;
    Ok(list)
}

impl Serialize for QcStatement<'_> {
    /// `{"oid", "name"}` and what is stated, as DER where it is not known.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Record<'a> {
            oid: Dotted<'a>,
            name: Option<&'static str>,
            #[serde(flatten, skip_serializing_if = "Option::is_none")]
            info: Option<Info<'a>>,
        }
        Record { oid: Dotted(self.oid.0), name: self.oid.name(), info: self.info() }
            .serialize(serializer)
    }
}
