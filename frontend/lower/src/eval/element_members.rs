//! The member of an element at an offset that is not constant.

use crate::context::Lowering;
use crate::domain::element_contents::ElementMember;
use crate::domain::integers::linear_form;
use crate::domain::types::Type;
use crate::domain::values::ArrayRow;
use premiss_tree::{BinaryOperator as Op, Expression};

/// The size in bytes of the greatest scalars.
const GREATEST_SCALAR: i64 = 8;

/// The scalar of every element at an offset that is not constant, if all but the constant part of the offset is a
/// multiple of the size of an array's elements.
pub(crate) fn member_at(
    ctx: &Lowering,
    row: ArrayRow,
    offset: &Expression,
    size: u32,
) -> Option<ElementMember> {
    let element = match ctx.symbols.arrays[row.0].kind.innermost() {
        kind @ Type::Struct(..) => i64::from(kind.scalar_size()?),
        // An allocated array has no type of its own: its elements are as far apart as the terms of the offset say.
        Type::Void => distance_of_elements(offset)?,
        _ => return None,
    };
    if element <= 0 {
        return None;
    }
    let member = ElementMember::at(remainder(offset, element)?, size, element);
    (member.start.checked_add(i64::from(size))? <= element).then_some(member)
}

/// The greatest number that all terms of an offset are multiples of but its constant part, if it is more than a scalar.
fn distance_of_elements(offset: &Expression) -> Option<i64> {
    let (terms, _) = linear_form(offset)?;
    let distance = terms
        .iter()
        .fold(0, |a, (_, factor)| greatest_divisor(a, *factor));
    (GREATEST_SCALAR < distance).then_some(distance)
}

/// The greatest common divisor.
pub(crate) fn greatest_divisor(a: i64, b: i64) -> i64 {
    match b {
        0 => a.saturating_abs(),
        b => greatest_divisor(b, a.checked_rem(b).unwrap_or(0)),
    }
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
