//! Formulas that are bounds, where data decide what executes.

use super::{FormulaJson, formula_line};
use crate::algebra::SizeNames;
use premiss_analyze::FormulaResult;

/// A formula in one line; where it is an upper bound, the lower one before it, unless that is 0 or the same: `≥ n` and
/// `≤ 2·n`.
pub(super) fn bound_lines(
    names: &SizeNames<'_>,
    lower: Option<&FormulaResult>,
    upper: &FormulaResult,
) -> Vec<String> {
    let most = formula_line(names, upper);
    let Some(lower) = lower else {
        return vec![most];
    };
    let least = formula_line(names, lower);
    if least == most {
        return vec![most];
    }
    let marked = |sign: &str, formula: &FormulaResult, line: String| match formula {
        Ok(_) => format!("{sign} {line}"),
        Err(_) => line,
    };
    let mut lines = vec![marked("≤", upper, most)];
    if least != "0" {
        lines.insert(0, marked("≥", lower, least));
    }
    lines
}

/// Lines with a name before the first of them.
pub(super) fn once_named(name: &str, lines: Vec<String>) -> impl Iterator<Item = (&str, String)> {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(lines)
}

/// A number that is at most `upper`, and at least `lower` if that is given; exact where both are the same formula.
pub(super) fn bounded(lower: Option<FormulaJson>, upper: FormulaJson) -> FormulaJson {
    match lower {
        Some(lower) if lower != upper => FormulaJson {
            value: None,
            kind: "bounded",
            expr: None,
            reason: None,
            sum: None,
            cases: Vec::new(),
            lower: Some(Box::new(lower)),
            upper: Some(Box::new(upper)),
        },
        _ => upper,
    }
}
