//! Misses of pages that rows are no multiple of, derived as the engine does.

use premiss_dataflow::{DistanceBound, analyze_space};
use premiss_distance::{PageConflicts, page_conflicts};
use premiss_isl::with_budget;
use premiss_presburger::Budget;
use premiss_scop::{ArrayLayout, ScopOptions, lower, page_scop};
use premiss_trace::Execution;
use premiss_tree::NestTree;
use std::collections::BTreeMap;

/// What decides the misses of each array of a tree whose sizes have values, for pages of so many bytes, in so many steps.
///
/// # Errors
/// Why nothing does: what refused, and with what.
pub fn pages_of(
    tree: &NestTree,
    page_size: u64,
    execution: &Execution<'_>,
    steps: u64,
) -> Result<Vec<PageConflicts>, String> {
    let lengths = tree.references.values().map(|reference| reference.size);
    let length = u64::from(lengths.max().ok_or("no references")?);
    if !page_size.is_multiple_of(length) {
        return Err("elements on two pages".to_owned());
    }
    let options = ScopOptions {
        line_size: length,
        layout: ArrayLayout::Aligned,
        sizes: BTreeMap::new(),
    };
    let elements = lower(tree, &options).map_err(|x| format!("rejected: {}", x.code()))?;
    let page = (page_size / length).cast_signed();
    let first = |space| {
        let base = execution.bases()[elements.spaces[space].array];
        (base / length).cast_signed()
    };
    let mut budget = Budget::new(steps);
    let of_array = |space| {
        let pages = page_scop(&elements, space, page).map_err(|x| format!("{x:?}"))?;
        let analyzed = with_budget(10 * steps, || {
            analyze_space(&pages.scop, DistanceBound::Upper, pages.page)
        });
        let relation = analyzed.map_err(|x| format!("analyzed: {x}"))?;
        let conflicts = page_conflicts(&pages, &relation, &first, page, &mut budget);
        conflicts.map_err(|x| format!("derived: {x}"))
    };
    elements.spaces.keys().map(of_array).collect()
}
