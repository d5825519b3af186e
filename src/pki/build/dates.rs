//! Moments that templates write.

use super::error::Error;
use crate::asn1::value::Time;

/// `now`, in seconds since 1970, and the moment so many seconds after it.
///
/// # Errors
/// [`Error::Date`] when one of them is outside of the years 0 to 9999.
pub(super) fn span(now: i64, seconds: i64) -> Result<(Time, Time), Error> {
    let moment = |seconds| Time::from_unix(seconds).ok_or(Error::Date);
    Ok((moment(now)?, moment(now.saturating_add(seconds))?))
}
