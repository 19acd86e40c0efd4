//! Values that options, variables and settings write in the same way.

use premiss_analyze::SizeRange;
use premiss_machine::SHIPPED;

/// The default machine.
pub(crate) const DEFAULT_MACHINE: &str = "spr";

/// Parses `NAME=VALUE`; a name may contain `=`, as in `iterations(while a[i] == 0)`, and the value of a flag may be written as in C, Rust or Fortran: `true`, `.false.`.
pub(crate) fn named_size(text: &str) -> Result<(String, i64), String> {
    let form = || "it has the form NAME=VALUE".to_owned();
    let (name, value) = text.rsplit_once('=').ok_or_else(form)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err("the name is missing".to_owned());
    }
    let number = integer(value).or_else(|| truth_value(value));
    let number = number.ok_or_else(|| format!("`{value}` is not an integer of 64 bits"))?;
    Ok((name.to_owned(), number))
}

fn truth_value(text: &str) -> Option<i64> {
    match text.to_ascii_lowercase().as_str() {
        "true" | ".true." => Some(1),
        "false" | ".false." => Some(0),
        _ => None,
    }
}

/// Parses an integer, also in the notation of floats where it is one: `1000`, `1e9`, `2.5e3`.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let Some((digits, exponent)) = text.split_once(['e', 'E']) else {
        let whole = text
            .split_once('.')
            .map_or(Some(text), |(whole, decimals)| {
                let is_zero = !decimals.is_empty() && decimals.bytes().all(|x| x == b'0');
                is_zero.then_some(whole)
            });
        return whole?.parse().ok();
    };
    let exponent: usize = exponent.trim_start_matches('+').parse().ok()?;
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let decimals = decimals.trim_end_matches('0');
    // A number of 64 bits has at most 19 digits.
    let zeros = exponent.checked_sub(decimals.len()).filter(|x| *x <= 19)?;
    let is_number =
        whole.bytes().any(|x| x.is_ascii_digit()) && decimals.bytes().all(|x| x.is_ascii_digit());
    let all = format!("{whole}{decimals}{}", "0".repeat(zeros));
    is_number.then(|| all.parse().ok()).flatten()
}

/// Whether the name of a machine is the path of a file.
pub(crate) fn is_machine_file(name: &str) -> bool {
    !SHIPPED.contains(&name) && (name.contains(['/', '\\']) || name.ends_with(".toml"))
}

/// Parses a share in percent, with or without the sign.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 100, such as 80%".to_owned()),
    }
}

/// Parses the least and the greatest value of a size: `1..1048576`.
pub(crate) fn size_range(text: &str) -> Result<SizeRange, String> {
    let number = |text: &str| text.trim().parse::<i64>().ok();
    let ends = text.split_once("..");
    let ends = ends.and_then(|(least, most)| number(least).zip(number(most)));
    let range = ends.map(|(least, most)| SizeRange { least, most });
    range
        .filter(|range| 1 <= range.least && range.least <= range.most)
        .ok_or_else(|| "it is two numbers from 1 up, as in 1..1048576".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_may_be_written_as_truth_values() {
        for (text, value) in [
            ("f=true", 1),
            ("f=.FALSE.", 0),
            ("f = .true.", 1),
            ("f=0", 0),
        ] {
            assert_eq!(named_size(text), Ok(("f".to_owned(), value)));
        }
        assert!(named_size("f=yes").is_err());
    }

    #[test]
    fn integers_may_be_written_as_floats_that_are_whole() {
        for (text, value) in [
            ("1000", 1000),
            ("-5", -5),
            ("1e9", 1_000_000_000),
            ("2.5e3", 2500),
            ("1E+2", 100),
            ("3.0", 3),
            ("-1e3", -1000),
            ("9.2e18", 9_200_000_000_000_000_000),
        ] {
            assert_eq!(integer(text), Some(value), "{text}");
        }
        for text in [
            "", "e", "1e", "e3", ".e3", "1.5", "2.55e1", "1e19", "1e-3", "1e99", "x", "1e3x",
            "0x10", "1..2", "1.", "--1",
        ] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
