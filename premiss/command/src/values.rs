//! Values that options, variables and settings write in the same way.

use premiss_analyze::SizeRange;
use premiss_machine::SHIPPED;

/// The default machine.
pub(crate) const DEFAULT_MACHINE: &str = "spr";

/// Parses `NAME=VALUE`.
pub(crate) fn named_size(text: &str) -> Result<(String, i64), String> {
    let form = || "it has the form NAME=VALUE".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return Err("the name is missing".to_owned());
    }
    let number = value.parse();
    let number = number.map_err(|_| format!("`{value}` is no integer that fits 64 bits"))?;
    Ok((name.to_owned(), number))
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
