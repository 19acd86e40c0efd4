//! How many pages of one set a block of elements meets.
//!
//! Pages of 4 elements and 8 sets: from the start of a page of a set to that of the next one are 32 elements. A row of 3
//! elements that starts at 30, relative to a page of the set, meets the next page of it, at 32, and a row meets as many
//! such pages as there are multiples of 32 from 3 elements before its first one up to its last one.
//!
//! Rows that are a page apart meet different pages, so that theirs add up: sums of floors, by an algorithm like Euclid's.
//! Rows with gaps into which no page fits meet the same pages as one row from the first to the last element.

use crate::floor_sums::floor_sum;
use premiss_arithmetic::{div_floor, gcd};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Pages of one set: `page` elements each, `period` elements from the start of one to the start of the next.
#[derive(Debug)]
pub(crate) struct Windows {
    pub(crate) page: i64,
    pub(crate) period: i64,
    /// The least and the most of [`Windows::met`] for all starts.
    extremes: RefCell<HashMap<RowsKey, (u64, u64)>>,
    /// [`Windows::met`] for each start, once it was asked for often.
    tables: RefCell<HashMap<RowsKey, MetTable>>,
    steps: Cell<u64>,
}

/// Stride and number of rows, and how many places a page of the set may start at to be met by one.
type RowsKey = (i64, i64, i64);

/// The pages that rows meet, by where they start.
#[derive(Debug)]
enum MetTable {
    /// How often it was asked for.
    Pending(u32),
    Known(Vec<u32>),
}

/// Elements `start + stride · t`, `0 <= t < length`, in the direction of one stride after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    /// Not negative.
    pub(crate) stride: i64,
    pub(crate) least: i64,
    pub(crate) most: i64,
}

/// The pages that a product of directions meets, but for where it starts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    /// Rows within it of which no two share a page; nothing where there may be none.
    within: Option<Rows>,
    /// How far the first element of these is behind that of the others.
    offset: i64,
    /// Rows that cover it; nothing where there are none.
    cover: Option<Rows>,
    /// Whether both are the same.
    is_exact: bool,
}

/// Rows of neighbouring elements.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Rows {
    /// Stride and number, in each direction.
    rows: Vec<(i64, i64)>,
    /// How many elements a row has.
    length: i64,
    /// How many there are from the first element of all rows to the last.
    span: i64,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            length: 1,
            span: 1,
        }
    }
}

impl Shape {
    /// The least and the most pages of the set that it meets.
    pub(crate) fn bounds(&self, start: StartRange, windows: &Windows) -> (u64, u64) {
        let Some(cover) = &self.cover else {
            return (0, 0);
        };
        let most = windows.rows(cover, start, true);
        if self.is_exact && start.least == start.most {
            return (most, most);
        }
        let least = match &self.within {
            Some(within) => {
                let start = start.plus(StartRange::at(self.offset));
                windows.rows(within, start, false)
            }
            None => 0,
        };
        (least.min(most), most)
    }

    /// The shape of rows that lie somewhere within these: a page that all elements of a row from `offset` on, but the last
    /// `shrink - offset`, have in common is met in any case.
    pub(crate) fn of_rows_within(mut self, offset: i64, shrink: i64, page: i64) -> Self {
        let cover = self.cover.as_ref().map(|x| &x.rows);
        let is_apart = |within: &Rows| Some(&within.rows) == cover && !within.rows.is_empty();
        self.within = self.within.filter(is_apart);
        if let Some(within) = &mut self.within {
            within.length -= shrink;
        }
        self.within = self.within.filter(|within| -page < within.length - 1);
        self.offset = offset;
        self.is_exact = false;
        self
    }
}

/// A period is shorter, so that its places can be gone through.
const MOST_ELEMENTS: i64 = 1 << 22;

/// Tables of so many places in all are kept at most.
const MOST_PLACES: i64 = 1 << 24;

/// For how many places that are gone through a step pays.
const PLACES_PER_STEP: u64 = 256;

/// The ends of windows on a ring are put in order if there are so many places for each.
const PLACES_PER_END: i64 = 8;

/// A table is made once a start in so many was asked for.
const STARTS_PER_QUESTION: i64 = 64;

/// Rows that lie in several directions are gone through up to so many; else bounds for any start are taken.
const FEW_ROWS: i64 = 16;

/// Where a block may start, relative to a page of the set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartRange {
    pub(crate) least: i64,
    pub(crate) most: i64,
}

impl StartRange {
    /// Any place.
    pub(crate) const ANY: Self = Self {
        least: i64::MIN / 4,
        most: i64::MAX / 4,
    };

    /// One place.
    pub(crate) fn at(place: i64) -> Self {
        Self {
            least: place,
            most: place,
        }
    }

    /// All sums of a place of one and of another.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }
}

impl Windows {
    /// Nothing where sums might not fit.
    pub(crate) fn new(page: i64, sets: i64) -> Option<Self> {
        let period = page.checked_mul(sets)?;
        (period < MOST_ELEMENTS).then(|| Self {
            page,
            period,
            extremes: RefCell::default(),
            tables: RefCell::default(),
            steps: Cell::new(0),
        })
    }

    /// The steps taken since this was last asked.
    pub(crate) fn take_steps(&self) -> u64 {
        self.steps.take()
    }

    /// What matters of the lengths of directions.
    pub(crate) fn shape(&self, mut extents: Vec<Extent>) -> Shape {
        extents.sort_by_key(|x| x.stride);
        let mut is_certain = true;
        let (mut within, mut cover) = (Rows::default(), Rows::default());
        for extent in extents {
            if extent.most <= 0 {
                return Shape::default();
            }
            is_certain &= 0 < extent.least;
            if extent.most == 1 {
                continue;
            }
            let (few, many) = (extent.least.max(1), extent.most);
            let stretched =
                |length: i64, n: i64| (n - 1).saturating_mul(extent.stride).saturating_add(length);
            // No page fits between two rows.
            if cover.rows.is_empty() && extent.stride < within.length + self.page {
                within.length = stretched(within.length, few);
                cover.length = stretched(cover.length, many);
                cover.span = cover.length;
                continue;
            }
            // No two rows share a page.
            if self.page - 1 <= extent.stride - cover.span {
                within.rows.push((extent.stride, few));
            }
            cover.rows.push((extent.stride, many));
            cover.span = stretched(cover.span, many);
        }
        Shape {
            is_exact: is_certain && within.rows == cover.rows && within.length == cover.length,
            within: is_certain.then_some(within),
            offset: 0,
            cover: Some(cover),
        }
    }

    /// Bounds on the pages that rows meet, each counted as if no two shared one: for the least and the greatest start.
    fn rows(&self, rows: &Rows, start: StartRange, is_cover: bool) -> u64 {
        let reach = rows.length.saturating_add(self.page - 1);
        let width = start.most.saturating_sub(start.least);
        let (first, others) = match rows.rows.split_first() {
            None => ((0, 1), &[][..]),
            Some((first, others)) => (*first, others),
        };
        let factor = others
            .iter()
            .fold(1_i64, |product, x| product.saturating_mul(x.1));
        let anywhere = || {
            let (least, most) = self.extremes(first.0, first.1, reach);
            let own = if is_cover { most } else { least };
            own.saturating_mul(factor.unsigned_abs())
        };
        // A start in a range is a longer row from its least one, or a shorter one from its greatest.
        let (from, own) = match is_cover {
            true => (start.least, reach.saturating_add(width)),
            false => (start.most, reach.saturating_sub(width)),
        };
        if self.period <= width || FEW_ROWS < factor || own <= 0 {
            return anywhere();
        }
        let here = self.met_by_all(from, first, others, own);
        match (width, is_cover) {
            (0, _) => here,
            (_, true) => here.min(anywhere()),
            (_, false) => here.max(anywhere()),
        }
    }

    fn met_by_all(&self, from: i64, first: (i64, i64), others: &[(i64, i64)], reach: i64) -> u64 {
        let Some(((stride, n), others)) = others.split_last() else {
            return self.met(from, first.0, first.1, reach);
        };
        let each = (0..*n).map(|t| {
            let from = from.wrapping_add(t.wrapping_mul(*stride));
            self.met_by_all(from, first, others, reach)
        });
        each.fold(0, u64::saturating_add)
    }

    /// The multiples of the period among `from - page + 1 + stride·t + e` with `0 <= t < n` and `0 <= e < reach`.
    fn met(&self, from: i64, stride: i64, n: i64, reach: i64) -> u64 {
        if n == 1 {
            let from = from.rem_euclid(self.period) - self.page;
            let upto = |last: i64| div_floor(last, self.period);
            return upto(from.saturating_add(reach)).abs_diff(upto(from));
        }
        let from = from.rem_euclid(self.period);
        let key = (stride, n, reach);
        let mut tables = self.tables.borrow_mut();
        let n_tables = i64::try_from(tables.len()).unwrap_or(i64::MAX);
        let full = MOST_PLACES / self.period <= n_tables;
        let table = match tables.get_mut(&key) {
            None if full => None,
            None => Some(tables.entry(key).or_insert(MetTable::Pending(0))),
            known => known,
        };
        match table {
            Some(MetTable::Known(met)) => {
                return u64::from(met[usize::try_from(from).unwrap_or(0)]);
            }
            Some(MetTable::Pending(times)) => {
                *times += 1;
                if self.period < i64::from(*times) * STARTS_PER_QUESTION {
                    let met = self.table(stride, n, reach);
                    let here = met[usize::try_from(from).unwrap_or(0)];
                    tables.insert(key, MetTable::Known(met));
                    return u64::from(here);
                }
            }
            None => {}
        }
        let from = i128::from(from - self.page + 1);
        let stride = i128::from(stride.rem_euclid(self.period));
        let upto = |last: i128| floor_sum(i128::from(n), i128::from(self.period), stride, last);
        let sum = upto(from + i128::from(reach) - 1) - upto(from - 1);
        u64::try_from(sum).unwrap_or(u64::MAX)
    }

    /// What [`Self::met`] is for each start.
    fn table(&self, stride: i64, n: i64, reach: i64) -> Vec<u32> {
        let size = usize::try_from(self.period).unwrap_or(0);
        let index = |x: i64| usize::try_from(x.rem_euclid(self.period)).unwrap_or(0);
        let mut change = vec![0_i64; size + 1];
        let (rounds, length) = (reach / self.period, reach % self.period);
        // A row meets a page if it starts up to `reach - page` elements before it, or within it.
        for t in 0..n {
            let last = index(self.page - 1 - t.wrapping_mul(stride)) + 1;
            let first = i64::try_from(last).unwrap_or(i64::MAX) - length;
            change[last] -= 1;
            match usize::try_from(first) {
                Ok(first) => change[first] += 1,
                Err(_) => {
                    change[0] += 1;
                    change[index(first)] += 1;
                    change[size] -= 1;
                }
            }
        }
        self.steps
            .set(self.steps.get() + (size as u64 + n.unsigned_abs()) / PLACES_PER_STEP);
        let mut sum = n * rounds;
        let met = change[..size].iter().map(|step| {
            sum += step;
            u32::try_from(sum).unwrap_or(u32::MAX)
        });
        met.collect()
    }

    /// The least and the most of [`Self::met`] for any start.
    fn extremes(&self, stride: i64, n: i64, reach: i64) -> (u64, u64) {
        let stride = stride.rem_euclid(self.period);
        if n <= 1 || stride == 0 {
            let n = n.max(0).unsigned_abs();
            let least = (reach / self.period).unsigned_abs();
            let most = ((reach - 1) / self.period + 1).unsigned_abs();
            return (least.saturating_mul(n), most.saturating_mul(n));
        }
        let key = (stride, n, reach);
        if let Some(known) = self.extremes.borrow().get(&key) {
            return *known;
        }
        let common = gcd(stride, self.period);
        let ring = self.period / common;
        let ring = Ring {
            places: ring,
            stride: stride / common,
        };
        // Of `reach` neighbours every `common`-th can be the one.
        let few = reach / common;
        let many = few + i64::from(reach % common != 0);
        let found = ring.extremes(n, (few, many));
        self.steps
            .set(self.steps.get() + 1 + ring.steps(n) / PLACES_PER_STEP);
        let mut extremes = self.extremes.borrow_mut();
        if 1 << 16 < extremes.len() {
            extremes.clear();
        }
        extremes.insert(key, found);
        found
    }
}

/// Places in a circle, on which windows begin so many places behind each other; the number of places and this have no common
/// factor.
#[derive(Clone, Copy, Debug)]
struct Ring {
    places: i64,
    stride: i64,
}

impl Ring {
    /// How often a place is covered by `n` windows: at least by windows of the one length, at most by windows of the other.
    fn extremes(self, n: i64, (few, many): (i64, i64)) -> (u64, u64) {
        let (rounds, n) = (n / self.places, n % self.places);
        let own = |length: i64| rounds * length + n * (length / self.places);
        let (few, many) = (
            (own(few), few % self.places),
            (own(many), many % self.places),
        );
        let (least, most) = match self.is_sparse(n) {
            true => self.sparse_extremes(n, (few.1, many.1)),
            false if few.1 == many.1 => self.dense_extremes(n, few.1),
            false => {
                let least = self.dense_extremes(n, few.1).0;
                (least, self.dense_extremes(n, many.1).1)
            }
        };
        (
            (few.0 + least).unsigned_abs(),
            (many.0 + most).unsigned_abs(),
        )
    }

    /// How many places are gone through.
    fn steps(self, n: i64) -> u64 {
        let n = n % self.places;
        let places = if self.is_sparse(n) { 0 } else { self.places };
        (places + n).unsigned_abs()
    }

    /// Whether there are so few windows that their ends are put in order.
    fn is_sparse(self, n: i64) -> bool {
        n < self.places / PLACES_PER_END
    }

    /// The same for lengths that are less than the ring, by where windows begin. Most are over the last place that is the
    /// first one of a window; least are over the first one behind a window.
    fn sparse_extremes(self, n: i64, (few, many): (i64, i64)) -> (i64, i64) {
        let mut starts: Vec<i64> = Vec::with_capacity(usize::try_from(2 * n).unwrap_or(0));
        let mut at = 0;
        for _ in 0..n {
            starts.push(at);
            at = (at + self.stride) % self.places;
        }
        starts.sort_unstable();
        let n = starts.len();
        for idx in 0..n {
            starts.push(starts[idx] + self.places);
        }
        let (mut least, mut most) = (if n == 0 { 0 } else { i64::MAX }, 0);
        let (mut behind, mut end) = (0, 0);
        for (number, first) in (0_i64..).zip(&starts[..n]) {
            // Those that begin later, up to the first place behind the one of `few` places.
            while behind < starts.len() && starts[behind] <= first + few {
                behind += 1;
            }
            // Those that begin from its first place on, within `many` places.
            while end < starts.len() && starts[end] < first + many {
                end += 1;
            }
            let upto = |place: usize| i64::try_from(place).unwrap_or(i64::MAX) - number;
            least = least.min(upto(behind) - 1);
            most = most.max(upto(end));
        }
        (least, most)
    }

    /// The same place by place.
    fn dense_extremes(self, n: i64, length: i64) -> (i64, i64) {
        let ring = self.places;
        let index = |x: i64| usize::try_from(x.rem_euclid(ring)).unwrap_or(0);
        let mut change = vec![0_i64; index(ring - 1) + 2];
        if 0 < length {
            let mut at = 0;
            for _ in 0..n {
                let end = at + length;
                change[index(at)] += 1;
                if end <= ring {
                    change[usize::try_from(end).unwrap_or(0)] -= 1;
                } else {
                    change[0] += 1;
                    change[index(end)] -= 1;
                }
                at = (at + self.stride) % ring;
            }
        }
        let mut sum = 0;
        let (mut least, mut most) = (i64::MAX, 0);
        for step in &change[..index(ring - 1) + 1] {
            sum += step;
            (least, most) = (least.min(sum), most.max(sum));
        }
        (least, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn few_windows_on_a_ring_cover_it_as_many_do(
            (places, stride) in (9..60_i64, 1..60_i64),
            n in 0..7_i64,
            (few, more) in (0..60_i64, 0..2_i64),
        ) {
            let ring = Ring { places, stride };
            let lengths = (few % places, (few + more) % places);
            if gcd(stride, places) == 1 && n < places {
                let dense = [lengths.0, lengths.1].map(|length| ring.dense_extremes(n, length));
                let sparse = ring.sparse_extremes(n, lengths);
                prop_assert_eq!(sparse, (dense[0].0, dense[1].1));
            }
        }

        #[test]
        fn bounds_hold_and_are_exact_where_all_is_known_and_rows_are_apart(
            page in 1..9_i64,
            sets in 1..6_i64,
            start in -50..50_i64,
            (before, behind) in (0..4_i64, 0..4_i64),
            all in vec((1..60_i64, 0..7_i64, 0..3_i64, 0..3_i64), 0..4),
        ) {
            let windows = Windows::new(page, sets).expect("it is small");
            let mut places = vec![start];
            for (stride, length, ..) in &all {
                let next = places.iter().flat_map(|x| (0..*length).map(move |t| x + t * stride));
                places = next.collect();
            }
            let pages: BTreeSet<i64> = places.iter().map(|x| x.div_euclid(page)).collect();
            let own = pages.iter().filter(|x| *x % sets == 0).count() as u64;
            let extents = all.iter().map(|(stride, length, less, more)| Extent {
                stride: *stride,
                least: length - less,
                most: length + more,
            });
            let range = StartRange { least: start - before, most: start + behind };
            let (least, most) = windows.shape(extents.collect()).bounds(range, &windows);
            prop_assert!(least <= own && own <= most, "{least}..{most}, not {own}");
            if let [(stride, length, ..), ..] = all[..] {
                let row = Extent { stride, least: length, most: length };
                let places = (0..length).map(|t| (start + t * stride).div_euclid(page));
                let pages: BTreeSet<i64> = places.collect();
                let own = pages.iter().filter(|x| *x % sets == 0).count() as u64;
                let range = StartRange { least: start, most: start };
                prop_assert_eq!(windows.shape(vec![row]).bounds(range, &windows), (own, own));
            }
        }
    }
}
