//! Variables of the tree: creating, reading and assigning them.
//!
//! An assignment is a strong update: the variable becomes `Symbolic` if the value is made of parameters and constants,
//! `Unknown` if it is data, else `Exact`.

use crate::call_stack::{digest_of, position_key};
use crate::context::Lowering;
use crate::domain::state::IntegerKnowledge;
use crate::domain::types::{INT, LONG};
use crate::domain::values::{PointerId, Target};
use crate::symbol_table::{VariableOrigin, VariableRow};
use premiss_tree::{Expression, IntegerType, Node, VariableId};

/// The maximum number of operators in the symbolic value of a variable.
const MAX_SYMBOLIC_SIZE: usize = 24;

/// The name of selector variables; no variable of a program has it.
pub(crate) const SELECTOR: &str = "arm?";

/// Sets the abstract value of an integer, independent of the heads of the enclosing loops.
pub(crate) fn set_integer(ctx: &mut Lowering, id: VariableId, knowledge: IntegerKnowledge) {
    ctx.state.integers.insert(id, knowledge);
    ctx.ranges.unknown.remove(&id);
    mark_defined(ctx, id);
}

/// Records that the abstract value of an integer does not depend on the heads of the enclosing loops.
pub(crate) fn mark_defined(ctx: &mut Lowering, id: VariableId) {
    let Some(pass) = ctx.loops.passes.open.last() else {
        return;
    };
    if ctx.state.defined_in_pass.get(&id) != Some(&pass.number) {
        ctx.state.defined_in_pass.insert(id, pass.number);
    }
}

/// Reads the abstract value of an integer, which the current pass then depends on.
pub(crate) fn read_integer<'a>(
    ctx: &'a mut Lowering,
    id: VariableId,
) -> Option<&'a IntegerKnowledge> {
    let known = ctx.state.integers.get(&id);
    if let None | Some(IntegerKnowledge::Unknown) = known {
        return known;
    }
    let given = ctx.state.defined_in_pass.get(&id).copied().unwrap_or(0);
    let passes = ctx.loops.passes.open.iter_mut().rev();
    for pass in passes.take_while(|pass| given < pass.number) {
        pass.integers.insert(id);
    }
    known
}

/// Assigns a value to a variable and updates its abstract value.
pub(crate) fn assign_integer(ctx: &mut Lowering, id: VariableId, value: Expression) {
    let is_shared = ctx.symbols.variable(id).is_shared;
    let mut n_operators = 0;
    let mut depends = false;
    value.walk(&mut |part| {
        n_operators += 1;
        depends |= matches!(part, Expression::Variable(_) | Expression::Data);
    });
    let knowledge = if value == Expression::Data {
        IntegerKnowledge::Unknown
    } else if depends || is_shared || n_operators > MAX_SYMBOLIC_SIZE {
        IntegerKnowledge::Exact
    } else {
        IntegerKnowledge::Symbolic(value.clone())
    };
    set_integer(ctx, id, knowledge);
    if ctx.ranges.holds_data(&value) {
        ctx.ranges.unknown.insert(id);
    }
    ctx.state.nullable.remove(&id);
    ctx.tree.emit(Node::Assign {
        variable: id,
        value,
    });
}

pub(crate) fn new_selector(ctx: &mut Lowering) -> VariableId {
    let id = new_variable(ctx, SELECTOR, INT, false);
    let row = &mut ctx.symbols.variables[id.as_u32() as usize];
    row.is_fixed = true;
    row.frame = 0;
    id
}

/// A variable that is never assigned: its value is unknown.
pub(crate) fn fresh_variable(ctx: &mut Lowering, name: &str, kind: IntegerType) -> VariableId {
    let id = new_variable(ctx, name, kind, false);
    let row = &mut ctx.symbols.variables[id.as_u32() as usize];
    row.is_fixed = true;
    row.frame = 0;
    set_integer(ctx, id, IntegerKnowledge::Exact);
    id
}

/// A new variable with an unknown value.
pub(crate) fn new_variable(
    ctx: &mut Lowering,
    name: &str,
    kind: IntegerType,
    is_shared: bool,
) -> VariableId {
    let id = new_variable_row(ctx, name, kind, is_shared);
    set_integer(ctx, id, IntegerKnowledge::Unknown);
    id
}

pub(crate) fn new_variable_row(
    ctx: &mut Lowering,
    name: &str,
    kind: IntegerType,
    is_shared: bool,
) -> VariableId {
    let id = ctx.symbols.next_variable();
    let origin = origin_of(ctx, name);
    ctx.symbols.variables.push(VariableRow {
        name: name.to_owned(),
        kind,
        frame: ctx.frames.len(),
        is_shared,
        is_fixed: false,
        origin,
    });
    ctx.loops.fixpoint.record_variable(origin, id);
    id
}

pub(crate) fn new_pointer(ctx: &mut Lowering, name: &str, is_shared: bool) -> PointerId {
    let offset = new_variable(ctx, &format!("{name}@"), LONG, is_shared);
    let id = PointerId(ctx.symbols.pointers.len());
    ctx.symbols.pointers.push(offset);
    ctx.state.pointers.insert(id, Target::Null);
    id
}

/// Whether an expression keeps its value while the function's names are in scope.
pub(crate) fn is_stable(ctx: &Lowering, expression: &Expression) -> bool {
    !expression.any(|part| match part {
        Expression::Data => true,
        Expression::Variable(id) => {
            let row = ctx.symbols.variable(*id);
            let is_outer = row.frame < ctx.frames.len() && !row.is_shared;
            !(is_outer || row.is_fixed || ctx.loops.iterators.contains_key(id))
        }
        _ => false,
    })
}

/// The same value in a form that later assignments do not change.
pub(crate) fn pin_value(ctx: &mut Lowering, value: Expression, name: &str) -> Expression {
    if is_stable(ctx, &value) || value == Expression::Data {
        return value;
    }
    let id = new_variable(ctx, name, LONG, false);
    ctx.symbols.variables[id.as_u32() as usize].is_fixed = true;
    set_integer(ctx, id, IntegerKnowledge::Exact);
    ctx.tree.emit(Node::Assign {
        variable: id,
        value,
    });
    Expression::Variable(id)
}

/// The origin of a variable of this name that is created here.
fn origin_of(ctx: &Lowering, name: &str) -> VariableOrigin {
    let path = ctx.frames.last().map(|frame| frame.path);
    VariableOrigin(digest_of((
        path,
        position_key(ctx.symbols.declared_at),
        name,
    )))
}
