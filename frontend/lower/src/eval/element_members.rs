//! The member of an element at an offset that is not constant.

use crate::context::Lowering;
use crate::domain::element_contents::ElementMember;
use crate::domain::types::Type;
use crate::domain::values::ArrayRow;
use premiss_tree::{BinaryOperator as Op, Expression};

/// The scalar of every element at an offset that is not constant, if all but the constant part of the offset is a
/// multiple of the size of an array's elements.
pub(crate) fn member_at(
    ctx: &Lowering,
    row: ArrayRow,
    offset: &Expression,
    size: u32,
) -> Option<ElementMember> {
    let kind = ctx.symbols.arrays[row.0].kind.innermost();
    if !matches!(kind, Type::Struct(..)) {
        return None;
    }
    let element = i64::from(kind.scalar_size()?);
    if element <= 0 {
        return None;
    }
    let member = ElementMember::at(remainder(offset, element)?, size, element);
    (member.start.checked_add(i64::from(size))? <= element).then_some(member)
}

/// Whether an offset is constant during one iteration of the enclosing loops.
pub(crate) fn is_rigid(ctx: &Lowering, offset: &Expression) -> bool {
    !offset.any(|part| match part {
        Expression::Variable(id) => !ctx.loops.iterators.contains_key(id),
        part => *part == Expression::Data,
    })
}

/// The remainder of an offset modulo a size, if it is constant.
fn remainder(offset: &Expression, element: i64) -> Option<i64> {
    match offset {
        Expression::Integer(value) => Some(value.rem_euclid(element)),
        Expression::Binary(Op::Add, a, b) => {
            Some((remainder(a, element)? + remainder(b, element)?) % element)
        }
        Expression::Binary(Op::Subtract, a, b) => {
            Some((remainder(a, element)? - remainder(b, element)?).rem_euclid(element))
        }
        Expression::Binary(Op::Multiply, a, _)
            if a.as_integer().is_some_and(|a| a % element == 0) =>
        {
            Some(0)
        }
        _ => None,
    }
}
