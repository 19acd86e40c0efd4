//! Closed forms as C expressions in plain algebra: `n * (n - 1) / 2`, with the largest inputs for which no intermediate
//! result overflows its type.

use super::super::lower::{affine, conditions, floored, polynomial};
use super::super::program::{CodeCondition, Expression};
use super::growth::Growth;
use premiss_analyze::{Affine, Column, Form, Piece, Polynomial, Refusal, System};
use std::collections::BTreeMap;

/// A C expression, with bounds on its intermediate results.
pub(super) struct Number {
    pub(super) text: String,
    pub(super) growth: Growth,
}

/// The bounds of names that are not inputs: those of floors.
type ValueGrowths = BTreeMap<String, Growth>;

/// A form over inputs with these names, none of which is negative.
///
/// # Errors
/// A coefficient does not fit.
pub(super) fn number(form: &Form, names: &[String]) -> Result<Number, Refusal> {
    let mut whole = Polynomial::zero();
    let mut cases = Vec::new();
    for piece in &form.pieces {
        let domain = relaxed(piece)?;
        match is_everywhere(&domain) {
            true => whole = whole.plus(&piece.value)?,
            false => cases.push((domain, &piece.value)),
        }
    }
    let mut denominator = whole.scaled_terms().1;
    for (_, value) in &cases {
        denominator = least_multiple(denominator, value.scaled_terms().1)?;
    }
    let mut sum: Vec<Number> = Vec::new();
    if !whole.is_zero() || cases.is_empty() {
        let factor = denominator / whole.scaled_terms().1;
        let value = polynomial(&whole, factor, names);
        sum.push(expression_text(&value, &ValueGrowths::new())?);
    }
    let is_simple = cases.is_empty();
    for (domain, value) in &cases {
        sum.push(case(domain, value, denominator, names)?);
    }
    let growth = sum
        .iter()
        .fold(Growth::ONE, |all, part| all.plus(part.growth));
    let texts: Vec<String> = sum.into_iter().map(|part| part.text).collect();
    let text = texts.join(" + ");
    Ok(Number {
        text: match (denominator, is_simple) {
            (1, _) => text,
            (_, true) if !is_sum(&text) => format!("{text} / {denominator}"),
            (_, true) => format!("({text}) / {denominator}"),
            (_, false) => format!("pbound_divided({text}, {denominator})"),
        },
        growth,
    })
}

/// A value where conditions hold, times a factor.
fn case(
    domain: &System,
    value: &Polynomial,
    denominator: i128,
    names: &[String],
) -> Result<Number, Refusal> {
    let mut known = ValueGrowths::new();
    let names = with_floors(domain, names, &mut known)?;
    let factor = denominator / value.scaled_terms().1;
    let value = expression_text(&polynomial(value, factor, &names), &known)?;
    let when = holds(domain, &names, &known)?;
    Ok(match when.text.is_empty() {
        true => value,
        false => Number {
            text: format!("({} ? {} : 0)", when.text, value.text),
            growth: value.growth.plus(when.growth),
        },
    })
}

/// The condition that inputs with these names are in a system; empty if all inputs are.
///
/// # Errors
/// A coefficient does not fit.
pub(super) fn within(domain: &System, names: &[String]) -> Result<Number, Refusal> {
    let mut known = ValueGrowths::new();
    let names = with_floors(domain, names, &mut known)?;
    let mut domain = domain.clone();
    let inputs = domain.variables;
    domain.inequalities.retain(|row| !is_natural(row, inputs));
    holds(&domain, &names, &known)
}

/// Whether a row is over the given inputs only, and not negative for any of them.
fn is_natural(row: &Affine, inputs: usize) -> bool {
    row.support().all(|column| column.place() < inputs)
        && row.coefficients().iter().all(|x| 0 <= *x)
}

fn holds(domain: &System, names: &[String], known: &ValueGrowths) -> Result<Number, Refusal> {
    let mut parts = Vec::new();
    let mut growth = Growth::ONE;
    for condition in conditions(domain, names) {
        let (value, comparison) = match &condition {
            CodeCondition::NotNegative(value) => (value, "0 <="),
            CodeCondition::Zero(value) => (value, "0 =="),
        };
        let value = expression_text(value, known)?;
        growth = growth.plus(value.growth);
        parts.push(format!("{comparison} {}", value.text));
    }
    Ok(Number {
        text: parts.join(" && "),
        growth,
    })
}

/// The names of all columns of a system, including floors.
fn with_floors(
    domain: &System,
    names: &[String],
    known: &mut ValueGrowths,
) -> Result<Vec<String>, Refusal> {
    let mut names = names.to_vec();
    for floor in &domain.floors {
        let value = floored(affine(&floor.numerator, &names), floor.denominator);
        let value = expression_text(&value, known)?;
        known.insert(value.text.clone(), value.growth);
        names.push(value.text);
    }
    Ok(names)
}

/// The domain of a piece without conditions that hold for all inputs, and without bounds beyond which the value is 0
/// anyway: `n` where `1 <= n` is `n` everywhere.
fn relaxed(piece: &Piece) -> Result<System, Refusal> {
    let mut domain = piece.domain.clone();
    let mut kept = Vec::new();
    for row in std::mem::take(&mut domain.inequalities) {
        if !is_natural(&row, domain.variables) && !is_nothing_below(piece, &row)? {
            kept.push(row);
        }
    }
    domain.inequalities = kept;
    let uses = |idx: usize| {
        let column = domain.floor_column(idx);
        let forms = domain.equalities.iter().chain(&domain.inequalities);
        let mut forms = forms.chain(domain.floors.iter().map(|floor| &floor.numerator));
        let is_used = forms.any(|form| form.support().any(|own| own == column));
        is_used || piece.value.degree_in(column) != 0
    };
    if !(0..domain.floors.len()).any(uses) {
        let own = domain.variables + 1;
        let shorter = |row: &Affine| Affine::new(row.coefficients()[..own].to_vec());
        domain.equalities = domain.equalities.iter().map(shorter).collect();
        domain.inequalities = domain.inequalities.iter().map(shorter).collect();
        domain.floors.clear();
    }
    Ok(domain)
}

/// At most this many values below a bound are tested.
const MOST_BELOW: i64 = 16;

/// Whether a row bounds a single input from below, and the value of the piece is 0 at all inputs below the bound.
fn is_nothing_below(piece: &Piece, row: &Affine) -> Result<bool, Refusal> {
    let columns: Vec<Column> = row.support().collect();
    let [column] = columns[..] else {
        return Ok(false);
    };
    let slope = row.coefficient(column);
    let has_floors = piece
        .value
        .support()
        .iter()
        .any(|x| piece.domain.floor_at(*x).is_some());
    if slope < 1 || piece.domain.floor_at(column).is_some() || has_floors {
        return Ok(false);
    }
    let least = -row.constant_term().div_euclid(slope);
    if MOST_BELOW < least {
        return Ok(false);
    }
    for value in 0..least {
        let at = piece
            .value
            .substituted(column, &Polynomial::integer(value.into()))?;
        if !at.is_zero() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_everywhere(domain: &System) -> bool {
    domain.equalities.is_empty() && domain.inequalities.is_empty() && domain.floors.is_empty()
}

fn least_multiple(a: i128, b: i128) -> Result<i128, Refusal> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a.checked_mul(b / x).ok_or(Refusal::Overflow)
}

/// An expression in C. A name is an input unless its bound is known.
fn expression_text(value: &Expression, known: &ValueGrowths) -> Result<Number, Refusal> {
    Ok(match value {
        // Only times have these; counts are sums of products.
        Expression::Greatest(_) => return Err(Refusal::NotAffine),
        Expression::Integer(value) => integer(*value)?,
        Expression::Name(name) => Number {
            text: name.clone(),
            growth: known.get(name).copied().unwrap_or(Growth::INPUT),
        },
        Expression::Sum(pair) => {
            let [a, b] = [
                expression_text(&pair[0], known)?,
                expression_text(&pair[1], known)?,
            ];
            let text = match (a.text.strip_prefix('-'), b.text.strip_prefix('-')) {
                (_, Some(positive)) => format!("{} - {positive}", a.text),
                (Some(positive), None) if !is_sum(positive) => format!("{} - {positive}", b.text),
                _ => format!("{} + {}", a.text, b.text),
            };
            Number {
                text,
                growth: a.growth.plus(b.growth),
            }
        }
        Expression::Product(pair) => {
            let [a, b] = [factor(&pair[0], known)?, factor(&pair[1], known)?];
            let (a, b) = match matches!(pair[1], Expression::Integer(_)) {
                true => (b, a),
                false => (a, b),
            };
            let text = match a.text.as_str() {
                "-1" => format!("-{}", b.text),
                _ => format!("{} * {}", a.text, b.text),
            };
            Number {
                text,
                growth: a.growth.times(b.growth),
            }
        }
        Expression::Floor(value, denominator) => {
            let value = expression_text(value, known)?;
            Number {
                text: format!("pbound_floor({}, {denominator})", value.text),
                growth: value.growth,
            }
        }
    })
}

/// Whether a text is a sum or a difference, possibly in parentheses.
fn is_sum(text: &str) -> bool {
    text.contains(" + ") || text.contains(" - ")
}

/// A factor of a product, in parentheses if it is a sum.
fn factor(value: &Expression, known: &ValueGrowths) -> Result<Number, Refusal> {
    let found = expression_text(value, known)?;
    Ok(match value {
        Expression::Sum(_) => Number {
            text: format!("({})", found.text),
            growth: found.growth,
        },
        _ => found,
    })
}

/// Rejects constants of more than 64 bits, which C does not have.
fn integer(value: i128) -> Result<Number, Refusal> {
    let fits = i64::try_from(value).is_ok_and(|value| value != i64::MIN);
    match fits {
        true => Ok(Number {
            text: value.to_string(),
            growth: Growth::constant(value.unsigned_abs()),
        }),
        false => Err(Refusal::Overflow),
    }
}
