//! UTCTime and GeneralizedTime (X.680 46, 47; X.690 11.7, 11.8; RFC 5280 4.1.2.5).
//!
//! One reader accepts all that BER allows and says which rule of DER and which rule of
//! RFC 5280 was bent. The form that nearly every certificate has is read in front of it,
//! eight digits at a time.

use std::fmt::{self, Write as _};

use crate::asn1::{Error, Rule};
use crate::rule;

rule! {
    TIME_FORMAT, "time-format", "X.680 46, 47",
        "the time is not made of the digits, fraction and zone that the type allows";
    TIME_CALENDAR, "time-calendar", "X.680 46, 47", "there is no such date or time of day";
    TIME_SECONDS, "time-seconds", "X.690 11.7.2, 11.8.2", "the time has no seconds";
    TIME_ZULU, "time-zulu", "X.690 11.7.1, 11.8.1", "the time does not end in Z";
    TIME_FRACTION_ZERO, "time-fraction-zero", "X.690 11.7.3",
        "the fraction of a second ends in zero";
    TIME_FRACTION_COMMA, "time-fraction-comma", "X.690 11.7.4",
        "the fraction of a second follows a comma, not a full stop";
    TIME_FRACTION, "time-fraction", "RFC 5280 4.1.2.5.2",
        "a GeneralizedTime in a certificate or CRL has a fraction of a second";
    TIME_LEAP_SECOND, "time-leap-second", "X.680 47.3",
        "second 60 stands where no leap second can be";
    TIME_CHOICE, "time-choice", "RFC 5280 4.1.2.5",
        "a date from 1950 up to 2049 must be a UTCTime, any other a GeneralizedTime";
}

/// A moment as an object states it; compare moments by [`Time::instant`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Time {
    /// Four-digit year, 0 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to the last day of the month.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59, or 60 for a leap second.
    pub second: u8,
    /// Fraction of the second in nanoseconds; finer digits are cut.
    pub nanos: u32,
    /// Minutes east of UTC, 0 for `Z`; `None` for local time of an unknown place.
    pub offset: Option<i16>,
}

/// A time as the tolerant reader found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// What was read.
    pub time: Time,
    /// The first rule of DER that it breaks (X.690 11.7, 11.8).
    pub der: Option<Error>,
    /// The first rule of DER or of RFC 5280 4.1.2.5 that it breaks, for certificates and CRLs.
    pub pkix: Option<Error>,
}

/// Reads a UTCTime at offset `at`: `YYMMDDhhmm[ss](Z|+hhmm|-hhmm)`, years 1950 to 2049.
///
/// # Errors
/// [`TIME_FORMAT`] or [`TIME_CALENDAR`].
#[inline]
pub fn read_utc(content: &[u8], at: u32) -> Result<Reading, Error> {
    match utc_fast(content) {
        Some(time) => Ok(Reading { time, der: None, pkix: None }),
        None => read_any(content, at, 2),
    }
}

/// Reads a GeneralizedTime at offset `at`: `YYYYMMDDhh[mm[ss]][(.|,)f][Z|+hh[mm]|-hh[mm]]`.
///
/// # Errors
/// [`TIME_FORMAT`] or [`TIME_CALENDAR`].
#[inline]
pub fn read_generalized(content: &[u8], at: u32) -> Result<Reading, Error> {
    match generalized_fast(content) {
        Some(time) => Ok(Reading { time, der: None, pkix: None }),
        None => read_any(content, at, 4),
    }
}

/// Reads a UTCTime; `strict` rejects what RFC 5280 4.1.2.5.1 forbids.
///
/// # Errors
/// As [`read_utc`], and the rule that is bent when `strict`.
#[inline]
pub fn parse_utc(content: &[u8], at: u32, strict: bool) -> Result<Time, Error> {
    settle(read_utc(content, at)?, strict)
}

/// Reads a GeneralizedTime; `strict` rejects what RFC 5280 4.1.2.5.2 forbids.
///
/// # Errors
/// As [`read_generalized`], and the rule that is bent when `strict`.
#[inline]
pub fn parse_generalized(content: &[u8], at: u32, strict: bool) -> Result<Time, Error> {
    settle(read_generalized(content, at)?, strict)
}

fn settle(reading: Reading, strict: bool) -> Result<Time, Error> {
    match reading.pkix {
        Some(e) if strict => Err(e),
        _ => Ok(reading.time),
    }
}

/// Two digits a lane from eight ASCII digits, `None` when one is no digit.
///
/// The first character is the lowest octet; all eight are tested and folded at once.
#[inline]
fn pairs(digits: [u8; 8]) -> Option<[u8; 4]> {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    let x = u64::from_le_bytes(digits);
    // A digit has the high half 3, and still has it when 6 is added.
    let is_digits = x & HIGH == ZEROS && x.wrapping_add(0x0606_0606_0606_0606) & HIGH == ZEROS;
    let x = x & 0x0f0f_0f0f_0f0f_0f0f;
    let folded = x.wrapping_mul(10).wrapping_add(x >> 8).to_le_bytes();
    is_digits.then_some([folded[0], folded[2], folded[4], folded[6]])
}

#[inline]
fn utc_fast(content: &[u8]) -> Option<Time> {
    let octets: &[u8; 13] = content.try_into().ok()?;
    let [yy, month, day, hour] = pairs(*octets.first_chunk()?)?;
    let [_, _, minute, second] = pairs(*octets[4..12].first_chunk()?)?;
    finish_fast(pivot(yy), [month, day, hour, minute, second], octets[12])
}

#[inline]
fn generalized_fast(content: &[u8]) -> Option<Time> {
    let octets: &[u8; 15] = content.try_into().ok()?;
    let [century, yy, month, day] = pairs(*octets.first_chunk()?)?;
    let [_, hour, minute, second] = pairs(*octets[6..14].first_chunk()?)?;
    finish_fast(century_year(century, yy), [month, day, hour, minute, second], octets[14])
}

#[inline]
fn finish_fast(year: u16, fields: [u8; 5], zone: u8) -> Option<Time> {
    let [month, day, hour, minute, second] = fields;
    let time = Time { year, month, day, hour, minute, second, nanos: 0, offset: Some(0) };
    (zone == b'Z' && second < 60 && time.is_valid()).then_some(time)
}

/// RFC 5280 4.1.2.5.1: 50 to 99 are of the 20th century.
const fn pivot(yy: u8) -> u16 {
    yy as u16 + if yy >= 50 { 1900 } else { 2000 }
}

const fn century_year(century: u8, yy: u8) -> u16 {
    century as u16 * 100 + yy as u16
}

/// A position in the characters of a time, and the first rules bent so far.
struct Cursor<'a> {
    content: &'a [u8],
    pos: usize,
    at: u32,
    der: Option<Error>,
    pkix: Option<Error>,
}

impl Cursor<'_> {
    fn error(&self, rule: &'static Rule) -> Error {
        let pos = u32::try_from(self.pos).unwrap_or(u32::MAX);
        Error::new(self.at.saturating_add(pos), rule)
    }

    fn bend(&mut self, rule: &'static Rule) {
        let error = self.error(rule);
        self.der.get_or_insert(error);
        self.pkix.get_or_insert(error);
    }

    fn peek(&self) -> Option<u8> {
        self.content.get(self.pos).copied()
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = self.peek().filter(u8::is_ascii_digit)? - b'0';
        self.pos += 1;
        Some(digit)
    }

    fn two(&mut self) -> Result<u8, Error> {
        match (self.digit(), self.digit()) {
            (Some(tens), Some(ones)) => Ok(tens * 10 + ones),
            _ => Err(self.error(&TIME_FORMAT)),
        }
    }

    /// Two digits where there is a digit, else nothing.
    fn optional_two(&mut self) -> Result<Option<u8>, Error> {
        if self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.two().map(Some)
        } else {
            Ok(None)
        }
    }

    /// The digits after `.` or `,` as billionths of a unit.
    fn fraction(&mut self) -> Result<u32, Error> {
        let mark = self.pos;
        if self.peek() == Some(b',') {
            self.bend(&TIME_FRACTION_COMMA);
        }
        self.pos += 1;
        let first = self.pos;
        let (mut billionths, mut last) = (0_u32, 0);
        while let Some(digit) = self.digit() {
            if self.pos - first <= 9 {
                billionths = billionths * 10 + u32::from(digit);
            }
            last = digit;
        }
        let digits = self.pos - first;
        if digits == 0 {
            return Err(self.error(&TIME_FORMAT));
        }
        for _ in digits..9 {
            billionths *= 10;
        }
        if last == 0 {
            self.pos -= 1;
            self.bend(&TIME_FRACTION_ZERO);
            self.pos += 1;
        }
        let end = std::mem::replace(&mut self.pos, mark);
        let error = self.error(&TIME_FRACTION);
        self.pkix.get_or_insert(error);
        self.pos = end;
        Ok(billionths)
    }

    /// `Z`, `+hhmm`, `-hhmm` or nothing; the minutes may be missing when `hours_alone`.
    fn zone(&mut self, hours_alone: bool) -> Result<Option<i16>, Error> {
        let sign = match self.peek() {
            Some(b'Z') => {
                self.pos += 1;
                return Ok(Some(0));
            }
            Some(b'+') => 1,
            Some(b'-') => -1,
            Some(_) => return Err(self.error(&TIME_FORMAT)),
            None => {
                self.bend(&TIME_ZULU);
                return Ok(None);
            }
        };
        self.bend(&TIME_ZULU);
        self.pos += 1;
        let hours = self.two()?;
        let minutes = match self.optional_two()? {
            Some(minutes) => minutes,
            None if hours_alone => 0,
            None => return Err(self.error(&TIME_FORMAT)),
        };
        if hours > 23 || minutes > 59 {
            return Err(self.error(&TIME_CALENDAR));
        }
        Ok(Some(sign * (i16::from(hours) * 60 + i16::from(minutes))))
    }
}

#[cold]
pub(super) fn read_any(content: &[u8], at: u32, year_digits: u8) -> Result<Reading, Error> {
    let generalized = year_digits == 4;
    let mut c = Cursor { content, pos: 0, at, der: None, pkix: None };
    let first = c.two()?;
    let year = if generalized { century_year(first, c.two()?) } else { pivot(first) };
    let (month, day, hour) = (c.two()?, c.two()?, c.two()?);
    let minute = if generalized { c.optional_two()? } else { Some(c.two()?) };
    let second = if minute.is_some() { c.optional_two()? } else { None };
    if second.is_none() {
        c.bend(&TIME_SECONDS);
    }
    let mut time = Time {
        year,
        month,
        day,
        hour,
        minute: minute.unwrap_or(0),
        second: second.unwrap_or(0),
        nanos: 0,
        offset: Some(0),
    };
    if generalized && matches!(c.peek(), Some(b'.' | b',')) {
        let billionths = c.fraction()?;
        match (minute, second) {
            (_, Some(_)) => time.nanos = billionths,
            (Some(_), None) => time.add_fraction(billionths, 60),
            (None, _) => time.add_fraction(billionths, 3600),
        }
    }
    time.offset = c.zone(generalized)?;
    if c.pos != content.len() {
        return Err(c.error(&TIME_FORMAT));
    }
    c.pos = 0;
    if !time.is_valid() {
        return Err(c.error(&TIME_CALENDAR));
    }
    // A leap second ends a UTC day; UTCTime has none at all (X.680 47.3).
    if time.second == 60 && !(generalized && time.ends_utc_day()) {
        c.bend(&TIME_LEAP_SECOND);
    }
    Ok(Reading { time, der: c.der, pkix: c.pkix })
}

impl Time {
    /// The moment `seconds` after 1970-01-01T00:00:00Z, `None` outside the years 0 to 9999.
    #[must_use]
    pub fn from_unix(seconds: i64) -> Option<Self> {
        const FIRST: i64 = -62_167_219_200;
        const LAST: i64 = 253_402_300_799;
        if !(FIRST..=LAST).contains(&seconds) {
            return None;
        }
        let (year, month, day) = civil(seconds.div_euclid(86_400));
        let of_day = seconds.rem_euclid(86_400);
        let small = |n: i64| u8::try_from(n).ok();
        Some(Self {
            year: u16::try_from(year).ok()?,
            month: small(month)?,
            day: small(day)?,
            hour: small(of_day / 3600)?,
            minute: small(of_day / 60 % 60)?,
            second: small(of_day % 60)?,
            nanos: 0,
            offset: Some(0),
        })
    }

    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds; local time counts as UTC.
    #[must_use]
    pub fn unix_seconds(&self) -> i64 {
        let days =
            days_from_civil(i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let clock = i64::from(self.hour) * 3600 + i64::from(self.minute) * 60;
        days * 86_400 + clock + i64::from(self.second) - i64::from(self.offset.unwrap_or(0)) * 60
    }

    /// Unix seconds and nanoseconds: what two times are compared by.
    #[must_use]
    pub fn instant(&self) -> (i64, u32) {
        (self.unix_seconds(), self.nanos)
    }

    /// True when RFC 5280 4.1.2.5 wants this date as a UTCTime: 1950 up to 2049, in UTC.
    #[must_use]
    pub fn fits_utc_time(&self) -> bool {
        matches!(self.offset, Some(0)) && (1950..2050).contains(&self.year)
    }

    fn is_valid(&self) -> bool {
        let days = match self.month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u8::from(is_leap(self.year)),
            _ => 0,
        };
        (1..=days).contains(&self.day) && self.hour < 24 && self.minute < 60 && self.second <= 60
    }

    /// True at 23:59 UTC, the only minute that a leap second can lengthen.
    fn ends_utc_day(&self) -> bool {
        let minute = i32::from(self.hour) * 60 + i32::from(self.minute);
        self.offset.is_some_and(|offset| (minute - i32::from(offset)).rem_euclid(1440) == 1439)
    }

    /// Adds a fraction of an hour or a minute, whose smaller fields are all zero.
    fn add_fraction(&mut self, billionths: u32, unit_seconds: u32) {
        let nanos = u64::from(billionths) * u64::from(unit_seconds);
        let seconds = nanos / 1_000_000_000;
        let small = |n: u64| u8::try_from(n).unwrap_or(0);
        self.minute += small(seconds / 60);
        self.second = small(seconds % 60);
        self.nanos = u32::try_from(nanos % 1_000_000_000).unwrap_or(0);
    }
}

impl Time {
    /// Appends what [`fmt::Display`] shows.
    pub fn push_to(&self, out: &mut String) {
        let [century, year] =
            [self.year / 100, self.year % 100].map(|n| u8::try_from(n).unwrap_or(0));
        push_two(out, century);
        push_two(out, year);
        let rest = [self.month, self.day, self.hour, self.minute, self.second];
        for (mark, n) in ['-', '-', 'T', ':', ':'].into_iter().zip(rest) {
            out.push(mark);
            push_two(out, n);
        }
        if self.nanos != 0 {
            let _ = write!(out, ".{:09}", self.nanos);
            out.truncate(out.trim_end_matches('0').len());
        }
        match self.offset {
            Some(0) => out.push('Z'),
            Some(minutes) => {
                out.push(if minutes < 0 { '-' } else { '+' });
                let [hours, minutes] = [minutes.unsigned_abs() / 60, minutes.unsigned_abs() % 60]
                    .map(|n| u8::try_from(n).unwrap_or(0));
                push_two(out, hours);
                out.push(':');
                push_two(out, minutes);
            }
            None => {}
        }
    }
}

impl fmt::Display for Time {
    /// RFC 3339: `2024-02-29T23:59:59.25Z`; without a zone for local time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(32);
        self.push_to(&mut text);
        f.pad(&text)
    }
}

/// Two digits; the fields of a time are below 100.
fn push_two(out: &mut String, n: u8) {
    out.push(char::from(b'0' + n / 10 % 10));
    out.push(char::from(b'0' + n % 10));
}

const fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar, which counts from 1 March so
/// that the leap day is the last of a year.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The inverse of [`days_from_civil`]: year, month, day.
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(text: &str) -> String {
        describe(read_utc(text.as_bytes(), 0))
    }

    fn generalized(text: &str) -> String {
        describe(read_generalized(text.as_bytes(), 0))
    }

    /// The time, then the rule of DER and, when another, that of RFC 5280, each with its offset.
    fn describe(reading: Result<Reading, Error>) -> String {
        let name = |e: Error| format!(" {}@{}", e.rule.id, e.offset);
        match reading {
            Err(e) => name(e).trim_start().to_owned(),
            Ok(r) => {
                let der = r.der.map(name).unwrap_or_default();
                let pkix = if r.der == r.pkix { None } else { r.pkix };
                format!("{}{der}{}", r.time, pkix.map(name).unwrap_or_default())
            }
        }
    }

    #[test]
    fn utc_times() {
        assert_eq!(utc("240229235959Z"), "2024-02-29T23:59:59Z");
        assert_eq!(utc("500101000000Z"), "1950-01-01T00:00:00Z");
        assert_eq!(utc("491231235959Z"), "2049-12-31T23:59:59Z");
        assert_eq!(utc("9205210000Z"), "1992-05-21T00:00:00Z time-seconds@10");
        assert_eq!(utc("920521000000+0130"), "1992-05-21T00:00:00+01:30 time-zulu@12");
        assert_eq!(utc("9205210000-0100"), "1992-05-21T00:00:00-01:00 time-seconds@10");
        assert_eq!(utc("920521000000"), "1992-05-21T00:00:00 time-zulu@12");
        assert_eq!(utc("161231235960Z"), "2016-12-31T23:59:60Z time-leap-second@0");
    }

    #[test]
    fn utc_times_that_are_none() {
        assert_eq!(utc(""), "time-format@0");
        assert_eq!(utc("24022923595"), "time-format@11");
        assert_eq!(utc("2402292359:9Z"), "time-format@10");
        assert_eq!(utc("240229235959.5Z"), "time-format@12");
        assert_eq!(utc("240229235959z"), "time-format@12");
        assert_eq!(utc("240229235959ZZ"), "time-format@13");
        assert_eq!(utc("240229235959+01"), "time-format@15");
        assert_eq!(utc("240231000000Z"), "time-calendar@0");
        assert_eq!(utc("230229000000Z"), "time-calendar@0");
        assert_eq!(utc("240001000000Z"), "time-calendar@0");
        assert_eq!(utc("241301000000Z"), "time-calendar@0");
        assert_eq!(utc("240100000000Z"), "time-calendar@0");
        assert_eq!(utc("240101240000Z"), "time-calendar@0");
        assert_eq!(utc("240101006000Z"), "time-calendar@0");
        assert_eq!(utc("240101000061Z"), "time-calendar@0");
        assert_eq!(utc("240101000000+2400"), "time-calendar@17");
    }

    #[test]
    fn generalized_times() {
        assert_eq!(generalized("20240229235959Z"), "2024-02-29T23:59:59Z");
        assert_eq!(generalized("99991231235959Z"), "9999-12-31T23:59:59Z");
        assert_eq!(generalized("00000101000000Z"), "0000-01-01T00:00:00Z");
        assert_eq!(generalized("19000228000000Z"), "1900-02-28T00:00:00Z");
        assert_eq!(generalized("19000229000000Z"), "time-calendar@0");
        assert_eq!(generalized("20161231235960Z"), "2016-12-31T23:59:60Z");
        assert_eq!(generalized("20161231125960Z"), "2016-12-31T12:59:60Z time-leap-second@0");
    }

    #[test]
    fn generalized_times_with_fractions() {
        // X.690 11.7.5 names these forms.
        assert_eq!(generalized("19920722132100.3Z"), "1992-07-22T13:21:00.3Z time-fraction@14");
        assert_eq!(
            generalized("19920722132100.30Z"),
            "1992-07-22T13:21:00.3Z time-fraction-zero@16"
        );
        assert_eq!(generalized("19920622123421.0Z"), "1992-06-22T12:34:21Z time-fraction-zero@15");
        assert_eq!(
            generalized("19920722132100,3Z"),
            "1992-07-22T13:21:00.3Z time-fraction-comma@14"
        );
        assert_eq!(
            generalized("19920722132100.1234567891Z"),
            "1992-07-22T13:21:00.123456789Z time-fraction@14"
        );
        assert_eq!(generalized("19920722132100.Z"), "time-format@15");
    }

    #[test]
    fn generalized_times_in_ber() {
        assert_eq!(generalized("1992072213.25Z"), "1992-07-22T13:15:00Z time-seconds@10");
        assert_eq!(generalized("199207221321.5Z"), "1992-07-22T13:21:30Z time-seconds@12");
        assert_eq!(
            generalized("19851106210627.3"),
            "1985-11-06T21:06:27.3 time-zulu@16 time-fraction@14"
        );
        assert_eq!(generalized("19851106210627-05"), "1985-11-06T21:06:27-05:00 time-zulu@14");
        assert_eq!(generalized("198511062106270500"), "time-format@14");
    }

    #[test]
    fn strict_reading_takes_one_form_only() {
        assert!(parse_utc(b"240229235959Z", 0, true).is_ok());
        assert_eq!(parse_utc(b"2402292359Z", 5, true).unwrap_err().offset, 15);
        assert!(parse_utc(b"2402292359Z", 5, false).is_ok());
        let fraction = b"19920722132100.3Z";
        assert_eq!(read_generalized(fraction, 0).unwrap().der, None);
        assert_eq!(parse_generalized(fraction, 0, true).unwrap_err().rule, &TIME_FRACTION);
    }

    #[test]
    fn unix_seconds_both_ways() {
        let at = |text: &str| parse_generalized(text.as_bytes(), 0, false).unwrap().unix_seconds();
        assert_eq!(at("19700101000000Z"), 0);
        assert_eq!(at("20000229000000Z"), 951_782_400);
        assert_eq!(at("20380119031408Z"), 1 << 31);
        assert_eq!(at("99991231235959Z"), 253_402_300_799);
        assert_eq!(at("00000101000000Z"), -62_167_219_200);
        assert_eq!(at("19700101013000+0130"), 0);
        for day in (-719_528..2_932_896).step_by(13) {
            let seconds = day * 86_400 + 3_723;
            let time = Time::from_unix(seconds).unwrap();
            assert!(time.is_valid());
            assert_eq!(time.unix_seconds(), seconds, "{time}");
        }
        assert_eq!(Time::from_unix(253_402_300_800), None);
        assert_eq!(Time::from_unix(-62_167_219_201), None);
        assert_eq!(Time::from_unix(i64::MIN), None);
    }

    #[test]
    fn the_choice_of_type_turns_at_1950_and_2050() {
        let year = |y| Time { year: y, ..Time::from_unix(0).unwrap() }.fits_utc_time();
        assert!(!year(1949) && year(1950) && year(2049) && !year(2050));
    }
}
