//! Places: loads and stores, references, and coercions between types.

use crate::ast_builder;
use crate::body::context::Body;
use crate::context::dimensions;
use crate::type_resolution::MAX_PARTS;
use crate::types::Ty;
use crate::value::{NdArray, Position, Slice, Value};
use premiss_ast::syntax::{Binary, Expression, ExpressionKind, TextRange};
use premiss_tree::RejectReason;
use std::sync::Arc;

/// Reads a value with all its parts.
pub(crate) fn load_whole<'a>(ctx: &mut Body<'a, '_>, value: &Value<'a>, at: TextRange) {
    if let Value::Slice(_) | Value::NdArray(_) = value {
        ctx.unsupported("an operation on a whole array", at);
        return;
    }
    let mut parts = Vec::new();
    value.parts(&mut parts);
    for part in parts {
        if !ast_builder::is_pure(&part) {
            ctx.emit(ast_builder::evaluated(part));
        }
    }
}

/// The value of a place of a type.
pub(crate) fn value_at<'a>(ctx: &mut Body<'a, '_>, place: Expression, kind: &Ty) -> Value<'a> {
    let written = kind;
    let kind = ctx.inference.resolve(written);
    let at = place.at;
    if kind.is_too_large() {
        let limit = format!("{MAX_PARTS} parts of a type");
        return ctx.reject(RejectReason::Budget { limit }, at);
    }
    if let Some(element) = kind.slice_element() {
        let place = match &kind {
            Ty::Pointer(inner) if matches!(**inner, Ty::Vec(_)) => {
                ast_builder::dereference(at, place)
            }
            _ => place,
        };
        return Value::Slice(Slice {
            pointer: ast_builder::member(at, place.clone(), ""),
            length: ast_builder::member(at, place, "len()"),
            element,
            kind,
        });
    }
    match &kind {
        Ty::NdArray(element, rank) => {
            let pointer = ast_builder::member(at, place.clone(), "");
            let names = dimensions(*rank).into_iter();
            let lengths = names.map(|name| ast_builder::member(at, place.clone(), &name));
            let element = element.clone();
            Value::NdArray(NdArray::standard(at, pointer, element, lengths.collect()))
        }
        Ty::Tuple(parts) => {
            let mut values = Vec::new();
            for (idx, part) in parts.iter().enumerate() {
                let part_place = ast_builder::member(at, place.clone(), &idx.to_string());
                values.push(value_at(ctx, part_place, part));
            }
            Value::Tuple(values)
        }
        Ty::Range(inner) => Value::Range(crate::value::Range {
            start: Some(ast_builder::member(at, place.clone(), "start")),
            end: Some(ast_builder::member(at, place, "end")),
            kind: (**inner).clone(),
        }),
        Ty::Option(_) => {
            // The test whether a value is present reads it.
            ctx.emit(ast_builder::evaluated(place));
            Value::Unknown(kind)
        }
        Ty::Unit => Value::Unit,
        // Types that are inferred later are inferred for the variable.
        _ => Value::Plain(place, written.clone()),
    }
}

/// The value of an integer in memory, converted for arithmetic.
pub(crate) fn load(ctx: &mut Body, expression: Expression, kind: &Ty) -> Expression {
    let narrow = match ctx.inference.resolve(kind) {
        Ty::Int(kind) | Ty::Enum(_, kind) => kind.bits < 64,
        Ty::Char => true,
        _ => false,
    };
    let is_variable = matches!(expression.kind, ExpressionKind::Name(_));
    if narrow && ast_builder::is_place(&expression) && !is_variable {
        return ast_builder::cast(expression.at, ast_builder::wide(), expression);
    }
    expression
}

/// Stores a value to a place of a type.
pub(crate) fn store<'a>(
    ctx: &mut Body<'a, '_>,
    place: Expression,
    kind: &Ty,
    value: Value<'a>,
    at: TextRange,
) {
    ctx.inference.unify(kind, &value.kind());
    let kind = ctx.inference.resolve(kind);
    let value = coerce(ctx, value, &kind);
    match (&kind, value) {
        (Ty::Unit, value) => {
            ctx.evaluate(value);
        }
        (_, Value::Never) => {}
        (Ty::Array(..), Value::Plain(from, _)) => copy_array(ctx, place, from, &kind, at),
        (Ty::Record(..), Value::Plain(from, _)) if is_array(ctx, &kind) => {
            copy_array(ctx, place, from, &kind, at);
        }
        (_, Value::Plain(value, found)) => {
            let value = load(ctx, value, &found);
            ctx.emit(ast_builder::evaluated(ast_builder::assign(
                at, place, value,
            )));
        }
        (_, Value::Slice(slice)) => {
            let has_capacity = matches!(kind, Ty::Vec(_));
            let Value::Slice(slice) = ctx.hold(Value::Slice(slice), "held") else {
                return;
            };
            if has_capacity {
                store_member(ctx, &place, "capacity()", slice.length.clone(), at);
            }
            store_member(ctx, &place, "", slice.pointer, at);
            store_member(ctx, &place, "len()", slice.length, at);
        }
        (Ty::Tuple(kinds), Value::Tuple(values)) => {
            for (idx, (kind, value)) in kinds.iter().zip(values).enumerate() {
                let part = ast_builder::member(at, place.clone(), &idx.to_string());
                store(ctx, part, kind, value, at);
            }
        }
        (Ty::NdArray(_, rank), Value::NdArray(grid)) => {
            store_member(ctx, &place, "", grid.pointer, at);
            for (name, (length, _)) in dimensions(*rank).iter().zip(grid.axes) {
                store_member(ctx, &place, name, length, at);
            }
        }
        (kind, value) => {
            ctx.evaluate(value);
            let memory = ctx.memory_type(kind);
            let data = ast_builder::data(at, memory);
            ctx.emit(ast_builder::evaluated(ast_builder::assign(at, place, data)));
        }
    }
}

fn store_member(ctx: &mut Body, place: &Expression, name: &str, value: Expression, at: TextRange) {
    let member = ast_builder::member(at, place.clone(), name);
    ctx.emit(ast_builder::evaluated(ast_builder::assign(
        at, member, value,
    )));
}

/// Copies an array, element by element.
fn copy_array(ctx: &mut Body, to: Expression, from: Expression, kind: &Ty, at: TextRange) {
    let memory = ctx.memory_type(kind);
    let size = Expression::new(at, ExpressionKind::SizeofType(Arc::new(memory)));
    let size = ast_builder::cast(at, ast_builder::wide(), size);
    // The elements of a struct that is laid out as an array in one place and as a struct in the other.
    let [to, from] = match kind {
        Ty::Record(..) => [to, from].map(|place| ast_builder::address(at, place)),
        _ => [to, from],
    };
    let call = ast_builder::call(at, "memcpy", vec![to, from, size]);
    ctx.emit(ast_builder::evaluated(call));
}

/// Whether a type is an array, or a struct that is laid out as one.
pub(crate) fn is_array(ctx: &Body, kind: &Ty) -> bool {
    let kind = ctx.inference.resolve_deeply(kind);
    matches!(kind, Ty::Array(..)) || ctx.program.wrapped_array(&kind, 0).is_some()
}

/// A local copy of an array.
pub(crate) fn copy_of_array<'a>(
    ctx: &mut Body<'a, '_>,
    name: &str,
    from: Expression,
    kind: &Ty,
    at: TextRange,
) -> Value<'a> {
    let variable = new_array(ctx, name, kind, at);
    copy_array(ctx, variable.clone(), from, kind, at);
    Value::Plain(variable, kind.clone())
}

/// A local variable of a type, without a value.
fn new_array(ctx: &mut Body, name: &str, kind: &Ty, at: TextRange) -> Expression {
    let memory = ctx.memory_type(kind);
    let name = ctx.fresh_name(name);
    ctx.emit(ast_builder::declaration(at, &name, memory, None));
    ast_builder::name(at, &name)
}

/// The variable in which a value is constructed, with the desired name.
pub(crate) fn destination(ctx: &mut Body, otherwise: &str, kind: &Ty, at: TextRange) -> Expression {
    let wanted = ctx.target_name.take();
    let place = ctx.fresh_at(at);
    let variable = new_array(
        ctx,
        &wanted.unwrap_or_else(|| otherwise.to_owned()),
        kind,
        place,
    );
    if let ExpressionKind::Name(name) = &variable.kind {
        ctx.fresh_variables.insert(name.clone());
    }
    variable
}

/// Takes over the variable of a newly constructed value.
pub(crate) fn take_fresh<'a>(ctx: &mut Body<'a, '_>, value: &Value<'a>) -> Option<Value<'a>> {
    match value {
        Value::Plain(
            Expression {
                kind: ExpressionKind::Name(name),
                ..
            },
            _,
        ) if ctx.fresh_variables.remove(name) => Some(value.clone()),
        _ => None,
    }
}

/// Coerces a value to a type, such as an array to a slice.
pub(crate) fn coerce<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, kind: &Ty) -> Value<'a> {
    ctx.inference.unify(kind, &value.kind());
    let kind = ctx.inference.resolve(kind);
    let at = place_position(ctx, &value);
    if let (Some(element), Some(at)) = (kind.slice_element(), at)
        && !matches!(value, Value::Slice(_))
        && let Some(slice) = as_slice(ctx, value.clone(), at)
    {
        return Value::Slice(Slice {
            kind,
            element: if slice.element.is_unknown() {
                element
            } else {
                slice.element.clone()
            },
            ..slice
        });
    }
    match (value, &kind) {
        (Value::Slice(slice), Ty::Pointer(inner)) if matches!(**inner, Ty::Array(..)) => {
            Value::Plain(slice.pointer, kind)
        }
        // The array that `try_into` makes of a slice.
        (Value::Slice(slice), Ty::Array(..)) => Value::Plain(slice.pointer, kind),
        (Value::Slice(slice), Ty::Pointer(inner))
            if inner.is_scalar() || matches!(**inner, Ty::Record(..)) =>
        {
            Value::Plain(slice.pointer, kind)
        }
        (Value::Slice(slice), _) if kind.slice_element().is_some() => {
            ctx.inference.unify(&kind, &slice.kind.clone());
            Value::Slice(Slice { kind, ..slice })
        }
        (Value::Plain(value, Ty::Pointer(from)), Ty::Pointer(to))
            if matches!(*from, Ty::Array(..)) && !matches!(**to, Ty::Array(..)) =>
        {
            Value::Plain(value, kind.clone())
        }
        (Value::Tuple(values), Ty::Tuple(kinds)) if values.len() == kinds.len() => {
            let pairs = values.into_iter().zip(kinds.clone());
            Value::Tuple(
                pairs
                    .map(|(value, kind)| coerce(ctx, value, &kind))
                    .collect(),
            )
        }
        (Value::Option(is_some, value), Ty::Option(inner)) => {
            Value::Option(is_some, Box::new(coerce(ctx, *value, &inner.clone())))
        }
        (Value::Unknown(old), _) if !kind.is_unknown() => {
            let at = TextRange::start_of(ctx.program.positions[ctx.unit].unit);
            match old {
                Ty::Never => Value::Never,
                _ => ctx.unknown_value(&kind, at),
            }
        }
        (Value::Plain(value, found), _) => {
            ctx.inference.unify(&kind, &found);
            let kind = if kind.is_unknown() { found } else { kind };
            Value::Plain(value, kind)
        }
        (value, _) => value,
    }
}

/// The place of a value in the text, as far as it is known.
fn place_position<'a>(_ctx: &Body<'a, '_>, value: &Value<'a>) -> Option<TextRange> {
    let mut parts = Vec::new();
    value.parts(&mut parts);
    parts.first().map(|part| part.at)
}

/// Contiguous elements as a slice.
pub(crate) fn as_slice<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Option<Slice> {
    match value {
        Value::Slice(slice) => Some(slice),
        Value::Plain(place, kind) => match ctx.inference.resolve(&kind) {
            Ty::Array(element, length) => Some(Slice {
                pointer: place,
                length: length.expression(),
                kind: Ty::Slice(element.clone()).pointer(),
                element,
            }),
            Ty::Pointer(inner) | Ty::Box(inner) => {
                let kind = ctx.inference.resolve(&inner);
                match kind {
                    Ty::Array(..) => as_slice(ctx, Value::Plain(place, kind), at),
                    Ty::Vec(_) | Ty::Pointer(_) | Ty::Box(_) => {
                        let place = ast_builder::dereference(at, place);
                        let value = value_at(ctx, place, &kind);
                        as_slice(ctx, value, at)
                    }
                    _ => None,
                }
            }
            _ => None,
        },
        Value::Alias(value) => as_slice(ctx, *value, at),
        Value::NdArray(grid) => {
            let lengths = grid.axes.iter().map(|(length, _)| length.clone());
            let product = lengths.reduce(|a, b| ast_builder::binary(at, Binary::Multiply, a, b))?;
            Some(Slice {
                pointer: grid.pointer,
                length: product,
                kind: Ty::Slice(grid.element.clone()).pointer(),
                element: grid.element,
            })
        }
        _ => None,
    }
}

/// A reference to a value.
pub(crate) fn borrow<'a>(ctx: &mut Body<'a, '_>, value: Value<'a>, at: TextRange) -> Value<'a> {
    match value {
        Value::Plain(place, kind) => {
            let kind = ctx.inference.resolve(&kind);
            if let Ty::Array(..) = kind {
                return Value::Plain(place, kind.pointer());
            }
            if ast_builder::is_place(&place) {
                return Value::Plain(ast_builder::address(at, place), kind.pointer());
            }
            if let Ty::Pointer(_) | Ty::Box(_) = kind {
                return Value::Alias(Box::new(Value::Plain(place, kind)));
            }
            let memory = ctx.memory_type(&kind);
            let memory = kind.variable(memory);
            let place = ctx.declare(at, "temporary", memory, place);
            Value::Plain(ast_builder::address(at, place), kind.pointer())
        }
        Value::Slice(slice) => {
            let kind = match &slice.kind {
                Ty::Pointer(_) => slice.kind.clone(),
                kind => kind.clone().pointer(),
            };
            Value::Slice(Slice { kind, ..slice })
        }
        value @ Value::Tuple(_) => match place_of_tuple(&value) {
            Some(place) => {
                let kind = value.kind().pointer();
                Value::Plain(ast_builder::address(at, place), kind)
            }
            None => value,
        },
        Value::Iterator(sequence) if matches!(sequence.position, Position::Held(_)) => {
            Value::Alias(Box::new(Value::Iterator(sequence)))
        }
        other => other,
    }
}

/// The place of a tuple in memory, of which the first part is the member `0`; `None` for one in variables.
fn place_of_tuple(value: &Value) -> Option<Expression> {
    let Value::Tuple(parts) = value else {
        return None;
    };
    let first = match parts.first()? {
        Value::Plain(place, _) => place.clone(),
        inner @ Value::Tuple(_) => place_of_tuple(inner)?,
        _ => return None,
    };
    match first.kind {
        ExpressionKind::Member {
            base,
            name,
            through_pointer,
        } if &*name == "0" => Some(match through_pointer {
            true => ast_builder::dereference(first.at, *base),
            false => *base,
        }),
        _ => None,
    }
}

/// The target of a reference.
pub(crate) fn dereference<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    match value {
        Value::Plain(pointer, kind) => match ctx.inference.resolve(&kind) {
            Ty::Pointer(inner) | Ty::Box(inner) => {
                let inner = ctx.inference.resolve(&inner);
                match inner {
                    Ty::Array(..) => Value::Plain(pointer, inner),
                    _ => {
                        let place = ast_builder::dereference(at, pointer);
                        value_at(ctx, place, &inner)
                    }
                }
            }
            kind => Value::Plain(pointer, kind),
        },
        Value::Alias(value) => *value,
        Value::Slice(slice) => {
            let kind = match &slice.kind {
                Ty::Pointer(inner) => (**inner).clone(),
                kind => kind.clone(),
            };
            Value::Slice(Slice { kind, ..slice })
        }
        other => other,
    }
}

/// The target of a chain of references.
pub(crate) fn strip_references<'a>(
    ctx: &mut Body<'a, '_>,
    value: Value<'a>,
    at: TextRange,
) -> Value<'a> {
    let mut value = value;
    loop {
        match &value {
            Value::Plain(_, kind)
                if matches!(ctx.inference.resolve(kind), Ty::Pointer(_) | Ty::Box(_)) =>
            {
                value = dereference(ctx, value, at);
            }
            Value::Alias(_) => value = dereference(ctx, value, at),
            _ => return value,
        }
    }
}

/// Exchanges the values of two places.
pub(crate) fn exchange(ctx: &mut Body, a: Expression, b: Expression, kind: &Ty, at: TextRange) {
    let memory = ctx.variable_type(kind);
    let first = ctx.declare(ctx.fresh_at(at), "first", memory.clone(), a.clone());
    let second = ctx.declare(ctx.fresh_at(at), "second", memory, b.clone());
    ctx.emit(ast_builder::evaluated(ast_builder::assign(at, a, second)));
    ctx.emit(ast_builder::evaluated(ast_builder::assign(at, b, first)));
}

/// The size in bytes of a number of elements.
pub(crate) fn size_of(
    ctx: &mut Body,
    element: &Ty,
    length: Expression,
    at: TextRange,
) -> Expression {
    let element = ctx.inference.resolve(element);
    let memory = ctx.memory_type(&element);
    let size = Expression::new(at, ExpressionKind::SizeofType(Arc::new(memory)));
    let size = ast_builder::cast(at, ast_builder::wide(), size);
    ast_builder::binary(at, Binary::Multiply, length, size)
}
