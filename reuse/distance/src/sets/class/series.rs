//! Counts at single sizes, and the function that they determine.
//!
//! In a region in which few lengths of blocks are left, the number of accesses that miss is a sum over these lengths and over
//! the residues of loop variables. A coefficient of a size `x` is a multiple of the number of sets, so each of its terms is the
//! number of points of a polytope whose bounds move with `x`: a polynomial in `x`, of no higher degree than that of all
//! iterations, from where all bounds are in their final order (Clauss 1996). The number of all iterations is known as pieces,
//! and that at both ends of each length that is left; their conditions tell where that is, but for one step of `x` for each loop
//! that grows with sizes, as a residue moves a bound by less than one step. So as many counts as the degree demands determine
//! the polynomial, and [two more](N_CHECKS) confirm it. At smaller sizes each has its number.

use super::super::lean::lean_parts;
use super::super::parts::FormParts;
use super::super::query::ConflictQuery;
use premiss_arithmetic::add;
use premiss_presburger::{Affine, Budget, Column, Piece, Polynomial, Rational, Refusal, System};
use std::collections::BTreeMap;

/// How many counts have to agree with a polynomial beyond those that determine it.
const N_CHECKS: i64 = 2;

/// For how many values of a size that are added a step pays.
const VALUES_PER_STEP: u64 = 16;

/// The iterations of a region in which few lengths are left.
pub(super) struct SizeCounter<'a> {
    /// Over the columns of a sink.
    pub(super) system: &'a System,
    pub(super) context: &'a System,
    pub(super) iterations: &'a [Column],
    /// The least and the greatest value of each size.
    pub(super) sizes: &'a [(i64, i64)],
    /// How many loop variables have ranges that grow with sizes.
    pub(super) n_growing: usize,
    /// The forms that bound blocks.
    pub(super) bounds: &'a [Affine],
    /// Those that say where they start, modulo the number of sets.
    pub(super) starts: &'a [Affine],
    pub(super) query: ConflictQuery<'a>,
}

/// A number for each value of one size, where conditions on sizes hold.
#[derive(Debug)]
pub(super) struct SizeSeries {
    /// Over the columns of a sink.
    conditions: System,
    /// The size; none where the number is the same for all.
    size: Option<Column>,
    /// The first value with a number other than 0.
    first: i64,
    /// The numbers from there on,
    values: Vec<i128>,
    /// and this one for all values behind them, over the column of the size.
    rest: Polynomial,
}

impl SizeCounter<'_> {
    /// The number of accesses that miss, as a function of sizes. `all` has pieces whose conditions tell where all bounds are in
    /// their final order.
    ///
    /// # Errors
    /// [`Refusal::NotAffine`] where it depends on several sizes at a time. The budget runs out, or a number does not fit.
    pub(super) fn series(&self, all: &[Piece], budget: &mut Budget) -> Result<SizeSeries, Refusal> {
        let conditions = self.conditions()?;
        let mut known = conditions.clone();
        known.require(self.context);
        let mut size = None;
        let (mut degree, mut start) = (0, 0);
        for piece in all {
            for column in piece.value.support() {
                note(&mut size, self.open_size(column)?)?;
            }
            for form in conditions_of(&piece.domain)? {
                if known.implies(&form.widened(known.columns())) {
                    continue;
                }
                for column in form.support() {
                    note(&mut size, self.open_size(column)?)?;
                }
                start = start.max(self.end_of(&form, size)?);
            }
            if let Some(column) = size {
                degree =
                    degree.max(i64::try_from(piece.value.degree_in(column)).unwrap_or(i64::MAX));
            }
        }
        let counts = Counts::new(self, conditions, size, budget)?;
        counts.series((start, degree), budget)
    }

    /// The rows of the system on sizes alone, and the values of those that have one only.
    fn conditions(&self) -> Result<System, Refusal> {
        let width = 1 + self.system.variables;
        let of_sizes = |forms: &[Affine]| {
            let own = forms.iter().filter(|form| {
                let mut support = form.support();
                support.all(|column| column.place() < self.sizes.len())
            });
            let narrow = |form: &Affine| Affine::new(form.coefficients()[..width].to_vec());
            own.map(narrow).collect::<Vec<Affine>>()
        };
        let mut conditions = System::universe(self.system.variables);
        conditions.equalities = of_sizes(&self.system.equalities);
        conditions.inequalities = of_sizes(&self.system.inequalities);
        for (column, (lo, hi)) in Column::variables(self.sizes.len()).zip(self.sizes) {
            if lo == hi {
                let size = Affine::variable(width, column);
                let value = size.plus(-lo, &Affine::constant(width, 1))?;
                conditions.equalities.push(value);
            }
        }
        Ok(conditions)
    }

    /// The column of a size that has several values.
    fn open_size(&self, column: Column) -> Result<Option<Column>, Refusal> {
        let (lo, hi) = self.sizes.get(column.place()).ok_or(Refusal::NotAffine)?;
        Ok((lo < hi).then_some(column))
    }

    /// The value of a size from which on a form has the same sign.
    fn end_of(&self, form: &Affine, size: Option<Column>) -> Result<i64, Refusal> {
        let Some(size) = size else { return Ok(0) };
        let slope = i128::from(form.coefficient(size));
        if slope == 0 {
            return Ok(0);
        }
        let mut point: Vec<i128> = self.sizes.iter().map(|x| i128::from(x.0)).collect();
        point[size.place()] = 0;
        point.resize(form.columns() - 1, 0);
        let mut rest = i128::from(form.constant_term());
        for column in form.support() {
            rest = add(
                rest,
                i128::from(form.coefficient(column)) * point[column.place()],
            )?;
        }
        i64::try_from((-rest).div_euclid(slope) + 1).map_err(|_| Refusal::Overflow)
    }
}

/// What is not negative in a domain, over its variables.
///
/// # Errors
/// [`Refusal::NotAffine`] where that depends on floors.
fn conditions_of(domain: &System) -> Result<Vec<Affine>, Refusal> {
    let opposite = domain.equalities.iter().map(|form| form.times(-1));
    let mut forms = opposite.collect::<Result<Vec<Affine>, _>>()?;
    forms.extend_from_slice(&domain.equalities);
    forms.extend_from_slice(&domain.inequalities);
    let over_variables = |form: Affine| {
        let mut support = form.support();
        let has_floors = support.any(|column| domain.variables <= column.place());
        drop(support);
        let own = form.coefficients()[..=domain.variables].to_vec();
        (!has_floors)
            .then(|| Affine::new(own))
            .ok_or(Refusal::NotAffine)
    };
    forms.into_iter().map(over_variables).collect()
}

/// Notes a size on which a number depends.
fn note(size: &mut Option<Column>, other: Option<Column>) -> Result<(), Refusal> {
    match (*size, other) {
        (Some(one), Some(other)) if one != other => Err(Refusal::NotAffine),
        (None, Some(_)) => {
            *size = other;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The counts of a region at single sizes.
struct Counts<'a> {
    counter: &'a SizeCounter<'a>,
    conditions: System,
    size: Option<Column>,
    parts: FormParts<'a>,
    /// By value of the size.
    counted: BTreeMap<i64, i128>,
}

impl<'a> Counts<'a> {
    fn new(
        counter: &'a SizeCounter<'a>,
        conditions: System,
        size: Option<Column>,
        budget: &mut Budget,
    ) -> Result<Self, Refusal> {
        Ok(Self {
            counter,
            conditions,
            size,
            parts: FormParts::new(
                counter.bounds.iter().chain(counter.starts),
                (counter.system, counter.context),
                counter.iterations,
                budget,
            )?,
            counted: BTreeMap::new(),
        })
    }

    /// The number as a function of the size, all bounds being in their order from a value on.
    fn series(
        mut self,
        (start, degree): (i64, i64),
        budget: &mut Budget,
    ) -> Result<SizeSeries, Refusal> {
        let Some(size) = self.size else {
            let all = self.at(0, budget)?;
            return Ok(SizeSeries {
                conditions: self.conditions,
                size: None,
                first: 0,
                values: Vec::new(),
                rest: Polynomial::integer(all),
            });
        };
        let (first, last) = self.counter.sizes[size.place()];
        let n_growing = i64::try_from(self.counter.n_growing).unwrap_or(i64::MAX);
        let start = start.max(first).saturating_add(n_growing);
        let is_short = last <= start.saturating_add(degree + N_CHECKS);
        let end = if is_short { last + 1 } else { start };
        let mut values = Vec::new();
        for value in first..end {
            values.push(self.at(value, budget)?);
        }
        let rest = match is_short {
            true => Polynomial::integer(0),
            false => self.polynomial(size, (start, degree), budget)?,
        };
        Ok(SizeSeries {
            conditions: self.conditions,
            size: Some(size),
            first,
            values,
            rest,
        })
    }

    /// The polynomial of a degree in the size, by Newton's differences.
    fn polynomial(
        &mut self,
        size: Column,
        (start, degree): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Polynomial, Refusal> {
        let mut differences = Vec::new();
        for value in start..=start + degree {
            differences.push(self.at(value, budget)?);
        }
        let mut sum = Polynomial::integer(0);
        let mut basis = Polynomial::one();
        for step in 0..=degree {
            let leading = Rational::integer(differences[0]);
            sum = sum.plus(&basis.scaled(leading)?)?;
            let root = Polynomial::integer(i128::from(start + step));
            let factor = Polynomial::variable(size)?.minus(&root)?;
            basis = basis
                .times(&factor)?
                .scaled(Rational::new(1, i128::from(step + 1))?)?;
            for idx in 1..differences.len() {
                differences[idx - 1] = add(differences[idx], -differences[idx - 1])?;
            }
            differences.pop();
        }
        for value in start + degree + 1..=start + degree + N_CHECKS {
            let counted = self.at(value, budget)?;
            if at(&sum, size, value)? != counted {
                return Err(Refusal::NotAffine);
            }
        }
        Ok(sum)
    }

    /// The number of accesses that miss at a value of the size.
    fn at(&mut self, value: i64, budget: &mut Budget) -> Result<i128, Refusal> {
        if let Some(number) = self.counted.get(&value) {
            return Ok(*number);
        }
        let counter = self.counter;
        let sizes = counter.sizes.iter().map(|x| i128::from(x.0));
        let mut sizes: Vec<i128> = sizes.collect();
        if let Some(size) = self.size {
            sizes[size.place()] = i128::from(value);
        }
        let mut point = sizes.clone();
        point.resize(self.conditions.variables, 0);
        if !self.conditions.contains(&point)? {
            // It would have to be another value of a size that does not matter.
            return Err(Refusal::NotAffine);
        }
        let mut misses = 0;
        for part in self.parts.at(&sizes)? {
            for lean in lean_parts(part, counter.query.blocks, counter.bounds.len())? {
                let scaled = counter.query.misses(&lean, budget)?;
                misses = add(misses, scaled / lean.multiplicity.denominator)?;
            }
        }
        self.counted.insert(value, misses);
        Ok(misses)
    }
}

/// Adds a series to others, as one with those under the same conditions.
pub(super) fn add_series(
    all: &mut Vec<SizeSeries>,
    series: SizeSeries,
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let is_same = |other: &&mut SizeSeries| {
        other.size == series.size && other.conditions == series.conditions
    };
    match all.iter_mut().find(is_same) {
        Some(other) => {
            let n_values = other.end().max(series.end()) - other.first.min(series.first);
            budget.spend(n_values.unsigned_abs() / VALUES_PER_STEP)?;
            *other = other.plus(&series)?;
        }
        None => all.push(series),
    }
    Ok(())
}

impl SizeSeries {
    fn plus(&self, other: &Self) -> Result<Self, Refusal> {
        let first = self.first.min(other.first);
        let mut values = Vec::new();
        for value in first..self.end().max(other.end()) {
            values.push(add(self.at(value)?, other.at(value)?)?);
        }
        Ok(Self {
            conditions: self.conditions.clone(),
            size: self.size,
            first,
            values,
            rest: self.rest.plus(&other.rest)?,
        })
    }

    /// The value behind those with numbers of their own.
    fn end(&self) -> i64 {
        self.first + i64::try_from(self.values.len()).unwrap_or(i64::MAX)
    }

    fn at(&self, value: i64) -> Result<i128, Refusal> {
        match usize::try_from(value - self.first) {
            Err(_) => Ok(0),
            Ok(idx) => match (self.values.get(idx), self.size) {
                (Some(number), _) => Ok(*number),
                (None, Some(size)) => at(&self.rest, size, value),
                (None, None) => Err(Refusal::Failed),
            },
        }
    }

    /// The same as pieces that add up.
    pub(super) fn pieces(&self) -> Result<Vec<Piece>, Refusal> {
        let mut pieces = Vec::new();
        let Some(size) = self.size else {
            return Ok(vec![Piece {
                domain: self.conditions.clone(),
                value: self.rest.clone(),
            }]);
        };
        let width = self.conditions.columns();
        let own = Affine::variable(width, size);
        let mut end = self.end();
        while self.first < end && self.at(end - 1)? == at(&self.rest, size, end - 1)? {
            end -= 1;
        }
        for value in self.first..end {
            let number = self.at(value)?;
            if number != 0 {
                let mut domain = self.conditions.clone();
                domain
                    .equalities
                    .push(own.plus(-value, &Affine::constant(width, 1))?);
                let value = Polynomial::integer(number);
                pieces.push(Piece { domain, value });
            }
        }
        if !self.rest.is_zero() {
            let mut domain = self.conditions.clone();
            domain
                .inequalities
                .push(own.plus(-end, &Affine::constant(width, 1))?);
            pieces.push(Piece {
                domain,
                value: self.rest.clone(),
            });
        }
        Ok(pieces)
    }
}

/// The value of a polynomial in one size.
fn at(polynomial: &Polynomial, size: Column, value: i64) -> Result<i128, Refusal> {
    let mut point = vec![0; size.place() + 1];
    point[size.place()] = i128::from(value);
    let number = polynomial.at(&point)?;
    number.to_integer().ok_or(Refusal::NotAffine)
}
