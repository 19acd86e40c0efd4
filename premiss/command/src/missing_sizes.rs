//! The command line to type next where sizes have no value.

use premiss_report::missing_sizes;
use premiss_source::Diagnostic;

/// The most sizes of the line.
const MOST_SIZES: usize = 8;

/// `next: premiss check . -P n=1000 -P m=1000`: this command line with a value for each size that diagnostics miss, those
/// first that most functions need. Empty if none is missing.
pub(crate) fn next_line(diagnostics: &[Diagnostic]) -> String {
    let sizes = missing_sizes(diagnostics);
    if sizes.is_empty() {
        return String::new();
    }
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    let values = sizes.iter().take(MOST_SIZES);
    let values = values.map(|size| format!("-P {}", quoted(&format!("{}=1000", size.name))));
    let line: Vec<String> = std::iter::once("premiss".to_owned())
        .chain(words)
        .chain(values)
        .collect();
    format!("next: {}\n", line.join(" "))
}

/// A word as a shell takes it: `p->n=1000` would write a file, and `*n=1000` would be a pattern.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=,:@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("n=1000"), "n=1000");
        assert_eq!(quoted("p->n=1000"), "'p->n=1000'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(next_line(&[]), "");
    }
}
