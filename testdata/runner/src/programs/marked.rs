//! Texts of which some parts stand in only one of two versions: as premiss reads them, and with counters.

/// Begins what only the version with counters has.
const COUNTED: char = '\u{1}';
/// Begins what only the version without counters has.
const PLAIN: char = '\u{2}';
/// Ends either.
const END: char = '\u{3}';

/// A part that only the version with counters has.
pub(super) fn counted_only(text: &str) -> String {
    format!("{COUNTED}{text}{END}")
}

/// A part that only the version without counters has.
pub(super) fn plain_only(text: &str) -> String {
    format!("{PLAIN}{text}{END}")
}

/// A text that counters surround.
pub(super) fn surrounded(before: &str, text: &str, after: &str) -> String {
    [&counted_only(before), text, &counted_only(after)].concat()
}

/// The version that premiss reads.
pub(super) fn plain(text: &str) -> String {
    without(text, COUNTED)
}

/// The version that is compiled.
pub(super) fn counted(text: &str) -> String {
    without(text, PLAIN)
}

/// The text without the parts that `mark` begins; parts may be inside of others.
fn without(text: &str, mark: char) -> String {
    let mut kept = String::new();
    let mut inside = Vec::new();
    for character in text.chars() {
        match character {
            COUNTED | PLAIN => inside.push(character),
            END => {
                inside.pop();
            }
            _ if inside.contains(&mark) => {}
            _ => kept.push(character),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{counted, plain, plain_only, surrounded};

    #[test]
    fn each_version_has_its_parts() {
        let text = format!("{} = {};", surrounded("ST(", "a[i]", ")"), plain_only("1"));
        assert_eq!(plain(&text), "a[i] = 1;");
        assert_eq!(counted(&text), "ST(a[i]) = ;");
    }
}
