//! How many of a part's accesses find their page evicted.

use super::block_shape::BlockShape;
use super::congruent_sum::{Congruence, Steps};
use super::cover::{ArrayBlocks, PageBlock};
use super::windows::{StartRange, Windows};
use crate::row::AxisRow;
use crate::sets::block::LineBlock;
use crate::sets::forms::{ConflictBox, interval};
use crate::sets::query::straightened;
use premiss_arithmetic::{add, div_floor, univariate};
use premiss_presburger::{Budget, Refusal};

/// Pages are gone through one by one where so few of them differ in one coordinate alone.
const FEW_PAGES: i128 = 16;

/// For how many steps within a block, or along a line, a step of the budget pays.
const STEPS_PER_STEP: u64 = 8;

/// Elements that are touched between two touches of a page, of which at least `ways` pages in its set evict it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageQuery<'a> {
    /// The blocks of each array.
    pub(crate) arrays: &'a [ArrayBlocks],
    /// How many forms bound blocks; those behind say where they start.
    pub(crate) n_bounds: usize,
    /// Where a page starts.
    pub(crate) congruence: Congruence,
    pub(crate) windows: &'a Windows,
    /// With the page itself, which the blocks contain.
    pub(crate) ways: u64,
}

/// The shapes of the blocks of each array, with an interval for each form that bounds them.
struct Shapes<'a> {
    bounds: Vec<(i64, i64)>,
    arrays: Vec<ArrayShapes<'a>>,
}

/// The shapes of the blocks of one array.
struct ArrayShapes<'a> {
    blocks: Vec<BlockShape<'a>>,
    /// Fewer blocks that cover these; nothing where they are the same.
    cover: Option<Vec<BlockShape<'a>>>,
    /// Whether the page itself counts with them.
    is_own: bool,
}

/// What is known of lengths.
#[derive(Clone, Copy)]
enum Lengths<'a> {
    /// All.
    Known(&'a Shapes<'a>),
    /// Not all; of this block least, if of any.
    Open(Option<&'a LineBlock>),
}

/// What is known of all iterations of a box.
enum Decision<'a> {
    Hits,
    Misses,
    /// The block of which least is known.
    Open(Option<&'a LineBlock>),
}

impl Shapes<'_> {
    /// Whether all lengths are known.
    fn are_known(&self) -> bool {
        let mut blocks = self.arrays.iter().flat_map(|array| &array.blocks);
        blocks.all(|shape| shape.is_known)
    }
}

impl<'a> PageQuery<'a> {
    /// The number of accesses of a part whose page was evicted, times the denominator of the multiplicity. `sum` is the number
    /// of all accesses of the part.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn misses(
        self,
        part: &ConflictBox,
        sum: impl FnOnce(&mut Budget) -> Result<i128, Refusal>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let shapes = self.shapes(part)?;
        match self.verdict(part, &shapes, budget)? {
            Decision::Hits => Ok(0),
            Decision::Misses => sum(budget),
            Decision::Open(_) if shapes.are_known() => {
                self.pieces(part, Lengths::Known(&shapes), budget)
            }
            Decision::Open(widest) => self.pieces(part, Lengths::Open(widest), budget),
        }
    }

    /// The same for a piece of a part, with the shapes of blocks if these are known.
    fn piece(
        self,
        part: &ConflictBox,
        lengths: Lengths<'_>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let Lengths::Known(shapes) = lengths else {
            return self.misses(part, |budget| self.congruence.sum(part, budget), budget);
        };
        match self.verdict(part, shapes, budget)? {
            Decision::Hits => Ok(0),
            Decision::Misses => self.congruence.sum(part, budget),
            Decision::Open(_) => self.pieces(part, lengths, budget),
        }
    }

    /// The same, piece by piece.
    fn pieces(
        self,
        part: &ConflictBox,
        lengths: Lengths<'_>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let own = self.congruence.axes(part);
        if own.is_empty() {
            if !self.congruence.holds(part) {
                return Ok(0);
            }
            if let (Lengths::Known(shapes), 0 | 1) = (lengths, part.axes()) {
                return self.line(part, shapes, budget);
            }
        }
        if let [axis] = own[..]
            && part.extent(axis) <= FEW_PAGES * i128::from(self.congruence.period(part, axis))
        {
            let Some(Steps { first, period }) = self.congruence.steps(part, axis) else {
                return Ok(0);
            };
            let mut misses = 0;
            let mut value = first;
            while value <= part.ranges[axis].1 {
                if let Some(slice) = part.at(axis, value)? {
                    misses = add(misses, self.piece(&slice, lengths, budget)?)?;
                }
                value += period;
            }
            return Ok(misses);
        }
        if let Lengths::Open(_) = lengths
            && let Some(straight) = straightened(part, self.n_bounds)?
        {
            return self.piece(&straight, lengths, budget);
        }
        let Some(axis) = self.axis(part, &own, lengths) else {
            // Nothing moves: what happens at one point happens at all.
            let Lengths::Known(shapes) = lengths else {
                return Err(Refusal::Failed);
            };
            let mut pages = 0;
            for array in &shapes.arrays {
                pages += self.exact(&self.moving(part, array)?, shapes, 0, budget)?;
            }
            return match self.ways <= pages {
                true => self.congruence.sum(part, budget),
                false => Ok(0),
            };
        };
        let (lo, hi) = part.ranges[axis];
        let middle = lo + (hi - lo) / 2;
        let mut misses = 0;
        for range in [(lo, middle), (middle + 1, hi)] {
            if let Some(half) = part.within(axis, range)? {
                misses = add(misses, self.piece(&half, lengths, budget)?)?;
            }
        }
        Ok(misses)
    }

    /// The axis to bisect: that on which the lengths of the block depend most of which least is known; else the longest one that
    /// tells where the page starts; else one on which other lengths depend, or where a block starts if these are known.
    fn axis(self, part: &ConflictBox, own: &[usize], lengths: Lengths<'_>) -> Option<usize> {
        let (bounds, starts) = part.distance.0.split_at(self.n_bounds);
        let depends = |rows: &[AxisRow], axis: usize| {
            let mut rows = rows.iter();
            rows.any(|row| row.coefficients[axis] != 0)
        };
        let axes = || 0..part.axes();
        let (widest, has_lengths) = match lengths {
            Lengths::Known(_) => (None, false),
            Lengths::Open(widest) => (widest, true),
        };
        let effect = |axis: usize| {
            let forms = widest.into_iter().flat_map(LineBlock::bound_forms);
            let coefficients = forms.map(|form| form.of(bounds).coefficients[axis]);
            let greatest = coefficients.map(i64::unsigned_abs).max().unwrap_or(0);
            i128::from(greatest) * part.extent(axis)
        };
        let most = axes().max_by_key(|axis| effect(*axis));
        if let Some(axis) = most.filter(|axis| 0 < effect(*axis)) {
            return Some(axis);
        }
        // Once all coordinates of a page but the last are known, few values of that are left, which are gone through.
        let last = own
            .iter()
            .max_by_key(|axis| self.congruence.period(part, **axis));
        let others = own.iter().filter(|axis| Some(*axis) != last);
        let widest = others.max_by_key(|axis| part.extent(**axis)).or(last);
        if let Some(axis) = widest {
            return Some(*axis);
        }
        let rows = if has_lengths { bounds } else { starts };
        let open = axes().filter(|axis| depends(rows, *axis));
        open.max_by_key(|axis| part.extent(*axis))
    }

    fn shapes(self, part: &ConflictBox) -> Result<Shapes<'a>, Refusal> {
        let rows = part.distance.0[..self.n_bounds].iter();
        let bounds = rows.map(|row| interval(row, &part.ranges));
        let bounds: Vec<(i64, i64)> = bounds.collect::<Result<_, _>>()?;
        let of_blocks = |blocks: &'a Vec<PageBlock>| {
            let shapes = blocks.iter();
            let shapes = shapes.filter_map(|x| BlockShape::of_page_block(x, &bounds, self.windows));
            shapes.collect()
        };
        let of_array = |array: &'a ArrayBlocks| ArrayShapes {
            blocks: of_blocks(&array.blocks),
            cover: array.cover.as_ref().map(of_blocks),
            is_own: array.is_own,
        };
        let arrays = self.arrays.iter().map(of_array).collect();
        Ok(Shapes { bounds, arrays })
    }

    /// Whether all accesses miss or none, as far as bounds tell.
    fn verdict<'s>(
        self,
        part: &ConflictBox,
        shapes: &Shapes<'s>,
        budget: &mut Budget,
    ) -> Result<Decision<'s>, Refusal> {
        let (mut least, mut most) = (0_u64, 0_u64);
        let mut widest = None;
        let mut steps = 1;
        for array in &shapes.arrays {
            let own = self.array_bounds(part, &array.blocks, &mut widest)?;
            steps += array.blocks.len() as u64;
            let (mut lower, mut upper) = own;
            if let Some(cover) = &array.cover {
                let of_cover = self.array_bounds(part, cover, &mut widest)?;
                steps += cover.len() as u64;
                (lower, upper) = (lower.max(of_cover.0), upper.min(of_cover.1));
            }
            let itself = u64::from(array.is_own);
            most = most.saturating_add(upper).saturating_add(itself);
            least = least.saturating_add(lower.max(itself));
        }
        budget.spend(steps + self.windows.take_steps())?;
        Ok(if self.ways <= least {
            Decision::Misses
        } else if most < self.ways {
            Decision::Hits
        } else {
            Decision::Open(widest.map(|x| x.1))
        })
    }

    /// Bounds on the pages that some blocks of one array meet; `widest` is the block whose own bounds are farthest apart.
    fn array_bounds<'s>(
        self,
        part: &ConflictBox,
        blocks: &[BlockShape<'s>],
        widest: &mut Option<(u64, &'s LineBlock)>,
    ) -> Result<(u64, u64), Refusal> {
        let mut pages = Vec::with_capacity(blocks.len());
        let mut most = 0_u64;
        for shape in blocks {
            let own = shape.pages(self.start_range(part, shape)?, self.windows);
            let width = own.1 - own.0;
            if !shape.is_known && widest.is_none_or(|(known, _)| known < width) {
                *widest = Some((width, shape.block));
            }
            // The page itself is counted apart.
            most = most.saturating_add(own.1 - u64::from(shape.has_page && 0 < own.1));
            pages.push((shape, own.0));
        }
        Ok((self.least_of_array(part, pages)?, most))
    }

    /// At least how many pages the blocks of one array meet: those that lie behind each other share a page at most.
    fn least_of_array(
        self,
        part: &ConflictBox,
        mut pages: Vec<(&BlockShape<'_>, u64)>,
    ) -> Result<u64, Refusal> {
        if pages.len() < 2 {
            return Ok(pages.first().map_or(0, |x| x.1));
        }
        pages.retain(|x| x.1 != 0);
        pages.sort_by_key(|x| std::cmp::Reverse(x.1));
        let mut taken: Vec<&BlockShape<'_>> = Vec::new();
        let mut sum = 0_u64;
        for (shape, least) in pages {
            let mut shared = Some(0_u64);
            for other in &taken {
                shared = match (shared, self.shared(part, shape, other)?) {
                    (Some(sum), Some(one)) => Some(sum + one),
                    _ => None,
                };
            }
            if let Some(shared) = shared {
                sum = sum.saturating_add(least.saturating_sub(shared));
                taken.push(shape);
            }
        }
        Ok(sum)
    }

    /// How many pages two blocks share at most, where one lies behind the other.
    fn shared(
        self,
        part: &ConflictBox,
        one: &BlockShape<'_>,
        other: &BlockShape<'_>,
    ) -> Result<Option<u64>, Refusal> {
        let gap = self
            .start(part, one)
            .plus_times(self.start(part, other), -1)?;
        let (lo, hi) = interval(&gap, &part.ranges)?;
        // From the last element of one to the first of the other.
        let behind = lo.saturating_add(one.first).saturating_sub(other.last);
        let before = other.first.saturating_sub(hi.saturating_add(one.last));
        let gap = behind.max(before);
        Ok((0 < gap).then(|| u64::from(gap < self.windows.page)))
    }

    /// Where a block may start in a part.
    fn start_range(
        self,
        part: &ConflictBox,
        shape: &BlockShape<'_>,
    ) -> Result<StartRange, Refusal> {
        let (least, most) = interval(self.start(part, shape), &part.ranges)?;
        Ok(StartRange { least, most })
    }

    fn start<'p>(self, part: &'p ConflictBox, shape: &BlockShape<'_>) -> &'p AxisRow {
        &part.distance.0[self.n_bounds + shape.block.start().place()]
    }

    /// The same for a part of one axis, or of one point, where the page and all lengths are known.
    fn line(
        self,
        part: &ConflictBox,
        shapes: &Shapes<'_>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let (range, weight) = match part.axes() {
            0 => (Some((0, 0)), part.multiplicity.univariate(0, &[])?),
            _ => (part.line(0, &[0])?, part.multiplicity.univariate(0, &[0])?),
        };
        let Some((lo, hi)) = range else {
            return Ok(0);
        };
        let mut fixed = 0_u64;
        let mut moving: Vec<MovingArray<'_>> = Vec::new();
        for array in &shapes.arrays {
            let all = self.moving(part, array)?;
            match all.blocks.iter().all(|moving| moving.step == 0) {
                true => fixed += self.exact(&all, shapes, 0, budget)?,
                false => moving.push(all),
            }
        }
        let narrow = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
        let mut open = vec![(narrow(lo)?, narrow(hi)?)];
        let mut misses = 0;
        let blocks = || moving.iter().flat_map(|array| &array.blocks);
        let n_blocks = 1 + blocks().count() as u64;
        let step = blocks().map(|x| x.step.saturating_abs()).max().unwrap_or(0);
        let mut steps = 0;
        while let Some((lo, hi)) = open.pop() {
            if STEPS_PER_STEP <= steps {
                budget.spend(steps / STEPS_PER_STEP)?;
                steps %= STEPS_PER_STEP;
            }
            let is_point = lo == hi;
            // Where steps are long, neighbours have little in common.
            let is_close = (hi - lo).saturating_mul(step) <= self.windows.page;
            let (least, most) = match is_point || is_close {
                true => {
                    steps += n_blocks;
                    self.bounds(fixed, &moving, (lo, hi))
                }
                false => (0, u64::MAX),
            };
            let is_miss = if self.ways <= least {
                true
            } else if most < self.ways {
                false
            } else if is_point {
                let mut pages = fixed;
                for array in &moving {
                    pages += self.exact(array, shapes, lo, budget)?;
                }
                self.ways <= pages
            } else {
                let middle = lo + (hi - lo) / 2;
                open.extend([(middle + 1, hi), (lo, middle)]);
                continue;
            };
            if is_miss {
                let own = univariate::sum(&weight, i128::from(lo), i128::from(hi))?;
                misses = add(misses, own)?;
            }
        }
        Ok(misses)
    }

    /// The blocks of an array along the first axis of a part.
    fn moving<'s>(
        self,
        part: &ConflictBox,
        array: &'s ArrayShapes<'s>,
    ) -> Result<MovingArray<'s>, Refusal> {
        let of_block = |shape: &'s BlockShape<'s>| {
            let row = self.start(part, shape);
            let step = match part.axes() {
                0 => 0,
                _ => row.coefficients[0],
            };
            let start = i64::try_from(row.constant).map_err(|_| Refusal::Overflow)?;
            Ok(MovingShape { shape, start, step })
        };
        let blocks = array.blocks.iter().map(of_block);
        let cover = array.cover.iter().flatten().map(of_block);
        Ok(MovingArray {
            blocks: blocks.collect::<Result<_, Refusal>>()?,
            cover: cover.collect::<Result<_, Refusal>>()?,
            is_own: array.is_own,
        })
    }

    /// Bounds on the pages at some values of the only axis; so many pages of arrays that do not move are known.
    fn bounds(self, fixed: u64, moving: &[MovingArray<'_>], values: (i64, i64)) -> (u64, u64) {
        let (mut least, mut most) = (fixed, fixed);
        for array in moving {
            let itself = u64::from(array.is_own);
            // Blocks of one array may share pages.
            let mut own = (itself, itself);
            let few = match array.cover.is_empty() {
                true => &array.blocks,
                false => &array.cover,
            };
            for moving in few {
                let pages = moving.shape.pages(moving.within(values), self.windows);
                let apart = u64::from(moving.shape.has_page && 0 < pages.1);
                own = (own.0.max(pages.0), own.1.saturating_add(pages.1 - apart));
            }
            least = least.saturating_add(own.0);
            most = most.saturating_add(own.1);
        }
        (least, most)
    }

    /// The pages that the blocks of one array meet at a value of the only axis.
    fn exact(
        self,
        array: &MovingArray<'_>,
        shapes: &Shapes<'_>,
        value: i64,
        budget: &mut Budget,
    ) -> Result<u64, Refusal> {
        if let ([one], false) = (&array.blocks[..], array.is_own) {
            let (least, most) = one.shape.pages(one.within((value, value)), self.windows);
            if least == most {
                return Ok(least);
            }
        }
        let mut pages = u64::from(array.is_own);
        let place = |x: &MovingShape<'_>| x.start + x.step * value;
        let blocks = || array.blocks.iter();
        let first = blocks()
            .map(|x| place(x).saturating_add(x.shape.first))
            .min();
        let last = blocks()
            .map(|x| place(x).saturating_add(x.shape.last))
            .max();
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(pages);
        };
        let (page, period) = (self.windows.page, self.windows.period);
        let mut steps = 0;
        for number in -div_floor(page - 1 - first, period)..=div_floor(last, period) {
            if number == 0 && array.is_own {
                continue;
            }
            let window = (number * period, number * period + page - 1);
            let is_met = blocks().any(|x| {
                let block = x.shape.block;
                block.meets(&shapes.bounds, place(x), window, &mut steps)
            });
            pages += u64::from(is_met);
            if self.ways <= pages {
                break;
            }
        }
        budget.spend(1 + steps / STEPS_PER_STEP)?;
        Ok(pages)
    }
}

/// The blocks of an array along an axis.
struct MovingArray<'a> {
    blocks: Vec<MovingShape<'a>>,
    /// Fewer blocks that cover these, if there are.
    cover: Vec<MovingShape<'a>>,
    is_own: bool,
}

/// A block that starts at `start + step·value`.
struct MovingShape<'a> {
    shape: &'a BlockShape<'a>,
    start: i64,
    step: i64,
}

impl MovingShape<'_> {
    /// Where it starts at values from one to another.
    fn within(&self, values: (i64, i64)) -> StartRange {
        let ends = [values.0, values.1].map(|x| self.start + self.step * x);
        StartRange {
            least: ends[0].min(ends[1]),
            most: ends[0].max(ends[1]),
        }
    }
}
