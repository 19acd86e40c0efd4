//! Numbers for readers: three digits and a unit.

use premiss_histogram::Counted;
use premiss_misses::SignedCount;

const UNITS: [&str; 6] = ["k", "M", "G", "T", "P", "E"];

/// A number in at most four digits, with a decimal prefix: `9999`, `12.5 k`, `1.13 G`.
#[must_use]
pub fn human(count: u64) -> String {
    if count < 10_000 {
        return count.to_string();
    }
    // Rounded to three digits in integer arithmetic.
    let mut scale = 1_u128;
    for unit in UNITS {
        scale *= 1000;
        let digits = |decimals: u32| {
            let power = 10_u128.pow(decimals);
            (u128::from(count) * power + scale / 2) / scale
        };
        let (two, one, none) = (digits(2), digits(1), digits(0));
        if two < 1000 {
            return format!("{}.{:02} {unit}", two / 100, two % 100);
        }
        if one < 1000 {
            return format!("{}.{} {unit}", one / 10, one % 10);
        }
        if none < 1000 {
            return format!("{none} {unit}");
        }
    }
    count.to_string()
}

/// The same, and behind an estimate from samples its interval: `~1.13 G (1.1..1.2 G)`.
#[must_use]
pub fn counted_with_interval(count: Counted) -> String {
    let estimate = counted(count);
    match (count, count.interval()) {
        (Counted::Estimate(_), Some((lower, upper))) => {
            format!("{estimate} ({})", counted(Counted::between(lower, upper)))
        }
        _ => estimate,
    }
}

/// A count with its kind: `1.13 G` if exact, `1.1..1.2 G` if bounded, `~1.13 G` if estimated, `?` if unknown.
#[must_use]
pub fn counted(count: Counted) -> String {
    match count {
        Counted::Exact(value) => human(value),
        Counted::Bounded { lower, upper } => range(&human(lower), &human(upper)),
        Counted::Estimate(estimate) => format!("~{}", rounded(estimate.value)),
        Counted::Unknown => "?".to_owned(),
    }
}

/// Seconds in a unit that gives one to three digits before the point: `41.0 µs`.
pub(crate) fn duration(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")];
    let fits = |unit: &&(f64, &str)| unit.0 <= seconds;
    match units.iter().find(fits) {
        Some((size, unit)) => format!("{} {unit}", three_digits(seconds / size)),
        None if seconds == 0.0 => "0 s".to_owned(),
        None => format!("{} ns", three_digits(seconds * 1e9)),
    }
}

/// Bytes in decimal units, as usual for bandwidths: `4.20 GB`.
pub(crate) fn bytes(bytes: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    match units.iter().find(|(size, _)| *size <= bytes) {
        Some((size, unit)) => format!("{} {unit}", three_digits(bytes / size)),
        None => format!("{bytes:.0} B"),
    }
}

/// A number of bytes in decimal units: `48.0 kB`.
#[must_use]
pub fn byte_count(count: u64) -> String {
    bytes(count as f64)
}

/// A number of bytes in binary units, as usual for caches: `48 KiB`, `1.5 MiB`.
#[must_use]
pub fn binary_bytes(count: u64) -> String {
    binary_units(count as f64)
}

/// The same of a number that need not be whole.
pub(crate) fn binary_units(bytes: f64) -> String {
    let units = [(30.0, "GiB"), (20.0, "MiB"), (10.0, "KiB")];
    let found = units.iter().find(|(log, _)| f64::exp2(*log) <= bytes);
    let (value, unit) = found.map_or((bytes, "B"), |(log, unit)| (bytes / f64::exp2(*log), *unit));
    let digits = format!("{value:.1}");
    format!("{} {unit}", digits.strip_suffix(".0").unwrap_or(&digits))
}

fn three_digits(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A difference with its kind; negative ones have a minus sign.
pub(crate) fn signed(count: SignedCount) -> String {
    match count {
        SignedCount::Exact(value) => integer(value),
        SignedCount::Bounded { lower, upper } => range(&integer(lower), &integer(upper)),
        SignedCount::Estimate(value) if value < 0.0 => format!("~−{}", rounded(-value)),
        SignedCount::Estimate(value) => format!("~{}", rounded(value)),
        SignedCount::Unknown => "?".to_owned(),
    }
}

/// A part's share of its total, in percent: `12.5 %` where both are exact, `4.00..12.5 %` where either has bounds,
/// `~12.5 %` where either is an estimate. Empty if either is unknown, the total is 0, or bounds would be compared with
/// an estimate.
pub(crate) fn percent(part: Counted, whole: Counted) -> String {
    if let (Some(part), Some(whole)) = (part.bounds(), whole.bounds()) {
        return share_between(part, whole);
    }
    if let (Counted::Bounded { .. }, Counted::Estimate(_)) = (part, whole) {
        // The upper bound may exceed the total.
        return String::new();
    }
    match (part.middle(), whole.middle()) {
        (Some(part), Some(whole)) if 0.0 < whole => format!("~{} %", share(part / whole)),
        _ => String::new(),
    }
}

/// The share of a part that is no more than its total, both between bounds.
fn share_between(part: (u64, u64), whole: (u64, u64)) -> String {
    if whole.1 == 0 {
        return String::new();
    }
    let ratio = |part: u64, whole: u64| match whole {
        0 => 1.0,
        _ => (part as f64 / whole as f64).min(1.0),
    };
    let (least, most) = (ratio(part.0, whole.1), ratio(part.1, whole.0));
    let (lower, upper) = (share(least), share(most));
    match (lower == upper, lower.starts_with('<')) {
        (true, _) => format!("{upper} %"),
        (false, true) => format!("0..{upper} %"),
        (false, false) => format!("{lower}..{upper} %"),
    }
}

/// A ratio in percent, without the sign.
fn share(ratio: f64) -> String {
    let share = 100.0 * ratio;
    match share {
        0.0 => "0".to_owned(),
        _ if share < 0.01 => "<0.01".to_owned(),
        _ if share < 10.0 => format!("{share:.2}"),
        _ => format!("{share:.1}"),
    }
}

fn integer(value: i64) -> String {
    let magnitude = human(value.unsigned_abs());
    if value < 0 {
        format!("−{magnitude}")
    } else {
        magnitude
    }
}

/// `a..b`, with a common unit written once.
fn range(lower: &str, upper: &str) -> String {
    match (lower.split_once(' '), upper.split_once(' ')) {
        (Some((digits, unit)), Some((_, same))) if unit == same => format!("{digits}..{upper}"),
        _ => format!("{lower}..{upper}"),
    }
}

fn rounded(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    digits.parse().map_or(digits, human)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        for (count, text) in [
            (0, "0"),
            (9_999, "9999"),
            (10_000, "10.0 k"),
            (12_549, "12.5 k"),
            (99_949, "99.9 k"),
            (99_950, "100 k"),
            (999_499, "999 k"),
            (999_500, "1.00 M"),
            (1_126_000_000, "1.13 G"),
            (125_000_000, "125 M"),
            (u64::MAX, "18.4 E"),
        ] {
            assert_eq!(human(count), text);
        }
    }

    #[test]
    fn durations_and_bytes_have_units() {
        let texts = [0.0, 4e-10, 41.04e-6, 0.999, 12.34, 4000.0].map(duration);
        let expected = ["0 s", "0.40 ns", "41.0 µs", "999 ms", "12.3 s", "4000 s"];
        assert_eq!(texts, expected);
        let texts = [0.0, 999.0, 4.2e9, 123_456.0].map(bytes);
        assert_eq!(texts, ["0 B", "999 B", "4.20 GB", "123 kB"]);
        let texts = [0, 64, 49_152, 1_572_864, 1 << 40].map(binary_bytes);
        assert_eq!(texts, ["0 B", "64 B", "48 KiB", "1.5 MiB", "1024 GiB"]);
    }

    #[test]
    fn kinds_show() {
        assert_eq!(counted(Counted::between(3, 5)), "3..5");
        assert_eq!(
            counted(Counted::between(1_100_000, 1_512_000)),
            "1.10..1.51 M"
        );
        assert_eq!(counted(Counted::between(9, 20_000)), "9..20.0 k");
        assert_eq!(counted(Counted::estimate(12.5)), "~12");
        assert_eq!(counted(Counted::Unknown), "?");
        assert_eq!(signed(SignedCount::Exact(-66_800)), "−66.8 k");
        assert_eq!(percent(Counted::Exact(1), Counted::Exact(8)), "12.5 %");
        assert_eq!(
            percent(Counted::Exact(1), Counted::Exact(99_999)),
            "<0.01 %"
        );
        assert_eq!(percent(Counted::ZERO, Counted::Exact(8)), "0 %");
        assert_eq!(percent(Counted::Exact(1), Counted::ZERO), "");
        assert_eq!(percent(Counted::between(1, 9), Counted::estimate(5.0)), "");
        assert_eq!(
            percent(Counted::estimate(1.0), Counted::Exact(8)),
            "~12.5 %"
        );
    }

    #[test]
    fn a_ratio_of_bounds_is_a_range() {
        let of = |part: (u64, u64), whole: (u64, u64)| {
            percent(
                Counted::between(part.0, part.1),
                Counted::between(whole.0, whole.1),
            )
        };
        assert_eq!(of((1, 2), (96, 96)), "1.04..2.08 %");
        assert_eq!(of((0, 10), (0, 10)), "0..100.0 %");
        assert_eq!(of((2, 2), (4, 8)), "25.0..50.0 %");
        assert_eq!(of((1, 50), (99_999, 99_999)), "0..0.05 %");
        assert_eq!(of((0, 3), (0, 0)), "", "there is no total");
    }
}
