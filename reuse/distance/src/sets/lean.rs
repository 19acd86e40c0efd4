//! Parts in which as few axes as possible matter.
//!
//! A single line that is touched in the last column only has forms of its own, for the sake of which column and row are told
//! apart everywhere. So the last column is cut off: in the rest, that line is not there, its forms are not looked at, and two
//! axes that count on from each other become one.

use super::block::LineBlock;
use super::forms::{ConflictBox, FormId, interval};
use crate::row::AxisRow;
use premiss_arithmetic::Interval;
use premiss_presburger::Refusal;

/// A part is cut into so many at most.
const MOST_PARTS: usize = 16;

/// The same accesses in parts in which blocks that are not there matter no more. Forms from `n_bounds` on say where blocks start.
///
/// # Errors
/// A number does not fit.
pub(super) fn lean_parts(
    part: ConflictBox,
    blocks: &[LineBlock],
    n_bounds: usize,
) -> Result<Vec<ConflictBox>, Refusal> {
    let mut open = vec![part];
    let mut parts = Vec::new();
    while let Some(part) = open.pop() {
        let bounds = part.distance.0[..n_bounds].iter();
        let bounds = bounds.map(|row| interval(row, &part.ranges));
        let bounds: Vec<(i64, i64)> = bounds.collect::<Result<_, _>>()?;
        let is_possible = |block: &&LineBlock| block.is_certain(&bounds).is_some();
        let possible: Vec<&LineBlock> = blocks.iter().filter(is_possible).collect();
        let cut = match parts.len() + open.len() < MOST_PARTS {
            true => cut(&part, &possible, &bounds),
            false => None,
        };
        if let Some((axis, halves)) = cut {
            for half in halves {
                open.extend(part.within(axis, half)?);
            }
            continue;
        }
        parts.push(without_unused(part, &possible, n_bounds).fused()?);
    }
    Ok(parts)
}

/// The longest axis of which one end decides whether a block is there, and its values with and without that.
fn cut(
    part: &ConflictBox,
    blocks: &[&LineBlock],
    bounds: &[(i64, i64)],
) -> Option<(usize, [Interval; 2])> {
    let conditions = blocks.iter().flat_map(|block| &block.conditions);
    let open = conditions.filter(|x| x.of(bounds).0 < 0);
    let cuts = open.filter_map(|x| end(part, &part.distance.0[x.place()]));
    cuts.max_by_key(|(axis, _)| part.extent(*axis))
}

/// Where a form of one axis is not negative at all but one of its ends, or at this one only.
fn end(part: &ConflictBox, row: &AxisRow) -> Option<(usize, [Interval; 2])> {
    let mut axes = (0..part.axes()).filter(|axis| row.coefficients[*axis] != 0);
    let axis = axes.next().filter(|_| axes.next().is_none())?;
    let (lo, hi) = part.ranges[axis];
    let holds = |x: i128| 0 <= row.constant + i128::from(row.coefficients[axis]) * x;
    let (first, last) = ([(lo, lo), (lo + 1, hi)], [(lo, hi - 1), (hi, hi)]);
    match (holds(lo), holds(lo + 1), holds(hi - 1), holds(hi)) {
        (one, other, ..) if one != other => Some((axis, first)),
        (.., one, other) if one != other => Some((axis, last)),
        _ => None,
    }
}

/// The same part with numbers for the forms that only those of a query's blocks have that are not there.
fn without_unused(mut part: ConflictBox, blocks: &[&LineBlock], n_bounds: usize) -> ConflictBox {
    let mut is_used = vec![false; part.distance.0.len()];
    for block in blocks {
        is_used[n_bounds + block.start().place()] = true;
        for form in block.bound_forms().map(FormId::place) {
            is_used[form] = true;
        }
    }
    for (row, is_used) in part.distance.0.iter_mut().zip(is_used) {
        if !is_used {
            // A condition that fails, if it is one.
            *row = AxisRow::new(-1);
        }
    }
    part
}
