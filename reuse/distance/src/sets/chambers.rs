//! Parts of a clause in which the bounds of blocks are in one order.
//!
//! How many lines `0 <= s <= min(i, j)` has depends on which of `i` and `j` is less. Where sizes have no values, both may be
//! of any size, so that no interval tells. So the iterations are split by `i <= j`: in each part one bound is left, as the other
//! one is redundant (the chambers of Clauss 1996). Likewise a block that there is only where `0 <= i - j` is there for all
//! iterations of a chamber, or for none.

use super::block::{Direction, Length};
use super::clauses::{ClauseBlocks, LinesOfReuse};
use premiss_presburger::{Affine, Budget, Refusal, System};

/// A clause with more chambers is not split any further.
const MOST_CHAMBERS: usize = 64;

/// The clause of a domain by chambers; `context` is what is assumed of sizes, over the sink's columns.
pub(super) fn in_chambers(
    lines: &LinesOfReuse,
    domain: &System,
    context: &System,
    budget: &mut Budget,
) -> Result<Vec<ClauseBlocks>, Refusal> {
    let mut open = vec![domain.clone()];
    let mut clauses = Vec::new();
    while let Some(domain) = open.pop() {
        let mut given = domain.clone();
        given.require(context);
        if given.is_infeasible() {
            continue;
        }
        let clause = lines.clause(&domain, budget)?;
        let may_split = open.len() + clauses.len() < MOST_CHAMBERS;
        match wall(&clause, &given)?.filter(|_| may_split) {
            None => clauses.push(clause),
            Some(wall) => {
                let wall = wall.widened(domain.columns());
                for side in [wall.complement()?, wall] {
                    let mut part = domain.clone();
                    part.inequalities.push(side);
                    open.push(part);
                }
            }
        }
    }
    Ok(clauses)
}

/// A form that is negative for some of the given iterations and not for others, and whose sign decides whether a block is there,
/// or which of two lengths of a direction is less.
fn wall(clause: &ClauseBlocks, given: &System) -> Result<Option<Affine>, Refusal> {
    let forms = clause.tables.bounds.forms();
    for block in &clause.blocks {
        for condition in &block.conditions {
            let form = &forms[condition.place()];
            if !is_decided(form, given)? {
                return Ok(Some(form.clone()));
            }
        }
        for direction in &block.directions {
            if let Some(wall) = wall_of_lengths(direction, forms, given)? {
                return Ok(Some(wall));
            }
        }
    }
    Ok(None)
}

fn wall_of_lengths(
    direction: &Direction,
    forms: &[Affine],
    given: &System,
) -> Result<Option<Affine>, Refusal> {
    for (idx, one) in direction.lengths.iter().enumerate() {
        for other in &direction.lengths[..idx] {
            let form = difference(one, other, forms)?;
            if !is_decided(&form, given)? {
                return Ok(Some(form));
            }
        }
    }
    Ok(None)
}

/// A form that is not negative where one length is at most another, and negative only where it is not less:
/// `floor(a/p) <= floor(b/q)` where `q·a <= p·b`.
fn difference(one: &Length, other: &Length, forms: &[Affine]) -> Result<Affine, Refusal> {
    let (a, b) = (&forms[one.form.place()], &forms[other.form.place()]);
    let form = b.times(one.divisor)?.plus(-other.divisor, a)?;
    // `floor(a/p) <= b` where `a <= p·b + p - 1`.
    let slack = if other.divisor == 1 {
        one.divisor - 1
    } else {
        0
    };
    form.plus(slack, &Affine::constant(form.columns(), 1))
}

/// Whether a form has one sign for all given iterations.
fn is_decided(form: &Affine, given: &System) -> Result<bool, Refusal> {
    let form = form.widened(given.columns());
    Ok(given.implies(&form) || given.implies(&form.complement()?))
}
