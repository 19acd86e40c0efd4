//! Tables of constants as functions of their index, piece by piece.
//!
//! Equal entries are one piece, and so are those that follow one another by equal steps, if they are
//! many: the index comes into the subscript there, beside the variable that the entry is added to.
//!
//! ```text
//! index   0   1   2   3          1   where index <= 0
//! entry   1   0   0  -1          0   where 1 <= index <= 2
//!                               -1   where 3 <= index
//! ```
//!
//! The first and the last piece extend beyond the table: an index there is a hole, which the evaluator's caller has to
//! rule out.

use crate::condition::{Cases, ConditionCases, Conjunction, MOST_CASES, both};
use crate::polynomial::Polynomial;
use crate::reject::Obstacle;
use premiss_tree::Table;

/// The least number of entries whose equal steps make a piece.
const MANY: usize = 5;

/// Entries from one index on that follow each other by equal steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TableRun {
    first: i64,
    value: i64,
    step: i64,
}

/// A table, as far as it falls into few enough runs.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    length: i64,
    runs: Result<Vec<TableRun>, Obstacle>,
}

impl Runs {
    pub(crate) fn of(table: &Table) -> Self {
        Self {
            length: i64::try_from(table.entries.len()).unwrap_or(i64::MAX),
            runs: runs(&table.entries),
        }
    }

    /// The condition that an index is within the table.
    pub(crate) fn has(&self, index: &Polynomial) -> Result<ConditionCases, Obstacle> {
        let from_first = ConditionCases::not_negative(index)?;
        let to_last = index.scaled(-1)?.plus_constant(self.length - 1)?;
        from_first.and(&ConditionCases::not_negative(&to_last)?)
    }

    /// The entry at an index of the table.
    pub(crate) fn at(&self, index: &Polynomial) -> Result<Cases, Obstacle> {
        let runs = self.runs.as_ref().map_err(|obstacle| *obstacle)?;
        let mut all = Cases(Vec::new());
        for (number, run) in runs.iter().enumerate() {
            let mut case = vec![Conjunction::new()];
            if 0 < number {
                let from = index.plus_constant(-run.first)?;
                case = ConditionCases::not_negative(&from)?.holds;
            }
            if let Some(next) = runs.get(number + 1) {
                let before = index.scaled(-1)?.plus_constant(next.first - 1)?;
                let before = ConditionCases::not_negative(&before)?.holds;
                let pairs = case.iter().zip(before.first());
                case = pairs.filter_map(|(a, b)| both(a, b)).collect();
            }
            let moved = index.plus_constant(-run.first)?.scaled(run.step)?;
            let value = moved.plus_constant(run.value)?;
            all.0
                .extend(case.into_iter().map(|case| (case, value.clone())));
        }
        Ok(all)
    }
}

/// The longest runs from left to right.
fn runs(entries: &[i64]) -> Result<Vec<TableRun>, Obstacle> {
    let mut runs = Vec::new();
    let (mut first, mut rest) = (0, entries);
    while let Some(value) = rest.first() {
        if runs.len() == MOST_CASES {
            return Err(Obstacle::Cases(MOST_CASES));
        }
        let step = match rest.get(1) {
            Some(next) => next.checked_sub(*value).unwrap_or(0),
            None => 0,
        };
        let (step, length) = match length_of_run(rest, step) {
            length if MANY <= length => (step, length),
            _ => (0, length_of_run(rest, 0)),
        };
        runs.push(TableRun {
            first,
            value: *value,
            step,
        });
        first += i64::try_from(length).unwrap_or(i64::MAX);
        rest = &rest[length..];
    }
    Ok(runs)
}

/// How many entries from the first on follow each other by a step.
fn length_of_run(entries: &[i64], step: i64) -> usize {
    let follows = |pair: &&[i64]| pair[0].checked_add(step) == Some(pair[1]);
    1 + entries.windows(2).take_while(follows).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_are_one_run() {
        let run = |first, value, step| TableRun { first, value, step };
        assert_eq!(runs(&[]), Ok(vec![]));
        assert_eq!(runs(&[7]), Ok(vec![run(0, 7, 0)]));
        let each = [run(0, 1, 0), run(1, 0, 0), run(2, -1, 0), run(3, 0, 0)];
        assert_eq!(runs(&[1, 0, -1, 0]), Ok(each.to_vec()));
        let sloped = [run(0, 9, 0), run(1, 0, 2), run(6, 1, 0)];
        assert_eq!(runs(&[9, 0, 2, 4, 6, 8, 1, 1]), Ok(sloped.to_vec()));
        assert_eq!(runs(&[5, 5, 5, 5]), Ok(vec![run(0, 5, 0)]));
        let far = [i64::MIN, i64::MAX, 0];
        assert_eq!(
            runs(&far),
            Ok(vec![run(0, i64::MIN, 0), run(1, i64::MAX, 0), run(2, 0, 0)])
        );
        let squares: Vec<i64> = (0..1000).map(|k| k * k).collect();
        assert_eq!(runs(&squares), Err(Obstacle::Cases(MOST_CASES)));
    }

    #[test]
    fn each_index_of_a_table_has_its_entry_in_one_case() {
        use crate::polynomial::Symbol;
        use crate::test_forms::Point;

        for entries in [vec![7], vec![1, 0, 0, -1], vec![9, 0, 2, 4, 6, 8, 1, 1]] {
            let table = Runs::of(&Table {
                name: "t".to_owned(),
                entries: entries.clone().into(),
            });
            let index = Polynomial::symbol(Symbol::Iterator(0));
            let at = table.at(&index).expect("there are few runs");
            let has = table.has(&index).expect("it is small");
            let length = i64::try_from(entries.len()).expect("it is small");
            for place in -2..length + 2 {
                let point = Point {
                    iterators: &[place],
                    sizes: &[],
                    floors: &[],
                };
                let cases = at.0.iter().filter(|(case, _)| point.satisfies(case));
                let values: Vec<i64> = cases.map(|(_, x)| point.value(x)).collect();
                let is_inside = has.holds.iter().any(|case| point.satisfies(case));
                let entry = usize::try_from(place).ok().and_then(|x| entries.get(x));
                assert_eq!(is_inside, entry.is_some());
                assert_eq!(values.len(), 1, "cases are everywhere, and disjoint");
                assert!(entry.is_none_or(|entry| values == [*entry]), "{place}");
            }
        }
    }
}
