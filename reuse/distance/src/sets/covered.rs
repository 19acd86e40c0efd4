//! The accesses that enough boxes of two axes cover.
//!
//! Ends of boxes cut both axes into cells. One axis is swept, and where a box begins or ends, the number of pages met changes
//! in the cells of the other axis that it spans. If the boxes of `i` and `j` are 20 columns of few `j` and 60 rows of few `i`,
//! a column spans some hundred cells of `i` when it begins and when it ends, and a row spans one of them or two: a few
//! thousand changes in all, however many iterations there are.

use super::forms::ConflictBox;
use super::met::MetBox;
use super::plane::BOX_AXES;
use crate::part::WeightedBox;
use crate::row::least;
use crate::total::{narrowest, total};
use premiss_arithmetic::{add, multiply};
use premiss_presburger::Refusal;
use std::cmp::Ordering;

/// How many cells that change cost as much as a step of the search for boxes.
const CHANGES_PER_STEP: u64 = 64;

/// How many steps of the search a box costs, or a rectangle whose accesses are a product.
const BOX_STEPS: u64 = 1;

/// How many steps of the search a rectangle costs whose accesses are added up.
const SUM_STEPS: u64 = 4;

/// The accesses of a part that at least so many of the boxes cover, each page counting once, and how many steps of the
/// search it took. The boxes of each page follow each other.
///
/// # Errors
/// A number does not fit.
pub(super) fn covered(
    part: &ConflictBox,
    boxes: &[MetBox],
    enough: u64,
) -> Result<(i128, u64), Refusal> {
    let cuts = [cuts(part, boxes, 0)?, cuts(part, boxes, 1)?];
    let spanned = |axis: usize| {
        let all = boxes.iter().map(|x| cells(&cuts[axis], x.ranges[axis]));
        all.map(|(from, to)| to - from).sum::<usize>()
    };
    let inner = usize::from(spanned(1) < spanned(0));
    let mut sweep = Sweep::new(part, (1 - inner, inner), &cuts[inner], enough)?;
    let mut events = sweep.events(boxes);
    events.sort_unstable_by(Event::order);
    for event in &events {
        sweep.change(*event)?;
    }
    let steps = sweep.steps + BOX_STEPS * boxes.len() as u64;
    Ok((sweep.sum, steps + sweep.changes / CHANGES_PER_STEP))
}

/// The values of an axis at which boxes begin, or behind which they end, in order.
fn cuts(part: &ConflictBox, boxes: &[MetBox], axis: usize) -> Result<Vec<i64>, Refusal> {
    let narrow = |x: i128| i64::try_from(x).map_err(|_| Refusal::Overflow);
    let (lo, hi) = part.ranges.get(axis).copied().unwrap_or_default();
    let mut cuts = vec![narrow(lo)?, narrow(hi)? + 1];
    for x in boxes {
        let (from, to) = x.ranges[axis];
        cuts.extend([from, to + 1]);
    }
    cuts.sort_unstable();
    cuts.dedup();
    Ok(cuts)
}

/// The first cell of a range, and the one behind its last.
fn cells(cuts: &[i64], (from, to): (i64, i64)) -> (usize, usize) {
    let place = |value: i64| cuts.partition_point(|cut| *cut < value);
    (place(from), place(to + 1))
}

/// A box begins at a value of the outer axis, or has ended before it.
#[derive(Clone, Copy, Debug)]
struct Event {
    at: i64,
    is_end: bool,
    /// The cells of the inner axis that it spans.
    cells: (usize, usize),
    /// Which of the pages with several boxes it is, if it is one of these.
    shared: Option<usize>,
}

impl Event {
    /// What begins comes first: a page of which one box begins where the other ends stays met.
    fn order(one: &Self, other: &Self) -> Ordering {
        (one.at, one.is_end).cmp(&(other.at, other.is_end))
    }
}

/// What is known at a value of the outer axis.
struct Sweep<'a> {
    /// The accesses of a rectangle, of which ranges are set.
    piece: WeightedBox<()>,
    /// The weight of all accesses, if they have one.
    weight: Option<i128>,
    outer: usize,
    inner: usize,
    cuts: &'a [i64],
    enough: u64,
    /// Up to which value of the outer axis accesses were added, if each point of the box is as many.
    now: Option<i64>,
    /// How many values of the inner axis are covered.
    n_covered: i64,
    /// How many pages are met in each cell of the inner axis.
    pages: Vec<u64>,
    /// From which value of the outer axis on enough of them are, where they are.
    since: Vec<i64>,
    /// How many boxes of each page that has several cover each cell.
    shared: Vec<u32>,
    sum: i128,
    steps: u64,
    changes: u64,
}

impl<'a> Sweep<'a> {
    fn new(
        part: &ConflictBox,
        (outer, inner): (usize, usize),
        cuts: &'a [i64],
        enough: u64,
    ) -> Result<Self, Refusal> {
        let is_constant = (0..part.axes()).all(|axis| !part.multiplicity.depends_on(axis));
        let values = [0; BOX_AXES];
        let weight = part.multiplicity.univariate(0, &values[..part.axes()])?;
        Ok(Self {
            piece: part.without_distance(),
            weight: is_constant.then(|| weight.first().copied().unwrap_or(0)),
            outer,
            inner,
            cuts,
            enough,
            now: (is_constant && part.rows.is_empty()).then_some(i64::MIN),
            n_covered: 0,
            pages: vec![0; cuts.len() - 1],
            since: vec![0; cuts.len() - 1],
            shared: Vec::new(),
            sum: 0,
            steps: 0,
            changes: 0,
        })
    }

    /// Where boxes begin and end.
    fn events(&mut self, boxes: &[MetBox]) -> Vec<Event> {
        let mut events = Vec::with_capacity(2 * boxes.len());
        let mut n_shared = 0;
        for own in boxes.chunk_by(|one, other| one.page == other.page) {
            let shared = (1 < own.len()).then_some(n_shared);
            n_shared += usize::from(1 < own.len());
            for x in own {
                let (from, to) = x.ranges[self.outer];
                let cells = cells(self.cuts, x.ranges[self.inner]);
                events.extend([(from, false), (to + 1, true)].map(|(at, is_end)| Event {
                    at,
                    is_end,
                    cells,
                    shared,
                }));
            }
        }
        self.shared = vec![0; n_shared * self.pages.len()];
        events
    }

    /// Changes the numbers of pages where a box begins or ends.
    fn change(&mut self, event: Event) -> Result<(), Refusal> {
        self.advance(event.at)?;
        let (first, end) = event.cells;
        self.changes += (end - first) as u64;
        // Cells that are no longer covered, from one on, and since when they were.
        let mut open: Option<(usize, i64)> = None;
        for cell in first..end {
            let mut closes = None;
            if self.is_change(event, cell) {
                self.pages[cell] += u64::from(!event.is_end);
                let is_covered = self.pages[cell] == self.enough;
                self.pages[cell] -= u64::from(event.is_end);
                let width = self.cuts[cell + 1] - self.cuts[cell];
                match (is_covered, event.is_end, self.now) {
                    (false, _, _) => {}
                    (true, false, Some(_)) => self.n_covered += width,
                    (true, true, Some(_)) => self.n_covered -= width,
                    (true, false, None) => self.since[cell] = event.at,
                    (true, true, None) => closes = Some(self.since[cell]),
                }
            }
            if open.map(|x| x.1) != closes {
                self.close(open, cell, event.at)?;
                open = closes.map(|since| (cell, since));
            }
        }
        self.close(open, end, event.at)
    }

    /// Adds the accesses before a value of the outer axis, if they are a product.
    fn advance(&mut self, to: i64) -> Result<(), Refusal> {
        let (Some(now), Some(weight)) = (self.now, self.weight) else {
            return Ok(());
        };
        if now < to && 0 < self.n_covered {
            let points = multiply(i128::from(to) - i128::from(now), self.n_covered.into())?;
            self.sum = add(self.sum, multiply(points, weight)?)?;
        }
        self.now = Some(to);
        Ok(())
    }

    /// Whether its page is met from now on in a cell, or is no longer.
    fn is_change(&mut self, event: Event, cell: usize) -> bool {
        let Some(shared) = event.shared else {
            return true;
        };
        let boxes = &mut self.shared[shared * self.pages.len() + cell];
        match event.is_end {
            true => *boxes -= 1,
            false => *boxes += 1,
        }
        *boxes == u32::from(!event.is_end)
    }

    /// Adds the accesses of the cells from one on up to another that were covered until now.
    fn close(&mut self, open: Option<(usize, i64)>, end: usize, now: i64) -> Result<(), Refusal> {
        let Some((first, since)) = open else {
            return Ok(());
        };
        let sides = [
            (self.outer, (since, now - 1)),
            (self.inner, (self.cuts[first], self.cuts[end] - 1)),
        ];
        let mut n_values = 1;
        for (axis, (from, to)) in sides {
            n_values = multiply(n_values, i128::from(to - from + 1))?;
            if let Some(range) = self.piece.ranges.get_mut(axis) {
                *range = (from.into(), to.into());
            }
        }
        let own = match self.weight {
            Some(weight) if self.has_all()? => {
                self.steps += BOX_STEPS;
                multiply(n_values, weight)?
            }
            _ if n_values == 0 => 0,
            _ => {
                self.steps += sum_steps(&self.piece);
                total(&self.piece)?
            }
        };
        self.sum = add(self.sum, own)?;
        Ok(())
    }

    /// Whether all points of the rectangle are points of the part.
    fn has_all(&self) -> Result<bool, Refusal> {
        for row in &self.piece.rows {
            if least(row, &self.piece.ranges)? < 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// How many steps of the search it takes to add up the accesses of a part of at most two axes.
fn sum_steps(part: &WeightedBox<()>) -> u64 {
    let is_unit = |axis: usize| {
        let mut rows = part.rows.iter();
        rows.all(|row| row.coefficients[axis].abs() <= 1)
    };
    match part.axes() < 2 || is_unit(0) || is_unit(1) {
        true => SUM_STEPS,
        false => u64::try_from(part.extent(narrowest(part))).unwrap_or(u64::MAX),
    }
}
