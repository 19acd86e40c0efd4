//! Values and pointers that a branch selects.
//!
//! If the arms of a branch leave a pointer in different arrays, a selector variable records which arm was taken, and
//! an access through the pointer is a branch on that variable:
//!
//! ```text
//! if (flag) p = a;                    if (flag) arm = 0
//! else      p = b;                    else      arm = 1
//! p[i] = 0;                           if (arm == 0) a[i] = 0  else  b[i] = 0
//! ```
//!
//! In a loop, a pointer may outlive the iteration that set its selector: there it may lead to several arrays, and an
//! access through it is a branch on data, except for pointers that
//! [`pointer_rotation`](super::super::loops::pointer_rotation) models.

use crate::bailout::Lowered;
use crate::context::Lowering;
use crate::domain::integers::choose;
use crate::domain::reals::combine_reals;
use crate::domain::types::{Type, common};
use crate::domain::values::{
    Candidates, Choice, NULL, Place, Pointer, Target, Value, is_first, place_type, unknown_value,
};
use crate::eval::conversions::convert;
use crate::eval::integer_arithmetic::convert_integer;
use crate::eval::operators::apply_floating;
use crate::eval::pointers::{new_nullable_offset, offset_if_non_null};
use crate::eval::variables::{SELECTOR, new_selector};
use crate::syntax::{Binary, TextRange};
use premiss_tree::{BinaryOperator as Op, Expression, Node};

/// The target of `condition ? a : b`.
fn select_target(ctx: &mut Lowering, condition: &Expression, a: &Target, b: &Target) -> Target {
    let joined = a.join(b);
    let is_data = condition.any(|part| *part == Expression::Data);
    if !matches!(joined, Target::Several(_) | Target::Ambiguous) || is_data {
        return joined;
    }
    if let Expression::Binary(Op::Equal, left, right) = condition
        && let (Expression::Variable(selector), Some(0)) = (&**left, right.as_integer())
        && ctx.symbols.variable(*selector).name == SELECTOR
    {
        return a.either(b, *selector).unwrap_or(joined);
    }
    if ctx.is_in_loop() {
        return joined;
    }
    let selector = new_selector(ctx);
    let Some(either) = a.either(b, selector) else {
        return joined;
    };
    let arm = choose(condition.clone(), 0.into(), 1.into());
    ctx.tree.emit(Node::Assign {
        variable: selector,
        value: arm,
    });
    either
}

/// Applies a function to either target of a choice; returns both values.
pub(crate) fn with_alternatives<T>(
    ctx: &mut Lowering,
    choice: &Choice,
    lower: impl Fn(&mut Lowering, Target) -> T,
) -> Lowered<(Expression, Vec<T>)> {
    let condition = is_first(choice.selector);
    let values = ctx.branch(
        condition.clone(),
        |ctx| Ok(lower(ctx, choice.first.clone())),
        |ctx| Ok(lower(ctx, choice.second.clone())),
    )?;
    Ok((condition, values))
}

/// Loads from either target.
pub(crate) fn load_alternatives(ctx: &mut Lowering, choice: &Choice, place: &Place) -> Value {
    let loaded = with_alternatives(ctx, choice, |ctx, target| ctx.load(place.at_target(target)));
    if let Ok((condition, mut values)) = loaded
        && let (Some(b), Some(a)) = (values.pop(), values.pop())
    {
        return select_value(ctx, condition, a, b);
    }
    unknown_value(place_type(place))
}

/// Loads from one of several arrays.
pub(crate) fn load_candidates(ctx: &mut Lowering, candidates: &Candidates, place: &Place) -> Value {
    // At most one of them is accessed, and nothing tells which.
    let targets = candidates.targets().into_iter();
    let places: Vec<Place> = targets.map(|target| place.at_target(target)).collect();
    load_any(ctx, &places).unwrap_or_else(|| unknown_value(place_type(place)))
}

fn load_any(ctx: &mut Lowering, places: &[Place]) -> Option<Value> {
    let (first, rest) = places.split_first()?;
    if rest.is_empty() {
        return Some(ctx.load(first.clone()));
    }
    let loaded = ctx.branch(
        Expression::Data,
        |ctx| Ok(Some(ctx.load(first.clone()))),
        |ctx| Ok(load_any(ctx, rest)),
    );
    let mut values = loaded.ok()?;
    let (b, a) = (values.pop()??, values.pop()??);
    Some(select_value(ctx, Expression::Data, a, b))
}

/// Applies a function to each of the arrays that a pointer may lead to: at most one of them is accessed, and nothing tells
/// which.
pub(crate) fn with_candidates(
    ctx: &mut Lowering,
    candidates: &Candidates,
    lower: &dyn Fn(&mut Lowering, Target),
) {
    with_any(ctx, &candidates.targets(), lower);
}

fn with_any(ctx: &mut Lowering, targets: &[Target], lower: &dyn Fn(&mut Lowering, Target)) {
    let Some((first, rest)) = targets.split_first() else {
        return;
    };
    if rest.is_empty() {
        return lower(ctx, first.clone());
    }
    // An access cannot fail.
    let _ = ctx.branch(
        Expression::Data,
        |ctx| {
            lower(ctx, first.clone());
            Ok(())
        },
        |ctx| {
            with_any(ctx, rest, lower);
            Ok(())
        },
    );
}

/// Stores to either target.
pub(crate) fn store_alternatives(
    ctx: &mut Lowering,
    choice: &Choice,
    place: &Place,
    value: &Value,
    at: TextRange,
) {
    // Storing cannot fail.
    let _ = with_alternatives(ctx, choice, |ctx, target| {
        ctx.store(&place.at_target(target), value.clone(), at);
    });
}

/// A 0 that is an alternative of a pointer, as a null pointer.
fn as_null_pointer(ctx: &mut Lowering, value: Value, beside: &Type) -> Value {
    match (&value, beside) {
        (Value::Integer(Expression::Integer(0), _), Type::Pointer(_)) => {
            convert(ctx, value, beside)
        }
        _ => value,
    }
}

/// `condition ? a : b` of two values.
pub(crate) fn select_value(ctx: &mut Lowering, condition: Expression, a: Value, b: Value) -> Value {
    let (a_kind, b_kind) = (a.kind(), b.kind());
    match (
        as_null_pointer(ctx, a, &b_kind),
        as_null_pointer(ctx, b, &a_kind),
    ) {
        (Value::Integer(a, a_kind), Value::Integer(b, b_kind)) => {
            let kind = common(a_kind, b_kind);
            let a = convert_integer(ctx, a, a_kind, kind);
            let b = convert_integer(ctx, b, b_kind, kind);
            Value::Integer(choose(condition, a, b), kind)
        }
        (Value::Pointer(a), Value::Pointer(b)) => {
            let target = select_target(ctx, &condition, &a.target, &b.target);
            let offset = |x: Pointer| match x.target {
                Target::Null => NULL.into(),
                _ => x.offset,
            };
            let has_null = a.target == Target::Null || b.target == Target::Null;
            let pointee = match *a.pointee == Type::Void {
                true => b.pointee.clone(),
                false => a.pointee.clone(),
            };
            let non_null = match (&a.target, &b.target) {
                (Target::Null, _) => offset_if_non_null(&b.offset),
                _ => offset_if_non_null(&a.offset),
            };
            let mut offset = choose(condition, offset(a), offset(b));
            if has_null && target != Target::Null {
                offset = new_nullable_offset(ctx, offset, non_null);
            }
            Value::Pointer(Pointer {
                target,
                offset,
                pointee,
            })
        }
        (Value::Pointer(pointer), _) | (_, Value::Pointer(pointer)) => Value::Pointer(pointer),
        (a, b) if a == b && matches!(a, Value::Floating(..)) => a,
        (a, b) => match apply_floating(Binary::Maximum, &a, &b).kind() {
            Type::Floating(size) => combine_reals(Binary::Maximum, [&a, &b], size),
            other => unknown_value(other),
        },
    }
}
