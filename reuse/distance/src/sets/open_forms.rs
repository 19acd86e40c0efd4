//! Which forms have to be known to count the lines of blocks in a set.
//!
//! `0 <= x <= min(7, n)` is a block of eight lines where `7 <= n`, whatever `n` is: there, `n` is not open. Nor is it if the
//! lines `64·x` for `0 <= x <= n` are in one of 64 sets of eight ways: where `7 <= n`, they evict all other lines of that set.

use super::block::{Direction, LineBlock};
use super::forms::FormId;
use premiss_arithmetic::{div_floor, gcd};

/// Which forms of blocks matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormsOfInterest {
    /// Those that say how long they are.
    Lengths,
    /// Those that say where they are, too.
    All,
}

/// How many lines evict another one, and of how many sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetsOfWays {
    pub(crate) sets: i64,
    pub(crate) ways: u64,
}

/// The forms, by place, that are not known and may matter for blocks of which it is not known how many lines are in a set;
/// `lines` has at least and at most how many are.
pub(crate) fn open_forms(
    blocks: &[LineBlock],
    geometry: SetsOfWays,
    matter: FormsOfInterest,
    bounds: &[(i64, i64)],
    lines: &[(u64, u64)],
) -> Vec<usize> {
    let is_long: Vec<bool> = blocks
        .iter()
        .map(|block| block.is_long_enough(geometry, bounds))
        .collect();
    let short = lines.iter().zip(&is_long).filter(|(_, is_long)| !**is_long);
    let short = short.fold(0_u64, |sum, (x, _)| sum.saturating_add(x.1));
    let mut forms = Vec::new();
    for ((block, lines), is_long) in blocks.iter().zip(lines).zip(is_long) {
        // Blocks that are too short to evict a line do not matter beside those that do so wherever they have one.
        if lines.0 < lines.1 && (is_long || geometry.ways <= short) {
            let long = is_long.then_some(geometry.sets);
            block.add_open(long, matter, bounds, &mut forms);
        }
    }
    forms
}

impl LineBlock {
    /// Adds the forms without a known value on which it depends which lines there are: conditions that may fail, and bounds or
    /// lengths that may be the tightest ones of their direction. Of a [long enough](Self::is_long_enough) block, `long` has the
    /// number of sets.
    fn add_open(
        &self,
        long: Option<i64>,
        matter: FormsOfInterest,
        bounds: &[(i64, i64)],
        forms: &mut Vec<usize>,
    ) {
        let may_fail = |form: &&FormId| form.of(bounds).0 < 0;
        let mut all: Vec<FormId> = self.conditions.iter().filter(may_fail).copied().collect();
        let is_long = |x: &&Direction| long.is_some_and(|sets| 0 < x.rounds(sets, bounds));
        for direction in self.directions.iter().filter(|x| !is_long(x)) {
            direction.add_tightest_lengths(bounds, &mut all);
            if matter == FormsOfInterest::All {
                direction.add_tightest_bounds(bounds, &mut all);
            }
        }
        let is_open = |form: &FormId| form.of(bounds).0 < form.of(bounds).1;
        for form in all.iter().filter(|form| is_open(form)) {
            if !forms.contains(&form.place()) {
                forms.push(form.place());
            }
        }
    }

    /// Whether each set in which there are lines has enough of them to evict any other line, as the directions go often enough
    /// through all sets that they reach. Of those that do so at least once it does not matter how long they are.
    fn is_long_enough(&self, geometry: SetsOfWays, bounds: &[(i64, i64)]) -> bool {
        let rounds = || {
            let all = self.directions.iter();
            let all = all.map(|x| x.rounds(geometry.sets, bounds));
            all.filter(|rounds| 0 < *rounds)
                .fold(1, u64::saturating_mul)
        };
        self.is_anchored && geometry.ways <= rounds()
    }
}

impl Direction {
    /// How often it goes at least through all sets that it reaches.
    fn rounds(&self, sets: i64, bounds: &[(i64, i64)]) -> u64 {
        let period = sets / gcd(self.stride, sets);
        u64::try_from(self.lengths(bounds).least / period).unwrap_or(0)
    }

    fn add_tightest_lengths(&self, bounds: &[(i64, i64)], forms: &mut Vec<FormId>) {
        let lengths = self.lengths.iter().map(|length| {
            let (lo, hi) = length.form.of(bounds);
            let steps = |x: i64| div_floor(x, length.divisor);
            (
                length.form,
                steps(lo) + i64::from(length.is_exact),
                steps(hi) + 1,
            )
        });
        add_tightest(&lengths.collect::<Vec<_>>(), forms);
    }

    fn add_tightest_bounds(&self, bounds: &[(i64, i64)], forms: &mut Vec<FormId>) {
        // Lower bounds are upper ones of the negated direction.
        let mut sides: [Vec<BoundOfForm>; 2] = Default::default();
        for bound in &self.bounds {
            let Some((own, others)) = bound.coefficients.split_last() else {
                continue;
            };
            if others.iter().any(|x| *x != 0) {
                forms.push(bound.form);
                continue;
            }
            let (lo, hi) = bound.form.of(bounds);
            let step = own.abs();
            let side = usize::from(0 < *own);
            sides[side].push((bound.form, div_floor(lo, step), div_floor(hi, step)));
        }
        sides.iter().for_each(|side| add_tightest(side, forms));
    }
}

/// A form, and the least and the greatest value of a bound that it makes.
type BoundOfForm = (FormId, i64, i64);

/// Adds the forms of upper bounds that are not known and may be the tightest one: of `x <= 7` and `x <= n`, none where `7 <= n`,
/// and of `8·x <= n` none where `16 <= n <= 23`.
fn add_tightest(all: &[BoundOfForm], forms: &mut Vec<FormId>) {
    let most = all.iter().map(|x| x.2).min();
    let may_bind = |x: &&BoundOfForm| most.is_none_or(|most| x.1 < most);
    forms.extend(all.iter().filter(may_bind).map(|x| x.0));
}
