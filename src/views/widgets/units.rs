//! Times, counts, rates and shares in few columns: three significant digits and a unit that fits.

use super::grouped;

/// Columns of the longest text of [`time`], [`count`] and [`rate`].
pub const WIDEST: usize = 6;

const SCALES: [(f64, &str); 6] =
    [(1e3, "K"), (1e6, "M"), (1e9, "G"), (1e12, "T"), (1e15, "P"), (1e18, "E")];

/// A time in nanoseconds: `400ns`, `5.80µs`, `168µs`, `1.10ms`, `12.0s`, `17min`, `584y`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn time(ns: u64) -> String {
    if ns < 1_000 {
        return format!("{ns}ns");
    }
    let ns = ns as f64;
    for (unit, name) in [(1e3, "µs"), (1e6, "ms"), (1e9, "s")] {
        if let Some(text) = three(ns / unit) {
            return text + name;
        }
    }
    let seconds = ns / 1e9;
    for (unit, most, name) in [(60.0, 99.5, "min"), (3_600.0, 47.5, "h"), (86_400.0, 999.5, "d")] {
        if seconds / unit < most {
            return format!("{:.0}{name}", seconds / unit);
        }
    }
    format!("{:.0}y", seconds / (365.0 * 86_400.0))
}

/// A count: all digits with separators below 100,000, then `171K`, `2.10M`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub fn count(n: u64) -> String {
    if n < 100_000 { grouped(n) } else { scaled(n as f64) }
}

/// A number of items a second: `0.35`, `943`, `13.1K`, `2.10M`; `0` for what is no number.
#[must_use]
pub fn rate(per_second: f64) -> String {
    match per_second {
        x if x.is_nan() || x <= 0.0 => "0".to_owned(),
        x if x < 0.01 => "<0.01".to_owned(),
        x if x < 1.0 => format!("{x:.2}"),
        x => three(x).unwrap_or_else(|| scaled(x)),
    }
}

/// A share of 1 in whole percent: `52 %`, `<1 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    match share.clamp(0.0, 1.0) {
        share if share > 0.0 && share < 0.005 => "<1 %".to_owned(),
        share if share > 0.0 => format!("{:.0} %", share * 100.0),
        _ => "0 %".to_owned(),
    }
}

/// A share of 1 in percent, with a digit behind the point where there are no whole ones.
#[must_use]
pub fn fine_percent(share: f64) -> String {
    match share.clamp(0.0, 1.0) {
        share if share > 0.0 && share < 0.000_5 => "<0.1 %".to_owned(),
        share if share > 0.0 && share < 0.009_95 => format!("{:.1} %", share * 100.0),
        share => percent(share),
    }
}

/// A number from 1 to 999 with three digits; `None` for what needs more.
fn three(x: f64) -> Option<String> {
    match x {
        x if x < 9.995 => Some(format!("{x:.2}")),
        x if x < 99.95 => Some(format!("{x:.1}")),
        x if x < 999.5 => Some(format!("{x:.0}")),
        _ => None,
    }
}

fn scaled(x: f64) -> String {
    SCALES
        .iter()
        .find_map(|(unit, name)| three(x / unit).map(|text| text + name))
        .unwrap_or_else(|| ">999E".to_owned())
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let cases = [
            (0, "0ns"),
            (999, "999ns"),
            (1_000, "1.00µs"),
            (5_804, "5.80µs"),
            (9_994, "9.99µs"),
            (9_996, "10.0µs"),
            (168_400, "168µs"),
            (999_499, "999µs"),
            (999_500, "1.00ms"),
            (12_040_000, "12.0ms"),
            (999_600_000, "1.00s"),
            (999_000_000_000, "999s"),
            (1_000_000_000_000, "17min"),
            (7_200_000_000_000, "2h"),
            (3 * 86_400_000_000_000, "3d"),
            (u64::MAX, "585y"),
        ];
        for (ns, wanted) in cases {
            assert_eq!(time(ns), wanted, "{ns}");
        }
    }

    #[test]
    fn counts_and_rates_carry_to_the_next_unit() {
        assert_eq!([0, 1_024, 99_999].map(count), ["0", "1,024", "99,999"]);
        assert_eq!([171_234, 999_499, 999_500].map(count), ["171K", "999K", "1.00M"]);
        assert_eq!(count(u64::MAX), "18.4E");
        let rates = [0.0, -1.0, f64::NAN, 0.001, 0.354, 1.0, 943.2, 999.6, 13_100.0, 2.1e6];
        let wanted = ["0", "0", "0", "<0.01", "0.35", "1.00", "943", "1.00K", "13.1K", "2.10M"];
        assert_eq!(rates.map(rate), wanted);
        assert_eq!(rate(f64::INFINITY), ">999E");
    }

    #[test]
    fn shares_are_never_said_to_be_nothing() {
        let shares = [0.0, 0.001, 0.005, 0.519, 1.0, 7.0, f64::NAN, -1.0];
        let wanted = ["0 %", "<1 %", "0 %", "52 %", "100 %", "100 %", "0 %", "0 %"];
        assert_eq!(shares.map(percent)[..2], wanted[..2]);
        assert_eq!(shares.map(percent)[3..], wanted[3..]);
        assert_eq!([0.000_1, 0.001, 0.84].map(fine_percent), ["<0.1 %", "0.1 %", "84 %"]);
    }

    #[test]
    fn nothing_is_wider_than_said() {
        for exponent in 0..64_u32 {
            let power = 1_u64 << exponent;
            for n in [power - 1, power, power.saturating_mul(3) / 2] {
                assert!(time(n).width() <= WIDEST, "{}", time(n));
                assert!(count(n).width() <= WIDEST, "{}", count(n));
                #[expect(clippy::cast_precision_loss, reason = "any number will do")]
                let text = rate(n as f64 / 1000.0);
                assert!(text.width() <= WIDEST, "{text}");
            }
        }
    }
}
