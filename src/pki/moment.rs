//! The `Time` of certificates, CRLs and OCSP: UTCTime or GeneralizedTime (RFC 5280 4.1.2.5).

use serde::{Serialize, Serializer};

use crate::asn1::reader::UNEXPECTED_TAG;
use crate::asn1::tag::octet;
use crate::asn1::value::time::{self, Reading, Time};
use crate::asn1::{Error, Reader, Tlv};
use crate::pki::findings::Findings;
use crate::pki::list::Decode;

/// A point in time as encoded. Reading the header does not look at the digits.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    object: &'a [u8],
    tlv: Tlv,
}

impl<'a> Decode<'a> for Moment<'a> {
    fn decode(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::of(reader.object(), Self::header(reader)?))
    }
}

impl<'a> Moment<'a> {
    /// Reads past a UTCTime or GeneralizedTime.
    ///
    /// # Errors
    /// When the next value is neither.
    pub fn header(reader: &mut Reader<'_>) -> Result<Tlv, Error> {
        let tlv = reader.any()?;
        match tlv.tag {
            octet::UTC_TIME | octet::GENERALIZED_TIME => Ok(tlv),
            _ => Err(Error::new(tlv.start, &UNEXPECTED_TAG)),
        }
    }

    /// The time at `tlv` of `object`.
    #[must_use]
    pub const fn of(object: &'a [u8], tlv: Tlv) -> Self {
        Self { object, tlv }
    }

    /// Where it stands.
    #[must_use]
    pub const fn tlv(&self) -> Tlv {
        self.tlv
    }

    /// The GeneralizedTime with an implicit tag at `tlv` of `object`.
    #[must_use]
    pub const fn generalized(object: &'a [u8], tlv: Tlv) -> Self {
        Self { object, tlv: Tlv { tag: octet::GENERALIZED_TIME, ..tlv } }
    }

    fn reading(&self) -> Result<Reading, Error> {
        let content = self.tlv.contents().of(self.object);
        if self.tlv.tag == octet::UTC_TIME {
            time::read_utc(content, self.tlv.content)
        } else {
            time::read_generalized(content, self.tlv.content)
        }
    }

    /// The time, read tolerantly: seconds may be missing, another zone than UTC given.
    ///
    /// # Errors
    /// When the octets are no date and time of day.
    pub fn time(&self) -> Result<Time, Error> {
        self.reading().map(|r| r.time)
    }

    /// Checks the form, and the choice between the two types.
    pub fn violations(&self, findings: &mut Findings) {
        self.form_violations(findings);
        if self.tlv.tag == octet::GENERALIZED_TIME
            && self.time().is_ok_and(|time| time.fits_utc_time())
        {
            findings.add(self.tlv.start, &time::TIME_CHOICE);
        }
    }

    /// Checks the form alone, where the type is not a matter of choice.
    pub fn form_violations(&self, findings: &mut Findings) {
        if let Some(reading) = findings.ok(self.reading()) {
            findings.check(reading.der);
            findings.check(reading.pkix);
        }
    }
}

impl Serialize for Moment<'_> {
    /// RFC 3339, null when it does not read (a finding says why).
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.time() {
            Ok(time) => serializer.collect_str(&time),
            Err(_) => serializer.serialize_none(),
        }
    }
}
