//! Text in lines that fit a terminal.

use unicode_width::UnicodeWidthStr;

/// The most columns of a line.
pub(crate) const WIDTH: usize = 100;

/// Text in lines of at most [`WIDTH`] columns, broken at spaces, with later lines indented by two.
pub(crate) fn wrapped(text: &str) -> String {
    broken(text, "", "  ")
}

/// The same with every line indented: the first by one, later ones by three.
pub(crate) fn indented(text: &str) -> String {
    broken(text, " ", "   ")
}

/// Text in lines of at most [`WIDTH`] columns: the first and the later ones begin with these.
pub(crate) fn broken(text: &str, first: &str, later: &str) -> String {
    let mut lines = first.to_owned();
    let mut column = first.len();
    for (idx, word) in words(text).enumerate() {
        let width = word.width();
        if 0 < idx && WIDTH < column + 1 + width {
            lines.push('\n');
            lines.push_str(later);
            column = later.len();
        } else if 0 < idx {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines.push('\n');
    lines
}

/// The parts of a text between which it may be broken: not before the unit of a number, nor after a dot between parts.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let all = rest?;
        let mut end = 0;
        loop {
            let Some(blank) = all[end..].find(' ').map(|x| end + x) else {
                rest = None;
                return Some(all);
            };
            let (before, after) = (&all[..blank], &all[blank + 1..]);
            let is_number = before.ends_with(|c: char| c.is_ascii_digit());
            if before.ends_with('·') || is_number && begins_with_unit(after) {
                end = blank + 1;
                continue;
            }
            rest = Some(after);
            return Some(before);
        }
    })
}

/// Whether a text begins with the unit of a number: `k`, `ms`, `MB,`, `%`.
fn begins_with_unit(text: &str) -> bool {
    let is_of_unit = |c: char| c.is_alphabetic() || c == '%';
    let unit = text.split(|c| !is_of_unit(c)).next().unwrap_or("");
    let units = [
        "k", "M", "G", "T", "P", "E", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "s", "ms",
        "µs", "ns", "%",
    ];
    units.contains(&unit) || unit.ends_with("flop")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces_and_indented() {
        let word = "x".repeat(60);
        assert_eq!(wrapped("a b"), "a b\n");
        assert_eq!(
            wrapped(&format!("{word} {word}")),
            format!("{word}\n  {word}\n")
        );
        assert_eq!(
            indented(&format!("{word} {word}")),
            format!(" {word}\n   {word}\n")
        );
        let number = format!("{} 0..99.8 k) · trace", "x".repeat(91));
        let broken = format!("{}\n  0..99.8 k) · trace\n", "x".repeat(91));
        assert_eq!(wrapped(&number), broken, "a number keeps its unit");
        let dots = format!("{} · trace", "x".repeat(94));
        assert_eq!(wrapped(&dots), format!("{}\n  · trace\n", "x".repeat(94)));
        let long = "y".repeat(120);
        assert_eq!(wrapped(&long), format!("{long}\n"), "a word stays whole");
    }
}
