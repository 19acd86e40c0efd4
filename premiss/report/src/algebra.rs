//! Polynomials and conditions in text and in code, in the program's own sizes.
//!
//! A formula is derived in the columns of a residue class, `N = 8·x + 3`; it is written in terms of `N`: `x` is
//! replaced by `(N - 3)/8`.

use premiss_analyze::{
    Affine, Column, Formula, FormulaCase, Piecewise, Polynomial, Rational, Refusal,
    SymbolicParameter, System,
};
use premiss_tree::NestTree;

/// The notation for formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spelling {
    /// `1/8·N³ + N²`, `N ≥ 8`.
    Text,
    /// `N^3/8 + N^2`, `N >= 8`.
    Plain,
}

/// The names of columns.
pub(crate) struct SizeNames<'a> {
    tree: &'a NestTree,
    sizes: &'a [SymbolicParameter],
    /// The names of the columns of loop variables, which follow the sizes.
    pub(crate) variables: Vec<String>,
    spelling: Spelling,
}

/// One case of a formula as text.
pub(crate) struct CaseText {
    /// The sizes for which it holds; empty if for all.
    pub(crate) condition: String,
    /// The value.
    pub(crate) expression: String,
}

impl<'a> SizeNames<'a> {
    pub(crate) fn new(
        tree: &'a NestTree,
        sizes: &'a [SymbolicParameter],
        spelling: Spelling,
    ) -> Self {
        Self {
            tree,
            sizes,
            variables: Vec::new(),
            spelling,
        }
    }

    /// The cases of a formula.
    pub(crate) fn cases(&self, formula: &Formula) -> Result<Vec<CaseText>, Refusal> {
        formula.cases.iter().map(|case| self.case(case)).collect()
    }

    /// A formula in one line: `1/8·N³ for N ≥ 8; N² for N < 8`.
    pub(crate) fn line(&self, formula: &Formula) -> Result<String, Refusal> {
        let cases = self.cases(formula)?;
        let joint = match formula.piecewise {
            Piecewise::Disjoint => "; ",
            Piecewise::Sum => "; plus ",
        };
        let cases = cases
            .into_iter()
            .map(|written| match written.condition.is_empty() {
                true => written.expression,
                false => format!("{} for {}", written.expression, written.condition),
            });
        let lines: Vec<String> = cases.collect();
        Ok(match lines.is_empty() {
            true => "0".to_owned(),
            false => lines.join(joint),
        })
    }

    fn case(&self, case: &FormulaCase) -> Result<CaseText, Refusal> {
        Ok(CaseText {
            condition: self.conditions(case)?,
            expression: self.polynomial(&case.value, &case.domain)?,
        })
    }

    fn conditions(&self, case: &FormulaCase) -> Result<String, Refusal> {
        let domain = &case.domain;
        let mut parts = Vec::new();
        if let ([_], true) = (self.sizes, domain.equalities.is_empty())
            && domain.floors.is_empty()
        {
            parts.extend(self.range(domain));
        } else {
            for form in &domain.equalities {
                parts.push(self.condition(&Polynomial::from_affine(form)?, domain, "=")?);
            }
            for form in &domain.inequalities {
                parts.push(self.condition(
                    &Polynomial::from_affine(form)?,
                    domain,
                    self.at_least(),
                )?);
            }
        }
        for polynomial in &case.not_negative {
            parts.push(self.condition(polynomial, domain, self.at_least())?);
        }
        Ok(parts.join(match self.spelling {
            Spelling::Text => ", ",
            Spelling::Plain => " and ",
        }))
    }

    /// The range of the only size.
    fn range(&self, domain: &System) -> Option<String> {
        let size = &self.sizes[0];
        let name = self.tree.size_name(size.id);
        let (mut low, mut high) = (0, None);
        for form in &domain.inequalities {
            let (constant, slope) = (form.constant_term(), form.coefficient(Column::at_place(0)));
            if 0 < slope {
                low = low.max(-constant.div_euclid(slope));
            } else if slope < 0 {
                let most = constant.div_euclid(-slope);
                high = Some(high.map_or(most, |high: i64| high.min(most)));
            }
        }
        let value = |x: i64| i128::from(x) * i128::from(size.factor) + i128::from(size.residue);
        let (at_least, at_most) = (self.at_least(), self.at_most());
        match (low, high) {
            (0, None) => None,
            (low, None) => Some(format!("{name} {at_least} {}", value(low))),
            (low, Some(high)) if low == high => Some(format!("{name} = {}", value(low))),
            (0, Some(high)) => Some(format!("{name} {at_most} {}", value(high))),
            (low, Some(high)) => {
                let (low, high) = (value(low), value(high));
                Some(format!("{low} {at_most} {name} {at_most} {high}"))
            }
        }
    }

    /// A polynomial compared with 0, with its constant moved to the other side.
    fn condition(
        &self,
        polynomial: &Polynomial,
        domain: &System,
        comparison: &str,
    ) -> Result<String, Refusal> {
        let (mut value, names) = self.in_sizes(polynomial, domain)?;
        let mut denominator = Rational::new(1, 1)?;
        for (_, coefficient) in value.terms() {
            let scaled = coefficient.times(denominator)?;
            denominator = denominator.times(Rational::new(scaled.denominator(), 1)?)?;
        }
        value = value.scaled(denominator)?;
        let constant = value.terms().find(|(monomial, _)| monomial.degree() == 0);
        let constant = constant.map_or(0, |(_, coefficient)| coefficient.numerator());
        let rest = value.minus(&Polynomial::integer(constant))?;
        let is_positive = leading(&rest).is_none_or(|first| 0 < first.numerator());
        let (rest, bound, comparison) = match is_positive {
            true => (rest, -constant, comparison),
            false => (
                rest.scaled(Rational::new(-1, 1)?)?,
                constant,
                if comparison == "=" {
                    "="
                } else {
                    self.at_most()
                },
            ),
        };
        let bound = self.signed(&bound.to_string());
        Ok(format!(
            "{} {comparison} {bound}",
            self.polynomial_text(&rest, &names)
        ))
    }

    /// That a form over the columns of sizes is not negative, with nothing negative on either side: `m ≤ lda`.
    pub(crate) fn bound(&self, form: &Affine) -> Result<String, Refusal> {
        let universe = System::universe(self.sizes.len());
        let (value, names) = self.in_sizes(&Polynomial::from_affine(form)?, &universe)?;
        let (terms, _) = value.scaled_terms();
        let part = |sign: i128| {
            let own = terms.iter().filter(|(_, x)| x.signum() == sign);
            let own = own.map(|(monomial, x)| (*monomial, sign * x));
            let part = Polynomial::from_scaled_terms(own.collect(), 1)?;
            Ok::<_, Refusal>(self.polynomial_text(&part, &names))
        };
        Ok(format!("{} {} {}", part(-1)?, self.at_most(), part(1)?))
    }

    /// A polynomial over the columns of a system, in the program's sizes.
    pub(crate) fn polynomial(
        &self,
        polynomial: &Polynomial,
        domain: &System,
    ) -> Result<String, Refusal> {
        let (value, names) = self.in_sizes(polynomial, domain)?;
        Ok(self.polynomial_text(&value, &names))
    }

    /// The polynomial with sizes in place of their columns, and the names of all columns.
    fn in_sizes(
        &self,
        polynomial: &Polynomial,
        domain: &System,
    ) -> Result<(Polynomial, Vec<String>), Refusal> {
        let sizes = self.sizes.iter();
        let mut names: Vec<String> = sizes
            .map(|size| self.tree.size_name(size.id).to_owned())
            .collect();
        for column in self.sizes.len()..domain.variables {
            let name = self.variables.get(column - self.sizes.len());
            names.push(name.cloned().unwrap_or_else(|| format!("v{column}")));
        }
        for floor in &domain.floors {
            let numerator = Polynomial::from_affine(&prefix(&floor.numerator, names.len()))?;
            let numerator = self.substituted(&numerator)?;
            let scaled = numerator.scaled(Rational::new(1, floor.denominator.into())?)?;
            let name = match self.fraction(&scaled, &names)? {
                Some((numerator, denominator)) => {
                    format!("floor(({numerator})/{denominator})")
                }
                None => format!("floor({})", self.polynomial_text(&scaled, &names)),
            };
            names.push(name);
        }
        Ok((self.substituted(polynomial)?, names))
    }

    /// A polynomial with fractional coefficients as numerator and denominator.
    fn fraction(
        &self,
        value: &Polynomial,
        names: &[String],
    ) -> Result<Option<(String, i128)>, Refusal> {
        let mut denominator = 1_i128;
        for (_, coefficient) in value.terms() {
            let scaled = coefficient.times(Rational::new(denominator, 1)?)?;
            denominator = denominator
                .checked_mul(scaled.denominator())
                .ok_or(Refusal::Overflow)?;
        }
        if denominator == 1 {
            return Ok(None);
        }
        let whole = value.scaled(Rational::new(denominator, 1)?)?;
        Ok(Some((self.polynomial_text(&whole, names), denominator)))
    }

    fn substituted(&self, polynomial: &Polynomial) -> Result<Polynomial, Refusal> {
        let mut value = polynomial.clone();
        for (idx, size) in self.sizes.iter().enumerate() {
            if size.factor == 1 {
                continue;
            }
            let column = Column::at_place(idx);
            let itself = Polynomial::variable(column)?;
            let shifted = itself.minus(&Polynomial::integer(size.residue.into()))?;
            let replacement = shifted.scaled(Rational::new(1, size.factor.into())?)?;
            value = value.substituted(column, &replacement)?;
        }
        Ok(value)
    }

    /// The terms by falling degree.
    fn polynomial_text(&self, value: &Polynomial, names: &[String]) -> String {
        let mut terms: Vec<_> = value.terms().collect();
        terms.sort_by_key(|(monomial, _)| {
            let powers: Vec<_> = monomial.powers().collect();
            (std::cmp::Reverse(monomial.degree()), powers)
        });
        let mut text = String::new();
        for (monomial, coefficient) in terms {
            let is_negative = coefficient.numerator() < 0;
            let minus = self.minus();
            match (text.is_empty(), is_negative) {
                (true, true) => text.push_str(minus),
                (true, false) => {}
                (false, true) => text.push_str(&format!(" {minus} ")),
                (false, false) => text.push_str(" + "),
            }
            let powers = monomial.powers().map(|(column, power)| {
                let name = names.get(column.place()).map_or("?", String::as_str);
                self.power(name, power)
            });
            let product: Vec<String> = powers.collect();
            let numerator = coefficient.numerator().unsigned_abs();
            text.push_str(&self.term(numerator, coefficient.denominator(), &product));
        }
        match text.is_empty() {
            true => "0".to_owned(),
            false => text,
        }
    }

    fn term(&self, numerator: u128, denominator: i128, product: &[String]) -> String {
        let times = match self.spelling {
            Spelling::Text => "·",
            Spelling::Plain => "*",
        };
        let joined = product.join(times);
        match (self.spelling, product.is_empty(), denominator) {
            (_, true, 1) => numerator.to_string(),
            (_, true, _) => format!("{numerator}/{denominator}"),
            (_, false, 1) if numerator == 1 => joined,
            (_, false, 1) => format!("{numerator}{times}{joined}"),
            (Spelling::Text, false, _) => format!("{numerator}/{denominator}{times}{joined}"),
            (Spelling::Plain, false, _) if numerator == 1 => format!("{joined}/{denominator}"),
            (Spelling::Plain, false, _) => format!("{numerator}{times}{joined}/{denominator}"),
        }
    }

    fn power(&self, name: &str, power: usize) -> String {
        if power == 1 {
            return name.to_owned();
        }
        match self.spelling {
            Spelling::Plain => format!("{name}^{power}"),
            Spelling::Text => {
                let raised = |digit: char| match digit.to_digit(10) {
                    Some(1) => '¹',
                    Some(2) => '²',
                    Some(3) => '³',
                    Some(digit) => char::from_u32(0x2070 + digit).unwrap_or('?'),
                    None => digit,
                };
                let digits: String = power.to_string().chars().map(raised).collect();
                format!("{name}{digits}")
            }
        }
    }

    fn signed(&self, number: &str) -> String {
        number.replace('-', self.minus())
    }

    fn minus(&self) -> &'static str {
        match self.spelling {
            Spelling::Text => "−",
            Spelling::Plain => "-",
        }
    }

    fn at_least(&self) -> &'static str {
        match self.spelling {
            Spelling::Text => "≥",
            Spelling::Plain => ">=",
        }
    }

    fn at_most(&self) -> &'static str {
        match self.spelling {
            Spelling::Text => "≤",
            Spelling::Plain => "<=",
        }
    }
}

/// The coefficient of the first written term.
fn leading(value: &Polynomial) -> Option<Rational> {
    let mut terms: Vec<_> = value.terms().collect();
    terms.sort_by_key(|(monomial, _)| {
        let powers: Vec<_> = monomial.powers().collect();
        (std::cmp::Reverse(monomial.degree()), powers)
    });
    terms.first().map(|(_, coefficient)| *coefficient)
}

/// An affine form over its first columns: a floor does not depend on later floors.
fn prefix(form: &Affine, variables: usize) -> Affine {
    Affine::new(form.coefficients()[..=variables.min(form.columns() - 1)].to_vec())
}
