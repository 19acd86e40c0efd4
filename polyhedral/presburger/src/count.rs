//! How many integer points, as a function of the columns that are not counted.
//!
//! `count({ 0 <= i, i <= j, j < N }, over i and j) = N(N+1)/2 where 0 <= N`.
//!
//! Columns are summed over one at a time (Pugh 1994). Within the constraints on a column `v` one lower
//! bound is the largest and one upper bound the smallest: for each pair that may be, with the
//! conditions that make it so, the sum over `l <= v <= u` is a polynomial by Faulhaber's formulas. It
//! holds where `0 <= u - l + 1`, as it is nothing at `u = l - 1`. Bounds `a·v <= e` with `1 < a` are
//! made affine first, see the module `quotient`. A floor that depends on a counted column has one value
//! for each point, so that it may be counted as if it were a variable.
//!
//! The answers are those that Verdoolaege et al. (Algorithmica 48, 2007) and Clauss (1996) call
//! Ehrhart quasi-polynomials on chambers, only not in least form.

use crate::bounds::ColumnBounds;
use crate::elimination::Eliminator;
use crate::faulhaber::PowerSums;
use crate::prepare::{ParameterConstraints, prepare};
use crate::quotient::{FloorElimination, Way, points, residues};
use crate::rows::{add, opposite};
use crate::summand::{Feasibility, Summand};
use crate::{Budget, Column, Piece, Polynomial, Refusal, System, united};

/// The number of integer values of the columns `over` within a system, for each value of the others
/// within the context.
///
/// It is the *sum* of the pieces' values: their domains may overlap ([`crate::combine`] makes them
/// disjoint). Columns of variables keep their numbers; pieces do not depend on those in `over`.
/// Outside the context pieces say nothing. Constraints of the context on columns in `over` are not
/// heeded.
///
/// # Errors
/// There are infinitely many, the budget runs out, or a number does not fit.
///
/// # Examples
///
/// The iterations of `for (i = 0; i < n; i++) for (j = 0; j <= i; j++)`, as a function of `n`:
///
/// ```
/// # use premiss_presburger::{Affine, Budget, Column, Evaluator, Rational, Refusal, System, count};
/// let [n, i, j] = [1, 2, 3].map(Column::new);
/// let mut domain = System::universe(3);
/// let width = domain.columns();
/// let variable = |column| Affine::variable(width, column);
/// let one = Affine::constant(width, 1);
/// domain.inequalities.push(variable(j)); // 0 <= j
/// domain.inequalities.push(variable(i).plus(-1, &variable(j))?); // 0 <= i - j
/// domain.inequalities.push(variable(n).plus(-1, &variable(i))?.plus(-1, &one)?); // 0 <= n - i - 1
///
/// let pieces = count(&domain, &[i, j], &System::universe(3), &mut Budget::new(1000))?;
/// let iterations = Evaluator::new(3, &pieces);
/// assert_eq!(iterations.at(&[10, 0, 0])?, Rational::integer(55));
/// assert_eq!(iterations.at(&[0, 0, 0])?, Rational::ZERO);
/// # Ok::<(), Refusal>(())
/// ```
pub fn count(
    system: &System,
    over: &[Column],
    context: &System,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    sum(system, &Polynomial::one(), over, context, budget)
}

/// The sum of a weight, a polynomial over the columns of the system, instead of the number; else as
/// [`count`].
///
/// # Errors
/// There are infinitely many summands, the budget runs out, or a number does not fit.
pub fn sum(
    system: &System,
    weight: &Polynomial,
    over: &[Column],
    context: &System,
    budget: &mut Budget,
) -> Result<Vec<Piece>, Refusal> {
    let (summand, context) = prepare(system, weight, over, context)?;
    let mut counter = Counter {
        context,
        budget,
        eliminator: Eliminator::default(),
        sums: PowerSums::default(),
        pieces: Vec::new(),
        pruning: Pruning::Implied,
    };
    match counter.reduce(summand.clone(), None) {
        // In a system that has no integer points all constraints are implied. Where that is not
        // noticed at once, some may have been dropped that bounded it.
        Err(Refusal::Unbounded) => {
            counter.pieces.clear();
            counter.pruning = Pruning::Nothing;
            counter.reduce(summand, None)?;
        }
        other => other?,
    }
    Ok(united(counter.pieces))
}

struct Counter<'a> {
    context: ParameterConstraints,
    budget: &'a mut Budget,
    eliminator: Eliminator,
    sums: PowerSums,
    pieces: Vec<Piece>,
    pruning: Pruning,
}

/// Which bounds are dropped before a column is summed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pruning {
    /// Those that other constraints imply.
    Implied,
    /// None.
    Nothing,
}

impl Counter<'_> {
    /// Sums over all counted columns, `current` first, and keeps the pieces.
    fn reduce(&mut self, mut summand: Summand, current: Option<Column>) -> Result<(), Refusal> {
        self.budget.spend(1)?;
        if summand.weight.is_zero() || summand.tidy() == Feasibility::Empty {
            return Ok(());
        }
        if let Some(index) = counted_equality(&summand) {
            return self.solve(summand, index, current);
        }
        let current = current.filter(|column| summand.counted.contains(column));
        if let Some(column) = current {
            return self.sum_over(summand, column);
        }
        let Some(column) = self.best_column(&summand)? else {
            return self.keep(&summand);
        };
        self.prune(&mut summand, column)?;
        self.sum_over(summand, column)
    }

    /// Uses an equality up to get rid of a counted column.
    fn solve(
        &mut self,
        mut summand: Summand,
        index: usize,
        current: Option<Column>,
    ) -> Result<(), Refusal> {
        let row = summand.equalities.row(index).to_vec();
        let own: Vec<Column> = summand
            .counted
            .iter()
            .copied()
            .filter(|c| row[*c] != 0)
            .collect();
        let Some(column) = own.iter().copied().min_by_key(|c| row[*c].unsigned_abs()) else {
            return Ok(());
        };
        let pivot = row[column].checked_abs().ok_or(Refusal::Overflow)?;
        let sign = row[column].signum();
        let mut rest = if sign < 0 { row } else { opposite(&row)? };
        rest[column] = 0;
        if pivot == 1 {
            summand.equalities.swap_remove(index);
            return self.replace(summand, column, &rest, current);
        }
        if own.len() == 1 {
            summand.equalities.swap_remove(index);
            let ranges = summand.ranges(&self.context.inequalities);
            let quotient = FloorElimination::new(&rest, pivot, &summand.counted, &ranges)?;
            let Way::Values(low, high) = quotient.way else {
                return Err(Refusal::Overflow);
            };
            for (mut case, floor) in quotient.split(&summand, low, high)? {
                let mut remainder = vec![0; case.space.width()];
                add(&mut remainder, 1, &rest)?;
                add(&mut remainder, -pivot, &floor)?;
                case.equalities.push(&remainder);
                self.replace(case, column, &floor, current)?;
            }
            return Ok(());
        }
        // Euclid's algorithm, the other columns at once: x = x' + Σ q·y is one to one.
        let mut value = vec![0; summand.space.width()];
        value[column] = 1;
        for other in own.into_iter().filter(|other| *other != column) {
            value[other] = rest[other].div_euclid(pivot);
        }
        summand.substitute(column, &value)?;
        self.reduce(summand, current)
    }

    /// Puts a form in the place of a counted column, which thereby is done with.
    fn replace(
        &mut self,
        mut summand: Summand,
        column: Column,
        value: &[i64],
        current: Option<Column>,
    ) -> Result<(), Refusal> {
        summand.substitute(column, value)?;
        summand.counted.retain(|other| *other != column);
        self.reduce(summand, current)
    }

    /// The counted column that makes the fewest cases.
    fn best_column(&mut self, summand: &Summand) -> Result<Option<Column>, Refusal> {
        if summand.counted.len() < 2 {
            return Ok(summand.counted.first().copied());
        }
        let ranges = summand.ranges(&self.context.inequalities);
        let mut best = None;
        for column in summand.counted.iter().rev() {
            let (mut lower, mut upper, mut factor) = (0_u64, 0_u64, 1_u64);
            for row in summand.inequalities.iter().filter(|row| row[*column] != 0) {
                match 0 < row[*column] {
                    true => lower += 1,
                    false => upper += 1,
                }
                if let Some((rest, divisor)) = quotient_of(row, *column)? {
                    let quotient =
                        FloorElimination::new(&rest, divisor, &summand.counted, &ranges)?;
                    let cases = u64::try_from(quotient.cases()).unwrap_or(0);
                    factor = factor.saturating_mul(cases.max(1));
                }
            }
            let cost = factor.saturating_mul(lower * upper);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *column));
            }
        }
        Ok(best.map(|(_, column)| column))
    }

    /// Drops bounds on a column that other constraints imply.
    fn prune(&mut self, summand: &mut Summand, column: Column) -> Result<(), Refusal> {
        if self.pruning == Pruning::Nothing {
            return Ok(());
        }
        for sign in [1, -1] {
            let on_side = |row: &[i64]| row[column].signum() == sign;
            let mut left = summand
                .inequalities
                .iter()
                .filter(|row| on_side(row))
                .count();
            let mut index = summand.inequalities.len();
            while 0 < index && 1 < left {
                index -= 1;
                let row = summand.inequalities.row(index).to_vec();
                if on_side(&row) && self.is_infeasible(summand, Some(index), Some(&row))? {
                    summand.inequalities.swap_remove(index);
                    left -= 1;
                }
            }
        }
        Ok(())
    }

    /// Sums over one column, whose bounds are made affine first.
    fn sum_over(&mut self, mut summand: Summand, column: Column) -> Result<(), Refusal> {
        for index in 0..summand.inequalities.len() {
            let row = summand.inequalities.row(index);
            if row[column] == 0 {
                continue;
            }
            if let Some((rest, divisor)) = quotient_of(row, column)? {
                return self.divide(&summand, column, index, &rest, divisor);
            }
        }
        let bounds = ColumnBounds::of(&summand.inequalities, column);
        if bounds.lower.is_empty() || bounds.upper.is_empty() {
            return match self.is_infeasible(&summand, None, None)? {
                true => Ok(()),
                false => Err(Refusal::Unbounded),
            };
        }
        if 1 < bounds.lower.len().max(bounds.upper.len()) {
            self.prune(&mut summand, column)?;
        }
        self.sum_between_bounds(&summand, column)
    }

    /// Makes a bound affine, in several cases if need be.
    fn divide(
        &mut self,
        summand: &Summand,
        column: Column,
        index: usize,
        rest: &[i64],
        divisor: i64,
    ) -> Result<(), Refusal> {
        let ranges = summand.ranges(&self.context.inequalities);
        let quotient = FloorElimination::new(rest, divisor, &summand.counted, &ranges)?;
        let sign = summand.inequalities.row(index)[column].signum();
        let mut cases = Vec::new();
        match quotient.way {
            Way::Residues(other, modulus) => {
                self.budget.spend(modulus.unsigned_abs())?;
                cases = residues(summand, other, modulus)?;
            }
            Way::Points(other, low, high) => {
                self.budget.spend(high.abs_diff(low))?;
                cases = points(summand, other, low, high)?;
            }
            Way::Values(low, high) => {
                self.budget.spend(high.abs_diff(low))?;
                for (mut case, mut floor) in quotient.split(summand, low, high)? {
                    floor[column] = sign;
                    case.inequalities.swap_remove(index);
                    case.inequalities.push(&floor);
                    cases.push(case);
                }
            }
        }
        let several = 1 < cases.len();
        for case in cases {
            if !(several && self.is_infeasible(&case, None, None)?) {
                self.reduce(case, Some(column))?;
            }
        }
        Ok(())
    }

    /// One sum for each pair of a lower and an upper bound that may be the tightest ones.
    fn sum_between_bounds(&mut self, summand: &Summand, column: Column) -> Result<(), Refusal> {
        let bounds = ColumnBounds::of(&summand.inequalities, column);
        let whole = self.sums.antidifference(&summand.weight, column)?;
        let mut below = Vec::new();
        for lower in &bounds.lower {
            let mut value = opposite(lower)?;
            value[0] = value[0].checked_sub(1).ok_or(Refusal::Overflow)?;
            value[column] = 0;
            below.push(whole.substituted(column, &Polynomial::from_row(&value)?)?);
        }
        for (last, upper) in bounds.upper.iter().enumerate() {
            let mut value = upper.clone();
            value[column] = 0;
            let above = whole.substituted(column, &Polynomial::from_row(&value)?)?;
            for (first, below) in below.iter().enumerate() {
                let mut inequalities = bounds.free_rows.clone();
                bounds.conditions(first, last, &mut inequalities)?;
                let mut part = Summand {
                    space: summand.space.clone(),
                    equalities: summand.equalities.clone(),
                    inequalities,
                    counted: summand.counted.clone(),
                    weight: above.minus(below)?,
                };
                part.counted.retain(|other| *other != column);
                let several = 1 < bounds.upper.len().max(bounds.lower.len());
                if !(several && self.is_infeasible(&part, None, None)?) {
                    self.reduce(part, None)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps a finished sum, without conditions that the context implies.
    fn keep(&mut self, summand: &Summand) -> Result<(), Refusal> {
        let mut lean = summand.clone();
        for (column, number) in lean.space.constant_floors() {
            lean.substitute(column, &[number])?;
        }
        if lean.tidy() == Feasibility::Empty {
            return Ok(());
        }
        let mut index = lean.inequalities.len();
        if self.is_infeasible(&lean, None, None)? {
            return Ok(());
        }
        while 0 < index {
            index -= 1;
            let row = lean.inequalities.row(index).to_vec();
            if self.is_infeasible(&lean, Some(index), Some(&row))? {
                lean.inequalities.swap_remove(index);
            }
        }
        let mut index = lean.equalities.len();
        while 0 < index {
            index -= 1;
            let row = lean.equalities.row(index).to_vec();
            let mut without = lean.clone();
            without.equalities.swap_remove(index);
            if self.is_infeasible(&without, None, Some(&row))?
                && self.is_infeasible(&without, None, Some(&opposite(&row)?))?
            {
                lean = without;
            }
        }
        let (equalities, inequalities) = (lean.equalities.sorted(), lean.inequalities.sorted());
        let (domain, value) = lean
            .space
            .system(&equalities, &inequalities, &lean.weight)?;
        self.pieces.push(Piece { domain, value });
        Ok(())
    }

    /// Whether no point of the context satisfies the constraints, one of them left out and a form
    /// demanded to be negative.
    fn is_infeasible(
        &mut self,
        summand: &Summand,
        without: Option<usize>,
        negative: Option<&[i64]>,
    ) -> Result<bool, Refusal> {
        let space = &summand.space;
        self.eliminator.start(space.width());
        let equalities = self
            .context
            .equalities
            .iter()
            .chain(summand.equalities.iter());
        equalities.for_each(|row| self.eliminator.equality(row));
        let context = self.context.inequalities.iter();
        context.for_each(|row| self.eliminator.inequality(row));
        for (index, row) in summand.inequalities.iter().enumerate() {
            if without != Some(index) {
                self.eliminator.inequality(row);
            }
        }
        if let Some(row) = negative {
            self.eliminator.negative(row);
        }
        space.define(&mut self.eliminator)?;
        let infeasible = self.eliminator.infeasible();
        self.budget.spend(self.eliminator.steps())?;
        Ok(infeasible)
    }
}

/// `(e, a)` where a bound says `a·v <= e` or `-e <= a·v` with `1 < a`.
fn quotient_of(row: &[i64], column: Column) -> Result<Option<(Vec<i64>, i64)>, Refusal> {
    let divisor = row[column].checked_abs().ok_or(Refusal::Overflow)?;
    if divisor < 2 {
        return Ok(None);
    }
    let mut rest = row.to_vec();
    rest[column] = 0;
    Ok(Some((rest, divisor)))
}

/// An equality that involves a counted column, one with a unit coefficient if there is one.
fn counted_equality(summand: &Summand) -> Option<usize> {
    let least = |row: &[i64]| {
        let own = summand
            .counted
            .iter()
            .map(|column| row[*column].unsigned_abs());
        own.filter(|coefficient| *coefficient != 0).min()
    };
    let rows = summand.equalities.iter().enumerate();
    let usable = rows.filter_map(|(index, row)| Some((least(row)?, index)));
    usable.min().map(|(_, index)| index)
}
