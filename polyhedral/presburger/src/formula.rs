//! Readable forms: `N^3/8 + 2*N`, `floor((N+7)/8)`, `N >= i + 1`.
//!
//! Products of many factors come first, then those of earlier columns. Every function takes the names
//! of columns, that of column `c` at index `c - 1`; [`System::names`] makes them.

use crate::{Affine, Column, Monomial, Polynomial, System};

impl System {
    /// The names of its columns, given those of its variables: a floor is called by its definition.
    ///
    /// A variable without a name is called by its number, `x3`.
    #[must_use]
    pub fn names<S: AsRef<str>>(&self, variables: &[S]) -> Vec<String> {
        let given = variables.iter().take(self.variables);
        let mut names: Vec<String> = given.map(|name| name.as_ref().to_owned()).collect();
        while names.len() < self.variables {
            names.push(Column::at_place(names.len()).to_string());
        }
        for floor in &self.floors {
            let numerator = floor.numerator.formula(&names).replace(' ', "");
            let bare = numerator.chars().all(char::is_alphanumeric);
            let denominator = floor.denominator;
            names.push(match bare {
                true => format!("floor({numerator}/{denominator})"),
                false => format!("floor(({numerator})/{denominator})"),
            });
        }
        names
    }

    /// Its constraints, each readable, in a fixed order: `i = 2*floor(i/2)`, `N >= 681`.
    #[must_use]
    pub fn conditions(&self, names: &[String]) -> Vec<String> {
        let equalities = self.equalities.iter();
        let equalities = equalities.map(|form| comparison(form, names, Relation::Equal));
        let inequalities = self.inequalities.iter();
        let inequalities = inequalities.map(|form| comparison(form, names, Relation::NotBelow));
        equalities.chain(inequalities).collect()
    }
}

impl Affine {
    /// The form, readable: `2*N - i + 7`.
    #[must_use]
    pub fn formula(&self, names: &[String]) -> String {
        let terms = self.support().map(|column| {
            let coefficient = i128::from(self.coefficient(column));
            (coefficient, 1, names[column.place()].clone())
        });
        let constant = (i128::from(self.constant_term()), 1, String::new());
        joined(terms.chain([constant]))
    }
}

impl Polynomial {
    /// The polynomial, readable: `9*N^3/8 + N^2 - N/2 + 1`.
    #[must_use]
    pub fn formula(&self, names: &[String]) -> String {
        let mut terms: Vec<_> = self.terms().collect();
        terms.sort_by_key(|(monomial, _)| {
            let factors: Vec<Column> = monomial.factors().collect();
            (usize::MAX - factors.len(), factors)
        });
        let term = |(monomial, coefficient): (Monomial, crate::Rational)| {
            let factor = |(column, exponent): (Column, usize)| match exponent {
                1 => names[column.place()].clone(),
                _ => format!("{}^{exponent}", names[column.place()]),
            };
            let factors: Vec<String> = monomial.powers().map(factor).collect();
            let (numerator, denominator) = (coefficient.numerator(), coefficient.denominator());
            (numerator, denominator, factors.join("*"))
        };
        joined(terms.into_iter().map(term))
    }
}

#[derive(Clone, Copy)]
enum Relation {
    Equal,
    NotBelow,
}

/// `0 = form` or `0 <= form` with what is positive on the left.
fn comparison(form: &Affine, names: &[String], relation: Relation) -> String {
    let side = |sign: i64| {
        let columns = form
            .support()
            .filter(move |c| form.coefficient(*c).signum() == sign);
        columns.map(|column| {
            let coefficient = i128::from(form.coefficient(column).unsigned_abs());
            (coefficient, 1, names[column.place()].clone())
        })
    };
    let constant = i128::from(form.constant_term());
    let number = |value| [(value, 1, String::new())];
    let operator = |swapped| match (relation, swapped) {
        (Relation::Equal, _) => "=",
        (Relation::NotBelow, false) => ">=",
        (Relation::NotBelow, true) => "<=",
    };
    if side(1).next().is_none() && side(-1).next().is_some() {
        let right = joined(number(constant));
        return format!("{} {} {right}", joined(side(-1)), operator(true));
    }
    let right = joined(side(-1).chain(number(-constant)));
    format!("{} {} {right}", joined(side(1)), operator(false))
}

/// Terms `numerator · factors / denominator` with signs between them, zeros left out.
fn joined(terms: impl IntoIterator<Item = (i128, i128, String)>) -> String {
    let mut text = String::new();
    for (numerator, denominator, factors) in terms {
        if numerator == 0 {
            continue;
        }
        text.push_str(match (text.is_empty(), numerator < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        let size = numerator.unsigned_abs();
        match (size, factors.is_empty()) {
            (_, true) => text.push_str(&size.to_string()),
            (1, false) => text.push_str(&factors),
            (_, false) => text.push_str(&format!("{size}*{factors}")),
        }
        if denominator != 1 {
            text.push_str(&format!("/{denominator}"));
        }
    }
    match text.is_empty() {
        true => "0".to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rational;

    #[test]
    fn forms_conditions_and_polynomials() {
        let mut system = System::universe(2);
        let lines = system.add_floor(&Affine::new(vec![7, 1, 0]), 8);
        let row = |coefficients: [i64; 4]| Affine::new(coefficients.to_vec());
        system.equalities.push(row([0, 1, 0, -2]));
        system.inequalities = vec![
            row([-681, 1, 0, 0]),
            row([9, -1, 0, 0]),
            row([-1, 1, -1, 0]),
        ];
        let names = system.names(&["N", "i"]);
        assert_eq!(names, ["N", "i", "floor((N+7)/8)"]);
        let conditions = system.conditions(&names);
        let expected = ["N = 2*floor((N+7)/8)", "N >= 681", "N <= 9", "N >= i + 1"];
        assert_eq!(conditions, expected);
        let x = |column| Polynomial::variable(column).expect("small");
        let [n, i] = [1, 2].map(Column::new);
        let cube = x(n)
            .times(&x(n))
            .and_then(|p| p.times(&x(n)))
            .expect("fits");
        let cube = cube
            .scaled(Rational::new(9, 8).expect("fits"))
            .expect("fits");
        let mixed = x(i)
            .times(&x(lines))
            .and_then(|p| p.minus(&x(n)))
            .expect("fits");
        let whole = cube
            .plus(&mixed)
            .and_then(|p| p.plus(&Polynomial::one()))
            .expect("fits");
        assert_eq!(whole.formula(&names), "9*N^3/8 + i*floor((N+7)/8) - N + 1");
        assert_eq!(Polynomial::zero().formula(&names), "0");
        assert_eq!(row([0, -1, 2, 0]).formula(&names), "-N + 2*i");
        assert_eq!(System::universe(1).names::<&str>(&[]), ["x1"]);
    }
}
