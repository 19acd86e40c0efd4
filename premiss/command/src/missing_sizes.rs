//! The command line to type next where sizes have no value.

use premiss_analyze::{shell_word, size_argument};
use premiss_report::missing_sizes;
use premiss_source::Diagnostic;

/// The most sizes of the line.
const MOST_SIZES: usize = 24;

/// `next: premiss check . -P n=1000 -P m=1000`: this command line with a value for each size that diagnostics miss, those
/// first that most functions need. Empty if none is missing.
pub(crate) fn next_line(diagnostics: &[Diagnostic]) -> String {
    let sizes = missing_sizes(diagnostics);
    if sizes.is_empty() {
        return String::new();
    }
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| shell_word(&word.to_string_lossy()));
    let values = sizes.iter().take(MOST_SIZES);
    let values = values.map(|missing| size_argument(&missing.size));
    let line: Vec<String> = std::iter::once("premiss".to_owned())
        .chain(words)
        .chain(values)
        .collect();
    format!("next: {}\n", line.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_suggested_where_no_size_is_missing() {
        assert_eq!(next_line(&[]), "");
    }
}
