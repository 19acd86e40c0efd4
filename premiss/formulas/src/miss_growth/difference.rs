//! The difference of two formulas, and where it is positive.

use super::types::{MissGrowth, Witness};
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

/// Whether a difference is positive at some sizes.
pub(super) fn growth(
    difference: &Difference,
    samples: &[Vec<i128>],
    witness: &WitnessCheck<'_>,
) -> Result<MissGrowth, Refusal> {
    let cases = grouped(difference.cases.clone())?;
    if cases.is_empty() {
        return Ok(MissGrowth::Never);
    }
    let known = match difference.n_sizes {
        1 => of_one_size(&cases, &difference.context)?,
        _ => of_several(&cases, difference)?,
    };
    if let Sign::NeverPositive = known {
        return Ok(MissGrowth::Never);
    }
    let formula = Formula {
        cases,
        piecewise: Piecewise::Sum,
    };
    let mut points = samples.to_vec();
    if let Sign::PositiveAt(point) = known {
        points.push(vec![point]);
    }
    for point in points {
        let holds = difference.context.contains(&point)?;
        if holds
            && 0 < formula.at(&point)?.numerator()
            && let Some(found) = witness(&point)?
        {
            return Ok(MissGrowth::At(found));
        }
    }
    Ok(MissGrowth::Undecided)
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
