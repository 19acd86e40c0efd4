//! The stages between a tree and its misses as text, one at a time, for those who want to look at them.
//!
//! Sizes without a value are symbolic; what depends on a residue class is that of the class of 0. The notation is that
//! of `premiss_presburger::Notation`, with the names of the source.

use crate::refusal::NoClosedForm;
use crate::residue_classes::{
    SymbolicOptions, factors, symbolic_relation, symbolic_reuse, symbolic_scop,
};
use premiss_scop::ScopNames;
use premiss_tree::NestTree;

/// A tree as sets: iteration domains and the lines that accesses touch.
///
/// # Errors
/// The tree is outside the model.
pub fn print_scop(tree: &NestTree, options: SymbolicOptions<'_>) -> Result<String, NoClosedForm> {
    let scop = symbolic_scop(tree, &factors(tree, options)?, options)?;
    Ok(scop.display(tree).to_string())
}

/// Which access touched the line of each access last, and what executed in between.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub fn print_reuse(tree: &NestTree, options: SymbolicOptions<'_>) -> Result<String, NoClosedForm> {
    let (scop, relation) = symbolic_reuse(tree, &factors(tree, options)?, options)?;
    let names = ScopNames::of_tree(&scop, tree);
    Ok(relation.display(&scop, names).to_string())
}

/// How many accesses of each reference have which reuse distance, in distinct other lines.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub fn print_histogram(
    tree: &NestTree,
    options: SymbolicOptions<'_>,
) -> Result<String, NoClosedForm> {
    let (scop, _, histogram) = symbolic_relation(tree, &factors(tree, options)?, options)?;
    Ok(histogram
        .display(ScopNames::of_tree(&scop, tree))
        .to_string())
}
