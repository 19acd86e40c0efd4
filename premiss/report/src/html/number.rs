//! Numbers in a page: rounded in the text, exact in the `value` of their element.

use crate::chart::escaped;
use crate::human::{counted, duration, signed};
use crate::number::Number;
use crate::time::rounded;
use premiss_histogram::Counted;
use premiss_misses::SignedCount;

/// A count; `at` is the JSON pointer to it, empty if the document does not have it.
pub(super) fn count(count: Counted, at: &str) -> String {
    element(&Number::from(count), &counted(count), at)
}

/// A difference of counts.
pub(super) fn difference(count: SignedCount, at: &str) -> String {
    element(&Number::from(count), &signed(count), at)
}

/// A count with all its digits, and its kind in a word.
pub(super) fn exact_count(count: Counted, at: &str) -> String {
    let number = Number::from(count);
    let shown = match count {
        Counted::Unknown => "unknown".to_owned(),
        _ => format!("{} {}", grouped(&number.plain()), number.kind()),
    };
    element(&number, &shown, at)
}

/// A time.
pub(super) fn seconds(seconds: f64, at: &str) -> String {
    let (value, at) = (rounded(seconds), attribute(at));
    format!("<data value=\"{value}\"{at}>{}</data>", duration(seconds))
}

fn element(number: &Number, shown: &str, at: &str) -> String {
    let (value, kind, at) = (number.plain(), number.kind(), attribute(at));
    // Most numbers are exact: only other kinds are marked.
    let kind = match kind {
        "exact" => String::new(),
        _ => format!(" data-kind=\"{kind}\""),
    };
    format!(
        "<data value=\"{value}\"{kind}{at}>{}</data>",
        escaped(shown)
    )
}

fn attribute(at: &str) -> String {
    match at {
        "" => String::new(),
        _ => format!(" data-at=\"{at}\""),
    }
}

/// Digits in groups of three: `1 126 000 000`, with narrow spaces.
fn grouped(text: &str) -> String {
    let mut shown = String::new();
    let mut digits = String::new();
    let flush = |digits: &mut String, shown: &mut String| {
        let length = digits.len();
        for (idx, digit) in digits.chars().enumerate() {
            if 0 < idx && (length - idx).is_multiple_of(3) {
                shown.push('\u{202f}');
            }
            shown.push(digit);
        }
        digits.clear();
    };
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
        } else {
            flush(&mut digits, &mut shown);
            shown.push(c);
        }
    }
    flush(&mut digits, &mut shown);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_values() {
        assert_eq!(
            count(Counted::Exact(125_000), "/a"),
            "<data value=\"125000\" data-at=\"/a\">125 k</data>"
        );
        assert_eq!(
            count(Counted::between(10, 20), ""),
            "<data value=\"10..20\" data-kind=\"bounded\">10..20</data>"
        );
        assert_eq!(
            exact_count(Counted::Exact(1_234_567), ""),
            "<data value=\"1234567\">1\u{202f}234\u{202f}567 exact</data>"
        );
        assert_eq!(grouped("999..1000"), "999..1\u{202f}000");
    }
}
