//! How many lines of a block are in each set.
//!
//! Bounds that treat one direction of a block after the other are far apart where no direction is as long as a period:
//! 1,000 rows of 100 lines put 48 or 49 lines into each of 2,048 sets, but no row fills the sets, and no column does.
//! Here the lines in every set are counted, direction by direction, in a few steps for each set; equal questions are
//! answered once.

use super::congruence::{Lengths, Progression, congruent, join};
use crate::row::AxisRow;
use premiss_arithmetic::gcd;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The residues at which a block may start: those congruent to `residue` modulo `modulus`, which divides the number of
/// sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Starts {
    residue: i64,
    modulus: i64,
}

impl Starts {
    /// Any residue.
    pub(crate) const ANY: Self = Self {
        residue: 0,
        modulus: 1,
    };

    /// The values of a form over some axes, for so many sets.
    pub(crate) fn of(row: &AxisRow, axes: usize, sets: i64) -> Self {
        let steps = row.coefficients[..axes].iter();
        let modulus = steps.fold(sets, |modulus, step| gcd(*step, modulus));
        let residue = row.constant.rem_euclid(i128::from(modulus));
        Self {
            residue: i64::try_from(residue).unwrap_or(0),
            modulus,
        }
    }

    /// Those that are so many lines further on.
    pub(crate) fn moved_by(self, lines: i64) -> Self {
        Self {
            residue: (self.residue + lines.rem_euclid(self.modulus)) % self.modulus,
            ..self
        }
    }

    /// All of them below a number of sets.
    pub(super) fn indices(self, sets: usize) -> impl Iterator<Item = usize> {
        let index = |residue: i64| usize::try_from(residue).unwrap_or(0);
        (index(self.residue)..sets).step_by(index(self.modulus).max(1))
    }

    /// Also those that are any number of strides further on.
    pub(crate) fn with_multiples_of(self, stride: i64) -> Self {
        let modulus = gcd(stride, self.modulus);
        Self {
            residue: self.residue % modulus,
            modulus,
        }
    }
}

/// The lines in each of some sets.
#[derive(Debug)]
pub(crate) struct SetLoad {
    lines: Vec<u64>,
    least: u64,
    most: u64,
    /// The fewest lines in a set that has some.
    least_met: u64,
    /// The extremes by starts, as far as they were asked for.
    by_starts: RefCell<HashMap<Starts, (u64, u64)>>,
}

impl SetLoad {
    pub(crate) fn new(lines: Vec<u64>) -> Self {
        Self {
            least: lines.iter().copied().min().unwrap_or(0),
            most: lines.iter().copied().max().unwrap_or(0),
            least_met: lines.iter().copied().filter(|x| 0 < *x).min().unwrap_or(0),
            lines,
            by_starts: RefCell::default(),
        }
    }

    /// How many sets there are.
    pub(crate) fn sets(&self) -> usize {
        self.lines.len()
    }

    /// The most lines in a set.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The fewest lines in a set that has some.
    pub(crate) fn least_met(&self) -> u64 {
        self.least_met
    }

    /// The lines that are in set 0 if all of them are moved by `start`, which is not negative and below the number of
    /// sets.
    pub(crate) fn moved_by(&self, start: usize) -> u64 {
        match start {
            0 => self.lines[0],
            start => self.lines[self.lines.len() - start],
        }
    }

    /// Adds the lines that are in set 0, `factor` times each, for all starts from `start` on, which is below the number of
    /// sets; behind the last one comes 0.
    pub(crate) fn add_for_starts(&self, factor: u64, start: usize, lines: &mut [u64]) {
        let mut start = start;
        for lines in lines {
            let own = factor.saturating_mul(self.moved_by(start));
            *lines = lines.saturating_add(own);
            start = if start + 1 == self.sets() {
                0
            } else {
                start + 1
            };
        }
    }

    /// The least and the most lines that are in set 0 for some starts.
    pub(crate) fn extremes(&self, starts: Starts) -> (u64, u64) {
        let index = |residue: i64| usize::try_from(residue).unwrap_or(0);
        let step = index(starts.modulus).max(1);
        if step == 1 || self.least == self.most {
            return (self.least, self.most);
        }
        if step == self.lines.len() {
            let lines = self.moved_by(index(starts.residue));
            return (lines, lines);
        }
        let mut by_starts = self.by_starts.borrow_mut();
        *by_starts.entry(starts).or_insert_with(|| {
            let all = starts.indices(self.lines.len());
            let all = all.map(|start| self.moved_by(start));
            all.fold((u64::MAX, 0), |sum, x| (sum.0.min(x), sum.1.max(x)))
        })
    }
}

/// What is asked of [`SetLoads`]: a list of numbers.
pub(crate) type LoadKey = Vec<(i64, i64)>;

/// The loads of one number of sets.
#[derive(Debug)]
pub(crate) struct SetLoads {
    sets: i64,
    /// In [`MOST_BYTES`] at most.
    loads: RefCell<HashMap<LoadKey, Rc<SetLoad>>>,
    steps: Cell<u64>,
}

/// What is known takes at most about so many bytes.
const MOST_BYTES: usize = 64 << 20;

/// For how many sets a step of a budget pays.
const SETS_PER_STEP: i64 = 16;

/// About how many steps it takes to bound the lines of a block by the lines in each of so many sets: two loads.
pub(super) fn steps_of_bounds(sets: i64) -> u64 {
    2 * (sets / SETS_PER_STEP).unsigned_abs()
}

impl SetLoads {
    pub(crate) fn new(sets: i64) -> Self {
        Self {
            sets,
            loads: RefCell::default(),
            steps: Cell::new(0),
        }
    }

    pub(crate) fn sets(&self) -> i64 {
        self.sets
    }

    /// The steps taken since this was last asked.
    pub(crate) fn take_steps(&self) -> u64 {
        self.steps.take()
    }

    /// Adds steps that were taken.
    pub(crate) fn spend(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_add(steps));
    }

    /// The least and the greatest number of sums of a start and one term of each progression that are multiples of the number
    /// of sets, for all starts; saturating.
    pub(crate) fn extremes(&self, progressions: &[Progression], starts: Starts) -> (u64, u64) {
        let Some((factor, open)) = self.reduced(progressions) else {
            return (0, 0);
        };
        let (least, most) = match open[..] {
            [] | [_] if starts.modulus == self.sets => {
                let lines = congruent(self.sets, starts.residue, &open);
                (lines, lines)
            }
            [] => match starts.residue {
                0 => (u64::from(self.sets == 1), 1),
                _ => (0, 0),
            },
            [only] => {
                let common = gcd(only.stride, self.sets);
                let period = self.sets / common;
                let most = ((only.length - 1) / period + 1).unsigned_abs();
                if starts.residue % gcd(common, starts.modulus) != 0 {
                    (0, 0)
                } else if starts.modulus == common {
                    ((only.length / period).unsigned_abs(), most)
                } else if common % starts.modulus == 0 {
                    (0, most)
                } else {
                    self.of_reduced(&open).extremes(starts)
                }
            }
            _ => self.of_reduced(&open).extremes(starts),
        };
        (least.saturating_mul(factor), most.saturating_mul(factor))
    }

    /// The number of sums, one term of each progression, that are congruent to each number, and a factor of all these
    /// numbers; `None` where there are none.
    pub(crate) fn load(&self, progressions: &[Progression]) -> Option<(u64, Rc<SetLoad>)> {
        let (factor, open) = self.reduced(progressions)?;
        Some((factor, self.of_reduced(&open)))
    }

    /// The progressions that matter, and by how many times the others multiply their sums.
    fn reduced(&self, progressions: &[Progression]) -> Option<(u64, Vec<Progression>)> {
        let mut factor = 1_u64;
        let mut open = Vec::with_capacity(progressions.len());
        for progression in progressions {
            if progression.length <= 0 {
                return None;
            }
            let stride = progression.stride.rem_euclid(self.sets);
            if stride == 0 {
                factor = factor.saturating_mul(progression.length.unsigned_abs());
            } else if 1 < progression.length {
                let length = progression.length;
                open.push(Lengths::from(Progression { stride, length }));
            }
        }
        join(self.sets, &mut open);
        let of_known_length = |x: Lengths| Progression {
            stride: x.stride,
            length: x.most,
        };
        Some((factor, open.into_iter().map(of_known_length).collect()))
    }

    fn of_reduced(&self, open: &[Progression]) -> Rc<SetLoad> {
        let key = open.iter().map(|x| (x.stride, x.length)).collect();
        self.answer(key, || distribution(self.sets, open))
    }

    /// The answer to a question, from the lines in each set.
    pub(crate) fn answer(&self, key: LoadKey, lines: impl FnOnce() -> Vec<u64>) -> Rc<SetLoad> {
        self.spend(1);
        if let Some(known) = self.loads.borrow().get(&key) {
            return Rc::clone(known);
        }
        self.spend((self.sets / SETS_PER_STEP).unsigned_abs());
        let load = Rc::new(SetLoad::new(lines()));
        let mut loads = self.loads.borrow_mut();
        if MOST_BYTES < (loads.len() + 1) * load.lines.len() * size_of::<u64>() {
            loads.clear();
        }
        loads.insert(key, Rc::clone(&load));
        load
    }
}

/// How many sums of a term of each progression are congruent to each number.
fn distribution(sets: i64, progressions: &[Progression]) -> Vec<u64> {
    let mut counts = vec![0; usize::try_from(sets).unwrap_or(0)];
    counts[0] = 1;
    for progression in progressions {
        counts = spread(sets, &counts, *progression);
    }
    counts
}

/// The counts after a term of a progression is added to each number: sums over windows of the cycles into which the
/// stride divides the residues.
fn spread(sets: i64, counts: &[u64], progression: Progression) -> Vec<u64> {
    let stride = progression.stride.rem_euclid(sets);
    let cycles = gcd(stride, sets);
    let period = sets / cycles;
    let whole = (progression.length / period).unsigned_abs();
    let rest = progression.length % period;
    let mut spread = vec![0; counts.len()];
    let index = |residue: i64| usize::try_from(residue).unwrap_or(0);
    let step = |residue: i64| (residue + stride) % sets;
    for first in 0..cycles {
        let mut at = first;
        let mut all = 0_u64;
        for _ in 0..period {
            all = all.saturating_add(counts[index(at)]);
            at = step(at);
        }
        // Of the `rest` numbers up to `at`.
        let mut behind = first;
        let mut window = 0_u64;
        for _ in 0..rest {
            window += counts[index(at)];
            at = step(at);
        }
        for _ in 0..period {
            // The window ends before `at`.
            let last = (at + sets - stride) % sets;
            spread[index(last)] = window.saturating_add(whole.saturating_mul(all));
            if 0 < rest {
                window = window - counts[index(behind)] + counts[index(at)];
            }
            behind = step(behind);
            at = step(at);
        }
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::super::congruence::tests::enumerated;
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn loads_and_extremes_are_those_of_enumeration(
            sets in 1..70_i64,
            all in vec((-140..140_i64, 0..14_i64), 0..4),
            constant in -100..100_i128,
            step in -100..100_i64,
        ) {
            let all: Vec<_> = all
                .into_iter()
                .map(|(stride, length)| Progression { stride, length })
                .collect();
            let numbers = (0..sets).map(|start| enumerated(sets, start, &all));
            let numbers: Vec<u64> = numbers.collect();
            if let Some((factor, load)) = SetLoads::new(sets).load(&all) {
                for (start, number) in numbers.iter().enumerate() {
                    prop_assert_eq!(factor * load.moved_by(start), *number);
                }
            }
            let row = AxisRow::new(constant).plus(0, step).expect("it is small");
            let starts = (0..i128::from(sets)).map(|x| constant + i128::from(step) * x);
            let starts = starts.map(|x| usize::try_from(x.rem_euclid(i128::from(sets))));
            let starts: Vec<usize> = starts.map(|x| x.expect("it is small")).collect();
            let met = starts.iter().map(|start| numbers[*start]);
            let least = met.clone().min().expect("a start");
            let most = met.max().expect("a start");
            let loads = SetLoads::new(sets);
            let found = loads.extremes(&all, Starts::of(&row, 1, sets));
            prop_assert_eq!(found, (least, most));
            let any = loads.extremes(&all, Starts::ANY);
            let expected = (numbers.iter().min().copied(), numbers.iter().max().copied());
            prop_assert_eq!((Some(any.0), Some(any.1)), expected);
        }
    }
}
