//! The engine that runs nothing: from a tree to the closed form of its reuse distances.
//!
//! A tree becomes a scop, the scop a reuse relation, and that a histogram whose entries are formulas in the sizes that
//! have no value. Each stage may refuse; a [`NoClosedForm`] names the stage and the reason.

use crate::derivation_cache::Deriver;
use crate::disk_cache::DiskCache;
use crate::refusal::{DerivationStage, Effort, NoClosedForm};
use premiss_dataflow::{DistanceBound, ReuseRelation};
use premiss_distance::{ConflictSets, SymbolicHistogram, conflict_sets};
use premiss_presburger::Budget;
use premiss_scop::{
    ArrayLayout, LineSpaceId, NodeKind, Reject, Scop, ScopOptions, Size, lower, lower_possible,
};
use premiss_tree::{ArrayId, NestTree, ParameterId, SecondaryMap};
use std::collections::BTreeMap;

/// The result of a derivation for one line size.
#[derive(Debug)]
pub struct Derivation {
    /// The scop of the tree.
    pub scop: Scop,
    /// The number of accesses at each reuse distance, in the sizes of the scop.
    pub histogram: SymbolicHistogram,
    /// Which distances these are, where data decide what executes.
    bound: DistanceBound,
    /// The access that touched each line last, unless the histogram was cached.
    relation: Option<ReuseRelation>,
}

/// Derives the closed form of a tree, or takes it from the cache `store`. Where data decide what executes, it is that of the
/// lower or of the upper distances; without a `bound`, such trees are rejected.
///
/// # Errors
/// [`NoClosedForm::Rejected`] if the tree is outside the model, [`NoClosedForm::Refused`] if a stage gave up, as where
/// the effort does not suffice.
pub fn closed_form(
    tree: &NestTree,
    scop_options: &ScopOptions,
    bound: Option<DistanceBound>,
    effort: Effort,
    store: Option<&DiskCache>,
) -> Result<Derivation, NoClosedForm> {
    let scop = scop_of(tree, scop_options, bound).map_err(NoClosedForm::Rejected)?;
    let bound = bound.unwrap_or(DistanceBound::Upper);
    let (histogram, relation) = Deriver::new(&scop, bound, effort, store).histogram()?;
    Ok(Derivation {
        scop,
        histogram,
        bound,
        relation,
    })
}

/// How many pieces the accesses of a tree consist of, with those that are possible: each has lines of one form, as rows that
/// begin at one place within a line have.
///
/// # Errors
/// [`NoClosedForm::Rejected`] if the tree is outside the model.
pub fn pieces_of_accesses(
    tree: &NestTree,
    scop_options: &ScopOptions,
) -> Result<usize, NoClosedForm> {
    let scop = lower_possible(tree, scop_options).map_err(NoClosedForm::Rejected)?;
    let pieces = scop.nodes.values().map(|node| match &node.kind {
        NodeKind::Access(access) => access.pieces.len(),
        NodeKind::Loop { .. } => 0,
    });
    Ok(pieces.sum())
}

/// The scop of a tree, with what is possible if a bound is asked for.
pub(crate) fn scop_of(
    tree: &NestTree,
    scop_options: &ScopOptions,
    bound: Option<DistanceBound>,
) -> Result<Scop, Reject> {
    match bound {
        None => lower(tree, scop_options),
        Some(_) => lower_possible(tree, scop_options),
    }
}

impl Derivation {
    /// The lines that are touched between two touches of each line, for deciding what misses in set-associative caches.
    /// `bases` has the address of each array's first byte, which starts a line.
    ///
    /// # Errors
    /// [`NoClosedForm::Refused`] if sizes are symbolic, or if the effort does not suffice.
    pub fn conflict_sets(
        &self,
        bases: &SecondaryMap<ArrayId, u64>,
        effort: Effort,
        store: Option<&DiskCache>,
    ) -> Result<ConflictSets, NoClosedForm> {
        let deriver = Deriver::new(&self.scop, self.bound, effort, store);
        let cached;
        let relation = match &self.relation {
            Some(relation) => relation,
            None => {
                cached = deriver.relation()?;
                &cached
            }
        };
        let first_line = |space: LineSpaceId| {
            let base = bases[self.scop.spaces[space].array];
            (base / self.scop.line_size).cast_signed()
        };
        let mut budget = Budget::new(effort.steps);
        let sets = conflict_sets(&self.scop, relation, &first_line, &mut budget);
        sets.map_err(|refusal| deriver.refused(DerivationStage::Conflicts, refusal))
    }
}

/// The options for lowering a tree to a scop with lines of `line_size` bytes, if all its arrays start at multiples of
/// `alignment` bytes; `sizes` gives values or residue classes to sizes.
///
/// # Errors
/// [`NoClosedForm::Placement`] if the alignment is unknown or not a multiple of the line size, so that the position of
/// arrays within lines is unknown.
pub fn scop_options(
    line_size: u64,
    alignment: Option<u64>,
    sizes: BTreeMap<ParameterId, Size>,
) -> Result<ScopOptions, NoClosedForm> {
    match alignment {
        Some(alignment) if alignment.is_multiple_of(line_size) => Ok(ScopOptions {
            line_size,
            layout: ArrayLayout::Aligned,
            sizes,
        }),
        _ => Err(NoClosedForm::Placement(line_size)),
    }
}
