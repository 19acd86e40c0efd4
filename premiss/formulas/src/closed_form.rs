//! The engine that executes nothing: from a tree to the closed form of its reuse distances.
//!
//! A tree becomes a scop, the scop a reuse relation, and that a histogram whose entries are formulas
//! in the sizes that have no value. Each stage may refuse; what refused, and why, is a [`NoClosedForm`].

use crate::derivation_cache::Deriver;
use crate::disk_cache::DiskCache;
use crate::refusal::{Effort, NoClosedForm};
use premiss_distance::SymbolicHistogram;
use premiss_scop::{ArrayLayout, Scop, ScopOptions, Size, lower};
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// What is derived of a tree for one line size.
#[derive(Debug)]
pub struct Derivation {
    /// The tree as sets.
    pub scop: Scop,
    /// How many accesses have which reuse distance.
    pub histogram: SymbolicHistogram,
}

/// Derives the closed form of a tree, or finds it in a store.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub fn closed_form(
    tree: &NestTree,
    question: &ScopOptions,
    effort: Effort,
    store: Option<&DiskCache>,
) -> Result<Derivation, NoClosedForm> {
    let scop = lower(tree, question).map_err(NoClosedForm::Rejected)?;
    let histogram = Deriver::new(&scop, effort, store).histogram()?;
    Ok(Derivation { scop, histogram })
}

/// What is asked of a tree whose arrays all start at multiples of `alignment`.
///
/// # Errors
/// The alignment leaves open where in a line an array starts.
pub fn question(
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
