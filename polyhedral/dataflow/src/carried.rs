//! Dependences that keep the iterations of one loop from running side by side.
//!
//! A vector of n lanes executes the accesses of n iterations one reference after another, in the order in which they
//! stand. That keeps every dependence whose source stands before its sink; one that runs backward in the text is broken
//! where both iterations are in the same vector (Allen and Kennedy, *Automatic Translation of Fortran Programs to
//! Vector Form*, TOPLAS 9, 1987, without moving statements). In `a[i] = a[i - 4] + 1` the store comes last, and what it
//! stores is loaded four iterations later: vectors of four lanes are right, longer ones are not. `a[i] = a[i + 1]`
//! loads first what it stores later, and may run in vectors of any length.

use crate::dependence::{DependenceKind, Pair, Sign, touching};
use crate::predecessor::accesses_in_order;
use premiss_isl::{Set, with_budget};
use premiss_presburger::{Affine, Refusal, System};
use premiss_scop::{Access, AccessKind, LoopId, NodeId, ReferenceId, Scop};

/// A dependence that a loop carries backward in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backward {
    /// The reference that touches the element first.
    pub source: ReferenceId,
    /// The reference that touches it in a later iteration; it stands before the source in the text, or is the source.
    pub sink: ReferenceId,
    /// Which of the two store; at least one does.
    pub kind: DependenceKind,
    /// The least number of iterations of the loop from source to sink, at least 1.
    pub distance: i64,
}

/// The dependences that loop `id` carries backward in the text over at most `reach` iterations, at least one access
/// being a store: one for each pair of accesses, with its least distance. The scop must have all accesses of interest,
/// with lines as long as elements; isl may do at most `operations` of its operations.
///
/// # Errors
/// [`Refusal::Budget`] where the operations run out, [`Refusal::Overflow`] where a coefficient does not fit,
/// [`Refusal::Failed`] where isl fails.
pub fn backward(
    scop: &Scop,
    kind_of: impl Fn(ReferenceId) -> AccessKind,
    id: LoopId,
    reach: i64,
    operations: u64,
) -> Result<Vec<Backward>, Refusal> {
    let accesses = accesses_in_order(scop);
    with_budget(operations, || {
        let mut found = Vec::new();
        for (place, source) in accesses.iter().enumerate() {
            for sink in &accesses[..=place] {
                let kind = match (kind_of(source.1.reference), kind_of(sink.1.reference)) {
                    (AccessKind::Store, AccessKind::Load) => DependenceKind::Flow,
                    (AccessKind::Load, AccessKind::Store) => DependenceKind::Anti,
                    (AccessKind::Store, AccessKind::Store) => DependenceKind::Output,
                    (AccessKind::Load, AccessKind::Load) => continue,
                };
                if source.1.space != sink.1.space {
                    continue;
                }
                if let Some(distance) = nearest(scop, *source, *sink, id, reach)? {
                    found.push(Backward {
                        source: source.1.reference,
                        sink: sink.1.reference,
                        kind,
                        distance,
                    });
                }
            }
        }
        Ok(found)
    })
}

/// The least number of iterations of loop `id`, up to `reach`, after which the sink touches the element that the source
/// touched, all loops around `id` being in the same iteration.
fn nearest(
    scop: &Scop,
    source: (NodeId, &Access),
    sink: (NodeId, &Access),
    id: LoopId,
    reach: i64,
) -> Result<Option<i64>, Refusal> {
    let pair = Pair::new(scop, source.0, sink.0);
    let Some(level) = pair.level(id) else {
        return Ok(None);
    };
    let mut pairs = touching(scop, source, sink)?;
    for outer in 0..level {
        pairs = pairs.intersect(&pair.signed(outer, Sign::Same)?)?;
    }
    pairs = pairs.intersect(&pair.signed(level, Sign::Before)?)?;
    let mut most = reach;
    if within(&pair, &pairs, level, most)?.is_empty()? {
        return Ok(None);
    }
    let mut least = 1;
    while least < most {
        let middle = i64::midpoint(least, most);
        match within(&pair, &pairs, level, middle)?.is_empty()? {
            true => least = middle + 1,
            false => most = middle,
        }
    }
    Ok(Some(least))
}

/// The pairs that are at most `most` iterations apart.
fn within(pair: &Pair, pairs: &Set, level: usize, most: i64) -> Result<Set, Refusal> {
    let later = pair.later(level)?;
    let mut system = System::universe(later.columns() - 1);
    let bound = Affine::constant(later.columns(), most);
    system.inequalities.push(bound.plus(-1, &later)?);
    pairs.intersect(&Set::from_systems(pair.shape, &[system])?)
}
