//! Expressions: their values, and the accesses of their evaluation, in the order that the language defines.

use crate::bailout::Lowered;
use crate::calls::argument_effects::pointer_of_call;
use crate::calls::dispatch::lower_call;
use crate::context::Lowering;
use crate::control::tail::Tail;
use crate::domain::integers::{is_boolean, negate_condition};
use crate::domain::reals::apply_real_function;
use crate::domain::types::{INT, NumberType, SIZE, Type};
use crate::domain::values::{
    Place, Slot, Target, Value, constant_integer_of, pointer_to, unknown_value,
};
use crate::eval::accesses::access_element;
use crate::eval::alternatives::select_value;
use crate::eval::arrays::declare_static_array;
use crate::eval::assignments::{lower_assignment, lower_increment};
use crate::eval::comparisons::{is_same_number, nan_test};
use crate::eval::conversions::convert;
use crate::eval::integer_arithmetic::apply_unary_integer;
use crate::eval::operators::apply_binary;
use crate::eval::places::address_of;
use crate::eval::rejections::{reject, reject_unsupported};
use crate::eval::struct_layouts::{alignment_of, lower_offset_of};
use crate::eval::type_names::{reject_generic, select_generic};
use crate::eval::undeclared_types::assume_undeclared;
use crate::output::operation_recorder::operands_of;
use crate::output::operations::{
    record_binary, record_call, record_power, record_unary, with_role,
};
use crate::output::scalar_uses::record_use;
use crate::syntax::{
    Binary, Expression as Syntax, ExpressionKind, Name, Real, Statement, StatementKind, TextRange,
    Unary,
};
use premiss_tree::{AccessKind, BinaryOperator as Op, Expression, IntegerType, Role};
use std::rc::Rc;

fn lower_statement_expression(ctx: &mut Lowering, body: &Statement) -> Lowered<Value> {
    let StatementKind::Block(statements) = &body.kind else {
        return Ok(Value::Void);
    };
    ctx.in_scope(|ctx| {
        let Some((last, before)) = statements.split_last() else {
            return Ok(Value::Void);
        };
        ctx.statements(before, Tail::NONE)?;
        match &last.kind {
            StatementKind::Expression(syntax) => ctx.expression(syntax),
            _ => {
                ctx.statement(last, Tail::NONE)?;
                Ok(Value::Void)
            }
        }
    })
}

pub(crate) fn lower_expression(ctx: &mut Lowering, syntax: &Syntax) -> Lowered<Value> {
    let at = syntax.at;
    match &syntax.kind {
        ExpressionKind::Integer(value, kind) => Ok(Value::Integer((*value).into(), *kind)),
        ExpressionKind::Floating(Real(value), size) => {
            let constant = value.is_finite().then_some(*value);
            let kind = NumberType::real(*size);
            Ok(convert(
                ctx,
                Value::Floating(constant, kind),
                &Type::Floating(kind),
            ))
        }
        ExpressionKind::Text(size) => Ok(lower_string_literal(ctx, *size, at)),
        ExpressionKind::Name(_)
        | ExpressionKind::Index(..)
        | ExpressionKind::Dereference(_)
        | ExpressionKind::Member { .. }
        | ExpressionKind::CompoundLiteral(..) => {
            let place = ctx.place(syntax)?;
            record_use(ctx, syntax, &place);
            if let Place::Slot(Slot::Array(row, kind @ Type::Struct(..))) = &place {
                let array = Target::Array(*row);
                access_element(ctx, AccessKind::Load, &array, &0.into(), kind, at);
            }
            Ok(ctx.load(place))
        }
        ExpressionKind::Stepped(name, by) => {
            let value = ctx.expression(&Syntax::new(at, ExpressionKind::Name(name.clone())))?;
            let by = Value::Integer((*by).into(), INT);
            Ok(apply_binary(ctx, Binary::Add, value, by))
        }
        ExpressionKind::Unary(operator, operand) => lower_unary(ctx, *operator, operand),
        ExpressionKind::Increment {
            step: by,
            is_prefix,
            operand,
        } => lower_increment(ctx, operand, *by, *is_prefix, at),
        ExpressionKind::AddressOf(operand) => {
            let place = ctx.place(operand)?;
            Ok(address_of(ctx, place))
        }
        ExpressionKind::Binary(operator, left, right) => {
            let a = ctx.expression(left)?;
            let b = match &a {
                Value::Pointer(_) => with_role(ctx, Role::Index, |ctx| ctx.expression(right))?,
                _ => ctx.expression(right)?,
            };
            record_binary(ctx, *operator, (&a, Some(left)), (&b, Some(right)));
            let compares = matches!(operator, Binary::Equal | Binary::NotEqual);
            let same = (compares && is_same_number(ctx, left, right)).then(|| a.clone());
            let value = apply_binary(ctx, *operator, a, b);
            Ok(match (same, &value) {
                (Some(number), Value::Integer(Expression::Data, kind)) => {
                    let truth = nan_test(ctx, *operator, &number);
                    Value::Integer(truth.unwrap_or(Expression::Data), *kind)
                }
                _ => value,
            })
        }
        ExpressionKind::And(..) | ExpressionKind::Or(..) => {
            let truth = ctx.condition(syntax)?;
            let truth = match is_boolean(&truth) || truth == Expression::Data {
                true => truth,
                false => Expression::binary(Op::NotEqual, truth, 0.into()),
            };
            Ok(Value::Integer(truth, INT))
        }
        ExpressionKind::Conditional(operands) => lower_conditional(ctx, operands),
        ExpressionKind::Assign(operator, left, right) => {
            lower_assignment(ctx, *operator, left, right, at)
        }
        ExpressionKind::Call(callee, arguments) => lower_call(ctx, callee, arguments, at),
        ExpressionKind::Cast(kind, operand) => {
            let kind = ctx.resolve(kind)?;
            let value = ctx.expression(operand)?;
            let value = pointer_of_call(ctx, value, &kind, operand);
            Ok(convert(ctx, value, &kind))
        }
        ExpressionKind::SizeofType(kind) => {
            let kind = ctx.resolve(kind)?;
            Ok(size_value(ctx, &kind))
        }
        ExpressionKind::SizeofExpression(operand) => {
            // In any other context it is a pointer to its first character.
            if let ExpressionKind::Text(size) = operand.kind {
                return Ok(Value::Integer(i64::from(size).into(), SIZE));
            }
            let kind = ctx.type_of(operand)?;
            Ok(size_value(ctx, &kind))
        }
        ExpressionKind::AlignofType(kind) => {
            let alignment = alignment_of(ctx, kind)?;
            let alignment = alignment.map_or(Expression::Data, Expression::Integer);
            Ok(Value::Integer(alignment, SIZE))
        }
        // An object may have a stricter alignment than its type.
        ExpressionKind::AlignofExpression(_) => Ok(Value::Integer(Expression::Data, SIZE)),
        ExpressionKind::OffsetOf(kind, steps) => {
            let kind = ctx.resolve(kind)?;
            let offset = lower_offset_of(ctx, kind, steps)?;
            Ok(Value::Integer(offset, SIZE))
        }
        ExpressionKind::Comma(left, right) => {
            ctx.expression(left)?;
            ctx.expression(right)
        }
        ExpressionKind::StatementExpression(body) => lower_statement_expression(ctx, body),
        ExpressionKind::Generic(control, list) => match select_generic(ctx, control, list)? {
            Some(selected) => ctx.expression(selected),
            None => Ok(Value::Data(reject_generic(ctx, at))),
        },
        ExpressionKind::Computed(kind, function, operands) => {
            let kind = ctx.resolve(kind)?;
            lower_computed(ctx, kind, function.as_ref(), operands)
        }
        ExpressionKind::Unsupported(construct) => {
            reject_unsupported(ctx, construct, at);
            Ok(Value::Data(Type::Unknown(Name::from(*construct))))
        }
        ExpressionKind::Rejected(reason) => {
            reject(ctx, reason.clone(), at);
            Ok(Value::Data(Type::Unknown(Name::from("?"))))
        }
    }
}

/// A data-dependent value that a function computes.
fn lower_computed(
    ctx: &mut Lowering,
    kind: Type,
    function: Option<&Name>,
    operands: &[Syntax],
) -> Lowered<Value> {
    let mut values = Vec::new();
    for operand in operands {
        values.push(ctx.expression(operand)?);
    }
    if let (Some("isnan"), [number], Some(kind)) =
        (function.map(|x| &**x), &values[..], kind.integer())
    {
        let truth = nan_test(ctx, Binary::NotEqual, number);
        return Ok(Value::Integer(truth.unwrap_or(Expression::Data), kind));
    }
    let result = match &kind {
        Type::Floating(number) => apply_real_function(function, &values, *number),
        _ => unknown_value(kind),
    };
    let last = values.last();
    if let (Some(function), Some(with)) = (function, operands_of(&result)) {
        match &**function {
            "pow" => record_power(ctx, with, last.and_then(constant_integer_of)),
            function => record_call(ctx, function, with),
        }
    }
    Ok(result)
}

/// A string literal: an array that is only accessed if it is subscripted.
fn lower_string_literal(ctx: &mut Lowering, size: u32, at: TextRange) -> Value {
    let character = Rc::new(Type::Integer(IntegerType {
        bits: 8,
        signed: true,
    }));
    let kind = Type::Array(character.clone(), Some(i64::from(size).into()));
    let row = declare_static_array(ctx, &Name::from("literal"), at, &kind, at);
    Value::Pointer(pointer_to(row, 0.into(), &character))
}

fn lower_unary(ctx: &mut Lowering, operator: Unary, operand: &Syntax) -> Lowered<Value> {
    if operator == Unary::Not {
        let truth = ctx.condition(operand)?;
        return Ok(Value::Integer(negate_condition(truth), INT));
    }
    let value = ctx.expression(operand)?;
    record_unary(ctx, operator, &value, operand);
    Ok(match value {
        Value::Integer(x, kind) => apply_unary_integer(ctx, operator, x, kind),
        Value::Floating(Some(x), size) if operator == Unary::Negate => {
            Value::Floating(Some(-x), size)
        }
        Value::Floating(Some(x), size) if operator == Unary::Plus => Value::Floating(Some(x), size),
        Value::Particular(size) => Value::Particular(size),
        other => unknown_value(other.kind()),
    })
}

fn lower_conditional(ctx: &mut Lowering, operands: &[Syntax; 3]) -> Lowered<Value> {
    let [condition, then, otherwise] = operands;
    let condition = ctx.condition(condition)?;
    match condition.as_integer() {
        Some(0) => return ctx.expression(otherwise),
        Some(_) => return ctx.expression(then),
        None => {}
    }
    let mut values = ctx.branch(
        condition.clone(),
        |ctx| ctx.expression(then),
        |ctx| ctx.expression(otherwise),
    )?;
    let (Some(b), Some(a)) = (values.pop(), values.pop()) else {
        return Ok(Value::Void);
    };
    Ok(select_value(ctx, condition, a, b))
}

fn size_value(ctx: &mut Lowering, kind: &Type) -> Value {
    assume_undeclared(ctx, kind);
    Value::Integer(kind.size().unwrap_or(Expression::Data), SIZE)
}
