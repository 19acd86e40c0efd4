//! What the comments of kernels say: which sizes to try, and how many accesses each line makes.

use crate::language::Language;
use premiss_histogram::Counted;
use std::collections::BTreeMap;

/// Loads and stores, line by line.
pub type Counts = BTreeMap<u32, [Counted; 2]>;

/// The sizes of `// -P n=10 -P m=7`.
///
/// # Panics
/// They are written in another way.
#[must_use]
pub fn sizes(text: &str) -> Vec<(String, i64)> {
    let line = text.lines().find_map(|line| {
        let line = line.trim_start_matches(['/', '!', 'C', ' ']);
        line.strip_prefix("-P ")
    });
    let sizes = line.into_iter().flat_map(|line| line.split(" -P "));
    let size = |size: &str| {
        let (name, value) = size.split_once('=').expect("NAME=VALUE");
        (name.to_owned(), value.parse().expect("a number"))
    };
    sizes.map(size).collect()
}

/// The counts of `// loads 3, stores 0 to 2`.
///
/// # Panics
/// A comment behind a statement says something else.
#[must_use]
pub fn expected(text: &str, language: Language) -> Counts {
    let mark = format!(" {} ", language.comment());
    let mut expected = Counts::new();
    for (line, text) in (1..).zip(text.lines()) {
        let Some((code, comment)) = text.split_once(&mark) else {
            continue;
        };
        let mut counts = [Counted::ZERO; 2];
        for part in comment.split(", ") {
            match part.split_once(' ') {
                Some(("loads", count)) => counts[0] = counted(count),
                Some(("stores", count)) => counts[1] = counted(count),
                _ => assert_eq!(part, "none", "{code}"),
            }
        }
        if counts != [Counted::ZERO; 2] {
            expected.insert(line, counts);
        }
    }
    expected
}

fn counted(text: &str) -> Counted {
    let number = |text: &str| text.trim().parse().expect("a number");
    match text.split_once(" to ") {
        Some((lower, upper)) => Counted::between(number(lower), number(upper)),
        None => Counted::Exact(number(text)),
    }
}
