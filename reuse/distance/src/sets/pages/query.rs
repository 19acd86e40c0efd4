//! How many of a part's accesses find their page evicted.

use super::block_shape::BlockShape;
use super::congruent_sum::{Congruence, Steps};
use super::cover::{ArrayBlocks, PageBlock};
use super::windows::{StartRange, Windows};
use crate::row::AxisRow;
use crate::sets::block::LineBlock;
use crate::sets::cells::{ArrayOfBlocks, CellCount, CellQuery};
use crate::sets::forms::{ConflictBox, interval, interval_on};
use crate::sets::met::SetPages;
use crate::sets::plane::BOX_AXES;
use crate::sets::query::straightened;
use premiss_arithmetic::{Interval, add};
use premiss_presburger::{Budget, Refusal};

/// Pages are gone through one by one where there are so few.
const FEW_PAGES: i128 = 16;

/// They are, too, where bounds are so few times the ways that cells have hardly more boxes than those that decide.
const FEW_TIMES_WAYS: u64 = 2;

/// Of a page, cells are not looked for where more boxes of them are expected.
const MOST_BOXES: u64 = 2048;

/// Lengths are not bisected any more, but pages are, where so few values are left of what they depend on.
const FEW_LENGTHS: i128 = 64;

/// About how many steps it takes to go through a page, or through a row of pages.
const STEPS_PER_PAGE: u64 = 64;

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
    /// Whether pages are gone through one by one before anything is bisected.
    pub(crate) is_by_page: bool,
}

/// The shapes of the blocks of each array.
struct Shapes<'a> {
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
    Open(OpenBounds<'a>),
}

/// Bounds that do not decide.
#[derive(Clone, Copy)]
struct OpenBounds<'a> {
    /// At most so many pages are touched.
    most: u64,
    /// The block of which least is known.
    widest: Option<&'a LineBlock>,
}

/// How the accesses of iterations that bounds leave open are found.
pub(crate) enum Pieces {
    /// So many miss, times the denominator of the multiplicity.
    Counted(i128),
    /// From those of both halves of an axis.
    Halves(usize),
    /// From those where a form is not negative, and where it is.
    Sides(AxisRow),
    /// From those of the same iterations with other axes.
    Straightened(ConflictBox),
    /// From those with each of some values of an axis, up to its last one.
    Slices(usize, Steps),
}

/// What one step tells of iterations.
pub(crate) enum Step {
    Hits,
    Misses,
    /// Their pieces tell; whether pages are gone through one by one from here on.
    Open(Pieces, bool),
}

impl Pieces {
    /// Calls `visit` on each piece of a part; on none where they are counted.
    pub(crate) fn for_each(
        self,
        part: &ConflictBox,
        mut visit: impl FnMut(&ConflictBox) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut none = |piece: &ConflictBox| visit(piece).map(|()| 0);
        match self {
            Self::Counted(_) => {}
            Self::Halves(axis) => {
                part.sum_halves(axis, none)?;
            }
            Self::Sides(row) => {
                part.sum_sides(&row, none)?;
            }
            Self::Straightened(part) => {
                none(&part)?;
            }
            Self::Slices(axis, Steps { first, period }) => {
                let mut value = first;
                while value <= part.ranges[axis].1 {
                    if let Some(slice) = part.at(axis, value)? {
                        none(&slice)?;
                    }
                    value += period;
                }
            }
        }
        Ok(())
    }
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
    /// Iterations are bisected. Once that took about as many steps as there are to go through all pages, these are gone through
    /// one by one: cells tell all iterations of a page at once.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn misses(
        self,
        part: &ConflictBox,
        sum: impl Fn(&mut Budget) -> Result<i128, Refusal>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let Some(steps) = self.steps_by_page(part).filter(|x| *x < budget.left()) else {
            return self.bisected(part, sum, budget);
        };
        let mut few = Budget::new(steps);
        let bisected = self.bisected(part, &sum, &mut few);
        budget.spend(steps - few.left())?;
        match bisected {
            Err(Refusal::Budget) => {
                let by_page = Self {
                    is_by_page: true,
                    ..self
                };
                by_page.bisected(part, sum, budget)
            }
            _ => bisected,
        }
    }

    /// About how many steps it takes to go through the pages of a part; `None` where cells do not tell all iterations of
    /// a page.
    fn steps_by_page(self, part: &ConflictBox) -> Option<u64> {
        let own = self.congruence.axes(part);
        if own.len() < 2 || own.len() + BOX_AXES < part.axes() {
            return None;
        }
        let mut extents: Vec<u64> = Vec::with_capacity(own.len());
        for axis in own {
            extents.push(u64::try_from(part.extent(axis)).ok()?);
        }
        let product = |all: &[u64]| all.iter().copied().fold(1, u64::saturating_mul);
        let pages = product(&extents) / self.congruence.modulus.unsigned_abs() + 1;
        extents.sort_unstable();
        extents.pop();
        let slices = product(&extents);
        Some(pages.saturating_add(slices).saturating_mul(STEPS_PER_PAGE))
    }

    /// The same by bisecting iterations.
    fn bisected(
        self,
        part: &ConflictBox,
        sum: impl FnOnce(&mut Budget) -> Result<i128, Refusal>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let shapes = self.shapes_of(part)?;
        match self.verdict(part, &shapes, budget)? {
            Decision::Hits => Ok(0),
            Decision::Misses => sum(budget),
            Decision::Open(open) => {
                let (query, lengths) = self.continuation(part, &shapes, open, budget)?;
                query.pieces(part, lengths, budget)
            }
        }
    }

    /// The shapes of all blocks in a part.
    fn shapes_of(self, part: &ConflictBox) -> Result<Shapes<'a>, Refusal> {
        let rows = part.distance.0[..self.n_bounds].iter();
        let bounds = rows.map(|row| interval_on(row, part));
        Ok(self.shapes(&bounds.collect::<Result<Vec<_>, _>>()?))
    }

    /// How a part is gone on with that bounds leave open.
    fn continuation<'s>(
        self,
        part: &ConflictBox,
        shapes: &'s Shapes<'s>,
        open: OpenBounds<'s>,
        budget: &mut Budget,
    ) -> Result<(Self, Lengths<'s>), Refusal> {
        let is_by_page = self.is_by_page || self.is_on_edge(part, open, budget)?;
        let lengths = match shapes.are_known() {
            true => Lengths::Known(shapes),
            false => Lengths::Open(open.widest),
        };
        Ok((Self { is_by_page, ..self }, lengths))
    }

    /// Whether shorter lengths would hardly decide more: bounds are about as many as the ways, and do not decide where all
    /// lengths are those in the middle. Cells tell all lengths of a page at once, and have few boxes then.
    fn is_on_edge(
        self,
        part: &ConflictBox,
        open: OpenBounds<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Refusal> {
        let own = self.congruence.axes(part);
        let is_told_by_cells = !own.is_empty() && part.axes() <= own.len() + BOX_AXES;
        if !is_told_by_cells || self.ways.saturating_mul(FEW_TIMES_WAYS) < open.most {
            return Ok(false);
        }
        let middle = part.ranges.iter().map(|(lo, hi)| lo + (hi - lo) / 2);
        let middle: Vec<Interval> = middle.map(|x| (x, x)).collect();
        let rows = part.distance.0[..self.n_bounds].iter();
        let values = rows.map(|row| interval(row, &middle));
        let shapes = self.shapes(&values.collect::<Result<Vec<_>, _>>()?);
        let verdict = self.verdict(part, &shapes, budget)?;
        Ok(matches!(verdict, Decision::Open(_)))
    }

    /// The same for a piece of a part, with the shapes of blocks if these are known.
    fn piece(
        self,
        part: &ConflictBox,
        lengths: Lengths<'_>,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        let Lengths::Known(shapes) = lengths else {
            return self.bisected(part, |budget| self.congruence.sum(part, budget), budget);
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
        let mut misses = 0;
        match self.split(part, lengths, budget)? {
            Pieces::Counted(counted) => Ok(counted),
            pieces => {
                pieces.for_each(part, |piece| {
                    misses = add(misses, self.piece(piece, lengths, budget)?)?;
                    Ok(())
                })?;
                Ok(misses)
            }
        }
    }

    /// What bounds tell of all iterations of a part, and how they are split where they tell nothing.
    ///
    /// # Errors
    /// The budget runs out, or a number does not fit.
    pub(crate) fn step(self, part: &ConflictBox, budget: &mut Budget) -> Result<Step, Refusal> {
        let shapes = self.shapes_of(part)?;
        Ok(match self.verdict(part, &shapes, budget)? {
            Decision::Hits => Step::Hits,
            Decision::Misses => Step::Misses,
            Decision::Open(open) => {
                let (query, lengths) = self.continuation(part, &shapes, open, budget)?;
                Step::Open(query.split(part, lengths, budget)?, query.is_by_page)
            }
        })
    }

    /// Into which pieces iterations are split that bounds leave open.
    fn split(
        self,
        part: &ConflictBox,
        lengths: Lengths<'_>,
        budget: &mut Budget,
    ) -> Result<Pieces, Refusal> {
        let own = self.congruence.axes(part);
        if own.is_empty() {
            if !self.congruence.holds(part) {
                return Ok(Pieces::Counted(0));
            }
            match self.cells(part, budget)? {
                CellCount::Exact(misses) => return Ok(Pieces::Counted(misses)),
                CellCount::Coupled(axis) => return Ok(Pieces::Halves(axis)),
                CellCount::TooMany => {}
            }
        } else if self.is_by_page || self.n_pages(part, &own) <= FEW_PAGES {
            return self.through(part, &own);
        }
        if let Lengths::Open(Some(widest)) = lengths {
            if let Some(row) = self.open_condition(part, widest)? {
                return Ok(Pieces::Sides(row));
            }
            if self.is_coupled(part, widest)
                && let Some(straight) = straightened(part, self.n_bounds, &own)?
            {
                return Ok(Pieces::Straightened(straight));
            }
        }
        let longest = || (0..part.axes()).max_by_key(|axis| part.extent(*axis));
        let axis = self.axis(part, &own, lengths).or_else(longest);
        Ok(Pieces::Halves(axis.ok_or(Refusal::Failed)?))
    }

    /// About how many pages there are in a part, of which these axes tell where they start.
    fn n_pages(self, part: &ConflictBox, own: &[usize]) -> i128 {
        let extents = own.iter().map(|axis| part.extent(*axis));
        extents.fold(1, i128::saturating_mul) / i128::from(self.congruence.modulus)
    }

    /// The same page by page: value by value of the axis that has fewest of those that tell where a page starts.
    fn through(self, part: &ConflictBox, own: &[usize]) -> Result<Pieces, Refusal> {
        let n_steps = |axis: &usize| self.congruence.n_steps(part, *axis);
        let axis = own.iter().copied().min_by_key(n_steps);
        let axis = axis.ok_or(Refusal::Failed)?;
        let steps = self.congruence.steps(part, axis);
        Ok(steps.map_or(Pieces::Counted(0), |steps| Pieces::Slices(axis, steps)))
    }

    /// Whether a length of a block depends on several axes.
    fn is_coupled(self, part: &ConflictBox, block: &LineBlock) -> bool {
        let rows = block
            .bound_forms()
            .map(|form| &part.distance.0[form.place()]);
        let n_axes = |row: &AxisRow| row.coefficients.iter().filter(|x| **x != 0).count();
        rows.map(n_axes).any(|axes| 1 < axes)
    }

    /// A condition on a block that holds on some iterations of a part and perhaps not on others.
    fn open_condition(
        self,
        part: &ConflictBox,
        block: &LineBlock,
    ) -> Result<Option<AxisRow>, Refusal> {
        for form in &block.conditions {
            let row = &part.distance.0[form.place()];
            let (least, most) = interval_on(row, part)?;
            if least < 0 && 0 <= most {
                return Ok(Some(*row));
            }
        }
        Ok(None)
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
        // Where few lengths are left, pages come first: cells tell all lengths at once.
        let is_long = |axis: &usize| own.is_empty() || FEW_LENGTHS < part.extent(*axis);
        let most = axes().max_by_key(|axis| effect(*axis));
        if let Some(axis) = most.filter(|axis| 0 < effect(*axis) && is_long(axis)) {
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

    /// The shapes of all blocks, `bounds` having an interval for each form.
    fn shapes(self, bounds: &[(i64, i64)]) -> Shapes<'a> {
        let of_blocks = |blocks: &'a Vec<PageBlock>| {
            let shapes = blocks.iter();
            let shapes = shapes.filter_map(|x| BlockShape::of_page_block(x, bounds, self.windows));
            shapes.collect()
        };
        let of_array = |array: &'a ArrayBlocks| ArrayShapes {
            blocks: of_blocks(&array.blocks),
            cover: array.cover.as_ref().map(of_blocks),
            is_own: array.is_own,
        };
        let arrays = self.arrays.iter().map(of_array).collect();
        Shapes { arrays }
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
            Decision::Open(OpenBounds {
                most,
                widest: widest.map(|x| x.1),
            })
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

    /// The same by the boxes of axes in which pages are met, where the page is known.
    fn cells(self, part: &ConflictBox, budget: &mut Budget) -> Result<CellCount, Refusal> {
        let arrays = self.arrays.iter().map(|array| {
            let blocks = array.blocks.iter().map(|x| &x.block);
            (blocks.collect(), array.is_own)
        });
        let itself = self.arrays.iter().filter(|array| array.is_own);
        let query = CellQuery {
            part,
            n_bounds: self.n_bounds,
            pages: SetPages {
                length: self.windows.page,
                period: self.windows.period,
            },
            least: self.ways.saturating_sub(itself.count() as u64),
            most_boxes: MOST_BOXES,
        };
        query.count(&arrays.collect::<Vec<ArrayOfBlocks<'_>>>(), budget)
    }
}
