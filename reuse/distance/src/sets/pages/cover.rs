//! Blocks that cover others.
//!
//! From one touch of a page of `B[k][j]` to the next, rows before `k` are touched in column `j`, and rows after it in
//! column `j - 1`: two blocks, whose lengths depend on `k`. All rows in both columns are one block, of which nothing does, and
//! which meets hardly more pages.

use crate::sets::block::{Bound, Direction, FormTables, Length, LineBlock};
use crate::sets::forms::FormId;
use premiss_presburger::{Affine, Refusal, System};

/// The blocks of one array that are touched between two touches of a page.
#[derive(Debug)]
pub(crate) struct ArrayBlocks {
    pub(crate) blocks: Vec<PageBlock>,
    /// Fewer blocks that cover these, with hardly more elements; nothing where they are the same.
    pub(crate) cover: Option<Vec<PageBlock>>,
    /// Whether it is the array of the page, which is touched in any case; blocks within the page are left out.
    pub(crate) is_own: bool,
}

/// A block, and what is known of its elements on all iterations.
#[derive(Clone, Debug)]
pub(crate) struct PageBlock {
    pub(crate) block: LineBlock,
    /// What of the block is certain where it covers others.
    pub(crate) slack: Slack,
    /// Whether an element of the page itself is certainly in it.
    pub(crate) has_page: bool,
}

/// What the blocks that a block of rows covers leave out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Slack {
    /// The elements that all rows have in common start so far behind the first one of each.
    pub(crate) offset: i64,
    /// There are so many elements fewer, or less than none.
    pub(crate) length: i64,
    /// So many rows may be missing.
    pub(crate) rows: u64,
}

/// What blocks of one domain are made of.
pub(crate) struct BlockForms<'a> {
    pub(crate) tables: &'a mut FormTables,
    /// The sink's iterations.
    pub(crate) domain: &'a System,
}

/// A block of rows: so many steps of a stride up or down from a start, each of so many neighbours.
struct RowBlock {
    is_up: bool,
    stride: i64,
    /// One less than the number of rows.
    rows: Affine,
    /// One less than the number of neighbours.
    neighbours: i64,
    start: Affine,
    /// Whether there are rows where their number says so, whatever else.
    is_certain: bool,
}

impl BlockForms<'_> {
    /// The blocks of an array, of which those within the page are left out if it is the page's own array.
    ///
    /// # Errors
    /// A coefficient does not fit 64 bits.
    pub(crate) fn array(
        &mut self,
        all: Vec<LineBlock>,
        own_page: Option<i64>,
    ) -> Result<ArrayBlocks, Refusal> {
        let mut blocks = Vec::with_capacity(all.len());
        for block in all {
            let mut has_page = false;
            if let Some(page) = own_page {
                if self.is_within(&block, page)? {
                    continue;
                }
                let start = self.tables.starts.form(block.start());
                has_page =
                    block.is_anchored && self.is_place(start, page)? && self.are_certain(&block);
            }
            blocks.push(PageBlock {
                block,
                slack: Slack::default(),
                has_page,
            });
        }
        let cover = self.cover(&blocks)?;
        Ok(ArrayBlocks {
            blocks,
            cover,
            is_own: own_page.is_some(),
        })
    }

    /// Whether a form is certainly a place in the page.
    fn is_place(&self, form: &Affine, page: i64) -> Result<bool, Refusal> {
        let one = Affine::constant(form.columns(), 1);
        let rest = form.times(-1)?.plus(page - 1, &one)?;
        Ok(self.is_not_negative(form) && self.is_not_negative(&rest))
    }

    fn is_not_negative(&self, form: &Affine) -> bool {
        self.domain.implies(&form.widened(self.domain.columns()))
    }

    /// Whether all conditions on a block, and on the lengths of its directions, certainly hold.
    fn are_certain(&self, block: &LineBlock) -> bool {
        let lengths = block.directions.iter().flat_map(|x| &x.lengths);
        let lengths = lengths.map(|length| length.form);
        let mut forms = block.conditions.iter().copied().chain(lengths);
        forms.all(|form| self.is_not_negative(self.tables.bounds.form(form)))
    }

    /// Whether all elements of a block, which has no direction or one, are certainly in the page.
    fn is_within(&self, block: &LineBlock, page: i64) -> Result<bool, Refusal> {
        let start = self.tables.starts.form(block.start());
        let direction = match &block.directions[..] {
            [] => return self.is_place(start, page),
            [only] => only,
            _ => return Ok(false),
        };
        // Whether a bound alone keeps the elements from lying before the page, or behind it.
        let one = Affine::constant(start.columns(), 1);
        let ends = [1, -1].map(|side| {
            let mut bounds = direction.bounds.iter().filter(|x| x.coefficients == [side]);
            bounds.try_fold(false, |is_kept, bound| {
                let steps = self.tables.bounds.form(bound.form);
                let end = start.plus(-side * direction.stride, steps)?;
                let inside = match 0 < side * direction.stride {
                    true => end,
                    false => end.times(-1)?.plus(page - 1, &one)?,
                };
                Ok::<_, Refusal>(is_kept || self.is_not_negative(&inside))
            })
        });
        let [lower, upper] = ends;
        Ok(lower? && upper?)
    }

    /// The same elements and perhaps more, in fewer blocks.
    fn cover(&mut self, blocks: &[PageBlock]) -> Result<Option<Vec<PageBlock>>, Refusal> {
        let rows = blocks.iter().map(|block| self.rows(&block.block));
        let rows: Vec<Option<RowBlock>> = rows.collect::<Result<_, _>>()?;
        let mut is_covered = vec![false; blocks.len()];
        let mut cover = Vec::new();
        for (down, below) in rows.iter().enumerate() {
            for (up, above) in rows.iter().enumerate() {
                let (Some(below), Some(above)) = (below, above) else {
                    continue;
                };
                if is_covered[down] || is_covered[up] {
                    continue;
                }
                if let Some((block, slack)) = self.both(below, above)? {
                    (is_covered[down], is_covered[up]) = (true, true);
                    cover.push(PageBlock {
                        block,
                        slack,
                        has_page: blocks[down].has_page || blocks[up].has_page,
                    });
                }
            }
        }
        if cover.is_empty() {
            return Ok(None);
        }
        let others = blocks.iter().zip(is_covered);
        let others = others.filter(|(_, is_covered)| !is_covered);
        cover.extend(others.map(|(block, _)| block.clone()));
        Ok(Some(cover))
    }

    /// A block as rows, if it is one whose rows are certainly of one length.
    fn rows(&self, block: &LineBlock) -> Result<Option<RowBlock>, Refusal> {
        if !block.is_anchored {
            return Ok(None);
        }
        let mut rows = None;
        let mut neighbours = 0;
        let mut start = self.tables.starts.form(block.start()).clone();
        for direction in &block.directions {
            let [
                Length {
                    form, divisor: 1, ..
                },
            ] = direction.lengths[..]
            else {
                return Ok(None);
            };
            let steps = self.tables.bounds.form(form);
            if direction.stride.abs() == 1 && neighbours == 0 && steps.is_constant() {
                neighbours = steps.constant_term();
                if direction.stride < 0 {
                    let one = Affine::constant(start.columns(), 1);
                    start = start.plus(-neighbours, &one)?;
                }
            } else if rows.is_none() {
                rows = Some((direction.stride, steps.clone()));
            } else {
                return Ok(None);
            }
        }
        let Some((stride, rows)) = rows else {
            return Ok(None);
        };
        let is_certain = block.conditions.iter().all(|condition| {
            let form = self.tables.bounds.form(*condition);
            *form == rows || self.is_not_negative(form)
        });
        Ok(Some(RowBlock {
            is_certain,
            is_up: 0 < stride,
            stride: stride.abs(),
            rows,
            neighbours,
            start,
        }))
    }

    /// One block that covers two of which one goes down from where the other goes up.
    fn both(
        &mut self,
        down: &RowBlock,
        up: &RowBlock,
    ) -> Result<Option<(LineBlock, Slack)>, Refusal> {
        let gap = up.start.plus(-1, &down.start)?;
        if down.is_up || !up.is_up || down.stride != up.stride || !gap.is_constant() {
            return Ok(None);
        }
        let stride = down.stride;
        // The first row above is so many strides behind the last one below, and then `apart` elements.
        let steps = (gap.constant_term() + stride / 2).div_euclid(stride);
        let apart = gap.constant_term() - steps * stride;
        let width = gap.columns();
        let one = Affine::constant(width, 1);
        for rows in [&down.rows, &up.rows] {
            // One that may have fewer than no rows is no part of the block of both.
            let number = rows.plus(1, &one)?;
            if !self.is_not_negative(&number) {
                return Ok(None);
            }
        }
        if steps < 1 || stride <= apart.abs() + down.neighbours.max(up.neighbours) {
            return Ok(None);
        }
        let rows = down.rows.plus(1, &up.rows)?.plus(steps, &one)?;
        let neighbours = down.neighbours.max(apart + up.neighbours) - apart.min(0);
        let common = down.neighbours.min(apart + up.neighbours) - apart.max(0);
        let slack = Slack {
            offset: apart.abs(),
            length: neighbours - common,
            rows: match down.is_certain && up.is_certain {
                true => (steps - 1).unsigned_abs(),
                false => u64::MAX,
            },
        };
        let start = down
            .start
            .plus(-stride, &down.rows)?
            .plus(apart.min(0), &one)?;
        let tables = &mut *self.tables;
        let zero = tables.bounds.intern(Affine::constant(width, 0));
        let mut direction = |stride: i64, steps: Affine| {
            let form = tables.bounds.intern(steps);
            let bound = |form: FormId, coefficient: i64| Bound {
                form,
                coefficients: vec![coefficient],
            };
            Direction {
                stride,
                bounds: vec![bound(zero, 1), bound(form, -1)],
                lengths: vec![Length {
                    form,
                    divisor: 1,
                    is_exact: true,
                }],
            }
        };
        let directions = vec![
            direction(1, Affine::constant(width, neighbours)),
            direction(stride, rows),
        ];
        let block = LineBlock {
            conditions: Vec::new(),
            directions,
            start: tables.starts.intern(start),
            is_product: true,
            is_anchored: true,
        };
        Ok(Some((block, slack)))
    }
}
