//! Bounds on the lines of several blocks that start at the same place but for constants.
//!
//! Rows of 999 elements begin at each of 8 places of a line, and those that begin at one of them are a block. Each puts 2 to 5
//! of its lines into a set, but not all of them put the fewest into the same one: all 8 put at least 24 lines into each set.

use super::block::LineBlock;
use super::forms::ConflictBox;
use super::load::{SetLoad, SetLoads};
use super::query::is_open;
use super::residues::LOADS_PER_STEP;
use crate::row::AxisRow;
use std::rc::Rc;

/// The lines in each set of a box of lines that starts in set 0.
#[derive(Debug)]
pub(super) struct BoxLoad {
    /// How often each line counts.
    pub(super) factor: u64,
    /// The lines in each set if directions begin at 0.
    pub(super) load: Rc<SetLoad>,
    /// The set in which they begin.
    pub(super) first: i64,
}

/// What is known of the lines of a block, from a box within it or around it.
#[derive(Debug)]
pub(super) enum KnownLines {
    /// The box has no lines.
    None,
    Box(BoxLoad),
    /// No such box is known.
    Unknown,
}

/// Whether a box is one within a block or one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoxSide {
    Within,
    Around,
}

/// Blocks of lines in a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlocksOfPart<'a> {
    pub(super) part: &'a ConflictBox,
    pub(super) blocks: &'a [LineBlock],
    /// How many forms bound blocks; those behind say where they start.
    pub(super) n_bounds: usize,
    /// An interval for each form that bounds blocks.
    pub(super) bounds: &'a [(i64, i64)],
    /// At least and at most how many lines of each block are in the sink's set.
    pub(super) lines: &'a [(u64, u64)],
    pub(super) loads: &'a SetLoads,
}

impl BlocksOfPart<'_> {
    /// At least and at most how many lines of all blocks together are in the sink's set.
    pub(super) fn joint_bounds(self) -> (u64, u64) {
        let all = 0..self.blocks.len();
        let (mut open, known): (Vec<usize>, Vec<usize>) =
            all.partition(|block| is_open(&self.lines[*block]));
        let mut sum = self.apart(&known);
        while let Some(first) = open.first() {
            let steps = self.steps(*first);
            let (group, rest): (Vec<usize>, Vec<usize>) =
                open.iter().partition(|x| self.steps(**x) == steps);
            let own = self.bounds_of_group(&group);
            sum = (sum.0.saturating_add(own.0), sum.1.saturating_add(own.1));
            open = rest;
        }
        sum
    }

    /// The same for blocks that start at one form but for constants.
    fn bounds_of_group(self, group: &[usize]) -> (u64, u64) {
        let (least, most) = self.apart(group);
        if group.len() < 2 {
            return (least, most);
        }
        let within = self.sums(group, BoxSide::Within).into_iter().min();
        let around = self.sums(group, BoxSide::Around).into_iter().max();
        let steps = 2 * self.loads.sets().unsigned_abs() * group.len() as u64;
        self.loads.spend(steps / LOADS_PER_STEP);
        (
            least.max(within.unwrap_or(0)),
            most.min(around.unwrap_or(most)),
        )
    }

    /// The sums of the bounds of each block by itself.
    fn apart(self, blocks: &[usize]) -> (u64, u64) {
        let bounds = blocks.iter().map(|block| self.lines[*block]);
        bounds.fold((0, 0), |sum: (u64, u64), x| {
            (sum.0.saturating_add(x.0), sum.1.saturating_add(x.1))
        })
    }

    /// At least or at most how many lines of blocks are in the sink's set, for each residue at which the first one starts.
    fn sums(self, group: &[usize], side: BoxSide) -> Vec<u64> {
        let sets = self.loads.sets();
        let mut sums = vec![0_u64; usize::try_from(sets).unwrap_or(0)];
        for block in group {
            let apart = self.start(*block).constant - self.start(group[0]).constant;
            match self.blocks[*block].known_lines(self.bounds, side, self.loads) {
                KnownLines::None => {}
                KnownLines::Box(BoxLoad {
                    factor,
                    load,
                    first,
                }) => {
                    let start = (apart + i128::from(first)).rem_euclid(i128::from(sets));
                    let start = usize::try_from(start).unwrap_or(0);
                    load.add_for_starts(factor, start, &mut sums);
                }
                KnownLines::Unknown => {
                    let own = match side {
                        BoxSide::Within => self.lines[*block].0,
                        BoxSide::Around => self.lines[*block].1,
                    };
                    for sum in &mut sums {
                        *sum = sum.saturating_add(own);
                    }
                }
            }
        }
        sums
    }

    /// How the start of a block moves with each axis, modulo the number of sets.
    fn steps(self, block: usize) -> Vec<i64> {
        let steps = &self.start(block).coefficients[..self.part.axes()];
        let modulo = steps.iter().map(|step| step.rem_euclid(self.loads.sets()));
        modulo.collect()
    }

    fn start(&self, block: usize) -> &AxisRow {
        &self.part.distance.0[self.n_bounds + self.blocks[block].start().place()]
    }
}
