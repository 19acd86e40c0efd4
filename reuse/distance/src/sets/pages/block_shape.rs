//! How many pages of the sink's set a block of elements meets.

use super::cover::{PageBlock, Slack};
use super::windows::{Extent, Shape, StartRange, Windows};
use crate::sets::block::{Direction, LineBlock};

/// Into how many strips each direction is cut of which the next one's length depends on it.
const STRIPS: i64 = 4;

/// A block of which bounds on the lengths are known, but for where it starts.
#[derive(Debug)]
pub(crate) struct BlockShape<'a> {
    pub(crate) block: &'a LineBlock,
    /// Products of directions that cover it, and where they start relative to the block.
    cover: Vec<(Shape, StartRange)>,
    /// Products within it.
    within: Vec<(Shape, StartRange)>,
    /// Whether products share at most one page with the next one, else any.
    is_ordered: bool,
    /// Whether one of the pages that it meets is the sink's own.
    pub(crate) has_page: bool,
    /// So many pages of the products within it may be missing.
    missing: u64,
    /// Whether its lengths are known, and so what elements it has.
    pub(crate) is_known: bool,
    /// Its first element relative to its start, at least.
    pub(crate) first: i64,
    /// Its last element relative to its start, at most.
    pub(crate) last: i64,
}

/// A range of values for each direction of a block.
type DirectionRanges = Vec<(i64, i64)>;

impl<'a> BlockShape<'a> {
    /// The shape of a block, `bounds` having an interval for each form; `None` where it certainly has no elements.
    fn new(block: &'a LineBlock, bounds: &[(i64, i64)], windows: &Windows) -> Option<Self> {
        let is_certain = block.is_certain(bounds)?;
        let mut hull = DirectionRanges::new();
        for direction in &block.directions {
            hull.push(direction.possible_range(bounds, &hull)?);
        }
        let (mut first, mut last) = (0_i64, 0_i64);
        for (direction, (lo, hi)) in block.directions.iter().zip(&hull) {
            let ends = [lo, hi].map(|x| direction.stride.saturating_mul(*x));
            first = first.saturating_add(ends[0].min(ends[1]));
            last = last.saturating_add(ends[0].max(ends[1]));
        }
        let mut shape = Self {
            block,
            cover: Vec::new(),
            within: Vec::new(),
            is_ordered: true,
            has_page: false,
            missing: 0,
            is_known: false,
            first,
            last,
        };
        let of_ranges = |ranges: DirectionRanges| {
            let behind = behind(block, &ranges);
            (windows.shape(extents(block, &ranges)), behind)
        };
        let of_known_length = |direction: &Direction| {
            let lengths = direction.lengths(bounds);
            lengths.least == lengths.most
        };
        shape.is_known = bounds.iter().all(|(lo, hi)| lo == hi)
            || is_certain && block.is_anchored && block.directions.iter().all(of_known_length);
        if block.is_product && shape.is_known {
            shape.cover.push(of_ranges(hull));
            shape.within = shape.cover.clone();
        } else if block.is_product {
            shape.cover.push(product(block, bounds, windows));
            shape.within = shape.cover.clone();
        } else {
            let boxes = strips(block, bounds, true);
            shape.cover = boxes.into_iter().map(of_ranges).collect();
            let boxes = strips(block, bounds, false);
            shape.within = boxes.into_iter().map(of_ranges).collect();
            shape.is_ordered = is_ordered(block, &hull);
        }
        if !is_certain {
            shape.within.clear();
        }
        Some(shape)
    }

    /// The shape of a block that may cover others.
    pub(crate) fn of_page_block(
        own: &'a PageBlock,
        bounds: &[(i64, i64)],
        windows: &Windows,
    ) -> Option<Self> {
        let mut shape = Self::new(&own.block, bounds, windows)?;
        shape.has_page = own.has_page;
        let slack = own.slack;
        if slack != Slack::default() {
            let narrow = |(rows, behind): &(Shape, StartRange)| {
                let rows = rows.clone();
                (
                    rows.of_rows_within(slack.offset, slack.length, windows.page),
                    *behind,
                )
            };
            shape.cover = shape.cover.iter().map(narrow).collect();
            shape.within = shape.cover.clone();
            shape.missing = slack.rows;
            shape.is_known = false;
        }
        Some(shape)
    }

    /// Bounds on the pages of the sink's set that the block meets, `start` being where all directions are at zero, relative
    /// to the sink's page.
    pub(crate) fn pages(&self, start: StartRange, windows: &Windows) -> (u64, u64) {
        if let ([one], true) = (&self.cover[..], self.block.is_product) {
            let (least, most) = one.0.bounds(start.plus(one.1), windows);
            return match self.within.is_empty() {
                true => (0, most),
                false => (least.saturating_sub(self.missing), most),
            };
        }
        let cover = self.cover.iter();
        let most = cover.map(|(shape, behind)| shape.bounds(start.plus(*behind), windows).1);
        let most = most.fold(0, u64::saturating_add);
        let (mut sum, mut greatest) = (0_u64, 0);
        for (shape, behind) in &self.within {
            let own = shape.bounds(start.plus(*behind), windows).0;
            // Products that follow on each other share a page at most.
            sum = sum
                .saturating_add(own)
                .saturating_sub(u64::from(0 < sum && 0 < own));
            greatest = own.max(greatest);
        }
        let least = if self.is_ordered {
            sum.max(greatest)
        } else {
            greatest
        };
        (least.min(most), most)
    }
}

/// A product whose lengths are not known.
fn product(block: &LineBlock, bounds: &[(i64, i64)], windows: &Windows) -> (Shape, StartRange) {
    let mut behind = StartRange::at(0);
    let mut extents = Vec::with_capacity(block.directions.len());
    for direction in &block.directions {
        let lengths = direction.lengths(bounds);
        let extent = Extent {
            stride: direction.stride.saturating_abs(),
            least: lengths.least,
            most: lengths.most,
        };
        if direction.stride < 0 {
            let back = |n: i64| extent.stride.saturating_mul(n.max(1) - 1);
            behind.least = behind.least.saturating_sub(back(extent.most));
            behind.most = behind.most.saturating_sub(back(extent.least));
        }
        extents.push(extent);
    }
    if !block.is_anchored {
        behind = StartRange::ANY;
    }
    (windows.shape(extents), behind)
}

/// The lengths of directions with known ranges.
fn extents(block: &LineBlock, ranges: &[(i64, i64)]) -> Vec<Extent> {
    let all = block.directions.iter().zip(ranges);
    let all = all.map(|(direction, (lo, hi))| Extent {
        stride: direction.stride.saturating_abs(),
        least: hi - lo + 1,
        most: hi - lo + 1,
    });
    all.collect()
}

/// How far the first element of known ranges is behind the start.
fn behind(block: &LineBlock, ranges: &[(i64, i64)]) -> StartRange {
    let mut behind = 0_i64;
    for (direction, (lo, hi)) in block.directions.iter().zip(ranges) {
        let at = if direction.stride < 0 { hi } else { lo };
        behind = behind.saturating_add(direction.stride.saturating_mul(*at));
    }
    StartRange::at(behind)
}

/// Boxes that cover a block, or that are within it: some strips of each direction but the last.
fn strips(block: &LineBlock, bounds: &[(i64, i64)], is_cover: bool) -> Vec<DirectionRanges> {
    let mut open = vec![DirectionRanges::new()];
    for (idx, direction) in block.directions.iter().enumerate() {
        let is_last = idx + 1 == block.directions.len();
        let mut next = Vec::new();
        for before in open {
            let range = match is_cover {
                true => direction.possible_range(bounds, &before),
                false => direction.certain_range(bounds, &before),
            };
            let Some((lo, hi)) = range else {
                continue;
            };
            let strips = if is_last { 1 } else { STRIPS.min(hi - lo + 1) };
            for strip in 0..strips {
                let at = |x: i64| {
                    let part = i128::from(hi - lo + 1) * i128::from(x) / i128::from(strips);
                    lo + i64::try_from(part).unwrap_or(0)
                };
                let mut ranges = before.clone();
                ranges.push((at(strip), at(strip + 1) - 1));
                next.push(ranges);
            }
        }
        open = next;
    }
    open
}

/// Whether the elements at a value of a direction all lie behind those at the values before it, direction by direction.
fn is_ordered(block: &LineBlock, hull: &[(i64, i64)]) -> bool {
    let mut inner = 0_i64;
    for (direction, (lo, hi)) in block.directions.iter().zip(hull).rev() {
        let stride = direction.stride.saturating_abs();
        if stride <= inner {
            return false;
        }
        inner = inner.saturating_add(stride.saturating_mul(hi - lo));
    }
    true
}
