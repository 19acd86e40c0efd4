//! Pointer arithmetic, pointer comparisons, and pointers that may be null.

use crate::context::Lowering;
use crate::domain::integers::{minus, negate_condition, plus, times};
use crate::domain::state::NonNullOffset;
use crate::domain::types::{INT, LONG};
use crate::domain::values::{ArrayRow, NULL, Pointer, Target, Value, is_constant};
use crate::eval::variables::{assign_integer, new_variable};
use crate::syntax::{Binary, Notation};
use premiss_tree::{BinaryOperator as Op, Expression, Storage};

/// Moves a pointer by a number of elements.
pub(crate) fn offset_pointer(ctx: &Lowering, pointer: Pointer, elements: Expression) -> Pointer {
    let size = pointer.pointee.size().unwrap_or(Expression::Data);
    let offset = if elements == 0.into() {
        pointer.offset
    } else {
        let start = non_null_offset(ctx, pointer.offset);
        plus(start, times(size, elements))
    };
    Pointer { offset, ..pointer }
}

/// Compares a pointer with a null pointer.
pub(crate) fn compare_with_null(ctx: &mut Lowering, operator: Binary, pointer: &Pointer) -> Value {
    let is_set = is_non_null(ctx, pointer);
    let value = match operator {
        Binary::Equal => negate_condition(is_set),
        Binary::NotEqual => is_set,
        _ => Expression::Data,
    };
    Value::Integer(value, INT)
}

/// Whether a pointer is not null, as a truth value. Allocations are assumed to succeed; a pointer loaded from memory
/// may be null, and so may in Fortran those that a function receives (see [`null_test`]).
pub(crate) fn is_non_null(ctx: &mut Lowering, pointer: &Pointer) -> Expression {
    if let Some(is_set) = null_test(ctx, pointer) {
        return is_set;
    }
    match &pointer.target {
        Target::Null => 0.into(),
        Target::Several(_) | Target::Elsewhere | Target::Ambiguous => Expression::Data,
        target
            if target
                .arrays()
                .iter()
                .any(|x| ctx.symbols.arrays[x.0].may_be_missing) =>
        {
            Expression::Data
        }
        _ => match ctx.state.nullable_variable(&pointer.offset) {
            Some((id, _)) => {
                Expression::binary(Op::NotEqual, Expression::Variable(id), NULL.into())
            }
            None => 1.into(),
        },
    }
}

/// Whether a pointer of Fortran that the function received, or loaded from a cell that keeps its value, leads to an
/// array: a predicate, if each value of the pointer that led here was that one.
///
/// ```text
/// if (.not. allocated(s)) allocate(s(n))      s is one of two arrays, and `allocated(s)` tells which
/// ```
fn null_test(ctx: &mut Lowering, pointer: &Pointer) -> Option<Expression> {
    let mut rows = pointer.target.arrays().into_iter();
    let row = rows.find(|row| may_be_unset(ctx, *row))?;
    let is_certain = matches!(pointer.target, Target::Array(_))
        && !ctx.predicates.doubtful.contains(&row)
        && ctx.state.nullable_variable(&pointer.offset).is_none();
    if !is_certain {
        return Some(Expression::Data);
    }
    if let Some(id) = ctx.predicates.null_tests.get(&row) {
        return Some(Expression::Parameter(*id));
    }
    let data = &ctx.symbols.arrays[row.0];
    let inquiry = match data.storage {
        Storage::Parameter if !data.is_region => "present",
        _ => "allocated",
    };
    let (text, at) = (format!("{inquiry}({})", data.name), data.at);
    let truth = ctx.symbols.fresh_predicate(text, at);
    if let Expression::Parameter(id) = truth {
        ctx.predicates.null_tests.insert(row, id);
    }
    Some(truth)
}

/// Whether an array is one to which a pointer of Fortran leads if it is not null: that of an argument or a module, or
/// one in a cell.
fn may_be_unset(ctx: &Lowering, row: ArrayRow) -> bool {
    let data = &ctx.symbols.arrays[row.0];
    let is_received = matches!(data.storage, Storage::Parameter | Storage::Global);
    ctx.program.notation(data.at.unit) == Notation::Fortran
        && match data.is_region {
            true => ctx.predicates.loaded.contains(&row),
            false => is_received,
        }
}

pub(crate) fn offset_if_non_null(offset: &Expression) -> NonNullOffset {
    match is_constant(offset) {
        true => NonNullOffset::Symbolic(offset.clone()),
        false => NonNullOffset::Varies,
    }
}

/// The offset of a pointer under the assumption that it is not null.
pub(crate) fn non_null_offset(ctx: &Lowering, offset: Expression) -> Expression {
    match ctx.state.nullable_variable(&offset) {
        Some((_, NonNullOffset::Symbolic(known))) => known.clone(),
        _ => offset,
    }
}

/// The offset of a pointer that may be null, as a variable.
pub(crate) fn new_nullable_offset(
    ctx: &mut Lowering,
    offset: Expression,
    non_null: NonNullOffset,
) -> Expression {
    let id = new_variable(ctx, "pointer@", LONG, false);
    assign_integer(ctx, id, offset);
    ctx.state.nullable.insert(id, non_null);
    Expression::Variable(id)
}

/// Comparison and difference of two pointers.
pub(crate) fn apply_to_pointers(operator: Binary, a: &Pointer, b: &Pointer) -> Value {
    let is_open = matches!(
        a.target,
        Target::Several(_) | Target::Elsewhere | Target::Ambiguous | Target::Null
    );
    let same = a.target == b.target && !is_open;
    let size = a.pointee.size();
    let compared =
        |op, x: &Pointer, y: &Pointer| Expression::binary(op, x.offset.clone(), y.offset.clone());
    let value = match operator {
        Binary::Subtract if same => {
            let distance = minus(a.offset.clone(), b.offset.clone());
            let elements = match size {
                Some(Expression::Integer(1)) => distance,
                Some(size) => Expression::binary(Op::Quotient, distance, size),
                None => Expression::Data,
            };
            return Value::Integer(elements, LONG);
        }
        Binary::Subtract => return Value::Integer(Expression::Data, LONG),
        _ if !same => Expression::Data,
        Binary::Less => compared(Op::Less, a, b),
        Binary::LessEqual => compared(Op::LessEqual, a, b),
        Binary::Greater => compared(Op::Less, b, a),
        Binary::GreaterEqual => compared(Op::LessEqual, b, a),
        Binary::Equal => compared(Op::Equal, a, b),
        _ => compared(Op::NotEqual, a, b),
    };
    Value::Integer(value, INT)
}
