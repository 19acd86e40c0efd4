//! Records arithmetic operations where they are evaluated.
//!
//! Operations count as written: `a * b + c` is a product and a sum, `x += y` a sum. Anything that a compiler evaluates
//! does not count: `2 * 3`, and names of constants. `i++` counts as `i += 1`. Choosing an arm (`&&`, `!`, `?:`) is not
//! an operation; the comparison that it tests is one.
//!
//! Nothing here affects the accesses of the tree: the recorded nodes are removed from it at the end.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::values::Value;
use crate::output::literals::{is_literal_expression, is_product_expression};
use crate::output::operation_recorder::{
    ADDRESS_OPERANDS, common_operands, operands_of, operation_kind,
};
use crate::output::operation_rows::current_arithmetic;
use crate::output::scalar_uses::record_shadowing;
use crate::syntax::{Binary, Expression as Syntax, Name, TextRange, Unary};
use premiss_tree::{Operands, Operation, OperationKind, Role};
use std::sync::Arc;

/// Records a call of a function that is neither inlined nor an operation.
pub(crate) fn record_external_call(ctx: &mut Lowering, name: &Name) {
    if ctx.program.has_operations() {
        current_arithmetic(ctx).calls.insert(Arc::from(&**name));
    }
}

/// Lowers with another role for evaluated operations; a subscript in a loop header keeps the role of the header.
pub(crate) fn with_role<T>(
    ctx: &mut Lowering,
    role: Role,
    lower: impl FnOnce(&mut Lowering) -> Lowered<T>,
) -> Lowered<T> {
    let around = ctx.tree.operations.role;
    if around != Role::Header || role == Role::Data {
        ctx.tree.operations.role = role;
    }
    let result = lower(ctx);
    ctx.tree.operations.role = around;
    result
}

/// Lowers the content of a statement, or a condition by itself.
pub(crate) fn in_statement<T>(
    ctx: &mut Lowering,
    at: TextRange,
    lower: impl FnOnce(&mut Lowering) -> Lowered<T>,
) -> Lowered<T> {
    let around = std::mem::replace(&mut ctx.tree.operations.statement, at);
    let result = lower(ctx);
    ctx.tree.operations.statement = around;
    result
}

/// Records an operation on two values that were evaluated from these expressions.
pub(crate) fn record_binary(
    ctx: &mut Lowering,
    operator: Binary,
    (left, left_syntax): (&Value, Option<&Syntax>),
    (right, right_syntax): (&Value, Option<&Syntax>),
) {
    if !ctx.program.has_operations() {
        return;
    }
    let kind = operation_kind(operator);
    if matches!(left, Value::Pointer(_)) || matches!(right, Value::Pointer(_)) {
        return record_operation(ctx, kind, ADDRESS_OPERANDS, Role::Index);
    }
    let (Some(a), Some(b)) = (operands_of(left), operands_of(right)) else {
        return;
    };
    let is_literal = |ctx: &mut Lowering, syntax: Option<&Syntax>| {
        syntax.is_some_and(|syntax| is_literal_expression(ctx, syntax))
    };
    if is_literal(ctx, right_syntax) && is_literal(ctx, left_syntax) {
        return;
    }
    let with = match operator {
        Binary::ShiftLeft | Binary::ShiftRight => a,
        _ => common_operands(a, b),
    };
    let role = ctx.tree.operations.role;
    let is_sum = matches!(operator, Binary::Add | Binary::Subtract);
    let is_real = with.is_floating();
    if is_sum
        && is_real
        && (is_product_expression(ctx, right_syntax) || is_product_expression(ctx, left_syntax))
    {
        *current_arithmetic(ctx).fused.entry(with).or_default() += 1;
    }
    record_operation(ctx, kind, with, role);
}

/// Records an operation on one value.
pub(crate) fn record_unary(ctx: &mut Lowering, operator: Unary, value: &Value, syntax: &Syntax) {
    let kind = match operator {
        Unary::Negate => OperationKind::Negate,
        Unary::BitNot => OperationKind::Bits,
        Unary::Plus | Unary::Not => return,
    };
    if let Some(with) = operands_of(value)
        && !is_literal_expression(ctx, syntax)
    {
        record_operation(ctx, kind, with, ctx.tree.operations.role);
    }
}

/// Records a call of a function of the mathematical library with operands of a type. A fused multiply-add counts as a
/// product and a sum.
pub(crate) fn record_call(ctx: &mut Lowering, name: &str, with: Operands) {
    if !ctx.program.has_operations() {
        return;
    }
    let role = ctx.tree.operations.role;
    match name {
        "nan" | "nans" | "inf" | "huge_val" => {}
        "sqrt" | "csqrt" => record_operation(ctx, OperationKind::SquareRoot, with, role),
        "fma" => {
            record_operation(ctx, OperationKind::Multiply, with, role);
            record_operation(ctx, OperationKind::Add, with, role);
            *current_arithmetic(ctx).fused.entry(with).or_default() += 1;
        }
        name => record_operation(ctx, OperationKind::Call(Arc::from(name)), with, role),
    }
}

/// Records a power with a constant exponent as the products of exponentiation by squaring: `x**2` takes one, `x**3`
/// two, `x**4` two; a negative exponent adds a quotient. Compilers do the same; any other power is a call of `pow`.
pub(crate) fn record_power(ctx: &mut Lowering, with: Operands, exponent: Option<i64>) {
    let Some(exponent) = exponent else {
        return record_call(ctx, "pow", with);
    };
    let size = exponent.unsigned_abs();
    let n_products = size
        .checked_ilog2()
        .map_or(0, |squares| squares + size.count_ones() - 1);
    let role = ctx.tree.operations.role;
    for _ in 0..n_products {
        record_operation(ctx, OperationKind::Multiply, with, role);
    }
    if exponent < 0 {
        record_operation(ctx, OperationKind::Divide, with, role);
    }
}

/// Records an operation.
pub(crate) fn record_operation(
    ctx: &mut Lowering,
    kind: OperationKind,
    operands: Operands,
    role: Role,
) {
    if !ctx.program.has_operations() {
        return;
    }
    let role = match ctx.loops.in_header {
        true => Role::Header,
        false => role,
    };
    let operation = Operation {
        kind,
        operands,
        role,
    };
    let performed = &mut current_arithmetic(ctx).performed;
    *performed.entry(operation).or_default() += 1;
}

/// Records a local name for a constant or a product.
pub(crate) fn record_declared_name(
    ctx: &mut Lowering,
    name: &Name,
    is_const: bool,
    initial: Option<&Syntax>,
) {
    if !ctx.program.has_operations() {
        return;
    }
    record_shadowing(ctx, name);
    let key = (ctx.frames.len(), name.clone());
    ctx.tree.operations.constants.remove(&key);
    ctx.tree.operations.products.remove(&key);
    let Some(initial) = initial else { return };
    if is_const && is_literal_expression(ctx, initial) {
        ctx.tree.operations.constants.insert(key);
    } else if is_product_expression(ctx, Some(initial)) {
        ctx.tree.operations.products.insert(key, initial.at);
    }
}
