//! Lines of one array that are touched between a source and a sink, relative to the sink's line.
//!
//! A disjoint part of them is a system over the sink's iteration `z` and the coordinates of the line. Its coordinates
//! are numbered from their least value, where that is affine: `{ i <= r <= N, 0 <= c <= 9 }` becomes
//! `{ 0 <= s <= N - i, 0 <= c <= 9 }`, and the line `125·r + c` lies `125·i + 125·s + c - L(z)` behind that of the sink.
//! So what matters are a few forms in `z`: how long the block is in each direction, and where it starts. Most often they
//! are numbers.

mod bounds;

use super::congruence::{Lengths, Progression, congruent_bounds};
use super::forms::{FormId, FormTable};
use super::load::{SetLoad, SetLoads};
use premiss_arithmetic::{div_floor, gcd};
use premiss_presburger::{Affine, Refusal, System};
use std::rc::Rc;

/// A block whose constraints do not fit into so many rows is refused.
const MOST_ROWS: usize = 256;

/// A block whose lines fall into more progressions is refused where these have to be gone through.
const MOST_PROGRESSIONS: i64 = 1 << 24;

/// For how many lines that are added a step pays.
const LINES_PER_STEP: i64 = 64;

/// A constraint `0 <= form + Σ coefficients · directions`.
type Row = Vec<i64>;

/// Lines as functions of the sink's iteration.
#[derive(Clone, Debug)]
pub(crate) struct LineBlock {
    /// Forms that are not negative where there are lines.
    pub(super) conditions: Vec<FormId>,
    pub(super) directions: Vec<Direction>,
    /// The line in which all directions are at zero, relative to the sink's; over the table of starts.
    pub(super) start: FormId,
    /// Whether the directions are independent of each other.
    pub(super) is_product: bool,
    /// Whether all directions are also counted from zero, whatever the sink's iteration is.
    pub(super) is_anchored: bool,
}

/// One direction of a block.
#[derive(Clone, Debug)]
pub(super) struct Direction {
    /// How many lines a step is.
    pub(super) stride: i64,
    /// What bounds it, given those before it.
    pub(super) bounds: Vec<Bound>,
    /// What bounds how long it is, whatever the others are.
    pub(super) lengths: Vec<Length>,
}

/// The last direction of a block, whose bounds may depend on all others.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Innermost {
    /// The longest one, as its lines are not gone through.
    Longest,
    /// The one of least stride: the elements of a row have no gap for a page.
    Nearest,
}

/// `0 <= form + Σ coefficients · directions`, the last coefficient being that of the direction itself.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) form: FormId,
    pub(super) coefficients: Vec<i64>,
}

/// At most `floor(form / divisor) + 1` steps; that many if `is_exact` and nothing else bounds it, else at least one less.
#[derive(Clone, Debug)]
pub(super) struct Length {
    pub(super) form: FormId,
    pub(super) divisor: i64,
    pub(super) is_exact: bool,
}

/// The tables of forms that blocks refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormTables {
    /// What bounds a block.
    pub(crate) bounds: FormTable,
    /// Where a block starts: only the residue matters.
    pub(crate) starts: FormTable,
}

impl FormTables {
    /// The forms that bound blocks, and then those that say where they start.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &Affine> {
        self.bounds.forms().iter().chain(self.starts.forms())
    }
}

impl LineBlock {
    /// The block of a system over the columns of a sink and then the coordinates of lines, one step of which is so many
    /// lines as `weights` says; `sink` is the sink's line relative to the array's first one, over the sink's columns.
    /// `None` where there are plainly no lines.
    ///
    /// # Errors
    /// A coefficient does not fit, or there are too many constraints.
    pub(crate) fn new(
        system: &System,
        weights: &[i64],
        sink: &Affine,
        innermost: Innermost,
        tables: &mut FormTables,
    ) -> Result<Option<Self>, Refusal> {
        let Some(mut constraints) = Constraints::new(system, weights, sink)? else {
            return Ok(None);
        };
        constraints.count_from_least()?;
        constraints.sort(innermost)?;
        constraints.finish(tables).map(Some)
    }

    /// Bounds on the lines of the block in one set, whichever that is, that are found fast; `bounds` has an interval for
    /// each form.
    pub(crate) fn rough_bounds(&self, bounds: &[(i64, i64)], sets: i64) -> (u64, u64) {
        let Some(is_certain) = self.is_certain(bounds) else {
            return (0, 0);
        };
        let all: Vec<Lengths> = self.directions.iter().map(|x| x.lengths(bounds)).collect();
        match (congruent_bounds(sets, &all), is_certain && self.is_product) {
            ((least, most), true) => (least.min(most), most),
            ((_, most), false) => (0, most),
        }
    }

    /// Whether all conditions certainly hold; `None` where one certainly does not.
    pub(super) fn is_certain(&self, bounds: &[(i64, i64)]) -> Option<bool> {
        let mut conditions = self.conditions.iter().map(|condition| condition.of(bounds));
        conditions.try_fold(true, |is_certain, (least, most)| {
            (0 <= most).then_some(is_certain && 0 <= least)
        })
    }

    /// How many lines of the block are in each set if it starts in set 0, and a factor of all these numbers, `bounds` having
    /// the values of the forms; `None` where there are none. `number` is that of the block.
    ///
    /// # Errors
    /// Too many progressions would be gone through one by one.
    pub(crate) fn load(
        &self,
        number: i64,
        bounds: &[i64],
        loads: &SetLoads,
    ) -> Result<Option<(u64, Rc<SetLoad>)>, Refusal> {
        if self.conditions.iter().any(|x| x.of(bounds) < 0) {
            return Ok(None);
        }
        if self.is_product {
            let ranges = self.directions.iter().map(|x| x.range(bounds, &[]));
            let Some(ranges) = ranges.collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            let (first, all) = self.box_of(&ranges);
            if first == 0 {
                return Ok(loads.load(&all));
            }
        }
        if MOST_PROGRESSIONS < self.n_progressions(bounds) {
            return Err(Refusal::Budget);
        }
        let own = self.bound_forms().map(|form| (number, form.of(bounds)));
        let key = std::iter::once((number, i64::MIN)).chain(own).collect();
        let load = loads.answer(key, || {
            let mut lines = vec![0; usize::try_from(loads.sets()).unwrap_or(0)];
            self.add_lines(bounds, 0, &mut Vec::new(), loads, &mut lines);
            lines
        });
        Ok(Some((1, load)))
    }

    /// The lines where directions have these ranges: the first one, relative to where all directions are at zero, and what
    /// is added to it.
    fn box_of(&self, ranges: &[(i64, i64)]) -> (i128, Vec<Progression>) {
        let mut first = 0;
        let directions = self.directions.iter().zip(ranges);
        let all = directions.map(|(direction, (lo, hi))| {
            first += i128::from(direction.stride) * i128::from(*lo);
            Progression {
                stride: direction.stride,
                length: hi - lo + 1,
            }
        });
        let all = all.collect();
        (first, all)
    }

    /// How many progressions along the last direction there are at most.
    fn n_progressions(&self, bounds: &[i64]) -> i64 {
        let bounds: Vec<(i64, i64)> = bounds.iter().map(|x| (*x, *x)).collect();
        let others = self.directions.split_last().map_or(&[][..], |x| x.1);
        let lengths = others.iter().map(|x| x.lengths(&bounds).most.max(0));
        lengths.fold(1, i64::saturating_mul)
    }

    /// Adds the lines in each set, step by step along all directions but the last.
    fn add_lines(
        &self,
        bounds: &[i64],
        start: i64,
        before: &mut Vec<i64>,
        loads: &SetLoads,
        lines: &mut [u64],
    ) {
        let sets = loads.sets();
        let index = |residue: i64| usize::try_from(residue).unwrap_or(0);
        loads.spend(1);
        let Some(direction) = self.directions.get(before.len()) else {
            lines[index(start)] += 1;
            return;
        };
        let Some((lo, hi)) = direction.range(bounds, before) else {
            return;
        };
        let stride = direction.stride.rem_euclid(sets);
        let first = i128::from(start) + i128::from(stride) * i128::from(lo);
        let mut at = residue(first, sets);
        if before.len() + 1 == self.directions.len() {
            let period = sets / gcd(stride, sets);
            let length = hi - lo + 1;
            loads.spend((length.min(period) / LINES_PER_STEP).unsigned_abs());
            for t in 0..period.min(length) {
                lines[index(at)] += ((length - t - 1) / period + 1).unsigned_abs();
                at = (at + stride) % sets;
            }
            return;
        }
        for value in lo..=hi {
            before.push(value);
            self.add_lines(bounds, at, before, loads, lines);
            before.pop();
            at = (at + stride) % sets;
        }
    }

    /// The forms that bound the block.
    pub(crate) fn bound_forms(&self) -> impl Iterator<Item = FormId> + '_ {
        let directions = self.directions.iter();
        let forms = directions.flat_map(|x| {
            let bounds = x.bounds.iter().map(|bound| bound.form);
            bounds.chain(x.lengths.iter().map(|length| length.form))
        });
        self.conditions.iter().copied().chain(forms)
    }

    /// The form that says where the block starts.
    pub(crate) fn start(&self) -> FormId {
        self.start
    }
}

fn residue(number: i128, modulus: i64) -> i64 {
    i64::try_from(number.rem_euclid(i128::from(modulus))).unwrap_or(0)
}

impl Direction {
    /// How long it is at least and at most, whatever the others are.
    pub(super) fn lengths(&self, bounds: &[(i64, i64)]) -> Lengths {
        let (mut least, mut most) = (i64::MAX, i64::MAX);
        for length in &self.lengths {
            let (lo, hi) = length.form.of(bounds);
            least = least.min(div_floor(lo, length.divisor) + i64::from(length.is_exact));
            most = most.min(div_floor(hi, length.divisor).saturating_add(1));
        }
        Lengths {
            stride: self.stride,
            least,
            most,
        }
    }

    /// Its least and greatest value at values of the directions before it; `None` where there is none.
    pub(super) fn range(&self, bounds: &[i64], before: &[i64]) -> Option<(i64, i64)> {
        self.range_by(|form| form.of(bounds), |idx, _| before[idx])
    }

    /// Its last value, where that is a form whatever other directions are.
    pub(super) fn last(&self) -> Option<FormId> {
        let mut upper = self
            .bounds
            .iter()
            .filter(|x| x.coefficients.last().is_some_and(|own| *own < 0));
        let (last, None) = (upper.next()?, upper.next()) else {
            return None;
        };
        let (own, rest) = last.coefficients.split_last()?;
        (*own == -1 && rest.iter().all(|x| *x == 0)).then_some(last.form)
    }

    /// The values that it certainly has, where the directions before it are in these ranges.
    pub(super) fn certain_range(
        &self,
        bounds: &[(i64, i64)],
        before: &[(i64, i64)],
    ) -> Option<(i64, i64)> {
        let worst = |idx: usize, coefficient: i64| match 0 < coefficient {
            true => before[idx].0,
            false => before[idx].1,
        };
        self.range_by(|form| form.of(bounds).0, worst)
    }

    /// The values that it may have, where the directions before it are in these ranges.
    pub(super) fn possible_range(
        &self,
        bounds: &[(i64, i64)],
        before: &[(i64, i64)],
    ) -> Option<(i64, i64)> {
        let best = |idx: usize, coefficient: i64| match 0 < coefficient {
            true => before[idx].1,
            false => before[idx].0,
        };
        self.range_by(|form| form.of(bounds).1, best)
    }

    /// The range by values of forms, and of directions before it with their coefficients.
    fn range_by(
        &self,
        value: impl Fn(FormId) -> i64,
        before: impl Fn(usize, i64) -> i64,
    ) -> Option<(i64, i64)> {
        let (mut lo, mut hi) = (i128::MIN, i128::MAX);
        for bound in &self.bounds {
            let (own, others) = bound.coefficients.split_last()?;
            let mut rest = i128::from(value(bound.form));
            for (idx, coefficient) in others.iter().enumerate().filter(|(_, x)| **x != 0) {
                rest += i128::from(*coefficient) * i128::from(before(idx, *coefficient));
            }
            match 0 < *own {
                true => lo = lo.max(-div_floor(rest, i128::from(*own))),
                false => hi = hi.min(div_floor(rest, -i128::from(*own))),
            }
        }
        let range = (i64::try_from(lo).ok()?, i64::try_from(hi).ok()?);
        (lo <= hi).then_some(range)
    }
}

/// The constraints of a block on its way: columns are the constant, the sink's, and then the directions.
struct Constraints {
    /// How many columns the constant and the sink have.
    fixed: usize,
    rows: Vec<Row>,
    /// The line relative to the sink's.
    line: Row,
}

impl Constraints {
    /// The constraints of a system, equalities being solved where they can be; `None` where they contradict each other.
    fn new(system: &System, weights: &[i64], sink: &Affine) -> Result<Option<Self>, Refusal> {
        let fixed = sink.columns();
        let width = system.columns();
        let mut line = sink.times(-1)?.widened(width).coefficients().to_vec();
        line[fixed..fixed + weights.len()].copy_from_slice(weights);
        let mut rows: Vec<Row> = Vec::new();
        rows.extend(
            system
                .inequalities
                .iter()
                .map(|x| x.coefficients().to_vec()),
        );
        for (idx, floor) in system.floors.iter().enumerate() {
            // `0 <= numerator - denominator·q <= denominator - 1`
            let mut above = floor.numerator.widened(width).coefficients().to_vec();
            above[system.floor_column(idx)] -= floor.denominator;
            let mut below = negated(&above)?;
            below[0] += floor.denominator - 1;
            rows.extend([above, below]);
        }
        let mut equalities: Vec<Row> = Vec::new();
        equalities.extend(system.equalities.iter().map(|x| x.coefficients().to_vec()));
        while let Some((idx, column)) = solvable(&equalities, fixed) {
            let equality = equalities.swap_remove(idx);
            let all = rows.iter_mut().chain(&mut equalities);
            for row in all.chain(std::iter::once(&mut line)) {
                // The coefficient is 1 or -1.
                let factor = -row[column] * equality[column];
                add_times(row, factor, &equality)?;
            }
        }
        for equality in equalities {
            rows.extend([negated(&equality)?, equality]);
        }
        let mut constraints = Self { fixed, rows, line };
        constraints.drop_unused();
        Ok(constraints.tidy().then_some(constraints))
    }

    fn width(&self) -> usize {
        self.line.len()
    }

    /// Removes the columns of directions that nothing is said about.
    fn drop_unused(&mut self) {
        for column in (self.fixed..self.width()).rev() {
            let mut all = self.rows.iter().chain(std::iter::once(&self.line));
            if all.all(|row| row[column] == 0) {
                let all = self.rows.iter_mut().chain(std::iter::once(&mut self.line));
                for row in all {
                    row.remove(column);
                }
            }
        }
    }

    /// Divides rows by common factors and drops repeated ones; whether they may hold.
    fn tidy(&mut self) -> bool {
        tidy(&mut self.rows)
    }

    /// The constraints that remain on the constant, the sink's columns and those of `kept`.
    fn projected(&self, kept: impl Fn(usize) -> bool) -> Result<Vec<Row>, Refusal> {
        let mut rows = self.rows.clone();
        for column in (self.fixed..self.width()).filter(|column| !kept(*column)) {
            rows = without(&rows, column)?;
        }
        Ok(rows)
    }

    /// Counts each direction from its least value, or down from its greatest, where that is affine in the sink's
    /// iteration.
    fn count_from_least(&mut self) -> Result<(), Refusal> {
        for column in self.fixed..self.width() {
            let bounds = self.projected(|other| other == column)?;
            let unit = bounds.into_iter().filter(|row| row[column].abs() == 1);
            let mut best: Option<(usize, Row)> = None;
            for row in unit {
                let mut line = self.line.clone();
                replace(&mut line, column, &row)?;
                let starts = line[1..self.fixed].iter();
                // Below is simpler than above.
                let varying = 2 * starts.filter(|x| **x != 0).count();
                let cost = varying + usize::from(row[column] < 0);
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, row));
                }
            }
            if let Some((_, row)) = best {
                let all = self.rows.iter_mut();
                for other in all.chain(std::iter::once(&mut self.line)) {
                    replace(other, column, &row)?;
                }
            }
        }
        self.tidy();
        Ok(())
    }

    /// Brings the directions into an order.
    fn sort(&mut self, innermost: Innermost) -> Result<(), Refusal> {
        let mut order = Vec::new();
        for column in self.fixed..self.width() {
            let rank = match innermost {
                Innermost::Longest => {
                    let bounds = self.projected(|other| other == column)?;
                    let longest = bounds.iter().map(|row| row[0].saturating_abs());
                    longest.max().unwrap_or(0)
                }
                Innermost::Nearest => -self.line[column].saturating_abs(),
            };
            order.push((rank, column));
        }
        order.sort_by_key(|(rank, column)| (*rank, usize::MAX - column));
        let fixed = self.fixed;
        let all = self.rows.iter_mut().chain(std::iter::once(&mut self.line));
        for row in all {
            let own: Vec<i64> = order.iter().map(|(_, column)| row[*column]).collect();
            row.truncate(fixed);
            row.extend(own);
        }
        Ok(())
    }

    fn finish(self, tables: &mut FormTables) -> Result<LineBlock, Refusal> {
        let directions = |row: &Row| row[self.fixed..].iter().filter(|x| **x != 0).count();
        let is_product = self.rows.iter().all(|row| directions(row) <= 1);
        let form = |row: &[i64]| Affine::new(row[..self.fixed].to_vec());
        let mut found = Vec::new();
        for column in self.fixed..self.width() {
            let own = self.projected(|other| other <= column)?;
            let own = own.into_iter().filter(|row| row[column] != 0);
            let bounds = own.map(|row| Bound {
                form: tables.bounds.intern(form(&row)),
                coefficients: match is_product {
                    true => vec![row[column]],
                    false => row[self.fixed..=column].to_vec(),
                },
            });
            let bounds = bounds.collect();
            let alone = self.projected(|other| other == column)?;
            let lengths = self.lengths(&alone, column, tables)?;
            found.push(Direction {
                stride: self.line[column],
                bounds,
                lengths,
            });
        }
        let conditions = match is_product {
            true => self.rows.clone(),
            false => self.projected(|_| false)?,
        };
        let conditions = conditions.iter().filter(|row| directions(row) == 0);
        let conditions = conditions.map(|row| tables.bounds.intern(form(row)));
        Ok(LineBlock {
            conditions: conditions.collect(),
            directions: found,
            start: tables.starts.intern(form(&self.line)),
            is_product,
            is_anchored: is_product && (self.fixed..self.width()).all(|x| self.is_anchored(x)),
        })
    }

    /// Whether the only lower bound of a direction is zero.
    fn is_anchored(&self, column: usize) -> bool {
        let mut lower = self.rows.iter().filter(|row| 0 < row[column]);
        let is_zero = |row: &Row| {
            let mut others = row.iter().enumerate().filter(|(idx, _)| *idx != column);
            row[column] == 1 && others.all(|(_, x)| *x == 0)
        };
        lower.all(is_zero)
    }

    /// How long a direction is by each pair of a lower and an upper bound.
    fn lengths(
        &self,
        rows: &[Row],
        column: usize,
        tables: &mut FormTables,
    ) -> Result<Vec<Length>, Refusal> {
        let mut lengths = Vec::new();
        for lower in rows.iter().filter(|row| 0 < row[column]) {
            for upper in rows.iter().filter(|row| row[column] < 0) {
                let (a, b) = (lower[column], -upper[column]);
                let mut sum = vec![0; self.fixed];
                add_times(&mut sum, b, &lower[..self.fixed])?;
                add_times(&mut sum, a, &upper[..self.fixed])?;
                lengths.push(Length {
                    form: tables.bounds.intern(Affine::new(sum)),
                    divisor: a.checked_mul(b).ok_or(Refusal::Overflow)?,
                    is_exact: a == 1 || b == 1,
                });
            }
        }
        match lengths.is_empty() {
            true => Err(Refusal::Unbounded),
            false => Ok(lengths),
        }
    }
}

/// An equality with a direction that it determines.
fn solvable(equalities: &[Row], fixed: usize) -> Option<(usize, usize)> {
    equalities.iter().enumerate().find_map(|(idx, row)| {
        let column = (fixed..row.len()).find(|column| row[*column].abs() == 1)?;
        Some((idx, column))
    })
}

/// Puts `value - offset` or `offset - value` for a column, where `bound` is `0 <= column + offset` or
/// `0 <= offset - column`; the column stands for `value` then.
fn replace(row: &mut Row, column: usize, bound: &Row) -> Result<(), Refusal> {
    let own = std::mem::take(&mut row[column]);
    let sign = bound[column];
    let mut offset = bound.clone();
    offset[column] = 0;
    // x = sign·(value - offset)
    let factor = own.checked_mul(-sign).ok_or(Refusal::Overflow)?;
    add_times(row, factor, &offset)?;
    row[column] = own.checked_mul(sign).ok_or(Refusal::Overflow)?;
    Ok(())
}

fn add_times(row: &mut [i64], factor: i64, other: &[i64]) -> Result<(), Refusal> {
    if factor != 0 {
        for (x, y) in row.iter_mut().zip(other) {
            let term = y.checked_mul(factor);
            *x = term
                .and_then(|term| x.checked_add(term))
                .ok_or(Refusal::Overflow)?;
        }
    }
    Ok(())
}

fn negated(row: &[i64]) -> Result<Row, Refusal> {
    let mut negated = vec![0; row.len()];
    add_times(&mut negated, -1, row)?;
    Ok(negated)
}

/// Fourier-Motzkin elimination of a column.
fn without(rows: &[Row], column: usize) -> Result<Vec<Row>, Refusal> {
    let mut left: Vec<Row> = Vec::new();
    left.extend(rows.iter().filter(|row| row[column] == 0).cloned());
    for lower in rows.iter().filter(|row| 0 < row[column]) {
        for upper in rows.iter().filter(|row| row[column] < 0) {
            let common = gcd(lower[column], -upper[column]);
            let mut sum = vec![0; lower.len()];
            add_times(&mut sum, -upper[column] / common, lower)?;
            add_times(&mut sum, lower[column] / common, upper)?;
            left.push(sum);
        }
    }
    // What contradicts is kept: there are no lines then.
    tidy(&mut left);
    match left.len() <= MOST_ROWS {
        true => Ok(left),
        false => Err(Refusal::Budget),
    }
}

/// Divides rows by common factors, and drops those that hold everywhere or that others imply; whether none fails
/// everywhere.
fn tidy(rows: &mut Vec<Row>) -> bool {
    let mut kept: Vec<Row> = Vec::new();
    let mut may_hold = true;
    for mut row in rows.drain(..) {
        let common = row[1..].iter().fold(0, |sum, x| gcd(sum, *x));
        if common == 0 {
            may_hold &= 0 <= row[0];
            if 0 <= row[0] {
                continue;
            }
        } else {
            row[0] = row[0].div_euclid(common);
            row[1..].iter_mut().for_each(|x| *x /= common);
        }
        match kept.iter_mut().find(|other| other[1..] == row[1..]) {
            Some(other) => other[0] = other[0].min(row[0]),
            None => kept.push(row),
        }
    }
    *rows = kept;
    may_hold
}
