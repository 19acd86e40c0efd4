//! Where a block meets the pages of the sink's set: boxes of iterations.
//!
//! From column to column `j`, the element of `B[k][j]` in each row `k` moves by one, and it meets a page of 512 elements for
//! 512 columns. If there are rows up to `i`, it is met where `k <= i`, too. So each page of the set is met in a few boxes of
//! `i` and `j`. The same holds of lines, which are pages of one element.

use super::block::{Bound, Direction, LineBlock};
use super::plane::{BOX_AXES, PlaneBox, PlaneRow, narrow_box};
use premiss_arithmetic::div_floor;
use premiss_presburger::Refusal;

/// Where two axes matter together, the values of one of them are gone through if there are at most so many more than one.
const FEW_VALUES: i64 = 7;

/// Rounds in which rows narrow ranges.
const ROUNDS: usize = 4;

/// So many times more steps of the search for them are taken at most.
const STEPS_PER_BOX: u64 = 16;

/// The lines or pages of the sink's set: `length` elements from each multiple of `period` on, relative to the sink's own one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetPages {
    pub(crate) length: i64,
    pub(crate) period: i64,
}

/// The values of axes, from one to another, at which a page is met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MetBox {
    /// The number of the page, in the order in which they were looked for.
    pub(crate) page: usize,
    pub(crate) ranges: PlaneBox,
}

/// Why boxes are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoBoxes {
    /// Several axes matter together, in this form.
    Coupled(PlaneRow),
    TooMany,
    Refused(Refusal),
}

impl From<Refusal> for NoBoxes {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Axes and what depends on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormsOnBox<'a> {
    pub(crate) ranges: PlaneBox,
    /// What is not negative on all iterations.
    pub(crate) rows: &'a [PlaneRow],
    pub(crate) forms: &'a [PlaneRow],
    /// An interval for each form that bounds blocks.
    pub(crate) bounds: &'a [(i64, i64)],
}

/// The boxes in which pages are met.
#[derive(Debug)]
pub(crate) struct MetBoxes<'a> {
    domain: FormsOnBox<'a>,
    pages: SetPages,
    pub(crate) boxes: Vec<MetBox>,
    /// How many pages are met somewhere.
    pub(crate) n_pages: usize,
    pub(crate) steps: u64,
    /// The search ends once so many pages are met, however long it takes; else it is given up where it takes long.
    enough: Option<u64>,
    /// Where more boxes than this are expected, they are not looked for.
    most_boxes: u64,
    /// Room for the rows of a box.
    rows: Vec<PlaneRow>,
}

impl<'a> MetBoxes<'a> {
    pub(crate) fn new(
        domain: FormsOnBox<'a>,
        pages: SetPages,
        most_boxes: u64,
        enough: Option<u64>,
    ) -> Self {
        Self {
            domain,
            most_boxes,
            pages,
            boxes: Vec::new(),
            n_pages: 0,
            steps: 0,
            rows: Vec::new(),
            enough,
        }
    }

    /// Adds the pages that blocks of one array meet, each of them once; not the sink's own page if `is_own`.
    ///
    /// # Errors
    /// Where they are met is no box, there are too many, or a number does not fit.
    pub(crate) fn add(&mut self, blocks: &[&LineBlock], is_own: bool) -> Result<(), NoBoxes> {
        let mut tracks = Vec::with_capacity(blocks.len());
        for block in blocks {
            tracks.extend(Track::new(block, self.domain, self.pages)?);
        }
        let SetPages { length, period } = self.pages;
        let expected = tracks.iter().map(|track| track.expected_boxes(self.pages));
        let expected = expected.fold(self.boxes.len() as u64, u64::saturating_add);
        if self.enough.is_none() && self.most_boxes < expected {
            return Err(NoBoxes::TooMany);
        }
        let reaches = tracks.iter().map(|track| track.reach(self.pages));
        let reaches: Vec<(i64, i64)> = reaches.collect();
        let depth = tracks.iter().map(|track| track.hull.len()).max();
        let mut chosen = vec![0; depth.unwrap_or(0)];
        for number in numbers(reaches.clone()) {
            if number == 0 && is_own {
                continue;
            }
            if self
                .enough
                .is_some_and(|enough| enough <= self.n_pages as u64)
            {
                break;
            }
            let before = self.boxes.len();
            let page = (number * period, number * period + length - 1);
            for (track, (first, last)) in tracks.iter().zip(&reaches) {
                if number < *first || *last < number {
                    continue;
                }
                let mut search = Search {
                    track,
                    page,
                    window: (page.0 - track.starts.1, page.1 - track.starts.0),
                    all: self,
                };
                search.from(0, 0, &mut chosen)?;
            }
            self.n_pages += usize::from(before < self.boxes.len());
        }
        Ok(())
    }

    fn spend(&mut self) -> Result<(), NoBoxes> {
        self.steps += 1;
        let most_steps = self.most_boxes.saturating_mul(STEPS_PER_BOX);
        match most_steps < self.steps && self.enough.is_none() {
            true => Err(NoBoxes::TooMany),
            false => Ok(()),
        }
    }

    /// Adds the boxes within some ranges in which all of these forms are not negative.
    fn require(&mut self, rows: &[PlaneRow], mut ranges: PlaneBox) -> Result<(), NoBoxes> {
        if !narrow_box(rows, &mut ranges, ROUNDS)? {
            return Ok(());
        }
        for row in rows {
            let mut given = self.domain.rows.iter();
            if 0 <= row.interval(&ranges)?.0 || given.any(|known| row.follows_from(*known)) {
                continue;
            }
            // Of a form of one axis, ranges have all that it tells.
            let own = (0..BOX_AXES).filter(|axis| row.coefficients[*axis] != 0);
            let extent = |axis: &usize| ranges[*axis].1 - ranges[*axis].0;
            let Some(axis) = own.min_by_key(extent) else {
                return Ok(());
            };
            if FEW_VALUES < extent(&axis) {
                return Err(NoBoxes::Coupled(*row));
            }
            for value in ranges[axis].0..=ranges[axis].1 {
                self.spend()?;
                let mut slice = ranges;
                slice[axis] = (value, value);
                self.require(rows, slice)?;
            }
            return Ok(());
        }
        self.boxes.push(MetBox {
            page: self.n_pages,
            ranges,
        });
        Ok(())
    }
}

/// A block of which the lengths, and where it starts, are forms.
#[derive(Debug)]
struct Track<'a> {
    block: &'a LineBlock,
    forms: &'a [PlaneRow],
    /// What is added to the value of each direction, so that the start depends as little as can be on axes that are so many
    /// of its steps: of a column `k` that starts in row `k`, rows are numbered from the first one of the array.
    shifts: Vec<PlaneRow>,
    /// A range of values for each direction, on the whole box.
    hull: Vec<(i64, i64)>,
    /// In which order directions are gone through.
    order: Vec<usize>,
    /// For each of these, what those behind it and those that are left out add at least and at most.
    rests: Vec<(i64, i64)>,
    /// The directions that are left out: their elements have no gaps for a page.
    dense: Vec<usize>,
    /// The element in which all directions are at zero.
    start: PlaneRow,
    starts: (i64, i64),
    /// Its first and its last element relative to its start, at most.
    span: (i64, i64),
    /// What is not negative where there are elements, but for its directions.
    conditions: Vec<PlaneRow>,
}

impl<'a> Track<'a> {
    /// Nothing where the block certainly has no elements.
    fn new(
        block: &'a LineBlock,
        domain: FormsOnBox<'a>,
        pages: SetPages,
    ) -> Result<Option<Self>, Refusal> {
        let Some(is_certain) = block.is_certain(domain.bounds) else {
            return Ok(None);
        };
        let mut hull = Vec::with_capacity(block.directions.len());
        for direction in &block.directions {
            match direction.possible_range(domain.bounds, &hull) {
                Some(range) => hull.push(range),
                None => return Ok(None),
            }
        }
        let mut order: Vec<usize> = (0..block.directions.len()).collect();
        let mut dense = Vec::new();
        if block.is_product {
            order.sort_by_key(|x| std::cmp::Reverse(block.directions[*x].stride.abs()));
            let mut least = 0;
            while let Some(idx) = order.last() {
                let direction = &block.directions[*idx];
                let stride = direction.stride.abs();
                if least + pages.length < stride {
                    break;
                }
                let certain = direction.certain_range(domain.bounds, &[]);
                least += stride * certain.map_or(0, |(lo, hi)| hi - lo);
                dense.extend(order.pop());
            }
        } else if let Some(last) = block.directions.last()
            && last.stride.abs() <= pages.length
        {
            dense.extend(order.pop());
        }
        let mut start = domain.forms[domain.bounds.len() + block.start().place()];
        let mut shifts = vec![PlaneRow::constant(0); hull.len()];
        let mut by_stride = order.clone();
        by_stride.sort_by_key(|x| std::cmp::Reverse(block.directions[*x].stride.abs()));
        for idx in by_stride {
            let stride = block.directions[idx].stride;
            for axis in 0..BOX_AXES {
                let own = start.coefficients[axis];
                if stride != 0 {
                    let steps = nearest(own, stride);
                    start.coefficients[axis] -= steps * stride;
                    shifts[idx].coefficients[axis] = steps;
                }
            }
            hull[idx] = plus(hull[idx], shifts[idx].interval(&domain.ranges)?);
        }
        let mut rests = Vec::with_capacity(order.len());
        for depth in 1..=order.len() {
            let behind = order[depth..].iter().chain(&dense);
            let own = behind.map(|idx| ends(&block.directions[*idx], hull[*idx]));
            rests.push(own.fold((0, 0), plus));
        }
        let all = block.directions.iter().zip(&hull);
        let span = all.fold((0, 0), |sum, (x, range)| plus(sum, ends(x, *range)));
        let conditions = match is_certain {
            true => Vec::new(),
            false => block
                .conditions
                .iter()
                .map(|x| x.of(domain.forms))
                .collect(),
        };
        Ok(Some(Self {
            block,
            forms: domain.forms,
            shifts,
            hull,
            order,
            rests,
            dense,
            start,
            starts: start.interval(&domain.ranges)?,
            span,
            conditions,
        }))
    }

    /// The numbers of the first and the last page of the set that it may meet.
    fn reach(&self, SetPages { length, period }: SetPages) -> (i64, i64) {
        let (first, last) = plus(self.starts, self.span);
        (
            -div_floor(length - 1 - first, period),
            div_floor(last, period),
        )
    }

    /// About how many boxes there are: pages within reach, and for each the elements that may meet it for some start.
    fn expected_boxes(&self, pages: SetPages) -> u64 {
        let reach = plus(self.starts, self.span);
        let n_pages = (reach.1 - reach.0) / pages.period + 1;
        let mut open = pages.length + self.starts.1 - self.starts.0;
        for idx in &self.dense {
            let own = ends(&self.block.directions[*idx], self.hull[*idx]);
            open = open.saturating_add(own.1 - own.0);
        }
        let mut boxes = n_pages.unsigned_abs();
        for idx in self.order.iter().rev() {
            let (lo, hi) = self.hull[*idx];
            let stride = self.block.directions[*idx].stride.abs();
            let values = (open / stride.max(1)).saturating_add(1).min(hi - lo + 1);
            boxes = boxes.saturating_mul(values.unsigned_abs());
            open = open.saturating_add(stride.saturating_mul(hi - lo));
        }
        boxes
    }

    /// A bound on a direction but for the direction itself, those before it having these values.
    fn bound(&self, bound: &Bound, chosen: &[i64]) -> Result<PlaneRow, Refusal> {
        let mut row = bound.form.of(self.forms);
        let others = bound.coefficients.split_last().map_or(&[][..], |x| x.1);
        for (idx, coefficient) in others.iter().enumerate() {
            row = self.plus_direction(row, idx, *coefficient, chosen[idx])?;
        }
        Ok(row)
    }

    /// A form and so many times a direction that has a value.
    fn plus_direction(
        &self,
        row: PlaneRow,
        idx: usize,
        coefficient: i64,
        value: i64,
    ) -> Result<PlaneRow, Refusal> {
        let more = coefficient.checked_mul(value).ok_or(Refusal::Overflow)?;
        let row = row.plus_times(self.shifts[idx], -coefficient)?;
        row.plus_constant(more)
    }
}

/// The numbers in any of these ranges, in order: a column may be far from the row of the page.
fn numbers(mut all: Vec<(i64, i64)>) -> impl Iterator<Item = i64> {
    all.sort_unstable();
    let mut next = i64::MIN;
    all.into_iter().flat_map(move |(first, last)| {
        let first = first.max(next);
        next = next.max(last.saturating_add(1));
        first..=last
    })
}

/// `floor(form / divisor)`.
#[derive(Clone, Copy, Debug)]
struct Quotient {
    form: PlaneRow,
    divisor: i64,
}

impl Quotient {
    /// Its value if it is a number.
    fn value(self) -> Option<i64> {
        let is_constant = self.form.is_constant();
        is_constant.then(|| div_floor(self.form.constant, self.divisor))
    }
}

/// `row + factor · floor(form / divisor)`, if there is such a term.
#[derive(Clone, Copy, Debug)]
struct FlooredRow {
    row: PlaneRow,
    term: Option<(i64, Quotient)>,
}

impl FlooredRow {
    fn plus(mut self, factor: i64, quotient: Quotient) -> Result<Self, NoBoxes> {
        if let Some(value) = quotient.value() {
            let more = factor.checked_mul(value).ok_or(Refusal::Overflow)?;
            self.row = self.row.plus_constant(more)?;
        } else if quotient.divisor == 1 {
            self.row = self.row.plus_times(quotient.form, factor)?;
        } else if self.term.is_none() {
            self.term = Some((factor, quotient));
        } else {
            return Err(NoBoxes::TooMany);
        }
        Ok(self)
    }

    /// A row that is not negative where this is not negative.
    fn row(self) -> Result<PlaneRow, NoBoxes> {
        let Some((factor, Quotient { form, divisor })) = self.term else {
            return Ok(self.row);
        };
        if factor == 1 {
            // `floor(form / d) + row` is `floor((form + d·row) / d)`.
            return Ok(form.plus_times(self.row, divisor)?);
        }
        let rest = Quotient {
            form: self.row,
            divisor: factor,
        };
        let rest = rest.value().ok_or(NoBoxes::TooMany)?;
        let more = divisor.checked_mul(rest).ok_or(Refusal::Overflow)?;
        Ok(form.plus_constant(more)?)
    }
}

/// The search for elements that meet a page.
struct Search<'s, 't, 'a> {
    track: &'s Track<'t>,
    page: (i64, i64),
    /// Elements that meet it for some start, relative to that.
    window: (i64, i64),
    all: &'s mut MetBoxes<'a>,
}

impl Search<'_, '_, '_> {
    fn from(&mut self, depth: usize, at: i64, chosen: &mut [i64]) -> Result<(), NoBoxes> {
        self.all.spend()?;
        let own = self.track;
        let all = &own.block.directions;
        let Some(idx) = own.order.get(depth) else {
            return self.meet(at, chosen);
        };
        let direction = &all[*idx];
        let (mut lo, mut hi) = own.hull[*idx];
        let rest = own.rests[depth];
        // The other directions make up for so much: least <= stride·t <= most.
        let (least, most) = (self.window.0 - rest.1 - at, self.window.1 - rest.0 - at);
        let stride = direction.stride;
        match stride {
            0 if 0 < least || most < 0 => return Ok(()),
            0 => {}
            1.. => {
                lo = lo.max(-div_floor(-least, stride));
                hi = hi.min(div_floor(most, stride));
            }
            _ => {
                lo = lo.max(-div_floor(most, -stride));
                hi = hi.min(div_floor(-least, -stride));
            }
        }
        for value in lo..=hi {
            chosen[*idx] = value;
            self.from(depth + 1, at + stride * value, chosen)?;
        }
        Ok(())
    }

    /// Adds where the directions that are left out meet the page, those before having these values.
    fn meet(&mut self, at: i64, chosen: &[i64]) -> Result<(), NoBoxes> {
        let mut rows = std::mem::take(&mut self.all.rows);
        rows.clear();
        let outcome = self.add_rows(at, chosen, &mut rows);
        let outcome = outcome.and_then(|()| self.all.require(&rows, self.all.domain.ranges));
        self.all.rows = rows;
        outcome
    }

    /// Adds what is not negative there, as far as it is not so everywhere.
    fn add_rows(&self, at: i64, chosen: &[i64], rows: &mut Vec<PlaneRow>) -> Result<(), NoBoxes> {
        let own = self.track;
        let ranges = &self.all.domain.ranges;
        let mut add = |row: PlaneRow| {
            if row.interval(ranges)?.0 < 0 {
                rows.push(row);
            }
            Ok::<(), NoBoxes>(())
        };
        for row in &own.conditions {
            add(*row)?;
        }
        for idx in &own.order {
            for bound in &own.block.directions[*idx].bounds {
                let rest = own.bound(bound, chosen)?;
                let coefficient = bound.coefficients.last().copied().unwrap_or(0);
                add(own.plus_direction(rest, *idx, coefficient, chosen[*idx])?)?;
            }
        }
        // Its last element is not before the page, and its first one not behind.
        let behind = own.start.plus_constant(at - self.page.0)?;
        let before = PlaneRow::constant(self.page.1 - at).plus_times(own.start, -1)?;
        if own.dense.is_empty() {
            add(behind)?;
            return add(before);
        }
        let alone = |row: PlaneRow| vec![FlooredRow { row, term: None }];
        let (mut behind, mut before) = (alone(behind), alone(before));
        for idx in &own.dense {
            let direction = &own.block.directions[*idx];
            let [lower, upper] = self.sides(direction, chosen)?;
            for one in &lower {
                for other in &upper {
                    let nothing = FlooredRow {
                        row: PlaneRow::constant(0),
                        term: None,
                    };
                    add(nothing.plus(1, *one)?.plus(1, *other)?.row()?)?;
                }
            }
            let stride = direction.stride;
            let (down, up) = match 0 <= stride {
                true => (lower, upper),
                false => (upper, lower),
            };
            behind = sums(&behind, stride.abs(), &up)?;
            before = sums(&before, stride.abs(), &down)?;
        }
        for row in behind.into_iter().chain(before) {
            add(row.row()?)?;
        }
        Ok(())
    }

    /// What a direction is at least, negated, and at most.
    fn sides(&self, direction: &Direction, chosen: &[i64]) -> Result<[Vec<Quotient>; 2], Refusal> {
        let mut sides = [Vec::new(), Vec::new()];
        for bound in &direction.bounds {
            let last = bound.coefficients.last().copied().unwrap_or(0);
            sides[usize::from(last < 0)].push(Quotient {
                form: self.track.bound(bound, chosen)?,
                divisor: last.abs(),
            });
        }
        Ok(sides)
    }
}

/// All sums of one and a multiple of another.
fn sums(rows: &[FlooredRow], factor: i64, terms: &[Quotient]) -> Result<Vec<FlooredRow>, NoBoxes> {
    if factor == 0 {
        return Ok(rows.to_vec());
    }
    let all = rows
        .iter()
        .flat_map(|row| terms.iter().map(move |x| row.plus(factor, *x)));
    all.collect()
}

/// How many strides come nearest to a number.
pub(super) fn nearest(number: i64, stride: i64) -> i64 {
    let length = stride.abs();
    stride.signum() * div_floor(number.saturating_add(length / 2), length)
}

/// What a direction adds at least and at most.
fn ends(direction: &Direction, range: (i64, i64)) -> (i64, i64) {
    let ends = [range.0, range.1].map(|x| direction.stride * x);
    (ends[0].min(ends[1]), ends[0].max(ends[1]))
}

fn plus(one: (i64, i64), other: (i64, i64)) -> (i64, i64) {
    (one.0 + other.0, one.1 + other.1)
}
