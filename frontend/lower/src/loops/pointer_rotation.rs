//! Pointers that the iterations of a loop rotate among arrays.
//!
//! If a pointer has a different target at the end of an iteration than at its beginning, selector variables hold which
//! array it is, as after a branch:
//!
//! ```text
//!                                     first = 0, other = 1
//! for (…) {                           for (…) {
//!   b[i] = a[i];                        if (first == 0) t = A[i] else t = B[i]; …
//!   t = a; a = b; b = t;                (first, other) = (other, first)
//! }                                   }
//! ```
//!
//! More arrays take more variables: the first that is 0 selects. They are set at the end of an iteration, so no
//! pointer whose target depends on their old values may outlive it. Pointers that share no array with others form
//! separate cycles: `swap(u, u_new); swap(v, v_new)` are two cycles of two arrays.

use crate::context::Lowering;
use crate::domain::state::{AbstractState, IntegerKnowledge};
use crate::domain::types::INT;
use crate::domain::values::{ArrayRow, Choice, PointerId, Target, select_by};
use crate::eval::variables::{assign_integer, new_selector, new_variable};
use imbl::ordmap::DiffItem;
use premiss_tree::{Expression, Node, VariableId};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The maximum number of arrays in one cycle.
const MAX_ARRAYS: usize = 4;

/// The pointers that the iterations of a loop rotate.
#[derive(Default, Clone)]
pub(crate) struct PointerRotation {
    pub(crate) pointers: BTreeMap<PointerId, RotatingPointer>,
}

/// The possible targets of a rotating pointer.
#[derive(Clone)]
pub(crate) struct RotatingPointer {
    /// The arrays of its cycle.
    pub(crate) arrays: Vec<ArrayRow>,
    /// One variable for each array but the last.
    pub(crate) selectors: Vec<VariableId>,
}

impl RotatingPointer {
    /// The target of the pointer at the head of the loop.
    pub(crate) fn target(&self) -> Target {
        let (last, before) = self.arrays.split_last().expect("there are two arrays");
        let pairs = self.selectors.iter().zip(before).rev();
        pairs.fold(Target::Array(*last), |second, (selector, row)| {
            Target::OneOf(Rc::new(Choice {
                selector: *selector,
                first: Target::Array(*row),
                second,
            }))
        })
    }

    /// The values of its variables if the pointer points into `target`.
    pub(crate) fn values(&self, target: &Target) -> Vec<Expression> {
        let before = &self.arrays[..self.arrays.len() - 1];
        let value = |row: &ArrayRow| selector_value(target, *row);
        before.iter().map(value).collect()
    }

    pub(crate) fn covers(&self, target: &Target) -> bool {
        let arrays = target.arrays();
        !arrays.is_empty() && arrays.iter().all(|row| self.arrays.contains(row))
    }
}

/// What the passes over a loop have found so far.
#[derive(Default)]
pub(crate) struct RotationSearch {
    pub(crate) rotation: PointerRotation,
    /// The assignments before the loop.
    pub(crate) starts: Vec<Node>,
    /// The state before the loop.
    pub(crate) entry: Option<AbstractState>,
}

/// Sets of arrays among which pointers rotate: a pointer to an array of a set may point to any array of that set.
#[derive(Default)]
pub(crate) struct RotationCycles(pub(crate) Vec<BTreeSet<ArrayRow>>);

impl RotationCycles {
    pub(crate) fn join(&mut self, rows: impl IntoIterator<Item = ArrayRow>) {
        let mut joined: BTreeSet<ArrayRow> = rows.into_iter().collect();
        self.0.retain(|cycle| {
            let is_apart = cycle.is_disjoint(&joined);
            if !is_apart {
                joined.extend(cycle);
            }
            is_apart
        });
        self.0.push(joined);
    }

    /// The cycle of an array, unless it is too large.
    pub(crate) fn of(&self, row: ArrayRow) -> Option<&BTreeSet<ArrayRow>> {
        let mut cycles = self.0.iter();
        let cycle = cycles.find(|cycle| cycle.contains(&row))?;
        (cycle.len() <= MAX_ARRAYS).then_some(cycle)
    }
}

/// 0 if a target is this array, else 1.
fn selector_value(target: &Target, row: ArrayRow) -> Expression {
    match target {
        Target::OneOf(choice) => {
            let (first, second) = (
                selector_value(&choice.first, row),
                selector_value(&choice.second, row),
            );
            match (first.as_integer(), second.as_integer()) {
                (Some(a), Some(b)) if a == b => first,
                (Some(0), Some(1)) => Expression::Variable(choice.selector),
                _ => select_by(choice.selector, first, second),
            }
        }
        Target::Array(other) => i64::from(*other != row).into(),
        _ => 1.into(),
    }
}

/// Starts over with the rotation that the iterations of a loop were found to make.
pub(crate) fn restart_with_rotation(
    ctx: &mut Lowering,
    rotation: PointerRotation,
    pointers: &mut RotationSearch,
    head: &mut AbstractState,
) {
    let entry = pointers.entry.get_or_insert_with(|| head.clone()).clone();
    pointers.starts = rotation_at_head(ctx, &rotation, &entry, head);
    pointers.rotation = rotation;
}

/// Ends an iteration that began with `head`: returns the rotation if it is larger than the known one, and forgets the
/// targets of pointers that depend on variables which the body sets, as the next iteration may set them again.
pub(crate) fn end_iteration(
    ctx: &mut Lowering,
    known: &PointerRotation,
    head: &AbstractState,
    body: &[Node],
) -> Option<PointerRotation> {
    let more = find_rotation(ctx, known, head);
    // Hardly any target depends on variables.
    let changed = LazyCell::new(|| {
        let mut changed = BTreeSet::new();
        Node::assigned(body, &mut changed);
        changed
    });
    let is_changed = |id: VariableId| changed.contains(&id);
    let is_lost = |(id, target): &(&PointerId, &Target)| {
        let own = known.pointers.get(id);
        let is_head = own.is_some_and(|own| **target == own.target());
        !is_head && target.depends_on(&is_changed)
    };
    let pointers = ctx.state.pointers.iter();
    let lost: Vec<PointerId> = pointers.filter(is_lost).map(|(id, _)| *id).collect();
    for id in lost {
        if let Some(target) = ctx.state.pointers.get_mut(&id) {
            *target = target.without_selector();
        }
    }
    ctx.state.memory.forget_selected_pointers(&is_changed);
    more
}

/// The known rotation extended by that found in the iteration that was lowered from `head`; `None` if there is nothing
/// new.
fn find_rotation(
    ctx: &mut Lowering,
    known: &PointerRotation,
    head: &AbstractState,
) -> Option<PointerRotation> {
    let mut cycles = RotationCycles::default();
    let mut first_rows: BTreeMap<PointerId, ArrayRow> = BTreeMap::new();
    for (id, own) in &known.pointers {
        cycles.join(own.arrays.iter().copied());
        first_rows.insert(*id, own.arrays[0]);
    }
    let mut found = Vec::new();
    for difference in head.pointers.diff(&ctx.state.pointers) {
        let DiffItem::Update {
            old: (id, before),
            new: (_, after),
        } = difference
        else {
            continue;
        };
        let rows = [before.arrays(), after.arrays()].concat();
        let is_one = rows.iter().all(|row| *row == rows[0]);
        let is_fine = |target: &Target| *target == Target::Null || !target.arrays().is_empty();
        if !is_fine(before) || !is_fine(after) || is_one {
            continue;
        }
        first_rows.insert(*id, rows[0]);
        cycles.join(rows);
        found.push(*id);
    }
    let is_small = |row: &ArrayRow| cycles.of(*row).is_some();
    let keeps_known = known.pointers.values().all(|own| is_small(&own.arrays[0]));
    if !keeps_known || !found.iter().any(|id| is_small(&first_rows[id])) {
        return None;
    }
    let exchanging = |(id, row): (PointerId, ArrayRow)| {
        let arrays: Vec<ArrayRow> = cycles.of(row)?.iter().copied().collect();
        let selectors = arrays[1..].iter().map(|_| new_selector(ctx)).collect();
        Some((id, RotatingPointer { arrays, selectors }))
    };
    let pointers = first_rows.into_iter().filter_map(exchanging).collect();
    Some(PointerRotation { pointers })
}

/// The state at the head of a loop whose iterations rotate pointers, given the state `entry` before it; emits nodes
/// that select the initial array of each pointer.
fn rotation_at_head(
    ctx: &mut Lowering,
    rotation: &PointerRotation,
    entry: &AbstractState,
    head: &mut AbstractState,
) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (id, own) in &rotation.pointers {
        let Some(target) = entry.pointers.get(id) else {
            continue;
        };
        for (selector, value) in own.selectors.iter().zip(own.values(target)) {
            head.integers.insert(*selector, IntegerKnowledge::Exact);
            nodes.push(Node::Assign {
                variable: *selector,
                value,
            });
        }
        head.pointers.insert(*id, own.target());
    }
    ctx.tree.n_nodes += nodes.len() as u64;
    nodes
}

/// Sets the selector variables at the end of an iteration.
pub(crate) fn rotate_selectors(ctx: &mut Lowering, rotation: &PointerRotation) {
    let mut values = Vec::new();
    for (id, own) in &rotation.pointers {
        let target = own.target();
        let Some(after) = ctx.state.pointers.get_mut(id) else {
            continue;
        };
        if *after == target || !own.covers(after) {
            continue;
        }
        let new = own.values(after);
        *after = target;
        values.extend(own.selectors.iter().copied().zip(new));
    }
    let changed: BTreeSet<VariableId> = values.iter().map(|(id, _)| *id).collect();
    let held = |part: &Expression| matches!(part, Expression::Variable(id) if changed.contains(id));
    for (_, value) in &mut values {
        if value.any(held) {
            let copy = new_variable(ctx, "arm", INT, false);
            let old = std::mem::replace(value, Expression::Variable(copy));
            assign_integer(ctx, copy, old);
        }
    }
    for (selector, value) in values {
        assign_integer(ctx, selector, value);
    }
}
