//! The difference of two formulas, and where it is positive.

use super::types::{MissGrowth, SizeRange, Witness};
use crate::formula::{Formula, FormulaCase, Piecewise, grouped};
use crate::regimes::{end, least, regimes};
use crate::univariate::Univariate;
use premiss_presburger::{
    Affine, Budget, Column, Floor, Piece, Polynomial, Rational, Refusal, System, combine,
};

/// The steps for making pieces in several sizes disjoint.
const STEPS: u64 = 200_000;

/// Cases that add up, over the columns of the sizes of both formulas.
pub(super) struct Difference {
    n_sizes: usize,
    context: System,
    cases: Vec<FormulaCase>,
}

impl Difference {
    pub(super) fn new(n_sizes: usize) -> Self {
        Self {
            n_sizes,
            context: System::universe(n_sizes),
            cases: Vec::new(),
        }
    }

    /// Adds the assumptions of a formula; `columns` has the columns of its sizes here.
    pub(super) fn take_context(
        &mut self,
        context: &System,
        columns: &[Column],
    ) -> Result<(), Refusal> {
        for form in &context.inequalities {
            let form = self.affine(form, columns, 0)?;
            self.context.inequalities.push(form);
        }
        Ok(())
    }

    /// Assumes that each size, which is `factor * column + residue`, is within a range.
    pub(super) fn bound(&mut self, range: SizeRange, factors: &[i64], residues: &[i64]) {
        let columns = Column::variables(self.n_sizes);
        for (column, (factor, residue)) in columns.zip(factors.iter().zip(residues)) {
            let ends = [(1, range.least.saturating_neg()), (-1, range.most)];
            for (sign, end) in ends {
                let mut row = vec![0; 1 + self.n_sizes];
                row[0] = end.saturating_add(sign * residue);
                row[column] = sign * factor;
                self.context.inequalities.push(Affine::new(row));
            }
        }
    }

    /// Adds a number, for all sizes.
    pub(super) fn add_constant(&mut self, number: Rational) {
        if !number.is_zero() {
            self.cases.push(FormulaCase {
                domain: System::universe(self.n_sizes),
                not_negative: Vec::new(),
                value: Polynomial::constant(number),
            });
        }
    }

    /// Adds a multiple of a formula.
    pub(super) fn add(
        &mut self,
        formula: &Formula,
        columns: &[Column],
        times: Rational,
    ) -> Result<(), Refusal> {
        for case in &formula.cases {
            let n_floors = case.domain.floors.len();
            let affine = |form: &Affine| self.affine(form, columns, n_floors);
            let all = |forms: &[Affine]| forms.iter().map(affine).collect::<Result<Vec<_>, _>>();
            let floor = |floor: &Floor| -> Result<Floor, Refusal> {
                Ok(Floor {
                    numerator: affine(&floor.numerator)?,
                    denominator: floor.denominator,
                })
            };
            let polynomial = |x: &Polynomial| x.renumbered(|column| self.column(column, columns));
            let not_negative = case.not_negative.iter().map(polynomial);
            let moved = FormulaCase {
                domain: System {
                    variables: self.n_sizes,
                    floors: case
                        .domain
                        .floors
                        .iter()
                        .map(floor)
                        .collect::<Result<_, _>>()?,
                    equalities: all(&case.domain.equalities)?,
                    inequalities: all(&case.domain.inequalities)?,
                },
                not_negative: not_negative.collect::<Result<_, _>>()?,
                value: polynomial(&case.value)?.scaled(times)?,
            };
            self.cases.push(moved);
        }
        Ok(())
    }

    fn column(&self, column: Column, columns: &[Column]) -> Column {
        match column {
            Column::CONSTANT => column,
            size if size.place() < columns.len() => columns[size.place()],
            floor => Column::new(floor.number() - columns.len() + self.n_sizes),
        }
    }

    fn affine(
        &self,
        form: &Affine,
        columns: &[Column],
        n_floors: usize,
    ) -> Result<Affine, Refusal> {
        let mut coefficients = vec![0_i64; 1 + self.n_sizes + n_floors];
        coefficients[0] = form.constant_term();
        for old in form.support() {
            let place = coefficients
                .get_mut(self.column(old, columns).number())
                .ok_or(Refusal::Overflow)?;
            *place = form.coefficient(old);
        }
        Ok(Affine::new(coefficients))
    }
}

/// Returns the witness at a point, if the point is one.
pub(super) type WitnessCheck<'a> = dyn Fn(&[i128]) -> Result<Option<Witness>, Refusal> + 'a;

/// Whether several differences are positive at the same sizes.
pub(super) fn growth(
    differences: &[Difference],
    samples: &[Vec<i128>],
    witness: &WitnessCheck<'_>,
) -> Result<MissGrowth, Refusal> {
    let mut points = samples.to_vec();
    let mut formulas = Vec::new();
    for difference in differences {
        let cases = grouped(difference.cases.clone())?;
        match sign(&cases, difference)? {
            Sign::NeverPositive => return Ok(MissGrowth::Never),
            Sign::PositiveAt(point) => points.push(vec![point]),
            Sign::Open => {}
        }
        let piecewise = Piecewise::Sum;
        formulas.push((&difference.context, Formula { cases, piecewise }));
    }
    for point in points {
        let is_positive = |(context, formula): &(&System, Formula)| -> Result<bool, Refusal> {
            Ok(context.contains(&point)? && 0 < formula.at(&point)?.numerator())
        };
        let mut all = true;
        for formula in &formulas {
            all = all && is_positive(formula)?;
        }
        if all && let Some(found) = witness(&point)? {
            return Ok(MissGrowth::At(found));
        }
    }
    Ok(MissGrowth::Undecided)
}

fn sign(cases: &[FormulaCase], difference: &Difference) -> Result<Sign, Refusal> {
    match difference.n_sizes {
        _ if cases.is_empty() => Ok(Sign::NeverPositive),
        1 => of_one_size(cases, &difference.context),
        _ => of_several(cases, difference),
    }
}

/// The sign of a difference, as far as it is known.
enum Sign {
    NeverPositive,
    /// It is positive at this value of the only column.
    PositiveAt(i128),
    Open,
}

/// With one size: on each range the difference is one polynomial, whose zeros are found exactly.
fn of_one_size(cases: &[FormulaCase], context: &System) -> Result<Sign, Refusal> {
    let Some(ranges) = regimes(cases, least(context), end(context))? else {
        return Ok(Sign::Open);
    };
    for range in &ranges {
        let from = least(&range.domain).max(least(context));
        let to = end(&range.domain).min(end(context));
        let found = Univariate::of(&range.value)?.first_positive(from, to);
        if let Some(at) = found {
            return Ok(Sign::PositiveAt(at));
        }
    }
    Ok(Sign::NeverPositive)
}

/// With several sizes, each at least 1 in its column: a polynomial is never positive if all its coefficients are at
/// most 0 after each column is written as 1 plus something that is not negative.
fn of_several(cases: &[FormulaCase], difference: &Difference) -> Result<Sign, Refusal> {
    if cases.iter().any(|case| !case.not_negative.is_empty()) {
        return Ok(Sign::Open);
    }
    let mut context = difference.context.clone();
    for column in Column::variables(difference.n_sizes) {
        let mut row = vec![0; 1 + difference.n_sizes];
        (row[0], row[column]) = (-1, 1);
        context.inequalities.push(Affine::new(row));
    }
    let piece = |case: &FormulaCase| Piece {
        domain: case.domain.clone(),
        value: case.value.clone(),
    };
    let pieces: Vec<Piece> = cases.iter().map(piece).collect();
    let Ok(apart) = combine(&context, &pieces, &mut Budget::new(STEPS)) else {
        return Ok(Sign::Open);
    };
    for piece in &apart {
        let mut value = piece.value.clone();
        if value
            .support()
            .iter()
            .any(|column| difference.n_sizes < column.number())
        {
            return Ok(Sign::Open);
        }
        for column in Column::variables(difference.n_sizes) {
            let next = Polynomial::variable(column)?.plus(&Polynomial::one())?;
            value = value.substituted(column, &next)?;
        }
        if value
            .terms()
            .any(|(_, coefficient)| 0 < coefficient.numerator())
        {
            return Ok(Sign::Open);
        }
    }
    Ok(Sign::NeverPositive)
}
