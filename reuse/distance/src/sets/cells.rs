//! How many iterations of a part find enough lines in their set, cell by cell.
//!
//! Each page of the set is met in a few boxes of two axes ([`met`](super::met)), of which enough must cover an iteration
//! ([`covered`](super::covered)). That takes as many steps as there are pages, not as many as there are iterations: caches
//! that are large have few pages in each set between a line and the next touch of it.

use super::block::LineBlock;
use super::covered::covered;
use super::forms::{ConflictBox, interval_on};
use super::met::{FormsOnBox, MetBoxes, NoBoxes, SetPages};
use super::plane::{BOX_AXES, PlaneRow};
use super::residues;
use crate::row::AxisRow;
use premiss_presburger::{Budget, Refusal};

/// For how many steps of the search, or of a sweep, a step of the budget pays.
const STEPS_PER_STEP: u64 = 16;

/// How many steps of the search a block costs.
const BLOCK_STEPS: usize = 4;

/// How many accesses of a part find at least so many pages of their set touched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellQuery<'a> {
    pub(crate) part: &'a ConflictBox,
    /// How many forms bound blocks; those behind say where they start.
    pub(crate) n_bounds: usize,
    pub(crate) pages: SetPages,
    /// So many are to be met.
    pub(crate) least: u64,
    /// There are too many boxes where more than these are expected.
    pub(crate) most_boxes: u64,
}

/// What cells tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellCount {
    /// The number of accesses, times the denominator of the multiplicity.
    Exact(i128),
    /// Several axes matter together: it has to be asked with fewer values of this one.
    Coupled(usize),
    /// There are too many axes or pages.
    TooMany,
}

/// Blocks that may share pages, and whether the sink's own page is left out of these.
pub(crate) type ArrayOfBlocks<'b> = (Vec<&'b LineBlock>, bool);

impl CellQuery<'_> {
    /// The number of accesses.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn count(
        self,
        arrays: &[ArrayOfBlocks<'_>],
        budget: &mut Budget,
    ) -> Result<CellCount, Refusal> {
        let row = match self.attempt(arrays, budget)? {
            Ok(count) => return Ok(CellCount::Exact(count)),
            Err(NoBoxes::Coupled(row)) => row.widened(),
            Err(NoBoxes::TooMany) => return Ok(CellCount::TooMany),
            Err(NoBoxes::Refused(refusal)) => return Err(refusal),
        };
        if let Some(count) = self.by_condition(&row, arrays, budget)? {
            return Ok(CellCount::Exact(count));
        }
        // If blocks start at `i + s` and at `i`, then `j = i + s` for `s` makes these depend on one axis each.
        let axes = (0..self.part.axes()).rev();
        for axis in axes.filter(|axis| row.coefficients[*axis].abs() == 1) {
            let Some(part) = self.part.with_axis_for(axis, &row)? else {
                continue;
            };
            let query = CellQuery {
                part: &part,
                ..self
            };
            if let Ok(count) = query.attempt(arrays, budget)? {
                return Ok(CellCount::Exact(count));
            }
        }
        let own = (0..self.part.axes()).filter(|axis| row.coefficients[*axis] != 0);
        let narrowest = own.min_by_key(|axis| self.part.extent(*axis));
        Ok(narrowest.map_or(CellCount::TooMany, CellCount::Coupled))
    }

    /// The same where a form is not negative, and where it is, if that is a condition on a block.
    fn by_condition(
        self,
        row: &AxisRow,
        arrays: &[ArrayOfBlocks<'_>],
        budget: &mut Budget,
    ) -> Result<Option<i128>, Refusal> {
        let blocks = arrays.iter().flat_map(|array| &array.0);
        let mut conditions = blocks.flat_map(|block| &block.conditions);
        if !conditions.any(|form| self.part.distance.0[form.place()] == *row) {
            return Ok(None);
        }
        let mut is_exact = true;
        let sum = self.part.sum_sides(row, |part| {
            let query = CellQuery { part, ..self };
            match query.count(arrays, budget)? {
                CellCount::Exact(count) if is_exact => Ok(count),
                _ => {
                    is_exact = false;
                    Ok(0)
                }
            }
        })?;
        Ok(is_exact.then_some(sum))
    }

    /// The same with the axes of the part.
    fn attempt(
        self,
        arrays: &[ArrayOfBlocks<'_>],
        budget: &mut Budget,
    ) -> Result<Result<i128, NoBoxes>, Refusal> {
        let forms = &self.part.distance.0[..];
        let varies = |axis: usize| forms.iter().any(|row| row.coefficients[axis] != 0);
        let is_point = !(0..self.part.axes()).any(varies);
        if BOX_AXES < self.part.axes() && !is_point {
            return Ok(Err(NoBoxes::TooMany));
        }
        let bounds = forms[..self.n_bounds].iter();
        let bounds = bounds.map(|row| interval_on(row, self.part));
        let bounds: Vec<(i64, i64)> = bounds.collect::<Result<_, _>>()?;
        let short = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
        let mut ranges = [(0, 0); BOX_AXES];
        if !is_point {
            for (range, own) in ranges.iter_mut().zip(&self.part.ranges) {
                *range = (short(own.0)?, short(own.1)?);
            }
        }
        let forms = forms.iter().map(PlaneRow::of);
        let forms: Vec<PlaneRow> = forms.collect::<Result<_, _>>()?;
        let rows = self.part.rows.iter().filter(|_| !is_point);
        let rows: Vec<PlaneRow> = rows.map(PlaneRow::of).collect::<Result<_, _>>()?;
        let domain = FormsOnBox {
            ranges,
            rows: &rows,
            forms: &forms,
            bounds: &bounds,
        };
        let mut met = MetBoxes::new(
            domain,
            self.pages,
            self.most_boxes,
            is_point.then_some(self.least),
        );
        let mut all = arrays.iter();
        let outcome = all.try_for_each(|(blocks, is_own)| met.add(blocks, *is_own));
        let n_blocks: usize = arrays.iter().map(|x| x.0.len()).sum();
        let made = (forms.len() + BLOCK_STEPS * n_blocks) as u64;
        budget.spend(1 + (made + met.steps) / STEPS_PER_STEP)?;
        if let Err(why) = outcome {
            return Ok(Err(why));
        }
        if (met.n_pages as u64) < self.least {
            return Ok(Ok(0));
        }
        let count = match is_point || self.least == 0 {
            true => residues::sum(self.part, budget),
            false => {
                let (count, steps) = covered(self.part, &met.boxes, self.least)?;
                budget.spend(steps / STEPS_PER_STEP)?;
                Ok(count)
            }
        };
        count.map(Ok)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::part::WeightedBox;
    use crate::sets::block::{Bound, Direction};
    use crate::sets::forms::{AxisForms, FormTable};
    use premiss_arithmetic::{Exponents, PackedPolynomial};
    use premiss_presburger::Affine;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A form of two axes.
    pub(crate) type Form = (i64, i64, i64);

    /// Elements `start + Σ stride·t` with `0 <= t` and `divisor·t <= steps`, less the first `t` if the directions are no
    /// product; none where the condition is negative.
    #[derive(Clone, Debug)]
    pub(crate) struct Elements {
        condition: Form,
        start: Form,
        directions: Vec<(i64, Form, i64)>,
        is_product: bool,
    }

    impl Elements {
        pub(crate) fn block(&self, bounds: &mut FormTable, starts: &mut FormTable) -> LineBlock {
            let zero = bounds.intern(affine((0, 0, 0)));
            let mut directions = Vec::new();
            for (idx, (stride, steps, divisor)) in self.directions.iter().enumerate() {
                let is_product = self.is_product;
                let with_own = |own: i64| match is_product {
                    true => vec![own],
                    false => [vec![0; idx], vec![own]].concat(),
                };
                let mut upper = with_own(-divisor);
                if 0 < idx && !self.is_product {
                    upper[0] = -1;
                }
                let bound = |form, coefficients| Bound { form, coefficients };
                let steps = bounds.intern(affine(*steps));
                directions.push(Direction {
                    stride: *stride,
                    bounds: vec![bound(zero, with_own(1)), bound(steps, upper)],
                    lengths: Vec::new(),
                });
            }
            LineBlock {
                conditions: vec![bounds.intern(affine(self.condition))],
                directions,
                start: starts.intern(affine(self.start)),
                is_product: self.is_product,
                is_anchored: true,
            }
        }

        pub(crate) fn at(&self, x: i64, y: i64) -> Vec<i64> {
            let of = |form: Form| form.0 + form.1 * x + form.2 * y;
            if of(self.condition) < 0 {
                return Vec::new();
            }
            let mut places = vec![(of(self.start), 0)];
            for (idx, (stride, steps, divisor)) in self.directions.iter().enumerate() {
                let mut next = Vec::new();
                for (place, first) in places {
                    let less = if self.is_product { 0 } else { first };
                    for t in 0..=(of(*steps) - less).div_euclid(*divisor) {
                        next.push((place + t * stride, if idx == 0 { t } else { first }));
                    }
                }
                places = next;
            }
            places.into_iter().map(|x| x.0).collect()
        }
    }

    pub(crate) fn affine(form: Form) -> Affine {
        Affine::new(vec![form.0, form.1, form.2])
    }

    pub(crate) fn row(form: &Affine) -> AxisRow {
        let [constant, x, y] = form.coefficients()[..] else {
            panic!("a form of two axes");
        };
        let row = AxisRow::new(i128::from(constant));
        let row = row.plus(0, x).and_then(|row| row.plus(1, y));
        row.expect("it is small")
    }

    pub(crate) fn elements() -> impl Strategy<Value = Elements> {
        let factor = || prop_oneof![Just(0_i64), -3..4_i64, Just(12_i64), Just(-24_i64)];
        let condition = prop_oneof![Just((0, 0, 0)), (-9..9_i64, -2..3_i64, -2..3_i64)];
        let start = (-60..60_i64, factor(), factor());
        let steps = (0..5_i64, -1..2_i64, -1..2_i64);
        let stride = prop_oneof![-40..40_i64, Just(12_i64), Just(-12_i64), Just(1_i64)];
        let divisor = prop_oneof![3 => Just(1_i64), 1 => 2..4_i64];
        let directions = vec((stride, steps, divisor), 0..4);
        let all = (condition, start, directions, any::<bool>());
        all.prop_map(|(condition, start, directions, is_product)| Elements {
            condition,
            start,
            directions,
            is_product,
        })
    }

    /// The points `0 <= x < wide`, `0 <= y < high`, `y <= x + diagonal`, each with the weight `1 + a + b·x`.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Points {
        wide: i128,
        high: i128,
        diagonal: i128,
        weights: (i128, i128),
    }

    impl Points {
        pub(crate) fn part(self, forms: Vec<AxisRow>) -> Option<ConflictBox> {
            let axis = |axis: usize, sign: i64, rest: i128| AxisRow::bound(axis, sign, rest);
            let below = axis(0, 1, self.diagonal).plus(1, -1).expect("it is small");
            let ends = [axis(0, 1, 0), axis(0, -1, self.wide - 1), axis(1, 1, 0)];
            let rows = [&ends[..], &[axis(1, -1, self.high - 1), below]].concat();
            let x = Exponents::default().times(0, 1).expect("it is small");
            let terms = vec![
                (Exponents::default(), 1 + self.weights.0),
                (x, self.weights.1),
            ];
            let multiplicity = PackedPolynomial::new(1, terms).expect("it is small");
            WeightedBox::new(2, rows, AxisForms(forms), multiplicity).expect("it is small")
        }

        /// The sum of the weights of some points.
        pub(crate) fn sum(self, is_counted: impl Fn(i64, i64) -> bool) -> i128 {
            let short = |x: i128| i64::try_from(x).expect("it is small");
            let mut sum = 0;
            for x in 0..self.wide {
                for y in (0..self.high).filter(|y| *y <= x + self.diagonal) {
                    if is_counted(short(x), short(y)) {
                        sum += 1 + self.weights.0 + self.weights.1 * x;
                    }
                }
            }
            sum
        }
    }

    pub(crate) fn points() -> impl Strategy<Value = Points> {
        let all = (1..12_i128, 1..12_i128, -3..9_i128, (0..3_i128, 0..3_i128));
        all.prop_map(|(wide, high, diagonal, weights)| Points {
            wide,
            high,
            diagonal,
            weights,
        })
    }

    proptest! {
        #[test]
        fn cells_count_what_enumeration_counts(
            length in 1..9_i64,
            sets in 1..9_i64,
            arrays in vec((vec(elements(), 1..3), any::<bool>()), 1..4),
            points in points(),
            least in 1..6_u64,
        ) {
            let pages = SetPages { length, period: length * sets };
            let (mut bounds, mut starts) = (FormTable::default(), FormTable::default());
            let mut built: Vec<(Vec<LineBlock>, bool)> = Vec::new();
            for (all, is_own) in &arrays {
                let blocks = all.iter().map(|x| x.block(&mut bounds, &mut starts));
                built.push((blocks.collect(), *is_own));
            }
            let forms = bounds.forms().iter().chain(starts.forms()).map(row);
            let Some(part) = points.part(forms.collect()) else {
                return Ok(());
            };
            let query = CellQuery { part: &part, n_bounds: bounds.forms().len(), pages, least, most_boxes: 256 };
            let of_arrays = built.iter().map(|(blocks, is_own)| (blocks.iter().collect(), *is_own));
            let of_arrays: Vec<ArrayOfBlocks<'_>> = of_arrays.collect();
            let count = query.count(&of_arrays, &mut Budget::new(1 << 20));
            let CellCount::Exact(count) = count.expect("it is small") else {
                return Ok(());
            };
            let expected = points.sum(|x, y| {
                let met = |(all, is_own): &(Vec<Elements>, bool)| {
                    let places = all.iter().flat_map(|elements| elements.at(x, y));
                    let own: BTreeSet<i64> = places.map(|place| place.div_euclid(length)).collect();
                    own.iter().filter(|page| **page % sets == 0 && !(*is_own && **page == 0)).count() as u64
                };
                least <= arrays.iter().map(met).sum()
            });
            prop_assert_eq!(count, expected);
        }
    }
}
