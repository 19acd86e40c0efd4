//! Numbers of bytes as people write them.

use crate::MachineError;

const UNITS: [(&str, u64); 4] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
];

/// Reads a number of bytes: `32768`, `32K`, `32k`, `32KB`, `32KiB`, `1M`, `1MiB`; all units are
/// binary, as those of caches are.
///
/// # Errors
///
/// [`MachineError::Quantity`] for text that is no such number, or one that does not fit 64 bits.
pub fn parse_bytes(text: &str) -> Result<u64, MachineError> {
    let refuse = || MachineError::Quantity(text.to_owned(), "number of bytes such as 32KiB");
    let trimmed = text.trim();
    let digits = trimmed
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(digits);
    let unit = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        "t" | "tb" | "tib" => 1_u64 << 40,
        _ => return Err(refuse()),
    };
    let number: u64 = number.parse().map_err(|_| refuse())?;
    number.checked_mul(unit).ok_or_else(refuse)
}

/// Writes a number of bytes in the greatest unit that leaves it whole: `48 KiB`, `4096 B` as `4 KiB`.
#[must_use]
pub fn format_bytes(bytes: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|(_, unit)| bytes != 0 && bytes.is_multiple_of(*unit));
    match unit {
        Some((name, unit)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} B"),
    }
}

/// Reads a plain number.
pub(crate) fn parse_number(text: &str, what: &'static str) -> Result<u64, MachineError> {
    let number = text.trim().parse();
    number.map_err(|_| MachineError::Quantity(text.to_owned(), what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("32768", 32768),
            ("32K", 32768),
            ("32kb", 32768),
            ("32 KiB", 32768),
            ("1M", 1 << 20),
            ("105MiB", 105 << 20),
            ("64b", 64),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "-1", "1.5K", "3x", "99999999999T", "0x40"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_are_written_in_the_greatest_whole_unit() {
        assert_eq!(format_bytes(48 << 10), "48 KiB");
        assert_eq!(format_bytes(2 << 20), "2 MiB");
        assert_eq!(format_bytes(1536), "1536 B");
        assert_eq!(format_bytes(0), "0 B");
    }
}
