//! Parses assumptions: comments that begin with `premiss:`.
//!
//! ```text
//! premiss:assume 1 <= k <= n        sizes
//! premiss:assume N in 512..4096     the same, both ends inclusive
//! premiss:assume trips 12.5         average trip count of the next loop per entry
//! premiss:assume trips 40..60       least and greatest trip count
//! premiss:assume probability 0.25   probability of the next condition
//! ```

use super::size_relation::{SizeRelation, relations};
use premiss_source::MARK;

/// Directives that suppress findings, which are processed elsewhere.
const OTHERS: [&str; 4] = ["ignore", "ignore-file", "disable", "enable"];

/// An assumption about a program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Assumption {
    /// Relations between sizes.
    Sizes(Vec<SizeRelation>),
    /// The average trip count of a loop per entry.
    Trips(f64),
    /// The least and the greatest trip count of a loop, each time it is entered.
    TripRange(u32, u32),
    /// The probability that a condition holds, from 0 to 1.
    Probability(f64),
}

/// Whether the text after [`MARK`] is treated as an assumption: true for all but other directives, so that misspelled
/// ones are reported.
pub(crate) fn is_assumption(text: &str) -> bool {
    let word = text
        .trim_start()
        .split(|x: char| x == '[' || x.is_whitespace());
    !word.take(1).any(|word| OTHERS.contains(&word))
}

/// Parses the text after [`MARK`] as an assumption.
///
/// # Errors
/// If it is malformed: the reason, as a clause.
pub(crate) fn assumption(text: &str) -> Result<Assumption, String> {
    let (word, rest) = first_word(text);
    if word != "assume" {
        return Err(format!(
            "`{MARK}{word}` is no directive; there are `premiss:assume` and `premiss:ignore`"
        ));
    }
    let (word, value) = first_word(rest);
    match word {
        "" => Err("what to assume is missing".to_owned()),
        "trips" if value.contains("..") => trip_range(value),
        "trips" => Ok(Assumption::Trips(number(value, f64::MAX)?)),
        "probability" => Ok(Assumption::Probability(number(value, 1.0)?)),
        _ => Ok(Assumption::Sizes(relations(rest)?)),
    }
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// A range such as `40..60`, with both ends.
fn trip_range(text: &str) -> Result<Assumption, String> {
    let ends = text.split_once("..").map(|(least, most)| {
        let end = |x: &str| x.trim().parse::<u32>().ok();
        (end(least), end(most))
    });
    match ends {
        Some((Some(least), Some(most))) if least <= most => Ok(Assumption::TripRange(least, most)),
        _ => Err(format!(
            "`{text}` is not a range of whole numbers, as `40..60`"
        )),
    }
}

/// A number from 0 to `most`, such as `12.5`.
fn number(text: &str, most: f64) -> Result<f64, String> {
    let is_plain = |x: char| x.is_ascii_digit() || x == '.';
    let value: Option<f64> = match text.chars().all(is_plain) {
        true => text.parse().ok(),
        false => None,
    };
    let range = match most < f64::MAX {
        true => format!("from 0 to {most}"),
        false => "of at least 0".to_owned(),
    };
    match value.filter(|x| (0.0..=most).contains(x)) {
        Some(value) => Ok(value),
        None => Err(format!("`{text}` is not a number {range}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_read() {
        assert_eq!(assumption("assume trips 40"), Ok(Assumption::Trips(40.0)));
        assert_eq!(
            assumption(" assume  trips 12.5 "),
            Ok(Assumption::Trips(12.5))
        );
        assert_eq!(
            assumption("assume trips 40..60"),
            Ok(Assumption::TripRange(40, 60))
        );
        let quarter = Assumption::Probability(0.25);
        assert_eq!(assumption("assume probability 0.25"), Ok(quarter));
    }

    #[test]
    fn what_is_none_is_refused() {
        for (text, why) in [
            ("ignore[PM001] x", "`premiss:ignore[PM001]` is no directive"),
            ("assum n >= 8", "`premiss:assum` is no directive"),
            ("", "`premiss:` is no directive"),
            ("assume", "what to assume is missing"),
            ("assume trips", "`` is not a number of at least 0"),
            ("assume trips -1", "`-1` is not a number of at least 0"),
            ("assume trips inf", "`inf` is not a number of at least 0"),
            (
                "assume trips 6..4",
                "`6..4` is not a range of whole numbers",
            ),
            ("assume trips 4 or so", "`4 or so` is not a number"),
            (
                "assume probability 1.5",
                "`1.5` is not a number from 0 to 1",
            ),
            (
                "assume probability NaN",
                "`NaN` is not a number from 0 to 1",
            ),
            (
                "assume probability 25%",
                "`25%` is not a number from 0 to 1",
            ),
        ] {
            let found = assumption(text).expect_err(text);
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
