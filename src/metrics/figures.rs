//! Figures as people read them: three or four digits, a unit that fits, rounded half up.

/// `n` with commas between thousands.
#[must_use]
pub fn grouped(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Nanoseconds in milliseconds, as the seed's tables print them: two decimals, none from a
/// second on, and three digits below a millisecond: `5,615 ms`, `10.31 ms`, `0.0172 ms`.
#[must_use]
pub fn milliseconds(ns: u64) -> String {
    let (value, unit) = (u128::from(ns), 1_000_000);
    let small = (3..=6).rev().find(|places| scaled(value, unit, *places) < 1000);
    let places = small.unwrap_or(if scaled(value, unit, 2) < 100_000 { 2 } else { 0 });
    if value == 0 { "0 ms".to_owned() } else { format!("{} ms", decimal(value, unit, places)) }
}

/// A span of nanoseconds in three digits with a unit that fits: `860 ns`, `5.80 µs`, `78.2 ms`,
/// `37.9 s`.
#[must_use]
pub fn duration(ns: u64) -> String {
    let value = u128::from(ns);
    let units = [(1, 0, "ns"), (1000, 2, "µs"), (1_000_000, 2, "ms"), (1_000_000_000, 2, "s")];
    for (unit, most, name) in units {
        let fits = (0..=most).rev().find(|places| scaled(value, unit, *places) < 1000);
        if let Some(places) = fits {
            return format!("{} {name}", decimal(value, unit, places));
        }
    }
    format!("{} s", decimal(value, 1_000_000_000, 0))
}

/// A rate in thousands a second, as the seed's tables print it but with three digits at least:
/// `1,597`, `81.1`, `7.53`, `0.0390`.
#[must_use]
pub fn thousands(per_second: f64) -> String {
    let Some(value) = micros(per_second / 1000.0).filter(|value| *value > 0) else {
        return "0".to_owned();
    };
    let unit = 1_000_000;
    let small = (2..=6).rev().find(|places| scaled(value, unit, *places) < 1000);
    let places = small.unwrap_or(usize::from(scaled(value, unit, 1) < 10_000));
    decimal(value, unit, places)
}

/// A ratio in three digits, four decimal places at most: `0.0066`, `0.163`, `1.05`, `12.4`,
/// `1,240`.
#[must_use]
pub fn ratio(value: f64) -> String {
    let Some(value) = micros(value) else { return "?".to_owned() };
    if scaled(value, 1_000_000, 4) == 0 {
        return "<0.0001".to_owned();
    }
    let places = (0..=4).rev().find(|places| scaled(value, 1_000_000, *places) < 1000);
    decimal(value, 1_000_000, places.unwrap_or(0))
}

/// How far a ratio is from 1, in per cent with its sign: `+1.2 %`, `-83.7 %`.
#[must_use]
pub fn change(ratio: f64) -> String {
    let sign = if ratio < 1.0 { '-' } else { '+' };
    let Some(value) = micros((ratio - 1.0).abs() * 100.0) else { return "?".to_owned() };
    let places = usize::from(scaled(value, 1_000_000, 1) < 1000);
    format!("{sign}{} %", decimal(value, 1_000_000, places))
}

/// `value` in millionths; `None` when that is no number.
fn micros(value: f64) -> Option<u128> {
    let scaled = (value * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    (0.0..=1e30).contains(&scaled).then_some(scaled as u128)
}

/// `value / unit` in units of the last of so many decimal places, rounded half up.
fn scaled(value: u128, unit: u128, places: usize) -> u128 {
    let factor = (0..places).fold(1, |factor, _| factor * 10);
    (value.saturating_mul(factor).saturating_add(unit / 2)) / unit
}

/// `value / unit` with so many decimal places.
fn decimal(value: u128, unit: u128, places: usize) -> String {
    let digits = scaled(value, unit, places);
    if places == 0 {
        return grouped(digits);
    }
    let factor = (0..places).fold(1, |factor, _| factor * 10);
    format!("{}.{:0places$}", grouped(digits / factor), digits % factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_as_the_seed_prints_them() {
        let cases = [
            (0, "0 ms"),
            (5, "0.000005 ms"),
            (17_200, "0.0172 ms"),
            (99_949, "0.0999 ms"),
            (99_950, "0.100 ms"),
            (789_500, "0.790 ms"),
            (999_499, "0.999 ms"),
            (999_500, "1.00 ms"),
            (1_624_999, "1.62 ms"),
            (1_625_000, "1.63 ms"),
            (10_310_000, "10.31 ms"),
            (397_480_000, "397.48 ms"),
            (999_994_999, "999.99 ms"),
            (999_995_000, "1,000 ms"),
            (74_761_500_000, "74,762 ms"),
            (u64::MAX, "18,446,744,073,710 ms"),
        ];
        for (ns, wanted) in cases {
            assert_eq!(milliseconds(ns), wanted, "{ns}");
        }
    }

    #[test]
    fn durations_have_three_digits() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1000, "1.00 µs"),
            (5_804, "5.80 µs"),
            (9_994, "9.99 µs"),
            (9_995, "10.0 µs"),
            (99_949, "99.9 µs"),
            (99_950, "100 µs"),
            (999_499, "999 µs"),
            (999_500, "1.00 ms"),
            (78_200_000, "78.2 ms"),
            (999_500_000, "1.00 s"),
            (37_919_000_000, "37.9 s"),
            (1_234_500_000_000, "1,235 s"),
        ];
        for (ns, wanted) in cases {
            assert_eq!(duration(ns), wanted, "{ns}");
        }
    }

    #[test]
    fn rates_in_thousands() {
        let cases = [
            (0.0, "0"),
            (f64::NAN, "0"),
            (14.0, "0.0140"),
            (131.4, "0.131"),
            (999.6, "1.00"),
            (7_530.0, "7.53"),
            (9_994.0, "9.99"),
            (9_996.0, "10.0"),
            (81_100.0, "81.1"),
            (633_430.0, "633.4"),
            (999_940.0, "999.9"),
            (999_950.0, "1,000"),
            (1_597_400.0, "1,597"),
        ];
        for (rate, wanted) in cases {
            assert_eq!(thousands(rate), wanted, "{rate}");
        }
    }

    #[test]
    fn ratios_and_changes() {
        for (value, wanted) in [
            (0.1584, "0.158"),
            (0.9996, "1.00"),
            (1.05, "1.05"),
            (12.44, "12.4"),
            (1240.4, "1,240"),
        ] {
            assert_eq!(ratio(value), wanted);
        }
        assert_eq!(ratio(f64::INFINITY), "?");
        assert_eq!(change(1.012), "+1.2 %");
        assert_eq!(change(0.163), "-83.7 %");
        assert_eq!(change(6.4), "+540 %");
        assert_eq!(change(1.0), "+0.0 %");
    }
}
