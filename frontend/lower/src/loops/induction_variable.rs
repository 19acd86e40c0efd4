//! The induction variable of a counted loop, and its value at the first iteration.

use crate::bailout::{Bailout, BailoutLevel, Lowered, uncounted};
use crate::context::Lowering;
use crate::domain::integers::plus;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::LONG;
use crate::domain::values::{Slot, Target};
use crate::eval::variables::{assign_integer, fresh_variable, pin_value, read_integer};
use crate::loops::fresh_values::fresh_invariant;
use crate::loops::loop_shape::{InductionVariable, LoopShape, TestPosition};
use crate::syntax::TextRange;
use premiss_ast::InductionStep;
use premiss_tree::{Expression, Node, RejectReason, VariableId};
use std::collections::BTreeSet;

pub(crate) fn find_induction_variable(
    ctx: &mut Lowering,
    shape: &LoopShape,
    at: TextRange,
) -> Lowered<InductionVariable> {
    match ctx.lookup(&shape.iterator) {
        Some(Slot::Integer(id, kind)) => Ok(InductionVariable {
            id,
            kind,
            pointer: None,
        }),
        Some(Slot::Pointer(id, pointee)) => {
            let target = ctx.state.pointers.get(&id).cloned();
            let target = target.unwrap_or(Target::Ambiguous);
            let size = pointee.size().unwrap_or(Expression::Data);
            if matches!(
                target,
                Target::OneOf(_)
                    | Target::Several(_)
                    | Target::Elsewhere
                    | Target::Ambiguous
                    | Target::Null
            ) {
                let pointer = shape.iterator.to_string();
                return Err(Bailout {
                    reason: RejectReason::AmbiguousPointer { pointer },
                    at,
                    level: BailoutLevel::Loop,
                });
            }
            Ok(InductionVariable {
                id: ctx.symbols.pointers[id.0],
                kind: LONG,
                pointer: Some((target, size)),
            })
        }
        _ => {
            let why = format!("`{}` is not an integer variable", shape.iterator);
            Err(uncounted(why, at))
        }
    }
}

/// The iterator's value in the first iteration. An assignment directly before the loop becomes part of the loop.
pub(crate) fn initial_value(
    ctx: &mut Lowering,
    iterator: &InductionVariable,
    shape: &LoopShape,
    start: usize,
    at: TextRange,
) -> Lowered<Expression> {
    let mut first = match read_integer(ctx, iterator.id) {
        Some(IntegerKnowledge::Symbolic(value)) => value.clone(),
        Some(IntegerKnowledge::Exact) => Expression::Variable(iterator.id),
        _ => {
            let name = shape.iterator.to_string();
            let first = match iterator.pointer {
                // The range of an offset in bytes tells nobody anything.
                Some(_) if ctx.is_in_loop() => {
                    Expression::Variable(fresh_variable(ctx, &name, iterator.kind))
                }
                _ => fresh_invariant(ctx, &name, iterator.kind, at),
            };
            // As if the program had assigned it.
            assign_integer(ctx, iterator.id, first.clone());
            first
        }
    };
    if let Some(idx) = position_of_initial_assignment(ctx, iterator.id, start)
        && let Node::Assign { value, .. } = ctx.tree.block.remove(idx)
    {
        first = value;
    }
    if iterator.pointer.is_none() && ctx.ranges.is_unknown(&first) {
        first = fresh_invariant(ctx, shape.iterator.as_ref(), iterator.kind, at);
    }
    match (shape.tested, shape.step_idx, shape.step) {
        (TestPosition::Before, None, InductionStep::Constant(by)) => first = plus(first, by.into()),
        // The bound will mention it.
        (TestPosition::After, ..) => first = pin_value(ctx, first, &shape.iterator),
        _ if !shape.inner_tests.is_empty() => first = pin_value(ctx, first, &shape.iterator),
        _ => {}
    }
    Ok(first)
}

/// The assignment to the iterator among the nodes from `start` on, if no later node depends on it.
fn position_of_initial_assignment(
    ctx: &Lowering,
    iterator: VariableId,
    start: usize,
) -> Option<usize> {
    let is_own =
        |node: &Node| matches!(node, Node::Assign { variable, .. } if *variable == iterator);
    let idx = start + ctx.tree.block.get(start..)?.iter().rposition(is_own)?;
    let Node::Assign { value, .. } = &ctx.tree.block[idx] else {
        return None;
    };
    let mut later = BTreeSet::new();
    Node::assigned(&ctx.tree.block[idx + 1..], &mut later);
    let depends_on = |part: &Expression| matches!(part, Expression::Variable(id) if later.contains(id) || *id == iterator);
    let is_read = ctx.tree.block[idx + 1..].iter().any(|node| match node {
        Node::Assign { value, .. } => {
            value.any(|part| matches!(part, Expression::Variable(id) if *id == iterator))
        }
        Node::Operations(_) => false,
        _ => true,
    });
    (!value.any(depends_on) && !is_read).then_some(idx)
}
