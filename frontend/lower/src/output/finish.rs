//! From the context of a lowered function to its tree.

use crate::call_stack::CallRecord;
use crate::context::Lowering;
use crate::domain::value_ranges::for_each_extremum;
use crate::domain::values::ArrayRow;
use crate::output::dead_nodes::{prune_dead_nodes, without_operations};
use crate::output::fresh_symbols::name_fresh_sizes;
use crate::output::numbering::{
    add_used_parameters, number_rows, ordered_parameters, renumber_expression, renumber_nodes,
};
use crate::output::open_ranges::add_open_ranges;
use crate::output::row_strides::resolve_row_strides;
use crate::output::tree_rows::{arrays_in_layout_order, fill_tables, tree_array, tree_parameter};
use crate::output::work_tree::work_tree;
use crate::symbol_table::ParameterRow;
use crate::syntax::{Function, GlobalName, Name};
use premiss_tree::{Assumption, AssumptionKind, NestTree, ParameterId, PrimaryMap, Variable, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The result of lowering a function apart from its tree.
pub(crate) struct CallFacts {
    pub(crate) parameters: Vec<ParameterRow>,
    pub(crate) calls: Vec<CallRecord>,
    pub(crate) lost_calls: BTreeSet<GlobalName>,
    /// The ids in the tree of the parameters that it uses.
    pub(crate) numbers: BTreeMap<ParameterId, ParameterId>,
    /// The number of steps taken.
    pub(crate) work: u64,
    /// The number of these steps in bodies of other files.
    pub(crate) linked_work: u64,
}

/// The tree of the function.
pub(crate) fn finish_tree(mut ctx: Lowering, function: &Arc<Function>) -> (NestTree, CallFacts) {
    let mut computing = std::mem::take(&mut ctx.tree.block);
    resolve_row_strides(&mut ctx, &mut computing, &function.name);
    let (body, computing) = match ctx.program.has_operations() {
        true => (
            prune_dead_nodes(&ctx, without_operations(&computing)),
            prune_dead_nodes(&ctx, computing),
        ),
        false => (prune_dead_nodes(&ctx, computing), Vec::new()),
    };
    let arrays = arrays_in_layout_order(&ctx);
    let mut used = BTreeSet::new();
    add_used_parameters(&ctx, &body, &arrays, &mut used);
    let mut bounding_ranges = ctx.ranges.bounding_ranges(&body);
    add_open_ranges(&mut ctx, &body, &mut bounding_ranges);
    for_each_extremum(&bounding_ranges, &mut |id| {
        used.insert(id);
    });
    let mut all_used = used.clone();
    add_used_parameters(&ctx, &computing, &arrays, &mut all_used);
    let ids = ordered_parameters(&ctx, &used);
    let further = ordered_parameters(&ctx, &all_used.difference(&used).copied().collect());
    name_fresh_sizes(&mut ctx, &[ids, further.clone()].concat());
    let mut numbering = number_rows(&ctx, &body, &arrays, &used);
    let mut body = body;
    renumber_nodes(&mut body, &numbering);
    for range in bounding_ranges.values_mut() {
        renumber_expression(&mut range.first, &numbering);
        renumber_expression(&mut range.bound, &numbering);
    }
    let program = ctx.program;
    let mut tree = NestTree {
        function: function.name.to_string(),
        span: program.span(function.at),
        parameters: PrimaryMap::new(),
        variables: PrimaryMap::new(),
        arrays: PrimaryMap::new(),
        tables: PrimaryMap::new(),
        loops: PrimaryMap::new(),
        bounding_ranges,
        references: PrimaryMap::new(),
        rejections: PrimaryMap::new(),
        assumptions: assumptions(&mut ctx, function),
        bounds: Vec::new(),
        body,
        work: Work::default(),
    };
    for id in ordered_parameters(&ctx, &used) {
        tree.parameters.push(tree_parameter(&ctx, id));
    }
    for old in numbering.variables.keys() {
        let name = ctx.symbols.variable(*old).name.clone();
        tree.variables.push(Variable { name });
    }
    for old in numbering.tables.keys() {
        let row = &ctx.constants.rows[old.as_u32() as usize];
        tree.tables.push(row.table.clone());
    }
    for row in &arrays {
        let array = tree_array(&ctx, *row, &numbering);
        tree.arrays.push(array);
    }
    fill_tables(&ctx, &mut tree, &numbering);
    if ctx.program.has_operations() {
        tree.work = work_tree(&ctx, &tree, computing, &further, &mut numbering);
    }
    (tree, call_facts(ctx, numbering.parameters))
}

/// What was assumed on the way, for the function's generic parameters, and of the kinds of its numbers.
fn assumptions(ctx: &mut Lowering, function: &Function) -> BTreeSet<Assumption> {
    let of_type = |assumed: &Name| Assumption {
        kind: AssumptionKind::GenericType,
        subject: format!("{assumed} in `{}`", function.name),
    };
    let of_kind = |kind: &Name| Assumption {
        kind: AssumptionKind::UndefinedKind,
        subject: kind.to_string(),
    };
    let mut all = std::mem::take(&mut ctx.assumptions);
    all.extend(function.assumed_types.iter().map(of_type));
    all.extend(function.assumed_kinds.iter().map(of_kind));
    all.extend(own_blocks(ctx));
    all
}

/// The blocks that pointers lead to of which nothing tells where they lead, as far as the tree accesses them.
fn own_blocks(ctx: &Lowering) -> Vec<Assumption> {
    let references = &ctx.tree.references;
    let accessed: BTreeSet<ArrayRow> = references.iter().map(|row| row.array).collect();
    let blocks = ctx.heap_symbols.own_blocks.iter();
    let blocks = blocks.filter(|(_, row)| accessed.contains(row));
    let assumed = blocks.map(|((function, pointer), _)| Assumption {
        kind: AssumptionKind::OwnBlock,
        subject: format!("`{pointer}` in `{function}`"),
    });
    assumed.collect()
}

/// The result for a function without a tree, as needed for interprocedural constant propagation.
pub(crate) fn finish_without_tree(ctx: Lowering) -> CallFacts {
    call_facts(ctx, BTreeMap::new())
}

fn call_facts(ctx: Lowering, numbers: BTreeMap<ParameterId, ParameterId>) -> CallFacts {
    CallFacts {
        parameters: ctx.symbols.parameters,
        calls: ctx.calls.records,
        lost_calls: ctx.calls.unknown_arguments,
        numbers,
        work: ctx.budget.work,
        linked_work: ctx.budget.linked_work,
    }
}
