//! Simple, destructuring and compound assignments; scalars are stored, aggregates part by part.

use crate::ast_builder;
use crate::body::context::Body;
use crate::body::library::complex;
use crate::body::values::scrutinees::{self, Scrutinee};
use crate::body::values::{fields, indexing, operators, places};
use crate::type_resolution::operator;
use crate::types::Ty;
use crate::value::Value;
use premiss_ast::syntax::{Binary, Expression, ExpressionKind as Kind, TextRange};
use syn::Expr;

pub(crate) fn assign_expression<'a>(
    ctx: &mut Body<'a, '_>,
    assignment: &'a syn::ExprAssign,
    at: TextRange,
) -> Value<'a> {
    if let Expr::Tuple(places) = &*assignment.left {
        return destructuring(ctx, places, &assignment.right, at);
    }
    if let Expr::Infer(_) = &*assignment.left {
        let value = ctx.expression(&assignment.right, None);
        if Scrutinee::of(&assignment.right) == Scrutinee::Place {
            scrutinees::discard(ctx, &value);
            return Value::Unit;
        }
        return ctx.evaluate(value);
    }
    if let Expr::Array(_) | Expr::Struct(_) | Expr::Call(_) = &*assignment.left {
        return unknown_destructuring(ctx, assignment, at);
    }
    let expected = expected_type(ctx, &assignment.left);
    let value = ctx.expression(&assignment.right, expected.as_ref());
    if matches!(value, Value::Never) {
        return value;
    }
    let (value, place) =
        ctx.evaluate_in_order(value, |ctx| indexing::changed_place(ctx, &assignment.left));
    assign(ctx, place, value, at);
    Value::Unit
}

/// The type of a variable, as the expected type of the assigned value.
fn expected_type<'a>(ctx: &mut Body<'a, '_>, place: &'a Expr) -> Option<Ty> {
    let Expr::Path(path) = place else { return None };
    let name = path.path.get_ident()?.to_string();
    let value = ctx.environment.get(&name)?.clone();
    let kind = ctx.inference.resolve(&value.kind());
    (!kind.is_weak()).then_some(kind)
}

/// Stores a value to a place.
pub(crate) fn assign<'a>(
    ctx: &mut Body<'a, '_>,
    place: Value<'a>,
    value: Value<'a>,
    at: TextRange,
) {
    match place {
        Value::Plain(place, kind) => {
            let place_at = place.at;
            let whole = ctx.inference.resolve(&kind);
            if let (Value::Plain(..), true) = (&value, whole.is_weak()) {
                ctx.inference.unify(&kind, &value.kind());
            }
            let at = if ast_builder::is_place(&place) {
                at
            } else {
                place_at
            };
            places::store(ctx, place, &kind, value, at);
        }
        Value::Unknown(_) | Value::Unit => {
            ctx.evaluate(value);
        }
        place => {
            let value = places::coerce(ctx, value, &place.kind());
            ctx.inference.unify(&place.kind(), &value.kind());
            let value = detached_value(ctx, value);
            assign_parts(ctx, &place, &value, at);
        }
    }
}

/// A value that does not change while its parts are stored one after the other.
fn detached_value<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>) -> Value<'a> {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    match parts.len() {
        0 | 1 => value,
        _ => ctx.hold(value, "held"),
    }
}

pub(crate) fn assign_parts<'a>(
    ctx: &mut Body<'a, '_>,
    place: &Value<'a>,
    value: &Value<'a>,
    at: TextRange,
) {
    let (mut places, mut values) = (Vec::new(), Vec::new());
    place.parts(&mut places);
    value.parts(&mut values);
    for (idx, place) in places.into_iter().enumerate() {
        let value = match values.get(idx) {
            Some(value) => value.clone(),
            None => ctx.unknown_integer(at),
        };
        ctx.emit(ast_builder::evaluated(ast_builder::assign(
            at, place, value,
        )));
    }
}

fn destructuring<'a>(
    ctx: &mut Body<'a, '_>,
    places: &'a syn::ExprTuple,
    value: &'a Expr,
    at: TextRange,
) -> Value<'a> {
    let source = Scrutinee::of(value);
    let value = ctx.expression(value, None);
    let is_infer = |place: &Expr| matches!(place, Expr::Infer(_));
    let value = match value {
        Value::Tuple(parts) if source == Scrutinee::Place => {
            let pairs = parts.into_iter().zip(&places.elems);
            let parts = pairs.map(|(part, place)| match is_infer(place) {
                true => Value::Unknown(part.kind()),
                false => ctx.hold(part, "held"),
            });
            Value::Tuple(parts.collect())
        }
        value => ctx.hold(value, "held"),
    };
    for (idx, place) in places.elems.iter().enumerate() {
        let part = fields::field_of(ctx, value.clone(), &idx.to_string(), at);
        if is_infer(place) {
            continue;
        }
        let place = ctx.expression(place, None);
        assign(ctx, place, part, at);
    }
    Value::Unit
}

/// `[x, y] = value` and `S { x, y } = value`: the places are assigned to, and what they get is not modelled.
fn unknown_destructuring<'a>(
    ctx: &mut Body<'a, '_>,
    assignment: &'a syn::ExprAssign,
    at: TextRange,
) -> Value<'a> {
    let value = ctx.expression(&assignment.right, None);
    ctx.evaluate(value);
    ctx.unsupported("an assignment to a pattern of this form", at);
    let mut open: Vec<&'a Expr> = vec![&assignment.left];
    while let Some(place) = open.pop() {
        match place {
            Expr::Array(list) => open.extend(&list.elems),
            Expr::Tuple(list) => open.extend(&list.elems),
            Expr::Call(call) => open.extend(&call.args),
            Expr::Struct(fields) => open.extend(fields.fields.iter().map(|field| &field.expr)),
            Expr::Infer(_) | Expr::Range(_) => {}
            place => {
                let place = ctx.expression(place, None);
                let unknown = Value::Unknown(place.kind());
                assign(ctx, place, unknown, at);
            }
        }
    }
    Value::Unit
}

/// `place op= value`: the loads of the value, the load of the place, and the store.
pub(crate) fn compound_assignment<'a>(
    ctx: &mut Body<'a, '_>,
    operation: &'a syn::ExprBinary,
    at: TextRange,
) -> Value<'a> {
    let Some(operator) = operator(&operation.op) else {
        return ctx.unsupported("an operator of this kind", at);
    };
    let expected = expected_type(ctx, &operation.left);
    let right = ctx.expression(&operation.right, expected.as_ref());
    let right_at = ctx.at(&operation.right);
    let right = places::strip_references(ctx, right, right_at);
    let is_variable = |place: &Expr| matches!(place, Expr::Path(_));
    let right = match &right {
        Value::Plain(value, _) if !ast_builder::is_pure(value) && !is_variable(&operation.left) => {
            held_in_order(ctx, right)
        }
        _ => right,
    };
    let left_at = ctx.at(&operation.left);
    let (right, left) = ctx.evaluate_in_order(right, |ctx| {
        let place = indexing::changed_place(ctx, &operation.left);
        places::strip_references(ctx, place, left_at)
    });
    match (left, right) {
        (Value::Plain(place, kind), Value::Plain(value, found)) => {
            ctx.inference.unify(&kind, &found);
            let (kind, found) = (ctx.inference.resolve(&kind), ctx.inference.resolve(&found));
            if let Ty::Record(..) = kind {
                let left = Value::Plain(place, kind);
                return overloaded_compound(ctx, operator, left, Value::Plain(value, found), at);
            }
            let value = places::load(ctx, value, &found);
            let place = Expression {
                at: left_at,
                ..place
            };
            let kind = Kind::Assign(Some(operator), Box::new(place), Box::new(value));
            ctx.emit(ast_builder::evaluated(Expression::new(at, kind)));
        }
        (left, right) => return overloaded_compound(ctx, operator, left, right, at),
    }
    Value::Unit
}

fn overloaded_compound<'a>(
    ctx: &mut Body<'a, '_>,
    operator: Binary,
    left: Value<'a>,
    right: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let kind = ctx.inference.resolve(&left.kind());
    if let (Ty::Record(record, _), Some(method)) = (&kind, operators::operator_method(operator)) {
        let name = ctx.program.index.record_name(*record);
        let method = format!("{method}_assign");
        let function = operators::overload(ctx, &method, &left, &right);
        let function = function.or_else(|| ctx.program.index.method(&name, &method));
        if let Some(function) = function {
            let left = places::borrow(ctx, left, at);
            return ctx.call_function(function, vec![left, right], at);
        }
    }
    if complex::part_type(ctx, &kind).is_some()
        && let right = ctx.hold(right.clone(), "right")
        && let Some(value) = complex::arithmetic(ctx, operator, &left, &right, at)
    {
        assign(ctx, left, value, at);
        return Value::Unit;
    }
    places::load_whole(ctx, &right, at);
    places::load_whole(ctx, &left, at);
    if complex::part_type(ctx, &kind).is_some() {
        complex::store_data(ctx, &left, at);
    }
    if let Value::Plain(place, kind) = left {
        let memory = ctx.memory_type(&kind);
        let data = ast_builder::data(at, memory);
        ctx.emit(ast_builder::evaluated(ast_builder::assign(at, place, data)));
    }
    Value::Unit
}

/// A value whose loads precede those of a place.
fn held_in_order<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Plain(expression, kind) => {
            let memory = ctx.variable_type(&kind);
            let at = expression.at;
            let kept = ctx.declare(at, "operand", memory, expression);
            Value::Plain(kept, kind)
        }
        other => other,
    }
}

/// Variables that can hold values like `value`.
pub(crate) fn slot_for<'a>(
    ctx: &mut Body<'a, '_>,
    value: &Value<'a>,
    wanted: &str,
    at: TextRange,
) -> Value<'a> {
    let mut names = Vec::new();
    let kinds = match value {
        Value::Plain(_, kind @ Ty::Array(..)) => {
            let kind = kind.clone().pointer();
            ctx.parts_of(&kind)
        }
        value => ctx.part_kinds(value),
    };
    for (suffix, kind) in kinds {
        let name = ctx.fresh_name(&format!("{wanted}{suffix}"));
        ctx.mutable_names.insert(name.clone());
        let place = ctx.fresh_at(at);
        ctx.emit(ast_builder::declaration(place, &name, kind, None));
        names.push(ast_builder::name(at, &name));
    }
    value.with_parts(&mut names.into_iter())
}
