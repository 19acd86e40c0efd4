//! Unifies differences between the arms of a branch before their states are joined: pointers by selector variables,
//! cells with equal contents, integers after an arm that has returned.

use crate::context::Lowering;
use crate::control::jump_flags::jump_flags;
use crate::domain::cells::Cell;
use crate::domain::heap::AbstractHeap;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::domain::values::{Slot, Target, Value};
use crate::eval::variables::new_selector;
use imbl::ordmap::DiffItem;
use premiss_tree::{Node, VariableId};

/// Gives a single target to pointers that point to different arrays after the arms; the state after the first arm is
/// `first`, that after the second the current one. The nodes of the arms set a selector.
pub(crate) fn merge_by_selector(
    ctx: &mut Lowering,
    first: &mut AbstractState,
    first_nodes: &mut Vec<Node>,
    second_nodes: &mut Vec<Node>,
) {
    if ctx.is_in_loop() {
        return;
    }
    // It is created when it is needed.
    let selector = ctx.symbols.next_variable();
    let mut found = Vec::new();
    for difference in first.pointers.diff(&ctx.state.pointers) {
        if let DiffItem::Update { old, new } = difference
            && let Some(either) = old.1.either(new.1, selector)
        {
            found.push((*old.0, either));
        }
    }
    let mut is_needed = !found.is_empty();
    for (id, either) in found {
        first.pointers.insert(id, either.clone());
        ctx.state.pointers.insert(id, either);
    }
    is_needed |= AbstractHeap::merge_cells(&mut first.memory, &mut ctx.state.memory, selector);
    if is_needed {
        new_selector(ctx);
        first_nodes.push(selector_assignment(selector, 0));
        second_nodes.push(selector_assignment(selector, 1));
        ctx.tree.n_nodes += 2;
    }
}

fn selector_assignment(selector: VariableId, arm: i64) -> Node {
    Node::Assign {
        variable: selector,
        value: arm.into(),
    }
}

/// If one of two arms has returned, only the other one continues: from here on the function's integers have the values
/// of that arm. The state after the first arm is `first`, that after the second the current one.
///
/// ```text
/// if (0 < step) i = lo; else if (step < 0) i = hi; else return;      `i` has a value from here on
/// ```
pub(crate) fn continue_in_one_arm(
    ctx: &mut Lowering,
    first: &mut AbstractState,
    first_nodes: &mut Vec<Node>,
    second_nodes: &mut Vec<Node>,
) {
    let Some(flag) = ctx.frame().control.returned else {
        return;
    };
    let has_returned = |state: &AbstractState| {
        let known = state.integers.get(&flag);
        matches!(known, Some(IntegerKnowledge::Symbolic(value)) if value.as_integer() == Some(1))
    };
    match (has_returned(first), has_returned(&ctx.state)) {
        (true, false) => adopt_integers(ctx, &ctx.state, first, first_nodes),
        (false, true) => {
            let mut second = std::mem::take(&mut ctx.state);
            adopt_integers(ctx, first, &mut second, second_nodes);
            ctx.state = second;
        }
        _ => {}
    }
}

/// Sets the function's integers to those of another state, after an arm that has returned and where they are no longer
/// read.
fn adopt_integers(
    ctx: &Lowering,
    other: &AbstractState,
    state: &mut AbstractState,
    nodes: &mut Vec<Node>,
) {
    let flags = jump_flags(ctx);
    let result = match ctx.frame().result_slot {
        Some(Slot::Integer(id, _)) => Some(id),
        _ => None,
    };
    let is_own = |id: &VariableId| {
        let row = ctx.symbols.variable(*id);
        row.frame == ctx.frames.len()
            && !row.is_shared
            && !flags.contains(id)
            && result != Some(*id)
            && ctx.symbols.pointers.binary_search(id).is_err()
    };
    let others = state.integers.diff(&other.integers);
    let others = others.filter_map(|difference| match difference {
        DiffItem::Update { new, .. } => Some((*new.0, new.1.clone())),
        DiffItem::Add(..) | DiffItem::Remove(..) => None,
    });
    let others: Vec<_> = others.filter(|(id, _)| is_own(id)).collect();
    for (id, knowledge) in others {
        state.integers.insert(id, knowledge);
        if let Some(pass) = other.defined_in_pass.get(&id) {
            state.defined_in_pass.insert(id, *pass);
        }
        nodes.push(Node::Assign {
            variable: id,
            value: 0.into(),
        });
    }
}

/// Unifies pointers in memory that are equal on two paths, although only one of the paths stored them.
pub(crate) fn unify_stored_pointers(ctx: &mut Lowering, first: &mut AbstractState) {
    let (mut a, mut b) = (std::mem::take(&mut first.memory), AbstractHeap::default());
    std::mem::swap(&mut b, &mut ctx.state.memory);
    unify_with_stored(ctx, &a, &mut b);
    unify_with_stored(ctx, &b, &mut a);
    first.memory = a;
    ctx.state.memory = b;
}

/// Replaces the version of a cell by the value that another heap has for it, if both are equal.
fn unify_with_stored(ctx: &Lowering, stored: &AbstractHeap, held: &mut AbstractHeap) {
    let mut found = Vec::new();
    for difference in stored.rows.diff(&held.rows) {
        let (row, content) = match difference {
            DiffItem::Update { old, .. } => old,
            DiffItem::Remove(row, content) => (row, content),
            DiffItem::Add(..) => continue,
        };
        let other = held.content(*row);
        for (place, (size, cell)) in &content.cells {
            let (Cell::Value(Value::Pointer(pointer)), Cell::Since(version)) =
                (cell, other.cell(*place, *size))
            else {
                continue;
            };
            let known = ctx
                .heap_symbols
                .regions
                .get(&(*row, Some(*place), *size, version));
            if known.is_some_and(|(region, offset)| {
                pointer.target == Target::Array(*region) && pointer.offset == *offset
            }) {
                found.push((*row, *place, *size, cell.clone()));
            }
        }
    }
    for (row, place, size, cell) in found {
        held.content_mut(row).put(place, size, cell);
    }
}
