//! Whether affine constraints contradict each other, by Fourier-Motzkin elimination.
//!
//! `a·x <= e` and `f <= b·x` (a, b positive) leave `a·f <= b·e` once `x` is eliminated. What is left in
//! the end are comparisons of constants. Constraints are divided by the greatest common divisor of
//! their coefficients and their constants rounded, so that some systems without integer points are
//! found out though they have rational ones. A constraint that would overflow is dropped: that can
//! only hide a contradiction, so that one found is certain.

use crate::Column;
use crate::outline::{contradict, key};
use crate::rows::{content, is_constant, opposite, tighten};
use premiss_arithmetic::gcd;

/// More constraints than this are not worth their while: the answer is "perhaps".
const ROWS: usize = 160;

/// So many combinations of two constraints count as one step of a budget.
const STEP: u64 = 128;

/// Constraints over columns, and space to eliminate these in, reused from one question to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Eliminator {
    width: usize,
    equalities: Vec<i64>,
    rows: Vec<i64>,
    /// A digest of the coefficients of each row; that of parallel rows is the same or the negative.
    keys: Vec<i32>,
    next: Vec<i64>,
    scratch: Vec<i64>,
    /// Whether each column has positive coefficients, and negative ones.
    signs: Vec<(bool, bool)>,
    combinations: u64,
}

/// Keys that are compared at once.
const LANES: usize = 16;

/// What a constraint added to the others.
#[derive(PartialEq, Eq)]
enum Added {
    Perhaps,
    Contradiction,
}

impl Eliminator {
    /// The steps of a budget that the last question took.
    pub(crate) fn steps(&self) -> u64 {
        1 + self.combinations / STEP
    }

    /// Forgets all constraints; the next ones have at most so many columns.
    pub(crate) fn start(&mut self, width: usize) {
        self.width = width;
        self.equalities.clear();
        self.rows.clear();
        self.combinations = 0;
    }

    /// Demands `row = 0`.
    pub(crate) fn equality(&mut self, row: &[i64]) {
        let end = self.equalities.len() + self.width;
        self.equalities.extend_from_slice(row);
        self.equalities.resize(end, 0);
    }

    /// Demands `0 <= row`.
    pub(crate) fn inequality(&mut self, row: &[i64]) {
        let end = self.rows.len() + self.width;
        self.rows.extend_from_slice(row);
        self.rows.resize(end, 0);
    }

    /// Demands `row < 0`.
    pub(crate) fn negative(&mut self, row: &[i64]) {
        let end = self.rows.len() + self.width;
        let Ok(negated) = opposite(row) else {
            return;
        };
        self.rows.extend_from_slice(&negated);
        self.rows.resize(end, 0);
        let start = end - self.width;
        self.rows[start] = self.rows[start].saturating_sub(1);
    }

    /// Which columns have a coefficient somewhere.
    pub(crate) fn support(&self) -> Vec<bool> {
        let mut used = vec![false; self.width];
        let equalities = self.equalities.chunks_exact(self.width);
        for row in equalities.chain(self.rows.chunks_exact(self.width)) {
            row.iter()
                .zip(&mut used)
                .for_each(|(x, used)| *used |= *x != 0);
        }
        used
    }

    /// Whether no integer point satisfies all constraints; if not told so, there may be one.
    pub(crate) fn infeasible(&mut self) -> bool {
        if self.substitute() == Added::Contradiction {
            return true;
        }
        self.drop_one_sided();
        if self.tidy() == Added::Contradiction {
            return true;
        }
        while let Some((column, rows)) = self.cheapest() {
            if ROWS < rows {
                return false;
            }
            if self.eliminate(column) == Added::Contradiction {
                return true;
            }
        }
        false
    }

    /// Uses up the equalities, one column each.
    fn substitute(&mut self) -> Added {
        let width = self.width;
        while self.equalities.len() >= width {
            let start = self.equalities.len() - width;
            let mut pivot = std::mem::take(&mut self.scratch);
            pivot.clear();
            pivot.extend_from_slice(&self.equalities[start..]);
            self.equalities.truncate(start);
            let divisor = content(&pivot);
            let contradiction = match divisor {
                0 => pivot[0] != 0,
                _ => pivot[0] % divisor != 0,
            };
            if contradiction {
                return Added::Contradiction;
            }
            if divisor != 0 {
                pivot.iter_mut().for_each(|x| *x /= divisor);
                let column = smallest(&pivot);
                replace(&mut self.equalities, &pivot, column);
                replace(&mut self.rows, &pivot, column);
            }
            self.scratch = pivot;
        }
        Added::Perhaps
    }

    /// Tightens all rows and drops those that others imply at a glance.
    fn tidy(&mut self) -> Added {
        std::mem::swap(&mut self.rows, &mut self.next);
        self.rows.clear();
        self.keys.clear();
        let mut next = std::mem::take(&mut self.next);
        for row in next.chunks_exact_mut(self.width) {
            if self.add(row) == Added::Contradiction {
                self.next = next;
                return Added::Contradiction;
            }
        }
        self.next = next;
        Added::Perhaps
    }

    /// Adds a row, unless a parallel one implies it.
    fn add(&mut self, row: &mut [i64]) -> Added {
        tighten(row);
        if is_constant(row) {
            return match row[0] < 0 {
                true => Added::Contradiction,
                false => Added::Perhaps,
            };
        }
        let key = short_key(row);
        let negated = key.wrapping_neg();
        for (block, keys) in self.keys.chunks(LANES).enumerate() {
            // Without a branch, so that all keys of a block are compared at once; few blocks have one that is alike.
            let is_near = |near, other: &i32| near | (*other == key) | (*other == negated);
            if !keys.iter().fold(false, is_near) {
                continue;
            }
            for index in block * LANES..block * LANES + keys.len() {
                let other = self.keys[index];
                let start = index * self.width;
                if other == key && self.rows[start + 1..start + self.width] == row[1..] {
                    self.rows[start] = self.rows[start].min(row[0]);
                    return Added::Perhaps;
                }
                let parallel = &self.rows[start..start + self.width];
                if other == negated && contradict(parallel, row) {
                    return Added::Contradiction;
                }
            }
        }
        self.rows.extend_from_slice(row);
        self.keys.push(key);
        Added::Perhaps
    }

    /// Drops the rows of all columns that have the same sign in each of them: far out in its direction these rows hold.
    /// Most constraints of many sizes are such (`0 <= n`), and to eliminate one column after the other takes long.
    fn drop_one_sided(&mut self) {
        let width = self.width;
        loop {
            self.signs.clear();
            self.signs.resize(width, (false, false));
            for row in self.rows.chunks_exact(width) {
                for (x, (positive, negative)) in row.iter().zip(&mut self.signs).skip(1) {
                    *positive |= 0 < *x;
                    *negative |= *x < 0;
                }
            }
            let holds_far_out = |row: &[i64]| {
                let mut columns = row.iter().zip(&self.signs).skip(1);
                columns.any(|(x, (positive, negative))| *x != 0 && positive != negative)
            };
            let mut kept = 0;
            for start in (0..self.rows.len()).step_by(width) {
                let row = start..start + width;
                if !holds_far_out(&self.rows[row.clone()]) {
                    self.rows.copy_within(row, kept);
                    kept += width;
                }
            }
            if kept == self.rows.len() {
                return;
            }
            self.rows.truncate(kept);
        }
    }

    /// The column whose elimination leaves the fewest rows, and how many these are at most, while there
    /// are rows.
    fn cheapest(&self) -> Option<(Column, usize)> {
        let mut best = None;
        for column in Column::variables(self.width - 1) {
            let (mut lower, mut upper) = (0_usize, 0_usize);
            for row in self.rows.chunks_exact(self.width) {
                lower += usize::from(0 < row[column]);
                upper += usize::from(row[column] < 0);
            }
            if lower + upper == 0 {
                continue;
            }
            let (left, gone) = (lower * upper, lower + upper);
            if best.is_none_or(|(l, g, _)| left + g < l + gone) {
                best = Some((left, gone, column));
            }
        }
        best.map(|(left, gone, column)| (column, self.keys.len() + left - gone))
    }

    /// Replaces the rows by what they say of the other columns.
    fn eliminate(&mut self, column: Column) -> Added {
        let mut old = std::mem::take(&mut self.next);
        std::mem::swap(&mut self.rows, &mut old);
        self.rows.clear();
        self.keys.clear();
        let mut combined = std::mem::take(&mut self.scratch);
        let result = self.combine(&old, column, &mut combined);
        self.next = old;
        self.scratch = combined;
        result
    }

    fn combine(&mut self, old: &[i64], column: Column, combined: &mut Vec<i64>) -> Added {
        let width = self.width;
        let on_side = |sign| {
            old.chunks_exact(width)
                .filter(move |row| row[column].signum() == sign)
        };
        for row in on_side(0) {
            combined.clear();
            combined.extend_from_slice(row);
            if self.add(combined) == Added::Contradiction {
                return Added::Contradiction;
            }
        }
        for lower in on_side(1) {
            for upper in on_side(-1) {
                self.combinations += 1;
                if !cross(lower, upper, column, combined) {
                    continue;
                }
                if self.add(combined) == Added::Contradiction {
                    return Added::Contradiction;
                }
            }
        }
        Added::Perhaps
    }
}

/// The low half of a row's key, negated where that is.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rows with the same key are compared"
)]
fn short_key(row: &[i64]) -> i32 {
    key(row) as i32
}

/// The positive combination of both rows that is free of the column, unless it overflows.
fn cross(lower: &[i64], upper: &[i64], column: Column, combined: &mut Vec<i64>) -> bool {
    let (p, q) = (lower[column].unsigned_abs(), upper[column].unsigned_abs());
    let divisor = gcd(p, q);
    let (Ok(p), Ok(q)) = (i64::try_from(p / divisor), i64::try_from(q / divisor)) else {
        return false;
    };
    combined.clear();
    for (x, y) in lower.iter().zip(upper) {
        let (Some(left), Some(right)) = (x.checked_mul(q), y.checked_mul(p)) else {
            return false;
        };
        let Some(sum) = left.checked_add(right) else {
            return false;
        };
        combined.push(sum);
    }
    true
}

/// The column of a row with the smallest coefficient that is not zero.
fn smallest(row: &[i64]) -> Column {
    let columns = Column::variables(row.len() - 1).filter(|column| row[*column] != 0);
    columns
        .min_by_key(|column| row[*column].unsigned_abs())
        .unwrap_or(Column::CONSTANT)
}

/// Frees all rows of the column by means of `0 = pivot`; a row that overflows becomes `0 = 0`.
fn replace(rows: &mut [i64], pivot: &[i64], column: Column) {
    let scale = pivot[column];
    for row in rows.chunks_exact_mut(pivot.len()) {
        let coefficient = row[column];
        if coefficient == 0 {
            continue;
        }
        let divisor = gcd(scale.unsigned_abs(), coefficient.unsigned_abs());
        let combined = i64::try_from(divisor).ok().and_then(|divisor| {
            let own = scale.checked_abs()? / divisor;
            let factor = (coefficient / divisor).checked_mul(-scale.signum())?;
            row.iter_mut().zip(pivot).try_for_each(|(x, y)| {
                *x = x.checked_mul(own)?.checked_add(y.checked_mul(factor)?)?;
                Some(())
            })
        });
        if combined.is_none() {
            row.fill(0);
        }
    }
}
