//! Values of settings as TOML.

use crate::arguments::MissingFlagsChoice;
use clap::ValueEnum;
use premiss_check::{PathGlob, RuleLevel};
use premiss_source::Severity;

/// A list of strings.
pub(super) fn texts(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A TOML string.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// A name as a key, quoted if necessary.
pub(super) fn bare(name: &str) -> String {
    let is_bare = |x: char| x.is_ascii_alphanumeric() || x == '_' || x == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// A list of patterns.
pub(super) fn globs(globs: &[PathGlob]) -> String {
    let patterns: Vec<String> = globs.iter().map(|glob| glob.text().to_owned()).collect();
    texts(&patterns)
}

/// A share in percent.
pub(super) fn share(percent: f64) -> String {
    format!("\"{percent}%\"")
}

/// The level of a rule.
pub(super) fn level_name(level: RuleLevel) -> String {
    quoted(match level {
        RuleLevel::Off => "off",
        RuleLevel::At(Severity::Note) => "note",
        RuleLevel::At(Severity::Warning) => "warning",
        RuleLevel::At(Severity::Error) => "error",
    })
}

/// What to do with a file without flags.
pub(super) fn flags_name(choice: MissingFlagsChoice) -> String {
    let name = choice.to_possible_value();
    quoted(name.as_ref().map_or("", |name| name.get_name()))
}
