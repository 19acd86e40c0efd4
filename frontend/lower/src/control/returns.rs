//! `return`, and statements that may return before their end.
//!
//! A `return` outside of loops that is not at the end of the function sets a flag that the following code tests:
//!
//! ```text
//! if (check) {                     returned = 0
//!     if (n <= i) return;          if (check) if (n <= i) returned = 1
//! }
//! v[i] = x;                        if (returned == 0) v[i] = x
//! ```

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::control::jump_flags::{may_have_exited, reaching_condition};
use crate::control::tail::Tail;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::{INT, Type};
use crate::domain::values::{Place, Slot, Target, Value};
use crate::eval::conversions::convert;
use crate::eval::variables::{assign_integer, new_variable, read_integer};
use crate::syntax::{Expression as Syntax, ExpressionKind, Statement, StatementKind, TextRange};
use premiss_ast::visit::{children, is_run_once};
use premiss_tree::Expression;

/// Whether a statement contains a `return` outside of loops, or calls a function that may end the program there.
fn returns_within(ctx: &Lowering, statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Expression(expression) => may_end_program(ctx, expression),
        StatementKind::Return(_) | StatementKind::Stop(_) => true,
        StatementKind::For(_) | StatementKind::While { .. } => false,
        StatementKind::DoWhile { .. } if !is_run_once(statement) => false,
        _ => children(statement)
            .into_iter()
            .any(|child| returns_within(ctx, child)),
    }
}

/// Whether an expression is the call of a function whose body may end the program.
fn may_end_program(ctx: &Lowering, expression: &Syntax) -> bool {
    let ExpressionKind::Call(callee, _) = &expression.kind else {
        return false;
    };
    let ExpressionKind::Name(name) = &callee.kind else {
        return false;
    };
    let definition = ctx.program.definition(ctx.unit(), name);
    definition.is_some_and(|definition| ctx.program.syntax_facts(&definition).may_end_program)
}

/// Lowers `return` with its value.
pub(crate) fn lower_return(
    ctx: &mut Lowering,
    statement: &Statement,
    value: Option<&Syntax>,
    tail: Tail,
) -> Lowered<()> {
    let value = match value {
        Some(syntax) => ctx.expression(syntax)?,
        None => Value::Void,
    };
    let flag = ctx.frame().control.returned;
    let is_in_loop = 0 < ctx.frame().control.n_loops;
    let kind = ctx.frame().result_type.clone();
    let value = match kind {
        Type::Void => Value::Void,
        kind => convert(ctx, value, &kind),
    };
    if !tail.of_function && (is_in_loop || flag.is_none()) {
        let frame = ctx.frame_mut();
        frame.control.may_have_returned = true;
        frame.control.exits.stop = true;
        return join_possible_result(ctx, value, statement.at);
    }
    if ctx.frame().control.n_branches == 0 {
        ctx.frame_mut().result = Some(value);
    } else if let Some(slot) = ctx.frame().result_slot.clone() {
        ctx.store(&Place::Slot(slot), value, statement.at);
    }
    if let (Some(flag), false) = (flag, tail.of_function) {
        assign_integer(ctx, flag, 1.into());
    }
    Ok(())
}

/// Records the pointer of a `return` that is possibly executed. Other results are not tracked.
fn join_possible_result(ctx: &mut Lowering, value: Value, at: TextRange) -> Lowered<()> {
    let Some(slot @ Slot::Pointer(..)) = ctx.frame().result_slot.clone() else {
        return Ok(());
    };
    let place = Place::Slot(slot);
    let store = |ctx: &mut Lowering| {
        ctx.store(&place, value, at);
        Ok(())
    };
    // The tree does not need a variable that depends on data.
    ctx.in_block(|ctx| ctx.branch(Expression::Data, store, |_| Ok(())))?;
    Ok(())
}

/// Records that the function may have returned with any result.
pub(crate) fn havoc_result(ctx: &mut Lowering) {
    ctx.frame_mut().control.may_have_returned = true;
    if let Some(Slot::Pointer(id, _)) = ctx.frame().result_slot {
        ctx.state.pointers.insert(id, Target::Ambiguous);
        ctx.state.nullable.remove(&ctx.symbols.pointers[id.0]);
    }
}

/// Lowers a statement that is not the last of its block; returns the condition under which the next statement is
/// reached.
pub(crate) fn lower_with_exits(ctx: &mut Lowering, statement: &Statement) -> Lowered<Expression> {
    with_exits(ctx, statement, |ctx| ctx.statement(statement, Tail::NONE))
}

/// As [`lower_with_exits`], with what lowers the statement.
pub(crate) fn with_exits(
    ctx: &mut Lowering,
    statement: &Statement,
    lower: impl FnOnce(&mut Lowering) -> Lowered<()>,
) -> Lowered<Expression> {
    let frame = ctx.frame();
    let needs_flag = frame.control.n_loops == 0
        && frame.control.returned.is_none()
        && returns_within(ctx, statement);
    let begun_at = needs_flag.then(|| begin_return_flag(ctx));
    let had_left = may_have_exited(ctx);
    lower(ctx)?;
    let reached = match !had_left && may_have_exited(ctx) {
        true => Expression::Data,
        false => reaching_condition(ctx),
    };
    if let (Some(place), Expression::Integer(1)) = (begun_at, &reached) {
        ctx.tree.block.remove(place);
    }
    Ok(reached)
}

/// Creates the flag that is 1 after the function has returned, and initializes the function's result for the paths
/// that have not returned yet. Returns the position in the block where the flag is set to 0.
fn begin_return_flag(ctx: &mut Lowering) -> usize {
    let result = match ctx.frame().result_slot {
        Some(Slot::Integer(id, _)) => Some(id),
        Some(Slot::Pointer(id, _)) => Some(ctx.symbols.pointers[id.0]),
        _ => None,
    };
    if let Some(id) = result
        && let None | Some(IntegerKnowledge::Unknown) = read_integer(ctx, id)
    {
        assign_integer(ctx, id, 0.into());
    }
    let place = ctx.tree.block.len();
    let flag = new_variable(ctx, "returned", INT, false);
    assign_integer(ctx, flag, 0.into());
    ctx.frame_mut().control.returned = Some(flag);
    place
}
