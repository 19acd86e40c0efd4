//! Bounds on the lines of several blocks that start at the same place but for constants.
//!
//! Rows of 999 elements begin at each of 8 places of a line, and those that begin at one of them are a block. Each puts 2 to 5
//! of its lines into a set, but not all of them put the fewest into the same one: all 8 put at least 24 lines into each set.
//!
//! Lines `0..k` and `k + 1..125` of a row start apart, but the ones start where the row does and the others end where it does: a
//! block is counted from whichever of its ends moves with fewer axes ([`Anchor`]).

use super::block::LineBlock;
use super::forms::ConflictBox;
use super::load::{SetLoad, SetLoads, Starts};
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

/// The line from which a block is counted, relative to the sink's.
#[derive(Debug)]
struct Anchor {
    block: usize,
    line: AxisRow,
    /// Which directions are counted from their last value down.
    from_last: Vec<bool>,
    /// How that line moves with each axis, modulo the number of sets.
    steps: Vec<i64>,
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
        let (open, certain): (Vec<usize>, Vec<usize>) =
            all.partition(|block| is_open(&self.lines[*block]));
        let mut sum = self.apart(certain.into_iter());
        let mut open: Vec<Anchor> = open.into_iter().map(|block| self.anchor(block)).collect();
        while let Some(first) = open.first() {
            let steps = first.steps.clone();
            let (group, rest): (Vec<Anchor>, Vec<Anchor>) =
                open.into_iter().partition(|x| x.steps == steps);
            let own = self.bounds_of_group(&group);
            sum = (sum.0.saturating_add(own.0), sum.1.saturating_add(own.1));
            open = rest;
        }
        sum
    }

    /// The same for blocks whose anchors are the same but for constants.
    fn bounds_of_group(self, group: &[Anchor]) -> (u64, u64) {
        let (least, most) = self.apart(group.iter().map(|x| x.block));
        if group.len() < 2 {
            return (least, most);
        }
        let within = self.sums(group, BoxSide::Within).min();
        let around = self.sums(group, BoxSide::Around).max();
        let steps = 2 * self.loads.sets().unsigned_abs() * group.len() as u64;
        self.loads.spend(steps / LOADS_PER_STEP);
        (
            least.max(within.unwrap_or(0)),
            most.min(around.unwrap_or(most)),
        )
    }

    /// The sums of the bounds of each block by itself.
    fn apart(self, blocks: impl Iterator<Item = usize>) -> (u64, u64) {
        let bounds = blocks.map(|block| self.lines[block]);
        bounds.fold((0, 0), |sum: (u64, u64), x| {
            (sum.0.saturating_add(x.0), sum.1.saturating_add(x.1))
        })
    }

    /// At least or at most how many lines of blocks are in the sink's set, for each residue at which the first anchor may be.
    fn sums(self, group: &[Anchor], side: BoxSide) -> impl Iterator<Item = u64> {
        let sets = self.loads.sets();
        let anchor = &group[0].line;
        let mut sums = vec![0_u64; usize::try_from(sets).unwrap_or(0)];
        for own in group {
            let apart = own.line.constant - anchor.constant;
            let block = &self.blocks[own.block];
            match block.known_lines(self.bounds, &own.from_last, side, self.loads) {
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
                    let lines = match side {
                        BoxSide::Within => self.lines[own.block].0,
                        BoxSide::Around => self.lines[own.block].1,
                    };
                    for sum in &mut sums {
                        *sum = sum.saturating_add(lines);
                    }
                }
            }
        }
        let starts = Starts::of(anchor, self.part.axes(), sets);
        starts.indices(sums.len()).map(move |start| sums[start])
    }

    /// The end of each direction that moves with fewer axes, modulo the number of sets; the first one if both do alike.
    fn anchor(self, block: usize) -> Anchor {
        let forms = &self.part.distance.0;
        let own = &self.blocks[block];
        let mut line = forms[self.n_bounds + own.start().place()];
        let mut steps = self.steps(&line);
        let mut from_last = Vec::with_capacity(own.directions.len());
        for direction in &own.directions {
            let last = direction.last().filter(|_| own.is_product);
            let last = last.map(|form| line.plus_times(&forms[form.place()], direction.stride));
            let last = last.and_then(Result::ok);
            let last = last.map(|line| (line, self.steps(&line)));
            let last = last.filter(|last| n_moving(&last.1) < n_moving(&steps));
            from_last.push(last.is_some());
            if let Some(last) = last {
                (line, steps) = last;
            }
        }
        Anchor {
            block,
            line,
            from_last,
            steps,
        }
    }

    /// How a line moves with each axis, modulo the number of sets.
    fn steps(self, line: &AxisRow) -> Vec<i64> {
        let steps = line.coefficients[..self.part.axes()].iter();
        let modulo = steps.map(|step| step.rem_euclid(self.loads.sets()));
        modulo.collect()
    }
}

/// With how many axes a line moves.
fn n_moving(steps: &[i64]) -> usize {
    steps.iter().filter(|x| **x != 0).count()
}
