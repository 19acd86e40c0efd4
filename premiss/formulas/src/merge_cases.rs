//! Cases in several sizes, with their conditions on single sizes as ranges.
//!
//! Deciding conditions one by one leaves cases such as `x <= 1` beside `2 <= x` whose formulas agree at `x = 1`: they
//! are merged into one.

use crate::formula::FormulaCase;
use premiss_presburger::{Affine, Column, Polynomial, Refusal};
use std::collections::BTreeMap;

/// The bounds of a column, both included.
type ColumnRange = (i64, Option<i64>);

/// The same cases, merged where formulas agree; columns are at least 1 everywhere.
pub(crate) fn joined(cases: Vec<FormulaCase>) -> Result<Vec<FormulaCase>, Refusal> {
    let mut ranged: Vec<Ranged> = cases.into_iter().map(Ranged::new).collect();
    while let Some((lost, kept, column, range)) = agreement(&ranged)? {
        ranged[kept].ranges.insert(column, range);
        ranged.remove(lost);
    }
    Ok(ranged.into_iter().map(Ranged::case).collect())
}

/// A case without its conditions on single columns, and those as ranges.
struct Ranged {
    rest: FormulaCase,
    ranges: BTreeMap<Column, ColumnRange>,
}

impl Ranged {
    fn new(mut rest: FormulaCase) -> Self {
        let mut ranges: BTreeMap<Column, ColumnRange> = BTreeMap::new();
        let n_sizes = rest.domain.variables;
        rest.domain.inequalities.retain(|form| {
            let support: Vec<Column> = form.support().collect();
            let [column] = support[..] else { return true };
            if n_sizes < column.number() {
                return true;
            }
            let (constant, slope) = (form.constant_term(), form.coefficient(column));
            let range = ranges.entry(column).or_insert((1, None));
            if 0 < slope {
                range.0 = range.0.max(-constant.div_euclid(slope));
            } else {
                let most = constant.div_euclid(-slope);
                range.1 = Some(range.1.map_or(most, |known| known.min(most)));
            }
            false
        });
        ranges.retain(|_, range| *range != (1, None));
        Self { rest, ranges }
    }

    fn case(mut self) -> FormulaCase {
        let width = self.rest.domain.columns();
        for (column, (low, high)) in &self.ranges {
            let mut bound = |constant: i64, slope: i64| {
                let mut row = vec![0; width];
                (row[0], row[*column]) = (constant, slope);
                self.rest.domain.inequalities.push(Affine::new(row));
            };
            if 1 < *low {
                bound(-low, 1);
            }
            if let Some(high) = high {
                bound(*high, -1);
            }
        }
        self.rest
    }

    fn range(&self, column: Column) -> ColumnRange {
        self.ranges.get(&column).copied().unwrap_or((1, None))
    }
}

/// A case at a single value of a column, an adjacent case that agrees with it there, the column, and the joined range
/// of both.
fn agreement(cases: &[Ranged]) -> Result<Option<(usize, usize, Column, ColumnRange)>, Refusal> {
    for (lost, single) in cases.iter().enumerate() {
        for column in single.ranges.keys() {
            let (low, high) = single.range(*column);
            if high != Some(low) {
                continue;
            }
            for (kept, other) in cases.iter().enumerate() {
                let (from, to) = other.range(*column);
                let range = match (from.checked_sub(1) == Some(low), to.map(|to| to + 1)) {
                    (true, _) => (low, to),
                    (false, Some(after)) if after == low => (from, Some(low)),
                    _ => continue,
                };
                if kept != lost && is_same_beside(single, other, *column) {
                    let at = Polynomial::integer(low.into());
                    let [a, b] = [single, other].map(|x| x.rest.value.substituted(*column, &at));
                    if a? == b? {
                        return Ok(Some((lost, kept, *column, range)));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// Whether two cases have the same conditions except for the range of a column.
fn is_same_beside(a: &Ranged, b: &Ranged, column: Column) -> bool {
    let others = |x: &Ranged| {
        let mut ranges = x.ranges.clone();
        ranges.remove(&column);
        ranges
    };
    let has_floors = !a.rest.domain.floors.is_empty();
    !has_floors
        && a.rest.domain == b.rest.domain
        && a.rest.not_negative == b.rest.not_negative
        && others(a) == others(b)
}
