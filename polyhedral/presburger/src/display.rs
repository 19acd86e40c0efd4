//! Sets, maps and counts as text, in the notation of isl.
//!
//! ```text
//! [n] -> { N1[i, j] : 0 <= i and i <= n - 1 and j = floor((i)/8) }
//! ```
//!
//! The text is canonical: constraints and members of a union are sorted, as their order means nothing; a constraint has
//! positive coefficients on both sides; floors are written where they are used. Two equal systems have equal texts, and
//! the text depends on nothing else. (Equal *sets* may be different systems.)

use crate::{Affine, Column, Piece, Polynomial, Rational, System};
use std::fmt::{self, Display, Formatter};

/// The names of columns: of parameters, which stand in front of a set, and of its other variables.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Notation {
    /// Names of the first columns.
    pub parameters: Vec<String>,
    /// Names of the columns behind them. Where there are more columns, they are called `x5` by their number.
    pub variables: Vec<String>,
}

impl Notation {
    /// `[n] -> { tuple[i, j] : … }`: the union of systems over parameters and variables.
    #[must_use]
    pub fn set(&self, tuple: &str, union: &[System]) -> String {
        let point = format!("{tuple}{}", list(&self.variables));
        self.union(union.iter().map(|system| (system, point.clone())))
    }

    /// `[n] -> { tuple[i, j] -> target[i, 2*j] : … }`: a map that is one list of forms on a union of systems. The forms
    /// are over the columns of the systems, or over the first of them.
    #[must_use]
    pub fn map(&self, (tuple, target): (&str, &str), union: &[System], map: &[Affine]) -> String {
        let members = union.iter().map(|system| {
            let names = self.columns(system);
            let forms: Vec<String> = map.iter().map(|form| affine(form, &names)).collect();
            let point = format!("{tuple}{}", list(&self.variables));
            (system, format!("{point} -> {target}{}", list(&forms)))
        });
        self.union(members)
    }

    /// `[n] -> { [i] -> 1/2*n^2 + i : … }`: pieces that add up, as functions of the variables of some columns.
    #[must_use]
    pub fn values(&self, axes: &[Column], pieces: &[Piece]) -> String {
        let members = pieces.iter().map(|piece| {
            let names = self.columns(&piece.domain);
            let axes: Vec<String> = axes.iter().map(|axis| name(&names, *axis)).collect();
            let value = polynomial(&piece.value, &names);
            (&piece.domain, format!("{} -> {value}", list(&axes)))
        });
        self.union(members)
    }

    /// An affine form over parameters and variables.
    #[must_use]
    pub fn affine(&self, form: &Affine) -> String {
        let names = [&self.parameters[..], &self.variables].concat();
        affine(form, &names)
    }

    /// Points with the constraints on them, in order.
    fn union<'a>(&self, members: impl Iterator<Item = (&'a System, String)>) -> String {
        let member = |(system, point): (&System, String)| match self.constraints(system) {
            constraints if constraints.is_empty() => point,
            constraints => format!("{point} : {}", constraints.join(" and ")),
        };
        let mut members: Vec<String> = members.map(member).collect();
        members.sort_unstable();
        let parameters = match &self.parameters[..] {
            [] => String::new(),
            parameters => format!("{} -> ", list(parameters)),
        };
        match members.is_empty() {
            true => format!("{parameters}{{ }}"),
            false => format!("{parameters}{{ {} }}", members.join("; ")),
        }
    }

    /// The constraints of a system, in order: equalities first.
    fn constraints(&self, system: &System) -> Vec<String> {
        let names = self.columns(system);
        let mut equalities: Vec<String> =
            system.equalities.iter().map(|x| zero(x, &names)).collect();
        let inequalities = system.inequalities.iter();
        let mut inequalities: Vec<String> = inequalities.map(|x| not_negative(x, &names)).collect();
        equalities.sort_unstable();
        inequalities.sort_unstable();
        equalities.append(&mut inequalities);
        equalities.dedup();
        equalities
    }

    /// What the columns of a system are called, floors included, column 1 first.
    fn columns(&self, system: &System) -> Vec<String> {
        let known = self.parameters.iter().chain(&self.variables);
        let mut names: Vec<String> = known.take(system.variables).cloned().collect();
        while names.len() < system.variables {
            names.push(name(&names, Column::at_place(names.len())));
        }
        for floor in &system.floors {
            let numerator = affine(&floor.numerator, &names);
            names.push(format!("floor(({numerator})/{})", floor.denominator));
        }
        names
    }
}

/// The name of a column.
fn name(names: &[String], column: Column) -> String {
    let known = names.get(column.place()).cloned();
    known.unwrap_or_else(|| column.to_string())
}

fn list(names: &[String]) -> String {
    format!("[{}]", names.join(", "))
}

/// `0 <= form`, with the variables that have negative coefficients on the left.
fn not_negative(form: &Affine, names: &[String]) -> String {
    let (mut left, mut right) = sides(form, names, 1);
    let constant = i128::from(form.constant_term());
    match left.is_empty() && constant < 0 {
        true => left.push((-constant, String::new())),
        false => right.push((constant, String::new())),
    }
    format!("{} <= {}", integers(left), integers(right))
}

/// `form = 0`, the first variable on the left.
fn zero(form: &Affine, names: &[String]) -> String {
    let first = form.support().next();
    let sign = first.map_or(1, |column| -form.coefficient(column).signum());
    let (left, mut right) = sides(form, names, sign);
    let constant = i128::from(form.constant_term()) * i128::from(sign);
    right.push((constant, String::new()));
    format!("{} = {}", integers(left), integers(right))
}

type Terms = Vec<(i128, String)>;

/// The variables that `sign · form` has with negative coefficients, as positive ones, and those with positive ones.
fn sides(form: &Affine, names: &[String], sign: i64) -> (Terms, Terms) {
    let terms = form.support().map(|column| {
        let coefficient = i128::from(form.coefficient(column)) * i128::from(sign);
        (coefficient, name(names, column))
    });
    let (left, right): (Terms, Terms) = terms.partition(|(coefficient, _)| *coefficient < 0);
    let left = left.into_iter().map(|(coefficient, x)| (-coefficient, x));
    (left.collect(), right)
}

fn affine(form: &Affine, names: &[String]) -> String {
    let terms = form.support();
    let mut terms: Terms = terms
        .map(|column| (i128::from(form.coefficient(column)), name(names, column)))
        .collect();
    terms.push((i128::from(form.constant_term()), String::new()));
    integers(terms)
}

fn integers(terms: Terms) -> String {
    let terms = terms.into_iter();
    sum(terms.map(|(coefficient, x)| (Rational::integer(coefficient), x)))
}

/// Products of the highest degree first.
fn polynomial(value: &Polynomial, names: &[String]) -> String {
    let mut terms: Vec<_> = value.terms().collect();
    terms.reverse();
    sum(terms.into_iter().map(|(monomial, coefficient)| {
        let power = |(column, exponent)| match exponent {
            1 => name(names, column),
            _ => format!("{}^{exponent}", name(names, column)),
        };
        let factors: Vec<String> = monomial.powers().map(power).collect();
        (coefficient, factors.join("*"))
    }))
}

/// A sum of products with coefficients; the constant has the empty product.
fn sum(terms: impl Iterator<Item = (Rational, String)>) -> String {
    let mut text = String::new();
    for (coefficient, product) in terms.filter(|(coefficient, _)| !coefficient.is_zero()) {
        let written = coefficient.to_string();
        let (is_negative, size) = match written.strip_prefix('-') {
            Some(size) => (true, size),
            None => (false, &written[..]),
        };
        text.push_str(match (text.is_empty(), is_negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        match (size, product.is_empty()) {
            (_, true) => text.push_str(size),
            ("1", false) => text.push_str(&product),
            (_, false) => text.extend([size, "*", &product]),
        }
    }
    match text.is_empty() {
        true => "0".to_owned(),
        false => text,
    }
}

/// With columns called by their numbers.
impl Display for Affine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&affine(self, &[]))
    }
}

/// With columns called by their numbers.
impl Display for Polynomial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&polynomial(self, &[]))
    }
}

/// With columns called by their numbers.
impl Display for System {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let variables = Column::variables(self.variables).map(|column| name(&[], column));
        let notation = Notation {
            parameters: Vec::new(),
            variables: variables.collect(),
        };
        f.write_str(&notation.set("", std::slice::from_ref(self)))
    }
}

/// With columns called by their numbers.
impl Display for Piece {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let axes: Vec<Column> = Column::variables(self.domain.variables).collect();
        f.write_str(&Notation::default().values(&axes, std::slice::from_ref(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{ [n, i] : 0 <= i < n, i even }`
    fn even() -> System {
        let mut system = System::universe(2);
        let half = system.add_floor(&Affine::new(vec![0, 0, 1]), 2);
        assert_eq!(half, Column::new(3));
        system.equalities.push(Affine::new(vec![0, 0, 1, -2]));
        system.inequalities.push(Affine::new(vec![-1, 1, -1, 0]));
        system.inequalities.push(Affine::new(vec![0, 0, 1, 0]));
        system
    }

    #[test]
    fn sets_are_written_as_isl_writes_them() {
        let notation = Notation {
            parameters: vec!["n".to_owned()],
            variables: vec!["i".to_owned()],
        };
        assert_eq!(
            notation.set("S0", &[even()]),
            "[n] -> { S0[i] : i = 2*floor((i)/2) and 0 <= i and i <= n - 1 }"
        );
        assert_eq!(notation.set("S0", &[]), "[n] -> { }");
        let map = [Affine::new(vec![3, 0, -8])];
        let universe = [System::universe(2)];
        assert_eq!(
            notation.map(("S0", "A"), &universe, &map),
            "[n] -> { S0[i] -> A[-8*i + 3] }"
        );
    }

    #[test]
    fn columns_without_names_have_numbers() {
        let value = Polynomial::from_affine(&Affine::new(vec![0, 1, -1, 0])).expect("fits");
        let square = value.times(&value).expect("fits");
        let half = Rational::new(1, 2).expect("fits");
        let piece = Piece {
            domain: even(),
            value: square.scaled(half).expect("fits"),
        };
        assert_eq!(
            piece.to_string(),
            "{ [x1, x2] -> 1/2*x2^2 - x1*x2 + 1/2*x1^2 : x2 = 2*floor((x2)/2) and 0 <= x2 and x2 <= x1 - 1 }"
        );
    }

    #[test]
    fn the_order_of_constraints_does_not_show() {
        let mut other = even();
        other.inequalities.reverse();
        assert_eq!(other.to_string(), even().to_string());
    }
}
