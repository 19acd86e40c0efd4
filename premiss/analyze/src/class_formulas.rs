//! Formulas of set-associative levels, with arrays where an execution places them.

use crate::options::MeasureOptions;
use premiss_cache::CacheGeometry;
use premiss_formulas::{NoClosedForm, SetClassForm, SymbolicOptions, set_class_form};
use premiss_trace::Execution;
use premiss_tree::{NestTree, ParameterId};
use std::collections::BTreeMap;

/// The misses of a set-associative LRU level that sees all accesses, as formulas for the class of sizes that are equal to these
/// modulo what its sets require; sizes that are not given count as 0.
///
/// # Errors
/// The function has no closed form in its sizes, where an array starts is unknown or different for sizes of a class, or the
/// effort does not suffice.
pub fn class_formulas(
    tree: &NestTree,
    geometry: CacheGeometry,
    sizes: &BTreeMap<ParameterId, i64>,
    symbolic: SymbolicOptions<'_>,
    options: &MeasureOptions,
) -> Result<SetClassForm, NoClosedForm> {
    let placement = options.placement();
    let bases = |sizes: &BTreeMap<ParameterId, i64>| {
        // No step is taken: this only places the arrays.
        let execution = Execution::new(tree, sizes, &placement, 1).ok()?;
        Some(execution.bases().clone())
    };
    set_class_form(tree, geometry, sizes, symbolic, &bases)
}
