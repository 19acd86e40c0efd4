//! The stages between a tree and its misses as text, one at a time, for inspection.
//!
//! Sizes without a value are symbolic; results that depend on a residue class are for the class of remainders 0. The
//! notation is that of `premiss_presburger::Notation`, with the names of the source.

use crate::refusal::NoClosedForm;
use crate::residue_classes::{
    SymbolicOptions, factors, symbolic_relation, symbolic_reuse, symbolic_scop,
};
use premiss_scop::ScopNames;
use premiss_tree::NestTree;

/// The scop of a tree as text: iteration domains and the lines that accesses touch.
///
/// # Errors
/// The tree is outside the model.
pub fn print_scop(tree: &NestTree, options: SymbolicOptions<'_>) -> Result<String, NoClosedForm> {
    let scop = symbolic_scop(tree, &factors(tree, options)?, options)?;
    Ok(scop.display(tree).to_string())
}

/// The reuse relation as text: for each access, which access touched its line last, and what executed in between.
///
/// # Errors
/// The tree is outside the model, or the effort did not suffice.
pub fn print_reuse(tree: &NestTree, options: SymbolicOptions<'_>) -> Result<String, NoClosedForm> {
    let (scop, relation) = symbolic_reuse(tree, &factors(tree, options)?, options)?;
    let names = ScopNames::of_tree(&scop, tree);
    Ok(relation.display(&scop, names).to_string())
}

/// The histogram as text: for each reference, the number of accesses at each reuse distance, in distinct other lines.
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
